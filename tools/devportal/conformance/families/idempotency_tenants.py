"""An idempotency key belongs to who used it: another account's request with the same key is its own."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.credentials import VARIABLES, Role
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.created_resources import is_success
from devportal.conformance.knowledge.idempotent_operations import (
    IdempotentOperation,
    idempotency_failure,
    idempotent_operations,
    send_first_request,
    sent_key,
    unused_key,
)
from devportal.conformance.knowledge.test_target import Subject, operation_label

RETRY_LATER_STATUSES = (425, 429, 503)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that takes a key and makes something."""
    for one in idempotent_operations(subject):
        if one.key:
            yield Probe(operation=operation_label(one.operation), run=partial(_check_shared_key, one))


def missing_credential(subject: Subject) -> str:
    """Say what is missing: somebody else."""
    if subject.other(Role.OTHER_TENANT) is not None or not any(
        one.key for one in idempotent_operations(subject)
    ):
        return ""
    return f"a credential of another account: set {VARIABLES[Role.OTHER_TENANT]}"


def _check_shared_key(one: IdempotentOperation, send: Send) -> Iterator[CheckFailure]:
    stranger = one.subject.other(Role.OTHER_TENANT)
    request, start = send_first_request(one, send)
    if stranger is None:
        raise Unsendable("there is nobody else")
    theirs = one.subject.authorised(one.operation, request, stranger)
    same = send(one.operation, one.request(theirs, sent_key(one, start)))
    own = send(one.operation, one.request(theirs, unused_key(one)))
    if not is_success(own):
        raise Unsendable("the other account may not do this at all")
    if (
        is_success(same)
        and one.created_id(same) is not None
        and one.created_id(same) == one.created_id(start)
    ):
        message = (
            f"the key of one account gives another account {one.created_id(same)!r}, which is not theirs"
        )
        yield idempotency_failure(one, "another account gets the result of a key", message, start, same)
    elif not is_success(same) and same.status not in RETRY_LATER_STATUSES:
        message = f"a key that another account has used gets {same.outcome}"
        yield idempotency_failure(one, "a key of another account is refused", message, start, same)


FAMILY = Family(
    name="idempotency-tenants",
    summary="idempotency keys are each account's own",
    words=CheckDescription(
        promise="Two accounts can use the same idempotency key: neither sees the other's result, nor is "
        "refused because of it.",
        test="A credential of another account sends a request with a key that the first has used.",
        remedy="Make the account a part of the unique index of keys.",
        sources=("draft-ietf-httpapi-idempotency-key-header-07 §5",),
    ),
    probes=probes,
    lacks=missing_credential,
    about_state=True,
)
