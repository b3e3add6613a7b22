"""Operation × expired or revoked credential: it is rejected like an unknown one."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.credentials import VARIABLES, Role, credential_slots
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.security.authentication import missing_refusal_failure, refusal_statuses
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.resources.operation_resources import with_new_resource
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that demands a credential."""
    for operation in _secured_operations(subject):
        yield Probe(operation=operation_label(operation), run=partial(_check_refused, subject, operation))


def missing_credential(subject: Subject) -> str:
    """Return the requirement that the run lacks: an expired or revoked credential."""
    if subject.other(Role.EXPIRED) is not None or not any(_secured_operations(subject)):
        return ""
    return f"a credential that has expired or was revoked: set {VARIABLES[Role.EXPIRED]}"


def _secured_operations(subject: Subject) -> Iterator[Operation]:
    return (operation for operation in subject.operations if credential_slots(subject.api, operation))


def _check_refused(subject: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    statuses = refusal_statuses(operation)
    with with_new_resource(subject, operation, send) as prepared:
        for credential in subject.parties.each(Role.EXPIRED):
            request = prepared.valid(operation, credential)
            if request is None:
                raise Unsendable(NO_VALID_REQUEST)
            exchange = send(operation, request)
            if exchange.status not in statuses:
                yield missing_refusal_failure(
                    operation, "an expired or revoked credential", statuses, exchange
                )
                return


FAMILY = Family(
    name="expired-credentials",
    summary="expired and revoked credentials are rejected",
    words=CheckDescription(
        promise="An expired or revoked credential is rejected with 401 on every operation that requires a "
        "credential.",
        test="Each operation is called with the credentials from `credentials.expired` in the settings. "
        "You can name several: an expired one and a revoked one.",
        remedy="Check the expiry whenever you look up a credential, and let no cache outlive it.",
        sources=("RFC 9110 §15.5.2", "RFC 6750 §3.1"),
    ),
    needs="an operation with `security`",
    probes=probes,
    beside=True,
    lacks=missing_credential,
)
