"""Branches of which no value keeps both, and branches of which one may."""

from typing import Any

import pytest

from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.schemas.unions.branch_overlap import are_disjoint, may_cover, may_overlap
from tests.differ.building import api_with, form_of, schema_in

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

    assert are_disjoint(one, other) is is_apart
    assert are_disjoint(other, one) is is_apart


@pytest.mark.parametrize(
    ("first", "other", "is_apart"),
    [
        (SHORT, {"type": "string", "minLength": 4}, True),
        (SHORT, {"type": "string", "minLength": 3}, False),
        (SHORT, {"minLength": 4}, False),
        (SHORT, {"type": "integer"}, True),
        ({"type": "integer"}, {"type": "number"}, False),
        ({"enum": [1, "a"]}, {"enum": ["a", 2]}, False),
        ({"enum": [1]}, {"enum": ["1"]}, True),
        ({"enum": ["none"]}, {"type": "string", "minLength": 10}, True),
        ({"enum": ["none", "a" * 10]}, {"type": "string", "minLength": 10}, False),
        ({"enum": ["none"]}, {"type": "string", "pattern": "^[0-9]+$"}, True),
        ({"enum": ["none"]}, {"type": "string", "pattern": "(?<year>)(?R"}, False),
        ({"enum": [-1]}, {"type": "integer", "minimum": 0}, True),
        ({"enum": [-1]}, {"minimum": 0}, False),
        (False, {}, True),
        ({"maximum": 5}, {"minimum": 6}, False),
        ({"type": "number", "maximum": 5}, {"minimum": 6}, True),
    ],
)
def test_types_lengths_and_values_tell_branches_apart(first: Any, other: Any, *, is_apart: bool) -> None:
    """A bound does so only where no value of another type keeps both."""
    assert are_disjoint(form_of(first), form_of(other)) is is_apart
    assert are_disjoint(form_of(other), form_of(first)) is is_apart


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


def _may_meet(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Say whether objects of an old branch may keep a new one."""
    old_forms, new_forms = (SchemaNormaliser(api_with({"type": "object", **item})) for item in (old, new))
    old_form, new_form = (forms.of(schema_in(forms.api)) for forms in (old_forms, new_forms))
    return may_overlap(old_form, old_forms, new_form, new_forms)


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
TEXT_OR_NULL, NUMBER_OR_NULL = {"type": ["string", "null"]}, {"type": ["integer", "null"]}


@pytest.mark.parametrize(
    ("old", "new", "may"),
    [
        ({"properties": {"a": TEXT}}, {"properties": {"a": NUMBER}}, True),
        ({"properties": {"a": TEXT}, "required": ["a"]}, {"properties": {"a": NUMBER}}, False),
        ({"properties": {"a": TEXT}}, {"properties": {"a": NUMBER}, "required": ["a"]}, False),
        ({"properties": {"a": TEXT_OR_NULL}, "required": ["a"]}, {"properties": {"a": NUMBER}}, False),
        (
            {"properties": {"a": TEXT_OR_NULL}, "required": ["a"]},
            {"properties": {"a": NUMBER_OR_NULL}},
            True,
        ),
        ({"properties": {"a": TEXT}, "required": ["a"]}, {"properties": {"a": TEXT}}, True),
    ],
)
def test_a_property_that_has_to_be_there_tells_objects_apart(
    old: dict[str, Any], new: dict[str, Any], *, may: bool
) -> None:
    """It does where no value of it keeps both branches; one that may be missing tells nothing."""
    assert _may_meet(old, new) is may


@pytest.mark.parametrize(
    ("old", "new", "may"),
    [
        ({"properties": {"a": TEXT}}, {"properties": {"b": TEXT}, "required": ["b"]}, False),
        ({"properties": {"a": TEXT}}, {"properties": {"a": TEXT}, "required": ["a"]}, True),
        ({"required": ["a"]}, {"additionalProperties": False}, False),
        ({"properties": {"a": TEXT}}, {"additionalProperties": False}, True),
        ({"required": ["a"]}, {"additionalProperties": False, "patternProperties": {"^a": TEXT}}, True),
        ({"required": ["a"]}, {"additionalProperties": False, "properties": {"a": TEXT}}, True),
    ],
)
def test_a_property_that_one_branch_does_not_know_tells_objects_apart(
    old: dict[str, Any], new: dict[str, Any], *, may: bool
) -> None:
    """The new branch asks for one that the old does not list, or refuses one that the old asks for."""
    assert _may_meet(old, new) is may
