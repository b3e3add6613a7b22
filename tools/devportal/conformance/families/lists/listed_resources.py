"""A created resource is shown in its list."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.paging import (
    PageWalk,
    first_request,
    item_keys,
    list_target,
    page_size_limits,
    walk_pages,
)
from devportal.conformance.knowledge.resources.created_resources import (
    PAUSES_S,
    create_resource,
    is_among,
    is_success,
    poll_until,
    read_created,
    read_resource,
    resource_json,
)
from devportal.conformance.knowledge.resources.operation_resources import change_resource
from devportal.conformance.knowledge.resources.representation_match import is_equivalent, resource_schema
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Parameter, ParameterLocation, Schema
from devportal.contract.conventions import matches_any_name, normalize_name
from devportal.contract.resources import Listing, Resource, object_properties
from devportal.contract.schemas import ABSENT
from devportal.contract.values.instants import parse_instant

_LIMITED = re.compile(
    r"\bonly (?:the |those )?(?:upcoming|future|recent|latest|active|published|current|open)\b", re.IGNORECASE
)
_ADDS_GONE = re.compile(
    r"(?:include|with|show)s?(?:soft)?(?:archived?|deleted?|removed?|trashed?)(?:items)?$"
)
"""The name of a parameter, without case and separators, that adds resources which are no longer in use."""
_RECENT = re.compile(r"\b(?:upcoming|future|recent|latest)\b", re.IGNORECASE)
"""Words of a list that does not show all there is: in its description, and in its summary."""
_DEFAULT = re.compile(r"\bby default\b|\bdefaults? (?:to|is)\b|\bdefault:", re.IGNORECASE)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list of resources that can be made and read."""
    for resource in subject.resources:
        listing = resource.listing
        if resource.create is not None and resource.read is not None and listing is not None:
            yield Probe(
                operation=operation_label(listing.operation),
                run=partial(_check_listed, subject, resource, listing),
            )
            yield Probe(
                operation=operation_label(listing.operation),
                run=partial(_check_same_values, subject, resource, listing),
            )


def _check_listed(
    subject: Subject, resource: Resource, listing: Listing, send: Send
) -> Iterator[CheckFailure]:
    """Look for a new resource in its list, if the list is complete and can be read to its end."""
    if not resource.key or may_be_partial(subject, listing):
        raise Unsendable("a list without filters by default")
    created = create_resource(subject, resource, send)
    walk = _read_whole_list(subject, listing, send)
    for pause_s in (*PAUSES_S, 0):
        if is_among(created, walk.items):
            return
        send.wait(pause_s)
        walk = _read_whole_list(subject, listing, send)
    read_exchange = read_resource(subject, resource, created.id, send)
    if (
        is_success(read_exchange)
        and created.is_id_certain
        and not may_be_hidden(subject, resource_json(resource, read_exchange), walk)
    ):
        message = f"{created.id!r} can be read, and the list does not show it"
        yield CheckFailure(
            title="what was created is not in its list",
            message=message,
            operation=operation_label(listing.operation),
            promise=listing.operation.location,
            evidence=(created.exchange, *(page.exchange for page in walk.pages)),
        )


def _check_same_values(
    subject: Subject, resource: Resource, listing: Listing, send: Send
) -> Iterator[CheckFailure]:
    """Compare the item of a changed resource with the resource as it is read before and after the list."""
    created = create_resource(subject, resource, send)
    _read_whole_list(subject, listing, send)  # a list that is kept from now on shows old values later
    changes = change_resource(subject, created, send)
    read = partial(read_resource, subject, resource, created.id, send)
    before = read_created(subject, created, send)

    def read_differing() -> tuple[list[str], PageWalk]:
        walk = _read_whole_list(subject, listing, send)
        return _differing_members(subject, resource, listing, (before, read()), walk), walk

    differing, walk = poll_until(read_differing, send, lambda pair: not pair[0])
    if differing:
        message = f"{created.id!r} is read with another value than its list shows in: {', '.join(differing)}"
        yield CheckFailure(
            title="a list shows other values than a reading",
            message=message,
            operation=operation_label(listing.operation),
            promise=listing.operation.location,
            evidence=(created.exchange, *changes, before, *(page.exchange for page in walk.pages)),
        )


def _differing_members(
    subject: Subject,
    resource: Resource,
    listing: Listing,
    readings: tuple[Exchange, Exchange],
    walk: PageWalk,
) -> list[str]:
    """Return the members of an item that differ from two equal readings: numbers, booleans, times and texts of
    an enumeration, which no list has a reason to shorten.
    """
    first, second = (resource_json(resource, reading) for reading in readings)
    if not all(map(is_success, readings)) or not isinstance(first, dict) or first != second:
        return []
    key = next(item_keys([first], resource.key), "")
    items = [item for item in walk.items if next(item_keys([item], resource.key)) == key]
    read_schema = resource_schema(subject, resource, resource.read, readings[0].status)
    if not items or listing.item is None or read_schema is None:
        return []
    read_members, item_members = (
        {
            property_.name: subject.api.resolve(property_.schema)
            for property_ in object_properties(subject.api, schema)
        }
        for schema in (read_schema, listing.item)
    )
    return [
        name
        for name, value in items[0].items()
        if first.get(name) is not None
        and value is not None
        and name in read_members
        and name in item_members
        and read_members[name].types == item_members[name].types
        and _is_comparable(item_members[name], value)
        and not is_equivalent(first[name], value)
    ]


def _is_comparable(schema: Schema, value: Any) -> bool:
    is_time = schema.format == "date-time" and parse_instant(value) is not None
    return isinstance(value, bool | int | float) or bool(schema.enum) or is_time


def _read_whole_list(subject: Subject, listing: Listing, send: Send) -> PageWalk:
    target = list_target(subject, listing)
    walk = walk_pages(target, send, first_request(target, page_size_limits(listing)[1]))
    if not walk.is_complete:
        raise Unsendable("a list that is short enough to be read to its end")
    return walk


def may_be_hidden(subject: Subject, representation: Any, walk: PageWalk) -> bool:
    """Return whether a list may hide resources by their state, such as drafts: it shows none in that state."""
    states = dict(_state_values(subject, representation))
    listed = [(name, value) for item in walk.items for name, value in _state_values(subject, item)]
    return bool(states) and not any(states.get(name) == value for name, value in listed)


def _state_values(subject: Subject, item: Any) -> Iterator[tuple[str, Any]]:
    for name, value in item.items() if isinstance(item, dict) else ():
        if matches_any_name(name, subject.conventions.state):
            yield name, value


def may_be_partial(subject: Subject, listing: Listing, ignored: tuple[str, ...] = ()) -> bool:
    """Return whether a list may be incomplete: a parameter that is required, or has a default, may filter it. Those
    that are `ignored` have a known effect.
    """
    paging = {
        parameter.name
        for parameter in (listing.limit, listing.cursor, listing.page, listing.offset)
        if parameter
    } | {*ignored}
    order = (*subject.conventions.sort, *subject.conventions.direction)
    filters = [
        parameter
        for parameter in listing.operation.parameters
        if parameter.location_in is ParameterLocation.QUERY
        and parameter.name not in paging
        and not matches_any_name(parameter.name, order)
    ]
    operation = listing.operation
    is_limited = bool(_LIMITED.search(operation.description) or _RECENT.search(operation.summary))
    return is_limited or any(filter_.required or _has_default(subject, filter_) for filter_ in filters)


def _has_default(subject: Subject, parameter: Parameter) -> bool:
    """Return whether a filter has a default that may hide a new resource. One that adds what is archived or deleted
    hides none.
    """
    if _ADDS_GONE.match(normalize_name(parameter.name)):
        return False
    schema = subject.api.resolve(parameter.schema) if parameter.schema is not None else None
    words = f"{parameter.description} {schema.description if schema is not None else ''}"
    return (schema is not None and schema.default is not ABSENT) or _DEFAULT.search(words) is not None


FAMILY = Family(
    name="listed-things",
    summary="created resources are listed",
    words=CheckDescription(
        promise="A collection lists the resources created in it, with the values that they are read with.",
        test="A resource is created in each collection that allows it, read, listed, and searched for in "
        "the list for a few seconds. Another one is changed, and its numbers, booleans, times and enumerated "
        "texts are compared with those of its item. Lists that are filtered by default, or too long to read "
        "to the end, are skipped.",
        remedy="List from the store that creation writes to.",
        sources=("RFC 9110 §15.3.2",),
    ),
    needs="a resource that can be created, read and listed",
    probes=probes,
    about_state=True,
)
