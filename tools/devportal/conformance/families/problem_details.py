"""Every problem document agrees with the answer that carries it (RFC 9457)."""

import json
from collections.abc import Iterator
from typing import Any

from devportal.conformance.exchange import Answer, Exchange
from devportal.conformance.response_check import response_for
from devportal.conformance.subject import Fault, Subject
from devportal.contract import Api, Location, Operation, Response, Schema

PROBLEM = "application/problem+json"


def sees(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[Fault]:
    """Yield a fault for each problem document that contradicts its answer."""
    for exchange in exchanges:
        if exchange.answer is None or exchange.answer.media_type != PROBLEM:
            continue
        if exchange.request.method == "HEAD":  # it gets no body
            continue
        operation = subject.operation(exchange.operation)
        for title, message, promise in _contradictions(subject.api, operation, exchange.answer):
            yield Fault(
                title=title,
                message=message,
                operation=exchange.operation,
                promise=promise,
                evidence=(exchange,),
            )


def _contradictions(
    api: Api, operation: Operation | None, answer: Answer
) -> Iterator[tuple[str, str, Location | None]]:
    response = response_for(operation, answer.status) if operation is not None else None
    promise = response.location if response is not None else None
    try:
        problem = json.loads(answer.body)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        yield "a problem document is no JSON object", f"{PROBLEM} holds something else (RFC 9457 §3)", promise
        return
    status = problem.get("status", answer.status)
    if status != answer.status:
        message = f"'status' is {status!r} and the HTTP status is {answer.status} (RFC 9457 §3.1.2)"
        yield "a problem's status differs from the HTTP status", message, promise
    for header, member in _identifiers(api, response) if response is not None else ():
        in_header, in_body = answer.header(header), problem.get(member)
        if in_header is not None and in_body is not None and in_header != in_body:
            message = f"{header} is {in_header!r} and {member!r} is {in_body!r}"
            yield "a problem's identifier differs from its header", message, promise


def _identifiers(api: Api, response: Response) -> Iterator[tuple[str, str]]:
    """Yield each header and member that the contract gives one name, such as X-Request-Id and request_id."""
    members = {_plain(name): name for media in response.content for name in _members(api, media.schema)}
    for header in response.headers:
        if _plain(header.name).endswith("id") and _plain(header.name) in members:
            yield header.name, members[_plain(header.name)]


def _plain(name: str) -> str:
    return name.lower().removeprefix("x-").replace("-", "").replace("_", "")


def _members(api: Api, schema: Schema | None) -> Iterator[str]:
    if schema is None:
        return
    schema = api.resolve(schema)
    yield from (one.name for one in schema.properties)
    for branch in schema.all_of:
        yield from _members(api, branch)


def problem_type(answer: Answer) -> Any:
    """Return the `type` of a problem document, None where the answer is none."""
    if answer.media_type != PROBLEM:
        return None
    try:
        problem = json.loads(answer.body)
    except ValueError:
        return None
    return problem.get("type") if isinstance(problem, dict) else None
