"""Files of a contract and what their `$id` and `$anchor` name."""

import posixpath
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from devportal.contract.read.raw_keys import external_references, may_have_key
from devportal.contract.schemas import Location
from devportal.documents import Document, Pointer, read_document, real_path
from devportal.documents.document import MISSING_HELP
from devportal.errors import UnreadableInput

_ANCHORS = ("$anchor", "$dynamicAnchor")
_IDENTIFIER_KEYWORDS = ("$id", "$self", *_ANCHORS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """The named places of one document."""

    base: str
    """The URI of the document: its `$self` (OAS 3.2.0 §4.1.2), or one made from its file name."""
    ids: Mapping[Pointer, str] = field(default_factory=dict)
    """The absolute URI of each schema with an `$id`."""
    anchors: Mapping[tuple[Pointer, str], Pointer] = field(default_factory=dict)
    """Schemas with an anchor, by the resource that they are in and the name."""

    @classmethod
    def of(cls, document: Document, uri: str) -> "Resources":
        """Return the named resources of a document; `uri` is its URI if it does not declare one."""
        if not may_have_key(document, *_IDENTIFIER_KEYWORDS):
            return cls(base=uri)
        declared_uri = document.data.get("$self") if isinstance(document.data, dict) else None
        base = _base_uri(uri, declared_uri) if isinstance(declared_uri, str) else uri
        ids: dict[Pointer, str] = {}
        anchors: dict[tuple[Pointer, str], Pointer] = {}
        for keyword, name, pointer, above in _identifiers_in(document.data, (), ()):
            if keyword == "$id":
                ids.setdefault(pointer, _base_uri(ids.get(above, base), name))
            else:
                anchors.setdefault((above, name), pointer)
        return cls(base=base, ids=ids, anchors=anchors)

    def resource(self, pointer: Pointer) -> Pointer:
        """Return the nearest schema with an `$id` at or above a pointer, or the document if there is none."""
        if self.ids:
            for length in range(len(pointer), 0, -1):
                if pointer[:length] in self.ids:
                    return pointer[:length]
        return ()

    def uri_at(self, pointer: Pointer) -> str:
        """Return the URI that references at a pointer are relative to."""
        return self.ids.get(self.resource(pointer), self.base)

    def find_anchor(self, name: str, resource: Pointer) -> Pointer | None:
        """Return the schema that an anchor names: in the resource, or else anywhere in the document, since
        authors do not mind the borders of resources as much as the specification does.
        """
        if (resource, name) in self.anchors:
            return self.anchors[resource, name]
        return next((pointer for (_, known), pointer in self.anchors.items() if known == name), None)

    def uris(self) -> Iterator[tuple[str, Pointer]]:
        """Yield the absolute URI of the document and those of its schemas, each with its pointer."""
        yield self.base, ()
        yield from ((uri, pointer) for pointer, uri in self.ids.items())


def absolute_uri(base: str, reference: str) -> str:
    """Return a reference as an absolute URI without its fragment. Raises ValueError if it is not a URI."""
    return urldefrag(urljoin(base, reference)).url


def _base_uri(uri: str, reference: str) -> str:
    """Return the base URI that a document or schema sets, or the inherited one if it sets no valid one."""
    try:
        return absolute_uri(uri, reference)
    except ValueError:
        return uri


def _identifiers_in(
    value: Any, pointer: Pointer, above: Pointer
) -> Iterator[tuple[str, str, Pointer, Pointer]]:
    """Yield keyword, text and pointer of each name, with the resource that it is in; from the root on."""
    if isinstance(value, list):
        for position, member in enumerate(value):
            yield from _identifiers_in(member, (*pointer, str(position)), above)
    elif isinstance(value, dict):
        own = value.get("$id")
        if isinstance(own, str) and pointer:
            yield "$id", own, pointer, above
            above = pointer
        for keyword in _ANCHORS:
            if isinstance(value.get(keyword), str):
                yield keyword, value[keyword], pointer, above
        for key, member in value.items():
            if isinstance(member, (dict, list)):
                yield from _identifiers_in(member, (*pointer, key), above)


_BASE_URI = "file://contract/"
"""What the URIs start with that files get here if they have no `$self`: nothing else is called so."""


class ReadDocument(Protocol):
    """Reads and parses a file, as `read_document` does."""

    def __call__(self, path: Path, *, name: str | None, allow_repeated_keys: bool) -> Document:
        """Return a parsed file. Raises UnreadableInput."""


class UnresolvableReference(Exception):
    """Raised for a reference that cannot be resolved; `message` continues the sentence "the reference …".

    `rule` is the rule to report it under, empty if it is reported already. `target` is the location
    that does not exist, if it is known.
    """

    def __init__(
        self,
        message: str,
        *,
        rule: str = "contract-ref-broken",
        help: str = "fix the $ref",  # noqa: A002
        target: Location | None = None,
    ) -> None:
        """Take what follows the words "the reference … "."""
        super().__init__(message)
        self.message = message
        self.rule = rule
        self.help = help
        self.target = target


REFUSED_RULE = "contract-ref-refused"
"""The rule of references that would be followed if that were allowed."""


def _remote_reference_error(message: str) -> UnresolvableReference:
    """Return the error for a reference that nothing lets lead anywhere."""
    return UnresolvableReference(message, rule="contract-ref-remote", help=_BUNDLE_ADVICE)


def _outside_reference_error() -> UnresolvableReference:
    """Return the error for a reference that could be followed, but may not."""
    return UnresolvableReference(
        "leads outside the contract's folder", rule=REFUSED_RULE, help=_OUTSIDE_ADVICE
    )


def _unreadable_file_error(error: UnreadableInput) -> UnresolvableReference:
    """Return the error for a reference to a file that cannot be read: with the place in that file, and its advice.

    If the file is missing, the reference is what to fix, unless another file is likely meant.
    """
    why = error.message.removeprefix("this file cannot be read: ")
    place = f"{error.place}: " if error.place is not None and error.place.line else ""
    message = f"leads to a file that cannot be read: {place}{why}"
    is_missing = isinstance(error.__cause__, FileNotFoundError)
    if (is_missing and error.help == MISSING_HELP) or not error.help:
        return UnresolvableReference(message)
    return UnresolvableReference(message, help=error.help)


_BUNDLE_ADVICE = "put the contract into one file first, for example with 'redocly bundle'"
_OUTSIDE_ADVICE = (
    "references may lead to this file, or to files in its folder; to allow other files of this machine, "
    "give --allow-outside-references, or in a project write 'allow_outside_references: true' under the plugin devportal"
)


def _shown_name(folder: str, real_folder: Path, name: str) -> str:
    """Return what messages call a file: its path from the folder of the root file, as that is written.

    Forges know no path with `..` behind a folder, so each `..` takes a folder away, unless it may be a link: its name
    is not that of the real folder. The first one may bear a revision, as in `main:api`, which goes with it.
    """
    shown, real, steps = folder.split("/") if folder else [], list(real_folder.parts), name.split("/")
    while steps[0] == ".." and shown and shown[-1].rpartition(":")[2] == real[-1]:
        del shown[-1], real[-1], steps[0]
    return "/".join((*shown, *steps))


class ContractDocuments:
    """The root file, and those that references lead to: inside its folder, or anywhere if that is allowed.

    A file is called by its path from the root's folder, the root itself by the empty text.
    """

    def __init__(
        self,
        root: Document,
        folder: Path | None,
        *,
        root_file: str = "",
        prepare: Callable[[Document], Document] = lambda document: document,
        allow_outside: bool = False,
        allow_repeated_keys: bool = False,
        read: ReadDocument = read_document,
    ) -> None:
        """Take the parsed root file, its folder (None: no other file may be read) and its name in there.

        `prepare` changes each other file as soon as it is read; `read` reads it.
        """
        self._read_document = read
        self._allow_repeated_keys = allow_repeated_keys
        self._root_file = root_file
        self._prepare = prepare
        self._folder = real_path(folder) if folder else None
        self._allow_outside = allow_outside
        self._name = root.name
        self._read: dict[str, Document | None] = {"": root}
        self.has_internal = _may_be_internal(root)
        """Whether any of the files read so far may mark something as internal."""
        self._ahead: dict[str, Document] = {}
        self._resources: dict[str, Resources] = {}
        self._located: dict[str, Location] = {}
        """The resources of the files read so far, apart from the `_unlocated`, by their absolute URI."""
        self._unlocated = [""]
        self._change: Callable[[str, Document], Document] | None = None
        self._inlined: frozenset[str] = frozenset()
        """The files that count as read although no reference may lead to them any more."""

    def with_changes(self, change: Callable[[str, Document], Document]) -> "ContractDocuments":
        """Return the same files, each as `change` makes it, given its name here; they are read again."""
        twin = copy(self)
        twin._change = change  # noqa: SLF001 - its own class
        twin._start_with({"": change("", self.document(""))})  # noqa: SLF001 - its own class
        for name in self._inlined:
            twin.document(name)
        return twin

    def with_documents(self, documents: Mapping[str, Document]) -> "ContractDocuments":
        """Return the same files, those given as they are given: they count as read."""
        twin = copy(self)
        twin._start_with(dict(documents))  # noqa: SLF001 - its own class
        twin._ahead = {**self._ahead, **documents}  # noqa: SLF001 - its own class
        twin._inlined = frozenset(documents)  # noqa: SLF001 - its own class
        return twin

    def _start_with(self, read: dict[str, Document | None]) -> None:
        """Take the files that count as read; what they name is found out again."""
        self._read, self._resources, self._located, self._unlocated = read, {}, {}, list(read)

    def look_ahead(self) -> None:
        """Read all files that references seem to lead to, to find out whether any of them marks something as
        internal before the first part is read. These files do not count as read.
        """
        twin = self.copy_documents()
        pending = [""]
        for name in pending:
            for path in dict.fromkeys(
                external_reference.partition("#")[0]
                for external_reference in external_references(twin.document(name))
            ):
                try:
                    refuse_remote_reference(path)
                    file_name = twin.resolve_file_name(path, name)
                    if file_name not in twin._read:  # noqa: SLF001 - its own class
                        twin.document(file_name)
                        pending.append(file_name)
                except (UnresolvableReference, ValueError):
                    continue  # reported when the reference is followed
        self.has_internal, self._ahead = twin.has_internal, twin.documents()

    @property
    def is_single(self) -> bool:
        """Whether `look_ahead` found no reference to another file."""
        return self._ahead.keys() <= {""}

    def copy_documents(self) -> "ContractDocuments":
        """Return a copy with the same files; files read through the copy are not recorded here."""
        twin = copy(self)
        twin._read, twin._resources = dict(self._read), dict(self._resources)  # noqa: SLF001 - its own class
        twin._located, twin._unlocated = dict(self._located), list(self._unlocated)  # noqa: SLF001 - its own class
        return twin

    @property
    def root_file(self) -> str:
        """The name of the root file in its folder, empty if it is not a file."""
        return self._root_file

    @property
    def folder(self) -> tuple[str, ...]:
        """The names of the folders that the root file is in, from the outermost; none if it is not a file."""
        return self._folder.parts[1:] if self._folder else ()

    def documents(self) -> dict[str, Document]:
        """Return the files that were read."""
        return {name: document for name, document in self._read.items() if document is not None}

    def names(self) -> tuple[str, ...]:
        """Return the names of the files that references lead to, those that cannot be read included."""
        return tuple(self._read)

    def resolve_file_name(self, path: str, base: str) -> str:
        """Return the name of the file that a relative reference in the file `base` leads to."""
        if not path:
            return base
        folder = str(self._folder or "/")
        name = posixpath.normpath(posixpath.join(folder, posixpath.dirname(base), unquote(path)))
        name = posixpath.relpath(name, folder)
        if not self._allow_outside and (name == ".." or name.startswith("../")):
            raise _outside_reference_error()
        return "" if name == self._root_file else name

    def document(self, name: str) -> Document:
        """Return a file by its name; raises UnresolvableReference, without a rule from the second time on."""
        if name not in self._read:
            self._read[name] = None
            new = self._new(name)
            self._read[name] = self._change(name, new) if self._change is not None else new
            self._unlocated.append(name)
            self.has_internal = self.has_internal or _may_be_internal(new)
        document = self._read[name]
        if document is None:
            raise UnresolvableReference("leads to a file that cannot be read", rule="")
        return document

    def _new(self, name: str) -> Document:
        if name in self._ahead:
            return self._ahead[name]
        path = real_path(self._folder / name) if self._folder and "\0" not in name else None
        if path is None or self._folder is None:
            raise _outside_reference_error()
        if not (self._allow_outside or path.is_relative_to(self._folder)):
            raise _outside_reference_error()
        try:
            is_something_else = path.exists() and not path.is_file()
        except OSError as error:  # such as a name that is too long
            why = error.strerror or str(error)
            raise UnresolvableReference(f"leads to a file that cannot be read: {why}") from error
        if is_something_else:
            raise UnresolvableReference("leads to something that is not a file")
        try:
            return self._prepare(
                self._read_document(
                    path,
                    name=_shown_name(posixpath.dirname(self._name), self._folder, name),
                    allow_repeated_keys=self._allow_repeated_keys,
                )
            )
        except UnreadableInput as error:
            raise _unreadable_file_error(error) from error

    def resources(self, name: str) -> Resources:
        """Return the resources of a file; raises UnresolvableReference."""
        if name not in self._resources:
            self._resources[name] = Resources.of(self.document(name), f"{_BASE_URI}{name or self._root_file}")
        return self._resources[name]

    def with_uri(self, uri: str) -> Location | None:
        """Return the location of the resource with a URI, among the files that were read: the first, if several have
        it.
        """
        while self._unlocated:
            name = self._unlocated.pop(0)
            for known, pointer in self.resources(name).uris():
                self._located.setdefault(known, Location(name, pointer))
        return self._located.get(uri)


def refuse_remote_reference(reference: str) -> None:
    """Raise UnresolvableReference for a reference that no path of a file can be: to the network, or a URI of another
    kind. An absolute path is one.
    """
    split = urlsplit(reference)
    if split.scheme in ("http", "https") or split.netloc:
        raise _remote_reference_error("leads to the network, from which nothing is read")
    if split.scheme:
        raise _remote_reference_error("leads outside the contract: nothing in it has this URI")


def _may_be_internal(document: Document) -> bool:
    return may_have_key(document, "x-internal")
