"""How an operation refuses: with which status and for which reason, and which reasons it tells apart."""

from collections.abc import Iterator
from typing import NamedTuple

from devportal.conformance.exchange import Answer, Exchange, json_or_none
from devportal.conformance.response_check import documents, response_for
from devportal.contract import Api, Operation, Response, Schema

PROBLEM = "application/problem+json"
INVALID = (400, 422)
"""Statuses that invalid data gets (RFC 9110 §15.5.1, §15.5.21)."""


class Refusal(NamedTuple):
    """A status and the type of the problem document, empty where the answer is none."""

    status: int
    kind: str


def refusal_of(exchange: Exchange) -> Refusal | None:
    """Return how a request was refused as invalid, None where it was not."""
    if exchange.answer is None or exchange.status not in INVALID:
        return None
    return Refusal(exchange.status, problem_type(exchange.answer) or "")


def problem_type(answer: Answer) -> str | None:
    """Return the `type` of a problem document, None where the answer is none."""
    if answer.media_type != PROBLEM:
        return None
    problem = json_or_none(answer.body)
    kind = problem.get("type") if isinstance(problem, dict) else None
    return kind if isinstance(kind, str) else None


def tells_reasons_apart(api: Api, operation: Operation, status: int) -> bool:
    """Say whether a contract gives the reasons for a status different problem types."""
    response = response_for(operation, status)
    return response is not None and len(problem_types(api, response)) > 1


def problem_types(api: Api, response: Response) -> frozenset[str]:
    """Return the problem types that the contract enumerates for a response."""
    return frozenset(kind for media in response.content for kind in _enumerated(api, media.schema))


def promises_refusal(operation: Operation) -> bool:
    """Say whether a contract says how invalid data is refused."""
    named = {one.status.lower() for one in operation.responses}
    return any(documents(operation, status) for status in INVALID) or "default" in named


def _enumerated(api: Api, schema: Schema | None) -> Iterator[str]:
    if schema is None:
        return
    schema = api.resolve(schema)
    for one in schema.properties:
        if one.name == "type":
            yield from (str(value) for value in api.resolve(one.schema).enum)
    for branch in (*schema.all_of, *schema.one_of, *schema.any_of):
        yield from _enumerated(api, branch)
