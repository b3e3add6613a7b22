"""References where the OAS allows none, such as `get: {$ref: list.yaml}`: many tools follow them, so they are
replaced by what they lead to before anything is read.
"""

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, urlsplit

from devportal.contract.read.files import ContractDocuments
from devportal.contract.read.source import Node, Source
from devportal.contract.schemas import Location
from devportal.contract.validate.oas_objects import (
    COMPONENT_SECTIONS,
    MAP_MEMBER_KINDS,
    MINOR_OBJECT_FIELDS,
    FieldShape,
    field_of,
)
from devportal.contract.wording import quote_reference, quote_value
from devportal.documents import Pointer, format_pointer
from devportal.findings import Level

_KINDS_WITH_REFERENCES = {*COMPONENT_SECTIONS, "event"}
"""The kinds of objects that may be a reference themselves (OAS 3.0.3 §4.7.9, §4.7.23; 3.1.0 §4.8.23)."""
_REFERABLE_MEMBERS = _KINDS_WITH_REFERENCES - {"media type"}
"""Those that a whole map can be turned into references to: a media type may be one since 3.2 only."""
_MAX_NAMED_PLACES = 3
_MAX_DEPTH = 40
"""How deep structures are searched: no contract is that deep outside its schemas."""
_REF_IN_MAP = r"""["']?\s*:\s*(?:\{\s*["']?\$ref["']?\s*:\s*["'\w.#/]|\r?\n\s+["']?\$ref["']?:[ \t]+\S)"""
_REF_IN_MAP_OF_SCHEMAS = tuple(
    re.compile(name + _REF_IN_MAP)
    for name in ("properties", "patternProperties", r"\$defs", "definitions", "dependentSchemas")
)
"""One pattern for each keyword: those that begin with letters are found much faster in a large contract."""


_LOOKED_AT_FROM_ROOT = ("#/components/", "#/paths/")
"""What references of the root file begin with whose targets are reached without them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MisplacedReference:
    """A reference where the OAS allows none; `kind` is what stands there."""

    location: Location
    kind: str
    reference: str
    is_circular: bool = False


def inline_misplaced_references(
    files: ContractDocuments,
) -> tuple[ContractDocuments, tuple[MisplacedReference, ...]]:
    """Return the files with their misplaced references replaced by what they lead to, and those references.

    Members beside the reference override those of its target. One that leads nowhere is left out.
    """
    inliner = _Inliner(Source(files.copy_documents()), files.root_file)
    inliner.run()
    documents = inliner.source.documents()
    changed = {
        name: replace(documents[name], data=data)
        for name, data in inliner.data.items()
        if data is not documents[name].data
    }
    if not changed:
        return files, ()
    return files.with_documents({**documents, **changed}), tuple(inliner.found)


def report_misplaced_references(source: Source, misplaced: Sequence[MisplacedReference]) -> None:
    """Report those that lead nowhere, and the others once for each kind of part, with the first places."""
    by_kind: dict[str, list[MisplacedReference]] = {}
    for misplaced_reference in misplaced:
        if misplaced_reference.is_circular:
            message = f"the reference {quote_reference(misplaced_reference.reference)} leads back to itself"
            source.report(
                "contract-ref-broken",
                misplaced_reference.location,
                message,
                help="fix the $ref",
                level=Level.ERROR,
            )
        elif source.follow(misplaced_reference.reference, misplaced_reference.location) is not None:
            by_kind.setdefault(misplaced_reference.kind, []).append(misplaced_reference)
    for kind, (first, *others) in by_kind.items():
        named = ", ".join(
            str(source.place(misplaced_reference.location))
            for misplaced_reference in others[: _MAX_NAMED_PLACES - 1]
        )
        more = len(others) - _MAX_NAMED_PLACES + 1
        also = f"; also at {named}{f' and {more:,} more' if more > 0 else ''}" if others else ""
        message = (
            f"OpenAPI allows no '$ref' in place of this {kind}; "
            f"{quote_reference(first.reference)} is followed all the same{also}"
        )
        advice = "write what it leads to here, or bundle the contract: other tools may ignore the reference"
        source.report("contract-ref-misplaced", first.location, message, help=advice, level=Level.WARNING)


@dataclass(slots=True)
class _Inliner:
    """The objects to look at, file by file, and the data of the files as it becomes."""

    source: Source
    root_file: str
    data: dict[str, Any] = field(default_factory=dict)
    found: list[MisplacedReference] = field(default_factory=list)
    _pending: list[tuple[Location, str]] = field(default_factory=lambda: [(Location("", ()), "document")])
    _seen: set[tuple[Location, str]] = field(default_factory=set)
    _with_schemas: dict[str, bool] = field(default_factory=dict)

    def run(self) -> None:
        """Look at the root, and at every object that references lead to."""
        while self._pending:
            location, kind = self._pending.pop()
            if (location, kind) in self._seen:
                continue
            self._seen.add((location, kind))
            document = self.source.documents()[location.file]
            data = self.data.setdefault(location.file, document.data)
            self.data[location.file] = self._changed_at(data, location.pointer, location, kind)

    def _changed_at(self, data: Any, pointer: Pointer, location: Location, kind: str) -> Any:
        """Return data in which the object at a pointer is as it becomes."""
        if not pointer:
            return self._object(data, location, kind, 0)
        token, *rest = pointer
        key = int(token) if isinstance(data, list) and token.isdecimal() else token
        try:
            below = data[key]
        except (KeyError, IndexError, TypeError):
            return data  # it is in what a misplaced reference was replaced by
        changed = self._changed_at(below, tuple(rest), location, kind)
        if changed is below:
            return data
        copied = data.copy()
        copied[key] = changed
        return copied

    def _object(self, value: Any, location: Location, kind: str, depth: int) -> Any:
        """Return an object of a kind with its misplaced references replaced; the same one without any."""
        if not isinstance(value, dict) or depth > _MAX_DEPTH:
            return value
        reference = value.get("$ref")
        if isinstance(reference, str) and kind in _KINDS_WITH_REFERENCES:
            self._follow(reference, location, kind)
        if kind == "schema" and not self._looks_into_schemas(location.file):
            return value
        changes = {
            key: changed
            for key, member in value.items()
            if isinstance(member, (dict, list))
            and (changed := self._field(member, location, kind, key, depth)) is not member
        }
        return {**value, **changes} if changes else value

    def _field(self, member: Any, above: Location, kind: str, key: str, depth: int) -> Any:
        """Return the value of a field of the object at `above`: an object, or a list or a mapping of objects."""
        minor_kind = MINOR_OBJECT_FIELDS.get(kind, {}).get(key)
        shape, below = (FieldShape.ONE, minor_kind) if minor_kind else field_of(kind, key) or (None, "")
        if shape is None:
            return member
        location = above.child(key)
        is_reference = isinstance(member, dict) and "$ref" in member
        if is_reference and (shape is not FieldShape.ONE or below not in _KINDS_WITH_REFERENCES):
            label = below if shape is FieldShape.ONE else quote_value(key)
            members = MAP_MEMBER_KINDS.get(below, "") if shape is FieldShape.ONE else below
            member = self._resolve_misplaced(
                member, location, label, members if members in _REFERABLE_MEMBERS else ""
            )
        if shape is FieldShape.ONE:
            return self._object(member, location, below, depth + 1)
        return self._members(member, location, below, depth)

    def _members(self, members: Any, location: Location, kind: str, depth: int) -> Any:
        """Return a list or mapping of objects; each is looked at."""
        pairs: Iterable[tuple[Any, Any]] = (
            members.items() if isinstance(members, dict) else enumerate(members)
        )
        changes = {}
        for key, value in pairs:
            at = location.child(str(key))
            resolved = value if kind in _KINDS_WITH_REFERENCES else self._resolve_misplaced(value, at, kind)
            changed = self._object(resolved, at, kind, depth + 1)
            if changed is not value:
                changes[key] = changed
        if not changes:
            return members
        if isinstance(members, dict):
            return {**members, **changes}
        return [changes.get(number, member) for number, member in enumerate(members)]

    def _resolve_misplaced(self, value: Any, location: Location, kind: str, members: str = "") -> Any:
        """Return what a misplaced reference leads to, merged with its siblings; other values as they are.

        `members` is the kind of its members, if those may be references themselves.
        """
        reference = value.get("$ref") if isinstance(value, dict) else None
        if not isinstance(reference, str):
            return value
        siblings = {key: member for key, member in value.items() if key != "$ref"}
        chain = self._chain(reference, location)
        is_circular = chain is None
        self.found.append(
            MisplacedReference(location=location, kind=kind, reference=reference, is_circular=is_circular)
        )
        for node in reversed(chain or ()):
            target = self._written_in(node, location.file, members)
            siblings = {**target, **siblings} if isinstance(target, dict) else target
        return siblings

    def _chain(self, reference: str, location: Location) -> list[Node] | None:
        """Return what a reference leads to, through further references; None if they lead back."""
        nodes: list[Node] = []
        node = self.source.follow(reference, location)
        while node is not None and isinstance(node.value, (dict, list)):
            if node.location in [location, *(node.location for node in nodes)]:
                return None
            nodes.append(node)
            further = node.value.get("$ref") if isinstance(node.value, dict) else None
            node = self.source.follow(further, node.location) if isinstance(further, str) else None
        return nodes

    def _written_in(self, node: Node, file: str, members: str) -> Any:
        """Return the value of a node as it is written in a file: references to its members if those may be
        references, or else the value with its own references rebased.
        """
        from_file = node.location.file
        if self._looks_into_schemas(from_file):
            self._with_schemas[file] = True
        if isinstance(node.value, dict):
            value = {key: value for key, value in node.value.items() if key != "$ref"}
        else:
            value = node.value
        if members and isinstance(value, dict):
            path = "" if from_file == file else self._relative_path(from_file, file)
            start = quote(format_pointer(node.location.pointer), safe="/~")
            return {
                key: {"$ref": f"{path}#{start}{quote(format_pointer((key,)), safe='/~')}"}
                if isinstance(member, dict) and not key.startswith("x-")
                else member
                for key, member in value.items()
            }
        return value if from_file == file else self._rebase(value, from_file, file)

    def _relative_path(self, name: str, from_file: str) -> str:
        folder = posixpath.dirname(from_file or self.root_file) or "."
        return posixpath.relpath(name or self.root_file, folder)

    def _rebase(self, value: Any, from_file: str, to_file: str) -> Any:
        """Return a value of one file with its references as they are written in another."""
        if isinstance(value, list):
            return [self._rebase(item, from_file, to_file) for item in value]
        if not isinstance(value, dict):
            return value
        return {
            key: self._rebased_reference(member, from_file, to_file)
            if key == "$ref" and isinstance(member, str)
            else self._rebase(member, from_file, to_file)
            for key, member in value.items()
        }

    def _rebased_reference(self, reference: str, from_file: str, to_file: str) -> str:
        path, mark, fragment = reference.partition("#")
        if urlsplit(reference).scheme or path.startswith("/"):
            return reference
        folder = posixpath.dirname(from_file or self.root_file)
        target = posixpath.normpath(posixpath.join(folder, path)) if path else from_file
        return f"{self._relative_path(target, to_file)}{mark}{fragment}"

    def _follow(self, reference: str, location: Location, kind: str) -> None:
        """Look at the target of a reference as well, unless nothing is there or it is looked at anyway."""
        if not location.file and reference.startswith(_LOOKED_AT_FROM_ROOT):
            return
        if kind == "schema" and reference.startswith("#") and not self._looks_into_schemas(location.file):
            return
        target = self.source.find_location(reference, location)
        if target is not None:
            self._pending.append((target, kind))

    def _looks_into_schemas(self, file: str) -> bool:
        """Say whether a file may have a misplaced reference within schemas, of which contracts have many."""
        if file not in self._with_schemas:
            text = self.source.documents()[file].text
            self._with_schemas[file] = any(schema.search(text) for schema in _REF_IN_MAP_OF_SCHEMAS)
        return self._with_schemas[file]
