"""What a change of a schema reaches."""

from typing import Any

import pytest

from devportal.contract.published.dependents import dependent_parts, part_of
from devportal.contract.schemas import Location

A, B, C = ({"$ref": f"#/components/schemas/{name}"} for name in "ABC")


def document(schemas: dict[str, Any], **rest: Any) -> dict[str, Any]:
    """Return a contract with an operation that refers to the schema A."""
    operation = {"requestBody": {"content": {"application/json": {"schema": A}}}}
    return {"paths": {"/a": {"post": operation}}, "components": {"schemas": schemas}, **rest}


@pytest.mark.parametrize(
    "schema_a",
    [
        {"properties": {"b": B}},
        {"oneOf": [{"properties": {"b": {"items": B}}}]},
        {"discriminator": {"propertyName": "kind", "mapping": {"{b}": "B"}}},
        {"discriminator": {"propertyName": "kind", "mapping": {"b": "#/components/schemas/B"}}},
        {"$ref": "openapi.yaml#/components/schemas/B"},
        {"$ref": "#/components/schemas/%42/properties/id"},
        {"$ref": "#/x-schemas/B"},
    ],
)
def test_what_refers_to_a_schema_depends_on_it(schema_a: dict[str, Any]) -> None:
    """Directly or by way of other schemas, however the reference is written."""
    contract = document({"A": schema_a, "B": {}, "C": A, "D": {}}, **{"x-schemas": {"B": B}})

    found = dependent_parts(contract, ["/components/schemas/B"])

    assert found is not None
    assert found - {"/x-schemas"} == {
        "/components/schemas/A",
        "/components/schemas/B",
        "/components/schemas/C",
        "/paths/~1a/post",
    }


def test_what_extends_a_schema_belongs_to_it_if_a_discriminator_may_select_it() -> None:
    """There is no reference from the one to the other."""
    heir = {"allOf": [A, {"properties": {"more": {}}}]}

    alone = dependent_parts(document({"A": {}, "B": heir}), ["/components/schemas/B"])
    selected = dependent_parts(
        document({"A": {"discriminator": {"propertyName": "kind"}}, "B": heir}), ["/components/schemas/B"]
    )

    assert alone == frozenset({"/components/schemas/B"})
    assert selected == frozenset({"/components/schemas/B", "/components/schemas/A", "/paths/~1a/post"})


def test_operations_depend_on_what_their_path_and_components_share() -> None:
    """Parameters of a path, responses and webhooks have schemas too."""
    contract = {
        "paths": {
            "/a": {"parameters": [{"schema": B}], "get": {}},
            "/b": {"get": {"responses": {"200": {"$ref": "#/components/responses/R"}}}},
            "/c": {"get": {}},
        },
        "webhooks": {"done": {"post": {"requestBody": {"content": {"a/b": {"schema": B}}}}}},
        "components": {
            "schemas": {"B": {}},
            "responses": {"R": {"content": {"a/b": {"schema": B}}}},
        },
    }

    found = dependent_parts(contract, ["/components/schemas/B"])

    assert found is not None
    assert {"/paths/~1a/get", "/paths/~1b/get", "/webhooks/done"} <= found
    assert "/paths/~1c/get" not in found


@pytest.mark.parametrize("name", ['a"b', "a\\b", "a\nb"])
def test_names_that_json_escapes_are_not_searched_for(name: str) -> None:
    """A search of its text would miss references to them."""
    assert dependent_parts(document({"A": {}, name: {}}), ["/components/schemas/A"]) is None


def test_parts_of_locations_have_the_names_of_their_references() -> None:
    """Those in other files have none."""
    found = {
        name: part_of(Location(file, tuple(pointer.split("/")[1:])))
        for name, file, pointer in [
            ("operation", "", "/paths/a/get/responses/200"),
            ("schema", "", "/components/schemas/A/properties/b"),
            ("response", "", "/components/responses/R/content"),
            ("webhook", "", "/webhooks/done/post"),
            ("extension", "", "/x-schemas/B"),
            ("other file", "b.yaml", "/components/schemas/A"),
            ("whole", "", ""),
        ]
    }

    assert found == {
        "operation": "/paths/a/get",
        "schema": "/components/schemas/A",
        "response": "/components/responses/R",
        "webhook": "/webhooks/done",
        "extension": "/x-schemas",
        "other file": "",
        "whole": "",
    }
