"""Changes as pages show them."""

from devportal.changelog.differences import GROUP_NODES, LONGEST, Group, Row, parts_of, value_text
from devportal.contract import ABSENT
from devportal.differ import Verdict


def group(count: int) -> Group:
    """Return a group of so many changes."""
    row = Row(
        verdict=Verdict.RISKY, sentence="x", hint="", rule="r", place="", uri="", before=None, after=None
    )
    return Group(word="Schema", method="", name="A", uri="", rows=(row,) * count)


def test_many_changes_are_divided_and_none_is_lost() -> None:
    """No part takes more elements than a page has room for, even where one operation has them all."""
    parts = parts_of([group(3), group(200), group(1)], most=500)

    assert all(sum(one.nodes for one in part) <= 500 for part in parts)
    assert sum(len(one.rows) for part in parts for one in part) == 204


def test_a_part_may_hold_nothing_but_a_head_and_a_row() -> None:
    """However little room there is, each change is shown."""
    assert len(parts_of([group(2)], most=GROUP_NODES)) == 2


def test_values_are_shown_as_they_are_written() -> None:
    """Texts stand without quotes, others as JSON, long ones are cut, and what is not there is nothing."""
    assert value_text(ABSENT) is None
    assert value_text("a") == "a"
    assert value_text(None) == "null"
    assert value_text(["a", 1]) == '["a", 1]'
    assert value_text("a" * 200) == "a" * (LONGEST - 1) + "…"
