"""Matches pages between releases of a contract by the part they show.

Parts are known by what lasts from release to release, as the differ takes them for the same: an operation
by its method and path, whatever its placeholders are called, or else by its operationId; events and schemas
by name; problem types by their URI. What a contract marks with `x-renamed-from` is the same as what had that name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from devportal.contract import Api, Operation
from devportal.contract.path_templates import without_names
from devportal.differ.match.operations import full_path
from devportal.project.settings import SharedSchema
from devportal.reference.addresses import (
    Addresses,
    addresses_of,
    event_operations,
    group_key,
    has_authentication,
    problem_types,
    shared_schemas,
)
from devportal.reference.pages.sidebar import events_title
from devportal.reference.pages.stability import marked_parts

OVERVIEW = "page overview"
_ERRORS, _SCHEMAS, _EVENTS = "page errors", "page schemas", "page events"
_METHOD_AND_PATH = re.compile(r"([A-Za-z]+) +(/.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedPart:
    """The part that a page shows. `noun` is its name on the page, `owner` its name in the differ.

    `keys` find it in any release, the most reliable first; `former` are keys that it had, by its `x-renamed-from`.
    `near` is shown if a release does not have it.
    """

    uri: str
    noun: str
    title: str
    owner: str = ""
    keys: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RenamedParts:
    """Old and new names of the same parts, from a file of redirects."""

    alike: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, keys: Iterable[str]) -> Iterator[str]:
        """Yield the other keys of the parts that have these."""
        for key in keys:
            yield from self.alike.get(key, ())


def renamed_parts(operations: Iterable[tuple[str, str]], tags: Iterable[tuple[str, str]]) -> RenamedParts:
    """Return renames of pairs of an old and a new name; an operation may be named by method and path."""
    alike: dict[str, tuple[str, ...]] = {}
    pairs = [(operation_key(old), operation_key(new)) for old, new in operations]
    for old, new in (*pairs, *((_group_key(old), _group_key(new)) for old, new in tags)):
        whole = tuple(dict.fromkeys((old, *alike.get(old, ()), new, *alike.get(new, ()))))
        alike |= {key: tuple(other for other in whole if other != key) for key in whole}
    return RenamedParts(alike)


def operation_key(name: str) -> str:
    """Return the key of an operation that is named by its operationId, or by method and path."""
    spelt = _METHOD_AND_PATH.fullmatch(name)
    return f"operation {spelt[1].upper()} {without_names(spelt[2])}" if spelt else f"id {name}"


class Counterparts:
    """The parts of one release, found by page or by the keys of another release."""

    def __init__(self, parts: Iterable[DocumentedPart], known: RenamedParts | None = None) -> None:
        """Take the parts and the renames."""
        self.parts = tuple(parts)
        self._renames = known or RenamedParts()
        self._by_uri = {part.uri: part for part in self.parts}
        self._by_key: dict[str, DocumentedPart] = {}
        for part in self.parts:
            for key in part.keys:
                self._by_key.setdefault(key, part)
        for part in self.parts:
            for key in part.former:
                self._by_key.setdefault(key, part)

    def shown_at(self, uri: str) -> DocumentedPart:
        """Return the part that a page shows; for a part page, that of the page it belongs to."""
        found = (
            self._by_uri[page_and_parent]
            for page_and_parent in _page_and_parents(uri)
            if page_and_parent in self._by_uri
        )
        return next(found, self._by_key[OVERVIEW])

    def same(self, part: DocumentedPart) -> DocumentedPart | None:
        """Return the same part in this release, None if it does not exist."""
        return self._first((*part.keys, *part.former, *self._renames.of(part.keys)))

    def nearest(self, part: DocumentedPart) -> DocumentedPart:
        """Return the nearest part of this release to one that does not exist here."""
        return self._first((*part.near, *self._renames.of(part.near))) or self._by_key[OVERVIEW]

    def group_of(self, part: DocumentedPart) -> DocumentedPart | None:
        """Return the group of this release on whose page an operation is listed; None for any other part."""
        return self._first(part.near[-1:]) if part.noun == "operation" else None

    def _first(self, keys: Iterable[str]) -> DocumentedPart | None:
        return next((self._by_key[key] for key in keys if key in self._by_key), None)


def _page_and_parents(uri: str) -> Iterator[str]:
    """Yield a uri and those of the pages that it may be a part of, the nearest first."""
    yield uri
    folder = uri.rpartition("/")[0]
    while folder:
        yield f"{folder}.md"
        yield f"{folder}/index.md"
        folder = folder.rpartition("/")[0]


def parts_of(
    api: Api, *, folder: str, overview: str, shared: Iterable[SharedSchema] = ()
) -> tuple[DocumentedPart, ...]:
    """Return what the pages of a contract are of that lie below `folder`, the whole being at `overview`.

    Schemas `shared` with other APIs have their page elsewhere.
    """
    addresses = addresses_of(api, folder=folder, overview=overview, shared=shared)
    makers = (_single_pages, _groups, _operations, _event_parts, _schemas_and_problems)
    return tuple(part for make in makers for part in make(api, addresses))


def _single_pages(api: Api, addresses: Addresses) -> Iterator[DocumentedPart]:
    """Yield the pages of which a contract has one."""
    has_events = any(True for _ in event_operations(api))
    for title, key, uri, is_there in (
        ("Overview", OVERVIEW, addresses.overview, True),
        ("Authentication", "page authentication", addresses.authentication, has_authentication(api)),
        ("Errors", _ERRORS, addresses.errors, bool(api.problem_types)),
        ("Schemas", _SCHEMAS, addresses.schemas_index, any(True for _ in shared_schemas(api))),
        ("Stability", "page stability", addresses.stability, bool(marked_parts(api, addresses))),
        (events_title(api), _EVENTS, f"{addresses.overview}#events", has_events),
    ):
        if is_there:
            yield DocumentedPart(uri=uri, noun="page", title=title, keys=(key,))


def _groups(api: Api, addresses: Addresses) -> Iterator[DocumentedPart]:
    for group in api.groups:
        keys = (_group_key(group_key(group)),)
        yield DocumentedPart(uri=addresses.group_of(group), noun="group", title=group.title, keys=keys)


def _group_key(key: str) -> str:
    return f"group {key}"


def _operations(api: Api, addresses: Addresses) -> Iterator[DocumentedPart]:
    """Yield the operations, each near to the first group that lists it, as its page is."""
    listed = {
        operation.key: _group_key(group_key(group))
        for group in reversed(api.groups)
        for operation in group.operations
    }
    for operation in api.operations:
        successor = (operation_key(operation.successor),) if operation.successor else ()
        yield DocumentedPart(
            uri=addresses.operation(operation),
            noun="operation",
            title=operation.title,
            owner=f"{operation.method} {operation.path}",
            keys=tuple(_operation_keys(operation)),
            former=tuple(map(operation_key, operation.renamed_from)),
            near=(*successor, listed[operation.key]),
        )


def _operation_keys(operation: Operation) -> Iterator[str]:
    """Yield the keys of an operation, in the order in which the differ tries them."""
    yield operation_key(f"{operation.method} {operation.path}")
    yield f"address {operation.method} {without_names(full_path(operation)).rstrip('/').casefold()}"
    if operation.id_is_declared:
        yield operation_key(operation.id)


def _event_parts(api: Api, addresses: Addresses) -> Iterator[DocumentedPart]:
    for webhook, operation in event_operations(api):
        yield DocumentedPart(
            uri=addresses.event(operation),
            noun="event",
            title=operation.title,
            owner=webhook.name,
            keys=(f"event {operation.method} {webhook.name}", f"event {webhook.name}"),
            former=tuple(f"event {operation.method} {name}" for name in operation.renamed_from),
            near=(_EVENTS,),
        )


def _schemas_and_problems(api: Api, addresses: Addresses) -> Iterator[DocumentedPart]:
    """Yield the schemas and problem types."""
    for schema in shared_schemas(api):
        yield DocumentedPart(
            uri=addresses.schemas[schema.location],
            noun="schema",
            title=schema.name,
            owner=f"schemas/{schema.name}",
            keys=(f"schema {schema.name}",),
            former=tuple(f"schema {name}" for name in schema.renamed_from),
            near=(_SCHEMAS,),
        )
    for problem in problem_types(api):
        yield DocumentedPart(
            uri=addresses.problems[problem.uri],
            noun="error",
            title=problem.title,
            keys=(f"problem {problem.uri}",),
            near=(_ERRORS,),
        )
