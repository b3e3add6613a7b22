"""References that lead nowhere, and keywords beside a reference."""

import posixpath
import re
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any
from urllib.parse import unquote, urldefrag

from devportal.contract.keywords import KEYWORDS
from devportal.contract.read.lifecycle_extensions import leads_to_internal
from devportal.contract.read.source import Node
from devportal.contract.schemas import Location, Property, Schema
from devportal.documents import parse_pointer

_MAX_REFERENCE_LENGTH = 200
"""How much of a reference a note quotes, in code points."""


def broken_reference(item: Node) -> str:
    """Return the `$ref` of a part if it does not lead to one, as written; else the empty text."""
    reference = item.value.get("$ref") if isinstance(item.value, dict) else None
    if not isinstance(reference, str) or item.chain() or leads_to_internal(item):
        return ""
    return reference


def broken_note(reference: str) -> str:
    """Return the note that replaces the description of a broken part, as CommonMark; empty without a
    reference.
    """
    if not reference:
        return ""
    quoted = re.sub(r"[`\s]+", " ", reference).strip()[:_MAX_REFERENCE_LENGTH]
    where = f"its reference `{quoted}`" if quoted else "its empty reference"
    return f"The contract describes this elsewhere, but {where} cannot be followed."


def name_from_reference(reference: str) -> str:
    """Return the name of a referenced part: its key, or the name of its file.

    `#/components/schemas/Pet`, `Pet.yaml` and `#Pet` all mean `Pet`.
    """
    path, _, _ = reference.partition("#")
    try:
        path, fragment = urldefrag(reference)
        tokens = parse_pointer(unquote(fragment)) if fragment.startswith("/") else (unquote(fragment),)
    except ValueError:
        tokens = ()
    names = (*reversed(tokens), posixpath.basename(unquote(path)).partition(".")[0], reference)
    return next((name.strip() for name in names if name.strip()), "unknown")


_NOT_KEYWORDS = frozenset({"location", "name", "ref", "idle_keywords"})
_KEYWORD_FIELDS = tuple(field.name for field in fields(Schema) if field.name not in _NOT_KEYWORDS)
_keyword_values = attrgetter(*_KEYWORD_FIELDS)
_NO_KEYWORDS = _keyword_values(Schema(location=Location("", ())))
CONSTRAINING_FIELDS = frozenset(
    {
        "verdict",
        "has_empty_enum",
        *(row.model_field for row in KEYWORDS if row.model_field and not row.is_annotation),
    }
)
"""The fields that decide which values are valid; the others are annotations."""


_constraining_values = attrgetter(*sorted(CONSTRAINING_FIELDS - {"types", "nullable"}), "ref", "format")
_UNCONSTRAINED = _constraining_values(Schema(location=Location("", ())))


def has_types_only(schema: Schema) -> bool:
    """Return whether every value of the types of a schema is valid, whatever its annotations say."""
    return bool(schema.types) and bool(_constraining_values(schema) == _UNCONSTRAINED)


def has_no_keywords(schema: Schema) -> bool:
    """Return whether a schema has no keywords; a reference may have its `$ref` only."""
    return bool(_keyword_values(schema) == _NO_KEYWORDS)


def merge_ref_siblings(target: Schema, siblings: Schema) -> Schema:
    """Return the target of a reference merged with the siblings of the reference.

    The siblings' annotations win, since they are written for this use; their examples come first. The rules
    of both apply; if one schema cannot hold both, the siblings' rules become one more part of its `allOf`. A
    schema with rules from siblings is no longer the shared schema: it has no name, and the location of the
    reference.

    This is for readers. A validator gets both schemas, since `additionalProperties` only considers the
    properties beside it.
    """
    overrides = {
        name: value
        for name, value, default in zip(_KEYWORD_FIELDS, _keyword_values(siblings), _NO_KEYWORDS, strict=True)
        if value != default
    }
    if siblings.examples:
        other_examples = tuple(value for value in target.examples if value not in siblings.examples)
        overrides |= {
            "examples": (*siblings.examples, *other_examples),
            "has_lone_example": siblings.has_lone_example,
        }
    if overrides.keys() & CONSTRAINING_FIELDS:
        overrides |= _merge_constraining_fields(target, siblings, overrides)
        overrides |= {"name": "", "location": siblings.location}
    return replace(target, **overrides)


def _merge_constraining_fields(target: Schema, siblings: Schema, overrides: dict[str, Any]) -> dict[str, Any]:
    """Return the rules that two schemas make together, for the fields that both of them may have."""
    target_properties = {property_.name: property_ for property_ in target.properties}
    sibling_properties = {property_.name: property_ for property_ in siblings.properties}
    merged: dict[str, Any] = {
        "properties": tuple(
            _merge_property(target_properties.get(name), sibling_properties.get(name))
            for name in target_properties | sibling_properties
        ),
        "required": tuple(dict.fromkeys((*target.required, *siblings.required))),
        "constraints": tuple(
            {
                constraint.keyword: constraint for constraint in (*target.constraints, *siblings.constraints)
            }.values()
        ),
        "nullable": _is_nullable(target, siblings),
        "others": (*target.others, *siblings.others),
        "pattern_properties": (*target.pattern_properties, *siblings.pattern_properties),
    }
    all_of = (*target.all_of, *siblings.all_of)
    for name in ("one_of", "any_of", "items", "negated"):
        if name in overrides and getattr(target, name):
            merged[name] = getattr(target, name)
            all_of = (*all_of, Schema(location=siblings.location, **{name: overrides[name]}))
    return merged | {"all_of": all_of}


def _merge_property(target: Property | None, sibling: Property | None) -> Property:
    """Return a property of two schemas, of which at least one has it."""
    if target is None or sibling is None:
        only = target or sibling
        assert only is not None  # noqa: S101 - the name comes from one of them
        return only
    schema = replace(sibling.schema, all_of=(target.schema, *sibling.schema.all_of))
    return Property(name=sibling.name, schema=schema, required=target.required or sibling.required)


def _is_nullable(target: Schema, siblings: Schema) -> bool:
    if target.types and siblings.types:
        return target.nullable and siblings.nullable
    return target.nullable or siblings.nullable
