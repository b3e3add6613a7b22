"""What pages of the reference show of operations and schemas that have a page elsewhere.

After an edit of an operation, the pages of all others are what they were as long as this is: their lists, links and
sources of values name it, and nothing else of it. After an edit of a schema, so are the pages of parts of the contract
that do not refer to it. If some of it is not what it was, pages that link to that part are not either, nor are lists.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from hashlib import blake2b
from operator import attrgetter

from devportal.contract import Api, Operation
from devportal.contract.operation_names import LinkTargets, successor_of
from devportal.contract.published.dependents import part_of
from devportal.contract.value_sources import value_sources_of
from devportal.project.settings import Settings
from devportal.reference.addresses import Addresses, event_operations, group_key
from devportal.reference.pages.problem_types import ProblemTypes
from devportal.reference.pages.stability import marked_parts
from devportal.reference.reference import reference_of

OWN_PAGE_FIELDS = frozenset(
    {
        "code_samples",
        "description",
        "external_docs",
        "parameters",
        "path_description",
        "request_body",
        "responses",
    }
)
"""What only the pages of an operation itself show of it: others learn of it by sources of values and problem types."""
_shown_elsewhere = attrgetter(
    *(field.name for field in fields(Operation) if field.name not in OWN_PAGE_FIELDS)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOutline:
    """The page of an operation, an event or a schema, and the part of the contract that it describes (see `part_of`).

    `name` is what links in texts may call it, `shown` a digest of what other pages show of it, and `seen` one of what
    it shows of other operations: as sources of values, as targets of links, as its successor.
    """

    part: str
    uri: str
    name: str
    shown: str = ""
    seen: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceOutline:
    """What pages show of parts that other pages describe: a digest for all pages, one for lists, and more for each page
    of a part, in their order.

    The first digest is empty if pages may show anything: schemas within operations are shared.
    """

    digest: str
    lists: str
    pages: tuple[PageOutline, ...]


NO_OUTLINE = ReferenceOutline(digest="", lists="", pages=())
"""For contracts of which any page may show anything."""


def outline_of(api: Api, settings: Settings) -> ReferenceOutline:
    """Return the outline of a contract."""
    if any(location.pointer[:1] == ("paths",) for location in api.schemas):
        return NO_OUTLINE
    addresses = reference_of(api, settings).addresses
    return ReferenceOutline(
        digest=_digest(tuple(_shared_parts(api, addresses))),
        lists=_digest(tuple(_listed_parts(api, addresses))),
        pages=tuple(_pages(api, addresses)),
    )


def _pages(api: Api, addresses: Addresses) -> Iterator[PageOutline]:
    others = _OtherOperations(api, addresses)
    for operation in api.operations:
        yield PageOutline(
            part=part_of(operation.location),
            uri=addresses.operation(operation),
            name=operation.id,
            shown=_digest(_shown_elsewhere(operation)),
            seen=_digest(tuple(others.seen_by(operation))),
        )
    for webhook, operation in event_operations(api):
        yield PageOutline(
            part=part_of(operation.location),
            uri=addresses.event(operation),
            name=webhook.name,
            shown=_digest(_shown_elsewhere(operation)),
            seen=_digest(tuple(others.seen_by(operation))),
        )
    for location, uri in addresses.schemas.items():
        schema = api.schemas[location]
        shown = _digest((schema.location, schema.name))
        yield PageOutline(part=part_of(location), uri=uri, name=schema.name, shown=shown)


def _shared_parts(api: Api, addresses: Addresses) -> Iterator[object]:
    """Yield what any page may show of the parts of a contract."""
    yield addresses
    yield addresses.groups, addresses.problems, addresses.group_anchors, addresses.scheme_anchors
    yield tuple((group_key(group), group.title) for group in api.groups)
    yield api.marks  # a schema that a discriminator selects may be in any sample of its parent
    yield bool(marked_parts(api, addresses)), api.is_marked, api.has_read_only, api.has_write_only


def _listed_parts(api: Api, addresses: Addresses) -> Iterator[object]:
    """Yield what lists, and the pages of problem types, show of parts beside what links to these do."""
    yield marked_parts(api, addresses)
    problems = ProblemTypes(api)
    for problem in problems:
        keys = tuple(operation.key for operation in problems.operations(problem))
        yield problem.uri, keys, problems.example(problem)


class _OtherOperations:
    """What the pages of operations show of others."""

    def __init__(self, api: Api, addresses: Addresses) -> None:
        self._api = api
        self._addresses = addresses
        self._sources = value_sources_of(api)
        self._targets = LinkTargets(api.operations)

    def seen_by(self, operation: Operation) -> Iterator[object]:
        """Yield what the page of an operation or event shows of others."""
        for input_ in self._sources.of(operation) if operation.path else ():
            yield (
                input_.name,
                *((self._link(source.operation), source.member, source.header) for source in input_.sources),
            )
        yield self._link(successor_of(self._api, operation))
        yield from self._link_targets(operation)

    def _link_targets(self, operation: Operation) -> Iterator[object]:
        for response in operation.responses:
            yield from (self._link(self._targets.of(link)) for link in response.links)
        for callback in operation.callbacks:
            for sent in callback.operations:
                yield from self._link_targets(sent)

    def _link(self, operation: Operation | None) -> tuple[str, str] | None:
        return (operation.title, self._addresses.operation(operation)) if operation is not None else None


def _digest(value: object) -> str:
    return blake2b(repr(value).encode(errors="surrogatepass"), digest_size=16).hexdigest()
