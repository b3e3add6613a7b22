"""Schemas of the model as JSON Schema, and values held to them."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from devportal.contract import Api, Schema
from devportal.contract.validate.json_schema import Direction, to_json_schema
from devportal.contract.validate.validator import ValidationIssue, Validator
from tests.contract.inline import api

MARKED = "properties: {r: {readOnly: true}, w: {writeOnly: true}}"
SHARED = (
    "S: {required: [r, w], properties: {r: {$ref: '#R'}, w: {$ref: '#W'}}}, "
    "R: {$anchor: R, readOnly: true}, W: {$anchor: W, writeOnly: true}"
)
"""Two properties of which each travels in one direction only, and the same with shared schemas."""


def schemas_of(text: str, *, version: str = "3.1.0") -> tuple[Api, Schema]:
    """Return a contract and its schema `S`."""
    found = api(f"components: {{schemas: {{{text}}}}}\n", version=version)
    return found, next(schema for schema in found.schemas.values() if schema.name == "S")


def is_valid(
    text: str, value: Any, direction: Direction = Direction.RESPONSE, *, version: str = "3.1.0"
) -> bool:
    """Say whether a value keeps the schema `S`."""
    found, schema = schemas_of(text, version=version)
    return Validator(found).is_valid(schema, value, direction)


@pytest.mark.parametrize(
    ("version", "text", "allows_null"),
    [
        ("3.0.3", "S: {type: string, nullable: true}", True),
        ("3.0.3", "S: {type: string, nullable: true, enum: [a]}", True),
        ("3.0.3", "S: {nullable: true, allOf: [{type: string}]}", True),
        ("3.0.3", "S: {nullable: true, anyOf: [{type: string}, {type: integer}]}", True),
        ("3.0.3", "S: {type: string}", False),
        ("3.1.0", "S: {type: [string, 'null']}", True),
        ("3.1.0", "S: {type: [string, 'null'], minLength: 2}", True),
        ("3.1.0", "S: {anyOf: [{type: string}, {type: 'null'}]}", True),
        ("3.1.0", "S: {type: [string, 'null'], enum: [a]}", False),
        ("3.1.0", "S: {type: string, nullable: true}", False),
    ],
)
def test_null_is_allowed_where_the_contract_says_so(version: str, text: str, allows_null: bool) -> None:  # noqa: FBT001
    """However null is spelled, it validates, and the other branch still counts."""
    assert is_valid(text, None, version=version) is allows_null
    assert is_valid(text, ["wrong"], version=version) is False


@pytest.mark.parametrize("text", ["S: {type: 'null'}", "S: {oneOf: [{type: 'null'}]}", "S: {const: null}"])
def test_a_schema_of_null_alone_allows_nothing_else(text: str) -> None:
    """Only null validates."""
    assert is_valid(text, None)
    assert not is_valid(text, "a")
    assert not is_valid(text, 0)


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("S: {type: integer}", 1, 1.5),
        ("S: {type: integer}", 1.0, "1"),
        ("S: {const: 1}", 1, 2),
        ("S: {enum: [1, .inf]}", 1, None),
        ("S: {anyOf: [{const: .nan}, {const: 1}]}", 1, None),
        ("S: {enum: [a]}", "a", "b"),
        ("S: {exclusiveMinimum: 0}", 1, 0),
        ("S: {multipleOf: 0.1}", 0.3, 0.35),
        ("S: {pattern: '^a'}", "ab", "b"),
        ("S: {maxLength: 2}", "é€", "abc"),
        ("S: {type: string, format: date-time}", "2026-01-31T12:00:00Z", "2026-01-31"),
        ("S: {type: string, format: email}", "a@b.com", "a"),
        ("S: {type: string, format: uuid}", "123e4567-e89b-42d3-a456-426614174000", "x"),
        ("S: {type: array, items: {type: string}, uniqueItems: true}", ["a"], ["a", "a"]),
        ("S: {prefixItems: [{type: string}], items: false}", ["a"], ["a", 1]),
        ("S: {contains: {const: 1}, minContains: 2}", [1, 1], [1]),
        ("S: {properties: {a: {type: string}}, additionalProperties: false}", {"a": ""}, {"b": 1}),
        ("S: {patternProperties: {^x: {type: string}}}", {"x": ""}, {"x": 1}),
        ("S: {propertyNames: {maxLength: 1}}", {"a": 1}, {"ab": 1}),
        ("S: {required: [a]}", {"a": 1}, {}),
        ("S: {dependentRequired: {a: [b]}}", {"a": 1, "b": 1}, {"a": 1}),
        ("S: {dependentRequired: {a: [b, b]}}", {"a": 1, "b": 1}, {"a": 1}),
        ("S: {dependentSchemas: {a: {required: [b]}}}", {"b": 1}, {"a": 1}),
        ("S: {dependentSchemas: {'': {required: [b]}}}", {"b": 1}, {"": 1}),
        ("S: {allOf: [{minLength: 1}, {maxLength: 1}]}", "a", "ab"),
        ("S: {oneOf: [{minimum: 1}, {maximum: 5}]}", 0, 3),
        ("S: {not: {type: string}}", 1, "a"),
        ("S: {if: {minimum: 5}, then: {maximum: 7}, else: {const: 1}}", 6, 2),
        ("S: {allOf: [{properties: {a: true}}], unevaluatedProperties: false}", {"a": 1}, {"b": 1}),
        ("S: {$ref: '#/components/schemas/T', maxLength: 2}, T: {type: string}", "a", "abc"),
        ("S: {items: {$ref: '#/components/schemas/T~1%25'}}, T/%: {type: string}", ["a"], [1]),
        ("S: {items: {$ref: '#/components/schemas/S'}, type: array}", [[[]]], [[1]]),
        ("S: {pattern: '[', maxLength: 1}", "a", "ab"),
        ("S: {patternProperties: {'(': {type: string}}, required: [a]}", {"a": 1}, {}),
        ("S: {patternProperties: {'(': true}, additionalProperties: false, required: [a]}", {"a": 1}, {}),
        ("S: {patternProperties: {'(': true}, unevaluatedProperties: false, required: [a]}", {"a": 1}, {}),
        ("S: {format: unheard-of, type: string}", "a", 1),
    ],
)  # fmt: skip
def test_each_keyword_is_enforced(text: str, good: Any, bad: Any) -> None:
    """For each keyword there is a value that keeps it and one that does not."""
    assert is_valid(text, good)
    assert not is_valid(text, bad)


@pytest.mark.parametrize(("direction", "needed"), [(Direction.REQUEST, "w"), (Direction.RESPONSE, "r")])
@pytest.mark.parametrize(
    "text",
    [
        f"S: {{required: [r, w], {MARKED}}}",
        f"S: {{required: [r, w], $ref: '#P'}}, P: {{$anchor: P, {MARKED}}}",
        f"S: {{required: [r, w], allOf: [{{{MARKED}}}]}}",
        f"S: {{required: [r, w], allOf: [{{$ref: '#P'}}]}}, P: {{$anchor: P, {MARKED}}}",
        f"S: {{allOf: [{{required: [r, w]}}], {MARKED}}}",
        SHARED,
    ],
)  # fmt: skip
def test_required_properties_are_those_of_the_direction(text: str, direction: Direction, needed: str) -> None:
    """A request needs no `readOnly` property and a response no `writeOnly` one, wherever it is marked."""
    assert is_valid(text, {needed: 1}, direction)
    assert not is_valid(text, {}, direction)


def test_shared_schemas_stand_under_defs_once() -> None:
    """The exported schema is self-contained, and finite where the contract is recursive."""
    found, schema = schemas_of("S: {items: {$ref: '#/components/schemas/S'}}")

    assert to_json_schema(found, schema, Direction.REQUEST) == {
        "items": {"$ref": "#/$defs/0-S"},
        "$defs": {"0-S": {"items": {"$ref": "#/$defs/0-S"}}},
    }


def test_patterns_are_written_as_they_can_be_read() -> None:
    """Those of names too; what takes the place of one that is left out lets every name be."""
    pattern = {"a": "A", "b": None}.__getitem__
    further = "additionalProperties: {patternProperties: {b: {}}}"
    found, schema = schemas_of(f"S: {{pattern: a, patternProperties: {{a: {{pattern: b}}}}, {further}}}")

    assert to_json_schema(found, schema, Direction.REQUEST, as_read=pattern) == {
        "pattern": "A",
        "patternProperties": {"A": {}},
        "additionalProperties": {"patternProperties": {}, "additionalProperties": True},
    }


@pytest.mark.parametrize(
    "name",
    ["Größe", "天気", "a b", "Pet<T>", "Page[User]", "List`1[[X.Y, Z]]", "a#b", "a?b", "50%", "a|b", "^~/"],
)
def test_any_name_can_be_referred_to(name: str) -> None:
    """A shared schema is found whatever it is called, from elsewhere and from within itself."""
    reference = "#/components/schemas/" + quote(name.replace("~", "~0").replace("/", "~1"))
    shared = {"properties": {"n": {"type": "integer"}, "below": {"$ref": reference}}}
    text = json.dumps({"schemas": {"S": {"$ref": reference}, name: shared}}, ensure_ascii=False)
    found = api(f"components: {text}\n", version="3.0.3")
    schema = next(schema for schema in found.schemas.values() if schema.name == "S")

    assert Validator(found).is_valid(schema, {"n": 1, "below": {"n": 2}}, Direction.REQUEST)
    assert not Validator(found).is_valid(schema, {"below": {"n": "2"}}, Direction.REQUEST)


def test_boolean_schemas_stay_booleans() -> None:
    """`false` refuses everything, `true` nothing."""
    assert is_valid("S: true", 1)
    assert not is_valid("S: false", 1)


def test_references_that_only_lead_to_themselves_allow_everything() -> None:
    """A chain without an end asks for nothing, and does not hang."""
    found = api("components: {schemas: {S: {allOf: [{$ref: '#/components/schemas/S'}]}}}")
    (schema,) = found.schemas.values()

    assert Validator(found).is_valid(schema, 1, Direction.REQUEST)


def test_violations_say_where_and_what() -> None:
    """Each violation has the pointer into the value, the keyword, and a message that quotes the value."""
    found, schema = schemas_of("S: {properties: {a: {items: {type: string, minLength: 2}}}, required: [b]}")
    value = {"a": ["ok", "x", 1]}

    items = ("properties", "a", "items")

    assert [*Validator(found).violations(schema, value, Direction.REQUEST)] == [
        ValidationIssue(pointer=(), keyword="required", message='"b" is missing', path=("required",)),
        ValidationIssue(
            pointer=("a", "1"),
            keyword="minLength",
            message='"x" is shorter than 2 characters',
            path=(*items, "minLength"),
        ),
        ValidationIssue(
            pointer=("a", "2"), keyword="type", message="1 must be a string", path=(*items, "type")
        ),
    ]


def test_a_violation_of_false_names_it() -> None:
    """The schema `false` has no keyword."""
    found, schema = schemas_of("S: false")

    assert [violation.keyword for violation in Validator(found).violations(schema, 1, Direction.REQUEST)] == [
        "false"
    ]
