"""What a look shows to be valid is valid to a validator too, in both directions; most examples are so."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devportal.contract import Api
from devportal.contract.validate.json_schema import Direction, Reading
from devportal.contract.validate.plain_validity import is_plainly_valid
from devportal.contract.validate.validator import Validator
from tests.differ.building import api_with, schema_in
from tests.differ.oracle import drawn_value
from tests.differ.strategies import drawn_pair

drawn = settings(derandomize=True, database=None, max_examples=3 * settings().max_examples)
TEXT = {"type": "string"}
CLOSED = {"type": "object", "properties": {"a": TEXT}, "additionalProperties": False}
PET = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": TEXT, "next": {"$ref": "#/components/schemas/Pet"}},
}
KINDS = {
    "oneOf": [{"type": "string", "const": "cat"}, {"type": "string", "const": "dog"}, {"type": "integer"}]
}


def has_violations(api: Api, value: Any) -> bool:
    """Say whether a validator finds anything wrong with a value, whichever way it travels."""
    validator = Validator(api)
    return any(any(validator.violations(schema_in(api), value, direction)) for direction in Direction)


def is_plain(schema: Any, value: Any, *, version: str = "3.1.0", **shared: Any) -> bool:
    """Say whether a value is plainly valid; if it is, a validator finds nothing wrong with it."""
    api = api_with(schema, shared, version=version)
    found = is_plainly_valid(api, schema_in(api), value)
    assert not (found and has_violations(api, value))
    return found


@drawn
@given(rng=st.randoms(use_true_random=False))
def test_nothing_wrong_is_plainly_valid(rng: Any) -> None:
    """Whatever the schema, a validator finds nothing wrong with such a value."""
    pair = drawn_pair(rng)
    api = api_with(pair.old, pair.old_shared)
    plain = [
        value
        for value in (drawn_value(rng) for _ in range(20))
        if is_plainly_valid(api, schema_in(api), value)
    ]

    assert not any(has_violations(api, value) for value in plain)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({}, None),
        (True, {"any": ["thing", 1.5]}),
        ({"type": ["string", "null"]}, None),
        ({"type": "number"}, 3),
        ({"type": "string", "format": "uri"}, "https://example.com/a"),
        ({"type": "string", "pattern": "^[a-z]+$"}, "abc"),
        ({"type": "string", "minLength": 1, "maxLength": 3}, "äöü"),
        ({"enum": ["a", 1, True]}, 1),
        ({"type": "array", "items": TEXT, "maxItems": 2}, ["a", "b"]),
        (CLOSED, {"a": "b"}),
        ({"type": "object", "additionalProperties": TEXT}, {"a": "b", "c": "d"}),
        ({"$ref": "#/components/schemas/Pet"}, {"name": "a", "next": {"name": "b"}}),
        ({"allOf": [CLOSED, {"required": ["a"]}]}, {"a": "b"}),
        ({"anyOf": [{"type": "integer"}, TEXT]}, "a"),
        (KINDS, "dog"),
        (KINDS, 5),
    ],
)
def test_a_look_shows_what_is_valid(schema: Any, value: Any) -> None:
    """Types, texts, limits, members and branches that others cannot be meant by need no validator."""
    assert is_plain(schema, value, Pet=PET)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (False, 1),
        ({"type": "string"}, None),
        ({"type": "string"}, "\ud800"),
        ({"type": "integer"}, True),
        ({"type": "boolean"}, 1),
        ({"type": "integer"}, 2**53 + 1),
        ({"type": "integer"}, 1.5),
        ({"type": "number"}, float("nan")),
        ({"type": "string", "format": "uri"}, "no address"),
        ({"type": "string", "pattern": "^[a-z]+$"}, "Abc"),
        ({"type": "string", "maxLength": 2}, "äöü"),
        ({"type": "integer", "multipleOf": 2}, 3),
        ({"type": "integer", "minimum": 3}, 2),
        ({"enum": ["a", 1]}, True),
        ({"const": 1}, True),
        ({"type": "array", "items": TEXT}, ["a", 1]),
        ({"type": "array", "prefixItems": [TEXT]}, [1]),
        ({"type": "array", "uniqueItems": True}, ["a", "a"]),
        (CLOSED, {"a": "b", "c": "d"}),
        ({"type": "object", "additionalProperties": TEXT}, {"a": 1}),
        ({"type": "object", "patternProperties": {"^x": TEXT}}, {"x": 1}),
        ({"type": "object", "propertyNames": {"maxLength": 1}}, {"long": 1}),
        ({"$ref": "#/components/schemas/Pet"}, {"name": "a", "next": {}}),
        ({"$ref": "#/components/schemas/Loop"}, 1),
        ({"not": TEXT}, "a"),
        ({"allOf": [TEXT, {"maxLength": 1}]}, "ab"),
        ({"anyOf": [{"type": "integer"}, TEXT]}, 1.5),
        ({"oneOf": [TEXT, {"maxLength": 3}]}, "a"),
        (KINDS, "cow"),
        ({"oneOf": [{"enum": [1.0]}, {"type": "integer"}]}, 1),
    ],
)
def test_all_else_is_left_to_a_validator(schema: Any, value: Any) -> None:
    """What is wrong, what may be, and what no look decides is not plainly valid."""
    assert not is_plain(schema, value, Pet=PET, Loop={"allOf": [{"$ref": "#/components/schemas/Loop"}]})


def test_an_example_that_is_plainly_valid_needs_no_validator() -> None:
    """It is not compiled; a schema that is taken more strictly is."""
    api = api_with({"type": "string", "nullable": True, "enum": ["a"]}, {}, version="3.0.3")
    as_meant, strict = Validator(api), Validator(api, reading=Reading(has_exact_null=True))

    assert as_meant.is_valid(schema_in(api), None, Direction.REQUEST)
    assert not as_meant._compiled
    assert not strict.is_valid(schema_in(api), None, Direction.REQUEST)


def test_schemas_made_of_each_other_too_often_are_left() -> None:
    """A diamond on each of thirty levels has a thousand million ways to the last."""
    shared = {
        f"L{level}": {
            "allOf": [
                {"$ref": f"#/components/schemas/L{level + 1}"},
                {"allOf": [{"$ref": f"#/components/schemas/L{level + 1}"}]},
            ]
        }
        for level in range(30)
    }
    api = api_with({"$ref": "#/components/schemas/L0"}, {**shared, "L30": TEXT})

    assert not is_plainly_valid(api, schema_in(api), "a")
