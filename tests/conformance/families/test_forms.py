# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""Bodies that are forms: their fields are tested like the members of JSON bodies."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
import yaml
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.validation import (
    boundary_values,
    json_types,
    malformed_bodies,
    query_parameters,
)
from devportal.conformance.family import Family
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

FIELDS = {
    "name": {"type": "string", "minLength": 2, "maxLength": 20, "example": "Rex"},
    "legs": {"type": "integer", "minimum": 0, "maximum": 8, "example": 4},
    "kind": {"type": "string", "enum": ["dog", "cat"], "default": "dog", "example": "dog"},
    "tame": {"type": "boolean", "example": True},
    "born": {"type": "string", "format": "date", "example": "2024-02-29"},
}
ANIMAL = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {"id": {"type": "integer"}, **FIELDS},
}


def _operation(*, required: bool) -> dict[str, Any]:
    schema = {"type": "object", "additionalProperties": False, "properties": FIELDS}
    body = {"schema": {**schema, "required": ["name"]} if required else schema}
    shown = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Animal"}}}}
    return {
        "requestBody": {"required": True, "content": {"application/x-www-form-urlencoded": body}},
        "responses": {"200": {"description": "Done", **shown}, "400": {"description": "Refused"}},
    }


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """Return the file of a contract whose bodies are forms and whose changes are made by POST."""
    change = _operation(required=False)
    read = {"responses": {**change["responses"], "404": {"description": "None"}}}
    parameter = {"name": "animal_id", "in": "path", "required": True, "schema": {"type": "integer"}}
    paths = {
        "/animals": {"post": _operation(required=True)},
        "/animals/{animal_id}": {"parameters": [parameter], "get": read, "post": change},
    }
    file = tmp_path / "openapi.yaml"
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Animals", "version": "1"},
        "paths": paths,
        "components": {"schemas": {"Animal": ANIMAL}},
    }
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return file


class Animals:
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    known = frozenset(FIELDS)

    def __init__(self) -> None:
        self.animals: dict[int, dict[str, Any]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        await self.answer(request, await request.body())(scope, receive, send)

    def answer(self, request: Request, body: bytes) -> JSONResponse:
        key = request.url.path.removeprefix("/animals").strip("/")
        known = self.animals.get(int(key)) if key.isdecimal() else None
        if key and known is None:
            return JSONResponse({}, status_code=404)
        if request.method == "GET":
            return JSONResponse(known)
        fields = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
        if set(fields) - self.known or not all(self.allows(*pair) for pair in fields.items()):
            return JSONResponse({"error": "invalid"}, status_code=400)
        if known is None and "name" not in fields:
            return JSONResponse({"error": "name is missing"}, status_code=400)
        stored = {name: self.parse_value(name, text) for name, text in fields.items() if name in FIELDS}
        number = int(key) if key else len(self.animals) + 1
        self.animals[number] = {"id": number, **(known or {}), **self.complete_fields(stored, is_new=not key)}
        return JSONResponse(self.animals[number])

    def allows(self, name: str, value: str) -> bool:
        match name:
            case "legs":
                return re.fullmatch("[0-9]{1,3}", value, re.ASCII) is not None and int(value) <= 8
            case "tame":
                return value in ("true", "false")
            case "kind":
                return value in ("dog", "cat")
            case "born":
                return re.fullmatch("[0-9]{4}-0[1-9]-[0-2][0-9]", value) is not None and value[5:] != "02-30"
        return 2 <= len(value) <= 20

    def parse_value(self, name: str, value: str) -> Any:
        return int(value) if name == "legs" else value == "true" if name == "tame" else value

    def complete_fields(self, fields: dict[str, Any], *, is_new: bool) -> dict[str, Any]:  # noqa: ARG002
        return fields


class AnyNumber(Animals):
    """Takes a text that begins with a digit for a number."""

    def allows(self, name: str, value: str) -> bool:
        return value[:1].isdigit() if name == "legs" else super().allows(name, value)

    def parse_value(self, name: str, value: str) -> Any:
        return int(value[0]) if name == "legs" else super().parse_value(name, value)


class AnyKind(Animals):
    """Takes every kind."""

    def allows(self, name: str, value: str) -> bool:
        return name == "kind" or super().allows(name, value)


class AnyField(Animals):
    """Ignores fields that nobody knows."""

    known = frozenset({*FIELDS, "devportalUndeclared"})

    def allows(self, name: str, value: str) -> bool:
        return name not in FIELDS or super().allows(name, value)


class Rounding(Animals):
    """Stores another number."""

    def parse_value(self, name: str, value: str) -> Any:
        return 2 if name == "legs" else super().parse_value(name, value)


class Tame(Animals):
    """Drops what is false."""

    def complete_fields(self, fields: dict[str, Any], *, is_new: bool) -> dict[str, Any]:  # noqa: ARG002
        return {name: field for name, field in fields.items() if field is not False}


class Cats(Animals):
    """Has another default than the contract."""

    def complete_fields(self, fields: dict[str, Any], *, is_new: bool) -> dict[str, Any]:
        return {"kind": "cat", **fields} if is_new else fields


class Strict(Animals):
    """Cannot read all that a form may hold."""

    def answer(self, request: Request, body: bytes) -> JSONResponse:
        if b"%ff" in body or b"\xff" in body:
            return JSONResponse({}, status_code=500)
        return super().answer(request, body)


class Standing(Animals):
    """Ignores changes."""

    def complete_fields(self, fields: dict[str, Any], *, is_new: bool) -> dict[str, Any]:
        return fields if is_new else {}


@pytest.mark.parametrize(
    "family",
    [
        module_type.FAMILY
        for module_type in (
            boundary_values,
            json_types,
            malformed_bodies,
            query_parameters,
            stored_resources,
            updated_resources,
        )
    ],
    ids=lambda item: item.name,
)
def test_the_right_server_is_left_alone(family: Family, contract: Path) -> None:
    """A form has texts only: neither types of JSON nor null can be sent."""
    assert not run_family(family, Animals(), subject_of(contract)).failures


@pytest.mark.parametrize(
    ("family", "app", "message"),
    [
        (query_parameters.FAMILY, AnyNumber, "'1x' for '/legs'"),
        (query_parameters.FAMILY, AnyKind, "'devportal' for '/kind'"),
        (boundary_values.FAMILY, AnyKind, "beyond the enumerated values in '/kind'"),
        (boundary_values.FAMILY, AnyField, "an undeclared member"),
        (boundary_values.FAMILY, Rounding, "the greatest number in '/legs' (shown as 2)"),
        (boundary_values.FAMILY, Tame, "the other boolean in '/tame' (missing in the response)"),
        (boundary_values.FAMILY, Cats, "optional '/kind' left out (shown as 'cat')"),
        (malformed_bodies.FAMILY, Strict, "500"),
        (stored_resources.FAMILY, Rounding, "legs"),
        (updated_resources.FAMILY, Standing, "name"),
    ],
)
def test_a_field_of_a_form_is_compared(
    family: Family, app: type[Animals], message: str, contract: Path
) -> None:
    """A field that is not validated, stored or changed is found."""
    failures = run_family(family, app(), subject_of(contract)).failures

    assert failures
    assert all(failure.fails for failure in failures)
    assert any(message in failure.message for failure in failures)
