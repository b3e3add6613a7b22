"""Rules of schemas for arrays: each with what it says to senders and to receivers."""

from typing import Any

import pytest

from devportal.differ import compare
from tests.differ.building import both_ways, rules_and_verdicts
from tests.differ.exchanges import api_of, body

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


@pytest.mark.parametrize(
    ("old", "new", "narrowed", "widened"),
    [
        ({}, {"minItems": 1}, "schema.min-items.raised", "schema.min-items.lowered"),
        ({"maxItems": 9}, {"maxItems": 5}, "schema.max-items.lowered", "schema.max-items.raised"),
        ({}, {"uniqueItems": True}, "schema.unique-items.on", "schema.unique-items.off"),
        ({}, {"items": TEXT}, "schema.items.set", "schema.items.unset"),
        ({}, {"prefixItems": [TEXT]}, "schema.prefix-items.added", "schema.prefix-items.removed"),
        ({}, {"contains": TEXT}, "schema.contains.set", "schema.contains.unset"),
        (
            {"contains": TEXT},
            {"contains": TEXT, "minContains": 2},
            "schema.min-contains.raised",
            "schema.min-contains.lowered",
        ),
        (
            {"contains": TEXT},
            {"contains": TEXT, "maxContains": 2},
            "schema.max-contains.lowered",
            "schema.max-contains.raised",
        ),
        ({}, {"unevaluatedItems": False}, "schema.unevaluated.set", "schema.unevaluated.unset"),
    ],
)
def test_a_limit_of_arrays_and_its_end(old: Any, new: Any, narrowed: str, widened: str) -> None:
    """A limit that comes breaks senders, one that goes breaks receivers."""
    left, right = {"type": "array", **old}, {"type": "array", **new}

    assert both_ways(left, right) == ([(narrowed, "breaking")], [(narrowed, "compatible")])
    assert both_ways(right, left) == ([(widened, "compatible")], [(widened, "breaking")])


@pytest.mark.parametrize("said", [{"items": {}}, {"minItems": 0}, {"items": True, "uniqueItems": False}])
def test_what_limits_nothing_is_no_change(said: Any) -> None:
    """Empty schemas and limits that every array keeps are as good as absent."""
    assert both_ways({"type": "array"}, {"type": "array", **said}) == ([], [])


def test_a_position_is_compared_with_what_was_said_of_all_items() -> None:
    """A schema of its own changes nothing if it is that of all items, and breaks both if it is another."""
    old = {"type": "array", "items": TEXT}

    assert rules_and_verdicts(old, {**old, "prefixItems": [TEXT]}) == [
        ("schema.prefix-items.added", "documentation")
    ]
    assert rules_and_verdicts(old, {**old, "prefixItems": [WHOLE]}) == [
        ("schema.prefix-items.added", "breaking")
    ]
    assert rules_and_verdicts({**old, "prefixItems": [WHOLE]}, old) == [
        ("schema.prefix-items.removed", "breaking")
    ]


def test_items_are_compared_on_their_own() -> None:
    """A change within the items is told there."""
    old, new = ({"type": "array", "items": {"type": "string", "maxLength": item}} for item in (9, 5))

    assert rules_and_verdicts(old, new) == [("schema.max-length.lowered", "breaking")]


def test_limits_of_arrays_beside_another_type_are_no_change() -> None:
    """What only arrays keep decides nothing for a text."""
    assert [rule for rule, _ in rules_and_verdicts(TEXT, {**TEXT, "minItems": 1})] in (
        [],
        ["schema.without-effect.changed"],
    )


@pytest.mark.parametrize(
    ("counts", "added", "removed"),
    [
        ({}, "at least one item must now be", "no item has to be"),
        ({"minContains": 2}, "must now be at least 2 (contains)", "no item has to be"),
        (
            {"minContains": 0, "maxContains": 4},
            "must now be at most 4 (contains)",
            "any number of items can now be",
        ),
        (
            {"minContains": 2, "maxContains": 4},
            "must now be from 2 to 4 (contains)",
            "any number of items can now be",
        ),
    ],
)
def test_how_many_items_are_limited_is_said(counts: dict[str, int], added: str, removed: str) -> None:
    """Other counts are other changes, so that the acknowledgement of one does not accept another."""
    schema = {"type": "array", "contains": {"const": "a"}, **counts}
    old, new = (api_of(body({"application/json": {"schema": each}})) for each in ({"type": "array"}, schema))
    stricter = api_of(body({"application/json": {"schema": {**schema, "minContains": 3}}}))

    (come,), (gone,) = compare(old, new).changes, compare(new, old).changes
    (other,) = compare(old, stricter).changes

    assert added in come.message
    assert removed in gone.message
    assert come.fingerprint != other.fingerprint
