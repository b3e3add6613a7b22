"""What the checks of filters have in common: a list as a filter shows it, and what is wrong with that."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.created_resources import poll_until
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    first_request,
    item_keys,
    page_size_limits,
    walk_pages,
)
from devportal.conformance.knowledge.test_target import operation_label
from devportal.contract import Parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterQuestion:
    """One value of a filter, and what it should do: `is_inside` says of an item that it surely must be shown,
    `is_outside` that it surely must not be.
    """

    parameter: Parameter
    value: str
    is_inside: Callable[[Any], bool]
    is_outside: Callable[[Any], bool]


def read_filtered_list(way: ListTarget, send: Send, query: dict[str, str]) -> PageWalk:
    """Read a list in large pages, with a filter or without. Raises Unsendable where that is refused."""
    return walk_pages(way, send, first_request(way, page_size_limits(way.listing)[1], query))


def check_filter(
    way: ListTarget, before: PageWalk, question: FilterQuestion, send: Send
) -> Iterator[CheckFailure]:
    """Yield what is wrong with what a filter shows of the list that was there `before`. A deployment may take
    a while to find what it has; what is gone by the end need not have been shown.
    """
    name, value = question.parameter.name, question.value
    seen = poll_until(
        partial(read_filtered_list, way, send, {name: value}),
        send,
        lambda one: _fits_filter(way, before, one, question),
    )
    others = _unwanted_items(way, before, seen, question)
    if others:
        message = f"{name}={value} shows {next(item_keys(others, way.key)):.80}, which does not fit"
        yield filter_failure(way, unwanted_items_title(name), message, seen)
        return
    lost = _lost_ids(way, before, seen, question)
    if lost and (still := lost & _matching_ids(way, read_filtered_list(way, send, {}), question)):
        yield filter_failure(
            way, lost_items_title(name), f"{name}={value} does not show {min(still):.80}, which fits", seen
        )


def _fits_filter(way: ListTarget, before: PageWalk, seen: PageWalk, question: FilterQuestion) -> bool:
    return not _unwanted_items(way, before, seen, question) and not _lost_ids(way, before, seen, question)


def _unwanted_items(way: ListTarget, before: PageWalk, seen: PageWalk, question: FilterQuestion) -> list[Any]:
    """Return the items shown that should not be. None are where the filter is a place to begin from: it shows
    the end of the list from an item that fits on.
    """
    shown, whole = (list(item_keys(one.items, way.key)) for one in (seen, before))
    begins_there = bool(seen.items) and question.is_inside(seen.items[0])
    if begins_there and len(shown) < len(whole) and whole[-len(shown) :] == shown:
        return []
    return [one for one in seen.items if question.is_outside(one)]


def _lost_ids(way: ListTarget, before: PageWalk, seen: PageWalk, question: FilterQuestion) -> set[str]:
    if not way.key or not seen.is_whole:
        return set()
    return _matching_ids(way, before, question) - set(item_keys(seen.items, way.key))


def _matching_ids(way: ListTarget, seen: PageWalk, question: FilterQuestion) -> set[str]:
    return set(item_keys([one for one in seen.items if question.is_inside(one)], way.key))


def unwanted_items_title(name: str) -> str:
    """Return the title for a filter that shows what does not fit."""
    return f"the filter {name!r} lets other items through"


def lost_items_title(name: str) -> str:
    """Return the title for a filter that does not show what fits."""
    return f"the filter {name!r} loses items"


def filter_failure(way: ListTarget, title: str, message: str, seen: PageWalk) -> CheckFailure:
    """Return a fault of a filter, with the last page that was seen."""
    operation = way.listing.operation
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=operation.location,
        evidence=(seen.pages[-1].exchange,),
    )
