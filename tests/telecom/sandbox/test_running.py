"""A sandbox before it runs: whose time is read from where."""

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from devportal.serving.clock import ClockMode
from telecom.sandbox.app import SandboxSettings
from telecom.sandbox.clock import ClockFlow, ClockOptions, configure_clock
from telecom.sandbox.database.database import Database
from telecom.sandbox.processes import _sandbox_environment


def test_in_real_time_nothing_is_read(address: str | Path, settings: SandboxSettings) -> None:
    """The database of this sandbox has no time at all."""
    with closing(Database.open(address)) as database:
        rim = _sandbox_environment(database, settings)

        assert rim.flow() == ClockFlow()
        assert abs(rim.clock() - datetime.now(UTC)) < timedelta(minutes=1)


def test_another_time_is_read_from_the_database(address: str | Path, settings: SandboxSettings) -> None:
    """And real time stays what it is."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    choice = ClockOptions(mode=ClockMode.MANUAL, speed=0, start=start)
    with closing(Database.open(address)) as database:
        rim = _sandbox_environment(database, replace(settings, clock=choice))
        with pytest.raises(sa.exc.NoResultFound):
            rim.clock()
        with database.write() as connection:
            configure_clock(connection, choice, rim.real_clock())

        assert rim.clock() == start
        assert rim.flow() == ClockFlow(speed=0)
        assert abs(rim.real_clock() - datetime.now(UTC)) < timedelta(minutes=1)
