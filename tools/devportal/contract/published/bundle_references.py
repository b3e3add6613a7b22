"""Where each reference of a contract leads in its bundle: to a component, in place of another file."""

import posixpath
import re
from collections.abc import Iterator
from enum import Enum
from typing import Any, Final
from urllib.parse import quote

from devportal.contract.internal.withheld import UnpublishedObjects, is_internal
from devportal.contract.operation_names import operation_at
from devportal.contract.read.raw_keys import may_have_key
from devportal.contract.read.source import Source
from devportal.contract.schemas import Location
from devportal.contract.validate.oas_objects import COMPONENT_SECTIONS, OBJECT_FIELDS, FieldShape, field_of
from devportal.documents import Pointer, format_pointer
from devportal.documents.pointer import as_mapping


class Removed(Enum):
    """Marks an object that is not published, until its parent leaves it out."""

    GONE = "gone"


REMOVED: Final = Removed.GONE
ROOT: Final = Location("", ())
_NOT_IN_COMPONENT_NAME = re.compile(r"[^A-Za-z0-9._-]+")
"""Characters that the name of a component cannot have (OAS 3.0.3 §4.7.7)."""
_FIELD_NAMES = {name for fields in OBJECT_FIELDS.values() for name in fields}
_MAP_FIELDS = {
    name
    for fields in OBJECT_FIELDS.values()
    for name, (shape, _) in fields.items()
    if shape is FieldShape.MAP
}


class BundleReferences:
    """Gives each location of another file that is referred to a name among the components, once."""

    def __init__(self, source: Source, version: str, withheld: UnpublishedObjects) -> None:
        """Take the documents, the OAS version (3.2 has a section for media types), and the unpublished
        objects.
        """
        self._source = source
        self._withheld = withheld
        self._document: dict[str, Any] = source.root().value
        # Path items have no section here: they are inlined, which every version can read.
        self._sections = set(COMPONENT_SECTIONS.values()) - {"pathItems"}
        if not version.startswith("3.2"):
            self._sections.discard("mediaTypes")
        self._depends_on_base = any(may_have_key(document, "$id") for document in source.documents().values())
        self._names: dict[tuple[str, Location], str] = {}
        self._taken: dict[str, set[str]] = {}
        self._link_cache: dict[tuple[str, str, Location], str | Removed | None] = {}
        self._pulled: list[tuple[str, str, Location]] = []
        self._claim_names()

    def _claim_names(self) -> None:
        """Give what a component or a path is only a reference to the name that it has there."""
        for section, members in as_mapping(self._document.get("components")).items():
            self._taken[section] = set(as_mapping(members))
            for name, member in as_mapping(members).items():
                self._claim(section, name, member)
        for path, item in as_mapping(self._document.get("paths")).items():
            self._claim("paths", path, item)

    def _claim(self, section: str, name: str, value: Any) -> None:
        target = self.chain_end(value["$ref"], ROOT) if is_pure_reference(value) else None
        if target is not None and target.file:
            self._names.setdefault((section, target), name)

    def claim_target(self, section: str, name: str, value: Any) -> Location | None:
        """Return the location whose content a component or path takes instead of a reference to it."""
        target = self.chain_end(value["$ref"], ROOT) if section and is_pure_reference(value) else None
        return target if target is not None and self._names.get((section, target)) == name else None

    def pulled_components(self) -> Iterator[tuple[str, str, Location]]:
        """Yield section, name and location of each new component, including those added during the iteration."""
        number = 0
        while number < len(self._pulled):
            yield self._pulled[number]
            number += 1

    def link(self, reference: str, kind: str, base: Location) -> str | Removed | None:
        """Return the reference to an object in the bundle, or None if the object must be inlined. Broken
        references stay unchanged.
        """
        key = (reference, kind, base if self._depends_on_base else Location(base.file, ()))
        if key not in self._link_cache:
            self._link_cache[key] = self._new_link(reference, kind, base)
        return self._link_cache[key]

    def _new_link(self, reference: str, kind: str, base: Location) -> str | Removed | None:
        target = self._source.find_location(reference, base)
        if target is None:
            return reference
        if self._withheld.is_unpublished(kind, self._value(target), target):
            return REMOVED
        if not target.file and self._keeps_pointer(target.pointer):
            is_as_written = not base.file and reference.startswith("#")
            return reference if is_as_written else _pointer_fragment(target.pointer)
        end = self.chain_end(reference, base)
        if end is None:
            return reference
        if not end.file and self._keeps_pointer(end.pointer):
            return _pointer_fragment(end.pointer)
        return self._component_reference(kind, end, target)

    def operation_link(self, reference: str, base: Location) -> str:
        """Return a reference to an operation as it is in the bundle: below its path. One that leads to no
        path of this contract stays as it is.
        """
        if not base.file and reference.startswith("#"):
            return reference
        operation = operation_at(reference, base, self._source)
        if operation is None or not operation.file:
            return _pointer_fragment(operation.pointer) if operation is not None else reference
        for path in as_mapping(self._document.get("paths")):
            pointer = ("paths", path, operation.pointer[-1]) if operation.pointer else ()
            if operation_at(_pointer_fragment(pointer), ROOT, self._source) == operation:
                return _pointer_fragment(pointer)
        return reference

    def chain_end(self, reference: str, base: Location) -> Location | None:
        """Return the last location of a chain of references without siblings, or the first in the root
        document; None if the chain is broken or internal.
        """
        seen: set[Location] = set()
        while True:
            target = self._source.find_location(reference, base)
            if target is None or target in seen:
                return None
            value = self._value(target)
            if is_internal(value):
                return None
            if not target.file or not is_pure_reference(value):
                return target
            seen.add(target)
            reference, base = value["$ref"], target

    def _value(self, target: Location) -> Any:
        node = self._source.node_at(target, target, "")
        return node.value if node is not None else None

    def _keeps_pointer(self, pointer: Pointer) -> bool:
        """Return whether a pointer into the root document is still valid in the bundle: nothing on its path
        is withheld, and nothing before it in a list.
        """
        if not self._source.has_internal:
            return True
        value: Any = self._document
        kind, shape = "document", FieldShape.ONE
        location = ROOT
        for token in pointer:
            items_before = value[: int(token)] if shape is FieldShape.LIST else ()
            objects = [(value, location.child(number)) for number, value in enumerate(items_before)]
            if shape is FieldShape.ONE:
                shape, kind = field_of(kind, token) or (FieldShape.ONE, "")
            else:
                shape = FieldShape.ONE
            value = value[int(token)] if isinstance(value, list) else value[token]
            location = location.child(token)
            objects.append((value, location))
            if shape is FieldShape.ONE and any(
                self._withheld.is_unpublished(kind, *object_) for object_ in objects
            ):
                return False
        return True

    def _component_reference(self, kind: str, end: Location, target: Location) -> str | None:
        """Return a reference to the component that stands for the end of a chain of references. It is named
        after the start of the chain.
        """
        section = "paths" if kind in ("path item", "event") else COMPONENT_SECTIONS.get(kind, "")
        name = self._names.get((section, end))
        if name is None and section not in self._sections:
            return None
        if name is None:
            name = self._free_name(section, target)
            self._names[section, end] = name
            self._pulled.append((section, name, end))
        return _pointer_fragment((section, name) if section == "paths" else ("components", section, name))

    def _free_name(self, section: str, target: Location) -> str:
        """Return a name that no component has: the wanted one, or with its file's before it, or a number."""
        taken = self._taken.setdefault(section, set())
        stem = _NOT_IN_COMPONENT_NAME.sub("_", posixpath.splitext(target.file)[0])
        base = _component_name_for(target)
        if base in taken and stem not in ("", base):
            base = f"{stem}_{base}"
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        return name


def is_pure_reference(value: Any) -> bool:
    """Say whether an object is a reference with nothing beside it."""
    return isinstance(value, dict) and len(value) == 1 and isinstance(value.get("$ref"), str)


def _component_name_for(target: Location) -> str:
    """Return the name for a location: its key, prefixed with its parents if it is a keyword or a number; the
    name of the file if it is a whole file.
    """
    pointer = target.pointer
    first = len(pointer) - 1
    if first > 0 and pointer[first - 1] not in _MAP_FIELDS:
        while first > 0 and (pointer[first] in _FIELD_NAMES or pointer[first].isdecimal()):
            first -= 1
    words = pointer[first:] or (posixpath.splitext(posixpath.basename(target.file))[0],)
    return (
        "_".join(filter(None, (_NOT_IN_COMPONENT_NAME.sub("_", word).strip("_") for word in words))) or "part"
    )


def _pointer_fragment(pointer: Pointer) -> str:
    """Return a pointer as a reference within the document (RFC 6901 §6)."""
    return "#" + quote(format_pointer(pointer), safe="/~!$&'()*+,;=:@")
