"""`$dynamicRef` resolved before anything is read: a schema that overrides an anchor of one that it refers to gets
a copy of that one, in which the references lead to its own anchors (JSON Schema 2020-12 core §8.2.3.2).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from devportal.contract.read.files import ContractDocuments
from devportal.contract.read.source import Source
from devportal.contract.schemas import Location
from devportal.documents import Pointer, format_pointer

_IDENTIFIERS = frozenset({"$id", "$anchor", "$dynamicAnchor", "$schema", "$defs"})
"""What a copy leaves out: the original keeps its identity, and its definitions are reached there."""


def resolve_dynamic_references(
    files: ContractDocuments,
) -> tuple[ContractDocuments, dict[Location, Location]]:
    """Return the files with a copy wherever a schema overrides an anchor that it reaches over references, and
    the location of the original by that of each copy.
    """
    copies: dict[Location, Location] = {}
    if not any("$dynamicRef" in document.text for document in files.documents().values()):
        return files, copies
    quiet = Source(files.copy_documents(), ref_siblings=True)
    changed = {}
    for name, document in quiet.documents().items():
        data = _Resources(quiet, name, copies).resolve(document.data)
        if data is not document.data:
            changed[name] = replace(document, data=data)
    return (files.with_documents({**files.documents(), **changed}) if changed else files), copies


@dataclass(frozen=True, slots=True)
class _Resources:
    """Walks one file, with the schema resource around each value."""

    source: Source
    file: str
    copies: dict[Location, Location]
    """Originals by the locations of their copies, to which it adds its own."""

    def resolve(self, value: Any, pointer: Pointer = (), resource: Pointer = ()) -> Any:
        """Return a value with copies at its references to overridden anchors; the same one without any."""
        if isinstance(value, list):
            items = [self.resolve(member, (*pointer, str(n)), resource) for n, member in enumerate(value)]
            return (
                items if any(member is not old for member, old in zip(items, value, strict=True)) else value
            )
        if not isinstance(value, dict):
            return value
        if "$id" in value or pointer[:-1] == ("components", "schemas"):
            resource = pointer
        changes = {
            key: changed
            for key, member in value.items()
            if (changed := self.resolve(member, (*pointer, str(key)), resource)) is not member
        }
        result = {**value, **changes} if changes else value
        reference = value.get("$ref")
        if not isinstance(reference, str):
            return result
        scope = self._scope(resource or pointer)
        here = Location(self.file, pointer)
        target = self.source.find_location(reference, here) if scope else None
        if target is None:
            return result
        copier = _Copier(self.source, scope)
        if not copier.is_overridden(target):
            return result
        copied = copier.copy(target, here.child("allOf", 0))
        self.copies.update(copier.originals())
        others = result.get("allOf", [])
        siblings = {key: member for key, member in result.items() if key not in ("$ref", "allOf")}
        return {**siblings, "allOf": [copied, *(others if isinstance(others, list) else [])]}

    def _scope(self, resource: Pointer) -> dict[str, Location]:
        """Return the dynamic anchors of the resource around a reference."""
        root = _value_at(self.source, Location(self.file, resource))
        return {name: Location(self.file, (*resource, *below)) for name, below in _dynamic_anchors(root)}


@dataclass(slots=True)
class _Copier:
    """Copies what references lead to, for one dynamic scope. A schema that contains itself is copied once."""

    source: Source
    scope: dict[str, Location]
    _copies: dict[Location, Location] = field(default_factory=dict)

    def is_overridden(self, location: Location) -> bool:
        """Say whether a schema reaches a dynamic reference whose anchor another schema of the scope has."""
        pending, seen = [location], {location}
        while pending:
            here = pending.pop()
            for keyword, reference, at in _references_in(_value_at(self.source, here), here):
                if keyword == "$dynamicRef" and self._override(reference, at) is not None:
                    return True
                target = self.source.find_location(reference, at)
                if target is not None and target not in seen:
                    seen.add(target)
                    pending.append(target)
        return False

    def copy(self, location: Location, to: Location) -> Any:
        """Return a copy of a schema that is written at another location."""
        self._copies[location] = to
        return self._copy(_value_at(self.source, location), location, to)

    def originals(self) -> dict[Location, Location]:
        """Return what was copied, by the locations of the copies."""
        return {copy: original for original, copy in self._copies.items()}

    def _copy(self, value: Any, at: Location, to: Location) -> Any:
        if isinstance(value, list):
            return [self._copy(member, at.child(n), to.child(n)) for n, member in enumerate(value)]
        if not isinstance(value, dict):
            return value
        dynamic, reference = value.get("$dynamicRef"), value.get("$ref")
        copied = {
            key: self._copy(member, at.child(key), to.child(key))
            for key, member in value.items()
            if key not in ("$ref", "$dynamicRef")
            and not (key in _IDENTIFIERS and _is_identifier(key, member))
        }
        if isinstance(dynamic, str):
            target = self._override(dynamic, at) or self.source.find_location(dynamic, at)
            copied |= (
                {"$ref": self._write_reference(target)} if target is not None else {"$dynamicRef": dynamic}
            )
        if isinstance(reference, str):
            self._copy_reference(copied, reference, at, to)
        return copied

    def _copy_reference(self, copied: dict[str, Any], reference: str, at: Location, to: Location) -> None:
        """Add a reference to the copy of the schema that it is written in."""
        target = self.source.find_location(reference, at)
        if target is None:
            copied["$ref"] = reference
        elif target in self._copies:
            copied["$ref"] = self._write_reference(self._copies[target])
        elif self.is_overridden(target):
            further = copied.get("allOf", [])
            number = len(further)
            copied["allOf"] = [*further, self.copy(target, to.child("allOf", number))]
        else:
            copied["$ref"] = self._write_reference(target)

    def _override(self, reference: str, at: Location) -> Location | None:
        """Return the schema of the scope that a dynamic reference leads to, if it starts at a dynamic anchor."""
        name = reference.partition("#")[2]
        start = self.source.find_location(reference, at)
        if start is None or name not in self.scope or self.scope[name] == start:
            return None
        value = _value_at(self.source, start)
        return self.scope[name] if isinstance(value, dict) and value.get("$dynamicAnchor") == name else None

    def _write_reference(self, target: Location) -> str:
        """Return a reference to a location; one that is only a reference itself is passed over."""
        value = _value_at(self.source, target)
        if isinstance(value, dict) and value.keys() <= {"$dynamicAnchor", "$anchor", "$ref"}:
            further = value.get("$ref")
            next_target = self.source.find_location(further, target) if isinstance(further, str) else None
            if next_target is not None and next_target != target:
                target = next_target
        return f"{target.file}#{quote(format_pointer(target.pointer), safe='/~$')}"


def _is_identifier(key: str, value: Any) -> bool:
    """Say whether a member is a keyword that names a schema, and not a property of that name."""
    return isinstance(value, dict) if key == "$defs" else isinstance(value, str)


def _value_at(source: Source, location: Location) -> Any:
    value = source.documents()[location.file].data
    for token in location.pointer:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        else:
            return None
    return value


def _dynamic_anchors(value: Any, pointer: Pointer = ()) -> Iterator[tuple[str, Pointer]]:
    """Yield the dynamic anchors of a resource with their pointers in it, without those of resources inside."""
    if isinstance(value, dict):
        if pointer and "$id" in value:
            return
        name = value.get("$dynamicAnchor")
        if isinstance(name, str):
            yield name, pointer
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        yield from _dynamic_anchors(member, (*pointer, str(key)))


def _references_in(value: Any, at: Location) -> Iterator[tuple[str, str, Location]]:
    """Yield the references in a value: keyword, reference, and the location of its schema."""
    if isinstance(value, dict):
        for keyword in ("$ref", "$dynamicRef"):
            if isinstance(value.get(keyword), str):
                yield keyword, value[keyword], at
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        yield from _references_in(member, at.child(key))
