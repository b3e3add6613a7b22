"""Encryption of texts, and the keys that it is done with."""

import stat
from pathlib import Path

import pytest
from cryptography.fernet import Fernet, InvalidToken
from hypothesis import given
from hypothesis import strategies as st

from devportal.errors import EnvironmentProblem, InvalidSettings, PortalError
from telecom.sandbox.database import KEY_VARIABLE
from telecom.sandbox.database.encryption import Cipher, make_key_file, read_cipher

KEY, OTHER = "a2V5IG9mIHRoZSB0ZXN0cywgMzIgYnl0ZXMgbG9uZyE=", "YW5vdGhlciBrZXkgb2YgdGVzdHMsIDMyIGJ5dGVzISE="


@given(st.text())
def test_text_comes_back(text: str) -> None:
    """Whatever it holds, and what is stored does not show it."""
    cipher = Cipher.parse(KEY)
    stored = cipher.encrypt(text)

    assert cipher.decrypt(stored) == text
    assert len(text) < 4 or text not in stored


def test_both_kinds_of_base64_are_the_same_key() -> None:
    """OpenSSL writes the usual one, Fernet the one for addresses."""
    usual, for_addresses = "+/" * 21 + "8=", "-_" * 21 + "8="
    stored = Cipher.parse(usual).encrypt("secret")

    assert Cipher.parse(for_addresses).decrypt(stored) == "secret"


def test_same_text_is_stored_differently_each_time() -> None:
    """Two endpoints with one secret cannot be told from two with two."""
    cipher = Cipher.parse(KEY)

    assert cipher.encrypt("secret") != cipher.encrypt("secret")


def test_first_key_encrypts_and_all_decrypt() -> None:
    """A key is replaced by writing the new one in front."""
    before, during, after = (Cipher.parse(text) for text in (KEY, f"{OTHER}\n{KEY}\n", OTHER))
    stored = before.encrypt("secret")

    assert during.decrypt(stored) == "secret"
    assert after.decrypt(during.encrypt("secret")) == "secret"
    with pytest.raises(KeyError):
        after.decrypt(stored)


def test_text_that_was_changed_is_refused() -> None:
    """It is not only unreadable, but known to be changed."""
    cipher = Cipher.parse(KEY)

    with pytest.raises(InvalidToken):
        cipher.decrypt(f"{cipher.encrypt('secret')[:-8]}AAAAAAA=")


@pytest.mark.parametrize("text", ["c2hvcnQ=", "not Base64 at all", f"{KEY} c2hvcnQ=", "\N{SNOWMAN}" * 44])
def test_wrong_key_is_refused_and_not_shown(text: str) -> None:
    """It may be a key with a slip of the pen."""
    with pytest.raises(InvalidSettings, match="not the Base64 of 32 bytes") as raised:
        Cipher.parse(text)

    assert not any(part in str(raised.value) for part in text.split() if len(part) > 6)


def test_keys_are_in_no_representation() -> None:
    """Logs and traces show those of values."""
    assert KEY not in repr(Cipher.parse(KEY))
    assert KEY not in Cipher.parse(KEY).name


def test_key_comes_from_file_or_environment(tmp_path: Path) -> None:
    """The key of OpenSSL, of 44 characters and a line break, among them."""
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    file.chmod(0o600)
    from_file, from_environment = read_cipher(file, {}), read_cipher(None, {KEY_VARIABLE: KEY})

    assert from_file is not None
    assert from_environment is not None
    assert from_file.decrypt(from_environment.encrypt("secret")) == "secret"
    assert read_cipher(None, {}) is None


def test_key_is_given_once(tmp_path: Path) -> None:
    """Which of two would hold is not guessed."""
    with pytest.raises(InvalidSettings, match="given twice"):
        read_cipher(tmp_path / "key", {KEY_VARIABLE: KEY})


def test_key_file_is_made_once(tmp_path: Path) -> None:
    """For its owner only, with its folder."""
    file = tmp_path / "deep" / "key"
    made, first = make_key_file(file), file.read_bytes()
    made_again = make_key_file(file)

    assert (made, made_again) == (True, False)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_bytes() == first
    assert len(Fernet(first.strip()).encrypt(b"")) > 0


def test_key_file_that_cannot_be_used_is_reported(tmp_path: Path) -> None:
    """With its name and what to do."""
    open_to_all, absent, below_a_file = tmp_path / "open", tmp_path / "absent", tmp_path / "open" / "key"
    open_to_all.write_text(KEY)
    open_to_all.chmod(0o644)

    for read, expected in (
        (
            lambda: read_cipher(open_to_all, {}),
            f"everybody on this machine may read.*chmod 600 {open_to_all}",
        ),
        (lambda: read_cipher(absent, {}), "absent: the encryption key cannot be read: No such file"),
        (lambda: make_key_file(below_a_file), "the encryption key cannot be written"),
    ):
        with pytest.raises(EnvironmentProblem, match=rf"(?s){expected}") as raised:
            read()
        assert isinstance(raised.value, PortalError)
        assert raised.value.help
