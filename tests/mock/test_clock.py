"""The clock of a mock."""

from datetime import UTC, datetime, timedelta

import pytest

from devportal.mock.clock import MockClock, start_state

REAL = datetime(2026, 11, 27, 12, tzinfo=UTC)


def test_no_two_requests_get_the_same_time() -> None:
    """Neither in real time nor while the clock is stopped."""
    clock = MockClock(lambda: REAL, start_state("manual", None, REAL))

    assert clock() < clock() < clock() < REAL + timedelta(seconds=1)


@pytest.mark.parametrize(
    ("text", "passed"), [("1x", timedelta(minutes=1)), ("60x", timedelta(hours=1)), ("manual", timedelta(0))]
)
def test_a_clock_runs_as_it_is_asked_to(text: str, passed: timedelta) -> None:
    """In a minute of real time; the next start goes on from there."""
    state = start_state(text, None, REAL)
    later = REAL + timedelta(minutes=1)

    assert state.time(later) == REAL + passed
    assert start_state("1x", state, later).time(later) == REAL + passed


def test_a_clock_moves_both_ways() -> None:
    """Before now too, but not beyond the years that a date can have."""
    clock = MockClock(lambda: REAL)
    clock.move_to(datetime(2020, 1, 1, tzinfo=UTC))

    assert clock() == datetime(2020, 1, 1, tzinfo=UTC)
    with pytest.raises(ValueError, match="years 1970 to 2999"):
        clock.advance(timedelta(days=999_999_999))
