"""Schemathesis beside this process: processes of its command line, each on a part of the operations, in a
temporary folder with generated settings and hooks. What they find is read while they run.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from devportal.conformance.events import COMPLETED, Case, Outcome
from devportal.conformance.options import Options
from devportal.conformance.schemathesis_process import SchemathesisProcess
from devportal.conformance.selection import parts
from devportal.conformance.subject import Subject

PROCESSES = 2
"""Making data keeps one processor busy. How many there are must not depend on the machine: same seed, same
cases.
"""
OPERATIONS_EACH = 4
"""With fewer operations for each, another process is not worth its start."""
POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class SchemathesisRun:
    """The processes of one run, and until when (monotonic) they may take."""

    processes: tuple[SchemathesisProcess, ...]
    ends_at: float

    def news(self) -> Iterator[Case]:
        """Yield the cases that have come since this was asked last; waits for nothing."""
        for process in self.processes:
            yield from (event for event in process.news() if isinstance(event, Case))

    def rest(self) -> Iterator[Case]:
        """Yield all cases that are still to come, as they come."""
        while True:
            are_over = [one.is_over for one in self.processes]
            yield from self.news()
            if all(are_over):
                return
            if time.monotonic() > self.ends_at:
                for process in self.processes:
                    process.end()
            time.sleep(POLL_S)

    def outcome(self) -> Outcome:
        """Return what the processes, which are over, left. Raises EnvironmentProblem, DeploymentError."""
        return joined([one.outcome() for one in self.processes])


@contextmanager
def schemathesis(
    subject: Subject, options: Options, *, max_time_s: float = float("inf")
) -> Iterator[SchemathesisRun]:
    """Start Schemathesis on the operations of a subject; what still runs at the end of the block is ended.

    Raises EnvironmentProblem where it cannot be started.
    """
    count = max(1, min(PROCESSES, len(subject.operations) // OPERATIONS_EACH))
    shares = [one for one in parts(subject.operations, count) if one]
    # Our own probes send as well.
    rate = options.manners.rate_per_s / (len(shares) + 1)
    theirs = replace(options, manners=replace(options.manners, rate_per_s=rate))
    with ExitStack() as stack:
        processes = [
            stack.enter_context(SchemathesisProcess(replace(subject, operations=share), theirs))
            for share in shares
        ]
        yield SchemathesisRun(tuple(processes), time.monotonic() + max_time_s)


def run_schemathesis(subject: Subject, options: Options, *, on_case: Callable[[Case], None]) -> Outcome:
    """Run Schemathesis on the selected operations; `on_case` hears of each case as it comes.

    Raises EnvironmentProblem where it is not installed or cannot start, DeploymentError where it ends
    without a result.
    """
    with schemathesis(subject, options, max_time_s=options.manners.max_time_s) as run:
        for case in run.rest():
            on_case(case)
        return run.outcome()


def joined(outcomes: list[Outcome]) -> Outcome:
    """Return the outcomes of several processes as one: it has stopped early where one of them has."""
    stops = [one.stop for one in outcomes if one.stop != COMPLETED]
    warnings: dict[str, list[str]] = {}
    for kind, subjects in (pair for one in outcomes for pair in one.warnings):
        warnings.setdefault(kind, []).extend(subjects)
    return Outcome(
        version=outcomes[0].version,
        stop=stops[0] if stops else COMPLETED,
        cases=tuple(case for one in outcomes for case in one.cases),
        troubles=tuple(dict.fromkeys(trouble for one in outcomes for trouble in one.troubles)),
        warnings=tuple((kind, tuple(dict.fromkeys(told))) for kind, told in warnings.items()),
    )
