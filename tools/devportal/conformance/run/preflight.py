"""Checks before a run that the deployment responds, credentials work and clocks agree."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from urllib.parse import urlsplit

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.credentials import Credential, Role, credential_slots, is_secured
from devportal.conformance.deployment.exchange import SAFE_METHODS, Exchange, HttpResponse, Request
from devportal.conformance.deployment.http_connection import (
    NO_TLS,
    NOT_HTTP,
    UNKNOWN_HOST,
    Unsendable,
    tls_advice,
)
from devportal.conformance.families.security.wrong_credentials import WRONG_SECRET
from devportal.conformance.family import send_or_none
from devportal.conformance.knowledge.response_check import AUTHENTICATION_STATUSES
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.run.credential_advice import rejected_token_advice
from devportal.conformance.run.probing import DirectSender, LoggingSender
from devportal.conformance.run.run_log import RunLog
from devportal.contract import Operation
from devportal.errors import DeploymentError, InvalidSettings

NEARLY_ALL = 0.9
UNAUTHENTICATED, NOT_FOUND = 401, 404
REDIRECTS = frozenset({301, 302, 303, 307, 308})
HTML = "text/html"
GATEWAY_STATUSES = frozenset({0, 502, 503, 504})
"""No response, and the statuses of a gateway without a backend (RFC 9110 §15.6)."""
FEWEST_UNSTEADY, FEWEST_OPERATIONS = 5, 3
MOST_UNSTEADY = 0.5
"""A deployment that is down most of the time is not unsteady."""


def failure_hints(subject: Subject, exchanges: Sequence[Exchange]) -> Iterator[str]:
    """Yield hints on what to look at first."""
    responses = [exchange.answer for exchange in exchanges if exchange.answer is not None]
    if count_text := _count_if_nearly_all(responses, lambda http_response: http_response.status == NOT_FOUND):
        yield f"{count_text} are 404. Is {subject.base_url} the base URL?{other_base_urls(subject)}"
    elif count_text := _count_if_nearly_all(
        responses, lambda http_response: bool(_redirect_target(http_response))
    ):
        yield f"{count_text} lead elsewhere, such as to {max(map(_redirect_target, responses))[:200]!r}. {_IN_FRONT}"
    elif not _promises_html(subject) and (
        count_text := _count_if_nearly_all(responses, lambda http_response: http_response.media_type == HTML)
    ):
        yield f"{count_text} are pages of HTML, of which the contract says nothing. {_IN_FRONT}"
    elif subject.secret and (count_text := _count_if_nearly_all(responses, _is_access_denied)):
        denied = [response for response in responses if response.status == UNAUTHENTICATED] or responses
        yield f"{count_text} are 401 or 403: {rejected_token_advice(subject, denied)}"
    yield from _unstable_gateway_hints(exchanges)


def _is_access_denied(response: HttpResponse) -> bool:
    return response.status in AUTHENTICATION_STATUSES


_IN_FRONT = "Is a login or another site in front of the deployment?"


def other_base_urls(subject: Subject) -> str:
    """Return the base URLs of the contract's servers if their path differs."""
    base = urlsplit(subject.base_url)
    paths = dict.fromkeys(urlsplit(server.address).path.rstrip("/") for server in subject.api.servers)
    others = [path for path in paths if path != base.path.rstrip("/")]
    if not others:
        return ""
    tries = " or ".join(f"{base.scheme}://{base.netloc}{path}" for path in others[:3])
    return f" The contract's servers have another path: try {tries}."


def _count_if_nearly_all(responses: Sequence[HttpResponse], is_so: Callable[[HttpResponse], bool]) -> str:
    """Return how many responses match if nearly all do; else the empty text."""
    count = sum(map(is_so, responses))
    return f"{count} of {len(responses)} responses" if count and count >= NEARLY_ALL * len(responses) else ""


def _redirect_target(response: HttpResponse) -> str:
    """Return the target of a redirect, empty for other responses."""
    return (response.header("location") or "") if response.status in REDIRECTS else ""


def _promises_html(subject: Subject) -> bool:
    return any(
        media.name.lower().startswith(HTML)
        for operation in subject.operations
        for response in operation.responses
        for media in response.content
    )


def _unstable_gateway_hints(exchanges: Sequence[Exchange]) -> Iterator[str]:
    """Yield a hint that a gateway is unsteady: every check reports its errors, in its own words."""
    gateway_errors = [exchange for exchange in exchanges if exchange.status in GATEWAY_STATUSES]
    operations = {gateway_error.operation for gateway_error in gateway_errors}
    if (
        len(gateway_errors) >= FEWEST_UNSTEADY
        and len(operations) >= FEWEST_OPERATIONS
        and len(gateway_errors) < MOST_UNSTEADY * len(exchanges)
    ):
        outcomes = ", ".join(
            str(number) if number else "no response"
            for number in sorted({gateway_error.status for gateway_error in gateway_errors})
        )
        yield (
            f"{len(gateway_errors)} of {len(exchanges)} requests, of {len(operations)} operations, got {outcomes}: "
            "what is in front of the deployment, or the way there, seems unsteady. Look at that first."
        )


LARGEST_SKEW_S = 60.0
"""Clocks may differ by this much, and a response may take a while."""
MOST_TRIED = 5
"""This many operations without path parameters show whether the base URL is correct."""


def preflight(subject: Subject, send: LoggingSender, log: RunLog) -> None:
    """Raise if a run would prove nothing; show what should be known at once."""
    deployment = send.context.deployment
    check_responds(subject, deployment)
    check_credentials(subject, deployment)
    check_other_credentials(subject, deployment)
    for note in _clock_notes(subject, deployment):
        log.show_note(note)
        log.notes.append(note)
    # The result reports these too, as a hint and as failures.
    for note in (*_base_url_notes(subject, deployment), *_open_access_notes(subject, deployment)):
        log.show_note(note)


def check_responds(subject: Subject, deployment: Deployment, *, when: str = "") -> None:
    """Raise DeploymentError if the base URL does not respond. Any HTTP status is a response."""
    try:
        exchange = deployment.send(Request(method="GET", url=f"{subject.base_url}/"))
    except Unsendable as error:
        raise InvalidSettings(f"nothing can be sent to {subject.base_url!r}: {error}") from error
    if exchange.answer is None:
        why = f": {exchange.unanswered}" if exchange.unanswered else ""
        proxy = deployment.proxy_of(subject.base_url)
        through = f" through the proxy {proxy}" if proxy else ""
        raise DeploymentError(
            f"{subject.base_url} does not respond{when}{through}{why}",
            help=tls_advice(exchange.unanswered)
            or _connection_advice(subject.base_url, exchange.unanswered, proxy),
        )


def _connection_advice(url: str, failure: str, proxy: str) -> str:
    """Return what to check if nothing responds. A server may close the connection of a client whose
    certificate it rejects without an alert.
    """
    if proxy:
        return (
            "is the proxy running, does it need a user and a password, and does it reach the deployment? It comes from "
            "--proxy, or from the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY), where NO_PROXY names exceptions"
        )
    if failure == UNKNOWN_HOST:
        return (
            "is its name spelled correctly, and does this machine need a VPN or a proxy (--proxy) to find it?"
        )
    if failure == NO_TLS:
        return "give its URL with http, or the port where it speaks TLS"
    if failure == NOT_HTTP:
        return "is the port right, and is it that of an HTTP server? One that requires TLS needs https in URL"
    if url.startswith("https:"):
        return (
            "is it running, is the port right, and does it speak TLS? If it asks for a client certificate: "
            "does it accept the one given with --cert?"
        )
    return "is it running, is the port right, and does it speak TLS if the address says https?"


def check_credentials(subject: Subject, deployment: Deployment) -> None:
    """Raise if the contract requires a credential and none is given, or the given one is rejected."""
    secured = [operation for operation in subject.operations if is_secured(operation)]
    if not secured:
        return
    if not subject.secret:
        raise InvalidSettings(
            f"the contract requires a credential for {len(secured)} of {len(subject.operations)} operations, "
            "but none was given. Without one, a run proves nothing",
            help="set DEVPORTAL_TOKEN or give --token (for HTTP Basic as 'user:password')",
        )
    if all(credential_slots(subject.api, operation) is None for operation in secured):
        raise InvalidSettings(
            f"the security schemes of the contract cannot be tried with one secret: {_scheme_names(secured)}",
            help="a run can send a bearer token, an API key or HTTP Basic; not HTTP digest or mutual TLS",
        )
    # None: a valid request cannot be written. If that holds for all, the run itself must show a success.
    refusals: dict[str, HttpResponse] = {}
    for operation in _safe_methods_first(secured):
        response = _response_to_token(subject, deployment, operation)
        if response is not None and response.status != UNAUTHENTICATED:
            return
        if response is not None:
            refusals[operation_label(operation)] = response
    if refusals:
        raise DeploymentError(
            f"{subject.base_url} rejects the token with 401 on every operation that was tried, including "
            f"{next(iter(refusals))}",
            help=rejected_token_advice(subject, refusals.values()),
        )


def check_other_credentials(subject: Subject, deployment: Deployment) -> None:
    """Raise DeploymentError for a credential of another role that is rejected and should not be."""
    for credential in subject.parties.everyone:
        if credential.role not in (Role.OTHER_TENANT, Role.LIMITED):
            continue
        # Read only: this check must not change what another account holds.
        reading = [secured_read for secured_read in _secured_reads(subject) if "{" not in secured_read.path]
        tried = [
            _send_with_credential(subject, deployment, operation, credential)
            for operation in reading[:MOST_TRIED]
        ]
        statuses = [exchange.status for exchange in tried if exchange is not None]
        if statuses and all(status == 401 for status in statuses):
            raise DeploymentError(
                f"{subject.base_url} rejects the credential {credential.role.value!r} ({credential.name}) with 401 on "
                f"every operation that was tried, {operation_label(reading[0])} among them",
                help="is it one of this environment, and not expired? Or run without it",
            )


def _clock_notes(subject: Subject, deployment: Deployment) -> Iterator[str]:
    exchange = deployment.send(Request(method="GET", url=f"{subject.base_url}/"))
    skew_s = clock_skew_s(exchange)
    if skew_s is not None and abs(skew_s) > LARGEST_SKEW_S:
        direction = "ahead of" if skew_s > 0 else "behind"
        yield (
            f"the clock of the deployment is {abs(skew_s):,.0f} s {direction} that of this machine (Date: "
            f"{exchange.answer.header('date') if exchange.answer is not None else ''}): fix one of them, or "
            "read failures about times with that in mind"
        )


def clock_skew_s(exchange: Exchange) -> float | None:
    """Return how many seconds the deployment's clock is ahead, None if its Date (RFC 9110 §6.6.1) is missing
    or invalid.
    """
    text = exchange.answer.header("date") if exchange.answer is not None else None
    try:
        their_time = parsedate_to_datetime(text or "")
    except (TypeError, ValueError):
        return None
    if their_time.tzinfo is None:
        their_time = their_time.replace(tzinfo=UTC)
    elapsed_s = exchange.answer.elapsed_s if exchange.answer is not None else 0.0
    return (their_time - datetime.fromtimestamp(exchange.sent_at + elapsed_s / 2, UTC)).total_seconds()


def _base_url_notes(subject: Subject, deployment: Deployment) -> Iterator[str]:
    """Yield a note if everything is 404: then the base URL is probably wrong."""
    fixed = [
        operation
        for operation in subject.operations
        if "{" not in operation.path and operation.method in SAFE_METHODS
    ]
    exchanges = (
        _send_with_credential(subject, deployment, operation, None) for operation in fixed[:MOST_TRIED]
    )
    statuses = [exchange.status for exchange in exchanges if exchange is not None]
    if statuses and all(status == NOT_FOUND for status in statuses):
        yield (
            f"all addresses of the contract that were tried are 404, {fixed[0].path} among them. Is "
            f"{subject.base_url} the base URL?{other_base_urls(subject)}"
        )


def _open_access_notes(subject: Subject, deployment: Deployment) -> Iterator[str]:
    """Yield a note if a made-up credential is accepted: the authentication checks will report it."""
    made_up = Credential(role=Role.MAIN, secret=WRONG_SECRET, name="DEVPORTAL_WRONG_TOKEN")
    for operation in islice(_secured_reads(subject), MOST_TRIED):
        exchange = _send_with_credential(subject, deployment, operation, made_up)
        if exchange is not None and exchange.is_success:
            yield f"{operation_label(operation)} lets anybody in: a made-up token gets {exchange.status}"
            return


def _scheme_names(operations: Sequence[Operation]) -> str:
    names = {
        use.scheme for operation in operations for requirement in operation.security for use in requirement
    }
    return ", ".join(repr(name) for name in sorted(names))


def _safe_methods_first(operations: Sequence[Operation]) -> list[Operation]:
    return sorted(operations, key=lambda operation: operation.method not in SAFE_METHODS)


def _secured_reads(subject: Subject) -> Iterator[Operation]:
    for operation in subject.operations:
        if (
            is_secured(operation)
            and credential_slots(subject.api, operation)
            and operation.method in SAFE_METHODS
        ):
            yield operation


def _send_with_credential(
    subject: Subject, deployment: Deployment, operation: Operation, credential: Credential | None
) -> Exchange | None:
    """Return the exchange with a credential (None: the main one); None if it cannot be sent."""
    return send_or_none(DirectSender(deployment), operation, subject.valid(operation, credential))


def _response_to_token(subject: Subject, deployment: Deployment, operation: Operation) -> HttpResponse | None:
    """Return the response to a valid request with the token; None if no request can be written."""
    request = subject.valid(operation)
    if request is None or not credential_slots(subject.api, operation):
        return None
    exchange = deployment.send(request, operation=operation_label(operation))
    if exchange.answer is None:
        raise DeploymentError(
            f"{operation_label(operation)} gets no response from {subject.base_url}",
            help="see the log of the deployment",
        )
    return exchange.answer
