"""Members of a resource that its representation has in another one: `attributes` of JSON:API (§5.2), or the times in
`metadata`.

A record has them beside its other members, so that nothing else need know where a representation shows them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from devportal.conformance.knowledge.json_api import ATTRIBUTES
from devportal.conformance.knowledge.resources.versions import VERSION_NAMES
from devportal.contract import Api, Property, Schema
from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.resources import METADATA_NAMES, object_properties
from devportal.documents import with_member_at

NestedMembers = Mapping[str, tuple[str, str]]
"""The names of members with where a representation has them: `title` → `attributes`, `title`."""


def find_nested_members(
    api: Api, conventions: Conventions, schemas: Iterable[Schema], key: Sequence[str]
) -> NestedMembers:
    """Return the nested members of a resource: all that `attributes` describes, and times and versions in metadata. One
    with the name of a member beside them, and the identifier that a key leads to, stay where they are.

    The schemas are those of its representations, in requests too.
    """
    in_metadata = (*conventions.created, *conventions.updated, *VERSION_NAMES)
    members = [member for schema in schemas for member in object_properties(api, schema)]
    outer = {member.name for member in members}
    found: dict[str, tuple[str, str]] = {}
    for holder in members:
        is_metadata = matches_any_name(holder.name, METADATA_NAMES)
        if holder.name != ATTRIBUTES and not is_metadata:
            continue
        for member in object_properties(api, holder.schema):
            path = holder.name, member.name
            is_about_resource = not is_metadata or matches_any_name(member.name, in_metadata)
            if is_about_resource and member.name not in outer and path != tuple(key):
                found.setdefault(member.name, path)
    return found


def resource_members(api: Api, schema: Schema | None, nested: NestedMembers) -> Iterator[Property]:
    """Yield the members that a schema describes, and the nested ones. Those are required if their holder is, too."""
    holders = {}
    for member in object_properties(api, schema) if schema is not None else ():
        holders[member.name] = member
        yield member
    for name in dict.fromkeys(holder for holder, _ in nested.values()):
        holder = holders.get(name)
        for member in object_properties(api, holder.schema) if holder is not None else ():
            if holder is not None and nested.get(member.name) == (name, member.name):
                yield replace(member, required=member.required and holder.required)


def lift_members(value: Mapping[str, Any], nested: NestedMembers) -> dict[str, Any]:
    """Return the members of a representation with the nested ones beside the others."""
    lifted = dict(value)
    for name in dict.fromkeys(holder for holder, _ in nested.values()):
        holder = lifted.get(name)
        if not isinstance(holder, dict):
            continue
        moved = {key: item for key, item in holder.items() if nested.get(key) == (name, key)}
        rest = {key: item for key, item in holder.items() if key not in moved}
        if moved and not rest:
            del lifted[name]
        else:
            lifted[name] = rest
        lifted |= moved
    return lifted


def nest_members(members: Mapping[str, Any], nested: NestedMembers) -> dict[str, Any]:
    """Return the members of a record as its representation has them."""
    shown = {name: member for name, member in members.items() if name not in nested}
    for name, member in members.items():
        if name in nested:
            shown = with_member_at(shown, nested[name], member)
    return shown


def lifted_path(path: Sequence[str], nested: NestedMembers) -> tuple[str, ...]:
    """Return the names that lead to a member in a record, given those that lead to it in a representation."""
    is_nested = len(path) > 1 and nested.get(path[1]) == tuple(path[:2])
    return tuple(path[1:]) if is_nested else tuple(path)
