"""The text for terminals."""

import re
from dataclasses import replace
from typing import Any

from devportal.contract import ABSENT
from devportal.differ.output import DiffResult, diff_report
from devportal.differ.output.wording import format_old_and_new
from devportal.reporting import terminal
from devportal.reporting.terminal import Screen

from .comparing import diff_between, small_diff, small_with_witnesses, with_operations, with_path


def many_paths(letter: str) -> dict[str, Any]:
    """Return a contract with many operations."""
    pairs = (with_path(f"/{letter}{number:03}", f"{letter}{number}") for number in range(150))
    return {"paths": {path: item for pair in pairs for path, item in pair["paths"].items()}}


MANY = diff_between(many_paths(""), many_paths("n"))


def to_text(result: DiffResult, screen: Screen = Screen()) -> str:  # noqa: B008 - a constant
    """Return what a terminal gets."""
    return terminal.to_text(diff_report(result), screen)


def test_what_breaks_is_in_the_first_lines() -> None:
    """The counts are in the first five lines, the first breaking change in the next five."""
    lines = to_text(small_diff()).splitlines()

    assert lines[3].startswith("1 breaking, 2 risky")
    assert "maxLength is lowered from 200 to 80" in "\n".join(lines[5:10])


def test_first_three_users_are_named() -> None:
    """The others are counted."""
    written = to_text(diff_between(with_operations(15, 20), with_operations(15, 10)))

    named = "POST /notes/000 request, POST /notes/001 request, POST /notes/002 request and 12 more"
    assert f"used by {named} old.json" in " ".join(written.split()).replace("new.json", "old.json")


def test_value_is_shown_where_the_sentence_does_not_say_it() -> None:
    """And not twice."""
    written = to_text(small_diff())

    assert 'old → new  none → "number"' in written
    assert "200 → 80" not in written


def test_accepted_change_says_why() -> None:
    """With the day and the reason of the policy."""
    assert "accepted  2026-11-02: Nobody has called it since March" in to_text(small_diff())


def test_file_has_no_colours_and_no_broken_lines() -> None:
    """What is not a terminal gets text that can be searched."""
    assert "\x1b" not in to_text(small_diff())


def test_terminal_has_colours_and_lines_that_fit() -> None:
    """Without its colours the text says the same words."""
    narrow = to_text(small_diff(), Screen(colour=True, width=60))
    bare = re.sub(r"\x1b\[[0-9;]*m", "", narrow)

    assert bare != narrow
    assert "".join(bare.split()) == "".join(to_text(small_diff()).split())
    facts = [line for line in bare.splitlines() if line.startswith("    ")]
    assert all(len(line) <= 60 for line in facts if "old.yaml" not in line)


def test_day_of_a_sunset_is_told_once_and_without_quotes() -> None:
    """In every sentence that has one; what is no day is quoted."""

    def diff_text(old: str, new: str) -> str:
        before, after = (
            {
                "paths": {
                    "/a": {"get": {"deprecated": True, "responses": {}, **({"x-sunset": day} if day else {})}}
                }
            }
            for day in (old, new)
        )
        written = to_text(diff_between(before, after))
        assert "old → new" not in written
        return written

    assert "stops working on 2027-01-31\n" in diff_text("", "2027-01-31")
    assert "works until 2027-02-28 instead of 2027-01-31\n" in diff_text("2027-01-31", "2027-02-28")
    assert "stops working on 2027-01-31 instead of 2027-02-28\n" in diff_text("2027-02-28", "2027-01-31")
    assert "the sunset 2027-01-31 is removed\n" in diff_text("2027-01-31", "")
    assert 'the sunset "2027-02-30" is not a date' in diff_text("", "2027-02-30")
    assert 'the sunset "2027-02-30" is removed' in diff_text("2027-02-30", "")


def test_witness_is_a_small_block() -> None:
    """Its labels stand in one column with the other facts."""
    written = to_text(small_with_witnesses())

    assert '\n      sent in 1.5.0        200 OK  {"id": "p_1", "state": "lost"}\n' in written
    assert '\n      never sent in 1.4.0  /state: "lost" is not one of "sent" and "delivered"\n' in written
    assert "\n      no witness found within 200 tries\n" in written


def test_changes_stand_below_their_subject() -> None:
    """The verdict and the subject are named once, not on each change."""
    written = to_text(small_diff())

    assert written.count("  schema Parcel\n") == 3
    assert "\n  schema Parcel\n    note, received by clients: " in written
    assert "\n    weight, received by clients: " in written
    assert "breaking  " not in written


def test_removed_operation_is_one_sentence() -> None:
    """Its subject is not said twice."""
    assert "\n  DELETE /parcels/{id} is removed\n" in to_text(small_diff())


def test_first_changes_keep_all_facts_if_not_all_fit() -> None:
    """The next ones are a sentence with its place, and the others are counted by rule."""
    written = to_text(MANY, Screen(height=100))

    assert re.search(
        r"\n  GET /000 is removed\n      old\.json:\S+  operation\.removed  [0-9a-f]{16}\n", written
    )
    assert re.search(r"\n  GET /040 is removed \(old\.json:\S+\)\n", written)
    assert re.search(r"\n  … \d+ more changes: \d+ operation\.removed\n", written)


def test_every_group_has_some_lines_if_not_all_fit() -> None:
    """However many graver changes there are; each change is listed or counted."""
    written = to_text(MANY, Screen(height=100))
    left_out = sum(int(number) for number in re.findall(r"… (\d+) (?:more )?changes?:", written))
    total = len(MANY.comparison.changes)

    assert "\nCOMPATIBLE (150)" in written
    assert written.count(" is added, on a new path (") >= 2
    assert f"{total - left_out} of {total} changes listed. --all lists every change" in written
    assert len(written.splitlines()) < 125


def test_whole_text_has_every_change() -> None:
    """A file is not cut."""
    written = to_text(MANY)

    assert written.count(" is removed\n") == 150
    assert written.count(" is added, on a new path\n") == 150
    assert "--all" not in written


def test_values_that_read_the_same_are_not_shown() -> None:
    """A renamed property has the same type before and after."""
    change = replace(small_diff().comparison.changes[0], message="renamed", old="string", new="string")

    assert format_old_and_new(change) == ""
    assert format_old_and_new(replace(change, new="number")) == '"string" → "number"'


def test_value_of_several_words_is_not_repeated() -> None:
    """The sentence names it without quotes."""
    message = "the required header parameter X-Trace is added"
    change = replace(
        small_diff().comparison.changes[0], message=message, old=ABSENT, new="header parameter X-Trace"
    )

    assert format_old_and_new(change) == ""
