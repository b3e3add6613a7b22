"""A sandbox before it runs: whose time is read from where."""

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from telecom.sandbox.app import SandboxSettings
from telecom.sandbox.clock import Choice, Mode
from telecom.sandbox.database import Database
from telecom.sandbox.running import _rim
from telecom.sandbox.timekeeping import Flow, configure_clock


def test_in_real_time_nothing_is_read(address: str | Path, settings: SandboxSettings) -> None:
    """The database of this sandbox has no time at all."""
    with closing(Database.open(address)) as database:
        rim = _rim(database, settings)

        assert rim.flow() == Flow()
        assert abs(rim.clock() - datetime.now(UTC)) < timedelta(minutes=1)


def test_another_time_is_read_from_the_database(address: str | Path, settings: SandboxSettings) -> None:
    """And real time stays what it is."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    choice = Choice(mode=Mode.MANUAL, speed=0, start=start)
    with closing(Database.open(address)) as database:
        rim = _rim(database, replace(settings, clock=choice))
        with pytest.raises(sa.exc.NoResultFound):
            rim.clock()
        with database.write() as connection:
            configure_clock(connection, choice, rim.real_clock())

        assert rim.clock() == start
        assert rim.flow() == Flow(speed=0)
        assert abs(rim.real_clock() - datetime.now(UTC)) < timedelta(minutes=1)
