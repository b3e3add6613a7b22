"""Lists × account: no list, filter or cursor shows another account what the first has made."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

from devportal.conformance.conventions import is_called
from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.families.tenant_things import (
    awaited,
    largest,
    lone,
    some_of_each,
    tells_of_things,
)
from devportal.conformance.family import Fault, Probe, Send
from devportal.conformance.line import Unsendable
from devportal.conformance.paging import first_page, first_request, keys_of, page_of, sizes, walk, way_of
from devportal.conformance.resources import Listing, Resource
from devportal.conformance.strangers import answered, as_stranger, is_private, mentions, private_resources
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import Thing
from devportal.contract import In, Parameter

MADE = 3
"""How many things are made for a cursor that leads to some of them."""


def list_probes(subject: Subject) -> Iterator[Probe]:
    """Yield probes for each list that shows private things, or tells of them."""
    kinds = tuple(private_resources(subject))
    for listing in subject.listings:
        if "{" in listing.operation.path or not is_private(subject, listing.operation):
            continue
        name = label(listing.operation)
        own = next((one for one in kinds if _is_list_of(listing, one)), None)
        if own is not None:
            yield Probe(operation=name, run=partial(_listed, subject, listing, own))
        elif tells_of_things(subject, listing):
            yield Probe(operation=name, run=partial(_listed, subject, listing, None))
        if own is not None and listing.cursor is not None:
            yield Probe(operation=name, run=partial(_continued, subject, listing, own))
        for resource, parameter in _searches(listing, kinds):
            yield Probe(operation=name, run=partial(_searched, subject, listing, resource, parameter))


def _is_list_of(listing: Listing, resource: Resource) -> bool:
    return resource.listing is not None and resource.listing.operation is listing.operation


def _searches(listing: Listing, kinds: tuple[Resource, ...]) -> Iterator[tuple[Resource, Parameter]]:
    """Yield the parameters of a list that ask for one thing."""
    for resource in kinds:
        for parameter in listing.operation.parameters:
            if parameter.location_in is In.QUERY and is_called(parameter.name, (resource.parameter,)):
                yield resource, parameter


def _listed(subject: Subject, listing: Listing, own: Resource | None, send: Send) -> Iterator[Fault]:
    """Read the whole list as the other account, for what it is of, or else for things of all kinds."""
    with ExitStack() as stack:
        things: tuple[Thing, ...] = (
            stack.enter_context(some_of_each(subject, send))
            if own is None
            else (stack.enter_context(lone(subject, own, send)),)
        )
        awaited(subject, listing, things, send)
        way = way_of(as_stranger(subject), listing)
        for page in walk(way, send, first_request(way, largest(listing))).pages:
            for thing in things:
                if mentions(page.items, thing.value):
                    message = f"the first account made {thing.value!r}, and the list of another shows it"
                    title = "a list shows things of another account"
                    yield _fault(listing, title, message, thing, page.exchange)
                    return


def _searched(
    subject: Subject, listing: Listing, resource: Resource, parameter: Parameter, send: Send
) -> Iterator[Fault]:
    """Ask the list for the thing of the first account, as the other."""
    with lone(subject, resource, send) as thing:
        awaited(subject, listing, (thing,), send)
        way = way_of(as_stranger(subject), listing)
        exchange = send(listing.operation, first_request(way, query={parameter.name: thing.value}))
        page = page_of(way, exchange.request, answered(exchange))
        if page is not None and any(mentions(item, thing.value) for item in page.items):
            message = f"{parameter.name}={thing.value} finds for one account what another has made"
            yield _fault(listing, "a list finds things of another account", message, thing, exchange)


def _continued(subject: Subject, listing: Listing, resource: Resource, send: Send) -> Iterator[Fault]:
    """Follow a cursor of the first account as the other."""
    with ExitStack() as stack:
        things = [stack.enter_context(lone(subject, resource, send)) for _ in range(MADE)]
        awaited(subject, listing, things, send)
        way, stranger = way_of(subject, listing), as_stranger(subject)
        start = first_page(way, send, first_request(way, sizes(listing)[0]))
        if start.next is None:
            raise Unsendable("there is no second page")
        bare = Request(method="GET", url=start.next.url)
        exchange = send(listing.operation, stranger.authorised(listing.operation, bare))
        page = page_of(way_of(stranger, listing), bare, answered(exchange))
        seen = set(keys_of(page.items, way.key)) if page is not None else set()
        found = next((one for one in things if one.value in seen), None)
        if found is not None:
            message = f"with a cursor of the first account, another sees {found.value!r} of the first"
            yield _fault(listing, "a cursor shows things of another account", message, found, exchange)


def _fault(listing: Listing, title: str, message: str, thing: Thing, exchange: Exchange) -> Fault:
    return Fault(
        title=title,
        message=message,
        operation=label(listing.operation),
        promise=listing.operation.location,
        evidence=(thing.exchange, exchange),
    )
