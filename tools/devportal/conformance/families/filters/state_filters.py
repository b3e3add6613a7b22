"""Filters of lists by a state follow the actions that move it."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import (
    filter_failure,
    filter_parameters,
    lost_items_title,
    named_member,
    unwanted_items_title,
)
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.paging import ListTarget, PageWalk, read_filtered_list
from devportal.conformance.knowledge.resources.created_resources import (
    CreatedResource,
    is_among,
    is_success,
    poll_until,
    read_resource,
    shown_members,
)
from devportal.conformance.knowledge.resources.representation_match import response_schema
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Parameter
from devportal.contract.resources import Listing, Resource


def state_filter_failures(
    subject: Subject, created: CreatedResource, state: str, values: tuple[str, str], send: Send
) -> Iterator[CheckFailure]:
    """Yield a failure for the first list that does not find a resource by its new state, or finds it by its old one;
    `values` are the old and the new value of the member `state`.
    """
    old, new = values
    for listing, parameter in _state_filters(subject, created.resource, state, values):
        target = ListTarget(subject=subject, listing=listing, key=created.resource.key)
        with suppress(Unsendable):
            yield from _filter_failures(target, parameter, created, (old, new), state, send)


def _state_filters(
    subject: Subject, resource: Resource, state: str, values: tuple[str, str]
) -> Iterator[tuple[Listing, Parameter]]:
    """Yield the lists of a resource type with a filter by its state that takes these values."""
    status = (
        next((int(each.status) for each in resource.read.successes if each.status.isdigit()), 0)
        if resource.read
        else 0
    )
    shown = response_schema(resource.read, status)
    own = {subject.api.resolve(shown).location} if shown is not None else set()
    if resource.listing is not None and resource.listing.item is not None:
        own.add(subject.api.resolve(resource.listing.item).location)
    for listing in subject.listings:
        if listing.item is None or subject.api.resolve(listing.item).location not in own or not resource.key:
            continue
        for parameter in filter_parameters(subject.api, listing.operation):
            allowed = subject.api.resolve(parameter.schema).enum if parameter.schema is not None else ()
            if named_member((state,), parameter.name) and set(values) <= set(allowed):
                yield listing, parameter


def _filter_failures(
    target: ListTarget,
    parameter: Parameter,
    created: CreatedResource,
    values: tuple[str, str],
    state: str,
    send: Send,
) -> Iterator[CheckFailure]:
    name = parameter.name
    for value, is_wanted in zip(values, (False, True), strict=True):

        def is_right(walk: PageWalk, *, is_wanted: bool = is_wanted) -> bool:
            return is_among(created, walk.items) is is_wanted

        walk = poll_until(partial(read_filtered_list, target, send, {name: value}), send, is_right)
        current = (
            read_resource(target.subject, created.resource, created.id, send) if not is_right(walk) else None
        )
        is_moved = current is not None and shown_members(created.resource, current).get(state) == values[1]
        if (
            current is None
            or not is_success(current)
            or not is_moved
            or not (walk.is_complete or not is_wanted)
        ):
            continue
        title = lost_items_title(name) if is_wanted else unwanted_items_title(name)
        verb = "does not show" if is_wanted else "shows"
        message = f"{name}={value} {verb} {created.id!r}, whose {state!r} is {values[1]!r} since an action"
        yield filter_failure(target, parameter, title, message, walk)
        return
