"""The properties of a form that a value may have, and what is said of those that a form does not list."""

from collections.abc import Mapping
from dataclasses import replace

from devportal.contract import Schema
from devportal.contract.regex import matches
from devportal.differ.forms import Form, Member


def permitted_members(form: Form) -> Mapping[str, Member]:
    """Return the properties of a form without those that a part of it refuses.

    A part with `additionalProperties: false` refuses what it does not list itself, whatever the parts beside
    it list (JSON Schema 2020-12 §10.3.2.3); where such a property is required, that alone is left of it.
    """
    closed = [part for part in form.parts if _is_closed(part)]
    if not closed or len(form.parts) == 1:
        return form.members
    found: dict[str, Member] = {}
    for name, member in form.members.items():
        if all(_lists(part, name) for part in closed):
            found[name] = member
        elif member.is_required:
            found[name] = replace(member, schemas=())
    return found


def _is_closed(part: Schema) -> bool:
    return part.additional_properties is not None and part.additional_properties.verdict is False


def _lists(part: Schema, name: str) -> bool:
    return any(one.name == name for one in part.properties) or any(
        matches(one.name, name) for one in part.pattern_properties
    )


def said_of_unlisted(form: Form, name: str) -> tuple[Schema, ...]:
    """Return the schemas that a property has to keep which a form does not list."""
    by_pattern = tuple(
        schema
        for pattern, schemas in form.pattern_members.items()
        if matches(pattern, name)
        for schema in schemas
    )
    return by_pattern or (() if form.is_closed else form.additional)
