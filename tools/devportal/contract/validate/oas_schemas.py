"""The JSON Schemas of the OAS, and whether each object of a contract is valid by them."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema_rs

from devportal.contract.internal.withheld import objects_of_other_files
from devportal.contract.load import Contract
from devportal.contract.schemas import Location
from devportal.contract.validate.oas_errors import OasError, explain_oas_errors
from devportal.findings import Finding, Level

DEFINITION_NAMES: Mapping[str, tuple[str, str]] = {
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
_DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
_DIALECTS = (
    _DRAFT_2020_12,
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
        "$ref": _DRAFT_2020_12,
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
            "xml": {
                "type": "object",
                "allOf": [{"not": {"required": ["nodeType", item]}} for item in ("attribute", "wrapped")],
            },
        },
    },
}
"""A schema object (OAS 3.1.1 §4.8.24) in the dialect of the OAS. The OAS schema only requires a mapping or a
boolean, since a contract may choose another dialect.
"""

OasValidator = jsonschema_rs.Draft4Validator | jsonschema_rs.Draft202012Validator


def oas_validator(kind: str, version: str, dialect: object = None) -> OasValidator:
    """Return the validator for objects of a kind; `dialect` is the `jsonSchemaDialect` of the document.

    The kind of a whole document is `document`. Formats are not checked: authors write templates in addresses.
    """
    return _build_validator(kind, version[:3], dialect is None or dialect in _DIALECTS)


@lru_cache(maxsize=64)
def _build_validator(kind: str, version: str, has_own_dialect: bool) -> OasValidator:  # noqa: FBT001 - the cache wants it
    schema = _schema_of(version)
    is_oas_30 = version == "3.0"
    key = "definitions" if is_oas_30 else "$defs"
    if not is_oas_30 and has_own_dialect:
        schema = {**schema, key: {**schema[key], "schema": _SCHEMA_OBJECT}}
    if kind != "document":
        name = DEFINITION_NAMES[kind][not is_oas_30]
        heads = ("id", "$id", "$schema", key)
        schema = {head: schema[head] for head in heads if head in schema} | {"$ref": f"#/{key}/{name}"}
    validator_class = jsonschema_rs.Draft4Validator if is_oas_30 else jsonschema_rs.Draft202012Validator
    return validator_class(schema, validate_formats=False)


def _schema_of(version: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((_FOLDER / f"{version}.json").read_text(encoding="utf-8"))
    _correct_links(schema)
    _correct_path_items(schema)
    return schema


def _correct_links(schema: dict[str, Any]) -> None:
    """Rename the server of a link to `server`, and allow any constant as the value of a parameter (OAS 3.1.1
    §4.8.20): the schema of 3.1 of 2022-10-07 calls the server `body`, it and that of 3.2 allow texts only, and
    would reject valid links.
    """
    fields = schema.get("$defs", {}).get("link", {}).get("properties", {})
    if "parameters" in fields:
        fields["parameters"] = {"type": "object"}
    if "server" not in fields and "body" in fields:
        fields["server"] = fields.pop("body")


def _correct_path_items(schema: dict[str, Any]) -> None:
    """Allow fields beside the `$ref` of a path item (OAS 3.1.1 §4.8.9); the same schema treats it as a
    Reference Object.
    """
    definitions = schema.get("$defs", {})
    if "path-item-or-reference" in definitions:
        definitions["path-item"]["properties"].setdefault("$ref", {"type": "string"})
        definitions["path-item-or-reference"] = {"$ref": "#/$defs/path-item"}


_MAX_FINDINGS = 200
"""The most errors that are reported: one wrong key can break every operation."""
_READER_RULES = frozenset({"contract-shape", "contract-enum"})
"""What reading a contract reports of what the OAS forbids as well."""


def check_against_oas(contract: Contract) -> Iterator[Finding]:
    """Yield each violation of the OpenAPI Specification that reading the contract has not reported.

    Objects are checked one by one without following references: a broken one hides nothing else.
    """
    reported_places = {finding.place for finding in contract.findings if finding.rule in _READER_RULES}
    findings = (
        Finding(
            rule="contract-invalid",
            level=Level.ERROR,
            place=contract.place(location.child(*error.pointer)),
            message=error.message,
            help=error.help,
        )
        for location, error in _contract_errors(contract)
    )
    new_findings = (finding for finding in findings if finding.place not in reported_places)
    yield from islice(new_findings, _MAX_FINDINGS)
    for further in islice(new_findings, 1):
        yield Finding(
            rule="contract-invalid",
            level=Level.ERROR,
            place=further.place,
            message=f"more than {_MAX_FINDINGS} parts of this contract are not valid, the rest is not listed",
            help="fix the others first",
        )


def _contract_errors(contract: Contract) -> Iterator[tuple[Location, OasError]]:
    source = contract.source.quiet()
    root = source.root().value
    version, dialect = contract.api.openapi, root.get("jsonSchemaDialect")
    yield from _object_errors("document", root, Location("", ()), version, dialect)
    for kind, value, location in objects_of_other_files(source) if len(source.documents()) > 1 else ():
        if kind in DEFINITION_NAMES and not (isinstance(value, dict) and "$ref" in value):
            yield from _object_errors(kind, value, location, version, dialect)


def _object_errors(
    kind: str, value: object, location: Location, version: str, dialect: object
) -> Iterator[tuple[Location, OasError]]:
    errors = oas_validator(kind, version, dialect).iter_errors(value)
    yield from ((location, error) for error in explain_oas_errors(list(errors), kind, version))
