"""Delivery receipts: what can become of a message, and the event that reports it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

EVENT_TYPE = "message.delivery_receipt"


class DeliveryStatus(StrEnum):
    """The statuses that a receipt reports. All but `SENT` are final."""

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
    FILTERED = "filtered"
    OPTED_OUT = "opted_out"
    SENDER_NOT_REGISTERED = "sender_not_registered"
    VALIDITY_EXPIRED = "validity_expired"
    NO_ROUTE = "no_route"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What becomes of a message. `carrier` is None where no carrier has seen it, `error` where it arrived."""

    status: DeliveryStatus
    carrier: CarrierStatus | None
    error: ErrorCode | None = None


DELIVERED = Outcome(status=DeliveryStatus.DELIVERED, carrier=CarrierStatus.DELIVERED)

OUTCOMES: dict[str, Outcome] = {
    "+12025550171": Outcome(
        status=DeliveryStatus.UNDELIVERED,
        carrier=CarrierStatus.UNDELIVERABLE,
        error=ErrorCode.UNREACHABLE_HANDSET,
    ),
    "+12025550172": Outcome(
        status=DeliveryStatus.EXPIRED, carrier=CarrierStatus.EXPIRED, error=ErrorCode.VALIDITY_EXPIRED
    ),
    "+12025550173": Outcome(
        status=DeliveryStatus.REJECTED, carrier=CarrierStatus.REJECTED, error=ErrorCode.FILTERED
    ),
    "+12025550174": Outcome(status=DeliveryStatus.FAILED, carrier=None, error=ErrorCode.NO_ROUTE),
}
"""What the sandbox lets become of messages to certain numbers, all reserved for fiction (NANP 555-01XX).
Messages to any other number are delivered."""


def outcome_for(destination: str) -> Outcome:
    """Return what becomes of a message to an E.164 number in the sandbox."""
    return OUTCOMES.get(destination, DELIVERED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What became of one message, at an aware time."""

    message_id: str
    to: str
    channel: str
    segments: int
    outcome: Outcome
    at: datetime

    def data(self) -> dict[str, Any]:
        """Return the `data` of the event `message.delivery_receipt`."""
        return {
            "message_id": self.message_id,
            "to": self.to,
            "channel": self.channel,
            "status": self.outcome.status.value,
            "carrier_status": self.outcome.carrier.value if self.outcome.carrier else None,
            "error_code": self.outcome.error.value if self.outcome.error else None,
            "segments": self.segments,
        }
