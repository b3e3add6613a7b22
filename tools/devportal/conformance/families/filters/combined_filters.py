"""Two filters of a list at once: what is listed are the items that each of them lists."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import (
    filter_failure,
    filter_parameters,
    named_member,
    query_text,
)
from devportal.conformance.families.filters.text_filters import is_searchable, is_text_filter
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    item_keys,
    list_target,
    read_filtered_list,
)
from devportal.conformance.knowledge.resources.varied_resources import create_varied
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Parameter

MOST_PAIRS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Condition:
    """A filter with a value."""

    name: str
    value: str


def combined_probes(subject: Subject, enumerated: Iterable[tuple[ListTarget, Parameter]]) -> Iterator[Probe]:
    """Yield a probe for each list with two filters of members: the `enumerated` ones, and those of texts."""
    by_list: dict[str, tuple[ListTarget, list[str]]] = {}
    for target, parameter in enumerated:
        _, names = by_list.setdefault(operation_label(target.listing.operation), (target, []))
        names.append(parameter.name)
    for listing in subject.listings:
        texts = [
            parameter.name
            for parameter in filter_parameters(subject.api, listing.operation)
            if is_text_filter(subject, listing, parameter)
        ]
        if texts:
            target = list_target(subject, listing)
            by_list.setdefault(operation_label(listing.operation), (target, []))[1].extend(texts)
    for label, (target, names) in by_list.items():
        if len(names) > 1:
            yield Probe(operation=label, run=partial(_check_pairs, target, tuple(names)))


def _check_pairs(target: ListTarget, names: tuple[str, ...], send: Send) -> Iterator[CheckFailure]:
    """Compare a list with two filters to the lists with each filter alone."""
    create_varied(target, send)
    whole = read_filtered_list(target, send, {})
    if not whole.is_complete or not target.key:
        raise Unsendable("a list that can be read to its end, of items with identifiers")
    pairs = [pair for two in combinations(names, 2) if (pair := _distinguishing_pair(whole, two)) is not None]
    if not pairs:
        raise Unsendable("two filters that select different items")
    is_compared, single = False, dict[_Condition, set[str]]()
    for first, second in pairs[:MOST_PAIRS]:
        with suppress(Unsendable):
            found = list(_check_pair(target, first, second, single, send))
            is_compared = True
            if found:
                yield from found
                return
    if not is_compared:
        raise Unsendable("two filters that select items on their own")


def _distinguishing_pair(whole: PageWalk, names: tuple[str, str]) -> tuple[_Condition, _Condition] | None:
    """Return values of two members that some items have both of, and others only one of."""
    texts = [tuple(_text(item, name) for name in names) for item in whole.items]
    for first, second in dict.fromkeys(texts):
        is_both = bool(first) and bool(second) and is_searchable(first) and is_searchable(second)
        if (
            is_both
            and any(text == first and other not in ("", second) for text, other in texts)
            and any(other == second and text not in ("", first) for text, other in texts)
        ):
            return _Condition(name=names[0], value=first), _Condition(name=names[1], value=second)
    return None


def _text(item: Any, name: str) -> str:
    """Return a member of an item as a query parameter has it, empty if it has none."""
    value = item.get(named_member(item, name)) if isinstance(item, dict) else None
    return query_text(value) if isinstance(value, bool | str) else ""


def _check_pair(
    target: ListTarget, first: _Condition, second: _Condition, single: dict[_Condition, set[str]], send: Send
) -> Iterator[CheckFailure]:
    """Compare one list with two filters with the items that both filters list, before and after. `single`
    keeps the items that one filter lists for the next pairs.
    """
    queries = ({first.name: first.value}, {second.name: second.value})
    for condition, other_query in zip((first, second), queries, strict=True):
        if condition not in single:
            single[condition] = _keys(target, read_filtered_list(target, send, other_query))
    before = [single[first], single[second]]
    both = read_filtered_list(target, send, {**queries[0], **queries[1]})
    shown, expected = _keys(target, both), before[0] & before[1]
    if not expected:
        raise Unsendable("filters that select items on their own")
    if shown == expected:
        return
    if [_keys(target, read_filtered_list(target, send, query)) for query in queries] != before:
        raise Unsendable("a list that stays the same meanwhile")
    parameters = filter_parameters(target.subject.api, target.listing.operation)
    parameter = next(parameter for parameter in parameters if parameter.name == first.name)
    title = f"the filters {first.name!r} and {second.name!r} do not combine"
    query = f"{first.name}={first.value}&{second.name}={second.value}"
    if others := shown - expected:
        message = f"{query} shows {min(others):.80}, which does not fit both"
        yield filter_failure(target, parameter, title, message, both)
    else:
        message = f"{query} does not show {min(expected - shown):.80}, which fits both"
        yield filter_failure(target, parameter, title, message, both)


def _keys(target: ListTarget, walk: PageWalk) -> set[str]:
    """Return the keys of a whole list. Raises Unsendable if it is too long."""
    if not walk.is_complete:
        raise Unsendable("a list that is short enough to be read to its end")
    return set(item_keys(walk.items, target.key))
