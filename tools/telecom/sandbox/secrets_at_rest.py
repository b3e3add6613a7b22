"""The columns with webhook secrets, and how a start brings them under its encryption key (decision 0044)."""

from collections.abc import Iterator

import sqlalchemy as sa

from devportal.errors import InvalidSettings, Place
from telecom.sandbox.encryption import NAME_LENGTH, PREFIX, VARIABLE, Cipher, cipher_of, decrypt
from telecom.sandbox.endpoints import ENDPOINTS
from telecom.sandbox.tables import IDEMPOTENCY

COLUMNS: tuple[sa.Column[str], ...] = (
    ENDPOINTS.c.secret,
    ENDPOINTS.c.previous_secret,
    IDEMPOTENCY.c.body,
)
"""Responses that are kept for idempotency keys show the secret that their request made."""
_AT_ONCE = 1000
"""How many rows are in memory at a time."""


def check_key(connection: sa.Connection, place: Place) -> None:
    """Raise InvalidSettings if a secret is encrypted with a key that was not given."""
    cipher = cipher_of(connection)
    for column in COLUMNS:
        for name in _key_names(connection, column):
            if cipher is None or not cipher.has(name):
                raise _missing_key(name, cipher, place)


def encrypt_at_rest(connection: sa.Connection, place: Place) -> bool:
    """Encrypt what is not encrypted with the first key, if there is one; return whether any was plain.

    Raises InvalidSettings if a secret is encrypted with a key that was not given.
    """
    check_key(connection, place)
    cipher = cipher_of(connection)
    if cipher is None:
        return False
    were_plain = [_encrypt_column(connection, column, cipher) for column in COLUMNS]
    return any(were_plain)


def _encrypt_column(connection: sa.Connection, column: sa.Column[str], cipher: Cipher) -> bool:
    """Encrypt a column with the first key; return whether any of it was plain."""
    table, keys = column.table, list(column.table.primary_key)
    is_other = column.not_like(f"{PREFIX}{cipher.name}:%")
    others = sa.select(*keys, column).where(is_other).limit(_AT_ONCE)
    was_plain = False
    while rows := connection.execute(others).all():
        for *key, stored in rows:
            of_row = sa.and_(*(one == value for one, value in zip(keys, key, strict=True)))
            text = cipher.encrypt(decrypt(connection, stored))
            connection.execute(sa.update(table).where(of_row).values({column: text}))
            was_plain |= not stored.startswith(PREFIX)
    return was_plain


def _key_names(connection: sa.Connection, column: sa.Column[str]) -> Iterator[str]:
    """Yield the names of the keys that a column is encrypted with."""
    name = sa.func.substr(column, len(PREFIX) + 1, NAME_LENGTH)
    found = sa.select(name).where(column.like(f"{PREFIX}%")).distinct().order_by(name)
    return iter(connection.execute(found).scalars().all())


def _missing_key(name: str, cipher: Cipher | None, place: Place) -> InvalidSettings:
    given = "no key was given" if cipher is None else f"the key that was given is {cipher.name}"
    return InvalidSettings(
        f"webhook secrets of this database are encrypted with the key {name}, and {given}",
        place=place,
        help=f"give that key too, in {VARIABLE} or with --encryption-key-file; while you replace a key, give "
        "the new one first and the one before behind it",
    )
