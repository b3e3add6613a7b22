"""Webhook endpoints in the database with their secrets, and the re-encryption with a new key (decision 0044)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from devportal.errors import InvalidSettings, Place
from telecom.sandbox.database import KEY_VARIABLE
from telecom.sandbox.database.encryption import (
    ENCRYPTED_PREFIX,
    KEY_NAME_LENGTH,
    Cipher,
    cipher_of,
    decrypt,
    encrypt,
)
from telecom.sandbox.database.tables import IDEMPOTENCY, METADATA, UtcTime, insert_or_update
from telecom.signature import Secret
from telecom.times import format_rfc3339

TEST_EVENT_TYPE = "webhook.test"
"""The event that tests an endpoint, enabled or not; sent once, without retries."""
MAX_ENDPOINTS = 20
"""How many endpoints an account may have (decision 0019)."""
ROTATION_OVERLAP = timedelta(hours=24)
"""How long the previous secret also signs after a rotation (decision 0019)."""

ENDPOINTS = sa.Table(
    "webhook_endpoints",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("event_types", sa.Text, nullable=False),
    sa.Column("description", sa.Text),
    sa.Column("disabled_reason", sa.String(16)),
    sa.Column("secret", sa.Text, nullable=False),
    sa.Column("previous_secret", sa.Text),
    sa.Column("previous_expires_at", UtcTime),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("updated_at", UtcTime, nullable=False),
    sa.Index("webhook_endpoints_by_time", "account", "created_at", "id"),
)


class DisabledReason(StrEnum):
    """Why nothing is sent to an endpoint."""

    REQUESTED = "requested"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An address of an account and the events sent there. It is enabled if it has no `disabled_reason`."""

    account: str
    id: str
    url: str
    event_types: tuple[str, ...]
    description: str | None
    disabled_reason: DisabledReason | None
    secret: Secret
    previous_secret: Secret | None = None
    previous_expires_at: datetime | None = None
    created_at: datetime
    updated_at: datetime

    @property
    def enabled(self) -> bool:
        """Whether events are sent to it."""
        return self.disabled_reason is None

    def secrets(self, now: datetime) -> tuple[Secret, ...]:
        """Return the secrets that sign a delivery now, the newest first."""
        rotating = self.previous_expires_at is not None and now < self.previous_expires_at
        return (self.secret, self.previous_secret) if rotating and self.previous_secret else (self.secret,)

    def document(self, now: datetime) -> dict[str, Any]:
        """Return the endpoint as the API shows it, without its secrets."""
        rotating = len(self.secrets(now)) > 1
        expires_at = self.previous_expires_at if rotating else None
        return {
            "id": self.id,
            "url": self.url,
            "event_types": list(self.event_types),
            "description": self.description,
            "enabled": self.enabled,
            "disabled_reason": self.disabled_reason.value if self.disabled_reason else None,
            "previous_secret_expires_at": format_rfc3339(expires_at) if expires_at else None,
            "created_at": format_rfc3339(self.created_at),
            "updated_at": format_rfc3339(self.updated_at),
        }

    def document_with_secret(self, now: datetime) -> dict[str, Any]:
        """Return the endpoint as the API shows it when its secret is new."""
        return {**self.document(now), "secret": self.secret.reveal()}


def read_endpoint(connection: sa.Connection, row: sa.RowMapping) -> Endpoint:
    """Return the endpoint of a row of the table."""
    reason, previous = row["disabled_reason"], row["previous_secret"]
    return Endpoint(
        account=row["account"],
        id=row["id"],
        url=row["url"],
        event_types=tuple(row["event_types"].split()),
        description=row["description"],
        disabled_reason=DisabledReason(reason) if reason else None,
        secret=Secret.parse(decrypt(connection, row["secret"])),
        previous_secret=Secret.parse(decrypt(connection, previous)) if previous else None,
        previous_expires_at=row["previous_expires_at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def store_endpoint(connection: sa.Connection, endpoint: Endpoint) -> None:
    """Store an endpoint, or change the one that has its account and identifier.

    The row itself stays: a transaction that waits for it must find it changed, and not deleted.
    """
    previous = endpoint.previous_secret
    values = {
        "account": endpoint.account,
        "id": endpoint.id,
        "url": endpoint.url,
        "event_types": " ".join(endpoint.event_types),
        "description": endpoint.description,
        "disabled_reason": endpoint.disabled_reason.value if endpoint.disabled_reason else None,
        "secret": encrypt(connection, endpoint.secret.reveal()),
        "previous_secret": encrypt(connection, previous.reveal()) if previous else None,
        "previous_expires_at": endpoint.previous_expires_at,
        "created_at": endpoint.created_at,
        "updated_at": endpoint.updated_at,
    }
    connection.execute(_STORE[connection.dialect.name], values)


def find_endpoint(connection: sa.Connection, account: str, endpoint_id: str) -> Endpoint | None:
    """Return an account's endpoint, None if there is none."""
    row = connection.execute(_FIND, {"of_account": account, "of_id": endpoint_id}).mappings().first()
    return read_endpoint(connection, row) if row is not None else None


def remove_endpoint(connection: sa.Connection, endpoint: Endpoint) -> None:
    """Delete an endpoint with its secrets."""
    connection.execute(sa.delete(ENDPOINTS).where(_is_endpoint(endpoint.account, endpoint.id)))


def count_endpoints(connection: sa.Connection, account: str) -> int:
    """Return how many endpoints an account has."""
    query = sa.select(sa.func.count()).select_from(ENDPOINTS).where(ENDPOINTS.c.account == account)
    return connection.execute(query).scalar_one()


def endpoints_of(connection: sa.Connection, account: str) -> tuple[Endpoint, ...]:
    """Return an account's endpoints, by identifier."""
    rows = connection.execute(_OF_ACCOUNT, {"of_account": account}).mappings()
    return tuple(read_endpoint(connection, row) for row in rows)


def lock_endpoints_of(connection: sa.Connection, account: str) -> tuple[Endpoint, ...]:
    """Return an account's endpoints, locked against changes until the transaction ends: whoever changes one
    next sees what was written for it by then."""
    rows = connection.execute(_LOCK_OF_ACCOUNT, {"of_account": account}).mappings()
    return tuple(read_endpoint(connection, row) for row in rows)


def subscribers(connection: sa.Connection, account: str, event_type: str) -> Iterator[Endpoint]:
    """Yield the account's endpoints that subscribe to a type of event, disabled ones included."""
    return (endpoint for endpoint in endpoints_of(connection, account) if event_type in endpoint.event_types)


def disable_gone_endpoint(connection: sa.Connection, endpoint: Endpoint, now: datetime) -> bool:
    """Disable an endpoint whose receiver is gone; return whether it was enabled and still at this address."""
    is_unchanged = (ENDPOINTS.c.url == endpoint.url) & ENDPOINTS.c.disabled_reason.is_(None)
    values = {"disabled_reason": DisabledReason.GONE.value, "updated_at": now}
    statement = (
        sa.update(ENDPOINTS).where(_is_endpoint(endpoint.account, endpoint.id), is_unchanged).values(values)
    )
    return connection.execute(statement).rowcount > 0


def _is_endpoint(account: str, endpoint_id: str) -> sa.ColumnElement[bool]:
    return (ENDPOINTS.c.account == account) & (ENDPOINTS.c.id == endpoint_id)


_OF_ACCOUNT = (
    sa.select(ENDPOINTS).where(ENDPOINTS.c.account == sa.bindparam("of_account")).order_by(ENDPOINTS.c.id)
)
_LOCK_OF_ACCOUNT = _OF_ACCOUNT.with_for_update(read=True)
_STORE = insert_or_update(ENDPOINTS, *(column.name for column in ENDPOINTS.columns if not column.primary_key))
_FIND = sa.select(ENDPOINTS).where(
    ENDPOINTS.c.account == sa.bindparam("of_account"), ENDPOINTS.c.id == sa.bindparam("of_id")
)


SECRET_COLUMNS: tuple[sa.Column[str], ...] = (
    ENDPOINTS.c.secret,
    ENDPOINTS.c.previous_secret,
    IDEMPOTENCY.c.body,
)
"""The responses stored for idempotency keys show the secret that their request made."""
_BATCH_SIZE = 1000
"""How many rows are in memory at a time."""


def check_key(connection: sa.Connection, place: Place) -> None:
    """Raise InvalidSettings if a secret is encrypted with a key that was not given."""
    cipher = cipher_of(connection)
    for column in SECRET_COLUMNS:
        for name in _key_names(connection, column):
            if cipher is None or not cipher.has(name):
                raise _missing_key(name, cipher, place)


def encrypt_at_rest(connection: sa.Connection, place: Place) -> bool:
    """Encrypt with the first key what is not, if there is a key; return whether any was plain text.

    Raises InvalidSettings if a secret is encrypted with a key that was not given.
    """
    check_key(connection, place)
    cipher = cipher_of(connection)
    if cipher is None:
        return False
    had_plaintext = [_encrypt_column(connection, column, cipher) for column in SECRET_COLUMNS]
    return any(had_plaintext)


def _encrypt_column(connection: sa.Connection, column: sa.Column[str], cipher: Cipher) -> bool:
    """Encrypt a column with the first key; return whether any of it was plain text."""
    table, keys = column.table, list(column.table.primary_key)
    is_other = column.not_like(f"{ENCRYPTED_PREFIX}{cipher.name}:%")
    query = sa.select(*keys, column).where(is_other).limit(_BATCH_SIZE)
    had_plaintext = False
    while rows := connection.execute(query).all():
        for *key, stored in rows:
            is_row = sa.and_(*(other_key == value for other_key, value in zip(keys, key, strict=True)))
            text = cipher.encrypt(decrypt(connection, stored))
            connection.execute(sa.update(table).where(is_row).values({column: text}))
            had_plaintext |= not stored.startswith(ENCRYPTED_PREFIX)
    return had_plaintext


def _key_names(connection: sa.Connection, column: sa.Column[str]) -> Iterator[str]:
    """Yield the names of the keys that a column is encrypted with."""
    name = sa.func.substr(column, len(ENCRYPTED_PREFIX) + 1, KEY_NAME_LENGTH)
    query = sa.select(name).where(column.like(f"{ENCRYPTED_PREFIX}%")).distinct().order_by(name)
    return iter(connection.execute(query).scalars().all())


def _missing_key(name: str, cipher: Cipher | None, place: Place) -> InvalidSettings:
    key_text = "no key was given" if cipher is None else f"the key that was given is {cipher.name}"
    return InvalidSettings(
        f"webhook secrets of this database are encrypted with the key {name}, and {key_text}",
        place=place,
        help=f"give that key too, in {KEY_VARIABLE} or with --encryption-key-file; while you replace a key, give "
        "the new one first and the one before behind it",
    )
