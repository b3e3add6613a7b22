"""Compares a filtered list with the whole list, for all checks of filters."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    item_keys,
    read_filtered_list,
)
from devportal.conformance.knowledge.requests.request_variants import is_allowed_value
from devportal.conformance.knowledge.resources.created_resources import poll_until
from devportal.conformance.knowledge.subject import operation_label
from devportal.contract import Api, Operation, Parameter, ParameterLocation
from devportal.contract.conventions import FILTER_OBJECTS, filtered_member, matches_any_name, normalize_name
from devportal.contract.path_templates import singular
from devportal.contract.resources import object_properties


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterExpectation:
    """One value of a filter and its expected effect: an item for which `is_inside` is true must be listed,
    one for which `is_outside` is true must not.
    """

    parameter: Parameter
    value: str
    is_inside: Callable[[Any], bool]
    is_outside: Callable[[Any], bool]


def filter_parameters(api: Api, operation: Operation) -> tuple[Parameter, ...]:
    """Return the parameters of an operation, of which some filter. So does each member of an object of filters that is
    in the query in pieces: `filter[genre]` of a `deepObject`, `genre` of a form (OAS 3.0.3 §4.7.12.1).
    """
    return tuple(chain.from_iterable(_filters_of(api, parameter) for parameter in operation.parameters))


def _filters_of(api: Api, parameter: Parameter) -> Iterator[Parameter]:
    is_deep = parameter.style == "deepObject"
    is_in_pieces = is_deep or (parameter.style == "form" and parameter.explode)
    is_object = matches_any_name(parameter.name, FILTER_OBJECTS) and is_in_pieces
    members = tuple(object_properties(api, parameter.schema)) if is_object and parameter.schema else ()
    if not members or parameter.location_in is not ParameterLocation.QUERY:
        yield parameter
    for member in members:
        name = f"{parameter.name}[{member.name}]" if is_deep else member.name
        yield replace(parameter, name=name, schema=member.schema, style="form", examples=())


def named_member(names: Iterable[str], parameter_name: str) -> str:
    """Return the member by which a parameter filters, of those of an item; empty if none has its name. Its spelling may
    be another one, as `customerId` for the parameter `customer_id`.
    """
    known, name = tuple(names), filtered_member(parameter_name)
    similar = [each for each in known if normalize_name(each) == normalize_name(name)]
    return name if name in known else similar[0] if len(similar) == 1 else ""


def listed_member(names: Iterable[str], parameter_name: str) -> str:
    """Return the list by which a parameter filters, as `genres` for `genre`; empty if there is none."""
    name = normalize_name(filtered_member(parameter_name))
    return next((each for each in names if normalize_name(singular(each)) == name), "")


def query_text(value: Any) -> str:
    """Return a value as a query parameter has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def check_filter(
    target: ListTarget, unfiltered: PageWalk, expectation: FilterExpectation, send: Send
) -> Iterator[CheckFailure]:
    """Yield the failures of a filter, compared with the `unfiltered` list. A deployment may take a while to
    find new items; items that are gone by the end need not be listed.
    """
    name, value = expectation.parameter.name, expectation.value
    walk = poll_until(
        partial(read_filtered_list, target, send, {name: value}),
        send,
        lambda page_walk: _fits_filter(target, unfiltered, page_walk, expectation),
    )
    others = _unwanted_items(target, unfiltered, walk, expectation)
    if others:
        message = f"{name}={value} shows {next(item_keys(others, target.key)):.80}, which does not fit"
        yield filter_failure(target, expectation.parameter, unwanted_items_title(name), message, walk)
        return
    lost = _lost_ids(target, unfiltered, walk, expectation)
    if lost and (
        still_listed := lost & _matching_ids(target, read_filtered_list(target, send, {}), expectation)
    ):
        yield filter_failure(
            target,
            expectation.parameter,
            lost_items_title(name),
            f"{name}={value} does not show {min(still_listed):.80}, which fits",
            walk,
        )


def check_values(
    target: ListTarget, unfiltered: PageWalk, expectations: Iterable[FilterExpectation], send: Send
) -> Generator[CheckFailure, None, bool]:
    """Yield the failures of the first value of a filter that has any; return whether the filter took a value. One that
    is rejected may require another parameter, or be a day in the future.
    """
    allowed = (
        expectation
        for expectation in expectations
        if is_allowed_value(target.subject, expectation.parameter, expectation.value)
    )
    return (yield from check_expectations(target, unfiltered, allowed, send))


def check_expectations(
    target: ListTarget, unfiltered: PageWalk, expectations: Iterable[FilterExpectation], send: Send
) -> Generator[CheckFailure, None, bool]:
    """Yield the failures of the first expectation that has any; return whether one was compared, and not rejected."""
    is_compared = False
    for expectation in expectations:
        with suppress(Unsendable):
            found = list(check_filter(target, unfiltered, expectation, send))
            is_compared = True
            yield from found
            if found:
                break
    return is_compared


def _fits_filter(
    target: ListTarget, unfiltered: PageWalk, walk: PageWalk, expectation: FilterExpectation
) -> bool:
    return not _unwanted_items(target, unfiltered, walk, expectation) and not _lost_ids(
        target, unfiltered, walk, expectation
    )


def _unwanted_items(
    target: ListTarget, unfiltered: PageWalk, walk: PageWalk, expectation: FilterExpectation
) -> list[Any]:
    """Return the listed items that should not be. There are none if the parameter is a start position: then
    the end of the list is shown, from a matching item on.
    """
    shown, whole = (list(item_keys(page_walk.items, target.key)) for page_walk in (walk, unfiltered))
    begins_inside = bool(walk.items) and expectation.is_inside(walk.items[0])
    if begins_inside and len(shown) < len(whole) and whole[-len(shown) :] == shown:
        return []
    return [item for item in walk.items if expectation.is_outside(item)]


def _lost_ids(
    target: ListTarget, unfiltered: PageWalk, walk: PageWalk, expectation: FilterExpectation
) -> set[str]:
    if not target.key or not walk.is_complete:
        return set()
    return _matching_ids(target, unfiltered, expectation) - set(item_keys(walk.items, target.key))


def _matching_ids(target: ListTarget, walk: PageWalk, expectation: FilterExpectation) -> set[str]:
    return set(item_keys([item for item in walk.items if expectation.is_inside(item)], target.key))


def unwanted_items_title(name: str) -> str:
    """Return the title of the failure that a filter lists other items."""
    return f"the filter {name!r} lets other items through"


def lost_items_title(name: str) -> str:
    """Return the title of the failure that a filter omits matching items."""
    return f"the filter {name!r} loses items"


def filter_failure(
    target: ListTarget, parameter: Parameter, title: str, message: str, walk: PageWalk
) -> CheckFailure:
    """Return a failure of a filter, with the last page as evidence."""
    operation = target.listing.operation
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=parameter.location,
        evidence=(walk.pages[-1].exchange,),
    )
