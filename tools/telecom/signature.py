"""Signs webhooks and verifies signatures, as in Standard Webhooks 1.0.0 (HMAC-SHA256 only).

This is our own code because the reference library raises plain errors on malformed signatures and takes local
times for UTC.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from devportal.errors import InvalidSettings

SECRET_PREFIX = "whsec_"
TOLERANCE = timedelta(minutes=5)
"""How far a timestamp may be from the receiver's clock, both ways (the reference libraries' value)."""

_SHORTEST_KEY, _LONGEST_KEY = 24, 64


class SignatureRefusal(StrEnum):
    """Why the signature of a delivery was refused."""

    MISSING_HEADER = "missing header"
    MALFORMED_HEADER = "malformed header"
    TOO_OLD = "timestamp too old"
    TOO_NEW = "timestamp in the future"
    WRONG_SIGNATURE = "no signature matches"


class SignatureRefused(ValueError):
    """A delivery whose signature does not prove that it comes from the holder of the secret."""

    def __init__(self, refusal: SignatureRefusal, detail: str) -> None:
        """Take the reason, for programs, and what it was, for people."""
        super().__init__(f"{refusal}: {detail}")
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Secret:
    """A webhook secret: 24 to 64 random bytes. Never printed."""

    key: bytes = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> "Secret":
        """Read `whsec_` and Base64, the prefix and the padding being optional; raises InvalidSettings."""
        encoded = text.strip().removeprefix(SECRET_PREFIX)
        try:
            key = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
        except (binascii.Error, ValueError):
            raise InvalidSettings(
                "the webhook secret is not Base64",
                help=f"use {SECRET_PREFIX} and the Base64 of 24 to 64 bytes",
            ) from None
        if not _SHORTEST_KEY <= len(key) <= _LONGEST_KEY:
            raise InvalidSettings(
                f"the webhook secret has {len(key)} bytes",
                help=f"use {_SHORTEST_KEY} to {_LONGEST_KEY} random bytes",
            )
        return cls(key)

    @property
    def fingerprint(self) -> str:
        """Identifies a secret without revealing it: 48 bits of the SHA-256 of at least 192."""
        return hashlib.sha256(self.key).hexdigest()[:12]

    def reveal(self) -> str:
        """Return the secret as text, for the one place that has to show it."""
        return SECRET_PREFIX + base64.b64encode(self.key).decode("ascii")


def sign(body: bytes, *, event_id: str, at: datetime, secrets: Sequence[Secret]) -> dict[str, str]:
    """Return the three headers of an attempt at `at` (aware), signed with each of the secrets.

    Two secrets are for the time of a rotation. Raises ValueError for an `event_id` with a dot, because
    the signed content could then be read in two ways, and for a naive time.
    """
    if "." in event_id or not event_id:
        raise ValueError(f"an event identifier is not empty and has no dot: {event_id!r}")
    if at.tzinfo is None:
        raise ValueError("the time of an attempt is an aware datetime")
    timestamp = str(int(at.timestamp()))
    signatures = (f"v1,{_digest(secret, event_id, timestamp, body)}" for secret in secrets)
    return {
        "webhook-id": event_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(signatures),
    }


def verify(
    body: bytes,
    headers: Mapping[str, str],
    *,
    secrets: Sequence[Secret],
    now: datetime,
    tolerance: timedelta = TOLERANCE,
) -> str:
    """Return the event's identifier if one signature over the raw body matches one secret.

    Raises SignatureRefused otherwise.
    """
    headers_by_name = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp, signatures = (
        _required_header(headers_by_name, name)
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not signatures.isascii():
        raise SignatureRefused(SignatureRefusal.MALFORMED_HEADER, "webhook-signature is not ASCII")
    if "." in event_id:
        raise SignatureRefused(SignatureRefusal.MALFORMED_HEADER, f"webhook-id has a dot: {event_id!r}")
    _refuse_stale(timestamp, now, tolerance)
    v1_signatures = [entry[3:] for entry in signatures.split(" ") if entry.startswith("v1,")]
    expected = [_digest(secret, event_id, timestamp, body) for secret in secrets]
    matches = [
        hmac.compare_digest(v1_signature, other) for v1_signature in v1_signatures for other in expected
    ]
    if not any(matches):
        raise SignatureRefused(
            SignatureRefusal.WRONG_SIGNATURE, f"{len(v1_signatures)} signatures of version v1 were sent"
        )
    return event_id


def _required_header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name, "").strip()
    if not value:
        raise SignatureRefused(SignatureRefusal.MISSING_HEADER, name)
    return value


def _refuse_stale(timestamp: str, now: datetime, tolerance: timedelta) -> None:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise SignatureRefused(
            SignatureRefusal.MALFORMED_HEADER,
            f"webhook-timestamp is not a number of seconds: {timestamp[:40]!r}",
        )
    age = now.timestamp() - int(timestamp)
    if age > tolerance.total_seconds():
        raise SignatureRefused(SignatureRefusal.TOO_OLD, f"it is {age:.0f} seconds old")
    if -age > tolerance.total_seconds():
        raise SignatureRefused(SignatureRefusal.TOO_NEW, f"it is {-age:.0f} seconds ahead")


def _digest(secret: Secret, event_id: str, timestamp: str, body: bytes) -> str:
    content = f"{event_id}.{timestamp}.".encode() + body
    return base64.b64encode(hmac.new(secret.key, content, hashlib.sha256).digest()).decode("ascii")
