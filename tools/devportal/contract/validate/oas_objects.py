"""The kinds of objects in an OpenAPI document (OAS 3.0.3 §4.7), by their position, and their fields."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from devportal.contract.http_methods import PATH_ITEM_METHODS
from devportal.contract.keyword_columns import Holds
from devportal.contract.keywords import DATA_ROWS, KEYWORDS, names_of
from devportal.documents import Pointer

OAUTH_FLOWS = ("implicit", "password", "clientCredentials", "authorizationCode", "deviceAuthorization")
"""The OAuth 2 flows (OAS 3.2.0 §4.28)."""


class FieldShape(Enum):
    """How a field holds objects: one, a list, or a mapping from names to objects."""

    ONE = "one"
    LIST = "list"
    MAP = "map"


ObjectField = tuple[FieldShape, str]
"""The shape of a field and the kind of the objects in it."""


def _object_fields(kind: str, *names: str) -> dict[str, ObjectField]:
    return dict.fromkeys(names, (FieldShape.ONE, kind))


def _list_fields(kind: str, *names: str) -> dict[str, ObjectField]:
    return dict.fromkeys(names, (FieldShape.LIST, kind))


def _map_fields(kind: str, *names: str) -> dict[str, ObjectField]:
    return dict.fromkeys(names, (FieldShape.MAP, kind))


_SHAPE_OF = {Holds.ONE: FieldShape.ONE, Holds.LIST: FieldShape.LIST, Holds.MAP: FieldShape.MAP}
_SCHEMA: dict[str, ObjectField] = {
    row.name: (_SHAPE_OF[row.holds], row.kind) for row in KEYWORDS if row.holds in _SHAPE_OF
}
_SCHEMA_OR_CONTENT = {
    **_object_fields("schema", "schema"),
    **_map_fields("media type", "content"),
    **_map_fields("example", "examples"),
}
_ENCODINGS = {
    **_map_fields("encoding", "encoding"),
    **_list_fields("encoding", "prefixEncoding"),
    **_object_fields("encoding", "itemEncoding"),
}
_OPERATION = {
    **_list_fields("parameter", "parameters"),
    **_object_fields("request body", "requestBody"),
    **_object_fields("responses", "responses"),
    **_map_fields("callback", "callbacks"),
    **_list_fields("server", "servers"),
    **_list_fields("part", "x-codeSamples", "x-code-samples"),
}


def _path_item(operation: str) -> dict[str, ObjectField]:
    return {
        **_object_fields(operation, *PATH_ITEM_METHODS, *map(str.upper, PATH_ITEM_METHODS)),
        **_map_fields(operation, "additionalOperations"),
        **_list_fields("parameter", "parameters"),
        **_list_fields("server", "servers"),
    }


OBJECT_FIELDS: Mapping[str, Mapping[str, ObjectField]] = {
    "document": {
        **_object_fields("paths", "paths"),
        **_map_fields("event", "webhooks", "x-webhooks"),
        **_object_fields("components", "components"),
        **_list_fields("tag", "tags"),
        **_list_fields("server", "servers"),
        **_list_fields("part", "x-problem-types", "x-tagGroups"),
    },
    "components": {
        **_map_fields("schema", "schemas"),
        **_map_fields("response", "responses"),
        **_map_fields("parameter", "parameters"),
        **_map_fields("example", "examples"),
        **_map_fields("request body", "requestBodies"),
        **_map_fields("header", "headers"),
        **_map_fields("security scheme", "securitySchemes"),
        **_map_fields("link", "links"),
        **_map_fields("callback", "callbacks"),
        **_map_fields("path item", "pathItems"),
        **_map_fields("media type", "mediaTypes"),
    },
    "path item": _path_item("operation"),
    "operation": _OPERATION,
    "event": _path_item("sent operation"),
    "sent operation": _OPERATION,
    "parameter": _SCHEMA_OR_CONTENT,
    "header": _SCHEMA_OR_CONTENT,
    "request body": _map_fields("media type", "content"),
    "response": {
        **_map_fields("header", "headers"),
        **_map_fields("media type", "content"),
        **_map_fields("link", "links"),
    },
    "media type": {
        **_object_fields("schema", "schema", "itemSchema"),
        **_map_fields("example", "examples"),
        **_ENCODINGS,
    },
    "encoding": {**_map_fields("header", "headers"), **_ENCODINGS},
    "link": _object_fields("server", "server"),
    "security scheme": _object_fields("set of flows", "flows"),
    "set of flows": _object_fields("flow", *OAUTH_FLOWS),
    "schema": _SCHEMA,
    "state machine": _list_fields("transition", "transitions"),
}
"""The fields that hold objects, by the kind of their parent.

Path items of webhooks and callbacks are events, and their operations are sent operations: the security of the
document does not apply to those.
"""

MINOR_OBJECT_FIELDS: Mapping[str, Mapping[str, str]] = {
    "document": {"info": "info", "externalDocs": "external documentation"},
    "info": {"contact": "contact", "license": "license"},
    "operation": {"externalDocs": "external documentation"},
    "sent operation": {"externalDocs": "external documentation"},
    "tag": {"externalDocs": "external documentation"},
    "schema": {row.name: row.kind for row in KEYWORDS if row.holds is Holds.MINOR},
}
"""Objects that are never a reference, by the kind and field of their parent."""

MAP_MEMBER_KINDS: Mapping[str, str] = {"paths": "path item", "responses": "response", "callback": "event"}
"""The kind of all members of objects whose keys are names; keys with `x-` are extensions there."""

COMPONENT_SECTIONS: Mapping[str, str] = {
    kind: section for section, (_, kind) in OBJECT_FIELDS["components"].items()
}
"""The section of the components that holds the reusable objects of a kind."""

_NO_FIELDS: Mapping[str, ObjectField] = {}


def field_of(kind: str, key: str) -> ObjectField | None:
    """Return shape and kind of the objects in a field; None for plain data."""
    if kind in MAP_MEMBER_KINDS:
        return None if key.startswith("x-") else (FieldShape.ONE, MAP_MEMBER_KINDS[kind])
    return OBJECT_FIELDS.get(kind, _NO_FIELDS).get(key)


def child_objects(kind: str, value: Mapping[str, Any]) -> Iterator[tuple[str, Any, Pointer]]:
    """Yield kind, value and relative pointer of each object right below one."""
    if kind in MAP_MEMBER_KINDS:
        for key, member in value.items():
            field = field_of(kind, key)
            if field is not None and isinstance(member, dict):
                yield field[1], member, (key,)
        return
    fields = OBJECT_FIELDS.get(kind)
    if not fields:
        return
    for key, member in value.items():
        if key not in fields:
            continue
        shape, below = fields[key]
        if shape is FieldShape.ONE and isinstance(member, dict):
            yield below, member, (key,)
        elif shape is FieldShape.LIST and isinstance(member, list):
            yield from ((below, content, (key, str(number))) for number, content in enumerate(member))
        elif shape is FieldShape.MAP and isinstance(member, dict):
            yield from ((below, content, (key, name)) for name, content in member.items())


def kind_at(kind: str, pointer: Pointer) -> str:
    """Return the kind of the object at a pointer, relative to an object of a kind; empty for data and for
    lists of objects.
    """
    tokens = iter(pointer)
    for token in tokens:
        minor_kind = MINOR_OBJECT_FIELDS.get(kind, {}).get(token)
        field = (FieldShape.ONE, minor_kind) if minor_kind is not None else field_of(kind, token)
        if kind == "server" and token == "variables":
            field = (FieldShape.MAP, "server variable")
        if field is None or (field[0] is not FieldShape.ONE and next(tokens, None) is None):
            return ""
        kind = field[1]
    return kind


def discriminator_reference(target: str) -> str:
    """Return the target of a discriminator as a reference; it may be a schema's name (OAS 3.0.3 §4.7.25)."""
    is_name = "/" not in target and "#" not in target and "." not in target
    return f"#/components/schemas/{target}" if is_name else target


OAS_VERSIONS = ("3.0", "3.1", "3.2")

_PARAMETER_FIELDS = """
description required deprecated allowEmptyValue style explode allowReserved schema example examples
content
"""
_OPERATION_FIELDS = """
tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated
security servers
"""


def _keywords_since(version: str) -> str:
    return " ".join(row.name for row in KEYWORDS if row.since == version)


_FIELDS_BY_KIND: Mapping[str, tuple[str, str, str]] = {
    "document": (
        "openapi info servers paths components security tags externalDocs",
        "webhooks jsonSchemaDialect",
        "$self",
    ),
    "info": ("title description termsOfService contact license version", "summary", ""),
    "contact": ("name url email", "", ""),
    "license": ("name url", "identifier", ""),
    "server": ("url description variables", "", "name"),
    "server variable": ("enum default description", "", ""),
    "components": (
        "schemas responses parameters examples requestBodies headers securitySchemes links callbacks",
        "pathItems",
        "mediaTypes",
    ),
    "path item": (
        "summary description servers parameters get put post delete options head patch trace",
        "",
        "query additionalOperations",
    ),
    "operation": (_OPERATION_FIELDS, "", ""),
    "external documentation": ("description url", "", ""),
    "parameter": (f"name in {_PARAMETER_FIELDS}", "", ""),
    "header": (_PARAMETER_FIELDS, "", ""),
    "request body": ("description content required", "", ""),
    "media type": (
        "schema example examples encoding",
        "",
        "itemSchema prefixEncoding itemEncoding description",
    ),
    "encoding": (
        "contentType headers style explode allowReserved",
        "",
        "encoding prefixEncoding itemEncoding",
    ),
    "response": ("description headers content links", "", "summary"),
    "example": ("summary description value externalValue", "", "dataValue serializedValue"),
    "link": ("operationRef operationId parameters requestBody description server", "", ""),
    "tag": ("name description externalDocs", "", "summary parent kind"),
    "security scheme": (
        "type description name in scheme bearerFormat flows openIdConnectUrl",
        "",
        "oauth2MetadataUrl deprecated",
    ),
    "set of flows": ("implicit password clientCredentials authorizationCode", "", "deviceAuthorization"),
    "flow": ("authorizationUrl tokenUrl refreshUrl scopes", "", "deviceAuthorizationUrl"),
    "discriminator": ("propertyName mapping", "", "defaultMapping"),
    "XML object": ("name namespace prefix attribute wrapped", "", "nodeType"),
    "schema": (_keywords_since("3.0"), _keywords_since("3.1"), _keywords_since("3.2")),
    "state machine": ("initial transitions", "", ""),
    "transition": ("from to on description event", "", ""),
}
"""The fields that came with 3.0, 3.1 and 3.2. Extensions and `$ref` are allowed in each. State machines are
our own (decision 0026).
"""
_REMOVED_IN = {("schema", row.name): row.removed_in for row in KEYWORDS if row.removed_in}
"""The version that removed a field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedFields:
    """The fields of one kind of object in one version, and those of others with when they were added or removed."""

    in_version: frozenset[str]
    in_other_versions: Mapping[str, str]


@lru_cache(maxsize=128)
def fixed_fields_of(kind: str, version: str) -> FixedFields | None:
    """Return the fields of a kind of object in a version such as `3.1.0`; None for names of the author's."""
    if kind not in _FIELDS_BY_KIND:
        return None
    since = {
        name: first
        for first, names in zip(OAS_VERSIONS, _FIELDS_BY_KIND[kind], strict=True)
        for name in names.split()
    }
    return FixedFields(
        in_version=frozenset(
            name for name, first in since.items() if _has_field(kind, name, first, version[:3])
        ),
        in_other_versions={
            name: f"was added in OAS {first}"
            if first > version[:3]
            else f"was removed in OAS {_REMOVED_IN[kind, name]}"
            for name, first in since.items()
            if not _has_field(kind, name, first, version[:3])
        },
    )


def _has_field(kind: str, name: str, first: str, version: str) -> bool:
    return first <= version and not _REMOVED_IN.get((kind, name), "9") <= version


MAP_FIELDS = frozenset(
    {"paths", "responses"}
    | {
        name
        for fields in OBJECT_FIELDS.values()
        for name, (shape, _) in fields.items()
        if shape is FieldShape.MAP
    }
)
"""The fields whose keys are names and no fields."""
DATA_FIELDS = frozenset({*names_of(DATA_ROWS), "value", "dataValue", "serializedValue"})
"""The fields that hold values of the API: nothing in them is a description or a mark, but in named examples."""
