"""A change, a deletion or an action of a resource that does not exist is rejected if the contract documents that."""

import re
from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.references.missing_references import find_missing
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.failures import status_failure
from devportal.conformance.knowledge.requests.request_variants import with_new_idempotency_key
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CREATED,
    GONE_STATUSES,
    create_resource,
    is_success,
)
from devportal.conformance.knowledge.resources.operation_resources import is_within
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.resources import Resource
from devportal.contract.wording import sentences_of

_TAKES_ANY = re.compile(
    r"\b(?:idempotent\w*|even if|even when|regardless|whether or not|does nothing|no effect|upserts?)\b|"
    r"\bcreate\w*\b.{0,60}\b(?:does not exist|do not exist|doesn't exist|not yet)|"
    r"\balready (?:deleted|removed|gone|absent)\b",
    re.IGNORECASE,
)


def missing_resource_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation on one resource, other than its reading, that documents 404 or 410."""
    for resource in subject.resources:
        for operation in subject.operations:
            if resource.read is not None and _needs_resource(resource, operation):
                run = partial(_check_missing, subject, resource, resource.read, operation)
                yield Probe(operation=operation_label(operation), run=run)


def _needs_resource(resource: Resource, operation: Operation) -> bool:
    """Return whether an operation is about a resource of a type itself, and promises to reject a missing one. A `PUT`
    may create it, if it documents 201 or nothing else does, and what documents itself as idempotent accepts any.
    """
    is_own = operation in resource.calls or (
        is_within(operation, resource) and operation.path.count("{") == resource.path.count("{")
    )
    may_create = operation.path == resource.path and (
        documents_exact_status(operation, CREATED) or (operation.method == "PUT" and resource.create is None)
    )
    is_promised = any(documents_exact_status(operation, status) for status in GONE_STATUSES)
    return (
        is_own
        and is_promised
        and operation is not resource.read
        and not may_create
        and not _accepts_missing(operation)
    )


def _accepts_missing(operation: Operation) -> bool:
    """Return whether the description of an operation, or that of its successes, accepts a missing resource."""
    of_responses = [text for response in operation.successes for text in sentences_of(response.description)]
    return any(map(_TAKES_ANY.search, (*operation_sentences(operation), *of_responses)))


def _check_missing(
    subject: Subject, resource: Resource, reading: Operation, operation: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Send a valid request about a resource that returns 404 when it is read."""
    known_id = subject.values.get(resource.value_key) or create_resource(subject, resource, send).id
    unknown_id, nothing = find_missing(subject, resource, known_id, send)
    request = with_resource_id(subject, resource, unknown_id).valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    attempt = send(operation, with_new_idempotency_key(subject, operation, request))
    if is_success(attempt) and attempt.status != ACCEPTED:
        promised = next(status for status in GONE_STATUSES if documents_exact_status(operation, status))
        message = (
            f"{operation_label(reading)} gets {nothing.status} for {unknown_id!r}, and this operation "
            f"{attempt.status}; {promised} is documented"
        )
        yield status_failure(operation, promised, "what does not exist is found", message, nothing, attempt)
    elif attempt.status not in GONE_STATUSES:
        raise Unsendable("a request that is rejected only because the resource does not exist")
