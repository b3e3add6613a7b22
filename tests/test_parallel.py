"""Tests of tasks that are spread over processes."""

import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import process
from functools import partial
from itertools import groupby
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal import parallel
from devportal.parallel import MIN_TASKS, processor_count, run_numbered_sources, run_sources, run_tasks

pytestmark = pytest.mark.usefixtures("one_thread")

TASKS = 2 * MIN_TASKS


class NotPicklable(Exception):
    """An exception that no other process can send."""

    def __init__(self, number: int, *, reason: str) -> None:
        """Take a number and a reason."""
        super().__init__(number, lambda: reason)


def process_of(number: int) -> tuple[int, int]:
    """Return a number and the process that was asked for it."""
    return number, os.getpid()


class Circle:
    """What refers to itself, and is gone only when garbage is collected."""

    def __init__(self) -> None:
        """Close the circle."""
        self.itself = self


def count_of_live_circles() -> int:
    """Leave one more, and return how many of them are there."""
    Circle()
    return sum(type(item) is Circle for item in gc.get_objects())


def fail_at(failing: int, number: int) -> int:
    """Return a number, or raise for one of them."""
    if number == failing:
        raise NotPicklable(number, reason="this one fails")
    return number


def die_elsewhere(parent: int, failing: int, number: int) -> int:
    """Return a number; for one of them, another process than the parent dies."""
    if number == failing and os.getpid() != parent:
        os._exit(9)
    return number


def take_ctrl_c() -> None:
    """Take the signal in this thread."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
def test_several_processes_return_results_in_order() -> None:
    """No result is lost or twice, and none was computed here."""
    results = list(run_tasks([partial(process_of, number) for number in range(TASKS)], 2))

    assert [number for number, _ in results] == list(range(TASKS))
    assert os.getpid() not in {process for _, process in results}


@pytest.mark.parametrize(("tasks", "processes"), [(TASKS, 1), (MIN_TASKS, 2), (0, 2)])
def test_few_tasks_run_here(tasks: int, processes: int) -> None:
    """Another process would cost more than it saves."""
    results = list(run_tasks([partial(process_of, number) for number in range(tasks)], processes))

    assert results == [(number, os.getpid()) for number in range(tasks)]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
def test_few_large_tasks_run_in_processes_of_their_own() -> None:
    """By the work that they amount to, in no more processes than there are tasks."""
    results = list(run_tasks([partial(process_of, number) for number in range(2)], 8, work=8 * MIN_TASKS))
    alone = list(run_tasks([partial(process_of, 0)], 8, work=8 * MIN_TASKS))

    assert [number for number, _ in results] == [0, 1]
    assert os.getpid() not in {process for _, process in results}
    assert alone == [(0, os.getpid())]


def repeat_number(number: int) -> Iterator[tuple[int, int]]:
    """Yield the number as often as it says, each time with the process that was asked for it."""
    for _ in range(number):
        yield process_of(number)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
@pytest.mark.parametrize(("max_chunk", "max_waiting"), [(1, 1), (3, 8), (16, 32)])
def test_several_processes_yield_what_sources_yield(max_chunk: int, max_waiting: int) -> None:
    """One source after the other, however many are handed out at once."""
    sources = [partial(repeat_number, number % 5) for number in range(TASKS)]

    results = list(run_sources(sources, 2, max_chunk=max_chunk, max_waiting=max_waiting))

    expected = [number % 5 for number in range(TASKS) for _ in range(number % 5)]
    assert [number for number, _ in results] == expected
    assert os.getpid() not in {process for _, process in results}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
def test_sources_that_nobody_takes_end_the_processes() -> None:
    """As with tasks."""
    results = run_sources([partial(repeat_number, 1) for _ in range(TASKS)], 2)
    _, process = next(results)

    results.close()  # type: ignore[attr-defined]

    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
@pytest.mark.parametrize("processes", [2, 3])
def test_numbered_results_are_those_of_their_sources(processes: int) -> None:
    """Each once, those of a source together and in order, whoever took it."""
    sources = [partial(repeat_number, number % 5) for number in range(3 * TASKS)]

    results = list(run_numbered_sources(sources, processes))

    numbers = [number for number, _ in results]
    assert sorted(numbers) == [number for number in range(3 * TASKS) for _ in range(number % 5)]
    assert [number for number, _ in groupby(numbers)] == list(dict.fromkeys(numbers))
    assert {yielded == number % 5 for number, (yielded, _) in results} == {True}
    assert os.getpid() not in {process for _, (_, process) in results}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
def test_numbered_sources_of_one_process_are_neighbours() -> None:
    """They share the most: so there are few places where another process goes on."""
    sources = [partial(repeat_number, 1) for _ in range(10 * TASKS)]

    results = sorted(run_numbered_sources(sources, 2))

    makers = [process for _, (_, process) in results]
    assert len(list(groupby(makers))) <= len(sources) // 20


def test_few_numbered_sources_run_here() -> None:
    """Another process would cost more than it saves."""
    results = list(run_numbered_sources([partial(repeat_number, 1) for _ in range(MIN_TASKS)], 2))

    assert results == [(number, (1, os.getpid())) for number in range(MIN_TASKS)]


@pytest.mark.parametrize("failing", [[7], [TASKS - 1], [TASKS - 1, 7]])
def test_the_first_source_that_fails_is_the_one_that_raises(failing: list[int]) -> None:
    """Whichever process meets which one first, and also with an exception that cannot be sent."""

    def source(number: int) -> Iterator[int]:
        yield fail_at(number if number in failing else -1, number)

    with pytest.raises(NotPicklable) as error:
        list(run_numbered_sources([partial(source, number) for number in range(TASKS)], 2))

    assert error.value.args[0] == min(failing)


@pytest.mark.parametrize("failing", [0, TASKS - 1])
def test_numbered_sources_of_a_process_that_dies_run_here(failing: int) -> None:
    """None is lost, and none is there twice."""
    parent = os.getpid()

    def source(number: int) -> Iterator[int]:
        yield die_elsewhere(parent, failing, number)

    results = list(run_numbered_sources([partial(source, number) for number in range(TASKS)], 2))

    assert sorted(results) == [(number, number) for number in range(TASKS)]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
def test_numbered_results_that_nobody_takes_end_the_processes() -> None:
    """A caller that stops leaves no process behind."""
    results = run_numbered_sources([partial(repeat_number, 1) for _ in range(TASKS)], 2)
    _, (_, process) = next(results)

    results.close()  # type: ignore[attr-defined]

    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
@given(st.integers(1, 200), st.integers(1, 5), st.randoms(use_true_random=False))
def test_ranges_give_each_task_to_one_process(tasks: int, processes: int, random: Random) -> None:
    """Whichever process is quick and which is slow: no process ends while there is anything left."""
    ranges = parallel._SharedRanges(get_context("fork"), tasks, processes)
    busy = [ranges.join() for _ in range(processes)]
    taken: list[int] = []

    while busy:
        own = random.choice(busy)
        numbers = ranges.take(own)
        taken += numbers
        if not numbers:
            assert len(taken) == tasks
            busy.remove(own)

    assert sorted(taken) == list(range(tasks))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
def test_garbage_of_a_task_is_collected_where_none_is_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands collect none until they end: what one task leaves would add up to what all of them leave."""
    monkeypatch.setattr("gc.isenabled", lambda: False)

    alive = list(run_tasks([count_of_live_circles] * TASKS, 2, max_chunk=1))

    assert max(alive) == 1


def test_beside_other_threads_all_tasks_run_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock that another thread holds would stay locked in a copy of the process."""
    monkeypatch.setattr("threading.active_count", lambda: 2)

    results = list(run_tasks([partial(process_of, number) for number in range(TASKS)], 2))

    assert {process for _, process in results} == {os.getpid()}


def test_exception_is_raised_where_its_result_would_be() -> None:
    """Also one that cannot be sent; what came before it is there."""
    results = run_tasks([partial(fail_at, 50, number) for number in range(TASKS)], 2)

    assert [next(results) for _ in range(50)] == list(range(50))
    with pytest.raises(NotPicklable):
        next(results)


@pytest.mark.parametrize("failing", [0, TASKS - 1])
def test_tasks_of_a_process_that_dies_run_here(failing: int) -> None:
    """A process that the system ends, for its memory for example, loses nothing."""
    results = list(
        run_tasks([partial(die_elsewhere, os.getpid(), failing, number) for number in range(TASKS)], 2)
    )

    assert results == list(range(TASKS))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
def test_a_process_that_ctrl_c_reaches_as_it_starts_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The terminal sends Ctrl-C to all processes at once: one that is not ready yet would write a traceback."""
    work = process._process_worker

    def interrupted_work(*arguments: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        work(*arguments)

    monkeypatch.setattr(process, "_process_worker", interrupted_work)

    results = list(run_tasks([partial(process_of, number) for number in range(TASKS)], 2))

    assert {made_by for _, made_by in results} == {os.getpid()}
    assert capfd.readouterr().err == ""
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
def test_ctrl_c_that_another_thread_takes_waits_until_all_processes_have_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Libraries have threads of their own: no process that has just started is left behind."""
    start = BaseProcess.start
    started: list[BaseProcess] = []

    def interrupted_start(self: BaseProcess) -> None:
        start(self)
        started.append(self)
        thread = threading.Thread(target=take_ctrl_c)
        thread.start()
        thread.join()

    monkeypatch.setattr(BaseProcess, "start", interrupted_start)

    with pytest.raises(KeyboardInterrupt):
        list(run_tasks([partial(process_of, number) for number in range(TASKS)], 2))

    assert len(started) == 2
    assert not any(child.is_alive() for child in started)


def test_results_that_nobody_takes_end_the_processes() -> None:
    """A caller that stops leaves no process behind."""
    results = run_tasks([partial(process_of, number) for number in range(TASKS)], 2)
    _, process = next(results)

    results.close()  # type: ignore[attr-defined]

    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_processors_are_those_that_may_be_used() -> None:
    """On a machine with few, or for a process that may use one, no others are counted."""
    assert 1 <= processor_count() <= parallel.MAX_PROCESSES
    program = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    program += "from devportal.parallel import processor_count; print(processor_count())"
    if sys.platform == "linux":
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout == "1\n"
