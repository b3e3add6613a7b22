"""What stands beside a reference: notes of the nearer schema win, rules of both apply."""

from typing import Any

import pytest

from devportal.contract import ABSENT, Api, Schema
from devportal.contract.read.references import has_no_keywords
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from tests.contract.inline import api

TARGET = (
    "T: {type: string, title: Shared, description: Shared, maxLength: 9, example: shared, deprecated: true}"
)


def read(beside: str, target: str = TARGET, *, version: str = "3.1.0") -> tuple[Api, Schema]:
    """Return a contract, and its schema that is a reference with something beside it."""
    found = api(
        "components:\n  schemas:\n"
        f"    S: {{$ref: '#/components/schemas/T'{beside and ', '}{beside}}}\n    {target}\n",
        version=version,
    )
    return found, next(schema for schema in found.schemas.values() if schema.name == "S")


@pytest.mark.parametrize(
    ("beside", "field", "value"),
    [
        ("description: Own", "description", "Own"),
        ("title: Own", "title", "Own"),
        ("default: own", "default", "own"),
        ("default: null", "default", None),
        ("examples: [own, shared]", "examples", ("own", "shared")),
        ("example: own", "examples", ("own", "shared")),
        ("readOnly: true", "read_only", True),
        ("x-sunset: '2027-01-01'", "sunset", "2027-01-01"),
        ("x-stability-level: beta", "stability", "beta"),
        ("xml: {name: own}", "description", "Shared"),
    ],
)
def test_notes_beside_a_reference_win(beside: str, field: str, value: Any) -> None:
    """A note is written for its use; the rest of the shared schema, its name and place stay."""
    found, schema = read(beside)
    target = found.resolve(schema)

    assert getattr(target, field) == value
    assert (target.name, target.types, target.deprecated) == ("T", ("string",), True)
    assert str(target.location) == "#/components/schemas/T"


def test_examples_beside_a_reference_keep_their_spelling() -> None:
    """Whether the first one stands under `example` belongs to the examples that count."""
    found, schema = read("examples: [own]")

    assert found.resolve(schema).has_lone_example is False


def test_rules_beside_a_reference_apply_too() -> None:
    """The result is no shared schema any more: it has the place of the reference and no name."""
    found, schema = read("minLength: 2, maxLength: 5, enum: [ab, abc], x-unit: letter")
    target = found.resolve(schema)

    assert (target.name, target.location) == ("", schema.location)
    assert (target.types, target.enum, target.description) == (("string",), ("ab", "abc"), "Shared")
    assert {constraint.keyword: constraint.value for constraint in target.constraints} == {
        "minLength": 2,
        "maxLength": 5,
    }


def test_members_of_both_schemas_are_there() -> None:
    """Properties, needs and combinations of both; one that both have keeps the rules of both."""
    target = (
        "T: {required: [a], properties: {a: {type: string, maxLength: 3}, b: {type: integer}}, "
        "anyOf: [{required: [b]}], additionalProperties: {type: string}}"
    )
    found, schema = read(
        "required: [c], properties: {a: {minLength: 2}, c: {type: string}}, anyOf: [{required: [c]}], "
        "additionalProperties: {maxLength: 1}",
        target,
    )
    both = found.resolve(schema)
    validator = Validator(found)

    assert [(property_.name, property_.required) for property_ in both.properties] == [
        ("a", True),
        ("b", False),
        ("c", True),
    ]
    assert both.required == ("a", "c")
    assert len(both.all_of) == 1
    for value in ({"a": "aa", "b": 1, "c": "c"}, {"a": "a", "b": 1, "c": "c"}, {"a": "aa", "c": "c"}, {}):
        assert validator.is_valid(both, value, Direction.REQUEST) == validator.is_valid(
            schema, value, Direction.REQUEST
        )


@pytest.mark.parametrize(
    ("beside", "target", "nullable"),
    [
        ("type: [string, 'null']", "T: {type: [string, 'null']}", True),
        ("type: [string, 'null']", "T: {type: string}", False),
        ("maxLength: 3", "T: {type: [string, 'null']}", True),
        ("type: [string, 'null']", "T: {maxLength: 3}", True),
    ],
)
def test_null_has_to_fit_both(beside: str, target: str, nullable: bool) -> None:  # noqa: FBT001
    """A value of null passes only where neither schema forbids it."""
    found, schema = read(beside, target)

    assert found.resolve(schema).nullable is nullable


def test_the_nearest_of_a_chain_wins() -> None:
    """Each link of a chain may add its own note."""
    found = api(
        "components: {schemas: {A: {$ref: '#/components/schemas/B', description: Near}, "
        "B: {$ref: '#/components/schemas/C', description: Far, title: Far}, C: {type: string, title: End}}}"
    )
    first = next(iter(found.schemas.values()))
    target = found.resolve(first)

    assert (target.description, target.title, target.types) == ("Near", "Far", ("string",))


def test_nothing_beside_a_reference_changes_nothing() -> None:
    """A bare reference stands for the very schema it leads to; in 3.0 every reference is bare."""
    found, schema = read("")
    old, ignored = read("description: Own, default: 1", version="3.0.3")

    assert has_no_keywords(schema)
    assert found.resolve(schema) is found.schemas[schema.ref] if schema.ref else False
    assert (old.resolve(ignored).description, old.resolve(ignored).default) == ("Shared", ABSENT)
