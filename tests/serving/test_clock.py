"""The time of a server as a line: never back, without a jump where its speed changes."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.serving.clock import LATEST, MAX_SPEED, ClockMode, ClockState, parse_speed

REAL = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
START = datetime(2026, 1, 1, tzinfo=UTC)
PASSED = st.timedeltas(timedelta(0), timedelta(days=3650))
SPEEDS = st.floats(0, MAX_SPEED)
LINES = st.builds(
    ClockState,
    mode=st.sampled_from([ClockMode.RUNNING, ClockMode.MANUAL]),
    speed=SPEEDS,
    at=st.datetimes(datetime(1970, 1, 1), datetime(2999, 12, 31), timezones=st.just(UTC)),  # noqa: DTZ001
    real_at=st.just(REAL),
)


@given(LINES, PASSED, PASSED)
def test_time_never_goes_back(line: ClockState, sooner: timedelta, more: timedelta) -> None:
    """Whatever the speed, and up to the end of time."""
    first, second = line.time(REAL + sooner), line.time(REAL + sooner + more)

    assert line.at <= first <= second <= LATEST


@given(LINES, PASSED, SPEEDS)
def test_another_speed_is_no_jump(line: ClockState, passed: timedelta, speed: float) -> None:
    """It goes on from where it is."""
    real = REAL + passed

    assert line.with_speed(ClockMode.RUNNING, speed, real).time(real) == line.time(real)


@given(LINES, PASSED, st.datetimes(datetime(1970, 1, 1), datetime(2999, 12, 31), timezones=st.just(UTC)))  # noqa: DTZ001
def test_time_moves_to_a_moment_or_stays(line: ClockState, passed: timedelta, to: datetime) -> None:
    """A moment that is over is no aim."""
    real = REAL + passed

    assert line.move_to(to, real).time(real) == max(to, line.time(real))


@pytest.mark.parametrize(("speed", "seconds"), [(0, 0), (1, 10), (60, 600), (0.5, 5)])
def test_speed_is_seconds_in_a_second(speed: float, seconds: float) -> None:
    """Of the sandbox, in a real one."""
    line = ClockState(mode=ClockMode.RUNNING, speed=speed, at=START, real_at=REAL)

    assert line.time(REAL + timedelta(seconds=10)) == START + timedelta(seconds=seconds)


def test_clock_of_another_machine_may_be_behind() -> None:
    """Before the moment at which the line begins, its time is that of its beginning."""
    line = ClockState(mode=ClockMode.RUNNING, speed=60, at=START, real_at=REAL)

    assert line.time(REAL - timedelta(seconds=1)) == START


@pytest.mark.parametrize(("text", "speed"), [("60x", 60.0), ("0.5x", 0.5), ("86400x", 86400.0)])
def test_a_speed_is_read(text: str, speed: float) -> None:
    """How many seconds pass in a real one."""
    assert parse_speed(text) == speed


@pytest.mark.parametrize("text", ["", "60", "x", "-1x", "0x", "86401x", "1e3x", "60X", "manual"])
def test_other_speeds_are_none(text: str) -> None:
    """Neither zero nor more than a day in a second."""
    assert parse_speed(text) is None
