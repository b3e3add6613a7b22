"""Which of many exchanges with one failure are sent again to confirm it."""

from collections.abc import Iterator

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.families.http import repeat_reads
from devportal.conformance.family import CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.results.result import Standing
from devportal.conformance.run.confirm import RunContext, replayed_failures
from devportal.conformance.run.probing import check_exchanges, run_probes
from devportal.conformance.run.run_log import RunLog
from tests.conformance.running import subject_of

FAILURE = CheckFailure(title="t", message="", operation="GET /a", promise=None, evidence=())


def test_the_last_exchange_is_replayed_too() -> None:
    """The resources of the first ones may be deleted."""
    group = [
        CheckFailure(title=str(number), message="", operation="GET /a", promise=None, evidence=())
        for number in range(9)
    ]

    assert [replayed_failure.title for replayed_failure in replayed_failures(group)] == ["0", "8", "4"]
    assert [replayed_failure.title for replayed_failure in replayed_failures(group[:2])] == ["0", "1"]
    assert [replayed_failure.title for replayed_failure in replayed_failures(group[:1])] == ["0"]


def test_what_a_probe_confirms_is_not_repeated_as_not_reproduced() -> None:
    """Readings that are sent again cannot show what a change in between has shown."""

    def run(_: Send) -> Iterator[CheckFailure]:
        yield FAILURE

    def find(_: Subject, __: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
        yield FAILURE

    words = repeat_reads.FAMILY.words
    probes = (Probe(operation="GET /a", run=run),)
    family = Family(name="f", summary="s", words=words, probes=lambda _: iter(probes), sees=find)
    standings = []
    with Deployment(RequestPolicy(), mask=Mask()) as deployment:
        context = RunContext(subject=subject_of(), deployment=deployment, mask=Mask(), gates=lambda _: True)
        for runs_probes in (False, True):
            log = RunLog(lambda _: None)
            if runs_probes:
                run_probes(family, context, log)
            check_exchanges(family, context, log, ())
            standings.append([failure.standing for failure in log.failures])

    assert standings == [[Standing.NOT_REPRODUCED], [Standing.CONFIRMED]]
