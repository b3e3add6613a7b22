"""Lists walked from page to page: by cursor, address, `Link` header (RFC 8288), number or offset."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.family import Send
from devportal.conformance.line import Unsendable
from devportal.conformance.resources import Listing, Resource
from devportal.conformance.stocking import body_of, member_at
from devportal.conformance.subject import Subject
from devportal.conformance.things import make
from devportal.contract import Parameter
from devportal.contract.bounds import bound

PAGES = 12
"""How many large pages of a list are read; a longer list is not read to its end."""
ITEMS = 5
"""How many items a list should have for its pages to say something."""
LARGE = 20
"""The size of a large page where the contract sets no bound: most servers take it."""
_LINK = re.compile(r'<([^>]*)>\s*;(?:[^,"]|"[^"]*")*\brel\s*=\s*"?(?:[^",;]* )?next\b', re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page, and how to ask for the next one; None at the end."""

    request: Request
    exchange: Exchange
    items: tuple[Any, ...]
    next: Request | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """Pages in their order. `is_whole` where the last one said that it is the last; `has_loop` where one
    led to a page that was there before; `broken` is what came instead of a page.
    """

    pages: tuple[Page, ...]
    is_whole: bool
    has_loop: bool = False
    broken: Exchange | None = None

    @property
    def items(self) -> tuple[Any, ...]:
        """The items of all pages."""
        return tuple(item for page in self.pages for item in page.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a list is walked: by whom and where, which, by which member items are told apart."""

    subject: Subject
    listing: Listing
    key: tuple[str, ...] = ()


def way_of(subject: Subject, listing: Listing) -> Way:
    """Return how a list is walked."""
    owner = owner_of(subject, listing)
    return Way(subject=subject, listing=listing, key=owner.key if owner is not None else ())


def owner_of(subject: Subject, listing: Listing) -> Resource | None:
    """Return the kind of thing that a list is of."""
    found = (one for one in subject.resources if one.listing is not None)
    return next((one for one in found if one.listing and one.listing.operation is listing.operation), None)


def first_request(way: Way, size: int | None = None, query: Mapping[str, str] | None = None) -> Request:
    """Return the request for the first page. Raises Unsendable where none can be written."""
    request = way.subject.valid(way.listing.operation)
    if request is None:
        raise Unsendable("there is no valid request for the list")
    limit = {way.listing.limit.name: str(size)} if way.listing.limit is not None and size else {}
    return with_query(request, {**(query or {}), **limit})


def walk(way: Way, send: Send, request: Request, most: int = PAGES) -> Walk:
    """Read pages until one says that it is the last, or `most` are read.

    Raises Unsendable where the first one is no list.
    """
    pages: list[Page] = []
    asked: set[str] = set()
    following: Request | None = request
    while following is not None and len(pages) < most:
        asked.add(following.url)
        exchange = send(way.listing.operation, following)
        page = page_of(way, following, exchange)
        if page is None and not pages:
            raise Unsendable("the list cannot be read")
        if page is None:
            return Walk(pages=tuple(pages), is_whole=False, broken=exchange)
        if len(pages) == 1 and _is_first_again(way, pages[0], page):
            pages.clear()
        pages.append(page)
        following = page.next
        if following is not None and following.url in asked:
            return Walk(pages=tuple(pages), is_whole=False, has_loop=True)
    return Walk(pages=tuple(pages), is_whole=following is None)


def page_of(way: Way, request: Request, exchange: Exchange) -> Page | None:
    """Return the page that an answer is, None where it is none."""
    items = member_at(body_of(exchange), way.listing.items)
    if exchange.answer is None or not exchange.answer.is_success or not isinstance(items, list):
        return None
    following = _next(way, request, exchange, items)
    return Page(request=request, exchange=exchange, items=tuple(items), next=following)


def keys_of(items: Sequence[Any], key: Sequence[str]) -> Iterator[str]:
    """Yield what tells items apart: the member that a key leads to, or all they say."""
    for item in items:
        value = member_at(item, key) if key else None
        is_name = isinstance(value, str | int) and not isinstance(value, bool)
        yield str(value) if is_name else json.dumps(item, sort_keys=True)


def with_query(request: Request, given: Mapping[str, str]) -> Request:
    """Return the request with these parameters in its query, instead of others of their names."""
    address, _, query = request.url.partition("?")
    kept = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] not in given]
    pairs = [*kept, *given.items()]
    return replace(request, url=f"{address}?{urlencode(pairs)}" if pairs else address)


def first_page(way: Way, send: Send, request: Request) -> Page:
    """Read one page. Raises Unsendable where the answer is none."""
    page = page_of(way, request, send(way.listing.operation, request))
    if page is None:
        raise Unsendable("the list cannot be read")
    return page


def stock(way: Way, send: Send) -> None:
    """Make things until the list has some, where they can be made.

    Raises Unsendable where it cannot be read.
    """
    owner = owner_of(way.subject, way.listing)
    page = first_page(way, send, first_request(way, sizes(way.listing)[1]))
    if owner is not None and owner.create is not None:
        with suppress(Unsendable):
            for _ in range(ITEMS - len(page.items)):
                make(way.subject, owner, send)


def sizes(listing: Listing) -> tuple[int, int]:
    """Return the smallest and the largest page that can be asked for."""
    schema = listing.limit.schema if listing.limit is not None else None
    least, most = (bound(schema, "minimum"), bound(schema, "maximum")) if schema is not None else (None, None)
    return max(int(least or 1), 1), int(most) if most is not None else LARGE


def _next(way: Way, request: Request, exchange: Exchange, items: list[Any]) -> Request | None:
    listing = way.listing
    linked = _LINK.search((exchange.answer.header("link") if exchange.answer is not None else None) or "")
    if linked is not None:
        return _at(way, request, linked[1])
    told = member_at(body_of(exchange), listing.next) if listing.next else None
    if isinstance(told, str) and told and _is_address(request, told):
        return _at(way, request, told)
    if told is True and listing.cursor is not None:
        last = next(keys_of(items[-1:], way.key), None) if way.key else None
        return with_query(request, {listing.cursor.name: last}) if last is not None else None
    if told not in (None, "", True, False) and isinstance(told, str | int):
        parameter = listing.cursor or listing.page or listing.offset
        return with_query(request, {parameter.name: str(told)}) if parameter is not None else None
    if listing.cursor is not None or (listing.next and told is not True):
        return None
    return _counted(listing, request, items) if items else None


def _counted(listing: Listing, request: Request, items: list[Any]) -> Request | None:
    """Return the next page by its number, or by how many items lie before it."""
    given = dict(parse_qsl(urlsplit(request.url).query))
    size = given.get(listing.limit.name) if listing.limit is not None else None
    if size is not None and size.isdigit() and len(items) < int(size):
        return None
    if listing.page is not None:
        number = given.get(listing.page.name, "")
        following = int(number) + 1 if number.isdigit() else _second(listing.page)
        return with_query(request, {listing.page.name: str(following)})
    if listing.offset is not None:
        number = given.get(listing.offset.name, "0")
        before = int(number) if number.isdigit() else 0
        return with_query(request, {listing.offset.name: str(before + len(items))})
    return None


def _second(page: Parameter) -> int:
    """Return the number of the second page: 1 where the contract does not say how the first is counted,
    since it is the second of those that begin with 0, and asks for the first of others again.
    """
    schema = page.schema
    default = schema.default if schema is not None and isinstance(schema.default, int) else None
    least = bound(schema, "minimum") if schema is not None else None
    start = default if default is not None else least
    return int(start) + 1 if start is not None else 1


def _is_first_again(way: Way, first: Page, second: Page) -> bool:
    """Say whether the page with the number 1 is the first one, which was asked for without a number."""
    page = way.listing.page
    if (
        page is None
        or way.listing.has_link
        or _second(page) != 1
        or f"{page.name}=1" not in second.request.url
    ):
        return False
    return list(keys_of(first.items, way.key)) == list(keys_of(second.items, way.key))


def _is_address(request: Request, text: str) -> bool:
    return "://" in text or text.startswith(("?", urlsplit(request.url).path))


def _at(way: Way, request: Request, address: str) -> Request | None:
    """Return the request for the address of a next page, on the server that is tested: others get no
    credentials, and a server may not know under which name it is reached.
    """
    found, here = urlsplit(urljoin(request.url, address)), urlsplit(request.url)
    if found.netloc != here.netloc and found.path != here.path:
        return None
    url = found._replace(scheme=here.scheme, netloc=here.netloc, fragment="").geturl()
    return way.subject.authorised(way.listing.operation, Request(method="GET", url=url))
