"""Members of pages that describe the page itself, such as `numberOfElements` and `first` of Spring Data."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from devportal.conformance.family import CheckFailure
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.paging import ListTarget, Page, PageWalk
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.knowledge.subject import operation_label
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import PAGE_SIZE
from devportal.contract.wording import quote_value

_ITEM_COUNTS = ("number_of_elements", "items_on_page", "page_items")
"""What the number of items of a page is called; a full page's size has the same name in some APIs."""
_FIRST = ("first", "is_first", "is_first_page")
_PAGE_OBJECTS = (
    "page",
    "page_info",
    "page_metadata",
    "paging",
    "pagination",
    "pageable",
    "pager",
    "meta",
    "metadata",
)
"""What objects that describe a page are called; others have other limits, such as `quota`."""
_SPRING_NAMES = frozenset({"numberOfElements", "totalElements"})
"""Members of Spring Data's `Page`, whose `number` counts from 0 even if the parameter counts from 1."""


def page_member_failures(target: ListTarget, walk: PageWalk, size: int) -> Iterator[CheckFailure]:
    """Yield a failure for each member that describes another page than the one it is on; `size` was asked for."""
    if not walk.is_complete or len(walk.pages) < 2:
        return
    reported = set[str]()
    for position, page in enumerate(walk.pages):
        for holder in _holders(target, response_json(page.exchange)):
            for name, value in holder.items():
                expected = _expected_values(target, holder, name, (walk, position, size))
                if name not in reported and expected and value not in expected:
                    reported.add(name)
                    yield _failure(target, name, value, page, position)


def _holders(target: ListTarget, body: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a response that describe the page: the response, the one with the items, and those beside
    the items with the name of such an object.
    """
    around = target.listing.items[:-1][:1]
    while isinstance(body, dict):
        yield body
        yield from (
            value
            for name, value in body.items()
            if isinstance(value, dict) and (name,) != around and matches_any_name(name, _PAGE_OBJECTS)
        )
        body, around = (body.get(around[0]), ()) if around else (None, ())


def _expected_values(
    target: ListTarget, holder: Mapping[str, Any], name: str, place: tuple[PageWalk, int, int]
) -> tuple[Any, ...]:
    """Return what a member of a page may be, nothing if that is not known."""
    walk, position, size = place
    page, value, is_spring = walk.pages[position], holder[name], not _SPRING_NAMES.isdisjoint(holder)
    if isinstance(value, bool):
        if matches_any_name(name, _FIRST):
            return (position == 0,)
        return (not page.items,) if is_spring and name == "empty" else ()
    if not isinstance(value, int):
        return ()
    if matches_any_name(name, _ITEM_COUNTS):
        return (len(page.items),) if is_spring else (len(page.items), size)
    if is_spring and name == "number":
        number = _asked_number(target, page)
        return (number, number - 1) if number is not None else ()
    limit, conventions = target.listing.limit, target.subject.conventions
    is_size = (
        limit is not None
        and matches_any_name(name, (limit.name, *PAGE_SIZE, "per_page"))
        and not matches_any_name(name, (*conventions.total, *conventions.page_count))
    )
    is_cut = len(page.items) == size and any(later.items for later in walk.pages[position + 1 :])
    return (size,) if is_size and is_cut else ()


def _asked_number(target: ListTarget, page: Page) -> int | None:
    parameter = target.listing.page
    values = (
        parse_qs(urlsplit(page.request.url).query).get(parameter.name, []) if parameter is not None else []
    )
    return int(values[0]) if len(values) == 1 and values[0].isdecimal() else None


def _failure(target: ListTarget, name: str, value: Any, page: Page, position: int) -> CheckFailure:
    shown = urlsplit(page.request.url).query
    return CheckFailure(
        title=f"{name!r} is not that of the page",
        message=f"{name!r} is {quote_value(value)} on page {position + 1} of the list, which has {len(page.items)} "
        f"items{f' for ?{shown}' if shown else ''}",
        operation=operation_label(target.listing.operation),
        promise=response_location(target.listing.operation, page.exchange),
        evidence=(page.exchange,),
        member=name,
    )
