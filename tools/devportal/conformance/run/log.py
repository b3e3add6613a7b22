"""What happens during a run, gathered as it happens: exchanges, failures, how often each check passed."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.results.result import Failure, Source, UntestedCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStep:
    """How far a run is: what it does now, how many requests it has sent, how many failures it has seen, and
    the failure that has just been found, or what else there is to say.
    """

    stage: str
    sent: int
    failure_count: int
    failure: Failure | None = None
    note: str = ""


@dataclass(slots=True)
class RunLog:
    """The log of one run; `on_step` hears of everything."""

    on_step: Callable[[RunStep], None]
    apply_baseline: Callable[[Failure], Failure] = lambda failure: failure
    """What the baseline makes of a failure."""
    stage: str = ""
    exchanges: list[Exchange] = field(default_factory=list)
    own_exchanges: list[Exchange] = field(default_factory=list)
    """Those of the exchanges that our own probes made."""
    notes: list[str] = field(default_factory=list)
    """What somebody should know before reading the failures."""
    failure_count: int = 0
    failures: list[Failure] = field(default_factory=list)
    announced_failures: list[Failure] = field(default_factory=list)
    """What was told early, to be looked at in the end among all that was sent."""
    untested_checks: list[UntestedCheck] = field(default_factory=list)
    tallies: Counter[tuple[str, str, Source, bool]] = field(default_factory=Counter)
    """How often which check of whom on which operation passed or failed."""
    received_events: Counter[str] = field(default_factory=Counter)
    """How often which event of the contract was received, by its name (`coverage.event_names`)."""

    def begin_stage(self, stage: str) -> None:
        """Begin another stage."""
        self.stage = stage
        self._report_step()

    def add_exchange(self, exchange: Exchange, failures: int = 0) -> None:
        """Take up an exchange and how many failures it has."""
        self.exchanges.append(exchange)
        self.failure_count += failures
        self._report_step()

    def add_failure(self, failure: Failure) -> None:
        """Take up a failure."""
        self.failures.append(self.apply_baseline(failure))
        self._report_step(self.failures[-1])

    def announce_failure(self, failure: Failure) -> None:
        """Tell of a failure that will be taken up later."""
        self.announced_failures.append(failure)
        self._report_step(self.apply_baseline(failure))

    def add_announced_failures(self) -> None:
        """Take up what was told early and not taken up since: there is no later."""
        fingerprints = {one.fingerprint for one in self.failures}
        for failure in self.announced_failures:
            if failure.fingerprint not in fingerprints:
                fingerprints.add(failure.fingerprint)
                self.add_failure(failure)

    def show_note(self, note: str) -> None:
        """Tell at once what somebody should know."""
        self._report_step(note=note)

    def count_check(
        self, operation: str, check: str, source: Source, *, passed: bool, count: int = 1
    ) -> None:
        """Count a check."""
        self.tallies[operation, check, source, passed] += count

    def _report_step(self, failure: Failure | None = None, note: str = "") -> None:
        sent = len(self.exchanges)
        step = RunStep(
            stage=self.stage, sent=sent, failure_count=self.failure_count, failure=failure, note=note
        )
        self.on_step(step)
