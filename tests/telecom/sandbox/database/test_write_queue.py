"""The queue of those who write to a SQLite file."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from telecom.sandbox.database.writer import WriteQueue, WriteTimeout

pytestmark = pytest.mark.both_databases
HOLDER = """
import sys
from pathlib import Path
from telecom.sandbox.database.writer import WriteQueue
with WriteQueue(Path(sys.argv[1]), timeout_s=10).turn():
    print("held", flush=True)
    sys.stdin.readline()
"""
COUNTER = """
import sys
from pathlib import Path
from telecom.sandbox.database.writer import WriteQueue
queue, counter = WriteQueue(Path(sys.argv[1]), timeout_s=60), Path(sys.argv[2])
for _ in range(200):
    with queue.turn():
        counter.write_text(str(int(counter.read_text()) + 1))
"""


def test_threads_take_turns(tmp_path: Path) -> None:
    """Nobody writes between another's reading and writing."""
    queue, counter = WriteQueue(tmp_path / "queue", timeout_s=60), tmp_path / "counter"
    counter.write_text("0")

    def count(_: int) -> None:
        with queue.turn():
            counter.write_text(str(int(counter.read_text()) + 1))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(count, range(400)))

    assert counter.read_text() == "400"


def test_processes_take_turns(tmp_path: Path) -> None:
    """The same across processes."""
    (tmp_path / "counter").write_text("0")
    command = (sys.executable, "-c", COUNTER, tmp_path / "queue", tmp_path / "counter")

    counting = [subprocess.Popen(command) for _ in range(3)]

    assert [process.wait() for process in counting] == [0, 0, 0]
    assert (tmp_path / "counter").read_text() == "600"


def test_who_waits_too_long_gives_up(tmp_path: Path) -> None:
    """Whether another thread or another process has the turn; it comes when that ends, even if killed."""
    impatient, patient = (WriteQueue(tmp_path / "queue", timeout_s=timeout_s) for timeout_s in (0.05, 60))
    with impatient.turn(), pytest.raises(WriteTimeout), impatient.turn():
        pytest.fail("two had the turn")

    command = (sys.executable, "-c", HOLDER, tmp_path / "queue")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        for _ in range(3):
            with pytest.raises(WriteTimeout), impatient.turn():
                pytest.fail("two had the turn")
        holder.kill()

    with patient.turn():
        pass
    with patient.turn():
        pass
