"""Idempotency keys: an accepted request runs once, however often it is sent
(draft-ietf-httpapi-idempotency-key-header-07)."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

import sqlalchemy as sa

from telecom.problems import ErrorDetail, ProblemKind
from telecom.sandbox.api.exchange import RequestRefused, SuccessResponse
from telecom.sandbox.database.encryption import decrypt, encrypt
from telecom.sandbox.database.tables import IDEMPOTENCY
from telecom.sandbox.stores.scheduled_work import AdvanceContext, TimedKind, TimedResource

RETENTION = timedelta(hours=24)
_RETRY_AFTER_S = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyUse:
    """One use of a key: its account and operation, and the fingerprint of the request's body."""

    account: str
    operation: str
    key: str
    fingerprint: str


def unquote_key(header: str) -> str:
    """Return the key without the quotes of the draft's form; both spellings are the same key."""
    return header[1:-1] if len(header) > 1 and header[0] == header[-1] == '"' else header


def body_fingerprint(body: Any) -> str:
    """Return the hash of a JSON body, independent of white space and of the order of members."""
    canonical = json.dumps(body, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


class KeysInFlight:
    """The keys whose first request is running in this process.

    Across processes the database does the same (`Database.hold`). On SQLite, with one writer at a time, the
    second request waits and gets the response of the first.
    """

    def __init__(self) -> None:
        """Start with no key in use."""
        self._keys: set[tuple[str, str, str]] = set()
        self._lock = Lock()

    @contextmanager
    def claim(self, use: KeyUse) -> Iterator[None]:
        """Hold a key; raises RequestRefused (409) if another request holds it."""
        key = (use.account, use.operation, use.key)
        with self._lock:
            if key in self._keys:
                raise key_in_use()
            self._keys.add(key)
        try:
            yield
        finally:
            with self._lock:
                self._keys.discard(key)


def key_in_use() -> RequestRefused:
    """Return the refusal of a key whose first request is still running."""
    return RequestRefused(
        ProblemKind.IDEMPOTENCY_KEY_IN_USE,
        "A request with this Idempotency-Key has no result yet. Send it again in a second.",
        headers={"Retry-After": str(_RETRY_AFTER_S)},
    )


def run_once(
    connection: sa.Connection, use: KeyUse, now: datetime, work: Callable[[], SuccessResponse]
) -> SuccessResponse:
    """Return the response stored under the key, or do the work and store its response in the same
    transaction.

    Raises RequestRefused: 422 if the key was used with another payload, 409 if the response is no longer
    stored.
    """
    key_values = {"of_account": use.account, "of_operation": use.operation, "of_key": use.key}
    stored = connection.execute(_FIND_RESPONSE, key_values).first()
    if stored is not None and stored.expires_at <= now:
        connection.execute(_DELETE_RESPONSE, key_values)
    elif stored is not None:
        if stored.fingerprint != use.fingerprint:
            raise _key_reused()
        if stored.body is None:
            raise RequestRefused(
                ProblemKind.ANSWER_NOT_KEPT,
                "This request succeeded before, but the secret in its response has been rotated or deleted since.",
            )
        return SuccessResponse(status=stored.status, body=json.loads(decrypt(connection, stored.body)))
    reply = work()
    row = {
        "account": use.account,
        "operation": use.operation,
        "key": use.key,
        "fingerprint": use.fingerprint,
        "status": reply.status,
        "subject": reply.body.get("id") if isinstance(reply.body, dict) else None,
        "body": encrypt(connection, json.dumps(reply.body)),
        "expires_at": now + RETENTION,
    }
    connection.execute(_STORE_RESPONSE, row)
    return reply


_OF_KEY = sa.and_(
    *(IDEMPOTENCY.c[name] == sa.bindparam(f"of_{name}") for name in ("account", "operation", "key"))
)
_FIND_RESPONSE = sa.select(IDEMPOTENCY).where(_OF_KEY)
_DELETE_RESPONSE = sa.delete(IDEMPOTENCY).where(_OF_KEY)
_STORE_RESPONSE = sa.insert(IDEMPOTENCY)


def _next_expiry(connection: sa.Connection) -> datetime | None:
    due: datetime | None = connection.execute(_FIRST_EXPIRY).scalar()
    return due


def _delete_expired(connection: sa.Connection, context: AdvanceContext) -> int:
    expired = IDEMPOTENCY.c.expires_at <= context.now
    return connection.execute(sa.delete(IDEMPOTENCY).where(expired)).rowcount


_FIRST_EXPIRY = sa.select(sa.func.min(IDEMPOTENCY.c.expires_at))
EXPIRY = TimedResource(kind=TimedKind.IDEMPOTENCY_KEY, next_due=_next_expiry, advance=_delete_expired)
"""Expired keys, which are deleted to free their space."""


def delete_responses(connection: sa.Connection, account: str, subject: str) -> None:
    """Delete the stored responses that show a resource: they hold a secret that is no longer valid. The keys
    stay used."""
    connection.execute(
        sa.update(IDEMPOTENCY)
        .where(IDEMPOTENCY.c.account == account, IDEMPOTENCY.c.subject == subject)
        .values(body=None)
    )


def _key_reused() -> RequestRefused:
    return RequestRefused(
        ProblemKind.IDEMPOTENCY_KEY_REUSED,
        "This Idempotency-Key belongs to a request with another body. Use a new key.",
        errors=(ErrorDetail(detail="This body differs from the one first sent with the key.", pointer="#"),),
    )
