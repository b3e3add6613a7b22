"""Things that other accounts must not see: what the first account makes, and what is then told of it."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from devportal.conformance.belonging import made, value_of
from devportal.conformance.conventions import is_called
from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Send
from devportal.conformance.line import Unsendable
from devportal.conformance.paging import LARGE, Page, first_request, page_of, way_of
from devportal.conformance.resources import Listing, Resource, members
from devportal.conformance.stocking import member_at
from devportal.conformance.strangers import is_private, is_telling, mentions, private_resources
from devportal.conformance.subject import Subject
from devportal.conformance.things import Thing, names, patiently
from devportal.contract import Api, Schema
from devportal.contract.bounds import bound
from devportal.contract.json_schema import Direction

DEPTH = 3
"""How deep in the items of a list names of things are looked for."""


def told_resources(subject: Subject) -> Iterator[Resource]:
    """Yield the kinds of things that come about because others are made, such as events."""
    kinds = tuple(private_resources(subject))
    for one in subject.resources:
        if one in kinds or one.read is None or one.listing is None or not one.key:
            continue
        is_own = is_private(subject, one.read) and is_private(subject, one.listing.operation)
        if is_own and tells_of_things(subject, one.listing):
            yield one


def tells_of_things(subject: Subject, listing: Listing) -> bool:
    """Say whether the items of a list can name things that are private: a member is called like their
    parameter, or has a pattern that their identifiers fit.
    """
    if listing.item is None:
        return False
    kinds = [(one, value_of(subject, one)) for one in private_resources(subject)]
    return any(
        is_called(name, (kind.parameter,)) or _is_for(subject, schema, value)
        for name, schema in _members(subject.api, listing.item, DEPTH)
        for kind, value in kinds
    )


@contextmanager
def lone(subject: Subject, resource: Resource, send: Send) -> Iterator[Thing]:
    """Make a thing whose identifier is found again by looking for it. Raises Unsendable where none is."""
    with made(subject, resource, send) as thing:
        if not is_telling(thing.value):
            raise Unsendable("its identifier may be each account's own number")
        yield thing


@contextmanager
def some_of_each(subject: Subject, send: Send) -> Iterator[tuple[Thing, ...]]:
    """Make things of all kinds, those that can be made, and then again: some are told of only where somebody
    listens, who has to be there first.
    """
    with ExitStack() as stack:
        things: list[Thing] = []
        for resource in (*private_resources(subject),) * 2:
            with suppress(Unsendable):
                things.append(stack.enter_context(lone(subject, resource, send)))
        yield tuple(things)


@contextmanager
def told(subject: Subject, resource: Resource, send: Send) -> Iterator[Thing]:
    """Give a thing that came about because others were made. Raises Unsendable where none is found."""
    listing = resource.listing
    if listing is None:
        raise Unsendable("there is no list of them")
    with some_of_each(subject, send) as causes:
        page = awaited(subject, listing, causes, send)
        item = next((one for one in page.items if mentions_any(one, causes)), None)
        value = member_at(item, resource.key)
        if not isinstance(value, str) or not is_telling(value) or not names(subject, resource, value):
            raise Unsendable("nothing is told of them")
        yield Thing(resource=resource, value=value, sent=None, exchange=page.exchange)


def awaited(subject: Subject, listing: Listing, things: Sequence[Thing], send: Send) -> Page:
    """Wait until the first account has one of the things in its list, and return the page: a list may come
    later than its things.

    A list that is longer than a page, and does not show the newest first, is not read for that. Raises
    Unsendable where the list of the first account shows none of them at all.
    """
    way = way_of(subject, listing)
    request = first_request(way, largest(listing))

    def shows(exchange: Exchange) -> bool:
        page = page_of(way, request, exchange)
        return page is None or page.next is not None or mentions_any(page.items, things)

    exchange = patiently(lambda: send(listing.operation, request), send, shows)
    page = page_of(way, request, exchange)
    if page is None or not shows(exchange):
        raise Unsendable("the list of the first account shows none of them either")
    return page


def mentions_any(document: object, things: Sequence[Thing]) -> bool:
    """Say whether a JSON value names one of several things."""
    return any(mentions(document, one.value) for one in things)


def largest(listing: Listing) -> int | None:
    """Return the largest page that the contract allows, None where it does not say."""
    schema = listing.limit.schema if listing.limit is not None else None
    most = bound(schema, "maximum") if schema is not None else None
    return min(int(most), LARGE) if most is not None else None


def _is_for(subject: Subject, schema: Schema, value: str) -> bool:
    """Say whether a schema has a pattern, and identifiers like this one fit it."""
    has_pattern = any(one.keyword == "pattern" for one in schema.constraints)
    return has_pattern and bool(value) and subject.validator.is_valid(schema, value, Direction.RESPONSE)


def _members(api: Api, schema: Schema, depth: int) -> Iterator[tuple[str, Schema]]:
    """Yield the members of a value with their names, and of what lies in it down to a depth."""
    resolved = api.resolve(schema)
    within = [*resolved.one_of, *resolved.any_of, *((resolved.items,) if resolved.items is not None else ())]
    for one in members(api, resolved):
        yield one.name, api.resolve(one.schema)
        within.append(one.schema)
    for branch in within if depth else ():
        yield from _members(api, branch, depth - 1)
