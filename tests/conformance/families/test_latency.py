# ruff: noqa: D102 - methods override promises: their names say it all
"""How long answers take."""

import time
from dataclasses import replace
from itertools import count

from devportal.conformance.families.latency import FAMILY
from tests.conformance.families.asking import asked
from tests.conformance.families.crates import CONTRACT, Crates, Thing
from tests.conformance.running import subject_of

LIMIT_MS = 400.0
SUBJECT = replace(subject_of(CONTRACT), slowest_p95_ms=LIMIT_MS)


class LateAtTimes(Crates):
    """Answers late once in so many times."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.every, self.turns = every, count(1)

    def find(self, key: str) -> Thing:
        if next(self.turns) % self.every == 0:
            time.sleep(LIMIT_MS / 1000 * 1.1)
        return super().find(key)


def test_nothing_is_tested_without_a_limit() -> None:
    """No time is too long where nobody has said which is."""
    assert not asked(FAMILY, LateAtTimes(4), subject_of(CONTRACT)).tallies


def test_a_slow_tail_is_found() -> None:
    """One late answer in eight is more than one in twenty; one in forty is not."""
    found, left = asked(FAMILY, LateAtTimes(8), SUBJECT), asked(FAMILY, LateAtTimes(40), SUBJECT)

    assert [(one.operation, one.title, one.fails) for one in found.failures] == [
        ("GET /v1/crates/{crate_id}", "answers come too late", True)
    ]
    assert not left.failures
