"""Operation × credential: requests without a valid credential get 401, which says how to authenticate."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from devportal.conformance.deployment.credentials import Carrier, credential_slots, is_secured
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.security.wrong_credentials import (
    NO_CREDENTIAL,
    WRONG_CREDENTIAL,
    CredentialAttempt,
    wrong_credential_attempts,
)
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.resources.created_resources import is_allowed_id
from devportal.conformance.knowledge.resources.operation_resources import (
    READ_METHODS,
    current_id,
    different_id,
    resource_of,
    with_new_resource,
)
from devportal.conformance.knowledge.response_check import (
    documented_response,
    documents_exact_status,
    documents_status,
)
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Api, Location, Operation
from devportal.contract.media_types import is_json

UNAUTHENTICATED = 401
UNKNOWN_CREDENTIALS = (NO_CREDENTIAL, WRONG_CREDENTIAL)
"""The attempts whose success shows that anybody gets access."""
SCHEME_SPELLINGS = (("in lower case", str.lower), ("in upper case", str.upper))


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield for each secured operation a probe of credentials that must be rejected, and one of those that
    must work.
    """
    for operation in subject.operations:
        if subject.bare(operation) is None or not credential_slots(subject.api, operation):
            continue
        yield Probe(operation=operation_label(operation), run=partial(_check_refused, subject, operation))
        harmless = _harmless_request(subject, operation)
        if harmless is not None:
            yield Probe(
                operation=operation_label(operation), run=partial(_check_scheme_case, operation, harmless)
            )


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for each 401 that does not say how to authenticate (RFC 9110 §15.5.2)."""
    for exchange in exchanges:
        operation, response = subject.operation(exchange.operation), exchange.answer
        if operation is None or response is None or not is_challenge(subject, exchange):
            continue
        if not (response.header("www-authenticate") or "").strip():
            yield CheckFailure(
                title="a 401 does not say how to authenticate",
                message="401 has no WWW-Authenticate header (RFC 9110 §15.5.2)",
                operation=exchange.operation,
                promise=unauthenticated_location(operation),
                evidence=(exchange,),
            )


def is_challenge(subject: Subject, exchange: Exchange) -> bool:
    """Return whether an exchange is a 401 that must say how to authenticate."""
    operation = subject.operation(exchange.operation)
    is_refused = exchange.answer is not None and exchange.status == UNAUTHENTICATED
    return is_refused and operation is not None and _uses_http(subject.api, operation)


def refusal_statuses(operation: Operation, *, is_malformed: bool = False) -> frozenset[int]:
    """Return the correct statuses: 401 (RFC 9110 §15.5.2), and those that the contract leaves open.

    A contract without 401 may mean 403. A malformed credential may be a malformed request (RFC 6750 §3.1).
    """
    statuses = {UNAUTHENTICATED}
    if not documents_status(operation, UNAUTHENTICATED):
        statuses.add(403)
    if is_malformed and documents_status(operation, 400):
        statuses.add(400)
    return frozenset(statuses)


def missing_refusal_failure(
    operation: Operation, description: str, statuses: frozenset[int], exchange: Exchange
) -> CheckFailure:
    """Return the failure of a credential that should have been refused."""
    names = " or ".join(str(status) for status in sorted(statuses))
    outcome = "is accepted" if 200 <= exchange.status < 300 else f"is not rejected with {names}"
    is_documented = documents_exact_status(operation, UNAUTHENTICATED)
    expected = f"the contract documents {names}" if is_documented else f"its `security` requires {names}"
    return CheckFailure(
        title=f"{description} {outcome}",
        message=f"the response to {description} is {exchange.status or 'none'}; {expected}",
        operation=operation_label(operation),
        promise=unauthenticated_location(operation),
        evidence=(exchange,),
    )


def _check_refused(subject: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    with with_new_resource(subject, operation, send) as prepared:
        bare = prepared.bare(operation)
        attempts = (
            wrong_credential_attempts(subject.api, operation, bare, subject.secret)
            if bare is not None
            else ()
        )
        for attempt in (*attempts, *_missing_resource_attempts(prepared, operation)):
            exchange = _send_attempt(operation, attempt, send)
            if exchange is None:
                continue
            statuses = refusal_statuses(operation, is_malformed=attempt.is_malformed)
            if exchange.status in statuses or (attempt.is_extreme and 400 <= exchange.status < 500):
                continue
            yield missing_refusal_failure(operation, attempt.title, statuses, exchange)
            is_accepted = 200 <= exchange.status < 300
            if is_accepted and (attempt.title in UNKNOWN_CREDENTIALS or operation.method not in READ_METHODS):
                return  # if anybody gets access, further attempts are the same failure; a change cannot be undone


def _send_attempt(operation: Operation, attempt: CredentialAttempt, send: Send) -> Exchange | None:
    """Return the exchange of an attempt, None if it cannot be sent."""
    try:
        # The HTTP server may reject an extreme request before the API sees it: not a response of the operation.
        return send(None if attempt.is_extreme else operation, attempt.request)
    except Unsendable:
        if attempt.title == NO_CREDENTIAL:
            raise  # then the operation must not be requested at all
        return None


def _missing_resource_attempts(subject: Subject, operation: Operation) -> Iterator[CredentialAttempt]:
    """Yield an attempt without a credential at a resource that does not exist: only authenticated clients may
    learn that.
    """
    resource = resource_of(subject, operation)
    value = different_id(current_id(subject, resource)) if resource is not None else ""
    if resource is None or not value or not is_allowed_id(subject, resource, value):
        return
    request = with_resource_id(subject, resource, value).bare(operation)
    if request is not None:
        yield CredentialAttempt(
            title="a request for a missing resource without a credential", request=request
        )


def _harmless_request(subject: Subject, operation: Operation) -> Request | None:
    """Return a request with the correct bearer token that changes nothing, None if none is known.

    An operation that creates or changes something gets an invalid body: the token is checked first.
    """
    needed = credential_slots(subject.api, operation) or ()
    request = subject.valid(operation)
    if request is None or {slot.carrier for slot in needed} - {Carrier.BEARER, Carrier.BASIC}:
        return None
    if operation.method in READ_METHODS:
        return request
    is_body_json = any(name.lower() == "content-type" and is_json(text) for name, text in request.headers)
    return replace(request, body=b"[]") if is_body_json and operation.method != "DELETE" else None


def _check_scheme_case(operation: Operation, request: Request, send: Send) -> Iterator[CheckFailure]:
    """Yield a failure if the name of the scheme works in one case only (RFC 9110 §11.1)."""
    plain = send(operation, request)
    if plain.answer is None or plain.status in (401, 403) or plain.status >= 500:
        raise Unsendable("a credential that the operation accepts")
    for spelling, spell in SCHEME_SPELLINGS:
        exchange = send(operation, _with_scheme(request, spell))
        if exchange.status in (401, 403) or exchange.status >= 500 or exchange.answer is None:
            yield CheckFailure(
                title=f"the scheme name {spelling} is not accepted",
                message=f"with the usual scheme name the response is {plain.status}, {spelling} it is "
                f"{exchange.status or 'none'}; scheme names are case-insensitive (RFC 9110 §11.1)",
                operation=operation_label(operation),
                promise=operation.location,
                evidence=(plain, exchange),
                is_pedantic=exchange.status in (401, 403),
            )


def _with_scheme(request: Request, spell: Callable[[str], str]) -> Request:
    headers = []
    for name, value in request.headers:
        scheme, space, rest = value.partition(" ")
        is_credential = name.lower() == "authorization"
        headers.append((name, f"{spell(scheme)}{space}{rest}" if is_credential else value))
    return replace(request, headers=tuple(headers))


def _uses_http(api: Api, operation: Operation) -> bool:
    names = {use.scheme for requirement in operation.security for use in requirement}
    kinds = {
        security_scheme.kind for security_scheme in api.security_schemes if security_scheme.name in names
    }
    return is_secured(operation) and "http" in kinds


def unauthenticated_location(operation: Operation) -> Location:
    """Return where the contract promises that a request without a valid credential is rejected."""
    response = documented_response(operation, UNAUTHENTICATED)
    return response.location if response is not None else operation.location.child("security")


FAMILY = Family(
    name="authentication",
    summary="access requires a valid credential",
    words=CheckDescription(
        promise="A request without a valid credential is rejected with 401 on every operation that requires "
        "one, whether or not the resource exists. A 401 of an HTTP scheme has a `WWW-Authenticate` "
        "header. Scheme names are case-insensitive.",
        test="Each operation is called without a credential, with a wrong one, an empty one, the right one"
        " with a character removed and added, with another scheme, with the right one under an "
        "unknown scheme or in a place that the contract does not name, with only some of several "
        "required credentials, and without one for a resource that does not exist. A malformed "
        "credential may also return 400 if that is documented. A very long one and a non-ASCII one "
        "must not cause a server error. Finally the right one is sent with the scheme name in lower "
        "and upper case.",
        remedy="Authenticate before anything else, and compare whole credentials. Document 401 on each "
        "secured operation, and send `WWW-Authenticate` with it.",
        sources=("RFC 9110 §11.1", "RFC 9110 §15.5.2", "RFC 6750 §3.1"),
    ),
    needs="an operation with `security` for which a request can be built",
    probes=probes,
    beside=True,
    sees=find_failures,
    compares=is_challenge,
)
