"""Findings from a JSON Schema: every fault of a document's shape, in words, with its place and what to do.

The schema's own descriptions are the help: each reads as what the value has to be.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError

from devportal.documents import Document, Pointer, child
from devportal.findings import Finding, Level

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
}
_formats = FormatChecker(formats=())


@_formats.checks("date", raises=ValueError)
def _is_date(value: object) -> bool:
    """Accept `YYYY-MM-DD` alone (RFC 3339 §5.6); `fromisoformat` also reads `20261121` and week dates."""
    return not isinstance(value, str) or date.fromisoformat(value).isoformat() == value


def shape_findings(document: Document, schema: Mapping[str, Any], *, rule: str) -> Iterator[Finding]:
    """Yield a finding for everything in the document that the schema (2020-12) does not allow."""
    validator = Draft202012Validator(schema, format_checker=_formats)
    for error in validator.iter_errors(document.data):
        pointer = child((), *error.absolute_path)
        here = _below(schema, error.absolute_path)
        for key, message, help_ in _explain(error, pointer, here):
            place = document.place((*pointer, key) if key else pointer)
            yield Finding(rule=rule, level=Level.ERROR, place=place, message=message, help=help_)


def _below(schema: Mapping[str, Any], path: Sequence[str | int]) -> Mapping[str, Any]:
    """Return the schema of the node at `path`, as far as our schemas reach: properties and items."""
    for token in path:
        schema = schema["items"] if isinstance(token, int) else schema["properties"][token]
    return schema


def _explain(
    error: ValidationError, pointer: Pointer, schema: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """Yield the key below the error's place (or nothing), the message and the help."""
    name, wanted = ".".join(pointer) or "the front matter", error.validator_value
    value: Any = error.instance
    help_ = f"`{name}` is {schema['description']}" if "description" in schema else ""
    match error.validator:
        case "required":
            yield from _missing(error.message, schema)
        case "additionalProperties":
            yield from _unknown(value, schema)
        case "type":
            yield "", f"`{name}` is {_show(value)}, not {_TYPES[str(wanted)]}", help_
        case "enum":
            choice = ", ".join(error.schema["enum"]) if isinstance(error.schema, Mapping) else ""
            yield "", f"`{name}` is {_show(value)}, which is none of its values", f"use one of: {choice}"
        case "format":
            yield "", f"`{name}` is {_show(value)}, which is no date", "write it as `YYYY-MM-DD`"
        case "minItems" | "minLength":
            yield "", f"`{name}` is empty", help_
        case "maxLength":
            yield "", f"`{name}` has {len(value)} characters, more than {wanted}", "shorten it"
        case "uniqueItems":
            yield "", f"`{name}` says something twice: {_show(value)}", "keep one of the two"
        case _:
            yield "", f"`{name}` is {_show(value)}, which does not fit", help_


def _missing(message: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Explain a missing key; the library reports each alone and says which only in its message."""
    for key in schema["required"]:
        if message == f"{key!r} is a required property":
            yield "", f"`{key}` is missing", f"add `{key}`: {schema['properties'][key]['description']}"


def _unknown(value: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    known = schema["properties"]
    for key in value:
        if key not in known:
            close = get_close_matches(key, known, n=1)
            help_ = f"did you mean `{close[0]}`?" if close else f"use only: {', '.join(known)}"
            yield key, f"the key {key!r} is not known here", help_


def _show(value: object) -> str:
    """Return a value as its author knows it, cut at 60 characters."""
    if value is None:
        return "empty"
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
