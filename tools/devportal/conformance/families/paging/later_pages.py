"""Later pages of a list keep its filter and its order, have the number that was asked for, and end."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.paging.dropped_queries import with_cause
from devportal.conformance.families.paging.more_marks import more_marks
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import operation_failure
from devportal.conformance.knowledge.paging import (
    ListTarget,
    Page,
    PageWalk,
    first_request,
    has_next_link,
    item_keys,
    page_size_limits,
    parse_page,
    read_filtered_list,
    walk_pages,
    with_query,
)
from devportal.conformance.knowledge.resources.created_resources import is_success, response_json
from devportal.conformance.knowledge.resources.varied_resources import create_varied
from devportal.conformance.knowledge.subject import operation_label
from devportal.contract import Header
from devportal.contract.body_schemas import success_schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Listing, object_properties
from devportal.documents import member_at

PAGES = 3
"""Into how many pages a list is divided."""
SPARE_PAGES = 3
MOST_ORDERS = 3
_LAST_PAGE = re.compile(
    r"\b(null|absent|missing|empty|left out|omitted)\b[^.;]*\blast page\b|"
    r"\blast page\b[^.;]*\b(null|absent|missing|empty|left out|omitted)\b",
    re.IGNORECASE,
)
_IS_FOLLOWED = re.compile(
    r"\bonly if there (?:is|are) (?:such an?|another|a next|a further|one more|more) (?:page|items?|results?)\b",
    re.IGNORECASE,
)
"""Beside what leads to the next page, only this excludes an empty one: that may be the last, with null."""
_NAMES_NEXT = re.compile(r"\bnext\b", re.IGNORECASE)


def later_page_probe(target: ListTarget, queries: tuple[Mapping[str, str], ...], *, is_order: bool) -> Probe:
    """Return a probe of a list with pages that is read with each of these parameters: filters, or orders."""
    check = partial(_check_orders if is_order else _check_filters, target, queries)
    return Probe(operation=operation_label(target.listing.operation), run=check)


def can_have_later_pages(listing: Listing) -> bool:
    """Return whether the pages of a list can be made small enough to have several."""
    return listing.has_pages and listing.limit is not None


def _read_both(target: ListTarget, query: Mapping[str, str], send: Send) -> tuple[PageWalk, PageWalk] | None:
    """Read a list in one large page and in several small ones; return None if it has too few items, or is too
    long.
    """
    least = page_size_limits(target.listing)[0]
    large = read_filtered_list(target, send, query)
    count = len(large.items)
    size = max(-(-count // PAGES), least)
    if not large.is_complete or len(large.pages) > 1 or count <= size:
        return None
    return large, walk_pages(target, send, first_request(target, size, query), PAGES + SPARE_PAGES)


def _check_filters(
    target: ListTarget, queries: tuple[Mapping[str, str], ...], send: Send
) -> Iterator[CheckFailure]:
    create_varied(target, send)
    has_compared = False
    for query in queries:
        walks = _read_both(target, query, send)
        if walks is None:
            continue
        has_compared = True
        failures = [*_lost_filter_failures(target, query, walks, send)]
        yield from failures
        if failures:
            return
    if not has_compared:
        raise Unsendable("a filtered list with items for several pages")


def lost_filter_failures(target: ListTarget, query: Mapping[str, str], send: Send) -> Iterator[CheckFailure]:
    """Yield a failure if a filter is lost on later pages; nothing if the filtered list has only one."""
    walks = _read_both(target, query, send) if can_have_later_pages(target.listing) else None
    if walks is not None:
        yield from _lost_filter_failures(target, query, walks, send)


def _lost_filter_failures(
    target: ListTarget, query: Mapping[str, str], walks: tuple[PageWalk, PageWalk], send: Send
) -> Iterator[CheckFailure]:
    large, small = walks
    other_page = _page_of_others(target, small, set(item_keys(large.items, target.key)))
    if other_page is None:
        return
    again = read_filtered_list(target, send, query)  # the list may have changed meanwhile
    allowed = {*item_keys(large.items, target.key), *item_keys(again.items, target.key)}
    other_page = _page_of_others(target, small, allowed)
    if other_page is not None:
        number, other = other_page
        name, value = next(iter(query.items()))
        message = f"page {number + 1} of {name}={value} shows {other:.80}, which the filter leaves out"
        yield with_cause(
            target,
            _failure(target, f"the filter {name!r} is lost on later pages", message, large, small),
            name,
        )


def _page_of_others(target: ListTarget, small: PageWalk, allowed: set[str]) -> tuple[int, str] | None:
    """Return the place of the first later page with an item that is not allowed, and its key; else None."""
    others = (
        (number, key)
        for number, page in enumerate(small.pages)
        for key in item_keys(page.items, target.key)
        if number and key not in allowed
    )
    return next(others, None)


def _check_orders(
    target: ListTarget, queries: tuple[Mapping[str, str], ...], send: Send
) -> Iterator[CheckFailure]:
    """Compare the values by which a list is sorted: items with the same value may change places, if each is shown
    once.
    """
    create_varied(target, send)
    has_compared = False
    for query in queries[:MOST_ORDERS]:
        walks = _read_both(target, query, send)
        if walks is None or not walks[1].is_complete:
            continue
        has_compared = True
        yield from _unstable_order_failures(target, query, walks, send)
        if _is_reordered(query, walks) and _is_unchanged(
            target, walks[0], read_filtered_list(target, send, query)
        ):
            name, value = next(iter(query.items()))
            message = f"{name}={value} has another order in pages of {len(walks[1].pages[0].items)} items than in one"
            yield with_cause(
                target,
                _failure(target, f"{name!r} is lost on later pages", message, walks[0], walks[1]),
                name,
            )
            return
    if not has_compared:
        raise Unsendable("a sorted list with items for several pages")


def _unstable_order_failures(
    target: ListTarget, query: Mapping[str, str], walks: tuple[PageWalk, PageWalk], send: Send
) -> Iterator[CheckFailure]:
    """Yield a failure if small pages repeat items and lose others while the list has the same ones before and after:
    items with equal values have another order for each page.
    """
    large, small = walks
    items = Counter(item_keys(large.items, target.key))
    paged = Counter(item_keys(small.items, target.key))
    lost = items - paged
    if not target.key or not lost or not paged - items:
        return
    if Counter(item_keys(read_filtered_list(target, send, query).items, target.key)) == items:
        name, value = next(iter(query.items()))
        message = f"{name}={value} shows {next(iter(lost)):.80} in no page, and {next(iter(paged - items)):.80} twice"
        yield with_cause(
            target, _failure(target, f"{name!r} loses items between pages", message, large, small), name
        )


def _is_unchanged(target: ListTarget, before: PageWalk, after: PageWalk) -> bool:
    return list(item_keys(before.items, target.key)) == list(item_keys(after.items, target.key))


def _is_reordered(query: Mapping[str, str], walks: tuple[PageWalk, ...]) -> bool:
    """Return whether the values of the sorted member come in another order in small pages."""
    text = re.sub(r"[^a-z0-9]", "", next(iter(query.values())).lower())
    for name in walks[0].items[0] if isinstance(walks[0].items[0], dict) else ():
        plain = re.sub(r"[^a-z0-9]", "", name.lower())
        if plain and (text in (plain, f"{plain}asc", f"{plain}desc") or f"{text}at" == plain):
            values = [
                [item.get(name) if isinstance(item, dict) else None for item in walk.items]
                for walk in walks[:2]
            ]
            return values[0] != values[1]
    return False


def last_page_failures(target: ListTarget, walk: PageWalk) -> Iterator[CheckFailure]:
    """Yield a failure if a page that has items leads to one without, though the description says that the last
    page leads to none.
    """
    operation = target.listing.operation
    texts = (operation.description, *(response.description for response in operation.responses))
    is_promised = any(map(_LAST_PAGE.search, texts)) or any(
        map(_IS_FOLLOWED.search, (*texts, *_next_page_texts(target)))
    )
    is_empty = len(walk.pages) > 1 and not walk.pages[-1].items and bool(walk.pages[-2].items)
    is_promised = is_promised or (is_empty and _is_marked_as_last(target, walk.pages[-2]))
    if is_promised and is_empty and _leads_on(target, walk.pages[-2]):
        message = "it leads to an empty page; by its description, the last page leads to none"
        evidence = tuple(page.exchange for page in walk.pages[-2:])
        yield CheckFailure(
            title="the last page leads to another one",
            message=message,
            operation=operation_label(operation),
            promise=operation.location,
            evidence=evidence,
        )


def _is_marked_as_last(target: ListTarget, page: Page) -> bool:
    """Return whether the last page leads to none by the description of the member for it, and a page says that it is
    the last, such as by `has_more`.
    """
    is_promised = any(map(_LAST_PAGE.search, _next_page_texts(target)))
    return is_promised and any(mark.has_more(page) is False for mark in more_marks(target))


def missing_link_failures(target: ListTarget, walk: PageWalk) -> Iterator[CheckFailure]:
    """Yield a failure if a page that another one follows has no link to it, though the description of the header `Link`
    names the next page.
    """
    header = next((each for each in _link_headers(target) if _NAMES_NEXT.search(each.description)), None)
    for page, following in pairwise(walk.pages) if header is not None else ():
        if following.items and not has_next_link(page.exchange):
            yield CheckFailure(
                title="a page has no link to the next one",
                message=f"{len(page.items)} items, and no link with `next`; another page follows",
                operation=operation_label(target.listing.operation),
                promise=target.listing.operation.location,
                evidence=(page.exchange, following.exchange),
            )
            return


def _leads_on(target: ListTarget, page: Page) -> bool:
    """Return whether a page itself leads to another one: the run may try the next number by itself."""
    next_value = member_at(response_json(page.exchange), target.listing.next) if target.listing.next else None
    return has_next_link(page.exchange) or next_value not in (None, "", False)


def _link_headers(target: ListTarget) -> Iterator[Header]:
    for success in target.listing.operation.successes:
        yield from (header for header in success.headers if header.name.lower() == "link")


def _next_page_texts(target: ListTarget) -> Iterator[str]:
    """Yield the descriptions of what leads to the next page: the header `Link`, and a member."""
    operation, api = target.listing.operation, target.subject.api
    yield from (header.description for header in _link_headers(target))
    schema = success_schema(operation)
    for name in target.listing.next or ():
        members = object_properties(api, schema) if schema is not None else ()
        schema = next((member.schema for member in members if member.name == name), None)
    if schema is not None and target.listing.next:
        yield schema.description or api.resolve(schema).description


def page_number_probe(target: ListTarget) -> Probe:
    """Return a probe of the number that a page shows."""
    return Probe(operation=operation_label(target.listing.operation), run=partial(_check_page_number, target))


def _check_page_number(target: ListTarget, send: Send) -> Iterator[CheckFailure]:
    """Read the second page: a member with the name of the parameter has the number that was asked for."""
    page = target.listing.page
    if page is None:
        raise Unsendable("a list with numbered pages")
    request = with_query(first_request(target, page_size_limits(target.listing)[0]), {page.name: "2"})
    exchange = send(target.listing.operation, request)
    first, second = (
        parse_page(target, request, step)
        for step in (
            send(target.listing.operation, with_query(request, {page.name: "1"})),
            exchange,
        )
    )
    if first is None or second is None or not second.items or first.items == second.items:
        raise Unsendable("a list with more items: a page after the last one may show the last one again")
    numbers = tuple(_numbers_named(response_json(exchange), page.name))
    if not is_success(exchange) or not numbers:
        raise Unsendable("a second page that shows its number")
    if 2 not in numbers:
        message = f"{page.name}=2 gets a page with the number {numbers[0]}"
        yield CheckFailure(
            title="a page has another number than was asked for",
            message=message,
            operation=operation_label(target.listing.operation),
            promise=page.location,
            evidence=(exchange,),
        )


def _numbers_named(body: Any, name: str) -> Iterator[int]:
    """Yield the whole numbers of a response, or of its objects, that have a name."""
    for key, value in body.items() if isinstance(body, dict) else ():
        if isinstance(value, int) and not isinstance(value, bool) and matches_any_name(key, (name,)):
            yield value
        elif isinstance(value, dict):
            yield from _numbers_named(value, name)


def _failure(target: ListTarget, title: str, message: str, *walks: PageWalk) -> CheckFailure:
    evidence = (page.exchange for walk in walks for page in walk.pages)
    return operation_failure(target.listing.operation, title, message, *evidence)
