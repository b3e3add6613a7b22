"""A pytest plugin that writes the CPU seconds of each test: `pytest -p bench.cpu_times --cpu-times=FOLDER`.

CPU seconds are user and system time of the test process and of every process below it. Those that still live
count too: the work of a server or browser that several tests share counts for the test in which it was done.
Each test process writes a file with a JSON object a line: `test` (node id), `cpu` and `wall` in seconds. The
line with an empty `test` is what the process needed before its first test: start, imports and collection.
"""

import json
import os
import resource
import time
from collections.abc import Generator
from pathlib import Path
from typing import TextIO

import pytest

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def cpu_s() -> float:
    """Return the CPU seconds of this process, of all its ended children and of all that live below it."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    living = sum(process_s(pid) for pid in _descendants(os.getpid()))
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime + living


def _descendants(pid: int) -> Generator[int]:
    try:
        tasks = [*Path(f"/proc/{pid}/task").iterdir()]
    except OSError:  # it ended meanwhile
        return
    for task in tasks:
        try:
            children = (task / "children").read_text().split()
        except OSError:  # so did a thread of it
            continue
        for child in children:
            yield int(child)
            yield from _descendants(int(child))


def process_s(pid: int) -> float:
    """Return the CPU seconds of a process and of its ended children; 0 if it is gone (proc(5), stat)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(int(ticks) for ticks in fields[11:15]) / _TICKS_PER_S


class CpuTimes:
    """Writes one line a test."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._started = False

    def _write(self, test: str, cpu: float, wall: float) -> None:
        print(
            json.dumps({"test": test, "cpu": round(cpu, 4), "wall": round(wall, 4)}),
            file=self._file,
            flush=True,
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure the test with its fixtures."""
        cpu, wall = cpu_s(), time.perf_counter()
        if not self._started:
            self._started = True
            self._write("", cpu, 0.0)
        try:
            return (yield)
        finally:
            self._write(item.nodeid, cpu_s() - cpu, time.perf_counter() - wall)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the folder of the measurements."""
    parser.addoption(
        "--cpu-times", metavar="FOLDER", type=Path, help="write the CPU seconds of each test here"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Measure where tests run: in each worker of pytest-xdist, or here if there are none."""
    folder: Path | None = config.getoption("--cpu-times")
    is_controller = getattr(config.option, "dist", "no") != "no" and not hasattr(config, "workerinput")
    if folder is None or is_controller:
        return
    folder.mkdir(parents=True, exist_ok=True)
    file = (folder / f"{os.getpid()}.jsonl").open("w")
    config.pluginmanager.register(CpuTimes(file))
    config.add_cleanup(file.close)
