"""The time in the database: all processes agree on it, only one moves it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.telecom.sandbox.conftest import Clock
from tests.telecom.sandbox.test_migrations import FORMAT_4

from devportal.errors import InvalidSettings
from devportal.serving.clock import ClockMode, ClockState
from telecom.sandbox.clock import (
    HOLD_DURATION,
    ClockFlow,
    ClockOptions,
    SandboxClock,
    configure_clock,
    hold_clock,
    read_clock_state,
    release_clock,
    set_clock_state,
)
from telecom.sandbox.database.database import Database

REAL = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
START = datetime(2026, 1, 1, tzinfo=UTC)
MANUAL = ClockOptions(mode=ClockMode.MANUAL, speed=0, start=START)
MINUTELY = ClockOptions(mode=ClockMode.RUNNING, speed=60, start=START)


@pytest.fixture
def database(address: str | Path) -> Iterator[Database]:
    with closing(Database.open(address)) as opened:
        yield opened


def start(database: Database, choice: ClockOptions, real: datetime = REAL) -> None:
    with database.write() as connection:
        configure_clock(connection, choice, real)


def test_processes_agree(database: Database, address: str | Path) -> None:
    """Each reads the same, and what one moves another has at once."""
    start(database, MINUTELY)
    real = Clock(now=REAL + timedelta(seconds=1))
    with closing(Database.open(address)) as other:
        here, there = SandboxClock(database, real), SandboxClock(other, real)
        before = (here(), there())
        with other.write() as connection:
            line = read_clock_state(connection).move_to(START + timedelta(days=1), real())
            assert set_clock_state(connection, "there", line, real())
        after = (here(), there())

    assert before == (START + timedelta(minutes=1),) * 2
    assert after == (START + timedelta(days=1),) * 2


@pytest.mark.parametrize(
    ("choice", "flow"),
    [(MANUAL, ClockFlow(speed=0)), (MINUTELY, ClockFlow(speed=60)), (ClockOptions(), ClockFlow())],
)
def test_clock_tells_how_the_time_goes(database: Database, choice: ClockOptions, flow: ClockFlow) -> None:
    """And whether somebody moves it by hand, as long as real time has not ended that."""
    start(database, choice)
    real = Clock(now=REAL)
    clock = SandboxClock(database, real)
    free = clock.flow()
    with database.write() as connection:
        hold_clock(connection, "somebody", real())
    held = clock.flow()
    real.now += HOLD_DURATION

    assert free == flow
    assert held.is_held
    assert clock.flow() == flow


def test_only_one_holds_the_time(database: Database) -> None:
    """Until that one gives it back, or real time takes it away; then it cannot be changed any more."""
    start(database, MANUAL)
    line = ClockState(mode=ClockMode.MANUAL, speed=0, at=START + timedelta(days=1), real_at=REAL)
    later = REAL + HOLD_DURATION
    with database.write() as connection:
        took = [hold_clock(connection, name, REAL) for name in ("ada", "bob", "ada")]
        release_clock(connection, "bob")
        still = hold_clock(connection, "bob", REAL)
        taken_away = hold_clock(connection, "bob", later)
        changed = set_clock_state(connection, "ada", line, later)
        unchanged = read_clock_state(connection)
        release_clock(connection, "bob")
        changed_again = set_clock_state(connection, "ada", line, later)

    assert took == [True, False, True]
    assert (still, taken_away) == (False, True)
    assert not changed
    assert unchanged.at == START
    assert changed_again


def test_a_start_ends_every_hold(database: Database) -> None:
    """Whoever had one is gone."""
    start(database, MANUAL)
    with database.write() as connection:
        hold_clock(connection, "somebody", REAL)
    start(database, MANUAL)

    assert not SandboxClock(database, Clock(now=REAL)).flow().is_held


def test_time_that_would_go_back_is_refused_and_stays(database: Database) -> None:
    """The database is as before."""
    start(database, ClockOptions(mode=ClockMode.MANUAL, speed=0, start=REAL + timedelta(days=1)))
    with pytest.raises(InvalidSettings):
        start(database, ClockOptions())

    assert SandboxClock(database, Clock(now=REAL))() == REAL + timedelta(days=1)


def test_a_database_that_was_used_before_had_real_time(tmp_path: Path) -> None:
    """Its time does not begin in the past."""
    path = tmp_path / "sandbox.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FORMAT_4.read_text())
    with closing(Database.open(path)) as database:
        with database.read() as reading:
            assert read_clock_state(reading).mode is ClockMode.REAL
        with pytest.raises(InvalidSettings, match="was used in real time until now"):
            start(database, MANUAL, datetime.now(UTC))


def test_a_new_database_has_no_time(database: Database) -> None:
    """The first start gives it one."""
    with database.read() as connection, pytest.raises(sa.exc.NoResultFound):
        read_clock_state(connection)
