"""Checks that raise what nobody expected, as those of a plug-in may: the run goes on, and is not clean."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.families.creations import unique_ids
from devportal.conformance.family import CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.results.result import BROKEN_CHECK
from devportal.conformance.run.run_log import RunLog
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.boxes import Boxes

NOTHING: dict[object, Any] = {}
PLAIN = replace(unique_ids.FAMILY, probes=None, sees=None)


def break_down(send: Send) -> Iterator[CheckFailure]:
    """Send nothing, and end with an error whose text is secret."""
    send.wait(0)
    yield from NOTHING["s3cret"]


def find_nothing(send: Send) -> Iterator[CheckFailure]:
    """Find nothing wrong."""
    send.wait(0)
    yield from ()


def broken_then_sound(subject: Subject) -> Iterator[Probe]:
    """Yield a probe that breaks down, and one that does not."""
    first, second = subject.operations[:2]
    yield Probe(operation=first.id, run=break_down)
    yield Probe(operation=second.id, run=find_nothing)


def no_probes(subject: Subject) -> Iterator[Probe]:
    """Break down before the first probe."""
    yield from NOTHING[subject.base_url]


def see_nothing(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Break down over the exchanges."""
    yield from NOTHING[subject.base_url, len(exchanges)]


def broken_checks(log: RunLog) -> list[tuple[str, str]]:
    """Return operation and message of the checks that ended with an error."""
    return [(each.operation, each.message) for each in log.failures if each.title == BROKEN_CHECK]


def test_a_probe_that_breaks_down_does_not_end_the_run() -> None:
    log = run_family(replace(PLAIN, probes=broken_then_sound), Boxes())

    ((operation, message),) = broken_checks(log)
    assert operation
    assert "KeyError in test_broken_checks.py:" in message
    assert "s3cret" not in message
    assert all(failure.fails for failure in log.failures)
    assert [key[3] for key in log.tallies] == [True], "the other probe has passed"


@pytest.mark.parametrize("family", [replace(PLAIN, probes=no_probes), replace(PLAIN, sees=see_nothing)])
def test_a_family_that_breaks_down_has_not_passed(family: Family) -> None:
    log = run_family(family, Boxes())

    assert [operation for operation, _ in broken_checks(log)] == [""]
    assert not log.tallies


def test_a_traceback_is_shown_to_those_who_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEVPORTAL_DEBUG", "1")

    with pytest.raises(KeyError):
        run_family(replace(PLAIN, probes=broken_then_sound), Boxes())
