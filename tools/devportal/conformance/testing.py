"""What a run sends after preflight: the probes that need quiet, Schemathesis and the other probes beside it,
then replays. It ends with what it has where its time is over.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from itertools import islice

from devportal.conformance.confirm import Judge, excused, family_failures, schemathesis_failures
from devportal.conformance.deployment import TimeIsOver, WentDown
from devportal.conformance.events import MAX_TIME, WENT_DOWN, Case, Outcome
from devportal.conformance.family import Family
from devportal.conformance.gate import went_down
from devportal.conformance.mocks import lacking
from devportal.conformance.options import Options
from devportal.conformance.preflight import check_answers
from devportal.conformance.probing import Sender, ask, look
from devportal.conformance.result import Failure, Source
from devportal.conformance.run_log import RunLog
from devportal.conformance.schemathesis_run import schemathesis
from devportal.conformance.second_chance import ask_again
from devportal.errors import DeploymentError

SHARE_TO_SEARCH = 0.85
"""How much of its time a run may look for faults; the rest is left to confirm them."""
MOST_TOLD_EARLY = 5
"""Faults of Schemathesis that are replayed as soon as they are met: nobody waits for a red run's end."""
LOOKS = 3
"""How often a deployment is asked whether it is still there: one answer may be lost on the way."""


def tested(judge: Judge, log: RunLog, families: Sequence[Family], options: Options) -> Outcome:
    """Test a deployment; everything that is found is in the log. Return what Schemathesis left."""
    outcome = Outcome(version=version("schemathesis"), stop=MAX_TIME, cases=(), troubles=(), warnings=())
    try:
        with suppress(TimeIsOver), judge.deployment.until(SHARE_TO_SEARCH):
            outcome = _searched(judge, log, families, options)
        _confirmed(judge, log, families, outcome)
        log.enter("what a fragile server may not survive")
        for family in families:
            ask(family, judge, log, rude=True)
        _check_is_up(judge)
    except TimeIsOver:
        log.keep_announced()
        return replace(outcome, stop=MAX_TIME)
    except WentDown as error:
        log.keep_announced()
        log.fail(went_down(error.message, error.after))
        return replace(outcome, stop=WENT_DOWN)
    return outcome


def _check_is_up(judge: Judge) -> None:
    """Raise WentDown where a deployment does not answer any more, though it may take connections."""
    last = judge.deployment.last
    for left in reversed(range(LOOKS)):
        try:
            check_answers(judge.subject, judge.deployment, when=" any more")
        except (TimeIsOver, WentDown):
            raise
        except DeploymentError as error:
            if not left:
                raise WentDown(error.message, after=last, help=error.help) from error
        else:
            return


def _confirmed(judge: Judge, log: RunLog, families: Sequence[Family], outcome: Outcome) -> None:
    """Take up what Schemathesis found and what our families see, all sent again."""
    log.enter("replay")
    for failure in schemathesis_failures(judge, outcome.cases):
        log.fail(failure)
    for family in families:
        look(family, judge, log, tuple(log.own))


def _searched(judge: Judge, log: RunLog, families: Sequence[Family], options: Options) -> Outcome:
    log.enter("our checks")
    for family in families:
        if not family.beside:
            ask(family, judge, log, rude=False)
    _glance(judge, log, families)
    log.enter("our checks and Schemathesis")
    with schemathesis(judge.subject, options, max_time_s=judge.deployment.left_s) as run:
        intake = _Intake(judge, log)
        is_over = not _ask_beside(judge, log, families, lambda: intake.take(run.news()))
        intake.take(run.rest())
        outcome = run.outcome()
    if not is_over:
        ask_again(replace(judge.subject, values=options.settings.values), Sender(judge, log), log)
    return replace(outcome, stop=MAX_TIME) if is_over else outcome


def _ask_beside(judge: Judge, log: RunLog, families: Sequence[Family], between: Callable[[], None]) -> bool:
    """Ask the families that need no quiet; say whether there was time for all."""
    try:
        for family in families:
            if family.beside:
                ask(family, judge, log, between=between, rude=False)
    except TimeIsOver:
        return False
    return True


def _glance(judge: Judge, log: RunLog, families: Sequence[Family]) -> None:
    """Tell the first fault that each family sees so far; all that is sent is looked at in the end."""
    exchanges = tuple(log.exchanges)
    for family in families:
        if family.sees is None or lacking(family, judge.subject):
            continue
        faults = list(islice(family.sees(judge.subject, exchanges), 1))
        for failure in family_failures(judge, family, faults, exchanges):
            log.announce(failure)


class _Intake:
    """Takes up the cases of Schemathesis as they come."""

    def __init__(self, judge: Judge, log: RunLog) -> None:
        self._judge = judge
        self._log = log
        self._met: set[tuple[str, str, str]] = set()

    def take(self, cases: Iterable[Case]) -> None:
        """Count each case, and tell the first faults at once."""
        for given in cases:
            case = excused(self._judge.subject, given)
            operation = case.exchange.operation
            for check in case.passed:
                self._log.tally(operation, check, Source.SCHEMATHESIS, passed=True)
            for check in {one.check for one in case.deviations}:
                self._log.tally(operation, check, Source.SCHEMATHESIS, passed=False)
            self._log.exchange(case.exchange, faults=len(case.deviations))
            for failure in self._first(case):
                self._log.announce(failure)

    def _first(self, case: Case) -> Iterable[Failure]:
        kinds = {(one.check, one.code, one.title) for one in case.deviations} - self._met
        if not kinds or len(self._met) >= MOST_TOLD_EARLY:
            return ()
        self._met |= kinds
        try:
            return tuple(schemathesis_failures(self._judge, [case]))
        except TimeIsOver:
            return ()
