"""Deleted resources that the contract keeps: they can still be read, and a parameter of their list includes them."""

import re
from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.paging import (
    PageWalk,
    first_request,
    list_target,
    page_size_limits,
    walk_pages,
)
from devportal.conformance.knowledge.resources.created_resources import (
    GONE_STATUSES,
    CreatedResource,
    is_among,
    is_success,
    poll_until,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Parameter, ParameterLocation
from devportal.contract.conventions import normalize_name
from devportal.contract.resources import Listing

_STAYS = re.compile(
    r"\b(?:stays?|remains?|still)\s+(?:readable|retrievable|accessible)\b|"
    r"\bcan\s+still\s+be\s+(?:read|retrieved|fetched|accessed)\b",
    re.IGNORECASE,
)
_ALSO = re.compile(
    r"\b(?:also|even|including)\s+(?:an?\s+|one\s+that\s+is\s+|the\s+|those\s+)?(?:soft-?\s?)?"
    r"(?:deleted|deactivated|archived)\b",
    re.IGNORECASE,
)
_INCLUDES = re.compile(
    r"(?:include|show|with)(?:soft)?(?P<state>deleted|trashed|inactive|deactivated|archived|disabled)"
)
STEMS = {"inactive": "activ", "deactivated": "activ", "archived": "archiv", "disabled": "disabl"}
"""What the words of a deletion have in common with the state that it leads to, if that is not simply `deleted`."""


def kept_failures(
    subject: Subject,
    created: CreatedResource,
    operations: tuple[Operation, Operation],
    evidence: tuple[Exchange, ...],
    send: Send,
) -> Iterator[CheckFailure]:
    """Yield the failures of a deleted resource, whose last reading is the end of the evidence: it is gone although the
    words of its deletion or reading keep it, or a list does not include it when asked to. `operations` are these two.
    """
    delete, reading = operations
    after = evidence[-1]
    is_kept = any(map(_STAYS.search, operation_sentences(delete))) or any(
        map(_ALSO.search, operation_sentences(reading))
    )
    if after.status in GONE_STATUSES and is_kept:
        yield CheckFailure(
            title="what was deleted cannot be read any more",
            message=f"{created.id!r} gets {after.status} after its deletion, and can still be read by the contract",
            operation=operation_label(delete),
            promise=delete.location,
            evidence=evidence,
        )
    listing = created.resource.listing
    parameter = _including_parameter(listing, delete) if listing is not None else None
    if listing is None or parameter is None or not is_success(after) or not created.resource.key:
        return
    read_all = partial(_read_all, subject, listing, parameter, send)
    walk = poll_until(read_all, send, lambda walk: not walk.is_complete or is_among(created, walk.items))
    if walk.is_complete and not is_among(created, walk.items):
        yield CheckFailure(
            title=f"{parameter.name!r} does not include what was deleted",
            message=f"{created.id!r} is read as deleted, and {parameter.name}=true does not show it",
            operation=operation_label(listing.operation),
            promise=parameter.location,
            evidence=(*evidence, *(page.exchange for page in walk.pages)),
        )


def _including_parameter(listing: Listing, delete: Operation) -> Parameter | None:
    """Return the boolean parameter of a list that includes what a deletion leaves, None if it has none."""
    words = " ".join((delete.id, *operation_sentences(delete))).lower()
    for parameter in listing.operation.parameters:
        found = _INCLUDES.fullmatch(normalize_name(parameter.name))
        is_flag = parameter.schema is not None and parameter.schema.types == ("boolean",)
        is_in_query = parameter.location_in is ParameterLocation.QUERY
        if found is not None and is_flag and is_in_query and STEMS.get(found["state"], "") in words:
            return parameter
    return None


def _read_all(subject: Subject, listing: Listing, parameter: Parameter, send: Send) -> PageWalk:
    target = list_target(subject, listing)
    query = {parameter.name: "true"}
    return walk_pages(target, send, first_request(target, page_size_limits(listing)[1], query))
