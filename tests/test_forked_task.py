"""Tests of tasks that another process does meanwhile."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from devportal.forked_task import ForkedTask, computed_meanwhile, start_forked_task

from .waiting import PATIENCE_S

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.skipif(sys.platform != "linux", reason="other systems do everything in one process"),
]


def start_task(task: Callable[[], Any]) -> ForkedTask[Any]:
    """Start a task that another process can do."""
    background = start_forked_task(task)
    assert background is not None
    return background


def fail() -> Iterator[int]:
    """Raise an exception behind the first result."""
    yield 1
    raise ValueError("no")


def die() -> Iterator[int]:
    """End the process that this runs in as if somebody killed it."""
    yield 1
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_ever() -> Iterator[int]:
    """Wait for a signal, much longer than a test does."""
    yield 1
    signal.sigtimedwait((), 100 * PATIENCE_S)


def press_ctrl_c() -> Iterator[int]:
    """Do what the terminal does to all processes."""
    os.kill(os.getpid(), signal.SIGINT)
    yield from wait_for_ever()


def results_of(task: Callable[[], Any]) -> list[Any] | None:
    """Return the results of a task that another process can do."""
    results = start_task(task).results()
    return list(results) if results is not None else None


def test_another_process_does_the_task() -> None:
    """With what was there when it began."""
    words = ["here"]

    background = start_task(lambda: [os.getpid(), words])
    words.append("later")

    process, seen = background.results() or (0, [])
    assert process != os.getpid()
    assert seen == ["here"]


def test_large_results_arrive_in_order() -> None:
    """They are longer than a pipe holds: nobody need wait for them."""
    expected = [str(number) * 1_000_000 for number in range(10)]

    assert results_of(lambda: (str(number) * 1_000_000 for number in range(10))) == expected


@pytest.mark.parametrize(
    "task", [fail, die, lambda: [lambda: None], press_ctrl_c], ids=["fails", "dies", "no data", "Ctrl-C"]
)
def test_what_cannot_be_done_elsewhere_has_no_results(
    task: Callable[[], Any], capfd: pytest.CaptureFixture[str]
) -> None:
    """Whoever needs them does it here; the other process says nothing."""
    assert results_of(task) is None
    assert capfd.readouterr() == ("", "")


def test_a_task_can_be_stopped() -> None:
    """Once nobody wants its results."""
    background = start_task(wait_for_ever)

    background.stop()

    assert background.results() is None


def test_a_task_is_stopped_without_a_word_where_sigterm_is_handled(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A server that ends at SIGTERM has a handler, which is not for the processes that it starts."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    handler = signal.signal(signal.SIGTERM, interrupt)
    try:
        for _ in range(5):
            start_task(wait_for_ever).stop()
    finally:
        signal.signal(signal.SIGTERM, handler)

    assert capfd.readouterr() == ("", "")
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_nothing_is_started_beside_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them may hold a lock, which would stay locked in the other process."""
    monkeypatch.setattr("threading.active_count", lambda: 2)

    assert start_forked_task(fail) is None


def test_a_value_is_computed_elsewhere_while_the_block_goes_on() -> None:
    """Here if that is not worth another process."""
    with computed_meanwhile(os.getpid, is_worth_a_process=True) as elsewhere:
        assert elsewhere() != os.getpid()
    with computed_meanwhile(os.getpid, is_worth_a_process=False) as here:
        assert here() == os.getpid()


def test_a_value_that_another_process_cannot_compute_is_computed_here() -> None:
    """And raises here what there is to raise."""
    parent = os.getpid()

    def compute() -> int:
        return 1 // (os.getpid() == parent)

    with computed_meanwhile(compute, is_worth_a_process=True) as value:
        assert value() == 1
    with (
        computed_meanwhile(lambda: 1 // 0, is_worth_a_process=True) as value,
        pytest.raises(ZeroDivisionError),
    ):
        value()


def test_a_value_that_nobody_asks_for_ends_its_process() -> None:
    """As when the block raises."""
    with (
        pytest.raises(KeyError),
        computed_meanwhile(lambda: list(wait_for_ever()), is_worth_a_process=True),
    ):
        raise KeyError

    assert multiprocessing.active_children() == []
