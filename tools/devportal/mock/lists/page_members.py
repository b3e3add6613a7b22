"""What responses say of a page of a list: totals, cursors, and addresses of other pages, in members and in `Link`."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from devportal.contract import ABSENT, Absent
from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.resources import HAL_LINKS, Listing
from devportal.mock.http.exchange import MockRequest
from devportal.mock.lists.pages import ListPage, leads_by_address

OTHER_PAGES = ("next", "prev", "previous")
"""What objects are called that lead to the pages beside one."""
_PAGES = (*OTHER_PAGES, "first", "last", "self")
_LINK_OBJECTS = ("links", "view")
"""What holds the addresses of pages: links, and the view of a collection of Hydra."""


def page_url(request: MockRequest, query: Mapping[str, str]) -> str:
    """Return the address of another page of the list that a request asks for."""
    pairs = [pair for pair in request.query_pairs if pair[0] not in query]
    return f"{request.base_url}{request.path}?{urlencode([*pairs, *query.items()], errors='replace')}"


def link_header(request: MockRequest, page: ListPage) -> str:
    """Return the value of `Link` for a page (RFC 8288), empty if there is no other page."""
    links = ((page.next_query, "next"), (page.previous_query, "prev"))
    return ", ".join(
        f'<{page_url(request, query)}>; rel="{rel}"' for query, rel in links if query is not None
    )


def page_members(
    page: ListPage,
    request: MockRequest,
    conventions: Conventions,
    members: Iterator[tuple[tuple[str, ...], Any]],
    listing: Listing,
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the members of a list around its items with their values on a page: totals, cursors and addresses.

    `members` are those of a sample, by the names that lead to them. None stands for a page that there is not.
    """
    around = [*members]
    has_total = any(matches_any_name(_plain_name(path[-1]), conventions.total) for path, _ in around)
    is_from_zero = listing.page is None and any(path[-1] in _SPRING_NAMES for path, _ in around)
    for path, sample in around:
        parent, name = map(_plain_name, ("", *path)[-2:])
        match sample:
            case bool():
                value: Any = _sort_flag(name, request) if parent == "sort" else _page_flag(name, page)
            case _ if path == listing.next:
                value = _next_value(page, request, sample, listing)
            case int():
                value = _page_number(name, page, conventions, has_total=has_total, is_from_zero=is_from_zero)
            case [dict() as link, *_] if "rel" in link and "href" in link:
                value = _link_list(page, request, link)
            case dict() | list():
                continue
            case _:
                is_link = matches_any_name(parent, _LINK_OBJECTS)
                is_part = name in ("url", "uri", "link") and matches_any_name(parent, _PAGES)
                is_own = name == "@id" and parent == "view"
                named = parent if name == "href" or is_part else "self" if is_own else name
                value = _page_address(named, page, request, sample, listing, is_link=is_link)
        if value is not ABSENT:
            yield path, value


def with_hal_links(known: Any, page: ListPage, request: MockRequest, *, is_open: bool) -> Any:
    """Return a list with links to the pages beside it, if its links may have any names (`is_open`), as those of Spring
    HATEOAS (draft-kelly-json-hal-11 §4.1.1).
    """
    links = known.get(HAL_LINKS) if is_open and isinstance(known, dict) else None
    own = links.get("self") if isinstance(links, dict) else None
    if not isinstance(links, dict) or not isinstance(own, dict) or "href" not in own:
        return known
    others = ((page.next_query, "next"), (page.previous_query, "prev"), (page.last_query, "last"))
    found = {
        name: {**own, "href": page_url(request, query)}
        for query, name in others
        if query is not None and name not in links
    }
    return {**known, HAL_LINKS: {**links, **found}}


def _link_list(page: ListPage, request: MockRequest, sample: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the links of a page to itself and to those beside it, as OGC API Features 1.0 §7.15.5 has them."""
    own = f"{request.base_url}{request.path}" + (f"?{request.query}" if request.query else "")
    others = ((page.next_query, "next"), (page.previous_query, "prev"))
    addresses = {"self": own} | {rel: page_url(request, query) for query, rel in others if query is not None}
    return [{**sample, "href": address, "rel": rel} for rel, address in addresses.items()]


def _plain_name(name: str) -> str:
    """Return a name without the prefix of a vocabulary: `next` for `hydra:next` (JSON-LD 1.1 §3.2)."""
    return name.rpartition(":")[2]


def _sort_flag(name: str, request: MockRequest) -> bool | Absent:
    """Return whether a list is sorted, as Spring Data's `Sort` says it; ABSENT for other members."""
    is_sorted = any(query_name == "sort" and value for query_name, value in request.query_pairs)
    return {"sorted": is_sorted, "unsorted": not is_sorted, "empty": not is_sorted}.get(name, ABSENT)


def _page_flag(name: str, page: ListPage) -> bool | Absent:
    """Return whether there are more pages, or earlier ones, by the name of the member; ABSENT for others."""
    is_last, is_first = page.next_query is None, page.start == 0
    flags = (
        (("has_more", "has_next", "has_next_page", "more", "is_truncated", "truncated"), not is_last),
        (("has_previous", "has_prev", "has_previous_page"), not is_first),
        (("last", "is_last"), is_last),
        (("first", "is_first"), is_first),
        (("empty", "is_empty"), not page.records),
        (("paged",), page.size is not None),
        (("unpaged",), page.size is None),
    )
    return next((flag for names, flag in flags if matches_any_name(name, names)), ABSENT)


def _page_address(
    name: str, page: ListPage, request: MockRequest, sample: Any, listing: Listing, *, is_link: bool
) -> Any:
    """Return the address of a page by the name of the member, None if there is no such page; ABSENT for others."""
    if matches_any_name(name, ("next", "next_url", "next_page_url", "next_page_uri")):
        return page_url(request, page.next_query) if page.next_query is not None else None
    if matches_any_name(name, ("prev", "previous", "previous_url", "previous_page_url", "prev_page_url")):
        return page_url(request, page.previous_query) if page.previous_query is not None else None
    is_address = is_link or (isinstance(sample, str) and "/" in sample)
    if matches_any_name(name, ("self", "url")) and is_address:
        return f"{request.base_url}{request.path}" + (f"?{request.query}" if request.query else "")
    if matches_any_name(name, ("first", "first_page_url")) and is_address:
        places = {place.name for place in (listing.cursor, listing.page, listing.offset) if place is not None}
        others = [pair for pair in request.query_pairs if pair[0] not in places]
        query = urlencode([*others, *page.first_query.items()], errors="replace")
        return f"{request.base_url}{request.path}" + (f"?{query}" if query else "")
    if matches_any_name(name, ("last", "last_page_url")) and is_address and page.last_query is not None:
        return page_url(request, page.last_query)
    return ABSENT


def _next_value(page: ListPage, request: MockRequest, sample: Any, listing: Listing) -> Any:
    if page.next_query is None:
        return None
    is_address = isinstance(sample, str) and ("://" in sample or sample.startswith(("/", "?")))
    is_link = bool(listing.next) and (
        leads_by_address(listing) or matches_any_name(_plain_name(listing.next[0]), _LINK_OBJECTS)
    )
    if is_address or is_link:
        return page_url(request, page.next_query)
    value = next(iter(page.next_query.values()))
    return int(value) if isinstance(sample, int) and value.isdigit() else value


_PAGES_NAMES = (
    "total_pages",
    "page_count",
    "number_of_pages",
    "pages_count",
    "num_pages",
    "last_page",
    "pages",
)


_SPRING_NAMES = ("numberOfElements", "totalElements")
"""Members of Spring Data's `Page`, which counts pages from 0, unless a parameter for the page says otherwise."""


def _page_number(
    name: str, page: ListPage, conventions: Conventions, *, has_total: bool, is_from_zero: bool
) -> int | Absent:
    """Return the number that a member holds by its name: of items, of pages or of this page; ABSENT for others.
    A `count` beside a total is that of the items of the page.
    """
    size = page.size or max(page.total, 1)
    numbers = (
        (_PAGES_NAMES, -(-page.total // size)),
        ((*conventions.total, "number_matched"), page.total),
        (conventions.page_count, len(page.records) if has_total else page.total),
        (
            ("page", "page_number", "current_page", "number"),
            page.start // size if is_from_zero else page.number,
        ),
        ((*conventions.limit, "page_size", "per_page", "size"), size),
        (("number_of_elements", "number_returned", "returned", "page_items"), len(page.records)),
        (conventions.offset, page.start),
    )
    return next((number for names, number in numbers if matches_any_name(name, names)), ABSENT)
