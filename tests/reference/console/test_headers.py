"""Headers of answers against their schemas: what a text stands for, its schema says."""

import json
from pathlib import Path
from typing import Any

import pytest

from devportal.reference.console import console_files
from tests.reference.reading import api_from

from .node import ask

INTEGERS = {"type": "array", "items": {"type": "integer"}}
POINT = {"type": "object", "required": ["x"], "properties": {"x": {"type": "integer"}}}


def messages(folder: Path, header: dict[str, Any]) -> list[str]:
    """Return what a header breaks."""
    asked = [["broken", [{"name": "X", **header}], {"0-Size": {"type": "integer"}}]]
    (answer,) = ask(folder, "calls", {"module": "headers", "asked": asked})
    return [item["message"] for item in answer["value"]]


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "string"}, "12"),
        ({"type": "integer"}, "12"),
        ({"$ref": "#/$defs/0-Size"}, "12"),
        ({"type": "number", "maximum": 2}, "-1.5e0"),
        ({"type": "boolean"}, "true"),
        ({"enum": [1, 2]}, "2"),
        ({"const": "1"}, "1"),
        ({"anyOf": [{"type": "integer"}, {"type": "string", "format": "date"}]}, "2026-11-22"),
        ({"type": "string"}, "Sat, 22 Nov 2026 10:00:00 GMT"),
        ({"type": "array", "items": {"type": "string"}}, "a, 1"),
        (INTEGERS, "1, 2,3"),
        (POINT, "x,1,y,2"),
        (True, "anything"),
        ({}, ""),
    ],
)
def test_right_header_breaks_nothing(schema: Any, text: str, folder: Path) -> None:
    """A text, a number, a list, an object, in the style of headers."""
    assert messages(folder, {"schema": schema, "text": text}) == []


@pytest.mark.parametrize(
    ("schema", "text", "said"),
    [
        ({"type": "integer"}, "many", ['"many" is not an integer']),
        ({"type": "integer"}, "1.5", ['"1.5" is not an integer']),
        ({"type": "integer"}, "0x10", ['"0x10" is not an integer']),
        ({"$ref": "#/$defs/0-Size"}, "", ['"" is not an integer']),
        ({"type": "integer", "maximum": 10}, "11", ["11 is more than 10"]),
        ({"type": "string", "maxLength": 2}, "123", ["has 3 characters, allows at most 2"]),
        ({"maxLength": 2}, "123", ["has 3 characters, allows at most 2"]),
        ({"type": "string", "pattern": "^t"}, "x", ['"x" does not match ^t']),
        ({"type": "boolean"}, "True", ['"True" is not a boolean']),
        ({"enum": ["a", "b"]}, "c", ['"c" is not one of "a", "b"']),
        (INTEGERS, "1,x", ['1: "x" is not an integer']),
        ({**INTEGERS, "maxItems": 1}, "1,2", ["has 2 items, allows at most 1"]),
        (POINT, "y,1", ["x: is required"]),
    ],
)
def test_wrong_header_is_told(schema: Any, text: str, said: list[str], folder: Path) -> None:
    """As what its schema wants of it; the place within a list or an object comes first."""
    assert messages(folder, {"schema": schema, "text": text}) == said


def test_object_may_be_written_with_equals_signs(folder: Path) -> None:
    """Where it is exploded."""
    assert messages(folder, {"schema": POINT, "text": "x=1,y=a=b", "explode": True}) == []
    assert messages(folder, {"schema": POINT, "text": "x=a", "explode": True}) == ['x: "a" is not an integer']


def test_header_of_json_is_read_as_such(folder: Path) -> None:
    """A text of JSON is not the text itself."""
    told = {"schema": POINT, "isJson": True}

    assert messages(folder, {**told, "text": '{"x": 1}'}) == []
    assert messages(folder, {**told, "text": '{"x": "1"}'}) == ['x: "1" is not an integer']
    assert messages(folder, {**told, "text": "x"})[0].startswith("is not valid JSON: ")


def test_file_of_an_operation_has_the_headers_of_each_answer() -> None:
    """With their schemas, of JSON alone; not the content type, nor what is no name of a header."""
    text = {"type": "string"}
    headers = {
        "X-Trace": {"required": True, "schema": text},
        "X-List": {"explode": True, "schema": {"type": "array", "items": text}},
        "X-Point": {"content": {"application/json": {"schema": POINT}}},
        "X-Plain": {"content": {"text/plain": {"schema": text}}},
        "Content-Type": {"schema": text},
        "X Bad": {"schema": text},
    }
    responses = {"200": {"description": "x", "headers": headers}, "204": {"description": "x"}}
    api = api_from({"paths": {"/a": {"get": {"operationId": "a", "responses": responses}}}})

    (data,) = (json.loads(console_file.content) for console_file in console_files(api))

    items = {"type": ["string"]}
    point = {"type": ["object"], "required": ["x"], "properties": {"x": {"type": ["integer"]}}}
    assert data["headers"] == {
        "200": [
            {"name": "X-Trace", "required": True, "schema": items},
            {"name": "X-List", "explode": True, "schema": {"type": ["array"], "items": items}},
            {"name": "X-Point", "isJson": True, "schema": point},
            {"name": "X-Plain", "schema": True},
        ]
    }
