"""A filter by a list that takes several values returns the items that have all of them, or any, by its description: "a
hall must have all of them".
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import (
    filter_failure,
    listed_member,
    lost_items_title,
    named_member,
    unwanted_items_title,
)
from devportal.conformance.families.filters.several_values import with_values
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.paging import ListTarget, PageWalk, listed_resource, walk_pages
from devportal.conformance.knowledge.requests.request_variants import valid_body
from devportal.conformance.knowledge.resources.created_resources import (
    CreatedResource,
    create_resource,
    is_among,
    poll_until,
)
from devportal.conformance.knowledge.subject import operation_label
from devportal.contract import Parameter
from devportal.contract.resources import object_properties
from devportal.contract.validate.json_schema import Direction

_ALL = re.compile(
    r"\b(?:has|have|having|with|match(?:es)?|contains?)\s+(?:all|each|every one)\s+of\s+(?:them|these)\b",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"\b(?:has|have|having|with|match(?:es)?|contains?)\s+(?:any|one|at least one)\s+of\s+(?:them|these)\b",
    re.IGNORECASE,
)


def all_values_probe(target: ListTarget, parameter: Parameter, values: tuple[Any, ...]) -> Iterator[Probe]:
    """Yield a probe for a filter whose description says which items several values return."""
    needs_all, needs_any = (pattern.search(parameter.description) is not None for pattern in (_ALL, _ANY))
    schema = target.subject.api.resolve(parameter.schema) if parameter.schema is not None else None
    is_list = schema is not None and "array" in schema.types
    pair = tuple(islice(values, 2))
    if needs_all is not needs_any and is_list and len(pair) > 1 and target.key:
        run = partial(_check_values, target, parameter, pair, needs_all=needs_all)
        yield Probe(operation=operation_label(target.listing.operation), run=run)


def _check_values(
    target: ListTarget, parameter: Parameter, values: tuple[Any, ...], send: Send, *, needs_all: bool
) -> Iterator[CheckFailure]:
    """Create an item with both values and one with the first alone, and ask for both values."""
    schema = parameter.schema
    if schema is None or not target.subject.validator.is_valid(schema, [*values], Direction.REQUEST):
        raise Unsendable("a filter that takes two values")
    both, single = (_create_with(target, parameter, each, send) for each in (values, values[:1]))

    def read() -> PageWalk:
        return walk_pages(target, send, with_values(target, parameter, [*values]))

    def is_right(walk: PageWalk) -> bool:
        return is_among(both, walk.items) and is_among(single, walk.items) is not needs_all

    walk = poll_until(read, send, is_right)
    if is_right(walk) or not walk.is_complete:
        return
    name, words = parameter.name, "all" if needs_all else "any"
    if needs_all and is_among(single, walk.items):
        message = f"two values show {single.id!r}, which has the first alone; the description asks for {words} of them"
        yield filter_failure(target, parameter, unwanted_items_title(name), message, walk)
    else:
        lost = single if is_among(both, walk.items) else both
        message = f"two values do not show {lost.id!r}; the description asks for {words} of them"
        yield filter_failure(target, parameter, lost_items_title(name), message, walk)


def _create_with(
    target: ListTarget, parameter: Parameter, values: tuple[Any, ...], send: Send
) -> CreatedResource:
    """Create an item with a list of values. Raises Unsendable if its creation takes no such list."""
    owner = listed_resource(target.subject, target.listing)
    body = valid_body(target.subject, owner.create) if owner is not None else None
    members = object_properties(target.subject.api, body.schema) if body is not None else ()
    names = [member.name for member in members]
    listed = named_member(names, parameter.name) or listed_member(names, parameter.name)
    if owner is None or body is None or not listed:
        raise Unsendable("a creation that takes the list by which a filter selects")
    sent = {**body.members, listed: [*values]}
    if not body.is_valid(target.subject, sent):
        raise Unsendable("a creation with two values in the list")
    created = create_resource(target.subject, owner, send, request=body.request(sent))
    if created.sent_members.get(listed) != [*values]:
        raise Unsendable("a creation with these values that the deployment accepts")
    return created
