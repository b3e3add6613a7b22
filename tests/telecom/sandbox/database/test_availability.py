"""The failure of a database: known to all processes of a start, and logged once at each end."""

import logging
import multiprocessing

import pytest

from telecom.sandbox.database.database import Availability
from telecom.sandbox.database.storage_failures import StorageFailure


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what was logged, without traces."""
    assert not any(record.exc_info for record in caplog.records)
    return [record.getMessage().partition(":")[0] for record in caplog.records]


def test_failure_lasts_from_the_first_refused_write_to_the_first_accepted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """However many are refused and accepted, there are two lines."""
    availability, seen = Availability(), []
    with caplog.at_level(logging.INFO):
        for note in (
            availability.note_write,
            lambda: availability.note_failure(StorageFailure.FULL),
            lambda: availability.note_failure(StorageFailure.READ_ONLY),
            availability.note_write,
            availability.note_write,
        ):
            note()
            seen.append(availability.failure)

    assert seen == [None, StorageFailure.FULL, StorageFailure.FULL, None, None]
    assert lines(caplog) == ["the database is unavailable", "the database is available again"]


def test_every_failure_is_remembered_as_itself() -> None:
    """The memory that processes share holds a number."""
    for failure in StorageFailure:
        availability = Availability()
        availability.note_failure(failure)

        assert availability.failure is failure


def test_failure_that_one_process_sees_is_known_to_all() -> None:
    """Processes that were forked before, and those that made them."""
    availability = Availability()
    fork = multiprocessing.get_context("fork")
    child = fork.Process(target=availability.note_failure, args=(StorageFailure.UNREACHABLE,))
    child.start()
    child.join(60)

    assert child.exitcode == 0
    assert availability.failure is StorageFailure.UNREACHABLE


def test_process_that_was_killed_holds_up_nobody_for_ever(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Even if that was in the moment in which it noted something."""
    monkeypatch.setattr("telecom.sandbox.database.database._LONGEST_WAIT_S", 0.01)
    availability = Availability()
    availability._lock.acquire()
    availability.note_failure(StorageFailure.FULL)

    assert lines(caplog) == ["the database is unavailable"]
