"""Members are set in a text, and nothing else of it changes."""

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.documents import parse_document
from devportal.documents.member_edits import UneditableText, remove_member, set_member

DAY = dt.date(2026, 11, 2)
ROW = {"reason": "a: #b", "date": DAY, "places": ["GET /a"]}
BLOCK = """\
# Our policy.
rules:   # verdicts
  a.b: off

accepted:
  # the first
  "1":
    reason: |
      Two
      lines.
    date: 2026-01-01   # with Ada
  # between

# after
last: 1
"""


def data(text: str) -> Any:
    """Return the data of a text."""
    return parse_document(text, name="x.yaml").data


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a comment\n",
        "rules: {a.b: off}\n",
        "rules: {a.b: off}",
        "accepted:\n",
        "accepted:",
        "accepted:   # none yet\nlast: 1\n",
        "accepted: {}   # none yet\nlast: 1\n",
        "accepted: null\nlast: 1\n",
        BLOCK,
        BLOCK.replace("\n", "\r\n"),
        "accepted: {'1': {reason: x, date: 2026-01-01}}\nlast: 1\n",
        "accepted: {'1': {reason: x, date: 2026-01-01},}\n",
        "{}",
        '{"rules": {}}\n',
        '{\n  "accepted": {\n    "1": {"reason": "x"}\n  },\n  "last": 1\n}\n',
        '{"accepted": {}}',
    ],
)
def test_a_member_is_added(text: str) -> None:
    """In every style of a file; all that was there is there still, each line of it, in its order."""
    edited = set_member(text, ("accepted", "22"), ROW)

    before = data(text) or {}
    expected = {**before, "accepted": {**(before.get("accepted") or {}), "22": {**ROW, "date": str(DAY)}}}
    assert data(edited) == expected
    comments = [line for line in text.splitlines() if line.lstrip().startswith("#")]
    assert [line for line in edited.splitlines() if line.lstrip().startswith("#")] == comments
    assert ("\r\n" in edited) == ("\r\n" in text)
    assert edited.count("\n") == edited.count("\r\n") or "\r\n" not in edited


def test_a_new_member_stands_after_the_last_one() -> None:
    """Before the comments that follow, in the indentation of its neighbours."""
    edited = set_member(BLOCK, ("accepted", "22"), {"reason": "x"})

    assert edited == BLOCK.replace("# with Ada\n", '# with Ada\n  "22":\n    reason: "x"\n')


def test_a_value_is_replaced_in_its_line() -> None:
    """The comment behind it stays."""
    assert set_member(BLOCK, ("accepted", "1", "date"), DAY) == BLOCK.replace("2026-01-01", "2026-11-02")


def test_a_text_of_several_lines_is_replaced() -> None:
    """By one in quotes."""
    edited = set_member(BLOCK, ("accepted", "1", "reason"), "New.")

    assert data(edited)["accepted"]["1"] == {"reason": "New.", "date": "2026-01-01"}
    assert "# with Ada" in edited


@pytest.mark.parametrize(
    "text",
    ["a:\n  places:\n  - x\n  - y\n  b: 1\n", "a:\n  places:\n    - x\n  b: 1\n", "a: {places: [x], b: 1}\n"],
)
def test_a_list_is_replaced(text: str) -> None:
    """In its style."""
    assert data(set_member(text, ("a", "places"), ["p: #1", "q"])) == {
        "a": {"places": ["p: #1", "q"], "b": 1}
    }


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a:\n  b: 1   # one\n  # two\n  c: 2\n", "a:\n  # two\n  c: 2\n"),
        ("a:\n  b:\n  - 1\n  - 2\n  # two\n  c: 2\n", "a:\n  # two\n  c: 2\n"),
        ("a:\n  c: 2\n  b: 1", "a:\n  c: 2\n"),
        ("a: {b: 1, c: 2}\n", "a: {c: 2}\n"),
        ("a: {c: 2, b: 1}\n", "a: {c: 2}\n"),
        ("a: {c: 2}\n", "a: {c: 2}\n"),
        ("a: 1\n", "a: 1\n"),
    ],
)
def test_a_member_is_removed(text: str, left: str) -> None:
    """With its line, or its comma; what is not there is left out as it is."""
    assert remove_member(text, ("a", "b")) == left


@pytest.mark.parametrize("text", ["accepted: 1\n", "- 1\n", "accepted: [\n"])
def test_what_is_no_mapping_is_refused(text: str) -> None:
    """Nothing is overwritten."""
    with pytest.raises(UneditableText):
        set_member(text, ("accepted", "22"), ROW)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30))
def test_any_reason_is_read_as_it_was_written(reason: str) -> None:
    """Whatever it has of the syntax of YAML."""
    for text in (BLOCK, '{"accepted": {}}'):
        assert data(set_member(text, ("accepted", "22"), {"reason": reason}))["accepted"]["22"] == {
            "reason": reason
        }
