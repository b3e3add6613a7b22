"""What stands beside a `$ref`: from OAS 3.1 on it counts, as one more schema for the same value."""

from dataclasses import fields, replace
from operator import attrgetter
from typing import Any

from devportal.contract.schemas import Location, Property, Schema

_KEYWORD_FIELDS = tuple(one.name for one in fields(Schema) if one.name not in ("location", "name", "ref"))
_keyword_values = attrgetter(*_KEYWORD_FIELDS)
_NO_KEYWORDS = _keyword_values(Schema(location=Location("", ())))
CONSTRAINING_FIELDS = frozenset(
    {"verdict", "types", "nullable", "format", "enum", "const", "constraints", "properties", "required",
     "pattern_properties", "additional_properties", "items", "prefix_items", "all_of", "one_of", "any_of",
     "negated", "others", "discriminator", "content"}
)  # fmt: skip
"""The fields that say which values are valid; the others only tell of them."""


def has_no_keywords(schema: Schema) -> bool:
    """Say whether a schema says nothing but, if it is a reference, where it leads."""
    return bool(_keyword_values(schema) == _NO_KEYWORDS)


def merge_ref_siblings(target: Schema, beside: Schema) -> Schema:
    """Return what a reference stands for, together with what stands beside it.

    The nearer note wins, since it is written for this use; of examples it comes first. Rules of both apply;
    where one schema cannot hold both, those beside are one more part of its `allOf`. With rules of its own it
    is no longer the shared schema, so it has no name, and the location of the reference. This is for readers:
    a validator gets both schemas, since what is said of additional properties only holds beside the
    properties meant.
    """
    said = {
        name: value
        for name, value, nothing in zip(_KEYWORD_FIELDS, _keyword_values(beside), _NO_KEYWORDS, strict=True)
        if value != nothing
    }
    if beside.examples:
        further = tuple(value for value in target.examples if value not in beside.examples)
        said |= {"examples": (*beside.examples, *further), "has_lone_example": beside.has_lone_example}
    if said.keys() & CONSTRAINING_FIELDS:
        said |= _merge_constraining_fields(target, beside, said)
        said |= {"name": "", "location": beside.location}
    return replace(target, **said)


def _merge_constraining_fields(target: Schema, beside: Schema, said: dict[str, Any]) -> dict[str, Any]:
    """Return the rules that two schemas make together, for the fields that both of them may have."""
    known = {one.name: one for one in target.properties}
    own = {one.name: one for one in beside.properties}
    both: dict[str, Any] = {
        "properties": tuple(_merge_property(known.get(name), own.get(name)) for name in known | own),
        "required": tuple(dict.fromkeys((*target.required, *beside.required))),
        "constraints": tuple(
            {one.keyword: one for one in (*target.constraints, *beside.constraints)}.values()
        ),
        "nullable": _is_nullable(target, beside),
        "others": (*target.others, *beside.others),
        "pattern_properties": (*target.pattern_properties, *beside.pattern_properties),
    }
    all_of = (*target.all_of, *beside.all_of)
    for name in ("one_of", "any_of", "items", "negated"):
        if name in said and getattr(target, name):
            both[name] = getattr(target, name)
            all_of = (*all_of, Schema(location=beside.location, **{name: said[name]}))
    return both | {"all_of": all_of}


def _merge_property(known: Property | None, own: Property | None) -> Property:
    """Return a property of two schemas, of which at least one has it."""
    if known is None or own is None:
        only = known or own
        assert only is not None  # noqa: S101 - the name comes from one of them
        return only
    schema = replace(own.schema, all_of=(known.schema, *own.schema.all_of))
    return Property(name=own.name, schema=schema, required=known.required or own.required)


def _is_nullable(target: Schema, beside: Schema) -> bool:
    if target.types and beside.types:
        return target.nullable and beside.nullable
    return target.nullable or beside.nullable
