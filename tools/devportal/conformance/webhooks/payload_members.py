"""The members of JSON bodies that a contract describes, by JSON Pointer: where an event holds which value."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from devportal.contract import ABSENT, Api, Location, Schema
from devportal.contract.resources import object_properties
from devportal.documents import format_pointer

DEEPEST = 4
"""How many objects are entered: an envelope, its data, the resource, and one more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyMember:
    """A member of a body. `schema` is resolved; `path` are the names that lead to it."""

    path: tuple[str, ...]
    schema: Schema
    required: bool

    @property
    def name(self) -> str:
        """The name of the member itself."""
        return self.path[-1]

    @property
    def pointer(self) -> str:
        """The JSON Pointer to the member."""
        return format_pointer(self.path)

    @property
    def is_text(self) -> bool:
        """Return whether it may be a text."""
        return not self.schema.types or "string" in self.schema.types

    @property
    def allowed_texts(self) -> frozenset[str]:
        """The texts that it is limited to by `enum` or `const`; empty if it is not limited."""
        values = self.schema.enum if self.schema.const is ABSENT else (self.schema.const,)
        return frozenset(value for value in values if isinstance(value, str))


def body_members(api: Api, schema: Schema | None) -> tuple[BodyMember, ...]:
    """Return the members of an object and of the objects in it, the outer ones first."""
    found = _members_within(api, schema, (), frozenset()) if schema is not None else ()
    return tuple(sorted(found, key=lambda item: len(item.path)))


def _members_within(
    api: Api, schema: Schema, path: tuple[str, ...], entered: frozenset[Location]
) -> Iterator[BodyMember]:
    resolved = api.resolve(schema)
    if resolved.location in entered or len(path) >= DEEPEST:
        return
    entered |= {resolved.location}
    for member in object_properties(api, resolved):
        found = BodyMember(
            path=(*path, member.name), schema=api.resolve(member.schema), required=member.required
        )
        yield found
        yield from _members_within(api, found.schema, found.path, entered)
    for branch in (*resolved.one_of, *resolved.any_of):
        yield from _members_within(api, branch, path, entered)


def occurs_in(value: Any, wanted: str) -> bool:
    """Return whether a text or number occurs as a value anywhere in a JSON document, or at the end of a path
    such as `/orders/17`.
    """
    match value:
        case dict():
            return any(occurs_in(item, wanted) for item in value.values())
        case list():
            return any(occurs_in(item, wanted) for item in value)
        case bool() | None:
            return False
    text = str(value)
    return bool(wanted) and (text == wanted or text.endswith(("/" + wanted, ":" + wanted)))
