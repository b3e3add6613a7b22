"""The time of the sandbox as a line: never back, without a jump where its speed changes."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.errors import InvalidSettings
from telecom.sandbox.clock import LATEST, MAX_SPEED, ClockMode, ClockOptions, ClockState, parse_clock

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


@pytest.mark.parametrize(
    ("text", "start", "choice"),
    [
        ("real", None, ClockOptions()),
        ("manual", None, ClockOptions(mode=ClockMode.MANUAL, speed=0)),
        ("60x", None, ClockOptions(mode=ClockMode.RUNNING, speed=60)),
        ("0.5x", None, ClockOptions(mode=ClockMode.RUNNING, speed=0.5)),
        ("manual", "2026-01-01T00:00:00Z", ClockOptions(mode=ClockMode.MANUAL, speed=0, start=START)),
        (
            "86400x",
            "2026-01-01T01:00:00+01:00",
            ClockOptions(mode=ClockMode.RUNNING, speed=86400, start=START),
        ),
    ],
)
def test_options_are_read(text: str, start: str | None, choice: ClockOptions) -> None:
    """A word or a speed, and a beginning with its offset."""
    assert parse_clock(text, start) == choice


@pytest.mark.parametrize("text", ["", "fast", "60", "x", "-1x", "0x", "0.0x", "86401x", "1e3x", "٣x", "60X"])
def test_other_clocks_are_refused(text: str) -> None:
    """The message quotes what was given, and says what there is."""
    with pytest.raises(InvalidSettings, match="real, manual, or how many times faster") as refused:
        parse_clock(text, None)

    assert repr(text) in refused.value.message


@pytest.mark.parametrize(
    "start", ["", "2026-01-01", "2026-01-01T00:00:00", "1969-12-31T23:59:59Z", "3000-01-01T00:00:00Z"]
)
def test_other_beginnings_are_refused(start: str) -> None:
    """Without an offset nobody knows when it is."""
    with pytest.raises(InvalidSettings, match="the time cannot begin at") as refused:
        parse_clock("manual", start)

    assert repr(start) in refused.value.message


def test_real_time_has_no_other_beginning() -> None:
    """It is what it is."""
    with pytest.raises(InvalidSettings, match="real time cannot begin at"):
        parse_clock("real", "2026-01-01T00:00:00Z")


MANUAL = ClockOptions(mode=ClockMode.MANUAL, speed=0)
STARTED = ClockOptions(mode=ClockMode.MANUAL, speed=0, start=START)


@pytest.mark.parametrize(
    ("choice", "before", "begins"),
    [
        (MANUAL, None, REAL),
        (STARTED, None, START),
        (STARTED, START + timedelta(days=1), START + timedelta(days=1)),
        (STARTED, START - timedelta(days=1), START),
        (MANUAL, START, START),
        (ClockOptions(mode=ClockMode.RUNNING, speed=60), START, START),
        (ClockOptions(), START, REAL),
        (ClockOptions(), None, REAL),
    ],
)
def test_a_start_goes_on_where_the_time_is(
    choice: ClockOptions, before: datetime | None, begins: datetime
) -> None:
    """Of a database that is new, at the beginning that is asked for."""
    line = ClockState(mode=ClockMode.MANUAL, speed=0, at=before, real_at=REAL) if before is not None else None

    assert choice.start_state(line, REAL).time(REAL) == begins


def test_running_time_goes_on_while_the_sandbox_is_down() -> None:
    """As real time does: other machines may be up."""
    choice = ClockOptions(mode=ClockMode.RUNNING, speed=60)
    line = choice.start_state(
        ClockState(mode=ClockMode.RUNNING, speed=60, at=START, real_at=REAL), REAL + timedelta(hours=1)
    )

    assert line.time(REAL + timedelta(hours=1)) == START + timedelta(hours=60)


def test_real_time_does_not_follow_a_later_one() -> None:
    """What was accepted then would wait for days."""
    line = ClockState(mode=ClockMode.MANUAL, speed=0, at=REAL + timedelta(seconds=1), real_at=REAL)

    with pytest.raises(InvalidSettings, match=r"it is 2026-11-21T09:30:01.000Z already"):
        ClockOptions().start_state(line, REAL)


def test_a_database_of_real_time_does_not_go_back() -> None:
    """What is in it would be in the future."""
    line = ClockOptions().start_state(None, REAL)

    with pytest.raises(InvalidSettings, match=r"cannot begin at 2026-01-01T00:00:00.000Z"):
        STARTED.start_state(line, REAL)
    assert MANUAL.start_state(line, REAL + timedelta(seconds=5)).at == REAL + timedelta(seconds=5)
