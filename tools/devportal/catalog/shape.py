"""The shape of what people write: JSON Schemas kept beside this module, and their errors as findings."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jsonschema_rs import Draft202012Validator, ValidationError, ValidationErrorKind

from devportal.documents import Document, Pointer
from devportal.findings import Finding, Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """One error of shape: the node that is wrong, and the finding that says so."""

    pointer: Pointer
    finding: Finding


def misfits(document: Document, schema: str) -> Iterator[Misfit]:
    """Yield every way in which a document differs from the schema `schemas/SCHEMA.json`."""
    validator, definition = _schema(schema)
    for error in validator.iter_errors(document.data):
        base: Pointer = tuple(str(token) for token in error.instance_path)
        help_ = _description(definition, error)
        for pointer, message in _messages(base, error):
            finding = Finding(
                rule="catalog-shape",
                level=Level.ERROR,
                place=document.place(pointer),
                message=message,
                help=help_,
            )
            yield Misfit(pointer=pointer, finding=finding)


@lru_cache(maxsize=4)
def _schema(name: str) -> tuple[Draft202012Validator, Any]:
    definition = json.loads(files(__package__).joinpath("schemas", f"{name}.json").read_text("utf-8"))
    return Draft202012Validator(definition), definition


def _messages(base: Pointer, error: ValidationError) -> Iterator[tuple[Pointer, str]]:
    """Yield the pointer and the sentence for each thing that one error of the validator speaks of."""
    name = base[-1] if base else "the file"
    match error.kind:
        case ValidationErrorKind.AdditionalProperties(unexpected):
            for key in unexpected:
                yield (*base, key), f"the field {key!r} is not known here"
        case ValidationErrorKind.Required(missing):
            yield base, f"the field {missing!r} is missing"
        case _ if error.instance is None:
            yield base, f"{name} is empty"
        case _:
            yield base, f"{name} is {_quoted(error.instance)}"


def _quoted(value: object) -> str:
    """Return a value as a message quotes it; a whole list or mapping would be too long."""
    match value:
        case dict():
            return "a mapping"
        case list():
            return "a list" if value else "an empty list"
        case str():
            return repr(value if len(value) <= 60 else value[:59] + "…")
    return repr(value)


def _description(definition: Any, error: ValidationError) -> str:
    """Return what the schema says of the node that is wrong: how to write it."""
    node, found = definition, ""
    for token in error.schema_path:
        found = node["description"] if isinstance(node, dict) and "description" in node else found
        node = node[token]
    return str(found)
