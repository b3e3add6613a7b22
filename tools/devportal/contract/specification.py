"""The JSON Schemas that the OpenAPI Initiative publishes of the OAS: what each object of a contract must be.

The files in `oas/` are unchanged copies (`oas/NOTICE.md`); two mistakes in them are corrected here.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema_rs

OBJECTS: Mapping[str, tuple[str, str]] = {
    "schema": ("Schema", "schema"),
    "response": ("Response", "response"),
    "parameter": ("Parameter", "parameter"),
    "example": ("Example", "example"),
    "request body": ("RequestBody", "request-body"),
    "header": ("Header", "header"),
    "security scheme": ("SecurityScheme", "security-scheme"),
    "link": ("Link", "link"),
    "callback": ("Callback", "callbacks"),
    "path item": ("PathItem", "path-item"),
    "event": ("PathItem", "path-item"),
    "media type": ("MediaType", "media-type"),
}
"""What the kinds of objects that references lead to are called in the schemas of 3.0, and of later ones."""
_FOLDER = Path(__file__).parent / "oas"
_2020_12 = "https://json-schema.org/draft/2020-12/schema"
_DIALECTS = (
    _2020_12,
    "https://spec.openapis.org/oas/3.1/dialect/base",
    "https://spec.openapis.org/oas/3.1/dialect/2024-10-25",
    "https://spec.openapis.org/oas/3.1/dialect/2024-11-10",
    "https://spec.openapis.org/oas/3.2/dialect/2025-09-17",
)
"""The dialects of JSON Schema that the OAS itself has, with the one that they extend."""
_SCHEMA_OBJECT: Mapping[str, Any] = {
    "$dynamicAnchor": "meta",
    "type": ["object", "boolean"],
    "if": {
        "type": "object",
        "required": ["$schema"],
        "properties": {"$schema": {"not": {"enum": _DIALECTS}}},
    },
    "else": {
        "$ref": _2020_12,
        "properties": {
            "discriminator": {
                "type": "object",
                "required": ["propertyName"],
                "properties": {
                    "propertyName": {"type": "string"},
                    "mapping": {"type": "object", "additionalProperties": {"type": "string"}},
                },
            },
            "externalDocs": {"$ref": "#/$defs/external-documentation"},
            "xml": {"type": "object"},
        },
    },
}
"""A schema object (OAS 3.1.1 §4.8.24) in the dialect of the OAS. The schema of the OAS does not say more of
one than that it is a mapping or a boolean, since a contract may choose another dialect.
"""

Validator = jsonschema_rs.Draft4Validator | jsonschema_rs.Draft202012Validator


def validator_of(kind: str, version: str, dialect: object = None) -> Validator:
    """Return what holds objects of a kind to the OAS; `dialect` is the `jsonSchemaDialect` of the document.

    `document` is the kind of a whole one. Formats are not checked: authors write templates in addresses.
    """
    return _validator(kind, version[:3], dialect is None or dialect in _DIALECTS)


@lru_cache(maxsize=64)
def _validator(kind: str, version: str, has_own_dialect: bool) -> Validator:  # noqa: FBT001 - the cache wants it
    whole = _schema_of(version)
    is_first = version == "3.0"
    key = "definitions" if is_first else "$defs"
    if not is_first and has_own_dialect:
        whole = {**whole, key: {**whole[key], "schema": _SCHEMA_OBJECT}}
    if kind != "document":
        name = OBJECTS[kind][not is_first]
        heads = ("id", "$id", "$schema", key)
        whole = {head: whole[head] for head in heads if head in whole} | {"$ref": f"#/{key}/{name}"}
    made = jsonschema_rs.Draft4Validator if is_first else jsonschema_rs.Draft202012Validator
    return made(whole, validate_formats=False)


def _schema_of(version: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((_FOLDER / f"{version}.json").read_text(encoding="utf-8"))
    _correct_links(schema)
    _correct_path_items(schema)
    return schema


def _correct_links(schema: dict[str, Any]) -> None:
    """Call the server of a link `server` (OAS 3.1.1 §4.8.20): the schema of 3.1 of 2022-10-07 calls it
    `body`, so that what is right would break it.
    """
    fields = schema.get("$defs", {}).get("link", {}).get("properties", {})
    if "server" not in fields and "body" in fields:
        fields["server"] = fields.pop("body")


def _correct_path_items(schema: dict[str, Any]) -> None:
    """Let fields stand beside the `$ref` of a path item (OAS 3.1.1 §4.8.9), which the same schema takes for a
    Reference Object.
    """
    definitions = schema.get("$defs", {})
    if "path-item-or-reference" in definitions:
        definitions["path-item"]["properties"].setdefault("$ref", {"type": "string"})
        definitions["path-item-or-reference"] = {"$ref": "#/$defs/path-item"}
