"""The result of a run: one model, which every report writes in its own way."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from devportal.conformance.exchange import Exchange
from devportal.contract import Stability
from devportal.errors import Place

FORMAT = 1


class Source(StrEnum):
    """Who looked: Schemathesis, a check family of ours, or the gate after the run."""

    SCHEMATHESIS = "schemathesis"
    DEVPORTAL = "devportal"
    GATE = "gate"


class Standing(StrEnum):
    """What sending the request once more showed. `CERTAIN` needs no replay: it is about the whole run."""

    CONFIRMED = "confirmed"
    NOT_REPRODUCED = "not-reproduced"
    CERTAIN = "certain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A promise that the deployment breaks.

    `check` names the check (with Schemathesis' code in `code`), `promise` is where the contract makes the
    promise, `count` how many cases showed it. `gates` says whether it can fail the run.
    """

    check: str
    source: Source
    title: str
    message: str
    operation: str = ""
    code: str = ""
    promise: Place | None = None
    exchange: Exchange | None = None
    count: int = 1
    standing: Standing
    gates: bool

    @property
    def fails(self) -> bool:
        """Say whether this failure makes the run red."""
        return self.gates and self.standing is not Standing.NOT_REPRODUCED


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTally:
    """How often a check passed and failed on an operation."""

    check: str
    source: Source
    passed: int
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationResult:
    """What was seen of one operation. `statuses` pairs each status with how often it came; 0 is no answer."""

    id: str
    label: str
    stability: Stability
    gates: bool
    place: Place
    cases: int
    statuses: tuple[tuple[int, int], ...]
    checks: tuple[CheckTally, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """Something that Schemathesis warns of. `gates` says whether it makes the run red."""

    kind: str
    subjects: tuple[str, ...]
    message: str
    gates: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A whole run."""

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
    warnings: tuple[Warned, ...]

    @property
    def is_clean(self) -> bool:
        """Say whether the deployment keeps the contract, as far as this run can tell."""
        return not any(one.fails for one in self.failures) and not any(one.gates for one in self.warnings)

    @property
    def cases(self) -> int:
        """How many requests were answered or tried."""
        return sum(operation.cases for operation in self.operations)


def failures_of(result: Result, operation: OperationResult) -> tuple[Failure, ...]:
    """Return the failures of one operation."""
    return tuple(failure for failure in result.failures if failure.operation == operation.label)
