"""A PUT that documents 201 and another success responds 201 if it creates, and the other one if it replaces."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.resources.created_resources import (
    CREATED,
    GONE_STATUSES,
    create_resource,
    is_success,
    read_resource,
    with_if_match,
)
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.resources import Resource

REPLACED = (200, 204)


def put_status_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each PUT that creates or replaces, and documents a success for both."""
    for resource in subject.resources:
        create = resource.create
        if create is None or resource.read is None or not resource.is_created_by_put:
            continue
        replaces = any(documents_exact_status(create, status) for status in REPLACED)
        if replaces and documents_exact_status(create, CREATED):
            run = partial(_check_statuses, subject, resource, create)
            yield Probe(operation=operation_label(create), run=run)


def _check_statuses(
    subject: Subject, resource: Resource, create: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Create a resource at an address where nothing is, then replace it."""
    created = create_resource(subject, resource, send)
    if created.exchange.status in REPLACED:
        message = f"{created.exchange.status} for a new address; the contract has 201 for a creation"
        title = "a PUT that creates does not get 201"
        yield response_failure(create, created.exchange, title, message, created.exchange)
        return
    before = read_resource(subject, resource, created.id, send)
    replaced = _replace(subject, resource, create, created.id, before, send)
    after = read_resource(subject, resource, created.id, send)
    if before.status in GONE_STATUSES or not is_success(replaced) or not is_success(after):
        raise Unsendable("a resource that can be replaced and read")
    if created.exchange.status == replaced.status == CREATED:
        message = f"{replaced.status} for {created.id!r}, which was read before"
        title = "a PUT that replaces gets 201"
        yield response_failure(create, replaced, title, message, created.exchange, before, replaced)


def _replace(
    subject: Subject, resource: Resource, create: Operation, resource_id: str, before: Exchange, send: Send
) -> Exchange:
    request = with_resource_id(subject, resource, resource_id).valid(create)
    if request is None:
        raise Unsendable("a resource that can be replaced and read")
    return send(create, with_if_match(create, request, before))
