"""Every format: whole outputs of the small pair, and nothing that depends on the run."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from devportal import __version__
from devportal.differ import Verdict
from devportal.reporting import Format

from .comparing import diff_between, hostile_diff, small_diff, small_with_witnesses, verdicts, write_diff

_ENDINGS = {
    Format.TEXT: "txt",
    Format.MARKDOWN: "md",
    Format.GITHUB: "commands.txt",
    Format.JUNIT: "junit.xml",
}
"""Of the golden files; those of the other formats end in its name."""


def test_the_small_pair_has_a_change_of_each_verdict() -> None:
    """Otherwise the golden files would not show how one is written."""
    assert {change.verdict for change in small_diff().comparison.changes} == set(Verdict)


@pytest.mark.parametrize("form", Format)
def test_whole_output(form: Format, golden: Callable[[str, str], None]) -> None:
    """A change of each verdict, one of them accepted and two with witnesses; whatever release makes it."""
    text = write_diff(small_with_witnesses(), form).replace(
        f'"semanticVersion": "{__version__}"', '"semanticVersion": "VERSION"'
    )

    golden(f"diffing/parcels.{_ENDINGS.get(form, form)}", text)


@pytest.mark.parametrize("form", Format)
def test_same_contracts_give_the_same_bytes(form: Format) -> None:
    """Read, compared and written twice."""
    assert write_diff(small_diff(), form) == write_diff(small_diff(), form)
    assert write_diff(hostile_diff(), form) == write_diff(hostile_diff(), form)


@pytest.mark.parametrize("form", [Format.TEXT, Format.MARKDOWN, Format.HTML, Format.GITHUB, Format.JUNIT])
def test_no_change_is_told(form: Format) -> None:
    """Whoever reads it knows that both were compared, and ends with a line break."""
    written = write_diff(diff_between({}, {}), form)

    assert "No change." in written
    assert written.endswith("\n")


@pytest.mark.parametrize("form", Format)
def test_only_some_verdicts_are_listed(form: Format) -> None:
    """Counts and outcome stay those of all changes."""
    whole = small_diff()
    risky = write_diff(replace(whole, shown=verdicts("risky")), form)

    assert "schema.enum.value.added" in risky
    assert "schema.max-length.lowered" not in risky
    assert replace(whole, shown=verdicts("risky")).fails is whole.fails is True


@pytest.mark.parametrize("form", [Format.TEXT, Format.MARKDOWN, Format.HTML, Format.SARIF, Format.JUNIT])
def test_codes_that_terminals_obey_are_escaped(form: Format) -> None:
    """Neither colours nor a change of the direction of writing come in from a contract or a file name."""
    written = write_diff(hostile_diff(), form)

    assert "\x1b" not in written
    assert "\u202e" not in written
    assert "alert(1)" in written
