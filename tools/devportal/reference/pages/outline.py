"""What pages of the reference show of operations and schemas that have a page elsewhere.

After an edit of an operation, the pages of all others are what they were as long as this is: their lists, links and
sources of values name it, and nothing else of it. After an edit of a schema, so are the pages of parts of the contract
that do not refer to it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from hashlib import blake2b
from operator import attrgetter

from devportal.contract import Api, Operation
from devportal.contract.published.dependents import part_of
from devportal.contract.value_sources import ValueSources, value_sources_of
from devportal.project.settings import Settings
from devportal.reference.addresses import Addresses, event_operations
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
    """The page of an operation, an event or a schema, the part of the contract that it describes (see `part_of`), and
    a digest of what it shows of other operations as sources of values.

    The page of stability describes no part: its digest is that of all that it lists.
    """

    part: str
    uri: str
    sources: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceOutline:
    """What pages show of parts that other pages describe: a digest for all pages, and more for each page.

    The digest is empty if pages may show anything: schemas within operations are shared.
    """

    digest: str
    pages: tuple[PageOutline, ...]


NO_OUTLINE = ReferenceOutline(digest="", pages=())
"""For contracts of which any page may show anything."""


def outline_of(api: Api, settings: Settings) -> ReferenceOutline:
    """Return the outline of a contract."""
    if any(location.pointer[:1] == ("paths",) for location in api.schemas):
        return NO_OUTLINE
    addresses = reference_of(api, settings).addresses
    return ReferenceOutline(
        digest=_digest(tuple(_shared_parts(api, addresses))), pages=tuple(_pages(api, addresses))
    )


def _pages(api: Api, addresses: Addresses) -> Iterator[PageOutline]:
    sources = value_sources_of(api)
    for operation in api.operations:
        yield PageOutline(
            part=part_of(operation.location),
            uri=addresses.operation(operation),
            sources=_digest(_value_sources(sources, operation)) if operation.path else "",
        )
    for _, operation in event_operations(api):
        yield PageOutline(part=part_of(operation.location), uri=addresses.event(operation))
    for location, uri in addresses.schemas.items():
        yield PageOutline(part=part_of(location), uri=uri)
    yield PageOutline(part="", uri=addresses.stability, sources=_digest(marked_parts(api, addresses)))


def _shared_parts(api: Api, addresses: Addresses) -> Iterator[object]:
    """Yield what any page may show of the parts of a contract."""
    yield from map(_shown_elsewhere, api.operations)
    yield tuple((location, schema.name) for location, schema in api.schemas.items())
    yield api.marks
    yield addresses
    yield addresses.operations, addresses.groups, addresses.schemas, addresses.problems, addresses.events
    yield bool(marked_parts(api, addresses))
    problems = ProblemTypes(api)
    for problem in problems:
        keys = tuple(operation.key for operation in problems.operations(problem))
        yield problem.uri, keys, problems.example(problem)


def _value_sources(sources: ValueSources, operation: Operation) -> tuple[object, ...]:
    return tuple(
        (input_.name, *((source.operation.key, source.member, source.header) for source in input_.sources))
        for input_ in sources.of(operation)
    )


def _digest(value: object) -> str:
    return blake2b(repr(value).encode(errors="surrogatepass"), digest_size=16).hexdigest()
