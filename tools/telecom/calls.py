"""Calls as the sandbox lets them go: what the called number does, how long steps take, how the call ends.

All of it follows from the request alone, so that the same request always makes the same call (decision 0021).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

STATUS_EVENT = "call.status_changed"
RECORD_EVENT = "call.detail_record"
DEFAULT_RING_TIMEOUT_S = 30

DIALLED_AFTER_S = 1
HEARD_AFTER_S = 2
"""When the carrier reports the first ring, or that there will be none."""
DECIDED_AFTER_S = 4
"""When the callee picks up or declines."""
DETECTION_S = 3
CHARACTERS_PER_S = 15
"""How fast texts are spoken: about 150 words of English in a minute."""
PLAYED_S = 10
TRANSFERRED_S = 20
UNANSWERED_TRANSFER_S = 5


class CallStatus(StrEnum):
    """How far a call is."""

    QUEUED = "queued"
    INITIATED = "initiated"
    RINGING = "ringing"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    BUSY = "busy"
    NO_ANSWER = "no_answer"
    REJECTED = "rejected"
    FAILED = "failed"


class EndCause(StrEnum):
    """Why a call ended."""

    FLOW_ENDED = "flow_ended"
    CALLEE_HUNG_UP = "callee_hung_up"
    CALLER_HUNG_UP = "caller_hung_up"
    MACHINE_DETECTED = "machine_detected"
    BUSY = "busy"
    NO_ANSWER = "no_answer"
    REJECTED = "rejected"
    UNKNOWN_NUMBER = "unknown_number"
    UNREACHABLE = "unreachable"
    NO_ROUTE = "no_route"


class AnsweredBy(StrEnum):
    """Who answered, by the machine detection."""

    HUMAN = "human"
    MACHINE = "machine"
    UNKNOWN = "unknown"


class MachineDetection(StrEnum):
    """Whether a call detects who answers."""

    OFF = "off"
    REPORT = "report"
    HANG_UP = "hang_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOutcome:
    """How calls to a number end. `sip_code` is None if no carrier is involved; `patience_s` is how long the
    callee listens, None if to the end."""

    meaning: str
    status: CallStatus
    cause: EndCause
    sip_code: int | None
    answered_by: AnsweredBy = AnsweredBy.HUMAN
    patience_s: int | None = None

    @property
    def is_answered(self) -> bool:
        """Whether somebody, or a machine, picks up."""
        return self.status is CallStatus.COMPLETED


ANSWERED_OUTCOME = CallOutcome(
    meaning="A person answers and listens to the end.",
    status=CallStatus.COMPLETED,
    cause=EndCause.FLOW_ENDED,
    sip_code=200,
)

CALL_OUTCOMES: Mapping[str, CallOutcome] = {
    "+12125550171": CallOutcome(
        meaning="The line is busy.", status=CallStatus.BUSY, cause=EndCause.BUSY, sip_code=486
    ),
    "+12125550172": CallOutcome(
        meaning="It rings until `ring_timeout_s` is over.",
        status=CallStatus.NO_ANSWER,
        cause=EndCause.NO_ANSWER,
        sip_code=487,
    ),
    "+12125550173": CallOutcome(
        meaning="The callee declines.", status=CallStatus.REJECTED, cause=EndCause.REJECTED, sip_code=603
    ),
    "+12125550174": CallOutcome(
        meaning="The platform has no route.",
        status=CallStatus.FAILED,
        cause=EndCause.NO_ROUTE,
        sip_code=None,
    ),
    "+12125550175": CallOutcome(
        meaning="Nobody has this number.",
        status=CallStatus.FAILED,
        cause=EndCause.UNKNOWN_NUMBER,
        sip_code=404,
    ),
    "+12125550176": CallOutcome(
        meaning="The phone is switched off.",
        status=CallStatus.FAILED,
        cause=EndCause.UNREACHABLE,
        sip_code=480,
    ),
    "+12125550177": CallOutcome(
        meaning="Voicemail answers.",
        status=CallStatus.COMPLETED,
        cause=EndCause.FLOW_ENDED,
        sip_code=200,
        answered_by=AnsweredBy.MACHINE,
    ),
    "+12125550178": CallOutcome(
        meaning="A person answers and hangs up after 2 seconds if the flow is longer.",
        status=CallStatus.COMPLETED,
        cause=EndCause.CALLEE_HUNG_UP,
        sip_code=200,
        patience_s=2,
    ),
}
"""How calls to certain numbers end, all reserved for fiction (NANP 555-01XX). Calls to other numbers are
answered."""

RATE_LIMITED_NUMBER = "+12125550179"
"""A call to this number is refused, as if it were one more than the calls per second that were agreed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStep:
    """A status, and how many seconds after its creation the call has it."""

    status: CallStatus
    after_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCourse:
    """The steps of a call after `queued`, in order, and the values of its detail record."""

    steps: tuple[CallStep, ...]
    talk_s: int
    cause: EndCause
    sip_code: int | None
    answered_by: AnsweredBy | None


def call_outcome(destination: str) -> CallOutcome:
    """Return the outcome of calls to an E.164 number."""
    return CALL_OUTCOMES.get(destination, ANSWERED_OUTCOME)


def plan_call(request: Mapping[str, Any]) -> CallCourse:
    """Return the course of a call that was requested with a body of `startCall`."""
    outcome = call_outcome(request["to"])
    detection = MachineDetection(request.get("machine_detection", MachineDetection.OFF))
    if not outcome.is_answered:
        ring_timeout_s = request.get("ring_timeout_s", DEFAULT_RING_TIMEOUT_S)
        return CallCourse(
            steps=_unanswered_steps(outcome, ring_timeout_s),
            talk_s=0,
            cause=outcome.cause,
            sip_code=outcome.sip_code,
            answered_by=None,
        )
    talk_s, cause = _talk_time(outcome, detection, request["flow"])
    return CallCourse(
        steps=(
            *_RINGING_STEPS,
            CallStep(status=CallStatus.IN_PROGRESS, after_s=DECIDED_AFTER_S),
            CallStep(status=CallStatus.COMPLETED, after_s=DECIDED_AFTER_S + talk_s),
        ),
        talk_s=talk_s,
        cause=cause,
        sip_code=outcome.sip_code,
        answered_by=None if detection is MachineDetection.OFF else outcome.answered_by,
    )


_INITIATED_STEP = CallStep(status=CallStatus.INITIATED, after_s=DIALLED_AFTER_S)
_RINGING_STEPS = (_INITIATED_STEP, CallStep(status=CallStatus.RINGING, after_s=HEARD_AFTER_S))


def _unanswered_steps(outcome: CallOutcome, ring_timeout_s: int) -> tuple[CallStep, ...]:
    """Return the steps of a call that nobody answers."""
    match outcome.status:
        case CallStatus.NO_ANSWER:
            return (*_RINGING_STEPS, CallStep(status=outcome.status, after_s=HEARD_AFTER_S + ring_timeout_s))
        case CallStatus.REJECTED:
            return (*_RINGING_STEPS, CallStep(status=outcome.status, after_s=DECIDED_AFTER_S))
        case _ if outcome.sip_code is None:
            return (CallStep(status=outcome.status, after_s=DIALLED_AFTER_S),)
        case _:
            return (_INITIATED_STEP, CallStep(status=outcome.status, after_s=HEARD_AFTER_S))


def _talk_time(
    outcome: CallOutcome, detection: MachineDetection, flow: Iterable[Mapping[str, Any]]
) -> tuple[int, EndCause]:
    """Return how long an answered call lasts, and why it ends."""
    listening_s = DETECTION_S if detection is MachineDetection.HANG_UP else 0
    if listening_s and outcome.answered_by is AnsweredBy.MACHINE:
        return listening_s, EndCause.MACHINE_DETECTED
    duration_s = listening_s + sum(map(step_seconds, flow))
    if outcome.patience_s is not None and outcome.patience_s < duration_s:
        return outcome.patience_s, outcome.cause
    return duration_s, EndCause.FLOW_ENDED


def step_seconds(step: Mapping[str, Any]) -> int:
    """Return how long one step of a flow takes."""
    match step["action"]:
        case "say":
            return -(-len(step["text"]) // CHARACTERS_PER_S)
        case "play":
            return PLAYED_S
        case "pause":
            return int(step["seconds"])
        case "transfer":
            return TRANSFERRED_S if call_outcome(step["to"]).is_answered else UNANSWERED_TRANSFER_S
        case action:
            raise ValueError(f"no such step in the contract: {action!r}")
