"""Which components nothing refers to."""

import json
from typing import Any

from devportal.contract import read_contract
from devportal.documents import parse_document


def unused_components(paths: dict[str, Any], components: dict[str, Any]) -> list[tuple[str, str]]:
    """Return section and name of the unused components of a contract."""
    written = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": paths,
        "components": components,
    }
    api = read_contract(parse_document(json.dumps(written), name="api.json")).api
    return [(unused_component.section, unused_component.name) for unused_component in api.unused_components]


def test_what_a_reference_names_is_used() -> None:
    """A reference may be anywhere, and its name escaped; schemas and security schemes have rules of their own."""
    responses = {
        "200": {"$ref": "#/components/responses/a~1b"},
        "400": {"$ref": "#/components/responses/c%20d"},
    }
    components = {
        "responses": {"a/b": {"description": "A"}, "c d": {"description": "C"}, "e": {"description": "E"}},
        "examples": {"x": {"value": 1}},
        "schemas": {"S": {}},
        "securitySchemes": {"k": {"type": "http", "scheme": "basic"}},
    }

    assert unused_components({"/a": {"get": {"responses": responses}}}, components) == [
        ("responses", "e"),
        ("examples", "x"),
    ]


def test_internal_components_are_not_listed() -> None:
    """Their names are not published."""
    components = {"responses": {"e": {"description": "E", "x-internal": True}}}

    assert unused_components({}, components) == []
