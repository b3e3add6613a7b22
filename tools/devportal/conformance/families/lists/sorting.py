"""Lists are in the order that a query parameter asks for."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby, islice, pairwise
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.lists.described_order import described_order_probes
from devportal.conformance.families.lists.sort_values import (
    default_value,
    documented_values,
    sort_values,
)
from devportal.conformance.families.paging.later_pages import can_have_later_pages, later_page_probe
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.paging import ListTarget, PageWalk, list_target, read_filtered_list
from devportal.conformance.knowledge.resources.representation_match import normalized_text
from devportal.conformance.knowledge.resources.varied_resources import create_varied
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Parameter, ParameterLocation
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Listing, item_properties
from devportal.contract.values.instants import parse_day, parse_instant
from devportal.contract.wording import quote_value

MOST_MEMBERS = 4
"""By how many members a list is sorted."""
FEWEST_VALUES = 3
"""How many different values make an order."""
_ORDERED_BY = re.compile(
    r"\b(?:ordered|sorted)\s+by\s+(?:(?:the|their|its)\s+)?`?(?P<words>[a-z]\w*(?: \w+){0,2}?)`?"
    r"(?=\s*(?:[(,;.:]|$|\s(?:and|then|unless|by default|in|asc\w*|desc\w*|newest|oldest|latest|earliest|highest|"
    r"lowest|largest|smallest|cheapest)\b))",
    re.IGNORECASE,
)
_DIRECTION = re.compile(
    r"[\s,(]*(?:in\s+)?(?:(?P<descending>desc\w*|newest|latest|highest|largest|biggest|longest|heaviest|"
    r"dearest|(?:the\s+)?most\s+expensive|reverse)|asc\w*|oldest|earliest|lowest|smallest|cheapest|shortest|lightest|"
    r"nearest|closest)\b",
    re.IGNORECASE,
)
_NOT_ALWAYS = re.compile(r"\b(?:can|may|could|might|if|when|whether|not|to be)\b", re.IGNORECASE)
_OTHERS_FIRST = re.compile(
    r"\b(?!(?:newest|oldest|latest|earliest|highest|lowest|largest|smallest|biggest|longest|shortest|heaviest|lightest|"
    r"dearest|cheapest|expensive|nearest|closest|recent)\b)\w+\s+first\b"
    r"(?!\s+name)|\b(?:if|when|except)\b",
    re.IGNORECASE,
)
"""Words of an order that some requests or items do not have."""
_SUFFIX = re.compile(r"[\s:._,-]*(asc|desc)(?:ending)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """Query parameters that ask for an order, none for that of the description, and the member it is by.
    `is_descending` is None if the contract does not state the direction. `default_of` is the parameter whose
    `default` is the order, if one's is.
    """

    query: tuple[tuple[str, str], ...]
    member: str
    is_descending: bool | None
    default_of: str = ""
    default: str = ""

    @property
    def text(self) -> str:
        """The order as it is asked for, or described."""
        direction = {None: "", True: ", descending", False: ", ascending"}[self.is_descending]
        asked = "&".join(f"{name}={value}" for name, value in self.query)
        if self.default_of:
            return f"a request without {self.default_of!r}, whose default is {self.default!r},"
        return asked or f"a list ordered by {self.member}{direction}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _SortedList:
    """A list as it was read in an order, and the values of the member, in their order."""

    order: _Order
    walk: PageWalk
    values: tuple[Any, ...]


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list that can be sorted by a member of its items."""
    for listing in subject.listings:
        orders = tuple(_orders(subject, listing))
        described = tuple(
            islice(chain(_described_orders(subject, listing), _default_orders(subject, listing, orders)), 1)
        )
        if orders or described:
            run = partial(_check_orders, list_target(subject, listing), (*described, *orders))
            yield Probe(operation=operation_label(listing.operation), run=run)
            if orders and can_have_later_pages(listing):
                queries = tuple(dict(order.query) for order in orders)
                # The last orders are the least likely to be those of a list without one.
                yield later_page_probe(list_target(subject, listing), queries[::-1], is_order=True)
    yield from described_order_probes(subject)


def _orders(subject: Subject, listing: Listing) -> Iterator[_Order]:
    """Yield the orders that the parameters of a list can ask for."""
    query = [
        parameter
        for parameter in listing.operation.parameters
        if parameter.location_in is ParameterLocation.QUERY
    ]
    sort = next((parameter for parameter in query if _names_members(subject, listing, parameter)), None)
    if sort is None:
        return
    others = (parameter for parameter in query if parameter is not sort)
    direction = next((parameter for parameter in others if _takes_direction(subject, parameter)), None)
    values = sort_values(subject, listing, sort)
    for value in values:
        member, is_descending = _parsed_order(subject, listing, value)
        has_opposite = any(text == f"-{value}" for text in values)
        if member is None:
            continue
        if direction is None or is_descending is not None:
            stated = False if is_descending is None and has_opposite else is_descending
            yield _Order(query=((sort.name, value),), member=member, is_descending=stated)
            continue
        for text in documented_values(subject, direction):
            yield _Order(
                query=((sort.name, value), (direction.name, text)),
                member=member,
                is_descending=text.lower().startswith("desc"),
            )


def _default_orders(subject: Subject, listing: Listing, orders: Sequence[_Order]) -> Iterator[_Order]:
    """Yield the order that a list has without its parameters, by their defaults."""
    defaults = {
        parameter.name: default_value(subject, parameter)
        for parameter in listing.operation.parameters
        if parameter.schema is not None
    }
    for order in orders:
        if all(defaults.get(name) == value for name, value in order.query):
            name, value = order.query[0]
            yield replace(order, query=(), default_of=name, default=value)


def _names_members(subject: Subject, listing: Listing, parameter: Parameter) -> bool:
    return matches_any_name(parameter.name, subject.conventions.sort) and any(
        _parsed_order(subject, listing, value)[0] is not None
        for value in sort_values(subject, listing, parameter)
    )


def _takes_direction(subject: Subject, parameter: Parameter) -> bool:
    values = [value.lower() for value in documented_values(subject, parameter)]
    is_direction = bool(values) and all(value.startswith(("asc", "desc")) for value in values)
    return is_direction and matches_any_name(parameter.name, subject.conventions.direction)


def _parsed_order(subject: Subject, listing: Listing, value: str) -> tuple[str | None, bool | None]:
    """Return the member that a value names, None if it names none, and whether the order is descending, None
    if the value does not state it: `-price`, `price:desc`, `price`.
    """
    suffix = _SUFFIX.search(value)
    name = value[: suffix.start()] if suffix is not None else value
    is_descending = suffix[1].lower() == "desc" if suffix is not None else None
    if name[:1] in ("-", "+"):
        name, is_descending = name[1:], name[0] == "-"
    members = item_properties(subject.api, listing.item) if listing.item is not None else ()
    names = [member.name for member in members]
    return next((text for text in names if matches_any_name(text, (name, f"{name}_at"))), None), is_descending


def _described_orders(subject: Subject, listing: Listing) -> Iterator[_Order]:
    """Yield the order of a list without a parameter, by the first member that its description names: "ordered by
    `last_name`, then `first_name`", "sorted by createTime descending".
    """
    operation = listing.operation
    members = item_properties(subject.api, listing.item) if listing.item is not None else ()
    responses = (success.description for success in operation.successes)
    for sentence in (*operation_sentences(operation), *responses):
        found = _ORDERED_BY.search(sentence)
        if found is None or _NOT_ALWAYS.search(sentence[: found.start()]) or _OTHERS_FIRST.search(sentence):
            continue
        name = "_".join(found["words"].split())
        direction = _DIRECTION.match(sentence, found.end())
        is_descending = direction["descending"] is not None if direction is not None else None
        for member in members:
            if matches_any_name(member.name, (name, f"{name}_at")):
                yield _Order(query=(), member=member.name, is_descending=is_descending)
                return


def _check_orders(target: ListTarget, orders: tuple[_Order, ...], send: Send) -> Iterator[CheckFailure]:
    """Read a list in each order, and yield the first that is wrong."""
    create_varied(target, send)
    members = tuple(dict.fromkeys(order.member for order in orders))[:MOST_MEMBERS]
    is_compared = False
    for member in members:
        lists: list[_SortedList] = []
        for order in (order for order in orders if order.member == member):
            with suppress(Unsendable):
                lists.append(_read_in_order(target, order, send))
        compared = [
            ordered for ordered in lists if len({str(value) for value in ordered.values}) >= FEWEST_VALUES
        ]
        is_compared = is_compared or bool(compared)
        found = next(chain(_order_failures(target, compared), _ignored_directions(target, compared)), None)
        if found is not None:
            yield found
            return
    if not is_compared:
        raise Unsendable("a list whose items have at least three values of a member that it is sorted by")


def _read_in_order(target: ListTarget, order: _Order, send: Send) -> _SortedList:
    walk = read_filtered_list(target, send, dict(order.query))
    items = (item.get(order.member) for item in walk.items if isinstance(item, dict))
    return _SortedList(order=order, walk=walk, values=tuple(item for item in items if item is not None))


def _order_failures(target: ListTarget, lists: Sequence[_SortedList]) -> Iterator[CheckFailure]:
    """Yield a failure for numbers, times and plain words that are in another order than asked for."""
    enumerated = {
        member.name
        for member in (
            item_properties(target.subject.api, target.listing.item) if target.listing.item else ()
        )
        if target.subject.api.resolve(member.schema).enum  # it may be sorted in the order of its values
    }
    for ordered in (ordered for ordered in lists if ordered.order.member not in enumerated):
        ranks = [_rank(value) for value in ordered.values]
        directions = (True, False) if ordered.order.is_descending is None else (ordered.order.is_descending,)
        misplaced = [next(_misplaced_neighbours(ranks, is_descending=each), None) for each in directions]
        if all(place is not None for place in misplaced):
            first, second = (ordered.values[place] for place in misplaced[0] or (0, 0))
            yield _failure(
                target,
                ordered,
                f"{ordered.order.text} lists {quote_value(first)} before {quote_value(second)}",
            )


def _misplaced_neighbours(ranks: Sequence[Any], *, is_descending: bool) -> Iterator[tuple[int, int]]:
    """Yield the places of neighbours in the wrong order. Values of different kinds have no order."""
    known = [(place, rank) for place, rank in enumerate(ranks) if rank is not None]
    for (place, before), (next_place, after) in pairwise(known):
        first, second = (after, before) if is_descending else (before, after)
        if type(first) is type(second) and second < first:
            yield place, next_place


def _rank(value: Any) -> Any:
    """Return what a value is ordered by: a number, a time, or the first letter of a plain word. None for
    others, whose order depends on the language.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    day = parse_day(value)
    if day is not None:
        return day
    instant = parse_instant(value) if isinstance(value, str) else None
    if instant is not None:
        return instant
    is_word = isinstance(value, str) and value[:1].isascii() and value[:1].islower()
    return value[:1] if is_word else None


def _ignored_directions(target: ListTarget, lists: Sequence[_SortedList]) -> Iterator[CheckFailure]:
    """Yield a failure if both directions list the same values in the same order."""
    by_direction: dict[bool | None, _SortedList] = {ordered.order.is_descending: ordered for ordered in lists}
    ascending, descending = by_direction.get(False), by_direction.get(True)
    if ascending is None or descending is None:
        return
    if _distinct_texts(ascending) == _distinct_texts(descending):
        message = f"{descending.order.text} has the order of {ascending.order.text}"
        yield _failure(target, descending, message)


def _distinct_texts(found: _SortedList) -> list[str]:
    """Return the values in their order, equal neighbours once."""
    return [text for text, _ in groupby(normalized_text(str(value)) for value in found.values)]


def _failure(target: ListTarget, found: _SortedList, message: str) -> CheckFailure:
    operation = target.listing.operation
    name = found.order.query[0][0] if found.order.query else found.order.default_of
    parameter = next((parameter for parameter in operation.parameters if parameter.name == name), None)
    if found.order.default_of:
        title = f"a list is not in the default order of {name!r}"
    else:
        title = (
            f"{name!r} does not sort the list" if name else "a list is not in the order of its description"
        )
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=parameter.location if parameter is not None else operation.location,
        evidence=tuple(page.exchange for page in found.walk.pages),
    )


FAMILY = Family(
    name="sorting",
    summary="lists are sorted as asked",
    words=CheckDescription(
        promise="A list is in the order that a parameter such as `sort` or `order_by` asks for, across all its "
        "pages.",
        test="Resources with different values are created, and the list is read in each order that the `enum` "
        "or an example of the parameter names, or its description in code: `price`, `-price`, `price:desc`, or with a "
        "second parameter for the direction. If it describes Spring Data's `property,(asc|desc)`, by members that "
        "clients send. Numbers, times and the first letters of lower-case words are compared. Of other "
        "texts, whose order depends on the language, only that both directions differ. A direction that the "
        "contract does not state may be either. Without the parameter, the order is its default. "
        "Some orders are also read in small pages. A list that is “newest first” or “oldest first” by its description "
        "must be in the order of one of the times of its items, and one "
        "that is “ordered by” a member in that order.",
        remedy="Sort in the query that selects the items, before paging, and by the type of the value.",
        sources=("OAS 3.0.3 §4.7.12",),
    ),
    needs="a list with a parameter such as `sort`, whose `enum`, example or description names a member of "
    "its items, or whose description says which come first",
    probes=probes,
    about_state=True,
)
