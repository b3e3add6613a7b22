"""An idempotency key belongs to its account: another account can use the same key for its own request."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.credentials import VARIABLES, Role
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.resources.created_resources import CREATED_ID, is_success
from devportal.conformance.knowledge.resources.idempotent_operations import (
    IdempotentOperation,
    idempotency_failure,
    idempotent_operations,
    send_first_request,
    sent_key,
    unused_key,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract.wording import quote_value

RETRY_LATER_STATUSES = (425, 429, 503)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that takes a key and creates a resource."""
    for idempotent in idempotent_operations(subject):
        if idempotent.resource is not None:
            yield Probe(
                operation=operation_label(idempotent.operation), run=partial(_check_shared_key, idempotent)
            )


def missing_credential(subject: Subject) -> str:
    """Return the requirement that the run lacks: another account."""
    if subject.other(Role.OTHER_TENANT) is not None or not any(
        idempotent.resource for idempotent in idempotent_operations(subject)
    ):
        return ""
    return f"a credential of another account: set {VARIABLES[Role.OTHER_TENANT]}"


def _check_shared_key(idempotent: IdempotentOperation, send: Send) -> Iterator[CheckFailure]:
    other_account = idempotent.subject.other(Role.OTHER_TENANT)
    request, first = send_first_request(idempotent, send)
    if other_account is None:
        raise Unsendable("a credential of another account")
    theirs = idempotent.subject.with_credential(idempotent.operation, request, other_account)
    same = send(idempotent.operation, idempotent.with_key(theirs, sent_key(idempotent, first)))
    own = send(idempotent.operation, idempotent.with_key(theirs, unused_key(idempotent)))
    if not is_success(own):
        raise Unsendable("a credential of another account that may use the operation")
    shown_id = idempotent.created_id(same)
    if is_success(same) and shown_id is None:
        raise Unsendable(CREATED_ID)
    if is_success(same) and shown_id is not None and shown_id == idempotent.created_id(first):
        message = f"the key of one account gives another account {quote_value(shown_id)}, which is not theirs"
        yield idempotency_failure(
            idempotent, "another account gets the result of a key", message, first, same
        )
    elif not is_success(same) and same.status not in RETRY_LATER_STATUSES:
        message = f"a key that another account has used gets {same.outcome}"
        yield idempotency_failure(idempotent, "a key of another account is rejected", message, first, same)


FAMILY = Family(
    name="idempotency-tenants",
    summary="idempotency keys are separate for each account",
    words=CheckDescription(
        promise="Two accounts can use the same idempotency key: neither receives the other's result or is "
        "rejected because of it.",
        test="Another account's credential sends a request with a key that the first account used.",
        remedy="Add the account to the unique index of keys.",
        sources=("draft-ietf-httpapi-idempotency-key-header-07 §5",),
    ),
    needs="an operation that creates something and takes an idempotency key",
    probes=probes,
    lacks=missing_credential,
    about_state=True,
)
