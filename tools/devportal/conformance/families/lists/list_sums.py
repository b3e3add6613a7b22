"""A number of a resource that adds up a member of a list below it, by its description, agrees with that list: `balance`
with "The sum of the `amount` of all entries", and `/accounts/{id}/entries`.

What is in such a list may come from elsewhere, such as from transfers: the lists of new parents say nothing.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    first_request,
    list_target,
    page_size_limits,
    walk_pages,
)
from devportal.conformance.knowledge.requests.request_variants import valid_body
from devportal.conformance.knowledge.resources.created_resources import (
    create_resource,
    is_from_cache,
    is_success,
    response_json,
    shown_members,
)
from devportal.conformance.knowledge.resources.representation_match import schema_of_reading
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import ABSENT, Operation, ParameterLocation
from devportal.contract.body_schemas import success_schema
from devportal.contract.path_templates import action_target, last_segment, names_resource, parent_path
from devportal.contract.resources import Listing, Resource, item_properties
from devportal.contract.values.member_rules import ROUNDING, is_whole, parse_number, summed_below

_IN_PART = re.compile(
    r"\b(?:only|default|recent|last|latest|hidden|omit\w*|exclud\w*|up to|at most)\b", re.IGNORECASE
)
"""Words with which a list need not show all that a number adds up."""
MOST_TRIES = 2
ITEMS = 3
"""How many items are created: halves do not add up to a whole number then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Totals:
    """What shows sums of a list: the resource above the list, or something else below that, such as its balance."""

    parent: Resource
    reading: Operation

    def read(self, subject: Subject, send: Send) -> Exchange:
        """Read the sums of the resource that a subject is about. Raises Unsendable if that cannot be requested."""
        request = subject.valid(self.reading)
        if request is None:
            raise Unsendable(NO_VALID_REQUEST)
        return send(self.reading, request)

    def members(self, exchange: Exchange) -> Mapping[str, Any]:
        """Return the members that a success shows."""
        if self.reading is self.parent.read:
            return shown_members(self.parent, exchange)
        shown = response_json(exchange)
        return shown if is_success(exchange) and isinstance(shown, dict) else {}


def list_sum_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list below a resource and each reading that has sums of it."""
    for listing in subject.listings:
        path = listing.operation.path
        parents = (each for each in subject.resources if each.path == parent_path(path))
        parent = next((each for each in parents if each.read is not None and each.create is not None), None)
        for totals in _totals(subject, parent) if parent is not None and _shows_all(subject, listing) else ():
            sums = _sums(subject, totals, listing)
            if sums:
                run = partial(_check_sums, subject, totals, listing, sums)
                yield Probe(operation=operation_label(listing.operation), run=run)


def _totals(subject: Subject, parent: Resource) -> Iterator[_Totals]:
    """Yield the readings of a resource, and of what has an address directly below it. A reading with a query may be
    about a part, such as a year, also if a request leaves the query out.
    """
    listed = {listing.operation.path for listing in subject.listings}
    for operation in subject.operations:
        is_below = operation.method == "GET" and action_target(operation.path) == parent.value_key
        is_narrowed = any(each.location_in is ParameterLocation.QUERY for each in operation.parameters)
        if operation is parent.read or (is_below and operation.path not in listed and not is_narrowed):
            yield _Totals(parent=parent, reading=operation)


def _shows_all(subject: Subject, listing: Listing) -> bool:
    """Return whether a list shows everything by default, by what the contract says of its filters."""
    pages = (listing.limit, listing.cursor, listing.page, listing.offset)
    filters = (each for each in listing.operation.parameters if each not in pages and each.schema is not None)
    is_filtered = any(
        (each.required and each.location_in is ParameterLocation.QUERY)
        or (each.schema and subject.api.resolve(each.schema).default not in (None, ABSENT))
        for each in filters
    )
    text = f"{listing.operation.summary} {listing.operation.description}"
    return not is_filtered and not _IN_PART.search(text)


def _sums(subject: Subject, totals: _Totals, listing: Listing) -> Mapping[str, str]:
    """Return the members that add up one of the items, by their names: each with that one."""
    is_parent = totals.reading is totals.parent.read
    schema = schema_of_reading(subject, totals.parent) if is_parent else success_schema(totals.reading)
    names = (
        [each.name for each in item_properties(subject.api, listing.item)] if listing.item is not None else []
    )
    collection = last_segment(listing.operation.path)
    return summed_below(subject.api, schema, collection, names) if schema is not None else {}


def _check_sums(
    subject: Subject, totals: _Totals, listing: Listing, sums: Mapping[str, str], send: Send
) -> Iterator[CheckFailure]:
    """Compare the sums of a parent with its whole list, if it is the same before and after the list is read."""
    parent_id = create_resource(subject, totals.parent, send).id
    below = with_resource_id(subject, totals.parent, parent_id)
    _create_referring(below, totals.parent, send)
    _create_items(below, listing, send)
    target = list_target(below, listing)
    for number in range(MOST_TRIES):
        before = totals.read(below, send)
        walk = walk_pages(target, send, first_request(target, page_size_limits(listing)[1]))
        after = totals.read(below, send)
        if not walk.items or not walk.is_complete or not is_success(after) or is_from_cache(after):
            raise Unsendable("a list below a resource, with all that the resource adds up")
        wrong = _wrong_sum(totals, sums, before, walk, after)
        if not wrong:
            return
        if number + 1 < MOST_TRIES:
            send.wait(1)
            continue
        yield _failure(target, totals, sums, wrong, (before, walk, after))


def _create_items(below: Subject, listing: Listing, send: Send) -> None:
    """Create some of what a list shows, if a request to the list creates that."""
    for resource in below.resources:
        if resource.create is not None and resource.create.path == listing.operation.path:
            for _ in range(ITEMS):
                with suppress(Unsendable):
                    create_resource(below, resource, send)


def _create_referring(subject: Subject, parent: Resource, send: Send) -> None:
    """Create what names the parent in its body: it may be what the list shows, or lead to that. Of two roles it has
    the first one more often: else what one adds, the other could take away.
    """
    for resource in subject.resources:
        body = valid_body(subject, resource.create) if resource is not parent else None
        if body is None:
            continue
        roles = [name for name in body.members if names_resource(name, parent.reference_names)]
        pairs = [(roles[0], roles[-1])] * 2 + [(roles[-1], roles[0])] if roles else []
        for first, last in pairs:
            members = {**body.members, first: body.members[roles[0]], last: body.members[roles[-1]]}
            with suppress(Unsendable):
                create_resource(subject, resource, send, request=body.request(members))


def _total(walk: PageWalk, name: str) -> Decimal | None:
    """Return the sum of a member of all items, None if one does not show it."""
    numbers = [parse_number(item.get(name)) if isinstance(item, dict) else None for item in walk.items]
    known = [number for number in numbers if number is not None]
    return sum(known, Decimal(0)) if len(known) == len(numbers) else None


def _wrong_sum(
    totals: _Totals, sums: Mapping[str, str], before: Exchange, walk: PageWalk, after: Exchange
) -> str:
    """Return the first member that is another sum than that of the list, empty if none surely is."""
    for name, summed in sums.items():
        first, last = (parse_number(totals.members(each).get(name)) for each in (before, after))
        total = _total(walk, summed)
        if first is None or total is None or first != last:
            continue
        tolerance = Decimal(0) if is_whole(first) and is_whole(total) else ROUNDING
        if abs(first - total) > tolerance:
            return name
    return ""


def _failure(
    target: ListTarget,
    totals: _Totals,
    sums: Mapping[str, str],
    name: str,
    readings: tuple[Exchange, PageWalk, Exchange],
) -> CheckFailure:
    before, walk, after = readings
    shown, summed, total = totals.members(after).get(name), sums[name], _total(walk, sums[name])
    operation = totals.reading
    return CheckFailure(
        title=f"{name!r} is not the sum of the list",
        message=f"{name!r} is {shown}, and the {len(walk.items)} items of {target.listing.operation.path} add up to "
        f"{total} in {summed!r}",
        operation=operation_label(operation),
        promise=response_location(operation, after),
        evidence=(before, walk.pages[-1].exchange, after),
        member=name,
    )
