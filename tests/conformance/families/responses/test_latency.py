# ruff: noqa: D102 - methods override promises: their names say it all
"""How long answers take."""

from dataclasses import replace
from itertools import count

import pytest

from devportal.conformance.deployment import http_connection
from devportal.conformance.expectations import LatencyLimits
from devportal.conformance.families.responses.latency import FAMILY
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.crates import CONTRACT, Crates, Thing
from tests.conformance.running import subject_of

LIMIT_MS = 400.0
SUBJECT = replace(subject_of(CONTRACT), latency=LatencyLimits(general={95: LIMIT_MS}))


class Clock:
    """Stands still but for what an answer is said to take."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock by which answers are timed."""
    still = Clock()
    monkeypatch.setattr(http_connection, "time", still)
    return still


class LateAtTimes(Crates):
    """Answers late once in so many times."""

    def __init__(self, clock: Clock, *, every: int) -> None:
        super().__init__()
        self.clock, self.every, self.turns = clock, every, count(1)

    def find(self, key: str) -> Thing:
        if next(self.turns) % self.every == 0:
            self.clock.now_s += LIMIT_MS / 1000 * 1.1
        return super().find(key)


def test_nothing_is_tested_without_a_limit(clock: Clock) -> None:
    """No time is too long where nobody has said which is."""
    assert not run_family(FAMILY, LateAtTimes(clock, every=4), subject_of(CONTRACT)).tallies


def test_a_slow_tail_is_found(clock: Clock) -> None:
    """One late answer in eight is more than one in twenty; one in forty is not."""
    found = run_family(FAMILY, LateAtTimes(clock, every=8), SUBJECT)
    left = run_family(FAMILY, LateAtTimes(clock, every=40), SUBJECT)

    assert [(failure.operation, failure.title, failure.fails) for failure in found.failures] == [
        ("GET /v1/crates/{crate_id}", "responses arrive too late", True)
    ]
    assert not left.failures
