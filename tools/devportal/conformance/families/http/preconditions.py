"""A change with the tag of another version is rejected (`If-Match`), and so is one without a tag if the contract
requires one: else two clients overwrite each other.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.http.outdated_versions import outdated_version_probes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import status_failure
from devportal.conformance.knowledge.requests.conditions import PRECONDITION_REQUIRED, needs_condition
from devportal.conformance.knowledge.requests.request_variants import with_header, with_new_idempotency_key
from devportal.conformance.knowledge.requests.valid_request import ANY_VERSION, IF_MATCH
from devportal.conformance.knowledge.resources.created_resources import (
    OTHER_VERSION,
    create_resource,
    is_success,
    read_created,
    read_resource,
    takes_if_match,
    with_if_match,
)
from devportal.conformance.knowledge.resources.operation_resources import (
    change_request,
    changed_after_rejection,
)
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.resources import Resource

PRECONDITION_FAILED = 412
CONDITIONS = ("if-match", "if-unmodified-since")


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that takes `If-Match` and documents 412, and for each that documents 428."""
    for resource, operation in _conditional_operations(subject, PRECONDITION_FAILED):
        run = partial(_check_condition, subject, resource, operation)
        yield Probe(operation=operation_label(operation), run=run)
    for resource, operation in _conditional_operations(subject, PRECONDITION_REQUIRED):
        if needs_condition(operation):
            run = partial(_check_unconditional_request, subject, resource, operation)
            yield Probe(operation=operation_label(operation), run=run)
    yield from outdated_version_probes(subject)


def _conditional_operations(subject: Subject, status: int) -> Iterator[tuple[Resource, Operation]]:
    for resource in subject.resources:
        if resource.create is None or resource.read is None:
            continue
        for operation in (*resource.changes, *((resource.delete,) if resource.delete is not None else ())):
            if takes_if_match(operation) and documents_exact_status(operation, status):
                yield resource, operation


def _check_condition(
    subject: Subject, resource: Resource, operation: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Send a change with a tag that no version has; then change a resource twice with the tag of its first
    version.
    """
    created = create_resource(subject, resource, send)
    before = read_created(subject, created, send)
    request = change_request(subject, created, operation)
    if request is None or before.answer is None or not before.answer.header("etag"):
        raise Unsendable("a valid request, and an `ETag` of the resource")
    request = with_new_idempotency_key(subject, operation, request)
    unmatched = send(operation, with_header(request, IF_MATCH, OTHER_VERSION))
    if is_success(unmatched):
        message = f"If-Match: {OTHER_VERSION} gets {unmatched.status}, and the tag is {before.answer.header('etag')}"
        yield _failure(operation, message, created.exchange, before, unmatched)
        return
    after = read_resource(subject, resource, created.id, send)
    differing = changed_after_rejection(subject, created, before, after, send)
    if unmatched.status == PRECONDITION_FAILED and differing:
        message = f"{unmatched.status}, and other values are read afterwards in: {', '.join(differing)}"
        yield replace(
            _failure(operation, message, created.exchange, before, unmatched, after),
            title="a rejected change is made all the same",
        )
    elif operation is not resource.delete:
        again = with_new_idempotency_key(subject, operation, request)
        any_version = send(operation, with_header(again, IF_MATCH, ANY_VERSION))
        before = read_resource(subject, resource, created.id, send)
        if any_version.status >= 500:
            message = f"If-Match: * gets {any_version.status}, and there is a version (RFC 9110 §13.1.1)"
            failure = _failure(operation, message, created.exchange, any_version)
            yield replace(failure, title="a change of any version is a server error")
        first = send(operation, with_if_match(operation, request, before))
        changed = read_resource(subject, resource, created.id, send)
        again = with_new_idempotency_key(subject, operation, request)
        outdated = send(operation, with_if_match(operation, again, before))
        tags = [
            exchange.answer.header("etag") if exchange.answer is not None else None
            for exchange in (before, changed)
        ]
        is_changed = changed.answer is not None and tags[0] != tags[1]
        if is_success(first) and is_changed and is_success(outdated):
            message = f"the tag of the version before the last change gets {outdated.status}"
            yield _failure(operation, message, created.exchange, before, first, outdated)
        elif not is_success(first) and unmatched.status != PRECONDITION_FAILED:
            raise Unsendable("a change that the deployment accepts")


def _check_unconditional_request(
    subject: Subject, resource: Resource, operation: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Send a change without a condition (RFC 6585 §3)."""
    created = create_resource(subject, resource, send)
    before = read_created(subject, created, send)
    request = change_request(subject, created, operation)
    if request is None or not is_success(before):
        raise Unsendable("a created resource that can be read, and a valid request")
    headers = tuple(pair for pair in request.headers if pair[0].lower() not in CONDITIONS)
    request = with_new_idempotency_key(subject, operation, replace(request, headers=headers))
    attempt = send(operation, request)
    if is_success(attempt):
        message = f"a request without `If-Match` gets {attempt.status}, and 428 is documented"
        failure = _failure(
            operation, message, created.exchange, before, attempt, status=PRECONDITION_REQUIRED
        )
        yield replace(failure, title="a change without a condition is accepted")


def _failure(
    operation: Operation, message: str, *evidence: Exchange, status: int = PRECONDITION_FAILED
) -> CheckFailure:
    return status_failure(
        operation, status, "a change of another version is not rejected", message, *evidence
    )


FAMILY = Family(
    name="preconditions",
    summary="versions protect from lost updates",
    words=CheckDescription(
        promise="A change or deletion with `If-Match` is rejected with 412 unless the tag is that of the current "
        "version, if the contract documents 412, and so is one whose body names an outdated version if 409 or 412 is "
        "documented for that. One without a condition is rejected if the contract documents 428.",
        test="A resource is created and read. It is changed with a tag that no version has, which must leave it "
        "as it was, then with its own tag, then with its own tag again, which is outdated by then. "
        "Where 428 is documented, unless its description limits that to some requests, a change or deletion is sent "
        "without `If-Match`. A resource is changed twice with the version that it had at first: it rises with the "
        "first change, and the second is rejected.",
        remedy="Compare the tag in the transaction that writes the change.",
        sources=("RFC 9110 §13.1.1", "RFC 9110 §15.5.13", "RFC 6585 §3"),
    ),
    needs="an operation with the header `If-Match` and a documented 412 or 428, or with a `version` or an `etag` in "
    "its body and a 409 or 412 about versions",
    probes=probes,
    about_state=True,
)
