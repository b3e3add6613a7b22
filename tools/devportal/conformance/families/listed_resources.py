"""A created resource is shown in its list."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.conventions import matches_any_name
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.created_resources import (
    PAUSES_S,
    create_resource,
    is_success,
    read_resource,
    resource_json,
)
from devportal.conformance.knowledge.paging import (
    PageWalk,
    first_request,
    item_keys,
    list_target,
    page_size_limits,
    walk_pages,
)
from devportal.conformance.knowledge.resources import Listing, Resource
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.contract import Parameter, ParameterLocation
from devportal.contract.schemas import ABSENT


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list of resources that can be made and read."""
    for resource in subject.resources:
        listing = resource.listing
        if resource.create is not None and resource.read is not None and listing is not None:
            yield Probe(
                operation=operation_label(listing.operation),
                run=partial(_check_listed, subject, resource, listing),
            )


def _check_listed(
    subject: Subject, resource: Resource, listing: Listing, send: Send
) -> Iterator[CheckFailure]:
    """Look for a new resource in its list, if the list is complete and can be read to its end."""
    if not resource.key or _may_be_partial(subject, listing):
        raise Unsendable("a list without filters by default")
    created = create_resource(subject, resource, send)
    walk = _read_whole_list(subject, listing, send)
    for pause_s in (*PAUSES_S, 0):
        if created.id in item_keys(walk.items, resource.key):
            return
        send.wait(pause_s)
        walk = _read_whole_list(subject, listing, send)
    read_exchange = read_resource(subject, resource, created.id, send)
    if (
        is_success(read_exchange)
        and created.is_id_certain
        and not _may_be_hidden(subject, resource_json(resource, read_exchange), walk)
    ):
        message = f"{created.id!r} can be read, and the list does not show it"
        yield CheckFailure(
            title="what was created is not in its list",
            message=message,
            operation=operation_label(listing.operation),
            promise=listing.operation.location,
            evidence=(created.exchange, *(page.exchange for page in walk.pages)),
        )


def _read_whole_list(subject: Subject, listing: Listing, send: Send) -> PageWalk:
    target = list_target(subject, listing)
    walk = walk_pages(target, send, first_request(target, page_size_limits(listing)[1]))
    if not walk.is_complete:
        raise Unsendable("a list that is short enough to be read to its end")
    return walk


def _may_be_hidden(subject: Subject, representation: Any, walk: PageWalk) -> bool:
    """Return whether a list may hide resources by their state, such as drafts: it shows none in that state."""
    states = dict(_state_values(subject, representation))
    listed = [(name, value) for item in walk.items for name, value in _state_values(subject, item)]
    return bool(states) and not any(states.get(name) == value for name, value in listed)


def _state_values(subject: Subject, item: Any) -> Iterator[tuple[str, Any]]:
    for name, value in item.items() if isinstance(item, dict) else ():
        if matches_any_name(name, subject.conventions.state):
            yield name, value


def _may_be_partial(subject: Subject, listing: Listing) -> bool:
    """Return whether a list may be incomplete: a parameter that is required, or has a default, may filter it."""
    paging = {one.name for one in (listing.limit, listing.cursor, listing.page, listing.offset) if one}
    query = [one for one in listing.operation.parameters if one.location_in is ParameterLocation.QUERY]
    return any(one.required or _has_default(subject, one) for one in query if one.name not in paging)


def _has_default(subject: Subject, parameter: Parameter) -> bool:
    return parameter.schema is not None and subject.api.resolve(parameter.schema).default is not ABSENT


FAMILY = Family(
    name="listed-things",
    summary="created resources are listed",
    words=CheckDescription(
        promise="A collection lists the resources created in it.",
        test="A resource is created in each collection that allows it, read, listed, and searched for in "
        "the list for a few seconds. Lists that are filtered by default, or too long to read to the "
        "end, are skipped.",
        remedy="List from the store that creation writes to.",
        sources=("RFC 9110 §15.3.2",),
    ),
    needs="a resource that can be created, read and listed",
    probes=probes,
    about_state=True,
)
