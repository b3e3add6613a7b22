"""Values that differ from each other, for arrays whose items are unique."""

from typing import Any

import pytest

from devportal.contract.regex import matches_pattern
from devportal.differ import compare
from devportal.differ.rule import Verdict
from devportal.differ.witnesses.distinct_values import distinct_values
from tests.differ.exchanges import api_of, body


@pytest.mark.parametrize("value", ["bed", "2026-01-31", 7, 0.5, {"ward": "A1"}, [["a"]]])
def test_values_differ_from_the_first_and_each_other(value: Any) -> None:
    """They are of the same type."""
    values = [*distinct_values(value, 9, lambda _: True)]

    assert len(values) == 9
    assert all(type(each) is type(value) and each != value for each in values)
    assert len({repr(each) for each in values}) == 9


def test_only_what_is_allowed_is_among_them() -> None:
    """There may be fewer than asked for."""
    assert [*distinct_values("A1", 99, lambda value: matches_pattern("^A[1-3]$", value))] == ["A2", "A3"]
    assert [*distinct_values(None, 9, lambda _: True)] == []
    assert [*distinct_values(1, 0, lambda _: True)] == []


@pytest.mark.parametrize(
    "items",
    [
        {"type": "string"},
        {"type": "string", "format": "uuid"},
        {"type": "string", "format": "date"},
        {"type": "string", "pattern": "^[A-Z]{2}$"},
        {"type": "integer", "minimum": 1, "maximum": 12},
        {"type": "object", "required": ["bed"], "properties": {"bed": {"type": "string"}}},
    ],
)
def test_a_list_of_unique_items_shows_that_fewer_are_allowed(items: Any) -> None:
    """Equal items would be refused by both contracts, and show nothing."""
    old = {"type": "array", "items": items, "uniqueItems": True, "maxItems": 10}

    before, after = (
        api_of(body({"application/json": {"schema": {**old, "maxItems": most}}})) for most in (10, 5)
    )
    (change,) = compare(before, after).changes

    assert (change.rule, change.verdict) == ("schema.max-items.lowered", Verdict.BREAKING)
    assert change.witness_search is not None
    assert change.witness_search.witness is not None
