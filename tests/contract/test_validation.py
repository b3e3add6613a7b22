"""What is told about values that fit no branch of a choice."""

import json
from typing import Any

import pytest

from devportal.contract.json_schema import Direction
from devportal.contract.validation import Validator
from tests.contract.inline import api

CIRCLE = (
    "{type: object, required: [kind, r], properties: {kind: {enum: [circle]}, r: {type: number, minimum: 0}}}"
)
SQUARE = "{type: object, required: [kind, side], properties: {kind: {const: square}, side: {type: number}}}"
NAMED = "{type: object, required: [name], properties: {name: {enum: [a, b]}}}"


def told(schema: str, value: Any) -> list[tuple[str, str]]:
    """Return place and keyword of each violation of a value."""
    found = api(f"components: {{schemas: {{S: {schema}}}}}\n", version="3.1.0")
    (root,) = (one for one in found.schemas.values() if one.name == "S")
    violations = Validator(found).violations(root, value, Direction.REQUEST)
    return [("/".join(one.pointer), one.keyword) for one in violations]


@pytest.mark.parametrize("choice", ["oneOf", "anyOf"])
def test_branch_that_is_meant_is_told(choice: str) -> None:
    """A member with a fixed value says which one it is, however it is written."""
    shapes = f"{{{choice}: [{CIRCLE}, {SQUARE}]}}"

    assert told(shapes, {"kind": "circle", "r": -1}) == [("r", "minimum")]
    assert told(shapes, {"kind": "square", "side": "long"}) == [("side", "type")]
    assert told(shapes, {"kind": "square"}) == [("", "required")]


def test_type_says_what_is_meant_too() -> None:
    """Of an object and a number, an object means the object."""
    assert told(f"{{oneOf: [{CIRCLE}, {{type: number}}]}}", {"kind": "circle", "r": -1}) == [("r", "minimum")]
    assert told(f"{{anyOf: [{SQUARE}, {{type: 'null'}}]}}", {"kind": "square"}) == [("", "required")]


def test_choices_in_choices_are_followed() -> None:
    """The innermost branch that is meant has the word."""
    inner = f"{{type: object, required: [shape], properties: {{shape: {{oneOf: [{CIRCLE}, {SQUARE}]}}}}}}"
    value = {"shape": {"kind": "circle", "r": -1}}

    assert told(f"{{oneOf: [{inner}, {{type: 'null'}}]}}", value) == [("shape/r", "minimum")]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (f"{{oneOf: [{CIRCLE}, {SQUARE}]}}", {"kind": "oval"}),
        (f"{{oneOf: [{CIRCLE}, {SQUARE}]}}", {}),
        (f"{{oneOf: [{CIRCLE}, {SQUARE}]}}", 5),
        (f"{{oneOf: [{NAMED}, {CIRCLE}]}}", {"name": "c"}),
        (f"{{oneOf: [{CIRCLE}, {CIRCLE}]}}", {"kind": "circle", "r": 1}),
    ],
)
def test_choice_that_nobody_can_make_is_told_as_a_whole(schema: str, value: Any) -> None:
    """Where no branch, or more than one, can be meant, none is picked."""
    assert told(schema, value) == [("", "oneOf")], json.dumps(value)
