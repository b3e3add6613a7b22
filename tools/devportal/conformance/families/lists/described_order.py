"""Lists that are "newest first" or "oldest first" by their descriptions have that order."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.paging import (
    ListTarget,
    Page,
    fill_list,
    first_page,
    first_request,
    list_target,
    listed_resource,
    page_size_limits,
    walk_pages,
)
from devportal.conformance.knowledge.requests.request_variants import (
    later_times_request,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import create_resource, is_success
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Listing, Resource, item_properties
from devportal.contract.resources.described_orders import is_newest_first, order_sentences, order_verb
from devportal.contract.values.instants import parse_day, parse_instant
from devportal.contract.wording import plain_letters

CLOCKS_DIFFER = timedelta(seconds=1)
"""How much the clocks of a deployment's servers may differ."""
CREATED = 201
MARGIN_S = 0.2
"""How much longer the run waits between two creations."""


def described_order_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list whose description says which of its items come first."""
    for listing in subject.listings:
        is_newest = is_newest_first(listing.operation)
        members = _times(subject, listing)
        if is_newest is not None and members:
            run = partial(_check_order, list_target(subject, listing), members, is_newest=is_newest)
            yield Probe(operation=operation_label(listing.operation), run=run)


def _times(subject: Subject, listing: Listing) -> tuple[str, ...]:
    """Return the times and days of the items, or those that the sentence about the order quotes: "by `starts_on`, the
    latest first", or whose verb is in their names: `last_used_at` of "most recently used first". Without a time, only a
    day that is named as that of the item counts: an order by a time that is not shown has nothing to do with birthdays.
    """
    members = item_properties(subject.api, listing.item) if listing.item is not None else ()
    formats = {member.name: subject.api.resolve(member.schema).format for member in members}
    times = tuple(name for name, format_ in formats.items() if format_ in ("date-time", "date"))
    text = " ".join(order_sentences(listing.operation))
    if quoted := tuple(name for name in times if f"`{name}`" in text):
        return quoted
    if verb := order_verb(listing.operation):
        return tuple(name for name in times if verb in plain_letters(name))
    days = ("date", *subject.conventions.created)
    has_times = "date-time" in formats.values()
    return tuple(name for name in times if has_times or matches_any_name(name, days))


def _check_order(
    target: ListTarget, members: tuple[str, ...], send: Send, *, is_newest: bool
) -> Iterator[CheckFailure]:
    """Read the first page: the items are in the order of one of their times at least. If all are of one second, an
    item is created later, with later times, and all pages are read: it may be on the last one.
    """
    fill_list(target, send)
    pages: tuple[Page, ...] = (first_page(target, send, first_request(target)),)
    orders = _orders(pages, members, is_newest=is_newest)
    owner = listed_resource(target.subject, target.listing)
    create = owner.create if owner is not None else _creation_of_items(target)
    if not _is_known(orders) and create is not None:
        if owner is None:
            _create_item(target, create, send)
        send.wait(CLOCKS_DIFFER.total_seconds() + MARGIN_S)
        if owner is None:
            _create_item(target, create, send)
        else:
            _create_later(target, owner, send)
        large = page_size_limits(target.listing)[1]
        pages = walk_pages(target, send, first_request(target, large)).pages
        orders = _orders(pages, members, is_newest=is_newest)
    if not _is_known(orders):
        raise Unsendable("a list whose items have times more than a second apart")
    if not any(orders.values()):
        words = "newest" if is_newest else "oldest"
        names = ", ".join(orders)
        yield CheckFailure(
            title=f"a list is not {words} first",
            message=f"the items are in another order by each of their times: {names}",
            operation=operation_label(target.listing.operation),
            promise=response_location(target.listing.operation, pages[0].exchange),
            evidence=tuple(page.exchange for page in pages),
        )


def _creation_of_items(target: ListTarget) -> Operation | None:
    """Return the POST to the address of a list whose items have no addresses, such as the reviews of a hotel."""
    path = target.listing.operation.path
    posts = (each for each in target.subject.operations if each.method == "POST" and each.path == path)
    return next((each for each in posts if documents_exact_status(each, CREATED)), None)


def _create_item(target: ListTarget, create: Operation, send: Send) -> None:
    """Create an item of a list. Raises Unsendable if the deployment does not accept it."""
    request = target.subject.valid(create)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    if not is_success(send(create, with_new_idempotency_key(target.subject, create, request))):
        raise Unsendable("a creation of an item that the deployment accepts")


def _create_later(target: ListTarget, owner: Resource, send: Send) -> None:
    """Create a resource whose times are all later, also those that a client sets: the list may be in the order of any.
    If the deployment rejects these, the others are left as they are.
    """
    subject, create = target.subject, owner.create
    request = subject.valid(create) if create is not None else None
    if create is None or request is None:
        raise Unsendable(NO_VALID_REQUEST)
    try:
        create_resource(subject, owner, send, request=later_times_request(subject, create, request))
    except Unsendable:
        create_resource(subject, owner, send)


def _orders(pages: Sequence[Page], members: tuple[str, ...], *, is_newest: bool) -> dict[str, bool | None]:
    """Return whether the items of pages are in the order of each time that all have, None if all are too close."""
    orders: dict[str, bool | None] = {}
    items = [item for page in pages for item in page.items]
    for name in members:
        values = [_instant(item.get(name)) for item in items if isinstance(item, dict)]
        times = [value for value in values if value is not None]
        if len(times) == len(items) and times:
            is_apart = max(times) - min(times) > CLOCKS_DIFFER
            orders[name] = _is_in_order(times[::-1] if is_newest else times) if is_apart else None
    return orders


def _instant(value: Any) -> datetime | None:
    """Return a time, or the beginning of a day; None for anything else."""
    day = parse_day(value)
    return parse_instant(value) if day is None else datetime.combine(day, time(), UTC)


def _is_known(orders: dict[str, bool | None]) -> bool:
    """Return whether it is known if a list has one of the orders: it has it, or times that are too close are none."""
    return any(orders.values()) or (bool(orders) and None not in orders.values())


def _is_in_order(times: Sequence[datetime]) -> bool:
    """Return whether no time is certainly later than one that follows it."""
    latest = times[0]
    for time_ in times[1:]:
        if latest - time_ > CLOCKS_DIFFER:
            return False
        latest = max(latest, time_)
    return True
