"""Branches of which no value keeps both, and branches of which one may."""

from typing import Any

import pytest

from devportal.differ.overlap import are_apart, may_cover
from tests.differ.building import form_of

SHORT = {"type": "string", "maxLength": 3}


@pytest.mark.parametrize(
    ("low", "high", "is_apart"),
    [
        ({"maximum": 5}, {"minimum": 5}, False),
        ({"maximum": 5}, {"exclusiveMinimum": 5}, True),
        ({"exclusiveMaximum": 5}, {"minimum": 5}, True),
        ({"exclusiveMaximum": 5}, {"exclusiveMinimum": 5}, True),
        ({"maximum": 5}, {"minimum": 5.5}, True),
        ({"exclusiveMaximum": 6}, {"exclusiveMinimum": 5}, False),
        ({"maximum": 5}, {"maximum": 9}, False),
        ({"minimum": 5}, {"minimum": 9}, False),
    ],
)
def test_ranges_that_only_touch_meet_where_both_hold_the_end(
    low: dict[str, Any], high: dict[str, Any], *, is_apart: bool
) -> None:
    """An end that one of two ranges leaves out is in neither, whichever branch is the new one."""
    one, other = form_of({"type": "number", **low}), form_of({"type": "number", **high})

    assert are_apart(one, other) is is_apart
    assert are_apart(other, one) is is_apart


@pytest.mark.parametrize(
    ("one", "other", "is_apart"),
    [
        (SHORT, {"type": "string", "minLength": 4}, True),
        (SHORT, {"type": "string", "minLength": 3}, False),
        (SHORT, {"minLength": 4}, False),
        (SHORT, {"type": "integer"}, True),
        ({"type": "integer"}, {"type": "number"}, False),
        ({"enum": [1, "a"]}, {"enum": ["a", 2]}, False),
        ({"enum": [1]}, {"enum": ["1"]}, True),
        (False, {}, True),
    ],
)
def test_types_lengths_and_values_tell_branches_apart(one: Any, other: Any, *, is_apart: bool) -> None:
    """A bound does so only where no value of another type keeps both."""
    assert are_apart(form_of(one), form_of(other)) is is_apart
    assert are_apart(form_of(other), form_of(one)) is is_apart


@pytest.mark.parametrize(
    ("wide", "narrow", "may"),
    [
        ({}, {"required": ["a"]}, True),
        ({"required": ["a"]}, {"required": ["a", "b"]}, False),
        ({"required": ["a"]}, {"required": []}, False),
        ({"required": []}, {"required": ["a"]}, True),
    ],
)
def test_an_object_covers_those_with_its_required_properties(
    wide: dict[str, Any], narrow: dict[str, Any], *, may: bool
) -> None:
    """A branch that asks for more, or does not know a property, covers no branch that may lack it."""
    properties = {"a": {"type": "string"}}
    first = form_of({"type": "object", "properties": properties, **wide})
    second = form_of({"type": "object", "properties": properties, **narrow})

    assert may_cover(first, second) is may
