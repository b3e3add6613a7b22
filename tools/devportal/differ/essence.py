"""What a schema allows, as text that tells two of them apart where a few words for people would not.

A finding shows `string`; what it is pinned by has to be this very string, with its pattern and its length.
"""

import hashlib
from collections.abc import Set
from typing import Any

from devportal.contract import ABSENT, Api, Constraint, Discriminator, Location, Property, Schema
from devportal.contract.beside import RULES
from devportal.differ.fields import component_of
from devportal.differ.merging import canonical

_DIGITS = 16


def essence(api: Api, schemas: tuple[Schema, ...], elsewhere: Set[str]) -> str:
    """Return a digest of what schemas allow; words do not count.

    Shared schemas that the other contract has under the same name are judged on their own, so only their
    names count. `elsewhere` are those names.
    """
    pending, told = [*schemas], []
    seen: set[Location] = set()
    while pending:
        schema = pending.pop(0)
        referred: list[Location] = []
        told.append(canonical(_plain(schema, referred)))
        for location in referred:
            component = component_of(location)
            is_known = component is not None and component[1] in elsewhere
            if location not in seen and not is_known and location in api.schemas:
                seen.add(location)
                pending.append(api.schemas[location])
    return hashlib.sha256("\0".join(sorted(told)).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _plain(value: Any, referred: list[Location]) -> Any:
    match value:
        case Schema():
            told = {
                name: _sorted(name, _plain(found, referred))
                for name in sorted(RULES)
                if (found := getattr(value, name)) != getattr(_NOTHING, name)
            }
            if value.read_only or value.write_only:
                told["visibility"] = [value.read_only, value.write_only]
            if value.ref is not None:
                referred.append(value.ref)
                told["ref"] = value.ref.pointer[-1] if value.ref.pointer else value.ref.file
            return told
        case Property():
            return [value.name, value.required, _plain(value.schema, referred)]
        case Constraint():
            return [value.keyword, value.value]
        case Discriminator():
            return [value.property_name, [[name, str(target.pointer[-1:])] for name, target in value.mapping]]
        case tuple():
            return [_plain(one, referred) for one in value]
        case _:
            return None if value is ABSENT else value


def _sorted(name: str, told: Any) -> Any:
    """Return what a field says in an order of ours, where its own says nothing."""
    return sorted(told, key=canonical) if name in _UNORDERED else told


_UNORDERED = frozenset(
    {"types", "enum", "required", "constraints", "properties", "pattern_properties", "others", "content"}
)
_NOTHING = Schema(location=Location("", ()))
