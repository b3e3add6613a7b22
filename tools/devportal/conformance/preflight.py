"""Before anything is tested: the deployment answers, and the token gets past authentication."""

from collections.abc import Sequence

from devportal.conformance.credentials import is_secured, slots
from devportal.conformance.deployment import Deployment, Unsendable
from devportal.conformance.exchange import Request
from devportal.conformance.subject import Subject, label
from devportal.contract import Operation
from devportal.errors import DeploymentError, InvalidSettings

SAFE = ("GET", "HEAD", "OPTIONS")


def check_answers(subject: Subject, deployment: Deployment, *, when: str = "") -> None:
    """Raise DeploymentError where nothing answers at the base URL. Any HTTP status is an answer."""
    try:
        exchange = deployment.send(Request(method="GET", url=f"{subject.base_url}/"))
    except Unsendable as error:
        raise InvalidSettings(f"nothing can be sent to {subject.base_url!r}: {error}") from error
    if exchange.answer is None:
        raise DeploymentError(
            f"{subject.base_url} does not answer{when}",
            help="is it running, is the port right, and is its TLS certificate one that this machine trusts?",
        )


def check_credentials(subject: Subject, deployment: Deployment) -> None:
    """Raise where the contract demands a credential and none is given, or the given one is refused."""
    secured = [one for one in subject.operations if is_secured(one)]
    if not secured:
        return
    if not subject.token:
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
    for operation in sorted(secured, key=lambda one: one.method not in SAFE):
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


def _schemes(operations: Sequence[Operation]) -> str:
    names = {use.scheme for one in operations for requirement in one.security for use in requirement}
    return ", ".join(repr(name) for name in sorted(names))


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
