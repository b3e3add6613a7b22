"""A contract of 1,200 operations as large APIs have them, made by counting: the same on every run.

Like those it has many groups and operations in none, names with slashes, schemas that nest and refer to each
other in circles, unions with and without a discriminator, shared parameters and answers, and long lists.

A smaller one has some operations of each group, with the names and paths that they have in the whole one.
"""

import json
from pathlib import Path
from typing import Any

TAGS = 46
"""How many groups there are."""
PER_TAG = 25
"""How many operations a group of the whole contract has."""
UNTAGGED = 50
OPERATIONS = TAGS * PER_TAG + UNTAGGED
_NOUNS = ("repo", "issue", "team", "run", "secret", "branch", "release", "check", "gist", "package", "hook")
_VERBS = (
    ("get", "list", False), ("post", "create", False), ("get", "get", True), ("patch", "update", True),
    ("delete", "delete", True), ("put", "set", True),
)  # fmt: skip
_FIELDS = ("node_id", "name", "state", "created_at", "url", "size", "labels", "owner", "permissions", "score")

Json = dict[str, Any]


def write_big_contract(path: Path, *, per_tag: int = PER_TAG) -> Path:
    """Write the contract, with so many operations of each group, into a file and return where."""
    path.write_text(json.dumps(big_contract(per_tag)), encoding="utf-8")
    return path


def big_contract(per_tag: int) -> Json:
    """Return the contract as data."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Forge", "version": "2026-11-01", "description": "An API of 1,200 operations."},
        "servers": [{"url": "https://api.forge.example"}],
        "security": [{"token": []}],
        "tags": [
            {"name": _tag(number), "description": f"Work with **{_tag(number)}**."} for number in range(TAGS)
        ],
        "paths": _paths(per_tag),
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "parameters": _PARAMETERS,
            "responses": _RESPONSES,
            "headers": {"Link": {"description": "Other pages.", "schema": {"type": "string"}}},
            "schemas": _schemas(),
        },
    }


def _tag(number: int) -> str:
    return f"{_NOUNS[number % len(_NOUNS)]}-{number // len(_NOUNS)}s"


def _paths(per_tag: int) -> Json:
    paths: Json = {}
    for number in range(OPERATIONS):
        tag = number // PER_TAG if number < TAGS * PER_TAG else None
        if tag is not None and number % PER_TAG >= per_tag:
            continue
        method, verb, has_id = _VERBS[number % len(_VERBS)]
        family = f"{_tag(tag) if tag is not None else 'meta'}"
        depth = number // len(_VERBS) % 7
        path = f"/{family}/{{owner}}" + "".join(f"/level-{number}" for number in range(depth))
        path += f"/things-{number // len(_VERBS)}" + ("/{thing_id}" if has_id else "")
        paths.setdefault(path, {"parameters": [{"$ref": "#/components/parameters/owner"}]})[method] = (
            _operation(number, verb, family, tag, has_id=has_id)
        )
    return paths


def _operation(number: int, verb: str, family: str, tag: int | None, *, has_id: bool) -> Json:
    schema = f"thing-{number % 240}"
    operation: Json = {
        "operationId": f"{family}/{verb}-thing-{number}",
        "summary": f"{verb.capitalize()} thing {number} of {family}",
        "description": f"Operation `{number}` of [many](https://forge.example/docs).\n\n- reads\n- writes",
        "parameters": _parameters(number, verb, has_id=has_id),
        "responses": _answers(number, verb, schema),
    }
    if tag is not None:
        operation["tags"] = [_tag(tag)]
    if number % 41 == 0:
        operation["deprecated"] = True
    if verb in {"create", "update", "set"}:
        operation["requestBody"] = {
            "required": verb == "create",
            "content": {"application/json": {"schema": _body(number), "example": {"name": f"n{number}"}}},
        }
    return operation


def _parameters(number: int, verb: str, *, has_id: bool) -> list[Json]:
    made: list[Json] = [{"$ref": "#/components/parameters/thing_id"}] if has_id else []
    if verb == "list":
        made += [{"$ref": f"#/components/parameters/{name}"} for name in ("per_page", "page", "direction")]
    made.append(
        {"name": f"filter_{number % 90}", "in": "query", "schema": {"type": "string"}, "example": "a b"}
    )
    return made


def _answers(number: int, verb: str, schema: str) -> Json:
    body: Json = {"$ref": f"#/components/schemas/{schema}"}
    status = {"create": "201", "delete": "204"}.get(verb, "200")
    answer: Json = {"description": f"What became of thing {number}."}
    if verb == "list":
        body = {"type": "array", "items": body}
        answer["headers"] = {"Link": {"$ref": "#/components/headers/Link"}}
    if status != "204":
        answer["content"] = {"application/json": {"schema": body}}
    shared = ("404", "422") if number % 2 else ("403", "404")
    return {status: answer, **{text: {"$ref": f"#/components/responses/{text}"} for text in shared}}


def _body(number: int) -> Json:
    """Return a body written in place: a few fields, one below another, and a union."""
    nested: Json = {
        "type": "object",
        "properties": {f"leaf_{number % 30}": {"type": "integer", "minimum": 1}},
    }
    for level in range(number % 5):
        nested = {"type": "object", "required": [f"inner_{level}"], "properties": {f"inner_{level}": nested}}
    return {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 100, "examples": [f"n{number}"]},
            "visibility": {"type": ["string", "null"], "enum": ["public", "private", None]},
            "settings": nested,
            "source": {"oneOf": [{"type": "string"}, {"$ref": f"#/components/schemas/thing-{number % 240}"}]},
        },
    }


def _schemas() -> Json:
    schemas: Json = {f"thing-{number}": _schema(number) for number in range(240)}
    schemas["event"] = {
        "oneOf": [{"$ref": f"#/components/schemas/thing-{number}"} for number in range(24)],
        "discriminator": {
            "propertyName": "state",
            "mapping": {f"s{number}": f"#/components/schemas/thing-{number}" for number in range(24)},
        },
    }
    schemas["problem"] = {
        "type": "object",
        "properties": {
            "message": {"type": "string"},
            "errors": {"type": "array", "items": {"type": "string"}},
        },
    }
    return schemas


def _near(number: int, steps: int) -> int:
    """Return another of the eight schemas that refer to each other, in circles."""
    return number // 8 * 8 + (number + steps) % 8


def _schema(number: int) -> Json:
    names = [f"{name}_{number % 17}" for name in _FIELDS[: 4 + number % 7]]
    properties: Json = {name: {"type": "string", "description": f"The {name} of it."} for name in names}
    properties["id"] = {"type": "integer", "format": "int64", "examples": [number]}
    properties["state"] = {"type": "string", "enum": [f"s{number}", "open", "closed", "draft"]}
    properties["parent"] = {
        "anyOf": [{"$ref": f"#/components/schemas/thing-{_near(number, 3)}"}, {"type": "null"}]
    }
    properties["children"] = {
        "type": "array",
        "items": {"$ref": f"#/components/schemas/thing-{_near(number, 1)}"},
    }
    properties["topics"] = {
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"type": "string"}},
    }
    whole: Json = {"type": "object", "required": ["id", "state"], "properties": properties}
    if number % 11 == 0:
        return {
            "description": f"Thing {number}, with a base.",
            "allOf": [{"$ref": "#/components/schemas/problem"}, whole],
        }
    return {"title": f"Thing {number}", **whole}


_PARAMETERS: Json = {
    "owner": {"name": "owner", "in": "path", "required": True, "schema": {"type": "string"}},
    "thing_id": {
        "name": "thing_id", "in": "path", "required": True, "schema": {"type": "integer"}, "example": 42,
    },
    "per_page": {
        "name": "per_page", "in": "query", "description": "Results on a page.",
        "schema": {"type": "integer", "default": 30, "maximum": 100},
    },
    "page": {"name": "page", "in": "query", "schema": {"type": "integer", "default": 1}},
    "direction": {"name": "direction", "in": "query", "schema": {"type": "string", "enum": ["asc", "desc"]}},
}  # fmt: skip
_RESPONSES: Json = {
    status: {
        "description": description,
        "content": {
            "application/json": {
                "schema": {"$ref": "#/components/schemas/problem"},
                "example": {"message": description},
            }
        },
    }
    for status, description in (("403", "Forbidden."), ("404", "Not found."), ("422", "Not valid."))
}
