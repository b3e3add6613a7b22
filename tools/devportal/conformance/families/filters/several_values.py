"""A filter that takes several values returns the items of each of them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.families.filters.filtering import (
    filter_failure,
    lost_items_title,
    named_member,
    query_text,
)
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    first_request,
    item_keys,
    page_size_limits,
    read_filtered_list,
    walk_pages,
)
from devportal.contract import Parameter
from devportal.contract.resources import item_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.wire_format.serialisation import parameter_query


def several_values_failures(
    target: ListTarget, parameter: Parameter, filtered_lists: Mapping[Any, PageWalk], send: Send
) -> Iterator[CheckFailure]:
    """Yield a failure if a filter with two values loses items that it returns for one of them. Items that have a list
    may need all values, so they are left out.
    """
    values = [*islice((value for value, walk in filtered_lists.items() if walk.items), 2)]
    schema = parameter.schema
    if schema is None or parameter not in target.listing.operation.parameters or len(values) < 2:
        return
    is_list = "array" in target.subject.api.resolve(schema).types
    is_valid = target.subject.validator.is_valid(schema, values, Direction.REQUEST)
    if not (is_list and is_valid and target.key) or _has_lists(target, parameter):
        return
    whole = walk_pages(target, send, with_values(target, parameter, values))
    found = set(item_keys(whole.items, target.key))
    for value in values if whole.is_complete else ():
        single = read_filtered_list(target, send, {parameter.name: query_text(value)})
        lost = set(item_keys(single.items, target.key)) - found
        if lost and single.is_complete:
            message = (
                f"{parameter_query(parameter, values)} does not show {min(lost):.80}, which "
                f"{parameter.name}={query_text(value)} shows"
            )
            yield filter_failure(target, parameter, lost_items_title(parameter.name), message, whole)
            return


def with_values(target: ListTarget, parameter: Parameter, values: list[Any]) -> Request:
    """Return the request for the first page with several values of a filter."""
    request = first_request(target, page_size_limits(target.listing)[1])
    mark = "&" if "?" in request.url else "?"
    return replace(request, url=f"{request.url}{mark}{parameter_query(parameter, values)}")


def _has_lists(target: ListTarget, parameter: Parameter) -> bool:
    """Return whether the items have a list of the values of a filter."""
    api, item = target.subject.api, target.listing.item
    members = tuple(item_properties(api, item)) if item is not None else ()
    name = named_member((member.name for member in members), parameter.name)
    return not any(
        member.name == name and "array" not in api.resolve(member.schema).types for member in members
    )
