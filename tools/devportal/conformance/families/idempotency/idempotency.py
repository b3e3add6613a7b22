"""An idempotency key makes a request repeatable: the second one has the result of the first and does nothing.

The conventions of the run name the header. Only promises of the contract are tested: the rejection of another
body, for example, has to be documented.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import takewhile

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.requests.request_variants import (
    request_variants,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CREATED_ID,
    create_resource,
    is_success,
    renewed_requests,
    response_json,
)
from devportal.conformance.knowledge.resources.idempotent_operations import (
    IdempotentOperation,
    idempotency_failure,
    idempotent_operations,
    send_first_request,
    sent_key,
    unused_key,
)
from devportal.conformance.knowledge.resources.state_actions import resource_actions
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Response
from devportal.contract.resources import Resource
from devportal.contract.wording import quote_value, sentences_of

BUSY_STATUSES = (409, 425, 429, 503)
"""Statuses that a repeated request may get because of the first one."""
CONCURRENT_REQUESTS = 8


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each operation that takes a key."""
    for idempotent in idempotent_operations(subject):
        name = operation_label(idempotent.operation)
        yield Probe(operation=name, run=partial(_check_repetition, idempotent))
        yield Probe(operation=name, run=partial(_check_other_body, idempotent))
        action_of = _resource_of_action(idempotent)
        if action_of is not None:
            yield Probe(operation=name, run=partial(_check_repeated_action, idempotent, action_of))
        if idempotent.resource is not None:
            yield Probe(operation=name, run=partial(_check_concurrent_requests, idempotent))


def _check_repetition(idempotent: IdempotentOperation, send: Send) -> Iterator[CheckFailure]:
    request, first = send_first_request(idempotent, send)
    key = sent_key(idempotent, first)
    repeated = send(idempotent.operation, idempotent.with_key(request, key))
    if repeated.answer is None or (not is_success(repeated) and repeated.status not in BUSY_STATUSES):
        got = f"{first.status}, then {repeated.outcome}"
        yield idempotency_failure(
            idempotent,
            "a repeated request is rejected",
            f"the same request with the same key gets {got}",
            first,
            repeated,
        )
    first_id, second_id = idempotent.created_id(first), idempotent.created_id(repeated)
    if is_success(repeated) and None not in (first_id, second_id) and first_id != second_id:
        message = (
            f"the same request with the same key makes {quote_value(first_id)}, then {quote_value(second_id)}"
        )
        yield idempotency_failure(
            idempotent, "a repeated request makes a second thing", message, first, repeated
        )
    elif is_success(repeated) and None in (first_id, second_id):
        raise Unsendable(CREATED_ID)


def _resource_of_action(idempotent: IdempotentOperation) -> Resource | None:
    """Return the resource type whose action an operation is, None if it is none."""
    for resource in idempotent.subject.resources:
        if resource.create is not None and idempotent.operation in tuple(
            resource_actions(idempotent.subject, resource)
        ):
            return resource
    return None


def _check_repeated_action(
    idempotent: IdempotentOperation, resource: Resource, send: Send
) -> Iterator[CheckFailure]:
    """Execute an action on a new resource, again with the same key, and with another key: if the second and
    the third get the same rejection, the key has no effect.
    """
    request, first = _first_action(idempotent, resource, send)
    repeated = send(idempotent.operation, idempotent.with_key(request, sent_key(idempotent, first)))
    other = send(idempotent.operation, idempotent.with_key(request, unused_key(idempotent)))
    if repeated.answer is None or other.answer is None or is_success(other):
        return
    if (repeated.status, response_json(repeated)) == (other.status, response_json(other)):
        message = f"the same action with the same key gets {first.status}, then {repeated.status}, as with another key"
        yield idempotency_failure(
            idempotent, "a repeated request is rejected", message, first, repeated, other
        )


def _first_action(
    idempotent: IdempotentOperation, resource: Resource, send: Send
) -> tuple[Request, Exchange]:
    """Execute an action on a new resource, after the actions that come before it in the contract if it is
    rejected. Return it without its key. Raises Unsendable if it is never accepted.
    """
    created = create_resource(idempotent.subject, resource, send)
    subject = with_resource_id(idempotent.subject, resource, created.id)
    request = subject.valid(idempotent.operation)
    earlier = takewhile(
        lambda operation: operation is not idempotent.operation,
        resource_actions(idempotent.subject, resource),
    )
    for operation in (None, *earlier):
        step = subject.valid(operation) if operation is not None else None
        if operation is not None and step is not None:
            send(operation, with_new_idempotency_key(subject, operation, step))
        if request is None:
            break
        first = send(idempotent.operation, idempotent.with_key(request, unused_key(idempotent)))
        if is_success(first) and first.status != ACCEPTED:
            return request, first
    raise Unsendable("an action that the deployment accepts at once")


def _check_other_body(idempotent: IdempotentOperation, send: Send) -> Iterator[CheckFailure]:
    """Use a key for another body if a rejection of that is documented."""
    refusal = _documented_refusal(idempotent)
    request, first = send_first_request(idempotent, send)
    others = request_variants(idempotent.subject, idempotent.operation, request)
    other = next((each for each in others if each.body != request.body), None)
    if refusal is None or other is None:
        raise Unsendable("a documented 409 or 422 for a key that is reused with another body")
    key = sent_key(idempotent, first)
    repeated = send(idempotent.operation, idempotent.with_key(other, key))
    if is_success(repeated):
        yield CheckFailure(
            title="a key is taken for another body",
            message=f"it gets {repeated.status} with the key of the first; {refusal.status} is promised",
            operation=operation_label(idempotent.operation),
            promise=refusal.location,
            evidence=(first, repeated),
        )


def _documented_refusal(idempotent: IdempotentOperation) -> Response | None:
    """Return the documented 4xx response to a key that was used for another body: the one whose description
    or example names the conflict, else 409 or 422 (draft-ietf-httpapi-idempotency-key-header-07 §2.7). None if there is
    none.
    """
    names = idempotent.subject.conventions.idempotency_key
    words = {name.lower().replace("-", "").removeprefix("x") for name in names}
    for status in ("422", "409", "400"):
        for response in idempotent.operation.responses:
            text = (
                " ".join(_response_texts(response)).lower().replace("-", "").replace(" ", "").replace("_", "")
            )
            is_about_keys = any(word in text for word in words) or "idempoten" in text
            if (
                response.status == status
                and is_about_keys
                and any(word in text for word in _OTHER_BODY_WORDS)
            ):
                return response
    by_status = {response.status: response for response in idempotent.operation.responses}
    sentences = [*operation_sentences(idempotent.operation), *sentences_of(idempotent.parameter.description)]
    for sentence in filter(_OTHER_BODY.search, sentences):
        stated = next(
            (by_status[status] for status in _STATUS.findall(sentence) if status in by_status), None
        )
        if stated is not None:
            return stated
    for status in ("422", "409", "400"):
        if status in by_status and _OTHER_BODY.search(by_status[status].description):
            return by_status[status]
    return by_status.get("409") or by_status.get("422")


_OTHER_BODY = re.compile(
    r"\bkey\b[^.;]*\b(?:another|different|other)\s+(?:request\s+)?(?:body|payload|request|content)",
    re.IGNORECASE,
)
_STATUS = re.compile(r"\b4\d\d\b")
_OTHER_BODY_WORDS = (
    "reused",
    "reuse",
    "different",
    "another",
    "mismatch",
    "otherbody",
    "otherpayload",
    "differs",
)
"""Words for another body in descriptions and problem types of contracts."""


def _response_texts(response: Response) -> Iterator[str]:
    yield response.description
    for media in response.content:
        for example in media.examples:
            yield f"{example.name} {example.summary} {example.description} {example.value}"


def _check_concurrent_requests(idempotent: IdempotentOperation, send: Send) -> Iterator[CheckFailure]:
    """Send one request several times at the same time: a server may execute it only once."""
    usual, _ = send_first_request(idempotent, send)
    key = unused_key(idempotent)
    exchanges = send.at_once(idempotent.operation, [idempotent.with_key(usual, key)] * CONCURRENT_REQUESTS)
    if not any(map(is_success, exchanges)):  # what the first request made may allow no second one
        renewed = renewed_requests(idempotent.subject, idempotent.operation, usual, send, only_usual=False)
        for request in renewed:
            repeated = [idempotent.with_key(request, key)] * CONCURRENT_REQUESTS
            exchanges = send.at_once(idempotent.operation, repeated)
    by_id = {
        str(idempotent.created_id(each)): each
        for each in exchanges
        if is_success(each) and idempotent.created_id(each) is not None
    }
    if not by_id and any(map(is_success, exchanges)):
        raise Unsendable(CREATED_ID)
    if len(by_id) > 1:
        created = f"{len(by_id)} things: {', '.join(by_id)}"
        message = f"{CONCURRENT_REQUESTS} requests with one key, sent at once, make {created}"
        yield idempotency_failure(
            idempotent, "duplicates at the same time make several things", message, *by_id.values()
        )
    server_errors = [each for each in exchanges if each.status >= 500 and each.status not in BUSY_STATUSES]
    if server_errors:
        got = f"{len(server_errors)} get {server_errors[0].status}"
        message = f"of {CONCURRENT_REQUESTS} requests with one key, sent at once, {got}"
        yield idempotency_failure(
            idempotent, "duplicates at the same time are a server error", message, server_errors[0]
        )


FAMILY = Family(
    name="idempotency",
    summary="a repeated request has no second effect",
    words=CheckDescription(
        promise="Requests with the same idempotency key and body have one result, even when sent at once. A "
        "different body is rejected if the contract documents 409 or 422. An action that is repeated with its "
        "key has the result of the first.",
        test="Each operation with such a key, in a header or in a query parameter such as `requestId` whose "
        "description is about repeated requests, receives a request twice, the same key with a different body, and "
        "eight requests at once. A rejection while the first is running passes.",
        remedy="Store the key, a digest of the body and the response under a unique index, and write the key"
        " in the same transaction as the result.",
        sources=("draft-ietf-httpapi-idempotency-key-header-07", "AIP-155"),
    ),
    needs="a parameter with an idempotency key (`conventions.idempotency_key` in the settings)",
    probes=probes,
    about_state=True,
)
