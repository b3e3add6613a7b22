"""Messages sent by checks: accepted, followed to their end, or refused."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.credentials import Credential
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.created_resources import response_json, with_resource_id
from devportal.conformance.knowledge.request_variants import with_new_idempotency_key
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.contract import Operation, ProblemType
from devportal.errors import DeploymentError, InvalidSettings
from telecom.conformance.settings import PLUGIN, ClockRequest, settings_of
from telecom.problems import ProblemKind

SEND_MESSAGE, READ_MESSAGE = "sendMessage", "retrieveMessage"


def operation_of(subject: Subject, name: str) -> Operation | None:
    """Return the tested operation with an operationId, None where there is none."""
    return next((one for one in subject.operations if one.id == name), None)


def missing_operations(*names: str) -> Callable[[Subject], str]:
    """Return what says which of some operations a run does not test."""

    def lacks(subject: Subject) -> str:
        missing = [one for one in names if operation_of(subject, one) is None]
        return f"operations that are tested: {', '.join(missing)}" if missing else ""

    return lacks


def require_operation(subject: Subject, name: str) -> Operation:
    """Return a tested operation; raises Unsendable where it is not tested."""
    operation = operation_of(subject, name)
    if operation is None:
        raise Unsendable(f"{name} is not tested")
    return operation


def message_request(subject: Subject, **members: Any) -> Request:
    """Return a request for the usual message with other members, under a key of its own. Raises Unsendable
    where there is no usual one.
    """
    return request_with_members(subject, SEND_MESSAGE, **members)


def request_with_members(subject: Subject, name: str, **members: Any) -> Request:
    """Return the usual request for an operation that takes an object, with other members, under a key of its
    own. Raises Unsendable where there is no usual one.
    """
    operation = require_operation(subject, name)
    request = subject.valid(operation)
    body = json.loads(request.body) if request is not None and request.body else None
    if request is None or not isinstance(body, dict):
        raise Unsendable(f"there is no valid request for {name}")
    return with_new_idempotency_key(
        subject, operation, replace(request, body=json.dumps({**body, **members}).encode())
    )


def send_message(subject: Subject, send: Send, **members: Any) -> Exchange:
    """Send the usual message with other members. Raises Unsendable where there is no usual one."""
    return send(require_operation(subject, SEND_MESSAGE), message_request(subject, **members))


def read_by_id(
    subject: Subject, send: Send, reads: str, name: str, party: Credential | None = None
) -> Exchange:
    """Read the thing that a name stands for, by the operation that reads such things. Raises Unsendable where
    there is no way to.
    """
    operation = require_operation(subject, reads)
    resource = next((one for one in subject.resources if one.read == operation), None)
    request = (
        with_resource_id(subject, resource, name).valid(operation, party) if resource is not None else None
    )
    if request is None:
        raise Unsendable(f"there is no way to ask {reads} about it")
    return send(operation, request)


def read_message(subject: Subject, send: Send, name: str) -> Any:
    """Return what is read of a message, None where it is not found."""
    exchange = read_by_id(subject, send, READ_MESSAGE, name)
    return response_json(exchange) if exchange.status == 200 else None


def accepted_json(exchange: Exchange) -> dict[str, Any] | None:
    """Return what the answer to an accepted message shows, None where it was not accepted."""
    shown = response_json(exchange)
    is_good = exchange.answer is not None and exchange.answer.is_success and isinstance(shown, dict)
    return shown if is_good else None


def response_failure(operation: Operation, title: str, told: str, *evidence: Exchange) -> CheckFailure:
    """Return a fault; its promise is the response that came last, where the contract has one."""
    response = documented_response(operation, evidence[-1].status) if evidence else None
    return CheckFailure(
        title=title,
        message=told,
        operation=operation_label(operation),
        promise=response.location if response is not None else operation.location,
        evidence=evidence,
    )


DEFAULT_WAIT_S = 20.0
"""How long a check waits for a sandbox: its slowest number takes ten seconds."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 0.8
PLACE = f"plugins.{PLUGIN}.clock"


def wait_until(
    subject: Subject, send: Send, is_there: Callable[[], bool], within_s: float = DEFAULT_WAIT_S
) -> bool:
    """Look until something is there, or for so many seconds; say whether it is.

    Where the settings say how the time of the deployment is moved, it is moved before each look. Raises
    DeploymentError where that is refused, InvalidSettings where its token is missing.
    """
    clock = settings_of(subject).clock
    if is_there():
        return True
    for pause_s in _pauses_s(within_s):
        if clock is not None:
            advance_clock(subject, clock)
        send.wait(pause_s)
        if is_there():
            return True
    return False


def advance_clock(subject: Subject, clock: ClockRequest, environment: Mapping[str, str] = os.environ) -> None:
    """Have time pass on the deployment.

    The request is no part of the API that is tested: it goes past the log of the run, and so does its token.
    """
    token = environment.get(clock.variable, "").strip() if clock.variable else ""
    if clock.variable and not token:
        raise InvalidSettings(
            f"{PLACE}: the environment variable {clock.variable} is empty", help="set it, or take it out"
        )
    request = Request(
        method=clock.method,
        url=clock.url if "://" in clock.url else subject.base_url + clock.url,
        headers=(
            ("Content-Type", "application/json"),
            *((("Authorization", f"Bearer {token}"),) if token else ()),
        ),
        body=json.dumps(clock.body).encode() if clock.body is not None else None,
    )
    with Deployment(RequestPolicy(), mask=Mask.of_secret(token)) as deployment:
        exchange = deployment.send(request)
    if exchange.answer is None or not exchange.answer.is_success:
        raise DeploymentError(
            f"{PLACE}: {clock.method} {clock.url} gets {exchange.status or 'no answer'}, and moves no clock",
            help="is the token that of the control API, and was the deployment started with a clock by hand?",
        )


def _pauses_s(within_s: float) -> Iterator[float]:
    """Yield pauses that grow, of so many seconds together."""
    pause_s, left_s = FIRST_PAUSE_S, within_s
    while left_s > 0:
        yield min(pause_s, left_s)
        left_s -= pause_s
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


JsonObject = dict[str, Any]


def follow_messages(
    subject: Subject,
    send: Send,
    sent: Mapping[str, Exchange],
    is_over: Callable[[str, JsonObject], bool],
    *,
    within_s: float = DEFAULT_WAIT_S,
) -> dict[str, JsonObject]:
    """Return the last reading of each message that was accepted, by the keys of `sent`: when all are over, or
    after so many seconds.
    """
    names = {key: str((accepted_json(exchange) or {}).get("id")) for key, exchange in sent.items()}
    seen: dict[str, JsonObject] = {}
    left = set(names)

    def all_over() -> bool:
        for key in sorted(left):
            document = read_message(subject, send, names[key])
            if isinstance(document, dict):
                seen[key] = document
                if is_over(key, document):
                    left.discard(key)
        return not left

    wait_until(subject, send, all_over, within_s)
    return seen


def documented_problem(subject: Subject, kind: ProblemKind) -> ProblemType | None:
    """Return the problem type of a kind, None where the contract has none."""
    types = subject.api.problem_types
    return next((one for one in types if one.uri.rstrip("/").rpartition("/")[2] == kind.value), None)


def refusal_mismatch(subject: Subject, exchange: Exchange, kind: ProblemKind) -> str:
    """Return how an answer differs from the refusal that is documented, in words that follow the request;
    nothing where it does not, or where the contract does not document it.
    """
    wanted = documented_problem(subject, kind)
    if wanted is None:
        return ""
    if exchange.answer is None:
        return f"gets no answer; {wanted.status} {kind.value} is documented"
    shown = response_json(exchange)
    told = shown.get("type") if isinstance(shown, dict) else None
    if exchange.status == wanted.status and told == wanted.uri:
        return ""
    said = f" {told!r}" if isinstance(told, str) else ""
    return f"gets {exchange.status}{said}; {wanted.status} {kind.value} is documented"
