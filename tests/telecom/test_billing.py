"""Billed seconds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog.rate import Increment
from telecom.billing import PER_SECOND, billed_seconds


@pytest.mark.parametrize(
    ("duration_s", "initial_s", "subsequent_s", "billed_s"),
    [
        (0, 1, 1, 0),
        (0, 60, 60, 0),
        (1, 1, 1, 1),
        (61, 1, 1, 61),
        (1, 60, 60, 60),
        (60, 60, 60, 60),
        (61, 60, 60, 120),
        (31, 30, 6, 36),
        (37, 30, 6, 42),
        (205, 6, 6, 210),
        (3, 6, 6, 6),
        (61, 60, 1, 61),
    ],
)
def test_seconds_are_billed_in_steps(
    duration_s: int, initial_s: int, subsequent_s: int, billed_s: int
) -> None:
    """First the initial seconds, then each started step; nothing for a call without talk."""
    assert billed_seconds(duration_s, Increment(initial_s=initial_s, subsequent_s=subsequent_s)) == billed_s


@given(st.integers(min_value=0, max_value=100_000))
def test_per_second_bills_each_second(duration_s: int) -> None:
    """1/1 is the documented granularity (service.md, What the service does 7)."""
    assert str(PER_SECOND) == "1/1"
    assert billed_seconds(duration_s) == duration_s


@given(st.integers(1, 10_000), st.integers(1, 120), st.integers(1, 120))
def test_billed_time_covers_the_talk(duration_s: int, initial_s: int, subsequent_s: int) -> None:
    """Never less than was talked or the initial seconds, and less than one step more."""
    billed_s = billed_seconds(duration_s, Increment(initial_s=initial_s, subsequent_s=subsequent_s))

    assert max(duration_s, initial_s) <= billed_s < max(duration_s, initial_s) + subsequent_s
    assert (billed_s - initial_s) % subsequent_s == 0
