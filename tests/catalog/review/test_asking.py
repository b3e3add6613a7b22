"""What an approver is asked on a terminal."""

import os
import subprocess
import sys

import pytest

from .desk import Desk


@pytest.mark.parametrize(("answer", "state", "exit_code"), [("y", "approved", 0), ("n", "submitted", 1)])
def test_a_terminal_is_asked(desk: Desk, answer: str, state: str, exit_code: int) -> None:
    """A yes approves what is shown, a no approves nothing, and nobody else waits meanwhile."""
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "devportal", "rates", "approve", "no-sms@1", "--actor", "omar"]
    with subprocess.Popen(
        [*command, "--records", str(desk.folder)], stdin=theirs, stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        shown = b""
        while b"Approve this version?" not in shown:
            shown += os.read(ours, 4096)
        desk.run("draft", "no-sms@1", actor="lin", exit_code=1)
        os.write(ours, f"{answer}\n".encode())
        process.communicate()
    os.close(theirs)
    os.close(ours)

    assert b"0.10" in shown
    assert process.returncode == exit_code
    assert desk.states() == {"no-sms@1": state}
