"""Standard streams that a caller closed, or that take nothing more."""

import errno
import os
import subprocess
import sys

import pytest

from devportal.cli import cli, main
from devportal.reporting.output import detect_screen, print_text
from devportal.standard_streams import open_closed_streams


def test_closed_streams_are_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python has None in place of a stream that the caller closed."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)

    open_closed_streams()
    print_text("gone")

    assert not detect_screen().colour
    assert sys.stdin.buffer.read() == b""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.close()


def test_a_reader_that_ends_early_is_no_problem_of_the_input() -> None:
    """As after `| head -1`: no message, and not the exit code of a check that found something."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "devportal", "--help"], stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)

    assert (done.returncode, done.stderr) == (141, b"")


def test_a_full_disk_is_not_an_error_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names what the machine lacks, and asks for no report."""

    def fails(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(cli, "main", fails)

    with pytest.raises(SystemExit) as ended:
        main()

    message = capsys.readouterr().err
    assert ended.value.code == 2
    assert message.startswith("error: a file, or standard output, cannot be read or written: No space left")
    assert "report it" not in message
