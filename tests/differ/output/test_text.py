"""The text for terminals."""

import re

from devportal.differ.output import DiffResult, diff_report
from devportal.reporting import terminal
from devportal.reporting.terminal import Screen

from .comparing import between, small, with_operations


def to_text(result: DiffResult, screen: Screen = Screen()) -> str:  # noqa: B008 - a constant
    """Return what a terminal gets."""
    return terminal.to_text(diff_report(result), screen)


def test_what_breaks_is_in_the_first_lines() -> None:
    """The counts are in the first five lines, the first breaking change in the next five."""
    lines = to_text(small()).splitlines()

    assert lines[3].startswith("1 breaking, 2 risky")
    assert "the longest text allowed is lowered from 200 to 80 characters" in "\n".join(lines[5:10])


def test_first_three_users_are_named() -> None:
    """The others are counted."""
    written = to_text(between(with_operations(15, 20), with_operations(15, 10)))

    named = "POST /notes/000 request, POST /notes/001 request, POST /notes/002 request and 12 more"
    assert f"used by     {named}\n" in written


def test_value_is_shown_where_the_sentence_does_not_say_it() -> None:
    """And not twice."""
    written = to_text(small())

    assert 'old → new   none → "number"' in written
    assert "200 → 80" not in written


def test_accepted_change_says_why() -> None:
    """With the day and the reason of the policy."""
    assert "accepted    2026-11-02: Nobody has called it since March" in to_text(small())


def test_file_has_no_colours_and_no_broken_lines() -> None:
    """What is not a terminal gets text that can be searched."""
    assert "\x1b" not in to_text(small())


def test_terminal_has_colours_and_lines_that_fit() -> None:
    """Without its colours the text says the same words."""
    narrow = to_text(small(), Screen(colour=True, width=60))
    bare = re.sub(r"\x1b\[[0-9;]*m", "", narrow)

    assert bare != narrow
    assert bare.split() == to_text(small()).split()
    facts = [line for line in bare.splitlines() if line.startswith("    ")]
    assert all(len(line) <= 60 for line in facts if "old.yaml" not in line)


def test_day_of_a_sunset_is_told_once_and_without_quotes() -> None:
    """In every sentence that has one; what is no day is quoted."""

    def told(old: str, new: str) -> str:
        before, after = (
            {
                "paths": {
                    "/a": {"get": {"deprecated": True, "responses": {}, **({"x-sunset": day} if day else {})}}
                }
            }
            for day in (old, new)
        )
        written = to_text(between(before, after))
        assert "old → new" not in written
        return written

    assert "stops working on 2027-01-31\n" in told("", "2027-01-31")
    assert "works until 2027-02-28 instead of 2027-01-31\n" in told("2027-01-31", "2027-02-28")
    assert "stops working on 2027-01-31 already, not on 2027-02-28\n" in told("2027-02-28", "2027-01-31")
    assert "the sunset 2027-01-31 is gone\n" in told("2027-01-31", "")
    assert 'the sunset "2027-02-30" is no date' in told("", "2027-02-30")
    assert 'the sunset "2027-02-30" is gone' in told("2027-02-30", "")
