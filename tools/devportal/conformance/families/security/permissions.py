"""Operation × scope: a credential can do what its scopes allow, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from devportal.conformance.deployment.credentials import (
    VARIABLES,
    Credential,
    Role,
    credential_slots,
    is_secured,
)
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.request_variants import (
    ACCEPTED_REQUEST,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import is_success
from devportal.conformance.knowledge.resources.operation_resources import with_new_resource
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation

UNAUTHENTICATED, FORBIDDEN = REFUSAL_STATUSES = 401, 403
NAMED_SCOPE = "a scope in `security` or in `x-required-scopes` of the contract"
COLLECTION_METHODS = ("GET", "POST")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeRequirement:
    """The scopes that an operation requires, for each of its security requirements."""

    alternatives: tuple[frozenset[str], ...]

    @property
    def is_named(self) -> bool:
        """Whether any scope is required at all."""
        return any(self.alternatives)

    def is_met(self, scopes: frozenset[str]) -> bool:
        """Return whether scopes are enough. A requirement without scopes promises nothing about them."""
        return any(needed and needed <= scopes for needed in self.alternatives)

    def is_foreign(self, scopes: frozenset[str]) -> bool:
        """Return whether scopes include none of the required ones. Some contracts list scopes of which one is
        enough (OAS 3.0.3 §4.8.30 means all), so a credential with some of them is not tested.
        """
        return all(needed and not needed & scopes for needed in self.alternatives)

    @property
    def text(self) -> str:
        """The required scopes as text."""
        return " or ".join(" and ".join(sorted(alternative)) for alternative in self.alternatives)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield for each operation and each limited credential a probe: the request must be rejected, or must not
    be.
    """
    for credential in subject.parties.each(Role.LIMITED):
        for operation in subject.operations:
            if credential.scopes is None or not credential_slots(subject.api, operation):
                continue
            need, scopes = required_scopes(operation), frozenset(credential.scopes)
            if need.is_foreign(scopes):
                yield Probe(
                    operation=operation_label(operation),
                    run=partial(_check_refused, subject, operation, credential),
                )
            elif need.is_met(scopes) and _is_on_collection(operation):
                yield Probe(
                    operation=operation_label(operation),
                    run=partial(_check_allowed, subject, operation, credential),
                )


def required_scopes(operation: Operation) -> ScopeRequirement:
    """Return the scopes that an operation requires: those of each requirement, and those of the operation
    itself.
    """
    extra_scopes = frozenset(operation.scopes)
    alternatives = tuple(
        extra_scopes.union(*(frozenset(use.scopes) for use in requirement))
        for requirement in operation.security
    )
    return ScopeRequirement(alternatives=alternatives)


def missing_credential(subject: Subject) -> str:
    """Return the requirement that the run lacks: a credential without some scope, and its scopes."""
    limited = list(subject.parties.each(Role.LIMITED))
    if not any(
        is_secured(operation) and required_scopes(operation).is_named for operation in subject.operations
    ):
        return f"{NAMED_SCOPE}: it names none, so the limited credential tests nothing" if limited else ""
    if not limited:
        return (
            f"a credential without some scope: set {VARIABLES[Role.LIMITED]} and write the scopes that it "
            "has into the settings under credentials.limited.scopes"
        )
    if all(credential.scopes is None for credential in limited):
        return "the scopes of the limited credential: write them under credentials.limited.scopes"
    return ""


def _is_on_collection(operation: Operation) -> bool:
    """Return whether an operation names no resource: a resource could belong to another account."""
    return "{" not in operation.path and operation.method in COLLECTION_METHODS


def _check_refused(
    subject: Subject, operation: Operation, credential: Credential, send: Send
) -> Iterator[CheckFailure]:
    with with_new_resource(subject, operation, send) as prepared:
        exchange = send(operation, _request_as(prepared, operation, credential))
        yield from _unrefused_failures(operation, credential, exchange)
        # Another 4xx shows that the scope is checked only if the main credential gets further.
        is_other_refusal = 400 <= exchange.status < 500 and exchange.status not in REFUSAL_STATUSES
        if is_other_refusal and not is_success(send(operation, _request_as(prepared, operation, None))):
            raise Unsendable(ACCEPTED_REQUEST)


def _unrefused_failures(
    operation: Operation, credential: Credential, exchange: Exchange
) -> Iterator[CheckFailure]:
    if exchange.answer is not None and 400 <= exchange.status < 500:
        # Any rejection is correct: an earlier check of the request has not let it through either. Another check
        # reports an undocumented one.
        return
    outcome = "is accepted" if 200 <= exchange.status < 400 else "is not rejected with 403"
    yield _failure(
        operation,
        f"a credential without the scope {outcome}",
        f"{required_scopes(operation).text} is needed, and a credential with "
        f"{' and '.join(credential.scopes or ()) or 'no scope'} gets {exchange.outcome}",
        exchange,
    )


def _check_allowed(
    subject: Subject, operation: Operation, credential: Credential, send: Send
) -> Iterator[CheckFailure]:
    exchange = send(operation, _request_as(subject, operation, credential))
    if exchange.status == UNAUTHENTICATED:
        raise Unsendable("a limited credential that is valid")
    if exchange.status != FORBIDDEN:
        return
    main_exchange = send(operation, _request_as(subject, operation, None))
    if main_exchange.status == FORBIDDEN or main_exchange.answer is None:  # then the scope is not the reason
        return
    yield _failure(
        operation,
        "a credential with the scope is forbidden",
        f"{required_scopes(operation).text} is needed, and a credential that has it gets 403",
        main_exchange,
        exchange,
    )


def _request_as(subject: Subject, operation: Operation, credential: Credential | None) -> Request:
    request = subject.valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    return with_new_idempotency_key(
        subject, operation, subject.with_credential(operation, request, credential)
    )


def _failure(operation: Operation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    response = documented_response(operation, FORBIDDEN)
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=response.location if response is not None else operation.location.child("security"),
        evidence=evidence,
    )


FAMILY = Family(
    name="permissions",
    summary="scopes are enforced",
    words=CheckDescription(
        promise="An operation that requires a scope rejects credentials without it and accepts credentials "
        "with it.",
        test="A credential with few scopes calls every operation: operations that require other scopes "
        "must reject it, and operations that require its scopes must not return 403. The settings "
        "name it under `credentials.limited`, with its `scopes`; include the scopes that they imply.",
        remedy="Read the scopes of an operation from the contract, and check them before anything else is "
        "done.",
        sources=("RFC 6750 §3.1", "OAS 3.0.3 §4.8.30"),
    ),
    needs=NAMED_SCOPE,
    probes=probes,
    lacks=missing_credential,
)
