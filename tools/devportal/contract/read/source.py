"""The raw documents of a contract, seen node by node: typed access, `$ref`, and findings with places.

Only the readers in this package see a `Node`. A value of the wrong type is reported once, with its place,
and read as if it were absent: a half-broken contract still becomes a model.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urldefrag

from devportal.contract.read.files import (
    ContractDocuments,
    UnresolvableReference,
    absolute_uri,
    refuse_remote_reference,
)
from devportal.contract.schemas import Location
from devportal.contract.wording import quote_reference, quote_value, type_advice
from devportal.documents import Document, Pointer, format_pointer, parse_pointer
from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.suggestions import suggest_name

_Made = TypeVar("_Made")
_MISSING: Final = object()
_MAX_REFERENCES_FOLLOWED = 50
"""How many references one pointer may lead through: those of a circle could go on for ever."""
_MAX_COLUMN = 300
"""A place further right, or in a first line that is longer, is hard to find by line and column."""
_MAX_SUGGESTIONS = 50
"""How many broken references are compared with the names that exist, which takes time in a large contract."""
_COMPONENT_STEPS = 3
"""How many steps a reference to a component has; one with more leads to a part of it."""
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
"""A position in a list (RFC 6901 §4)."""


class Source:
    """The documents of one contract: resolves references and collects findings."""

    def __init__(self, files: ContractDocuments, *, ref_siblings: bool = False) -> None:
        """Take the files. `ref_siblings`: `summary` and `description` beside a `$ref` count (OAS 3.1.0
        §4.8.23).
        """
        self.ref_siblings = ref_siblings
        self._files = files
        self._located: dict[tuple[str, str], Location] = {}
        self._followed: set[Location] = set()
        self._reports: dict[tuple[str, Location, str], tuple[Level, str]] = {}
        self._suggestions = 0
        self._made_once: dict[Callable[[Source], object], Any] = {}
        self.leads_to_internal: dict[Location, bool] = {}
        """Cached results of `lifecycle_extensions.leads_to_internal`: chains of references share their ends.
        """

    def quiet(self) -> "Source":
        """Return a view of the same documents whose findings are discarded."""
        silent = copy(self)
        silent._files, silent._reports = self._files.copy_documents(), {}  # noqa: SLF001 - its own class
        silent._followed = set()  # noqa: SLF001 - its own class
        silent.leads_to_internal = {}  # a cached result would not be reported again
        return silent

    def with_changes(self, change: Callable[[str, Document], Document]) -> "Source":
        """Return the same documents, each as `change` makes it, given its name, without findings. What was made of
        the only document once is kept if `change` returns that document.
        """
        changed = Source(self._files.with_changes(change), ref_siblings=self.ref_siblings)
        if self._files.is_single and changed.documents()[""] is self.documents()[""]:
            changed._made_once = self._made_once
        return changed

    def once(self, make: "Callable[[Source], _Made]") -> _Made:
        """Return what is made of the documents alone: it is made once for all views of them, and reports nothing."""
        if make not in self._made_once:
            self._made_once[make] = make(self.quiet())
        made: _Made = self._made_once[make]
        return made

    @property
    def folder(self) -> tuple[str, ...]:
        """The names of the folders that the root file is in, from the outermost; none if it is not a file."""
        return self._files.folder

    def root(self) -> "Node":
        """Return the root node of the contract."""
        return Node(self._files.document("").data, self, Location("", ()))

    def report(self, rule: str, location: Location, message: str, *, help: str, level: Level) -> None:  # noqa: A002
        """Report a problem; the same problem is reported once."""
        self._reports.setdefault((rule, location, message), (level, help))

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings so far, in the order in which they were reported."""
        return tuple(
            Finding(rule=rule, level=level, place=self.place(location), message=message, help=help_text)
            for (rule, location, message), (level, help_text) in self._reports.items()
        )

    def place(self, location: Location) -> Place:
        """Return the place of a location, or of its nearest ancestor that exists."""
        documents = self._files.documents()
        document = documents.get(location.file, documents[""])
        place = document.place(location.pointer)
        first_line = document.text[: _MAX_COLUMN + 1].partition("\n")[0]
        is_far_right = place.column > _MAX_COLUMN or (place.line == 1 and len(first_line) > _MAX_COLUMN)
        return replace(place, within=_part_name(location)) if is_far_right else place

    def documents(self) -> Mapping[str, Document]:
        """Return the files that were read, by their name relative to the root's folder."""
        return self._files.documents()

    def file_names(self) -> tuple[str, ...]:
        """Return the names of the files that references lead to, those that cannot be read included."""
        return self._files.names()

    @property
    def has_internal(self) -> bool:
        """Whether any of the files may mark something as internal: few do, and checking closely takes time."""
        return self._files.has_internal

    def follow(self, reference: str, base: Location) -> "Node | None":
        """Return the node that a `$ref` written at `base` leads to, or None after reporting why not."""
        target = self.locate(reference, base)
        return self.node_at(target, base, reference) if target is not None else None

    def locate(self, reference: str, base: Location) -> Location | None:
        """Return the location that a reference written at `base` names, or None after reporting why not."""
        try:
            return self._known_location(reference, base)
        except UnresolvableReference as error:
            self._report_unresolvable(reference, base, error)
            return None

    def find_location(self, reference: str, base: Location) -> Location | None:
        """Return the location that a reference names if there is something, and None without a report."""
        try:
            location = self._known_location(reference, base)
            self._value(location)
        except UnresolvableReference:
            return None
        return location

    def _known_location(self, reference: str, base: Location) -> Location:
        """Return the location that a reference names, worked out once. Raises UnresolvableReference."""
        key = (base.file, reference)
        location = self._located.get(key)
        if location is None:
            location, depends_on_base = self._location(reference, base)
            if not depends_on_base:
                self._located[key] = location
        return location

    def node_at(self, target: Location, base: Location, reference: str) -> "Node | None":
        """Return the node at the location that a reference names, or None after reporting what is missing."""
        try:
            return Node(self._value(target), self, target)
        except UnresolvableReference as error:
            self._report_unresolvable(reference, base, error)
            return None

    def _location(self, reference: str, base: Location) -> tuple[Location, bool]:
        """Return the location that a reference names, and whether another one may be meant by the same text
        elsewhere in the file, below another `$id`.
        """
        try:
            path, fragment = urldefrag(reference)
            fragment = unquote(fragment)
            target, depends_on_base = self._find_target(path, fragment, base)
        except ValueError as error:
            raise UnresolvableReference(f"is not valid: {error}") from error
        return self._resolve_through_references(target), depends_on_base

    def _resolve_through_references(self, target: Location) -> Location:
        """Resolve a pointer that continues behind a reference, such as `#/paths/~1a/get` if the path item is
        only a `$ref`. RFC 6901 does not allow such pointers, but other tools do.
        """
        for _ in range(_MAX_REFERENCES_FOLLOWED):
            holder, reference = self._reference_on_path(target)
            if reference is None or holder in self._followed:
                return target
            self._followed.add(holder)
            try:
                referenced, _ = self._location(reference, holder)
            finally:
                self._followed.discard(holder)
            target = Location(referenced.file, (*referenced.pointer, *target.pointer[len(holder.pointer) :]))
        return target

    def _reference_on_path(self, target: Location) -> tuple[Location, str | None]:
        """Return the object that has no member which a pointer names, and its `$ref`, if it has one."""
        value = self._files.document(target.file).data
        for number, token in enumerate(target.pointer):
            below = _child_value(value, token)
            if below is _MISSING:
                reference = value.get("$ref") if isinstance(value, dict) else None
                holder = Location(target.file, target.pointer[:number])
                return holder, reference if isinstance(reference, str) else None
            value = below
        return target, None

    def _find_target(self, path: str, fragment: str, base: Location) -> tuple[Location, bool]:
        resources = self._files.resources(base.file)
        resource = resources.resource(base.pointer)
        if not path and not resource:
            return self._locate_fragment(base.file, (), fragment), bool(resources.ids)
        if not path:
            return self._locate_in_resource(base.file, resource, fragment), True
        target = self._files.with_uri(absolute_uri(resources.uri_at(base.pointer), path))
        if target is None:
            refuse_remote_reference(path)
            target = Location(self._files.resolve_file_name(path, base.file), ())
        return self._locate_fragment(target.file, target.pointer, fragment), bool(resources.ids)

    def _locate_in_resource(self, file: str, resource: Pointer, fragment: str) -> Location:
        """Resolve a fragment in a resource, or else in its document: many authors write pointers from the
        root of the file in schemas with an `$id`.
        """
        location = self._locate_fragment(file, resource, fragment)
        try:
            self._value(location)
        except UnresolvableReference:
            return self._locate_fragment(file, (), fragment)
        return location

    def _locate_fragment(self, file: str, resource: Pointer, fragment: str) -> Location:
        if not fragment or fragment.startswith("/"):
            return Location(file, (*resource, *parse_pointer(fragment)))
        pointer = self._files.resources(file).find_anchor(fragment, resource)
        if pointer is None:
            raise UnresolvableReference(f"leads nowhere: there is no $anchor {quote_value(fragment)}")
        return Location(file, pointer)

    def _value(self, target: Location) -> Any:
        value = self._files.document(target.file).data
        for token in target.pointer:
            value = _child_value(value, token)
            if value is _MISSING:
                message = f"leads nowhere: there is no {quote_value(token)} there"
                raise UnresolvableReference(message, target=target)
        return value

    def _report_unresolvable(self, reference: str, base: Location, error: UnresolvableReference) -> None:
        message = f"the reference {quote_reference(reference)} {error.message}"
        if not error.rule or (error.rule, base, message) in self._reports:
            return
        advice = error.help
        if error.target is not None and self._suggestions < _MAX_SUGGESTIONS:
            self._suggestions += 1
            advice = self._suggest_target(reference, error.target) or advice
        elif error.target is None:
            advice = self._suggest_component(reference, base) or advice
        self.report(error.rule, base, message, help=advice, level=Level.ERROR)

    def _suggest_component(self, name: str, base: Location) -> str:
        """Return which component was meant by a reference that is only its name, empty if there is none."""
        components = _child_value(self._files.document(base.file).data, "components")
        for kind, parts in components.items() if isinstance(components, dict) else ():
            if isinstance(parts, dict) and name in parts:
                meant = f"#{format_pointer(('components', kind, name))}"
                return f"did you mean {quote_reference(meant)}?"
        return ""

    def _suggest_target(self, reference: str, target: Location) -> str:
        """Return which reference was probably meant: to a component of the same name and another kind, or to one
        with a similar name in the same place. Empty if there is none.
        """
        value = self._files.document(target.file).data
        name, is_component = target.pointer[-1], len(target.pointer) <= _COMPONENT_STEPS
        components = _child_value(value, "components") if is_component else _MISSING
        for kind, parts in components.items() if isinstance(components, dict) else ():
            if isinstance(parts, dict) and name in parts:
                meant = f"{urldefrag(reference)[0]}#{format_pointer(('components', kind, name))}"
                return f"did you mean {quote_reference(meant)}?"
        for token in target.pointer:
            below = _child_value(value, token)
            if below is _MISSING:
                return suggest_name(token, value) if isinstance(value, dict) else ""
            value = below
        return ""


def _child_value(value: Any, token: str) -> Any:
    if isinstance(value, dict):
        return value.get(token, _MISSING)
    if isinstance(value, list) and _INDEX.fullmatch(token) and int(token) < len(value):
        return value[int(token)]
    return _MISSING


class Node:
    """One value of a contract and its location. Not a dataclass: a large contract has a million of them."""

    __slots__ = ("location", "source", "value")

    def __init__(self, value: Any, source: Source, location: Location) -> None:
        """Take the value, its documents, and its location in them."""
        self.value = value
        self.source = source
        self.location = location

    def report(
        self,
        rule: str,
        message: str,
        *,
        help: str,  # noqa: A002
        level: Level = Level.ERROR,
        key: str | None = None,
    ) -> None:
        """Note that something at this node, or at its member `key`, is wrong."""
        location = self.location if key is None else self.location.child(key)
        self.source.report(rule, location, message, help=help, level=level)

    def has(self, key: str) -> bool:
        """Say whether this is a mapping with the key."""
        return isinstance(self.value, dict) and key in self.value

    def get(self, key: str) -> "Node | None":
        """Return the member of a mapping, None if there is none."""
        if isinstance(self.value, dict) and key in self.value:
            return Node(self.value[key], self.source, self.location.child(key))
        return None

    def text(self, key: str) -> str:
        """Return a text member; the empty text if it is absent. Numbers and booleans are shown as text."""
        if not isinstance(self.value, dict):
            return ""
        value = self.value.get(key)
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        if isinstance(value, (int, float)):
            return str(value).lower() if isinstance(value, bool) else str(value)
        self._report_wrong_type(key, "text")
        return ""

    def flag(self, key: str) -> bool:
        """Return a boolean member; False if it is absent."""
        if not isinstance(self.value, dict):
            return False
        value = self.value.get(key)
        if value is not None and not isinstance(value, bool):
            self._report_wrong_type(key, "true or false")
            return False
        return bool(value)

    def mapping(self, key: str) -> "Node | None":
        """Return a member that is a mapping, None if it is absent or something else."""
        return self._member(key, dict, "a mapping")

    def members(self, key: str) -> Iterator[tuple[str, "Node"]]:
        """Yield name and node of each member of a mapping member."""
        node = self.mapping(key)
        if node is not None:
            yield from node.entries()

    def entries(self) -> Iterator[tuple[str, "Node"]]:
        """Yield name and node of each member of this mapping."""
        if isinstance(self.value, dict):
            file, above = self.location
            for name, value in self.value.items():
                yield name, Node(value, self.source, Location(file, (*above, str(name))))

    def items(self, key: str) -> Iterator["Node"]:
        """Yield each item of a list member."""
        node = self._member(key, list, "a list")
        if node is not None:
            file, above = node.location
            for position, value in enumerate(node.value):
                yield Node(value, self.source, Location(file, (*above, str(position))))

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the text items of a list member."""
        found = []
        for item in self.items(key):
            if isinstance(item.value, str):
                found.append(item.value)
            else:
                message = f"each item of {quote_value(key)} must be text, found {quote_value(item.value)}"
                item.report("contract-shape", message, help="write text")
        return tuple(found)

    def chain(self) -> tuple["Node", ...]:
        """Return this node and, one after the other, those that its `$ref` leads to; nothing if one is
        broken, reported. All are mappings.
        """
        nodes: list[Node] = [self]
        seen = {self.location}
        while isinstance(nodes[-1].value, dict) and isinstance(nodes[-1].value.get("$ref"), str):
            last = nodes[-1]
            node = self.source.follow(last.value["$ref"], last.location)
            if node is None:
                return ()
            if node.location in seen:
                message = f"the reference {quote_reference(self.value['$ref'])} leads back to itself"
                self.report("contract-ref-broken", message, help="fix the $ref")
                return ()
            seen.add(node.location)
            nodes.append(node)
        if isinstance(nodes[-1].value, dict):
            return tuple(nodes)
        message = f"expected a mapping, found {quote_value(nodes[-1].value)}"
        self.report("contract-shape", message, help=type_advice("a mapping", nodes[-1].value))
        return ()

    def resolve(self) -> "Node | None":
        """Return the target of a chain of `$ref`, this node if it has none, None if the chain is broken.

        From 3.1 on, a `summary` or `description` beside the `$ref` overrides that of its target.
        """
        nodes = self.chain()
        if len(nodes) <= 1 or not self.source.ref_siblings:
            return nodes[-1] if nodes else None
        beside = {
            key: node.value[key]
            for node in reversed(nodes[:-1])
            for key in ("summary", "description")
            if key in node.value
        }
        last = nodes[-1]
        return Node(last.value | beside, last.source, last.location) if beside else last

    def _member(self, key: str, kind: type, label: str) -> "Node | None":
        if not isinstance(self.value, dict) or self.value.get(key) is None:
            return None
        if not isinstance(self.value[key], kind):
            self._report_wrong_type(key, label)
            return None
        return Node(self.value[key], self.source, self.location.child(key))

    def _report_wrong_type(self, key: str, expected: str) -> None:
        self.source.report(
            "contract-shape",
            self.location.child(key),
            f"{quote_value(key)} must be {expected}, found {quote_value(self.value[key])}",
            help=type_advice(expected, self.value[key]),
            level=Level.ERROR,
        )


def _part_name(location: Location) -> str:
    """Return the operation of a location, if it is in one, and its JSON Pointer."""
    pointer = location.pointer
    is_operation = len(pointer) > 2 and pointer[0] in ("paths", "webhooks")
    operation = f"{pointer[2].upper()} {pointer[1]}, " if is_operation else ""
    return f"{operation}#{format_pointer(pointer)}"
