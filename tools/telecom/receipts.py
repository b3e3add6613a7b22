"""What is reported about a message after its acceptance: statuses and codes, and the two events that carry
them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

RECEIPT = "message.delivery_receipt"
STATUS_CHANGED = "message.status_changed"
MESSAGE_STATE_MACHINE = "MessageStatus"
"""The schema of the contract that has the statuses and the steps between them."""


class Channel(StrEnum):
    """The channels a message can be sent on."""

    SMS = "sms"
    MMS = "mms"
    RCS = "rcs"


class MessageStatus(StrEnum):
    """The status of a message. The contract says which are final, and what follows what."""

    QUEUED = "queued"
    SENT = "sent"
    DELIVERED = "delivered"
    UNDELIVERED = "undelivered"
    EXPIRED = "expired"
    REJECTED = "rejected"
    FAILED = "failed"


class CarrierStatus(StrEnum):
    """The statuses of a carrier's own receipt (SMPP 3.4, Appendix B)."""

    ACCEPTED = "ACCEPTD"
    DELIVERED = "DELIVRD"
    EXPIRED = "EXPIRED"
    DELETED = "DELETED"
    UNDELIVERABLE = "UNDELIV"
    REJECTED = "REJECTD"
    UNKNOWN = "UNKNOWN"


class ErrorCode(StrEnum):
    """Why a message did not arrive."""

    UNREACHABLE_HANDSET = "unreachable_handset"
    UNKNOWN_NUMBER = "unknown_number"
    NOT_MOBILE = "not_mobile"
    CHANNEL_NOT_SUPPORTED = "channel_not_supported"
    FILTERED = "filtered"
    OPTED_OUT = "opted_out"
    SENDER_NOT_REGISTERED = "sender_not_registered"
    VALIDITY_EXPIRED = "validity_expired"
    NO_ROUTE = "no_route"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageOutcome:
    """A status with its reasons. `carrier` is None if no carrier has seen the message, `error` if it arrived
    or is on its way."""

    status: MessageStatus
    carrier: CarrierStatus | None = None
    error: ErrorCode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedMessage:
    """The message that an event is about."""

    id: str
    to: str
    channel: str
    segments: int


def receipt_data(
    subject: ReportedMessage, outcome: MessageOutcome, *, sequence: int, final: bool
) -> Mapping[str, Any]:
    """Return the `data` of the event `message.delivery_receipt`."""
    return {
        "message_id": subject.id,
        "sequence": sequence,
        "to": subject.to,
        "channel": subject.channel,
        "status": outcome.status.value,
        "final": final,
        "carrier_status": outcome.carrier and outcome.carrier.value,
        "error_code": outcome.error and outcome.error.value,
        "segments": subject.segments,
    }


def status_data(
    subject: ReportedMessage, outcome: MessageOutcome, *, sequence: int, final: bool, previous_status: str
) -> Mapping[str, Any]:
    """Return the `data` of the event `message.status_changed`."""
    return {
        "message_id": subject.id,
        "sequence": sequence,
        "to": subject.to,
        "channel": subject.channel,
        "previous_status": previous_status,
        "status": outcome.status.value,
        "final": final,
        "error_code": outcome.error and outcome.error.value,
    }
