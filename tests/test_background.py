"""Tests of tasks that another process does meanwhile."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import pytest

from devportal.background import BackgroundTask, start_in_background

from .waiting import PATIENCE_S

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems do everything in one process")


@pytest.fixture(autouse=True)
def _one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the threads of the test runner not count: none of them holds a lock that tasks need."""
    monkeypatch.setattr("threading.active_count", lambda: 1)


def started(task: Callable[[], Any]) -> BackgroundTask[Any]:
    """Start a task that another process can do."""
    background = start_in_background(task)
    assert background is not None
    return background


def fail() -> None:
    """Raise an exception."""
    raise ValueError("no")


def die() -> None:
    """End the process that this runs in as if somebody killed it."""
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_ever() -> None:
    """Wait for a signal, much longer than a test does."""
    signal.sigtimedwait((), 100 * PATIENCE_S)


def test_another_process_does_the_task() -> None:
    """With what was there when it began."""
    words = ["here"]

    background = started(lambda: (os.getpid(), words))
    words.append("later")

    process, seen = background.result()
    assert process != os.getpid()
    assert seen == ["here"]


def test_a_large_result_arrives() -> None:
    """It is longer than a pipe holds."""
    assert started(lambda: "x" * 10_000_000).result() == "x" * 10_000_000


@pytest.mark.parametrize("task", [fail, die, lambda: lambda: None], ids=["fails", "dies", "no data"])
def test_what_cannot_be_done_elsewhere_has_no_result(
    task: Callable[[], Any], capfd: pytest.CaptureFixture[str]
) -> None:
    """Whoever needs it does it here; the other process says nothing."""
    assert started(task).result() is None
    assert capfd.readouterr() == ("", "")


def test_a_task_can_be_stopped() -> None:
    """Once nobody wants its result."""
    background = started(wait_for_ever)

    background.stop()

    assert background.result() is None


def test_ctrl_c_ends_the_process_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    """It reaches all processes of a terminal."""

    def press_ctrl_c() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        wait_for_ever()

    assert started(press_ctrl_c).result() is None
    assert capfd.readouterr() == ("", "")


def test_nothing_is_started_beside_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them may hold a lock, which would stay locked in the other process."""
    monkeypatch.setattr("threading.active_count", lambda: 2)

    assert start_in_background(fail) is None
