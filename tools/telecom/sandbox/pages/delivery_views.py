"""The deliveries of an event with every attempt, and how attempts were signed.

Signatures are not stored. They are computed again from the event, the time at which the attempt was signed,
and the secret whose fingerprint is stored with it, and only while the endpoint still has that secret. So a
shown signature is the one that was sent.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from telecom.sandbox.database.tables import EVENTS
from telecom.sandbox.delivery.deliveries import Attempt, Delivery, DeliveryState, attempts_of, deliveries_of
from telecom.sandbox.delivery.endpoint_store import Endpoint, endpoints_of
from telecom.signature import Secret, sign

MAX_ATTEMPTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedHeaders:
    """The headers of an attempt as they were sent, and the names of the secrets that signed it. A deleted
    secret is only named."""

    headers: tuple[tuple[str, str], ...]
    secrets: tuple[str, ...]
    is_complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedAttempt:
    """An attempt, and its signature, None if it failed before it was signed or the signature is unknown."""

    attempt: Attempt
    signed: SignedHeaders | None

    @property
    def is_success(self) -> bool:
        """Whether the receiver got the event by this attempt."""
        return self.attempt.status is not None and 200 <= self.attempt.status < 300


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryHistory:
    """A delivery with its endpoint, None if that was deleted, and its attempts."""

    delivery: Delivery
    endpoint: Endpoint | None
    attempts: tuple[SignedAttempt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventHistory:
    """An event, with its JSON value and its deliveries."""

    id: str
    type: str
    subject: str
    at: datetime
    payload: Any
    deliveries: tuple[DeliveryHistory, ...]

    @property
    def is_pending(self) -> bool:
        """Whether a delivery is still pending."""
        return any(delivery.delivery.state is DeliveryState.PENDING for delivery in self.deliveries)


def events_about(connection: sa.Connection, account: str, subject: str) -> tuple[EventHistory, ...]:
    """Return the events about a resource of an account, the oldest first."""
    query = (
        sa.select(EVENTS)
        .where(EVENTS.c.account == account, EVENTS.c.subject == subject)
        .order_by(EVENTS.c.created_at, EVENTS.c.id)
    )
    return event_histories(connection, account, connection.execute(query).mappings().all())


def event_histories(
    connection: sa.Connection, account: str, rows: Sequence[sa.RowMapping]
) -> tuple[EventHistory, ...]:
    """Return the histories of events by their rows."""
    deliveries_by_event = deliveries_of(connection, account, [row["id"] for row in rows])
    endpoints = {endpoint.id: endpoint for endpoint in endpoints_of(connection, account)}
    return tuple(
        EventHistory(
            id=row["id"],
            type=row["type"],
            subject=row["subject"],
            at=row["created_at"],
            payload=json.loads(row["body"]),
            deliveries=tuple(_delivery_histories(connection, row, deliveries_by_event[row["id"]], endpoints)),
        )
        for row in rows
    )


def _delivery_histories(
    connection: sa.Connection,
    row: sa.RowMapping,
    deliveries: Sequence[Delivery],
    endpoints: Mapping[str, Endpoint],
) -> Iterator[DeliveryHistory]:
    for delivery in deliveries:
        endpoint = endpoints.get(delivery.key.endpoint_id)
        attempts = attempts_of(connection, delivery.key, last=MAX_ATTEMPTS)
        signed_attempts = (
            SignedAttempt(attempt=attempt, signed=_signed_headers(row, attempt, endpoint))
            for attempt in attempts
        )
        yield DeliveryHistory(delivery=delivery, endpoint=endpoint, attempts=tuple(signed_attempts))


def _signed_headers(row: sa.RowMapping, attempt: Attempt, endpoint: Endpoint | None) -> SignedHeaders | None:
    if attempt.signed_at is None or attempt.signed_with is None:
        return None
    known_secrets = _known_secrets(endpoint)
    fingerprints = attempt.signed_with.split()
    secrets = [known_secrets[fingerprint][1] for fingerprint in fingerprints if fingerprint in known_secrets]
    headers = sign(row["body"].encode(), event_id=row["id"], at=attempt.signed_at, secrets=secrets)
    return SignedHeaders(
        headers=tuple((name, value) for name, value in headers.items() if value),
        secrets=tuple(
            known_secrets[fingerprint][0] if fingerprint in known_secrets else "a secret that is gone"
            for fingerprint in fingerprints
        ),
        is_complete=len(secrets) == len(fingerprints),
    )


def _known_secrets(endpoint: Endpoint | None) -> dict[str, tuple[str, Secret]]:
    """Return name and secret of an endpoint's current and previous secret, by fingerprint."""
    if endpoint is None:
        return {}
    previous = endpoint.previous_secret
    secrets = {previous.fingerprint: ("the previous secret", previous)} if previous is not None else {}
    return secrets | {endpoint.secret.fingerprint: ("the current secret", endpoint.secret)}
