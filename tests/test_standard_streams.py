"""Standard streams that a caller closed, or that take nothing more."""

import errno
import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper

import click
import pytest

from devportal.cli import cli, main
from devportal.reporting.output import detect_screen, print_text
from devportal.standard_streams import prepare_streams


def test_closed_streams_are_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python has None in place of a stream that the caller closed."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)

    prepare_streams()
    print_text("gone")

    assert not detect_screen().colour
    assert sys.stdin.buffer.read() == b""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.close()


def test_what_an_encoding_lacks_is_an_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are never lost in a console of Windows, or to a file name that is not text."""
    written = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(written, encoding="cp1252"))

    prepare_streams()
    click.echo("é → \udce9")

    assert written.getvalue().rstrip() == b"\xe9 \\u2192 \\udce9"


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


@pytest.mark.parametrize(
    ("number", "file", "message"),
    [
        (errno.ENOSPC, None, "No space left"),
        (errno.EACCES, "a/b", "'a/b': Permission denied"),
        (errno.ENAMETOOLONG, "x" * 999, f"'{'x' * 200}': File name too long"),
    ],
)
def test_what_the_machine_refuses_is_not_an_error_of_ours(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: int,
    file: str | None,
    message: str,
) -> None:
    """The message names the file and what the machine lacks, and asks for no report."""

    def fails(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), file)

    monkeypatch.setattr(cli, "main", fails)

    with pytest.raises(SystemExit) as ended:
        main()

    printed = capsys.readouterr().err
    assert ended.value.code == 2
    assert printed.startswith(f"error: a file, or standard output, cannot be read or written: {message}")
    assert "report it" not in printed
