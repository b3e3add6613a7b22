"""Changes as pages show them."""

import copy
from typing import Any

import pytest

from devportal.changelog.pages.differences import (
    GROUP_NODES,
    LONGEST,
    ChangeGroup,
    ChangeRow,
    group_changes,
    split_into_pages,
    value_text,
)
from devportal.changelog.pages.rendering import no_link
from devportal.changelog.proof.edits import join_directions
from devportal.changelog.proof.severity import Severity
from devportal.contract import ABSENT, Api, read_contract
from devportal.differ import compare
from devportal.differ.phrase import shown_text
from devportal.documents import parse_document, to_json
from tests.changelog.history import CONTRACT


def group(count: int) -> ChangeGroup:
    """Return a group of so many changes."""
    row = ChangeRow(
        severity=Severity.RISKY,
        sentence=shown_text("x"),
        hint=shown_text(""),
        rule="r",
        place="",
        uri="",
        before=None,
        after=None,
    )
    return ChangeGroup(word="Schema", method="", name="A", uri="", rows=(row,) * count)


def test_many_changes_are_divided_and_none_is_lost() -> None:
    """No part takes more elements than a page has room for, even where one operation has them all."""
    parts = split_into_pages([group(3), group(200), group(1)], most=500)

    assert all(sum(change_group.nodes for change_group in part) <= 500 for part in parts)
    assert sum(len(change_group.rows) for part in parts for change_group in part) == 204


def test_a_part_may_hold_nothing_but_a_head_and_a_row() -> None:
    """However little room there is, each change is shown."""
    assert len(split_into_pages([group(2)], most=GROUP_NODES)) == 2


def test_values_are_shown_as_they_are_written() -> None:
    """Texts stand without quotes, others as JSON, long ones are cut, and what is not there is nothing."""
    assert value_text(ABSENT) is None
    assert value_text("a") == "a"
    assert value_text(None) == "null"
    assert value_text(["a", 1]) == '["a", 1]'
    assert value_text({"exclusive": 5}) == "5 (exclusive)"
    assert value_text("a" * 200) == "a" * (LONGEST - 1) + "…"


def with_property(name: str, schema: dict[str, Any]) -> Api:
    """Return the small contract in which a new parcel has one property more."""
    contract = copy.deepcopy(CONTRACT)
    contract["components"]["schemas"]["NewParcel"]["properties"] = {"to": {"type": "string"}, name: schema}
    return read_contract(parse_document(to_json(contract), name="api.json")).api


@pytest.mark.parametrize("schema", [{"type": "string"}, {"$ref": "#/components/schemas/Parcel"}])
def test_a_renamed_property_is_a_removal_and_an_addition(schema: dict[str, Any]) -> None:
    """Each of the two rows names the other property."""
    changes = compare(with_property("remark", schema), with_property("remarks", schema)).changes

    groups = group_changes(join_directions(changes), no_link, ("1.0.0", "1.1.0"))
    shown = [row for group in groups for row in group.rows if row.place]

    sentences = {row.rule: row.sentence.text for row in shown}
    assert 'possibly renamed to "remarks"' in sentences["schema.property.removed"]
    assert 'possibly renamed from "remark"' in sentences["schema.property.added.optional"]
