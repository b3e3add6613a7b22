"""Values that a contract gives for headers, and that HTTP does not allow in one."""

import json
from typing import Any

import pytest

from devportal.contract import read_contract
from devportal.contract.validate.header_values import check_header_values
from devportal.documents import parse_document

EVIL = "a\r\nX-Evil: 1"


def messages_of(operation: dict[str, Any], **components: Any) -> list[str]:
    """Return the message of each finding in an operation."""
    document = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": {"/a": {"post": {"responses": {"200": {"description": "OK"}}, **operation}}},
        "components": components,
    }
    contract = read_contract(parse_document(json.dumps(document), name="api.json"))
    return [f"{header_value.level}: {header_value.message}" for header_value in check_header_values(contract)]


def header(**said: Any) -> dict[str, Any]:
    """Return an operation with a header parameter."""
    return {"parameters": [{"name": "X-A", "in": "header", "schema": {}, **said}]}


REFUSED = [f"error: HTTP does not allow the value {EVIL!r} in a header, here 'X-A'"]


@pytest.mark.parametrize(
    "said",
    [
        {"example": EVIL},
        {"examples": {"one": {"value": EVIL}}},
        {"schema": {"default": EVIL}},
        {"schema": {"enum": ["a", EVIL]}},
        {"schema": {"const": EVIL}},
        {"schema": {"examples": ["a", EVIL]}},
        {"schema": {"example": EVIL}},
        {"schema": {"type": "array", "items": {"enum": [EVIL]}}},
        {"schema": {"anyOf": [{"type": "integer"}, {"$ref": "#/components/schemas/S"}]}},
        {"schema": None, "content": {"text/plain": {"example": EVIL}}},
    ],
)
def test_a_value_that_would_end_its_header_is_found(said: dict[str, Any]) -> None:
    """Wherever a contract gives one, references followed."""
    given = {key: value for key, value in header(**said)["parameters"][0].items() if value is not None}

    assert messages_of({"parameters": [given]}, schemas={"S": {"const": EVIL}}) == REFUSED


@pytest.mark.parametrize("character", ["\r", "\n", "\0", "\x0b", "\x1b", "\x7f"])
def test_no_control_character_is_allowed(character: str) -> None:
    """RFC 9110 §5.5."""
    assert len(messages_of(header(example=f"a{character}b"))) == 1


@pytest.mark.parametrize("value", ["a\tb", "é 日本", "", 1, True, None, {"a": [EVIL]}])
def test_other_values_are_fine(value: Any) -> None:
    """A tab is white space; text beyond ASCII is percent-encoded; what is nested is JSON, with escapes."""
    assert messages_of(header(example=value)) == []


@pytest.mark.parametrize("value", [[EVIL], {"a": EVIL}, {EVIL: "a"}])
def test_items_and_members_of_a_header_are_values_too(value: Any) -> None:
    """Style `simple` writes them one after the other (OAS 3.0.3 §4.7.12.1)."""
    assert len(messages_of(header(example=value))) == 1


def test_headers_of_responses_and_parts_are_looked_at() -> None:
    """Each place once, however many operations share it."""
    shared = {"X-A": {"$ref": "#/components/headers/A"}}
    part = {"multipart/form-data": {"encoding": {"p": {"headers": shared}}}}
    operation = {
        "requestBody": {"content": part},
        "responses": {"200": {"description": "OK", "headers": shared, "content": part}},
    }

    assert messages_of(operation, headers={"A": {"schema": {"default": EVIL}}}) == REFUSED


@pytest.mark.parametrize("place", ["query", "cookie"])
def test_values_elsewhere_are_percent_encoded(place: str) -> None:
    """So they may be any text."""
    operation = {"parameters": [{"name": "a", "in": place, "schema": {"default": EVIL}, "example": EVIL}]}

    assert messages_of(operation) == []
