"""Encryption of webhook secrets in the database (decision 0044).

Each text is encrypted with Fernet (AES-128-CBC and HMAC-SHA256) under a key that is not in the database. The
name of the key precedes it, so that a key can be replaced: the first given key encrypts, all decrypt.
"""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa
from cryptography.fernet import Fernet

from devportal.errors import EnvironmentProblem, InvalidSettings, Place
from telecom.sandbox.connections.certificates import write_private
from telecom.sandbox.database import KEY_VARIABLE

ENCRYPTED_PREFIX = "fernet:"
"""The prefix of encrypted texts, followed by the name of the key: neither a secret nor JSON begins so."""
KEY_NAME_LENGTH = 8
_OPTION = "devportal_cipher"
_OTHERS_MAY_READ = 0o007
_SEPARATED = str.maketrans({",": " ", "+": "-", "/": "_"})
"""Keys may be in standard Base64 or in that of Fernet (RFC 4648 §4 and §5)."""


@dataclass(frozen=True, slots=True)
class Cipher:
    """The keys by name; the first one encrypts."""

    _keys: Mapping[str, Fernet] = field(repr=False)

    @classmethod
    def parse(cls, text: str, *, place: Place | None = None) -> "Cipher":
        """Read one or more keys, separated by white space or commas; raises InvalidSettings, without the
        keys."""
        texts = text.translate(_SEPARATED).split()
        try:
            keys = {_key_name(secret): Fernet(secret) for secret in texts}
        except ValueError:
            keys = {}
        if not keys:
            raise InvalidSettings(
                "the encryption key is not the Base64 of 32 bytes",
                place=place,
                help="make one with: openssl rand -base64 32",
            )
        return cls(keys)

    @property
    def name(self) -> str:
        """The name of the key that encrypts; it does not reveal the key."""
        return next(iter(self._keys))

    def has(self, name: str) -> bool:
        """Return whether a key can decrypt."""
        return name in self._keys

    def encrypt(self, text: str) -> str:
        """Return a text encrypted for storage."""
        return f"{ENCRYPTED_PREFIX}{self.name}:{self._keys[self.name].encrypt(text.encode()).decode('ascii')}"

    def decrypt(self, stored: str) -> str:
        """Return the decrypted text. Raises KeyError for an unknown key, InvalidToken for a changed text."""
        name, _, token = stored.removeprefix(ENCRYPTED_PREFIX).partition(":")
        return self._keys[name].decrypt(token).decode()


def read_cipher(file: Path | None, environment: Mapping[str, str] = os.environ) -> Cipher | None:
    """Return the cipher with the keys of a file or of the environment; None if neither has one.

    Raises InvalidSettings, EnvironmentProblem.
    """
    text = environment.get(KEY_VARIABLE, "")
    if file is None:
        return Cipher.parse(text) if text else None
    if text:
        raise InvalidSettings(
            "the encryption key is given twice",
            help=f"leave out --encryption-key-file, or unset {KEY_VARIABLE}",
        )
    place = Place(file=str(file))
    try:
        if file.stat().st_mode & _OTHERS_MAY_READ:
            raise EnvironmentProblem(
                "everybody on this machine may read the encryption key",
                place=place,
                help=f"chmod 600 {file}",
            )
        return Cipher.parse(file.read_text("ascii", "replace"), place=place)
    except OSError as error:
        raise EnvironmentProblem(
            f"the encryption key cannot be read: {error.strerror}",
            place=place,
            help="give another file with --encryption-key-file",
        ) from error


def make_key_file(file: Path) -> bool:
    """Write a new key to a file, if the file does not exist; return whether it was written.

    Raises EnvironmentProblem.
    """
    if file.exists():
        return False
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_private(file, Fernet.generate_key() + b"\n")
    except OSError as error:
        raise EnvironmentProblem(
            f"the encryption key cannot be written: {error.strerror}",
            place=Place(file=str(file)),
            help="give another file with --encryption-key-file",
        ) from error
    return True


def execution_options(cipher: Cipher | None) -> dict[str, Cipher | None]:
    """Return the execution options of an engine whose connections encrypt."""
    return {_OPTION: cipher}


def cipher_of(connection: sa.Connection) -> Cipher | None:
    """Return the cipher of a connection, None if it does not encrypt."""
    cipher: Cipher | None = connection.get_execution_options().get(_OPTION)
    return cipher


def encrypt(connection: sa.Connection, text: str) -> str:
    """Return a text as the database stores it: unchanged, if there is no key."""
    cipher = cipher_of(connection)
    return text if cipher is None else cipher.encrypt(text)


def decrypt(connection: sa.Connection, stored: str) -> str:
    """Return the text that the database stores, encrypted or not. The start has checked that its key is there
    (`check_key`)."""
    cipher = cipher_of(connection)
    return cipher.decrypt(stored) if cipher is not None and stored.startswith(ENCRYPTED_PREFIX) else stored


def _key_name(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:KEY_NAME_LENGTH]
