"""Detects a mock: a deployment that stores nothing and returns the same responses to different requests.

Checks of state would all fail on a mock, each in its own words, so they are skipped.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.references.unknown_ids import random_character_like
from devportal.conformance.family import Family, Send
from devportal.conformance.knowledge.requests.request_variants import (
    request_variants,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    MOST_VARIANTS,
    is_allowed_id,
    is_success,
    read_resource,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.run.run_log import RunLog
from devportal.contract.path_templates import last_segment
from devportal.contract.resources import Resource

MOST_RESOURCES = 20
"""At most this many resource types are tried."""
NO_STATE_REASON = (
    "a deployment with state: like a mock, this one returns the same response whatever it receives"
)
MOCK_NOTE = (
    "different creations return the same response, and every identifier returns the same resource, as with a "
    "mock: state cannot be tested"
)

ExchangePair = tuple[Exchange, Exchange]


def mark_mock(subject: Subject, send: Send, log: RunLog) -> Subject:
    """Return the subject, marked if the deployment is a mock; report that at once."""
    if not is_mock(subject, send):
        return subject
    log.show_note(MOCK_NOTE)
    log.notes.append(MOCK_NOTE)
    return replace(subject, keeps_nothing=True)


def is_mock(subject: Subject, send: Send) -> bool:
    """Return whether creations from different data, and reads of different identifiers, get the same bytes,
    for every resource type that can be tried. One pair that differs proves a real server.
    """
    has_creations = has_reads = False
    for resource in subject.resources[:MOST_RESOURCES]:
        creations, reads = _create_pair(subject, resource, send), _read_pair(subject, resource, send)
        if not all(_have_same_response(pair) for pair in (creations, reads) if pair is not None):
            return False
        has_creations, has_reads = has_creations or creations is not None, has_reads or reads is not None
    return has_creations and has_reads


def missing_requirement(family: Family, subject: Subject) -> str:
    """Return what a run would need for a family and does not have, or nothing."""
    if family.about_state and subject.keeps_nothing:
        return NO_STATE_REASON
    return family.lacks(subject) if family.lacks is not None else ""


def _have_same_response(pair: ExchangePair) -> bool:
    first, second = (exchange.answer for exchange in pair)
    if first is None or second is None or not all(map(is_success, pair)):
        return False
    return bool(first.body) and (first.status, first.body) == (second.status, second.body)


def _create_pair(subject: Subject, resource: Resource, send: Send) -> ExchangePair | None:
    """Return the exchanges of two creations from different data, None if they cannot be tried."""
    create = resource.create
    request = subject.valid(create) if create is not None else None
    if create is None or request is None:
        return None
    try:
        first = send(create, with_new_idempotency_key(subject, create, request))
        for variant in (
            islice(request_variants(subject, create, request), MOST_VARIANTS) if is_success(first) else ()
        ):
            second = send(create, with_new_idempotency_key(subject, create, variant))
            if is_success(second):
                return (first, second) if first.answer is not None and first.answer.body else None
    except Unsendable:
        return None
    return None


def _read_pair(subject: Subject, resource: Resource, send: Send) -> ExchangePair | None:
    """Return the exchanges of two reads with random identifiers, None if they cannot be tried."""
    first, second = (*islice(_random_ids(subject, resource), 2), "", "")[:2]
    if resource.read is None or not second:
        return None
    try:
        return read_resource(subject, resource, first, send), read_resource(subject, resource, second, send)
    except Unsendable:
        return None


def _random_ids(subject: Subject, resource: Resource) -> Iterator[str]:
    """Yield identifiers of the form of the usual one that the contract allows, each another."""
    usual_id = _usual_id(subject, resource)
    head, separator, tail = usual_id.rpartition("_")
    tries = (head + separator + "".join(map(random_character_like, tail)) for _ in range(20))
    yield from (
        candidate
        for candidate in dict.fromkeys(tries)
        if candidate != usual_id and is_allowed_id(subject, resource, candidate)
    )


def _usual_id(subject: Subject, resource: Resource) -> str:
    request = subject.bare(resource.read) if resource.read is not None else None
    return last_segment(request.url.partition("?")[0]) if request is not None else ""
