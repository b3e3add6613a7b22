"""Commands that a signal ends, and what they have started."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from devportal.interruptions import Terminated, interrupted_exit_code, raise_at_termination

_PATIENCE_S = 60
"""How long a process may take to end."""
_WITH_A_TASK = """
import os, sys, time
from devportal.forked_task import start_forked_task
task = start_forked_task(lambda: [time.sleep(9999)])
print("started", flush=True)
task.results()
"""
_WITH_TASKS = """
import os, sys, time
from devportal.parallel import run_tasks
def wait():
    print("started", flush=True)
    time.sleep(9999)
list(run_tasks([wait] * 400, 2))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems run tasks in one process")
@pytest.mark.parametrize("script", [_WITH_A_TASK, _WITH_TASKS])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_the_one_that_started_it(script: str, number: signal.Signals) -> None:
    """Not even if that is killed: its output ends when the last process has closed it."""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        started.stdout.readline()
        started.send_signal(number)
        started.communicate(timeout=_PATIENCE_S)

    assert started.returncode == -number


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_command_ends_as_shells_report_the_signal(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    """Quietly, and after it has cleaned up."""
    pipe = tmp_path / "openapi.yaml"
    os.mkfifo(pipe)
    program = [sys.executable, "-m", "devportal", "check", "--contract", str(pipe)]

    with (
        subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started,
        pipe.open("w"),  # it is open as soon as the command reads it
    ):
        started.send_signal(number)
        printed = started.communicate(timeout=_PATIENCE_S)

    assert (started.returncode, printed) == (code, (b"", b""))


def test_a_signal_that_is_ignored_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `nohup` wants it."""
    handlers = {signal.SIGTERM: signal.SIG_DFL, signal.SIGHUP: signal.SIG_IGN}
    monkeypatch.setattr(signal, "getsignal", handlers.__getitem__)
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)

    raise_at_termination()

    assert handlers[signal.SIGHUP] is signal.SIG_IGN
    assert callable(handlers[signal.SIGTERM])


def test_the_exit_code_is_that_of_the_signal() -> None:
    """Ctrl-C has no number."""
    assert interrupted_exit_code(KeyboardInterrupt()) == 130
    assert interrupted_exit_code(Terminated(signal.SIGTERM)) == 143
