"""Messages sent by checks: accepted, followed to their end, or refused."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.credentials import Credential
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.requests.request_variants import with_new_idempotency_key
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation, ProblemType
from devportal.errors import DeploymentError, InvalidSettings
from telecom.conformance.settings import PLUGIN, ClockRequest, settings_of
from telecom.problems import ProblemKind

SEND_MESSAGE, READ_MESSAGE = "sendMessage", "retrieveMessage"


def operation_of(subject: Subject, operation_id: str) -> Operation | None:
    """Return the tested operation with an operationId, None if there is none."""
    return next((operation for operation in subject.operations if operation.id == operation_id), None)


def missing_operations(*operation_ids: str) -> Callable[[Subject], str]:
    """Return a function that names the operations that a run does not test."""

    def lacks(subject: Subject) -> str:
        missing = [
            operation_id for operation_id in operation_ids if operation_of(subject, operation_id) is None
        ]
        return f"operations that are tested: {', '.join(missing)}" if missing else ""

    return lacks


def require_operation(subject: Subject, operation_id: str) -> Operation:
    """Return a tested operation; raises Unsendable if it is not tested."""
    operation = operation_of(subject, operation_id)
    if operation is None:
        raise Unsendable(f"the operation {operation_id} among those that are tested")
    return operation


def message_request(subject: Subject, **members: Any) -> Request:
    """Return a request for the usual message with other members, under its own idempotency key. Raises
    Unsendable if there is no usual one."""
    return request_with_members(subject, SEND_MESSAGE, **members)


def request_with_members(subject: Subject, operation_id: str, **members: Any) -> Request:
    """Return the usual request for an operation that takes an object, with other members, under its own
    idempotency key. Raises Unsendable if there is no usual one."""
    operation = require_operation(subject, operation_id)
    request = subject.valid(operation)
    body = json.loads(request.body) if request is not None and request.body else None
    if request is None or not isinstance(body, dict):
        raise Unsendable(NO_VALID_REQUEST)
    return with_new_idempotency_key(
        subject, operation, replace(request, body=json.dumps({**body, **members}).encode())
    )


def send_message(subject: Subject, send: Send, **members: Any) -> Exchange:
    """Send the usual message with other members. Raises Unsendable if there is no usual one."""
    return send(require_operation(subject, SEND_MESSAGE), message_request(subject, **members))


def read_by_id(
    subject: Subject, send: Send, read_operation: str, identifier: str, credential: Credential | None = None
) -> Exchange:
    """Read a resource by its identifier, with the given operation. Raises Unsendable if no request can be
    made for it."""
    operation = require_operation(subject, read_operation)
    resource = next((resource for resource in subject.resources if resource.read == operation), None)
    request = (
        with_resource_id(subject, resource, identifier).valid(operation, credential)
        if resource is not None
        else None
    )
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    return send(operation, request)


def read_message(subject: Subject, send: Send, message_id: str) -> Any:
    """Return the document of a message, None if it is not found."""
    exchange = read_by_id(subject, send, READ_MESSAGE, message_id)
    return response_json(exchange) if exchange.status == 200 else None


def accepted_json(exchange: Exchange) -> dict[str, Any] | None:
    """Return the body of the response to an accepted message, None if it was not accepted."""
    document = response_json(exchange)
    is_accepted = exchange.is_success and isinstance(document, dict)
    return document if is_accepted else None


def response_failure(operation: Operation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    """Return a failure; its promise is the last response as the contract documents it, else the operation."""
    response = documented_response(operation, evidence[-1].status) if evidence else None
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=response.location if response is not None else operation.location,
        evidence=evidence,
    )


DEFAULT_WAIT_S = 20.0
"""How long a check waits for a sandbox: its slowest number takes ten seconds."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 0.8
CLOCK_SETTING = f"plugins.{PLUGIN}.clock"


def wait_until(
    subject: Subject, send: Send, condition: Callable[[], bool], timeout_s: float = DEFAULT_WAIT_S
) -> bool:
    """Check a condition until it holds, or for this many seconds; return whether it holds.

    If the settings say how to advance the clock of the deployment, it is advanced before each check. Raises
    DeploymentError if that is refused, InvalidSettings if its token is missing.
    """
    clock = settings_of(subject).clock
    if condition():
        return True
    for pause_s in _pauses_s(timeout_s):
        if clock is not None:
            advance_clock(subject, clock)
        send.wait(pause_s)
        if condition():
            return True
    return False


def advance_clock(subject: Subject, clock: ClockRequest, environment: Mapping[str, str] = os.environ) -> None:
    """Advance the clock of the deployment.

    The request is not part of the tested API: neither it nor its token is in the log of the run.
    """
    token = environment.get(clock.variable, "").strip() if clock.variable else ""
    if clock.variable and not token:
        raise InvalidSettings(
            f"{CLOCK_SETTING}: the environment variable {clock.variable} is empty",
            help="set it, or take it out",
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
            f"{CLOCK_SETTING}: {clock.method} {clock.url} gets {exchange.status or 'no answer'}, and moves no clock",
            help="is the token that of the control API, and was the deployment started with a clock by hand?",
        )


def _pauses_s(timeout_s: float) -> Iterator[float]:
    """Yield growing pauses that last this many seconds together."""
    pause_s, left_s = FIRST_PAUSE_S, timeout_s
    while left_s > 0:
        yield min(pause_s, left_s)
        left_s -= pause_s
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


JsonObject = dict[str, Any]


def follow_messages(
    subject: Subject,
    send: Send,
    sent: Mapping[str, Exchange],
    is_finished: Callable[[str, JsonObject], bool],
    *,
    timeout_s: float = DEFAULT_WAIT_S,
) -> dict[str, JsonObject]:
    """Return the last document of each accepted message, by the keys of `sent`: when all are finished, or
    after this many seconds."""
    message_ids = {key: str((accepted_json(exchange) or {}).get("id")) for key, exchange in sent.items()}
    documents: dict[str, JsonObject] = {}
    pending = set(message_ids)

    def all_finished() -> bool:
        for key in sorted(pending):
            document = read_message(subject, send, message_ids[key])
            if isinstance(document, dict):
                documents[key] = document
                if is_finished(key, document):
                    pending.discard(key)
        return not pending

    wait_until(subject, send, all_finished, timeout_s)
    return documents


def documented_problem(subject: Subject, kind: ProblemKind) -> ProblemType | None:
    """Return the problem type of a kind, None if the contract has none."""
    types = subject.api.problem_types
    return next((type_ for type_ in types if type_.uri.rstrip("/").rpartition("/")[2] == kind.value), None)


def refusal_mismatch(subject: Subject, exchange: Exchange, kind: ProblemKind) -> str:
    """Return how a response differs from the documented refusal, in words that follow the request. Return an
    empty text if it does not, or if the contract does not document the refusal."""
    expected = documented_problem(subject, kind)
    if expected is None:
        return ""
    if exchange.answer is None:
        return f"gets no response; {expected.status} {kind.value} is documented"
    document = response_json(exchange)
    actual_type = document.get("type") if isinstance(document, dict) else None
    if exchange.status == expected.status and actual_type == expected.uri:
        return ""
    type_text = f" {actual_type!r}" if isinstance(actual_type, str) else ""
    return f"gets {exchange.status}{type_text}; {expected.status} {kind.value} is documented"
