"""Several schemas for one value as one schema."""

from typing import Any

import pytest

from devportal.contract import Schema
from devportal.contract.values.conjunction import CombinedSchema, combine_schemas
from tests.contract.inline import api


def combined_schema(text: str) -> CombinedSchema:
    """Return the schema `S` combined with all its parts."""
    found = api("components:\n  schemas:\n" + "".join(f"    {line}\n" for line in text.split("\n")))
    return combine_schemas(found, [next(schema for schema in found.schemas.values() if schema.name == "S")])


def constraints(schema: Schema) -> list[tuple[str, Any]]:
    """Return keyword and value of each constraint."""
    return [(constraint.keyword, constraint.value) for constraint in schema.constraints]


@pytest.mark.parametrize(
    ("parts", "types", "nullable"),
    [
        ("{type: number}, {type: integer}", ("integer",), False),
        ("{type: integer}, {type: number}", ("integer",), False),
        ("{type: [string, number]}, {type: [integer, string]}", ("integer", "string"), False),
        ("{type: [string, 'null']}, {type: [string, 'null']}, {}", ("string",), True),
        ("{type: [string, 'null']}, {type: string}", ("string",), False),
        ("{}, {type: string}", ("string",), False),
    ],
)
def test_types_are_those_that_all_parts_allow(parts: str, types: tuple[str, ...], nullable: bool) -> None:  # noqa: FBT001
    """An integer is a number; null is allowed where no part with a type forbids it."""
    found = combined_schema(f"S: {{allOf: [{parts}]}}").schema

    assert (found.types, found.nullable, found.verdict) == (types, nullable, None)


@pytest.mark.parametrize("parts", ["{type: string}, {type: integer}", "{type: string}, false"])
def test_parts_that_exclude_each_other_allow_nothing(parts: str) -> None:
    """There is no such value, whatever else is asked for."""
    assert combined_schema(f"S: {{allOf: [{parts}]}}").schema.verdict is False


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ("{minimum: 1, maxLength: 9}, {minimum: 3, maxLength: 4}", [("minimum", 3), ("maxLength", 4)]),
        ("{multipleOf: 4}, {multipleOf: 6}", [("multipleOf", 12)]),
        ("{pattern: a}, {pattern: b}, {pattern: a}", [("pattern", "a"), ("pattern", "b")]),
        (
            "{dependentRequired: {a: [b]}}, {dependentRequired: {c: [d]}}",
            [("dependentRequired", {"a": ["b"], "c": ["d"]})],
        ),
        ("{uniqueItems: true}, {uniqueItems: true}", [("uniqueItems", True)]),
    ],
)
def test_the_tightest_bound_counts(parts: str, expected: list[tuple[str, Any]]) -> None:
    """One of each keyword is left, but every pattern."""
    assert constraints(combined_schema(f"S: {{allOf: [{parts}]}}").schema) == expected


def test_members_of_all_parts_are_there() -> None:
    """Properties in the order of the parts, one that occurs twice with both schemas, need from anywhere."""
    found = combined_schema(
        "S: {$ref: '#/components/schemas/T', required: [a], properties: {b: {}, a: {writeOnly: true}}}\n"
        "T: {properties: {a: {type: string, readOnly: true}, c: {}}, items: {minimum: 1}}"
    ).schema

    assert [(property_.name, property_.required) for property_ in found.properties] == [
        ("a", True),
        ("c", False),
        ("b", False),
    ]
    shared = found.properties[0].schema
    assert (len(shared.all_of), shared.read_only, shared.write_only) == (2, True, True)
    assert found.items is not None


def test_unions_are_left_to_choose_from() -> None:
    """Those of all parts, without the ones that are chosen already; values in an enum have to be in each."""
    found = combined_schema(
        "S: {anyOf: [{}], oneOf: [{}, {}], allOf: [{anyOf: [{}, {}, {}]}, {enum: [1, 2]}, {enum: [2]}]}"
    )

    assert [len(union) for union in found.unions] == [3, 2, 1]
    assert found.schema.enum == (2,)


def test_each_part_counts_once() -> None:
    """Forty levels of a diamond are forty parts, and a circle ends."""
    levels = "\n".join(
        f"S{number or ''}: {{allOf: [{{$ref: '#/components/schemas/S{number + 1}'}}, "
        f"{{$ref: '#/components/schemas/S{number + 1}'}}]}}"
        for number in range(40)
    )
    found = combined_schema(f"{levels}\nS40: {{allOf: [{{$ref: '#/components/schemas/S'}}], type: string}}")

    assert len(found.parts) < 200
    assert found.schema.types == ("string",)


def test_conjunction_of_the_same_schemas_is_made_once() -> None:
    """Samples of a contract combine the same schemas again and again; a chosen union makes another conjunction."""
    found = api("components:\n  schemas:\n    S: {oneOf: [{required: [id]}, {required: [code]}]}\n")
    schema = next(schema for schema in found.schemas.values() if schema.name == "S")

    combined = combine_schemas(found, (schema,))
    chosen = combine_schemas(found, (schema,), frozenset({id(schema.one_of)}))

    assert combine_schemas(found, (schema,)) is combined
    assert combined.unions == (schema.one_of,)
    assert chosen.unions == ()
