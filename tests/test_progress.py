"""The progress of a long command, on a terminal and in a log."""

import logging
from io import StringIO

import pytest

from devportal.progress import count_steps, progress_in_log, show_progress, start_phase


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Return true."""
        return True


def run_phases() -> None:
    """Report two phases, the second one with steps."""
    start_phase("Reading the contract")
    start_phase("Rendering pages")
    assert sum(count_steps(range(50), "Rendering pages")) == 1225


def test_a_log_has_a_line_for_each_phase() -> None:
    """Without a terminal, no phase is overwritten and no step is counted."""
    log = StringIO()

    with show_progress(stream=log):
        run_phases()

    assert log.getvalue() == "Reading the contract\nRendering pages\n"


def test_a_log_counts_many_steps_by_the_hundreds() -> None:
    """A phase that takes long says how far it is."""
    log = StringIO()

    with show_progress(stream=log):
        assert sum(count_steps([1] * 600, "Rendering pages")) == 600

    assert log.getvalue() == "Rendering pages: 250\nRendering pages: 500\n"


def test_phases_can_be_lines_of_another_log(caplog: pytest.LogCaptureFixture) -> None:
    """A site builder that has a log of its own shows them, but not a second time."""
    caplog.set_level(logging.INFO, logger="builder")

    with progress_in_log(logging.getLogger("builder")):
        run_phases()
    with show_progress(stream=StringIO()), progress_in_log(logging.getLogger("builder")):
        run_phases()

    assert caplog.messages == ["Reading the contract", "Rendering pages"]


def test_a_terminal_has_one_line_that_is_updated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each phase and count replaces the one before, and the line is empty at the end."""
    monkeypatch.delenv("CI", raising=False)
    terminal = Terminal()

    with show_progress(stream=terminal):
        run_phases()

    assert "\n" not in terminal.getvalue()
    *_, last, end = terminal.getvalue().split("\r\x1b[K")
    assert (last, end) == ("Rendering pages: 50", "")


def test_ci_with_a_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """CI systems that pretend to have a terminal keep every line."""
    monkeypatch.setenv("CI", "true")
    terminal = Terminal()

    with show_progress(stream=terminal):
        run_phases()

    assert terminal.getvalue().count("\n") == 2


def test_quiet_shows_nothing() -> None:
    """With --quiet a command reports problems only."""
    log = StringIO()

    with show_progress(quiet=True, stream=log):
        run_phases()

    assert log.getvalue() == ""
