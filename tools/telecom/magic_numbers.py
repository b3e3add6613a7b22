"""How messages end in the sandbox, by their destination (decision 0031).

The sandbox, the guide and the tests all use this one table. Nobody has these numbers: NANP 555-0100 to
555-0199 are reserved for fiction.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from telecom.problems import ProblemKind
from telecom.receipts import (
    MESSAGE_STATE_MACHINE,
    CarrierStatus,
    Channel,
    ErrorCode,
    MessageOutcome,
    MessageStatus,
)
from telecom.states import StateMachines


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusReport:
    """A report about a message: it arrives `after_s` seconds after the acceptance, about an event `late_s`
    seconds before. It changes the message's status if the contract has that step, and is otherwise only
    passed on.

    `is_receipt` says whether the carrier, or the platform in its place, sends it as a receipt.
    """

    after_s: float
    outcome: MessageOutcome
    late_s: float = 0.0
    is_receipt: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """What a destination stands for, in a sentence, and how its messages end: by reports, or by a refusal of
    the request for the `refused_channels`.

    The response to an accepted request is delayed by `response_delay_s` seconds of real time, while the
    message is already being sent.
    """

    meaning: str
    reports: tuple[StatusReport, ...]
    has_rcs: bool = True
    refusal: ProblemKind | None = None
    refused_channels: frozenset[Channel] = frozenset(Channel)
    response_delay_s: float = 0.0


LATE_S = 35.0
"""Longer than the timeout of most clients: 5, 10 or 30 seconds."""
_S, _C, _E = MessageStatus, CarrierStatus, ErrorCode

SENT_REPORT = StatusReport(
    after_s=0.5, outcome=MessageOutcome(status=_S.SENT, carrier=_C.ACCEPTED), is_receipt=False
)
DELIVERED_REPORT = StatusReport(after_s=1, outcome=MessageOutcome(status=_S.DELIVERED, carrier=_C.DELIVERED))
WITHOUT_RCS_REPORT = StatusReport(
    after_s=1,
    outcome=MessageOutcome(status=_S.UNDELIVERED, carrier=_C.UNDELIVERABLE, error=_E.CHANNEL_NOT_SUPPORTED),
)
"""How an RCS message ends at a handset without RCS that must not get it as SMS."""
ORDINARY_DESTINATION = Destination(meaning="The handset gets it.", reports=(SENT_REPORT, DELIVERED_REPORT))


def _undelivered_destination(
    meaning: str, error: ErrorCode, carrier: CarrierStatus = _C.UNDELIVERABLE
) -> Destination:
    outcome = MessageOutcome(status=_S.UNDELIVERED, carrier=carrier, error=error)
    return Destination(meaning=meaning, reports=(SENT_REPORT, StatusReport(after_s=1, outcome=outcome)))


def _unsent_destination(
    meaning: str, status: MessageStatus, error: ErrorCode, carrier: CarrierStatus | None = None
) -> Destination:
    outcome = MessageOutcome(status=status, carrier=carrier, error=error)
    return Destination(meaning=meaning, reports=(StatusReport(after_s=1, outcome=outcome),))


def _refusing_destination(meaning: str, refusal: ProblemKind, *channels: Channel) -> Destination:
    refused = frozenset(channels or Channel)
    return Destination(
        meaning=meaning, reports=ORDINARY_DESTINATION.reports, refusal=refusal, refused_channels=refused
    )


DESTINATIONS: Mapping[str, Destination] = MappingProxyType(
    {
        "+12025550170": _unsent_destination(
            "The recipient opts out while it waits.", _S.REJECTED, _E.OPTED_OUT
        ),
        "+12025550171": _undelivered_destination("The handset is switched off.", _E.UNREACHABLE_HANDSET),
        "+12025550172": Destination(
            meaning="The handset stays out of reach for too long.",
            reports=(
                SENT_REPORT,
                StatusReport(
                    after_s=1,
                    outcome=MessageOutcome(status=_S.EXPIRED, carrier=_C.EXPIRED, error=_E.VALIDITY_EXPIRED),
                ),
            ),
        ),
        "+12025550173": _unsent_destination(
            "The carrier filters the text.", _S.REJECTED, _E.FILTERED, carrier=_C.REJECTED
        ),
        "+12025550174": _unsent_destination("No route leads there.", _S.FAILED, _E.NO_ROUTE),
        "+12025550175": _undelivered_destination("Nobody has this number.", _E.UNKNOWN_NUMBER),
        "+12025550176": _undelivered_destination("It is a landline.", _E.NOT_MOBILE),
        "+12025550177": _undelivered_destination(
            "The carrier gives no reason.", _E.UNKNOWN, carrier=_C.UNKNOWN
        ),
        "+12025550178": _undelivered_destination(
            "The carrier deletes the message.", _E.UNKNOWN, carrier=_C.DELETED
        ),
        "+12025550179": Destination(
            meaning="The carrier takes it and reports nothing more.", reports=(SENT_REPORT,)
        ),
        "+12025550189": Destination(
            meaning=f"The message is delivered, but the response arrives only after {LATE_S:.0f} seconds.",
            reports=ORDINARY_DESTINATION.reports,
            response_delay_s=LATE_S,
        ),
        "+12025550190": Destination(
            meaning="The carrier needs ten seconds.",
            reports=(SENT_REPORT, StatusReport(after_s=10, outcome=DELIVERED_REPORT.outcome)),
        ),
        "+12025550191": Destination(
            meaning="The carrier reports twice.",
            reports=(
                SENT_REPORT,
                DELIVERED_REPORT,
                StatusReport(after_s=2, outcome=DELIVERED_REPORT.outcome, late_s=1),
            ),
        ),
        "+12025550192": Destination(
            meaning="The handset has no RCS; SMS and MMS arrive.",
            reports=ORDINARY_DESTINATION.reports,
            has_rcs=False,
        ),
        "+12025550193": _refusing_destination(
            "Only SMS is available there; MMS and RCS are rejected.",
            ProblemKind.UNSUPPORTED_CHANNEL,
            Channel.MMS,
            Channel.RCS,
        ),
        "+12025550194": Destination(
            meaning="The carrier reports in the wrong order.",
            reports=(
                SENT_REPORT,
                DELIVERED_REPORT,
                StatusReport(after_s=2, outcome=SENT_REPORT.outcome, late_s=1.5),
            ),
        ),
        "+12025550195": _unsent_destination(
            "Its time is over before its turn comes.", _S.EXPIRED, _E.VALIDITY_EXPIRED
        ),
        "+12025550196": _refusing_destination("The quota is used up.", ProblemKind.RATE_LIMIT_EXCEEDED),
        "+12025550197": _refusing_destination("The service breaks.", ProblemKind.INTERNAL_ERROR),
        "+12025550198": _refusing_destination("The service is down.", ProblemKind.SERVICE_UNAVAILABLE),
        "+12025550199": _unsent_destination(
            "The carrier does not know the sender.",
            _S.REJECTED,
            _E.SENDER_NOT_REGISTERED,
            carrier=_C.REJECTED,
        ),
    }
)
"""Messages to any other number are delivered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCourse:
    """The course of one message: the channel that it is sent on, and the reports about it."""

    sent_as: Channel
    reports: tuple[StatusReport, ...]


def destination_of(number: str) -> Destination:
    """Return the destination of an E.164 number in the sandbox."""
    return DESTINATIONS.get(number, ORDINARY_DESTINATION)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalOutcome:
    """How messages to a destination end: the status, the receipts in their order, and the error code."""

    status: str
    receipts: tuple[MessageStatus, ...]
    error: ErrorCode | None


def final_outcome(machines: StateMachines, destination: Destination) -> FinalOutcome:
    """Return how messages to a destination end, if they are accepted."""
    status: str = MessageStatus.QUEUED
    error = None
    for report in destination.reports:
        if machines.allows(MESSAGE_STATE_MACHINE, status, report.outcome.status):
            status, error = report.outcome.status, report.outcome.error
    receipts = tuple(report.outcome.status for report in destination.reports if report.is_receipt)
    return FinalOutcome(status=status, receipts=receipts, error=error)


def message_course(number: str, channel: Channel, *, sms_fallback: bool) -> MessageCourse:
    """Return the course of a message to a number; RCS is sent as SMS if it must and may be."""
    destination = destination_of(number)
    if channel is not Channel.RCS or destination.has_rcs:
        return MessageCourse(sent_as=channel, reports=destination.reports)
    if sms_fallback:
        return MessageCourse(sent_as=Channel.SMS, reports=destination.reports)
    return MessageCourse(sent_as=Channel.RCS, reports=(SENT_REPORT, WITHOUT_RCS_REPORT))
