"""What the checks of filters have in common: a list as a filter shows it, and what is wrong with that."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.family import Fault, Send
from devportal.conformance.paging import Walk, Way, first_request, keys_of, sizes, walk
from devportal.conformance.subject import label
from devportal.conformance.things import patiently
from devportal.contract import Parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One value of a filter, and what it should do: `is_inside` says of an item that it surely must be shown,
    `is_outside` that it surely must not be.
    """

    parameter: Parameter
    value: str
    is_inside: Callable[[Any], bool]
    is_outside: Callable[[Any], bool]


def filtered(way: Way, send: Send, query: dict[str, str]) -> Walk:
    """Read a list in large pages, with a filter or without. Raises Unsendable where that is refused."""
    return walk(way, send, first_request(way, sizes(way.listing)[1], query))


def asked(way: Way, before: Walk, question: Question, send: Send) -> Iterator[Fault]:
    """Yield what is wrong with what a filter shows of the list that was there `before`. A deployment may take
    a while to find what it has; what is gone by the end need not have been shown.
    """
    name, value = question.parameter.name, question.value
    seen = patiently(
        partial(filtered, way, send, {name: value}), send, lambda one: _is_right(way, before, one, question)
    )
    others = _others(way, before, seen, question)
    if others:
        message = f"{name}={value} shows {next(keys_of(others, way.key)):.80}, which does not fit"
        yield fault(way, lets_others_through(name), message, seen)
        return
    lost = _lost(way, before, seen, question)
    if lost and (still := lost & _inside(way, filtered(way, send, {}), question)):
        yield fault(way, loses(name), f"{name}={value} does not show {min(still):.80}, which fits", seen)


def _is_right(way: Way, before: Walk, seen: Walk, question: Question) -> bool:
    return not _others(way, before, seen, question) and not _lost(way, before, seen, question)


def _others(way: Way, before: Walk, seen: Walk, question: Question) -> list[Any]:
    """Return the items shown that should not be. None are where the filter is a place to begin from: it shows
    the end of the list from an item that fits on.
    """
    shown, whole = (list(keys_of(one.items, way.key)) for one in (seen, before))
    begins_there = bool(seen.items) and question.is_inside(seen.items[0])
    if begins_there and len(shown) < len(whole) and whole[-len(shown) :] == shown:
        return []
    return [one for one in seen.items if question.is_outside(one)]


def _lost(way: Way, before: Walk, seen: Walk, question: Question) -> set[str]:
    if not way.key or not seen.is_whole:
        return set()
    return _inside(way, before, question) - set(keys_of(seen.items, way.key))


def _inside(way: Way, seen: Walk, question: Question) -> set[str]:
    return set(keys_of([one for one in seen.items if question.is_inside(one)], way.key))


def lets_others_through(name: str) -> str:
    """Return the title for a filter that shows what does not fit."""
    return f"the filter {name!r} lets other items through"


def loses(name: str) -> str:
    """Return the title for a filter that does not show what fits."""
    return f"the filter {name!r} loses items"


def fault(way: Way, title: str, message: str, seen: Walk) -> Fault:
    """Return a fault of a filter, with the last page that was seen."""
    operation = way.listing.operation
    return Fault(
        title=title,
        message=message,
        operation=label(operation),
        promise=operation.location,
        evidence=(seen.pages[-1].exchange,),
    )
