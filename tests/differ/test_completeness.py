"""The law that no edit is silent: what differs between two contracts is a change, if only of documentation."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from devportal.contract import Api, read_contract
from devportal.differ import compare
from devportal.documents import parse_document

Steps = tuple[str | int, ...]

OLD = {
    "openapi": "3.1.0",
    "info": {"title": "T", "version": "1.0.0", "license": {"name": "L"}},
    "servers": [{"url": "https://{h}.example/v1", "variables": {"h": {"default": "a", "enum": ["a", "b"]}}}],
    "paths": {
        "/things/{id}": {
            "get": {
                "operationId": "getThing",
                "x-stability-level": "beta",
                "security": [{"o": ["read"]}],
                "parameters": [
                    {"name": "q", "in": "query", "schema": {"type": "string", "minimum": 3}},
                    {"name": "n", "in": "header", "required": True, "schema": {"type": "integer", "default": 3}},
                ],
                "responses": {
                    "200": {
                        "description": "The thing.",
                        "headers": {"X-A": {"schema": {"type": "integer", "minLength": 3}}},
                        "content": {"text/csv; charset=utf-8": {"schema": {"$ref": "#/components/schemas/Thing"}}},
                    }
                },
            },
            "put": {
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
                "responses": {"204": {"description": "Done."}},
            },
        }
    },
    "components": {
        "parameters": {"Unused": {"name": "u", "in": "query", "schema": {"type": "string"}}},
        "securitySchemes": {
            "o": {
                "type": "oauth2",
                "flows": {"password": {"tokenUrl": "https://t.example", "scopes": {"read": "R", "write": "W"}}},
            },
            "unused": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
        },
        "schemas": {
            "Thing": {
                "type": "object",
                "required": ["a"],
                "xml": {"name": "thing"},
                "items": {"type": "string"},
                "properties": {
                    "a": {"type": "string", "default": "x", "minimum": 3, "then": {"minLength": 3}},
                    "b": {"type": "integer", "format": "int32", "maximum": 99_999_999_999, "nullable": True},
                    "c": {"type": "string", "readOnly": True, "properties": {"d": {"description": "D."}}},
                    "d": {"type": "string", "writeOnly": True, "maxLength": 3, "unknown": 1},
                    "e": {"type": "array", "minContains": 2, "items": {"type": "boolean", "readOnly": True}},
                    "f": {"enum": []},
                },
            },
            "Unused": {"type": "object", "properties": {"z": {"type": "string", "description": "Z."}}},
        },
    },
}  # fmt: skip
SILENT = {
    ("change", ("openapi",)): "the patch of a version changes no meaning",
    ("change", ("info", "version")): "a version names the contract, and says nothing about it",
    ("remove", ("info", "version")): "a version names the contract, and says nothing about it",
    ("remove", ("servers", 0, "variables", "h", "default")): "the first value is the default that is missing",
}
"""The edits that are no change, and why."""


def places(value: Any, steps: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Yield everything within a contract."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        yield (*steps, key), member
        yield from places(member, (*steps, key))


def edits() -> Iterator[tuple[str, Steps, dict[str, Any]]]:
    """Yield the contract with one part removed, or one scalar changed, for each part of it."""
    for steps, value in places(OLD):
        for kind in ("remove", "change"):
            new = copy.deepcopy(OLD)
            parent: Any = new
            for step in steps[:-1]:
                parent = parent[step]
            if kind == "remove":
                del parent[steps[-1]]
            elif isinstance(value, dict | list):
                continue
            else:
                parent[steps[-1]] = (
                    not value
                    if isinstance(value, bool)
                    else value + 1
                    if isinstance(value, int)
                    else f"{value}x"
                )
            yield kind, steps, new


def api_of(document: dict[str, Any]) -> Api:
    """Return the model of a contract."""
    return read_contract(parse_document(json.dumps(document), name="api.json")).api


def test_no_edit_is_silent_in_either_direction() -> None:
    """Each part of a contract that is removed or changed is a change, and so is the reverse."""
    old = api_of(OLD)
    silent = []
    for kind, steps, written in edits():
        if steps == ("openapi",) and kind == "remove":
            continue
        new = api_of(written)
        if not compare(old, new).changes or not compare(new, old).changes:
            silent.append((kind, steps))

    assert set(silent) == SILENT.keys()


@pytest.mark.parametrize("keyword", ["x-team", "x-owner"])
def test_an_extension_that_nobody_knows_is_no_part_of_the_contract(keyword: str) -> None:
    """What a portal does not read is not compared."""
    new = copy.deepcopy(OLD)
    new["components"]["schemas"]["Thing"][keyword] = "a"  # type: ignore[index]

    assert compare(api_of(OLD), api_of(new)).changes == ()
