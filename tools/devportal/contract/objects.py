"""Which kind of object stands where in an OpenAPI document (OAS 3.0.3 §4.7, 3.1.1 §4.8, 3.2.0 §4).

For what walks the raw document without reading it into the model. A field that is not listed holds plain
data, such as examples and defaults: whatever looks like a reference in there is none.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from devportal.documents import Pointer

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
FLOWS = ("implicit", "password", "clientCredentials", "authorizationCode", "deviceAuthorization")
"""The ways to a token (OAS 3.2.0 §4.28)."""


class Shape(Enum):
    """How objects stand in a field: one, a list of them, or a mapping from names to them."""

    ONE = "one"
    LIST = "list"
    MAP = "map"


Field = tuple[Shape, str]
"""The shape of a field and the kind of the objects in it."""


def _one(kind: str, *names: str) -> dict[str, Field]:
    return dict.fromkeys(names, (Shape.ONE, kind))


def _listed(kind: str, *names: str) -> dict[str, Field]:
    return dict.fromkeys(names, (Shape.LIST, kind))


def _named(kind: str, *names: str) -> dict[str, Field]:
    return dict.fromkeys(names, (Shape.MAP, kind))


_SCHEMA = {
    **_one(
        "schema",
        "items",
        "additionalProperties",
        "additionalItems",
        "not",
        "if",
        "then",
        "else",
        "contains",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contentSchema",
    ),
    **_listed("schema", "allOf", "oneOf", "anyOf", "prefixItems"),
    **_named("schema", "properties", "patternProperties", "dependentSchemas", "$defs", "definitions"),
    **_one("state machine", "x-state-machine"),
}
_SCHEMA_OR_CONTENT = {
    **_one("schema", "schema"),
    **_named("media type", "content"),
    **_named("example", "examples"),
}
_ENCODINGS = {
    **_named("encoding", "encoding"),
    **_listed("encoding", "prefixEncoding"),
    **_one("encoding", "itemEncoding"),
}
_OPERATION = {
    **_listed("parameter", "parameters"),
    **_one("request body", "requestBody"),
    **_one("responses", "responses"),
    **_named("callback", "callbacks"),
    **_listed("server", "servers"),
    **_listed("part", "x-codeSamples", "x-code-samples"),
}


def _path_item(operation: str) -> dict[str, Field]:
    return {
        **_one(operation, *_METHODS, *map(str.upper, _METHODS)),
        **_named(operation, "additionalOperations"),
        **_listed("parameter", "parameters"),
        **_listed("server", "servers"),
    }


FIELDS: Mapping[str, Mapping[str, Field]] = {
    "document": {
        **_one("paths", "paths"),
        **_named("event", "webhooks", "x-webhooks"),
        **_one("components", "components"),
        **_listed("tag", "tags"),
        **_listed("server", "servers"),
        **_listed("part", "x-problem-types", "x-tagGroups"),
    },
    "components": {
        **_named("schema", "schemas"),
        **_named("response", "responses"),
        **_named("parameter", "parameters"),
        **_named("example", "examples"),
        **_named("request body", "requestBodies"),
        **_named("header", "headers"),
        **_named("security scheme", "securitySchemes"),
        **_named("link", "links"),
        **_named("callback", "callbacks"),
        **_named("path item", "pathItems"),
        **_named("media type", "mediaTypes"),
    },
    "path item": _path_item("operation"),
    "operation": _OPERATION,
    "event": _path_item("sent operation"),
    "sent operation": _OPERATION,
    "parameter": _SCHEMA_OR_CONTENT,
    "header": _SCHEMA_OR_CONTENT,
    "request body": _named("media type", "content"),
    "response": {
        **_named("header", "headers"),
        **_named("media type", "content"),
        **_named("link", "links"),
    },
    "media type": {
        **_one("schema", "schema", "itemSchema"),
        **_named("example", "examples"),
        **_ENCODINGS,
    },
    "encoding": {**_named("header", "headers"), **_ENCODINGS},
    "link": _one("server", "server"),
    "security scheme": _one("set of flows", "flows"),
    "set of flows": _one("flow", *FLOWS),
    "schema": _SCHEMA,
    "state machine": _listed("transition", "transitions"),
}
"""The fields that hold objects, by the kind of object they stand in.

Path items of webhooks and callbacks are events, and their operations are sent operations: what the document
says of security for all operations does not hold for those.
"""

SMALL: Mapping[str, Mapping[str, str]] = {
    "document": {"info": "info", "externalDocs": "external documentation"},
    "info": {"contact": "contact", "license": "license"},
    "operation": {"externalDocs": "external documentation"},
    "sent operation": {"externalDocs": "external documentation"},
    "tag": {"externalDocs": "external documentation"},
    "schema": {
        "externalDocs": "external documentation",
        "discriminator": "discriminator",
        "xml": "XML object",
    },
}
"""Objects that never hold a reference, by the kind and field that they stand in."""

MEMBERS: Mapping[str, str] = {"paths": "path item", "responses": "response", "callback": "event"}
"""The kind of all members of objects whose keys are names; keys with `x-` are extensions there."""

SECTIONS: Mapping[str, str] = {kind: section for section, (_, kind) in FIELDS["components"].items()}
"""The section of the components that holds the reusable objects of a kind."""

_NONE: Mapping[str, Field] = {}


def field_of(kind: str, key: str) -> Field | None:
    """Return what stands at a key of an object; None for plain data."""
    if kind in MEMBERS:
        return None if key.startswith("x-") else (Shape.ONE, MEMBERS[kind])
    return FIELDS.get(kind, _NONE).get(key)


def parts(kind: str, value: Mapping[str, Any]) -> Iterator[tuple[str, Any, Pointer]]:
    """Yield kind, value and relative pointer of each object right below one."""
    for key, member in value.items():
        field = field_of(kind, key)
        if field is None:
            continue
        shape, below = field
        if shape is Shape.ONE and isinstance(member, dict):
            yield below, member, (key,)
        elif shape is Shape.LIST and isinstance(member, list):
            yield from ((below, one, (key, str(number))) for number, one in enumerate(member))
        elif shape is Shape.MAP and isinstance(member, dict):
            yield from ((below, one, (key, name)) for name, one in member.items())


def kind_at(kind: str, pointer: Pointer) -> str:
    """Return the kind of the object that a pointer leads to from one of a kind; the empty text for what is
    none, such as data and lists of objects.
    """
    tokens = iter(pointer)
    for token in tokens:
        small = SMALL.get(kind, {}).get(token)
        field = (Shape.ONE, small) if small is not None else field_of(kind, token)
        if kind == "server" and token == "variables":
            field = (Shape.MAP, "server variable")
        if field is None or (field[0] is not Shape.ONE and next(tokens, None) is None):
            return ""
        kind = field[1]
    return kind


def mapped(target: str) -> str:
    """Return the target of a discriminator as a reference; it may be a schema's name (OAS 3.0.3 §4.7.25)."""
    is_name = "/" not in target and "#" not in target and "." not in target
    return f"#/components/schemas/{target}" if is_name else target
