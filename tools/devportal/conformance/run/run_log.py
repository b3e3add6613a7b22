"""Records a run as it happens: exchanges, failures, how often each check passed."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.results.result import Failure, Source, UntestedCheck
from devportal.conformance.run.plan import RunPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStep:
    """The progress of a run: the current stage, the numbers of requests and failures, and a new failure or
    note. `planned` is about how many requests the run sends, None if that is not known yet.
    """

    stage: str
    sent: int
    failure_count: int
    planned: int | None = None
    remaining_s: float = 0.0
    failure: Failure | None = None
    note: str = ""


MOST_SHOWN_ERRORS = 3
"""How many failures of one operation are shown at once if it answers them with server errors: more have one cause."""


@dataclass(slots=True)
class RunLog:
    """The log of one run; `on_step` is called for every step."""

    on_step: Callable[[RunStep], None]
    apply_baseline: Callable[[Failure], Failure] = lambda failure: failure
    """Marks a failure that the baseline lists."""
    stage: str = ""
    plan: RunPlan | None = None
    began_at: float = field(default_factory=time.monotonic)
    exchanges: list[Exchange] = field(default_factory=list)
    own_exchanges: list[Exchange] = field(default_factory=list)
    """The exchanges of our probes."""
    notes: list[str] = field(default_factory=list)
    """Notes to read before the failures."""
    assumptions: list[str] = field(default_factory=list)
    """What the run assumed from the contract alone, because no setting declares it."""
    failure_count: int = 0
    failures: list[Failure] = field(default_factory=list)
    announced_failures: list[Failure] = field(default_factory=list)
    """Failures that were shown early and are confirmed at the end, with all exchanges."""
    untested_checks: list[UntestedCheck] = field(default_factory=list)
    untested_probes: dict[tuple[str, str], str] = field(default_factory=dict)
    """What the probes that compared nothing would need, by check and operation."""
    finished_checks: set[str] = field(default_factory=set)
    """The checks that the run has come to."""
    tallies: Counter[tuple[str, str, Source, bool]] = field(default_factory=Counter)
    """How often a check passed or failed, by operation, check, source and whether it passed."""
    shown_errors: Counter[str] = field(default_factory=Counter)
    """How many failures with a server error were shown at once, by operation."""
    received_events: Counter[str] = field(default_factory=Counter)
    """How often each event of the contract was received, by its name (`results.coverage.contract_event_names`)."""

    def begin_stage(self, stage: str) -> None:
        """Begin another stage."""
        self.stage = stage
        self._report_step()

    def add_exchange(self, exchange: Exchange, failures: int = 0) -> None:
        """Add an exchange and the number of its failures."""
        self.exchanges.append(exchange)
        self.failure_count += failures
        self._report_step()

    def add_failure(self, failure: Failure) -> None:
        """Add a failure, with what the baseline says of it, and report it to the progress."""
        self.failures.append(self.apply_baseline(failure))
        self._report_step(self.failures[-1])

    def announce_failure(self, failure: Failure) -> None:
        """Show a failure that will be added later."""
        self.announced_failures.append(failure)
        self._report_step(self.apply_baseline(failure))

    def add_announced_failures(self) -> None:
        """Add the announced failures that were not added since, as the run ends early."""
        fingerprints = {failure.fingerprint for failure in self.failures}
        for failure in self.announced_failures:
            if failure.fingerprint not in fingerprints:
                fingerprints.add(failure.fingerprint)
                self.add_failure(failure)

    def show_note(self, note: str) -> None:
        """Show a note at once."""
        self._report_step(note=note)

    def count_check(
        self, operation: str, check: str, source: Source, *, passed: bool, count: int = 1
    ) -> None:
        """Count the outcomes of a check."""
        if count:
            self.tallies[operation, check, source, passed] += count

    def _report_step(self, failure: Failure | None = None, note: str = "") -> None:
        sent = len(self.exchanges)
        if failure is not None and failure.exchange is not None and failure.exchange.status >= 500:
            self.shown_errors[failure.operation] += 1
            failure = failure if self.shown_errors[failure.operation] <= MOST_SHOWN_ERRORS else None
        plan, elapsed_s = self.plan, time.monotonic() - self.began_at
        step = RunStep(
            stage=self.stage,
            sent=sent,
            failure_count=self.failure_count,
            planned=plan.requests if plan is not None else None,
            remaining_s=plan.remaining_s(sent, elapsed_s) if plan is not None else 0.0,
            failure=failure,
            note=note,
        )
        self.on_step(step)
