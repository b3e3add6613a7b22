"""The result of a run: one model, which every report writes in its own way."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from devportal.conformance.deployment.exchange import Exchange
from devportal.contract import Stability
from devportal.errors import Place

FORMAT = 1
WEBHOOK_PREFIX = "webhook-"
"""How the names of the webhook checks begin: the deployment sends what they compare."""
UNFINISHED = "the run did not finish"
"""The title of that failure. By itself it is not a verdict."""
BROKEN_CHECK = "a check ended with an error"
"""The title of the failure of a check that raised an exception: what it was to compare is not known."""


class Source(StrEnum):
    """Who looked: Schemathesis, a check family of ours, or the gate after the run."""

    SCHEMATHESIS = "schemathesis"
    DEVPORTAL = "devportal"
    GATE = "gate"


class Standing(StrEnum):
    """What sending the request once more showed. `CERTAIN` needs no replay: it is about the whole run."""

    CONFIRMED = "confirmed"
    NOT_REPRODUCED = "not-reproduced"
    INTERMITTENT = "intermittent"
    """No replay reproduced it, but it occurred too often to be a glitch."""
    CERTAIN = "certain"
    NOTE = "note"
    """The contract neither describes nor forbids it: nothing is sent again for it."""
    KNOWN = "known"
    """Would fail the run, but the baseline accepts it for a time."""


RED_STANDINGS = (Standing.CONFIRMED, Standing.CERTAIN, Standing.INTERMITTENT)
"""The standings with which a failure that gates fails a run."""
QUIET_STANDINGS = (Standing.NOT_REPRODUCED, Standing.NOTE)
"""The standings with which an operation still passes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFailure:
    """The entry of the baseline for a failure."""

    reason: str
    expires: date
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Something that the contract promises and the deployment does not do.

    `check` names the check (with Schemathesis' code in `code`), `promise` is where the contract makes the
    promise and `promise_text` what stands there, `count` how many cases showed it. `where` is the path in a
    schema that is broken, if one is. `exchange` shows it in the smallest case, after those of `chain`.
    `gates` says whether it can fail the run.
    """

    check: str
    source: Source
    title: str
    message: str
    operation: str = ""
    code: str = ""
    where: str = ""
    promise: Place | None = None
    promise_text: str = ""
    exchange: Exchange | None = None
    chain: tuple[Exchange, ...] = ()
    count: int = 1
    seen_in: tuple[str, ...] = ()
    """Digests of the exchanges that showed it before its replay: several failures can be of one answer."""
    standing: Standing
    gates: bool
    known: KnownFailure | None = None
    """Its entry in the baseline; None unless `KNOWN`."""
    is_pedantic: bool = False
    """Whether only an unusual request shows it, which hardly any client sends."""
    also: tuple["Failure", ...] = ()
    """The same failure as other checks report it; `count` includes theirs."""

    @property
    def fails(self) -> bool:
        """Return whether this failure fails the run."""
        return self.gates and self.standing in RED_STANDINGS

    @property
    def fingerprint(self) -> str:
        """What names this failure in every run, whatever identifiers and values the run made up."""
        parts = (self.operation, self.check, self.code, self.title, self.where)
        return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def members(self) -> tuple["Failure", ...]:
        """This failure, and the same one as other checks report it."""
        return (self, *self.also)

    @property
    def evidence(self) -> tuple[Exchange, ...]:
        """All requests that show it, in their order."""
        return (*self.chain, self.exchange) if self.exchange is not None else self.chain


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTally:
    """How often a check passed and failed on an operation."""

    check: str
    source: Source
    passed: int
    failed: int

    @property
    def is_compared(self) -> bool:
        """Return whether the check compared anything at all."""
        return bool(self.passed or self.failed)


@dataclass(frozen=True, slots=True, kw_only=True)
class UntestedCheck:
    """Something that was not tested, and what it would need. `operation` is empty for a whole check. It
    `applies` unless the contract promises nothing that the check could compare.
    """

    check: str
    reason: str
    operation: str = ""
    applies: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineWarning:
    """An entry of the baseline that somebody should look at: `about` names it, `reason` says why."""

    place: Place
    operation: str
    about: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Which part of several a run is, from 1."""

    number: int = 1
    of: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """How long responses took, in milliseconds: the median, percentiles, the slowest."""

    p50_ms: float
    p95_ms: float
    p99_ms: float
    slowest_ms: float


class ContractPart(StrEnum):
    """A kind of part of a contract that a run exercises."""

    OPERATION = "operation"
    PARAMETER = "parameter"
    REQUEST_MEDIA_TYPE = "request media type"
    EXAMPLE = "example"
    STATUS = "status"
    RESPONSE_MEDIA_TYPE = "response media type"
    EVENT = "event"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoveredPart:
    """One part of the contract and how often a run exercised it. `operation` is a label, empty for events."""

    part: ContractPart
    operation: str
    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoveredConstraint:
    """One constraint of an operation, and how often a run obeyed and broke it.

    `where` is the part of the request or response, such as `query limit`, `body /priority` or
    `200 body /status`, `value` that of the keyword as JSON. `obeyed` or `broken` is None if no value can.
    A run chooses what it sends, and only sees what is `in_response`.
    """

    where: str
    in_response: bool = False
    keyword: str
    value: str
    obeyed: int | None
    broken: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationResult:
    """What was seen of one operation. `statuses` pairs each status with how often it came; 0 means no response."""

    id: str
    label: str
    stability: Stability
    gates: bool
    place: Place
    cases: int
    statuses: tuple[tuple[int, int], ...]
    checks: tuple[CheckTally, ...]
    latency: Latency | None = None
    """None if there was no response."""
    constraints: tuple[CoveredConstraint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintTally:
    """How many ways to exercise constraints there are, and how many of them a run used.

    A constraint that values can obey and break counts twice.
    """

    of: int
    exercised: int

    @property
    def percent(self) -> float:
        """The share that was exercised, rounded down to a tenth: 100 means all."""
        return self.exercised * 1000 // self.of / 10 if self.of else 100.0


def constraint_tally(operations: Iterable[OperationResult], *, in_responses: bool = False) -> ConstraintTally:
    """Return the tally of the constraints of some operations: those of requests, or those of responses."""
    counts = [
        count
        for operation in operations
        for constraint in operation.constraints
        if constraint.in_response is in_responses
        for count in (constraint.obeyed, constraint.broken)
        if count is not None
    ]
    return ConstraintTally(of=len(counts), exercised=sum(1 for count in counts if count))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunWarning:
    """Something that Schemathesis warns of. `gates` says whether it makes the run red."""

    kind: str
    subjects: tuple[str, ...]
    message: str
    gates: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A whole run. `site` is the address of the documentation of its checks, empty if it is not known.

    `hints` say what somebody should look at before the failures.
    """

    url: str
    contract: str
    contract_title: str
    contract_version: str
    contract_digest: str
    profile: str
    gate: str
    seed: int
    schemathesis: str
    started_at: datetime
    duration_s: float
    operations: tuple[OperationResult, ...]
    failures: tuple[Failure, ...]
    warnings: tuple[RunWarning, ...]
    gaps: tuple[UntestedCheck, ...] = ()
    coverage: tuple[CoveredPart, ...] = ()
    doubts: tuple[BaselineWarning, ...] = ()
    hints: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    """What the run assumed from the contract alone, and the setting that overrides it."""
    shard: Shard = Shard()
    site: str = ""
    min_coverage: float | None = None
    """The percentage of constraints that the run has to exercise; None if any is enough."""

    @property
    def is_clean(self) -> bool:
        """Return whether the deployment conforms to the contract."""
        is_red = any(failure.fails for failure in self.failures) or any(
            warning.gates for warning in self.warnings
        )
        return not is_red and not self.lacks_coverage

    @property
    def lacks_coverage(self) -> bool:
        """Return whether fewer constraints were exercised than the run demands."""
        demanded = self.min_coverage
        return demanded is not None and constraint_tally(self.operations).percent < demanded

    @property
    def is_undecided(self) -> bool:
        """Return whether the run or a check did not finish, and no other failure was found: then there is no result."""
        reds = [failure for failure in self.failures if failure.fails]
        return bool(reds) and all(red.title in (UNFINISHED, BROKEN_CHECK) for red in reds)

    @property
    def is_unfinished(self) -> bool:
        """Return whether the run stopped early: what it did not come to has neither passed nor failed."""
        return any(failure.title == UNFINISHED for failure in self.failures)

    @property
    def counted_failures(self) -> tuple[Failure, ...]:
        """The failures that make the result red; none if there is no result."""
        return () if self.is_undecided else tuple(failure for failure in self.failures if failure.fails)

    @property
    def cases(self) -> int:
        """How many requests were answered or tried."""
        return sum(operation.cases for operation in self.operations)


def failures_of(result: Result, operation: OperationResult) -> tuple[Failure, ...]:
    """Return the failures of one operation."""
    return tuple(failure for failure in result.failures if failure.operation == operation.label)
