"""Reads lists page by page: by cursor, address, link (RFC 8288), number or offset."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from devportal.conformance.deployment.exchange import Exchange, Request, resolve_address
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.json_api import linked_resources
from devportal.conformance.knowledge.resources.created_resources import create_resource, response_json
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Parameter
from devportal.contract.resources import JSON_API_MEMBERS, Listing, Resource
from devportal.contract.validate.schema_rules import constraint_value
from devportal.documents import member_at

MOST_PAGES = 12
"""How many large pages of a list are read at most."""
WANTED_ITEMS = 5
"""How many items a list should have for its pages to be tested."""
LARGE_PAGE = 20
"""The size of a large page if the contract sets no bound: most servers accept it."""
_NEXT_LINK = re.compile(r'<([^>]*)>\s*;(?:[^,"]|"[^"]*")*\brel\s*=\s*"?(?:[^",;]* )?next\b', re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page and the request for the next one; None at the end."""

    request: Request
    exchange: Exchange
    items: tuple[Any, ...]
    next_request: Request | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWalk:
    """Pages in their order. `is_complete` if the end was reached; `has_loop` if a page led to an earlier one;
    `failed_exchange` is the exchange that returned no page.
    """

    pages: tuple[Page, ...]
    is_complete: bool
    has_loop: bool = False
    failed_exchange: Exchange | None = None

    @property
    def items(self) -> tuple[Any, ...]:
        """The items of all pages."""
        return tuple(item for page in self.pages for item in page.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListTarget:
    """A list and how it is read: as which subject, by which operation, and the path to the member that
    identifies an item.
    """

    subject: Subject
    listing: Listing
    key: tuple[str, ...] = ()


def list_target(subject: Subject, listing: Listing) -> ListTarget:
    """Return how a list is read."""
    owner = listed_resource(subject, listing)
    return ListTarget(subject=subject, listing=listing, key=owner.key if owner is not None else ())


def listed_resource(subject: Subject, listing: Listing) -> Resource | None:
    """Return the resource type of a list."""
    listed = (resource for resource in subject.resources if resource.listing is not None)
    return next(
        (
            resource
            for resource in listed
            if resource.listing and resource.listing.operation is listing.operation
        ),
        None,
    )


def first_request(
    target: ListTarget, size: int | None = None, query: Mapping[str, str] | None = None
) -> Request:
    """Return the request for the first page, also where its number is required. Raises Unsendable if none can be
    written.
    """
    listing, request = target.listing, target.subject.valid(target.listing.operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    limit = {listing.limit.name: str(size)} if listing.limit is not None and size else {}
    start: dict[str, str] = {}
    if listing.offset is not None and listing.offset.required:
        start[listing.offset.name] = "0"
    if listing.page is not None and listing.page.required:
        first = _stated_first_page(listing.page)
        start[listing.page.name] = str(1 if first is None else first)
    return with_query(request, {**start, **(query or {}), **limit})


def walk_pages(target: ListTarget, send: Send, request: Request, max_pages: int = MOST_PAGES) -> PageWalk:
    """Read pages until the last one, or until `max_pages` are read.

    Raises Unsendable if the first response is not a list.
    """
    pages: list[Page] = []
    requested_urls: set[str] = set()
    next_request: Request | None = request
    while next_request is not None and len(pages) < max_pages:
        requested_urls.add(next_request.url)
        exchange = send(target.listing.operation, next_request)
        page = parse_page(target, next_request, exchange)
        if page is None and not pages:
            raise Unsendable("a list that the credential of the run may read")
        if page is None:
            return PageWalk(pages=tuple(pages), is_complete=False, failed_exchange=exchange)
        if len(pages) == 1 and _repeats_first_page(target, pages[0], page):
            pages.clear()
        pages.append(page)
        next_request = page.next_request
        if next_request is not None and next_request.url in requested_urls:
            return PageWalk(pages=tuple(pages), is_complete=False, has_loop=True)
    return PageWalk(pages=tuple(pages), is_complete=next_request is None)


def read_filtered_list(target: ListTarget, send: Send, query: Mapping[str, str]) -> PageWalk:
    """Read a list in large pages, with a filter or without. Raises Unsendable if that is rejected."""
    return walk_pages(target, send, first_request(target, page_size_limits(target.listing)[1], query))


def parse_page(target: ListTarget, request: Request, exchange: Exchange) -> Page | None:
    """Return the page that a response is, None if it is none."""
    items = member_at(response_json(exchange), target.listing.items)
    if exchange.answer is None or not exchange.answer.is_success or not isinstance(items, list):
        return None
    next_request = _next_request(target, request, exchange, items)
    return Page(
        request=request,
        exchange=exchange,
        items=tuple(map(_with_attributes, items)),
        next_request=next_request,
    )


def _with_attributes(item: Any) -> Any:
    """Return an item, with its attributes beside its other members if it is a resource of JSON:API, and the identifier
    of the one resource that a relationship names.
    """
    attributes = (
        item.get("attributes") if isinstance(item, dict) and item.keys() >= JSON_API_MEMBERS else None
    )
    if not isinstance(attributes, dict):
        return item
    linked = {name: found[0][1] for name, found in linked_resources(item).items() if len(found) == 1}
    return {**linked, **attributes, **item}


def item_keys(items: Sequence[Any], key: Sequence[str]) -> Iterator[str]:
    """Yield what identifies each item: the member that a key leads to, or else its whole content."""
    for item in items:
        value = member_at(item, key) if key else None
        is_id = isinstance(value, str | int) and not isinstance(value, bool)
        yield str(value) if is_id else json.dumps(item, sort_keys=True)


def with_query(request: Request, parameters: Mapping[str, str]) -> Request:
    """Return the request with these query parameters; they replace others of the same names.

    Raises Unsendable for half of a surrogate pair, which a deployment may have stored: no address can have it.
    """
    address, _, query = request.url.partition("?")
    other_pairs = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] not in parameters]
    pairs = [*other_pairs, *parameters.items()]
    try:
        changed = urlencode(pairs)
    except UnicodeEncodeError as error:
        raise Unsendable("a value without half of a surrogate pair, which no address can have") from error
    return replace(request, url=f"{address}?{changed}" if pairs else address)


def first_page(target: ListTarget, send: Send, request: Request) -> Page:
    """Read one page. Raises Unsendable if the response is not a page."""
    page = parse_page(target, request, send(target.listing.operation, request))
    if page is None:
        raise Unsendable("a list that the credential of the run may read")
    return page


def fill_list(target: ListTarget, send: Send) -> Page | None:
    """Create resources until the list has enough items, if they can be created. Return its first large page
    if nothing had to be created.

    Raises Unsendable if it cannot be read.
    """
    owner = listed_resource(target.subject, target.listing)
    page = first_page(target, send, first_request(target, page_size_limits(target.listing)[1]))
    if owner is None or owner.create is None or len(page.items) >= WANTED_ITEMS:
        return page
    with suppress(Unsendable):
        for _ in range(WANTED_ITEMS - len(page.items)):
            create_resource(target.subject, owner, send)
    return None


def read_filled_list(target: ListTarget, send: Send) -> PageWalk:
    """Create resources until the list has enough items, and read it in large pages.

    Raises Unsendable if it cannot be read.
    """
    page = fill_list(target, send)
    if page is not None and page.next_request is None:
        return PageWalk(pages=(page,), is_complete=True)
    return walk_pages(target, send, first_request(target, page_size_limits(target.listing)[1]))


def page_size_limits(listing: Listing) -> tuple[int, int]:
    """Return the smallest and the largest page size that can be requested."""
    schema = listing.limit.schema if listing.limit is not None else None
    least, most = (
        (constraint_value(schema, "minimum"), constraint_value(schema, "maximum"))
        if schema is not None
        else (None, None)
    )
    return max(int(least or 1), 1), int(most) if most is not None else LARGE_PAGE


def has_next_link(exchange: Exchange) -> bool:
    """Return whether a response has a `Link` header to the next page."""
    return bool(_next_link(exchange))


def _next_link(exchange: Exchange) -> str:
    """Return the address of the next page in the `Link` header, empty if it has none."""
    found = _NEXT_LINK.search((exchange.answer.header("link") if exchange.answer is not None else None) or "")
    return found[1] if found is not None else ""


def next_in_links(body: Any) -> str:
    """Return the address of the next page in a list of links beside the items, as documents of OGC API Features 1.0
    §7.15.5 have them; empty without one.
    """
    links = body.get("links") if isinstance(body, dict) else None
    addresses = (
        link.get("href")
        for link in (links if isinstance(links, list) else ())
        if isinstance(link, dict) and link.get("rel") == "next"
    )
    return next((address for address in addresses if isinstance(address, str)), "")


def _next_request(
    target: ListTarget, request: Request, exchange: Exchange, items: list[Any]
) -> Request | None:
    listing = target.listing
    if address := _next_link(exchange) or next_in_links(response_json(exchange)):
        return _request_for_address(target, request, address)
    next_value = member_at(response_json(exchange), listing.next) if listing.next else None
    if isinstance(next_value, str) and next_value and _is_address(request, next_value):
        return _request_for_address(target, request, next_value)
    if next_value is True and listing.cursor is not None:
        last = next(item_keys(items[-1:], target.key), None) if target.key else None
        return with_query(request, {listing.cursor.name: last}) if last is not None else None
    if next_value not in (None, "", True, False) and isinstance(next_value, str | int):
        parameter = listing.cursor or listing.page or listing.offset
        return with_query(request, {parameter.name: str(next_value)}) if parameter is not None else None
    if listing.cursor is not None or (listing.next and next_value is not True):
        return None
    return _next_by_number(listing, request, items) if items else None


def _next_by_number(listing: Listing, request: Request, items: list[Any]) -> Request | None:
    """Return the next page by its number, or by how many items lie before it."""
    query = dict(parse_qsl(urlsplit(request.url).query))
    size = query.get(listing.limit.name) if listing.limit is not None else None
    if size is not None and size.isdigit() and len(items) < int(size):
        return None
    if listing.page is not None:
        number = query.get(listing.page.name, "")
        next_request = int(number) + 1 if number.isdigit() else _second_page_number(listing.page)
        return with_query(request, {listing.page.name: str(next_request)})
    if listing.offset is not None:
        number = query.get(listing.offset.name, "0")
        skipped = int(number) if number.isdigit() else 0
        return with_query(request, {listing.offset.name: str(skipped + len(items))})
    return None


def _second_page_number(page: Parameter) -> int:
    """Return the number of the second page. It is 1 if the contract does not state the first: it is the
    second page if numbers begin with 0, and returns the first one again otherwise.
    """
    first = _stated_first_page(page)
    return first + 1 if first is not None else 1


def _stated_first_page(page: Parameter) -> int | None:
    """Return the number of the first page by the default or the minimum of its parameter, None if it has none."""
    schema = page.schema
    default = schema.default if schema is not None and isinstance(schema.default, int) else None
    least = constraint_value(schema, "minimum") if schema is not None else None
    start = default if default is not None else least
    return int(start) if start is not None else None


def _repeats_first_page(target: ListTarget, first: Page, second: Page) -> bool:
    """Return whether the page with the number 1 is the first one, which was requested without a number."""
    page = target.listing.page
    if (
        page is None
        or target.listing.has_link
        or _second_page_number(page) != 1
        or f"{page.name}=1" not in second.request.url
    ):
        return False
    return list(item_keys(first.items, target.key)) == list(item_keys(second.items, target.key))


def _is_address(request: Request, text: str) -> bool:
    return "://" in text or text.startswith(("?", urlsplit(request.url).path))


def _request_for_address(target: ListTarget, request: Request, address: str) -> Request | None:
    """Return the request for the address of a next page, on the tested server: others get no credentials, and
    a server may not know under which name it is reached.
    """
    next_url, own_url = resolve_address(request, address), urlsplit(request.url)
    if next_url is None or (next_url.netloc != own_url.netloc and next_url.path != own_url.path):
        return None
    url = next_url._replace(scheme=own_url.scheme, netloc=own_url.netloc, fragment="").geturl()
    return target.subject.with_credential(target.listing.operation, replace(request, url=url))
