"""Lists in pages are whole: nothing is lost, nothing comes twice, no page is too long, and they end."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.whole_lists import ListComparison, list_differences
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.created_resources import response_location
from devportal.conformance.knowledge.paging import (
    ListTarget,
    Page,
    PageWalk,
    fill_list,
    first_page,
    first_request,
    item_keys,
    list_target,
    page_size_limits,
    parse_page,
    walk_pages,
    with_query,
)
from devportal.conformance.knowledge.request_variants import is_allowed_value
from devportal.conformance.knowledge.resources import Listing
from devportal.conformance.knowledge.response_check import documents_status
from devportal.conformance.knowledge.test_target import Subject, operation_label

MOST_STEPS = 12
"""Into how many pages a list is cut at most."""
SPARE_PAGES = 12
"""How many more pages than it needs a walk may take: pages may be empty."""
PAGES_AT_REST = 6
"""How many pages without a new item are no list that goes on, but one that does not end."""
EXCUSED_STATUSES = (401, 403, 429, 503)
WRONG_CURSORS = ("zzzzzzzz", "bm9fc3VjaF9jdXJzb3I", "00000000-0000-4000-8000-000000000000", "999999999", "1")
"""Some are before and some behind whatever there is: a cursor may be where to begin in an order."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield what is asked of each list that has pages or a limit."""
    for listing in subject.listings:
        name, way = operation_label(listing.operation), list_target(subject, listing)
        if listing.has_pages:
            yield Probe(operation=name, run=partial(_check_whole_list, way))
            yield Probe(operation=name, run=partial(_check_stable_pages, way))
        if listing.limit is not None:
            yield Probe(operation=name, run=partial(_check_page_sizes, way))
        if listing.cursor is not None and listing.has_pages:
            yield Probe(operation=name, run=partial(_check_wrong_cursor, way))


def _check_whole_list(way: ListTarget, send: Send) -> Iterator[CheckFailure]:
    fill_list(way, send)
    large = page_size_limits(way.listing)[1]
    before = walk_pages(way, send, first_request(way, large))
    yield from _endless_list_failures(way, before, is_long=not before.is_whole)
    if not before.is_whole:
        return
    for size in _page_sizes(way.listing, len(before.items)):
        most = len(before.items) // size + SPARE_PAGES
        small = walk_pages(way, send, first_request(way, size), most)
        after = walk_pages(way, send, first_request(way, large))
        whole = ListComparison(before=before, small=small, after=after, key=way.key)
        yield from _endless_list_failures(way, small, is_long=not (after.is_whole and whole.is_unchanged))
        yield from _oversized_page_failures(way, small.pages, size)
        if small.is_whole and after.is_whole:
            evidence = tuple(page.exchange for page in (*before.pages, *small.pages))
            for title, message in list_differences(whole, is_counted=_is_offset_based(way)):
                yield _failure(way, title, message, *evidence)
        before = after
        if not before.is_whole:
            return


def _is_offset_based(way: ListTarget) -> bool:
    """Say whether pages are found by counting items before them, which moves when the list changes."""
    return way.listing.cursor is None and not way.listing.has_link


def _page_sizes(listing: Listing, count: int) -> Iterator[int]:
    """Yield the sizes of pages to cut a list into: small ones, of even and of odd length."""
    least, most = page_size_limits(listing)
    size = max(least, -(-count // MOST_STEPS))
    if listing.limit is not None:
        yield from (one for one in (size, size + 1) if one < count and one <= most)


def _endless_list_failures(way: ListTarget, seen: PageWalk, *, is_long: bool) -> Iterator[CheckFailure]:
    """Yield a fault for pages that lead back or to nothing; too many are one where the list is not long."""
    pages = tuple(page.exchange for page in seen.pages[-2:])
    if seen.has_loop:
        message = f"page {len(seen.pages)} gives as the next page one that was read before"
        yield _failure(way, "the pages lead in a circle", message, *pages)
    elif seen.broken is not None and seen.broken.status not in EXCUSED_STATUSES:
        message = f"page {len(seen.pages)} leads to {seen.broken.outcome}"
        yield _failure(way, "the next page cannot be read", message, *pages, seen.broken)
    elif not seen.is_whole and seen.broken is None and (not is_long or _repeats_known_items(way, seen)):
        message = f"after {len(seen.pages)} pages with {len(seen.items)} items there is still a next one"
        yield _failure(way, "the pages do not end", message, *pages)


def _repeats_known_items(way: ListTarget, seen: PageWalk) -> bool:
    """Say whether the last pages of a walk hold nothing that was not in one before."""
    known: set[str] = set()
    still = 0
    for page in seen.pages:
        keys = set(_page_keys(way, page))
        still = still + 1 if keys <= known else 0
        known |= keys
    return still >= PAGES_AT_REST


def _oversized_page_failures(way: ListTarget, pages: Sequence[Page], size: int) -> Iterator[CheckFailure]:
    for page in pages:
        if len(page.items) > size:
            message = f"{len(page.items)} items where at most {size} were asked for"
            yield _failure(way, "a page holds more items than were asked for", message, page.exchange)
            return


def _check_stable_pages(way: ListTarget, send: Send) -> Iterator[CheckFailure]:
    """Read the first two pages twice, while the list stays the same."""
    fill_list(way, send)
    least, large = page_size_limits(way.listing)
    request = first_request(way, least if way.listing.limit is not None else None)
    start = first_page(way, send, first_request(way, large))
    seen = walk_pages(way, send, request, 2)
    again = [first_page(way, send, page.request) for page in seen.pages]
    end = first_page(way, send, first_request(way, large))
    if _page_keys(way, start) != _page_keys(way, end):
        if sorted(item_keys(start.items, ())) == sorted(item_keys(end.items, ())):
            message = "the same items come in another order, though none of them has changed"
            yield _failure(way, "a page is not the same twice", message, start.exchange, end.exchange)
        return
    for first, second in zip(seen.pages, again, strict=True):
        if _page_keys(way, first) != _page_keys(way, second):
            message = "the same request for a page gets other items, while the list stays the same"
            yield _failure(way, "a page is not the same twice", message, first.exchange, second.exchange)
            return


def _check_page_sizes(way: ListTarget, send: Send) -> Iterator[CheckFailure]:
    """Ask for pages of the smallest and the largest size, and of the size that goes without saying."""
    fill_list(way, send)
    least, most = page_size_limits(way.listing)
    for size in dict.fromkeys((least, min(least + 1, most), most)):
        with suppress(Unsendable):
            page = first_page(way, send, first_request(way, size))
            yield from _oversized_page_failures(way, (page,), size)
    default = way.listing.limit.schema.default if way.listing.limit and way.listing.limit.schema else None
    if isinstance(default, int) and not isinstance(default, bool):
        page = first_page(way, send, first_request(way))
        if len(page.items) > default:
            message = f"{len(page.items)} items where the contract's default is {default}"
            yield _failure(way, "a page holds more items than the default", message, page.exchange)


def _check_wrong_cursor(way: ListTarget, send: Send) -> Iterator[CheckFailure]:
    """Ask with cursors that nobody was given."""
    cursor, operation = way.listing.cursor, way.listing.operation
    fill_list(way, send)
    request = first_request(way)
    start = first_page(way, send, request)
    wrong = [
        one for one in WRONG_CURSORS if cursor is not None and is_allowed_value(way.subject, cursor, one)
    ]
    if cursor is None or not wrong:
        raise Unsendable("the contract allows no cursor that is wrong")
    is_refusal_promised = documents_status(operation, 400) or documents_status(operation, 422)
    taken: list[Exchange] = []
    for value in wrong:
        exchange = send(operation, with_query(request, {cursor.name: value}))
        if exchange.answer is None or exchange.status >= 500:
            message = f"{cursor.name}={value} gets {exchange.outcome}"
            yield _failure(way, "a wrong cursor is a server error", message, exchange)
            return
        page = parse_page(way, start.request, exchange)
        if page is not None and start.items and _page_keys(way, page) == _page_keys(way, start):
            taken.append(exchange)
    if is_refusal_promised and len(taken) == len(wrong) > 1:
        message = f"{cursor.name}={wrong[0]} gets the first page, and so do {len(wrong) - 1} others"
        yield _failure(way, "a wrong cursor is taken for none", message, start.exchange, *taken)


def _page_keys(way: ListTarget, page: Page) -> list[str]:
    return list(item_keys(page.items, way.key))


def _failure(way: ListTarget, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    operation = way.listing.operation
    last = next((one for one in reversed(evidence) if one.answer is not None), None)
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=response_location(operation, last) if last is not None else operation.location,
        evidence=evidence,
    )


FAMILY = Family(
    name="pagination",
    summary="pages are whole, and end",
    words=CheckDescription(
        promise="A list that is read page by page shows each item once, in the same order whatever the size "
        "of pages, no page holds more items than were asked for, and the last page says that it is the last.",
        test="Each list is read in the largest pages, in small ones, and in the largest again; things are "
        "made first where it has few. Only what was there before and after is compared, and the order only "
        "of what has not changed. The first pages are read twice, and cursors are sent that nobody was "
        "given: they must not be server errors, nor be answered with the first page where a refusal is "
        "documented.",
        remedy="Order lists by something unique, whatever the limit, and continue behind the last item that "
        "was shown. Refuse a cursor that cannot be read.",
        sources=("RFC 9110 §9.2.1", "RFC 8288 §3"),
    ),
    probes=probes,
    about_state=True,
)
