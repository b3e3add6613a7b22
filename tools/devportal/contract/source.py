"""The raw documents of a contract, seen node by node: typed access, `$ref`, and findings with places.

Only the readers in this package see a `Node`. A value of the wrong type is reported once, with its place,
and read as if it were absent: a half-broken contract still becomes a model.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from devportal.contract.schemas import Location
from devportal.documents import Document, Pointer, parse_pointer, read_document
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level

_NOTHING: Final = object()
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
"""A position in a list (RFC 6901 §4)."""


class Source:
    """The files of one contract: the root file, and those its references lead to inside the root's folder."""

    def __init__(
        self, root: Document, folder: Path | None, *, root_file: str = "", ref_siblings: bool = False
    ) -> None:
        """Take the parsed root file, its file name, and the folder that references may reach (None: no other
        file). `ref_siblings`: `summary` and `description` beside a `$ref` count (OAS 3.1.0 §4.8.23).
        """
        self.ref_siblings = ref_siblings
        self._root_file = root_file
        self._documents: dict[str, Document | None] = {"": root}
        self._anchors: dict[str, dict[str, Pointer]] = {}
        self._folder = folder.resolve() if folder else None
        self._name = root.name
        self._reports: dict[tuple[str, Location, str], tuple[Level, str]] = {}

    def root(self) -> "Node":
        """Return the root node of the contract."""
        return Node(self._documents[""].data, self, Location("", ()))  # type: ignore[union-attr]  # set in __init__

    def report(self, rule: str, location: Location, message: str, *, help: str, level: Level) -> None:  # noqa: A002
        """Note something that is wrong; each thing once."""
        self._reports.setdefault((rule, location, message), (level, help))

    def findings(self) -> tuple[Finding, ...]:
        """Return what was noted so far, with places, in the order it was met."""
        return tuple(
            Finding(rule=rule, level=level, place=self.place(location), message=message, help=help_text)
            for (rule, location, message), (level, help_text) in self._reports.items()
        )

    def place(self, location: Location) -> Place:
        """Return the place of a location, or of its nearest ancestor that exists."""
        document = self._documents.get(location.file) or self._documents[""]
        assert document is not None  # noqa: S101 - the root document is always there
        return document.place(location.pointer)

    def documents(self) -> Mapping[str, Document]:
        """Return the files that were read, by their name relative to the root's folder."""
        return {name: document for name, document in self._documents.items() if document is not None}

    def follow(self, reference: str, base: Location) -> "Node | None":
        """Return the node that a `$ref` written at `base` leads to, or None after reporting why not."""
        target = self.locate(reference, base)
        return self.node_at(target, base, reference) if target is not None else None

    def locate(self, reference: str, base: Location) -> Location | None:
        """Return the location that a reference written at `base` names, or None after reporting why not."""
        try:
            file, fragment = split_reference(reference, base)
        except ValueError as error:
            self._broken(base, f"the reference {reference!r} is not valid: {error}")
            return None
        if file is None:
            self._broken(base, f"the reference {reference!r} leads outside the contract", refused=True)
            return None
        if file == self._root_file:
            file = ""
        if not fragment or fragment.startswith("/"):
            return Location(file, parse_pointer(fragment))
        return self._anchored(file, fragment, base, reference)

    def _anchored(self, file: str, name: str, base: Location, reference: str) -> Location | None:
        """Return the location of the schema with an `$anchor` (JSON Schema 2020-12 §8.2.2)."""
        document = self._document(file, base, reference)
        if document is None:
            return None
        if file not in self._anchors:
            self._anchors[file] = dict(_anchors_in(document.data, ()))
        if name not in self._anchors[file]:
            self._broken(base, f"the reference {reference!r} leads nowhere: there is no $anchor {name!r}")
            return None
        return Location(file, self._anchors[file][name])

    def node_at(self, target: Location, base: Location, reference: str) -> "Node | None":
        """Return the node at the location that a reference names, or None after reporting what is missing."""
        document = self._document(target.file, base, reference)
        if document is None:
            return None
        value = document.data
        for token in target.pointer:
            value = _step(value, token)
            if value is _NOTHING:
                self._broken(base, f"the reference {reference!r} leads nowhere: there is no {token!r} there")
                return None
        return Node(value, self, target)

    def _document(self, file: str, base: Location, reference: str) -> Document | None:
        if file not in self._documents:
            self._documents[file] = self._read(file, base, reference)
        return self._documents[file]

    def _read(self, file: str, base: Location, reference: str) -> Document | None:
        path = (self._folder / file).resolve() if self._folder and "\0" not in file else None
        if path is None or self._folder is None or not path.is_relative_to(self._folder):
            self._broken(
                base, f"the reference {reference!r} leads outside the contract's folder", refused=True
            )
            return None
        try:
            return read_document(path, name=posixpath.join(posixpath.dirname(self._name), file))
        except UnreadableInput as error:
            self._broken(
                base, f"the reference {reference!r} leads to a file that cannot be read: {error.message}"
            )
            return None

    def _broken(self, base: Location, message: str, *, refused: bool = False) -> None:
        self.report(
            "contract-ref-refused" if refused else "contract-ref-broken",
            base,
            message,
            help="references may lead to this file, or to files in its folder"
            if refused
            else "mend the $ref",
            level=Level.ERROR,
        )


def _step(value: Any, token: str) -> Any:
    if isinstance(value, dict):
        return value.get(token, _NOTHING)
    if isinstance(value, list) and _INDEX.fullmatch(token) and int(token) < len(value):
        return value[int(token)]
    return _NOTHING


def _anchors_in(value: Any, pointer: Pointer) -> Iterator[tuple[str, Pointer]]:
    """Yield the name and pointer of each anchor, the last of a document first, so that the first one wins."""
    members = dict(enumerate(value)) if isinstance(value, list) else value if isinstance(value, dict) else {}
    for key, member in reversed(members.items()):
        if key in ("$anchor", "$dynamicAnchor") and isinstance(member, str):
            yield member, pointer
        else:
            yield from _anchors_in(member, (*pointer, str(key)))


def split_reference(reference: str, base: Location) -> tuple[str | None, str]:
    """Return the file that a reference written at `base` leads to, None for none of the contract, and the
    decoded fragment. Raises ValueError where the reference is no URI.
    """
    split = urlsplit(reference)
    fragment = unquote(split.fragment)
    if split.scheme or split.netloc or split.path.startswith("/"):
        return None, fragment
    if not split.path:
        return base.file, fragment
    file = posixpath.normpath(posixpath.join(posixpath.dirname(base.file), unquote(split.path)))
    return (None if file.startswith(("../", "/")) or file == ".." else file), fragment


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a contract and its location."""

    value: Any
    source: Source
    location: Location

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
        """Return the member of a mapping, None where there is none."""
        if isinstance(self.value, dict) and key in self.value:
            return Node(self.value[key], self.source, self.location.child(key))
        return None

    def text(self, key: str) -> str:
        """Return a text member; the empty text where it is absent. Numbers and booleans are shown as text."""
        if not isinstance(self.value, dict):
            return ""
        value = self.value.get(key)
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        if isinstance(value, (int, float)):
            return str(value).lower() if isinstance(value, bool) else str(value)
        self._wrong(key, "text")
        return ""

    def flag(self, key: str) -> bool:
        """Return a boolean member; False where it is absent."""
        if not isinstance(self.value, dict):
            return False
        value = self.value.get(key)
        if value is not None and not isinstance(value, bool):
            self._wrong(key, "true or false")
            return False
        return bool(value)

    def mapping(self, key: str) -> "Node | None":
        """Return a member that is a mapping, None where it is absent or something else."""
        return self._member(key, dict, "a mapping")

    def members(self, key: str) -> Iterator[tuple[str, "Node"]]:
        """Yield name and node of each member of a mapping member."""
        node = self.mapping(key)
        if node is not None:
            yield from node.entries()

    def entries(self) -> Iterator[tuple[str, "Node"]]:
        """Yield name and node of each member of this mapping."""
        if isinstance(self.value, dict):
            for name, value in self.value.items():
                yield name, Node(value, self.source, self.location.child(name))

    def items(self, key: str) -> Iterator["Node"]:
        """Yield each item of a list member."""
        node = self._member(key, list, "a list")
        if node is not None:
            for position, value in enumerate(node.value):
                yield Node(value, self.source, node.location.child(position))

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the text items of a list member."""
        found = []
        for item in self.items(key):
            if isinstance(item.value, str):
                found.append(item.value)
            else:
                item.report("contract-shape", f"expected text, found {_shown(item.value)}", help="write text")
        return tuple(found)

    def chain(self) -> tuple["Node", ...]:
        """Return this node and, one after the other, those that its `$ref` leads to; nothing where one is
        broken, reported. All are mappings.
        """
        nodes: list[Node] = [self]
        while isinstance(nodes[-1].value, dict) and isinstance(nodes[-1].value.get("$ref"), str):
            last = nodes[-1]
            node = self.source.follow(last.value["$ref"], last.location)
            if node is None:
                return ()
            if any(node.location == seen.location for seen in nodes):
                self.report(
                    "contract-ref-broken", "this reference leads back to itself", help="mend the $ref"
                )
                return ()
            nodes.append(node)
        if isinstance(nodes[-1].value, dict):
            return tuple(nodes)
        message = f"expected a mapping, found {_shown(nodes[-1].value)}"
        self.report("contract-shape", message, help="write a mapping here")
        return ()

    def resolved(self) -> "Node | None":
        """Return what a chain of `$ref` leads to, this node where it is none, None where it is broken.

        From 3.1 on, a `summary` or `description` beside the `$ref` stands for that of its target.
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
        return replace(nodes[-1], value=nodes[-1].value | beside) if beside else nodes[-1]

    def _member(self, key: str, kind: type, label: str) -> "Node | None":
        if not isinstance(self.value, dict) or self.value.get(key) is None:
            return None
        if not isinstance(self.value[key], kind):
            self._wrong(key, label)
            return None
        return Node(self.value[key], self.source, self.location.child(key))

    def _wrong(self, key: str, expected: str) -> None:
        self.source.report(
            "contract-shape",
            self.location.child(key),
            f"{key!r} must be {expected}, found {_shown(self.value[key])}",
            help=f"write {expected}",
            level=Level.ERROR,
        )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
