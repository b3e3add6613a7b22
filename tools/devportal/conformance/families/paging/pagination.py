"""Paginated lists are complete: no item is lost or repeated, no page is too long, and they end."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.paging.dropped_queries import with_cause
from devportal.conformance.families.paging.later_pages import (
    last_page_failures,
    missing_link_failures,
    page_number_probe,
)
from devportal.conformance.families.paging.more_marks import more_mark_failures
from devportal.conformance.families.paging.page_members import page_member_failures
from devportal.conformance.families.paging.whole_lists import ListComparison, list_differences
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import response_location
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
    read_filled_list,
    walk_pages,
    with_query,
)
from devportal.conformance.knowledge.requests.request_variants import is_allowed_value
from devportal.conformance.knowledge.response_check import documents_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.results.wording import DROPPED_QUERY
from devportal.contract import Parameter
from devportal.contract.resources import Listing

MOST_STEPS = 12
"""The maximum number of pages that a list is divided into."""
SPARE_PAGES = 12
"""How many more pages than necessary may be read: pages may be empty."""
OVERSIZED_PAGE = "a page holds more items than were asked for"
PAGES_AT_REST = 6
"""After this many pages without a new item, a list counts as endless."""
LONGER_LIST = "a list with more items, which the run cannot create: give it an account with some"
EXCUSED_STATUSES = (401, 403, 429, 503)
WRONG_CURSORS = ("zzzzzzzz", "bm9fc3VjaF9jdXJzb3I", "00000000-0000-4000-8000-000000000000", "999999999", "1")
"""Some sort before and some after all items: a cursor may be a position in an order."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each list that has pages or a limit."""
    for listing in subject.listings:
        name, target = operation_label(listing.operation), list_target(subject, listing)
        if listing.has_pages:
            yield Probe(operation=name, run=partial(_check_whole_list, target))
            yield Probe(operation=name, run=partial(_check_stable_pages, target))
        if listing.page is not None:
            yield page_number_probe(target)
        if listing.limit is not None:
            yield Probe(operation=name, run=partial(_check_page_sizes, target))
        if listing.cursor is not None and listing.has_pages:
            yield Probe(operation=name, run=partial(_check_wrong_cursor, target))


def _check_whole_list(target: ListTarget, send: Send) -> Iterator[CheckFailure]:
    """Yield each kind of failure once, though pages of several sizes may show it. A link that drops the size of a page
    explains whatever follows.
    """
    titles, limit = set[str](), target.listing.limit
    for found in _whole_list_failures(target, send):
        failure = found
        is_later_page = len(found.evidence) > 1  # the first one has no link before it
        if limit is not None and found.title == OVERSIZED_PAGE and is_later_page:
            failure = with_cause(target, found, limit.name)
        if failure.title not in titles:
            titles.add(failure.title)
            yield failure
        if failure.title == DROPPED_QUERY:
            return


def _whole_list_failures(target: ListTarget, send: Send) -> Iterator[CheckFailure]:
    large = page_size_limits(target.listing)[1]
    before = read_filled_list(target, send)
    yield from _endless_list_failures(target, before, is_long=not before.is_complete)
    if not before.is_complete:
        return
    sizes = [*_page_sizes(target.listing, len(before.items))]
    if not sizes and len(before.pages) == 1:
        raise Unsendable(LONGER_LIST)
    for size in sizes:
        most = len(before.items) // size + SPARE_PAGES
        small = walk_pages(target, send, first_request(target, size), most)
        comparison = ListComparison(before=before, small=small, after=before, key=target.key)
        if not small.is_complete or any(list_differences(comparison, is_counted=False)):
            comparison = replace(comparison, after=walk_pages(target, send, first_request(target, large)))
        after = comparison.after
        yield from _endless_list_failures(
            target, small, is_long=not (after.is_complete and comparison.is_unchanged)
        )
        yield from _oversized_page_failures(target, small.pages, size)
        yield from last_page_failures(target, small)
        yield from missing_link_failures(target, small)
        yield from more_mark_failures(target, small, before.items)
        yield from page_member_failures(target, small, size)
        if small.is_complete and after.is_complete:
            evidence = tuple(page.exchange for page in (*before.pages, *small.pages))
            for title, message in list_differences(comparison, is_counted=_is_offset_based(target)):
                yield _failure(target, title, message, *evidence)
        before = after
        if not before.is_complete:
            return


def _is_offset_based(target: ListTarget) -> bool:
    """Return whether pages are found by an offset, which shifts when the list changes."""
    return target.listing.cursor is None and not target.listing.has_link


def _page_sizes(listing: Listing, count: int) -> Iterator[int]:
    """Yield small page sizes, one even and one odd."""
    least, most = page_size_limits(listing)
    size = max(least, -(-count // MOST_STEPS))
    if listing.limit is not None:
        yield from (number for number in (size, size + 1) if number < count and number <= most)


def _endless_list_failures(target: ListTarget, walk: PageWalk, *, is_long: bool) -> Iterator[CheckFailure]:
    """Yield a failure for pages that lead back or cannot be read; too many are a failure if the list is not
    long.
    """
    pages = tuple(page.exchange for page in walk.pages[-2:])
    if walk.has_loop:
        message = f"page {len(walk.pages)} gives as the next page one that was read before"
        yield _failure(target, "the pages lead in a circle", message, *pages)
    elif walk.failed_exchange is not None and walk.failed_exchange.status not in EXCUSED_STATUSES:
        message = f"page {len(walk.pages)} leads to {walk.failed_exchange.outcome}"
        yield _failure(target, "the next page cannot be read", message, *pages, walk.failed_exchange)
    elif (
        not walk.is_complete
        and walk.failed_exchange is None
        and (not is_long or _repeats_known_items(target, walk))
    ):
        message = f"after {len(walk.pages)} pages with {len(walk.items)} items there is still a next one"
        yield _failure(target, "the pages do not end", message, *pages)


def _repeats_known_items(target: ListTarget, walk: PageWalk) -> bool:
    """Return whether the last pages hold no new item."""
    known_keys: set[str] = set()
    stalled_pages = 0
    for page in walk.pages:
        keys = set(_page_keys(target, page))
        stalled_pages = stalled_pages + 1 if keys <= known_keys else 0
        known_keys |= keys
    return stalled_pages >= PAGES_AT_REST


def _oversized_page_failures(target: ListTarget, pages: Sequence[Page], size: int) -> Iterator[CheckFailure]:
    for position, page in enumerate(pages):
        if len(page.items) > size:
            message = f"{len(page.items)} items where at most {size} were asked for"
            yield _failure(
                target,
                OVERSIZED_PAGE,
                message,
                *(each.exchange for each in pages[max(position - 1, 0) : position + 1]),
                parameter=target.listing.limit,
            )
            return


def _check_stable_pages(target: ListTarget, send: Send) -> Iterator[CheckFailure]:
    """Read the first two pages twice, while the list stays the same."""
    filled = fill_list(target, send)
    least, large = page_size_limits(target.listing)
    request = first_request(target, least if target.listing.limit is not None else None)
    start = filled or first_page(target, send, first_request(target, large))
    walk = walk_pages(target, send, request, 2)
    second_reads = [first_page(target, send, page.request) for page in walk.pages]
    end = first_page(target, send, first_request(target, large))
    if _page_keys(target, start) != _page_keys(target, end):
        if sorted(item_keys(start.items, ())) == sorted(item_keys(end.items, ())):
            message = "the same items come in another order, though none of them has changed"
            yield _failure(target, "a page is not the same twice", message, start.exchange, end.exchange)
            return
        raise Unsendable("a list that stays the same for a second")
    if not start.items:
        raise Unsendable(LONGER_LIST)
    for first, second in zip(walk.pages, second_reads, strict=True):
        if _page_keys(target, first) != _page_keys(target, second):
            message = "the same request for a page gets other items, while the list stays the same"
            yield _failure(target, "a page is not the same twice", message, first.exchange, second.exchange)
            return


def _check_page_sizes(target: ListTarget, send: Send) -> Iterator[CheckFailure]:
    """Request pages of the smallest and the largest size, and of the default size."""
    filled = fill_list(target, send)
    least, most = page_size_limits(target.listing)
    counts: list[int] = []
    for size in dict.fromkeys((least, min(least + 1, most), most)):
        with suppress(Unsendable):
            is_known = filled is not None and size == most
            page = filled if filled and is_known else first_page(target, send, first_request(target, size))
            counts.append(len(page.items))
            yield from _oversized_page_failures(target, (page,), size)
    if max(counts, default=0) <= least:
        raise Unsendable(LONGER_LIST)
    default = (
        target.listing.limit.schema.default if target.listing.limit and target.listing.limit.schema else None
    )
    if isinstance(default, int) and not isinstance(default, bool):
        page = first_page(target, send, first_request(target))
        if len(page.items) > default:
            message = f"{len(page.items)} items where the contract's default is {default}"
            yield _failure(
                target,
                "a page holds more items than the default",
                message,
                page.exchange,
                parameter=target.listing.limit,
            )
        elif least <= default <= most and len(page.items) < min(default, max(counts)):
            asked = first_page(target, send, first_request(target, default))
            if len(asked.items) > len(page.items):
                message = (
                    f"{len(page.items)} items; with the contract's default, {default}, {len(asked.items)}"
                )
                yield _failure(
                    target,
                    "a page holds fewer items than the default",
                    message,
                    page.exchange,
                    asked.exchange,
                )


def _check_wrong_cursor(target: ListTarget, send: Send) -> Iterator[CheckFailure]:
    """Send cursors that the deployment never issued."""
    cursor, operation = target.listing.cursor, target.listing.operation
    fill_list(target, send)
    request = first_request(target)
    start = first_page(target, send, request)
    wrong_cursors = [
        wrong_cursor
        for wrong_cursor in WRONG_CURSORS
        if cursor is not None and is_allowed_value(target.subject, cursor, wrong_cursor)
    ]
    if cursor is None or not wrong_cursors:
        raise Unsendable("a schema of the cursor that allows one that was never issued")
    is_refusal_promised = documents_status(operation, 400) or documents_status(operation, 422)
    accepted: list[Exchange] = []
    for value in wrong_cursors:
        exchange = send(operation, with_query(request, {cursor.name: value}))
        if exchange.answer is None or exchange.status >= 500:
            message = f"{cursor.name}={value} gets {exchange.outcome}"
            yield _failure(target, "a wrong cursor is a server error", message, exchange, parameter=cursor)
            return
        page = parse_page(target, start.request, exchange)
        if page is not None and start.items and _page_keys(target, page) == _page_keys(target, start):
            accepted.append(exchange)
    if is_refusal_promised and len(accepted) == len(wrong_cursors) > 1:
        message = (
            f"{cursor.name}={wrong_cursors[0]} gets the first page, and so do {len(wrong_cursors) - 1} others"
        )
        yield _failure(
            target, "a wrong cursor is taken for none", message, start.exchange, *accepted, parameter=cursor
        )


def _page_keys(target: ListTarget, page: Page) -> list[str]:
    return list(item_keys(page.items, target.key))


def _failure(
    target: ListTarget, title: str, message: str, *evidence: Exchange, parameter: Parameter | None = None
) -> CheckFailure:
    """Return a failure of a list, or of a `parameter` of it."""
    operation = target.listing.operation
    last = next((exchange for exchange in reversed(evidence) if exchange.answer is not None), None)
    described = response_location(operation, last) if last is not None else operation.location
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=parameter.location if parameter is not None else described,
        evidence=evidence,
    )


FAMILY = Family(
    name="pagination",
    summary="pages are complete and end",
    words=CheckDescription(
        promise="A list read page by page contains each item once, in the same order for every page size. No "
        "page has more items than requested, a page without a size has the contract's default, and the last "
        "page is marked as the last.",
        test="Each list is read in the largest pages, in small ones, and in the largest again; if it is "
        "short, resources are created first. Only items present before and after are compared, and "
        "only the order of unchanged items. The first pages are read twice. Invented cursors must not"
        " cause a server error, or return the first page if a rejection is documented. A second page shows the "
        "number that was asked for, if it shows one. If the description promises it, the last page has no link to "
        "another one, and if the header `Link` is described to have the next page, all others have it. A member such "
        "as `has_more` or `last` is compared with the pages that follow, and `numberOfElements`, `first`, `empty`, "
        "`number` and `pageSize` with the page that they are on. If a link to the next page drops parts of the query, "
        "that is the failure, not its effects.",
        remedy="Sort lists by something unique, whatever the limit, and continue after the last item shown. "
        "Reject invalid cursors.",
        sources=("RFC 9110 §9.2.1", "RFC 8288 §3"),
    ),
    needs="a list with pages: a parameter for their size, number, offset or cursor",
    probes=probes,
    about_state=True,
)
