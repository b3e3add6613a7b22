"""How the clock of a sandbox begins: as its options say, and where its time was before."""

from datetime import UTC, datetime, timedelta

import pytest

from devportal.errors import InvalidSettings
from devportal.serving.clock import ClockMode, ClockState
from telecom.sandbox.clock import ClockOptions, parse_clock

REAL = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
START = datetime(2026, 1, 1, tzinfo=UTC)


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
