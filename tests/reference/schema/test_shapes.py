"""What schemas are made of, where parts are shared, and what they weigh."""

from typing import Any

from devportal.contract import Api, Schema
from devportal.reference.schema.shapes import UNBOUNDED_NODES, SchemaShapes
from tests.reference.reading import api_from


def _reference_to(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _api(schemas: dict[str, Any]) -> Api:
    paths = {"/a": {"get": {"responses": {"200": {"description": "OK"}}}}}
    return api_from({"paths": paths, "components": {"schemas": schemas}})


def _schema_named(api: Api, name: str) -> Schema:
    return next(schema for schema in api.schemas.values() if schema.name == name)


def test_part_that_several_are_made_of_is_there_once() -> None:
    """The parts of a diamond come in the order in which they are first complete."""
    api = _api(
        {
            "Top": {"allOf": [_reference_to("Left"), _reference_to("Right")]},
            "Left": {"allOf": [_reference_to("Base")]},
            "Right": {"allOf": [_reference_to("Base")]},
            "Base": {"type": "object"},
        }
    )

    assert [part.name for part in SchemaShapes(api, None).parts(_schema_named(api, "Top"))] == [
        "Base",
        "Left",
        "Right",
        "Top",
    ]


def test_parts_that_are_named_twice_on_each_level_end() -> None:
    """Forty levels have two parts each, not two to the power of forty."""
    schemas: dict[str, Any] = {
        f"S{n}": {"allOf": [_reference_to(f"S{n + 1}"), _reference_to(f"S{n + 1}")]} for n in range(40)
    }
    api = _api({**schemas, "S40": {"properties": {"a": {"type": "string"}}}})
    shapes = SchemaShapes(api, None)

    assert len(tuple(shapes.parts(_schema_named(api, "S0")))) == 41
    assert [member.name for member in shapes.members(_schema_named(api, "S0"))] == ["a"]


def test_parts_that_lead_back_end() -> None:
    """A schema that is made of itself is there once."""
    api = _api({"S": {"allOf": [_reference_to("T")]}, "T": {"allOf": [_reference_to("S")]}})

    assert [part.name for part in SchemaShapes(api, None).parts(_schema_named(api, "S"))] == ["T", "S"]


def test_weight_counts_the_rows_of_chains_of_any_length() -> None:
    """Two thousand schemas, each a property of the one before, take as many rows."""
    schemas: dict[str, Any] = {
        f"S{n}": {"properties": {"a": _reference_to(f"S{n + 1}")}} for n in range(2000)
    }
    api = _api({**schemas, "S2000": {"type": "string"}})

    assert SchemaShapes(api, None).weight(_schema_named(api, "S0")) == 2000


def test_schema_that_contains_itself_has_no_end() -> None:
    """No page shows it in place."""
    api = _api({"S": {"properties": {"a": _reference_to("S")}}})

    assert SchemaShapes(api, None).weight(_schema_named(api, "S")) == UNBOUNDED_NODES
