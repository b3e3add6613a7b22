"""Before anything is tested: the deployment answers, the credentials get past authentication, the clocks
agree, and this looks like the base URL.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice

from devportal.conformance.credentials import is_secured, slots
from devportal.conformance.deployment import Deployment
from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.families.wrong_credentials import WRONG
from devportal.conformance.family import sent_or_none
from devportal.conformance.hints import other_base_urls
from devportal.conformance.line import Unsendable
from devportal.conformance.pace import SAFE_METHODS
from devportal.conformance.parties import Party, Role
from devportal.conformance.probing import Direct, Sender
from devportal.conformance.run_log import RunLog
from devportal.conformance.subject import Subject, label
from devportal.conformance.tls import tls_advice
from devportal.contract import Operation
from devportal.errors import DeploymentError, InvalidSettings

LARGEST_SKEW_S = 60.0
"""Clocks may differ by so much, and an answer may take a while."""
ENOUGH = 5
"""So many operations without parameters in their path tell whether this is the base URL."""
NOT_FOUND = 404


def preflight(subject: Subject, send: Sender, log: RunLog) -> None:
    """Raise where a run would prove nothing; tell what somebody should know at once."""
    deployment = send.judge.deployment
    check_answers(subject, deployment)
    check_credentials(subject, deployment)
    check_others(subject, deployment)
    for note in _clock(subject, deployment):
        log.say(note)
        log.notes.append(note)
    # The result tells these too, as a hint and as failures.
    for note in (*_address(subject, deployment), *_doors(subject, deployment)):
        log.say(note)


def check_answers(subject: Subject, deployment: Deployment, *, when: str = "") -> None:
    """Raise DeploymentError where nothing answers at the base URL. Any HTTP status is an answer."""
    try:
        exchange = deployment.send(Request(method="GET", url=f"{subject.base_url}/"))
    except Unsendable as error:
        raise InvalidSettings(f"nothing can be sent to {subject.base_url!r}: {error}") from error
    if exchange.answer is None:
        why = f": {exchange.unanswered}" if exchange.unanswered else ""
        raise DeploymentError(
            f"{subject.base_url} does not answer{when}{why}",
            help=tls_advice(exchange.unanswered) or _advice(subject.base_url),
        )


def _advice(url: str) -> str:
    """Return what to look at if nothing answers. A server may close the connection of a client whose
    certificate it refuses without an alert.
    """
    if url.startswith("https:"):
        return (
            "is it running, is the port right, and does it speak TLS? If it asks for a client certificate: "
            "does it accept the one given with --cert?"
        )
    return "is it running, is the port right, and does it speak TLS where the address says https?"


def check_credentials(subject: Subject, deployment: Deployment) -> None:
    """Raise where the contract demands a credential and none is given, or the given one is refused."""
    secured = [one for one in subject.operations if is_secured(one)]
    if not secured:
        return
    if not subject.secret:
        raise InvalidSettings(
            f"the contract demands a credential for {len(secured)} of {len(subject.operations)} operations, "
            "and none was given: without one a run proves nothing",
            help="set DEVPORTAL_TOKEN or give --token (for HTTP Basic as 'user:password')",
        )
    if all(slots(subject.api, one) is None for one in secured):
        raise InvalidSettings(
            f"the security schemes of the contract cannot be tried with one secret: {_schemes(secured)}",
            help="a run can send a bearer token, an API key or HTTP Basic; not HTTP digest or mutual TLS",
        )
    # None: a valid request cannot be written here. Where all are, the run itself must show a success.
    refused: list[Operation] = []
    for operation in _harmless_first(secured):
        match _is_refused(subject, deployment, operation):
            case False:
                return
            case True:
                refused.append(operation)
    if refused:
        raise DeploymentError(
            f"{subject.base_url} refuses the token with 401 on every operation that was tried, "
            f"{label(refused[0])} among them",
            help="is the token one of this environment, and not expired? Its value is not shown here",
        )


def check_others(subject: Subject, deployment: Deployment) -> None:
    """Raise DeploymentError for a credential of another role that is refused, but for those that must be."""
    for party in subject.parties.everyone:
        if party.role not in (Role.OTHER_TENANT, Role.LIMITED):
            continue
        # Only reading: what another account holds is no business of this check.
        reading = [one for one in _secured_reads(subject) if "{" not in one.path]
        tried = [_asked_as(subject, deployment, one, party) for one in reading[:ENOUGH]]
        statuses = [one.status for one in tried if one is not None]
        if statuses and all(status == 401 for status in statuses):
            raise DeploymentError(
                f"{subject.base_url} refuses the credential {party.role.value!r} ({party.name}) with 401 on "
                f"every operation that was tried, {label(reading[0])} among them",
                help="is it one of this environment, and not expired? Or run without it",
            )


def _clock(subject: Subject, deployment: Deployment) -> Iterator[str]:
    exchange = deployment.send(Request(method="GET", url=f"{subject.base_url}/"))
    skew_s = skew_of(exchange)
    if skew_s is not None and abs(skew_s) > LARGEST_SKEW_S:
        way = "ahead of" if skew_s > 0 else "behind"
        yield (
            f"the clock of the deployment is {abs(skew_s):,.0f} s {way} that of this machine (Date: "
            f"{exchange.answer.header('date') if exchange.answer is not None else ''}): mend one of them, or "
            "read failures about times with that in mind"
        )


def skew_of(exchange: Exchange) -> float | None:
    """Return how many seconds the clock of who answered is ahead, None where its Date (RFC 9110 §6.6.1) does
    not say.
    """
    text = exchange.answer.header("date") if exchange.answer is not None else None
    try:
        there = parsedate_to_datetime(text or "")
    except (TypeError, ValueError):
        return None
    if there.tzinfo is None:
        there = there.replace(tzinfo=UTC)
    elapsed_s = exchange.answer.elapsed_s if exchange.answer is not None else 0.0
    return (there - datetime.fromtimestamp(exchange.sent_at + elapsed_s / 2, UTC)).total_seconds()


def _address(subject: Subject, deployment: Deployment) -> Iterator[str]:
    """Say so where everything is 404: then this is hardly the base URL."""
    fixed = [one for one in subject.operations if "{" not in one.path and one.method in SAFE_METHODS]
    asked = (_asked_as(subject, deployment, one, None) for one in fixed[:ENOUGH])
    statuses = [one.status for one in asked if one is not None]
    if statuses and all(status == NOT_FOUND for status in statuses):
        yield (
            f"all addresses of the contract that were tried are 404, {fixed[0].path} among them. Is "
            f"{subject.base_url} the base URL?{other_base_urls(subject)}"
        )


def _doors(subject: Subject, deployment: Deployment) -> Iterator[str]:
    """Say so where a made-up credential is as good as any: the authentication checks will report it."""
    stranger = Party(role=Role.MAIN, secret=WRONG, name="DEVPORTAL_WRONG_TOKEN")
    for operation in islice(_secured_reads(subject), ENOUGH):
        exchange = _asked_as(subject, deployment, operation, stranger)
        if exchange is not None and exchange.answer is not None and exchange.answer.is_success:
            yield f"{label(operation)} lets anybody in: a made-up token gets {exchange.status}"
            return


def _schemes(operations: Sequence[Operation]) -> str:
    names = {use.scheme for one in operations for requirement in one.security for use in requirement}
    return ", ".join(repr(name) for name in sorted(names))


def _harmless_first(operations: Sequence[Operation]) -> list[Operation]:
    return sorted(operations, key=lambda one: one.method not in SAFE_METHODS)


def _secured_reads(subject: Subject) -> Iterator[Operation]:
    for one in subject.operations:
        if is_secured(one) and slots(subject.api, one) and one.method in SAFE_METHODS:
            yield one


def _asked_as(
    subject: Subject, deployment: Deployment, operation: Operation, party: Party | None
) -> Exchange | None:
    """Return what a party (None: the main one) is answered; None where that cannot be asked."""
    return sent_or_none(Direct(deployment), operation, subject.valid(operation, party))


def _is_refused(subject: Subject, deployment: Deployment, operation: Operation) -> bool | None:
    """Say whether a valid request with the token gets 401; None where it cannot be made."""
    request = subject.valid(operation)
    if request is None or not slots(subject.api, operation):
        return None
    exchange = deployment.send(request, operation=label(operation))
    if exchange.answer is None:
        raise DeploymentError(
            f"{label(operation)} gets no answer from {subject.base_url}", help="see the log of the deployment"
        )
    return exchange.status == 401
