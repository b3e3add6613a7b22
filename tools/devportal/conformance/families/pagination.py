"""Lists in pages are whole: nothing is lost, nothing comes twice, no page is too long, and they end."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from devportal.conformance.exchange import Exchange
from devportal.conformance.families.whole_lists import Whole, differences
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.paging import (
    Page,
    Walk,
    Way,
    first_page,
    first_request,
    keys_of,
    page_of,
    sizes,
    stock,
    walk,
    way_of,
    with_query,
)
from devportal.conformance.resources import Listing
from devportal.conformance.response_check import documents
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import promise_of
from devportal.conformance.variation import is_allowed

STEPS = 12
"""Into how many pages a list is cut at most."""
SPARE = 12
"""How many more pages than it needs a walk may take: pages may be empty."""
REST = 6
"""How many pages without a new item are no list that goes on, but one that does not end."""
EXCUSED = (401, 403, 429, 503)
WRONG_CURSORS = ("zzzzzzzz", "bm9fc3VjaF9jdXJzb3I", "00000000-0000-4000-8000-000000000000", "999999999", "1")
"""Some are before and some behind whatever there is: a cursor may be where to begin in an order."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield what is asked of each list that has pages or a limit."""
    for listing in subject.listings:
        name, way = label(listing.operation), way_of(subject, listing)
        if listing.has_pages:
            yield Probe(operation=name, run=partial(_whole, way))
            yield Probe(operation=name, run=partial(_steady, way))
        if listing.limit is not None:
            yield Probe(operation=name, run=partial(_limited, way))
        if listing.cursor is not None and listing.has_pages:
            yield Probe(operation=name, run=partial(_wrong_cursor, way))


def _whole(way: Way, send: Send) -> Iterator[Fault]:
    stock(way, send)
    large = sizes(way.listing)[1]
    before = walk(way, send, first_request(way, large))
    yield from _unending(way, before, is_long=not before.is_whole)
    if not before.is_whole:
        return
    for size in _cuts(way.listing, len(before.items)):
        most = len(before.items) // size + SPARE
        small = walk(way, send, first_request(way, size), most)
        after = walk(way, send, first_request(way, large))
        whole = Whole(before=before, small=small, after=after, key=way.key)
        yield from _unending(way, small, is_long=not (after.is_whole and whole.is_unchanged))
        yield from _too_long(way, small.pages, size)
        if small.is_whole and after.is_whole:
            evidence = tuple(page.exchange for page in (*before.pages, *small.pages))
            for title, message in differences(whole, is_counted=_is_counted(way)):
                yield _fault(way, title, message, *evidence)
        before = after
        if not before.is_whole:
            return


def _is_counted(way: Way) -> bool:
    """Say whether pages are found by counting items before them, which moves when the list changes."""
    return way.listing.cursor is None and not way.listing.has_link


def _cuts(listing: Listing, count: int) -> Iterator[int]:
    """Yield the sizes of pages to cut a list into: small ones, of even and of odd length."""
    least, most = sizes(listing)
    size = max(least, -(-count // STEPS))
    if listing.limit is not None:
        yield from (one for one in (size, size + 1) if one < count and one <= most)


def _unending(way: Way, seen: Walk, *, is_long: bool) -> Iterator[Fault]:
    """Yield a fault for pages that lead back or to nothing; too many are one where the list is not long."""
    pages = tuple(page.exchange for page in seen.pages[-2:])
    if seen.has_loop:
        message = f"page {len(seen.pages)} gives as the next page one that was read before"
        yield _fault(way, "the pages lead in a circle", message, *pages)
    elif seen.broken is not None and seen.broken.status not in EXCUSED:
        message = f"page {len(seen.pages)} leads to {seen.broken.outcome}"
        yield _fault(way, "the next page cannot be read", message, *pages, seen.broken)
    elif not seen.is_whole and seen.broken is None and (not is_long or _is_at_rest(way, seen)):
        message = f"after {len(seen.pages)} pages with {len(seen.items)} items there is still a next one"
        yield _fault(way, "the pages do not end", message, *pages)


def _is_at_rest(way: Way, seen: Walk) -> bool:
    """Say whether the last pages of a walk hold nothing that was not in one before."""
    known: set[str] = set()
    still = 0
    for page in seen.pages:
        keys = set(_keys(way, page))
        still = still + 1 if keys <= known else 0
        known |= keys
    return still >= REST


def _too_long(way: Way, pages: Sequence[Page], size: int) -> Iterator[Fault]:
    for page in pages:
        if len(page.items) > size:
            message = f"{len(page.items)} items where at most {size} were asked for"
            yield _fault(way, "a page holds more items than were asked for", message, page.exchange)
            return


def _steady(way: Way, send: Send) -> Iterator[Fault]:
    """Read the first two pages twice, while the list stays the same."""
    stock(way, send)
    least, large = sizes(way.listing)
    request = first_request(way, least if way.listing.limit is not None else None)
    start = first_page(way, send, first_request(way, large))
    seen = walk(way, send, request, 2)
    again = [first_page(way, send, page.request) for page in seen.pages]
    end = first_page(way, send, first_request(way, large))
    if _keys(way, start) != _keys(way, end):
        if sorted(keys_of(start.items, ())) == sorted(keys_of(end.items, ())):
            message = "the same items come in another order, though none of them has changed"
            yield _fault(way, "a page is not the same twice", message, start.exchange, end.exchange)
        return
    for first, second in zip(seen.pages, again, strict=True):
        if _keys(way, first) != _keys(way, second):
            message = "the same request for a page gets other items, while the list stays the same"
            yield _fault(way, "a page is not the same twice", message, first.exchange, second.exchange)
            return


def _limited(way: Way, send: Send) -> Iterator[Fault]:
    """Ask for pages of the smallest and the largest size, and of the size that goes without saying."""
    stock(way, send)
    least, most = sizes(way.listing)
    for size in dict.fromkeys((least, min(least + 1, most), most)):
        with suppress(Unsendable):
            page = first_page(way, send, first_request(way, size))
            yield from _too_long(way, (page,), size)
    default = way.listing.limit.schema.default if way.listing.limit and way.listing.limit.schema else None
    if isinstance(default, int) and not isinstance(default, bool):
        page = first_page(way, send, first_request(way))
        if len(page.items) > default:
            message = f"{len(page.items)} items where the contract's default is {default}"
            yield _fault(way, "a page holds more items than the default", message, page.exchange)


def _wrong_cursor(way: Way, send: Send) -> Iterator[Fault]:
    """Ask with cursors that nobody was given."""
    cursor, operation = way.listing.cursor, way.listing.operation
    stock(way, send)
    request = first_request(way)
    start = first_page(way, send, request)
    wrong = [one for one in WRONG_CURSORS if cursor is not None and is_allowed(way.subject, cursor, one)]
    if cursor is None or not wrong:
        raise Unsendable("the contract allows no cursor that is wrong")
    is_refusal_promised = documents(operation, 400) or documents(operation, 422)
    taken: list[Exchange] = []
    for value in wrong:
        exchange = send(operation, with_query(request, {cursor.name: value}))
        if exchange.answer is None or exchange.status >= 500:
            message = f"{cursor.name}={value} gets {exchange.outcome}"
            yield _fault(way, "a wrong cursor is a server error", message, exchange)
            return
        page = page_of(way, start.request, exchange)
        if page is not None and start.items and _keys(way, page) == _keys(way, start):
            taken.append(exchange)
    if is_refusal_promised and len(taken) == len(wrong) > 1:
        message = f"{cursor.name}={wrong[0]} gets the first page, and so do {len(wrong) - 1} others"
        yield _fault(way, "a wrong cursor is taken for none", message, start.exchange, *taken)


def _keys(way: Way, page: Page) -> list[str]:
    return list(keys_of(page.items, way.key))


def _fault(way: Way, title: str, message: str, *evidence: Exchange) -> Fault:
    operation = way.listing.operation
    last = next((one for one in reversed(evidence) if one.answer is not None), None)
    return Fault(
        title=title,
        message=message,
        operation=label(operation),
        promise=promise_of(operation, last) if last is not None else operation.location,
        evidence=evidence,
    )


FAMILY = Family(
    name="pagination",
    summary="pages are whole, and end",
    words=Words(
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
