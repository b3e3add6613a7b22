"""References × account: what one account sends cannot build on what another has made."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from devportal.conformance.belonging import made, unlike
from devportal.conformance.conventions import is_called
from devportal.conformance.exchange import Request
from devportal.conformance.family import Fault, Probe, Send
from devportal.conformance.line import Unsendable
from devportal.conformance.resources import Resource
from devportal.conformance.strangers import (
    answered,
    as_stranger,
    is_private,
    is_telling,
    private_resources,
)
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import GONE, Thing, is_success, names, read, request_for
from devportal.conformance.variation import fresh, sent_value
from devportal.contract import Operation


def reference_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each member of a body that names a private thing."""
    kinds = tuple(private_resources(subject))
    for operation in subject.operations:
        if "{" in operation.path or not is_private(subject, operation):
            continue
        request = request_for(subject, operation)
        body = sent_value(request) if request is not None else None
        for member, value in body.items() if isinstance(body, dict) else ():
            for resource in kinds if isinstance(value, str) else ():
                if is_called(member, (resource.parameter,)):
                    run = partial(_named, subject, operation, member, resource)
                    yield Probe(operation=label(operation), run=run)


def _named(
    subject: Subject, operation: Operation, member: str, resource: Resource, send: Send
) -> Iterator[Fault]:
    """Name a thing of the first account, and one that is not there: both have to be refused alike.

    Where the second is accepted, references are not looked up at all.
    """
    with made(subject, resource, send) as thing:
        yield from _taken(subject, operation, member, thing, send)


def _taken(subject: Subject, operation: Operation, member: str, thing: Thing, send: Send) -> Iterator[Fault]:
    nothing = unlike(thing.value)
    if not is_telling(thing.value) or not names(subject, thing.resource, nothing):
        raise Unsendable("no identifier of nothing is known")
    if read(subject, thing.resource, nothing, send).status not in GONE:
        raise Unsendable("that identifier is one of something")
    refused = answered(send(operation, _naming(subject, operation, member, nothing)))
    tried = send(operation, _naming(subject, operation, member, thing.value))
    if is_success(tried) and 400 <= refused.status < 500:
        yield Fault(
            title=f"{member!r} takes things of another account",
            message=f"the first account made {thing.value!r}; another names it and gets {tried.status}, and "
            f"gets {refused.status} for what is not there",
            operation=label(operation),
            promise=operation.request_body.location
            if operation.request_body is not None
            else operation.location,
            evidence=(thing.exchange, refused, tried),
        )


def _naming(subject: Subject, operation: Operation, member: str, value: str) -> Request:
    """Return the other account's request with a member that names a thing."""
    stranger = as_stranger(subject)
    request = request_for(stranger, operation)
    body = sent_value(request) if request is not None else None
    if request is None or not isinstance(body, dict):
        raise Unsendable("there is no valid request")
    return fresh(stranger, operation, replace(request, body=json.dumps({**body, member: value}).encode()))
