"""How an operation refuses: with which status and for which reason, and which reasons it tells apart."""

from collections.abc import Iterator
from typing import NamedTuple

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, parse_json_or_none
from devportal.conformance.knowledge.response_check import documented_response, documents_status
from devportal.contract import Api, Operation, Response, Schema

PROBLEM_MEDIA_TYPE = "application/problem+json"
INVALID_STATUSES = (400, 422)
"""Statuses that invalid data gets (RFC 9110 §15.5.1, §15.5.21)."""


class Refusal(NamedTuple):
    """A status and the type of the problem document, empty where the answer is none."""

    status: int
    kind: str


def refusal_of(exchange: Exchange) -> Refusal | None:
    """Return how a request was refused as invalid, None where it was not."""
    if exchange.answer is None or exchange.status not in INVALID_STATUSES:
        return None
    return Refusal(exchange.status, problem_type(exchange.answer) or "")


def problem_type(answer: HttpResponse) -> str | None:
    """Return the `type` of a problem document, None where the answer is none."""
    if answer.media_type != PROBLEM_MEDIA_TYPE:
        return None
    problem = parse_json_or_none(answer.body)
    kind = problem.get("type") if isinstance(problem, dict) else None
    return kind if isinstance(kind, str) else None


def has_problem_type_per_reason(api: Api, operation: Operation, status: int) -> bool:
    """Say whether a contract gives the reasons for a status different problem types."""
    response = documented_response(operation, status)
    return response is not None and len(documented_problem_types(api, response)) > 1


def documented_problem_types(api: Api, response: Response) -> frozenset[str]:
    """Return the problem types that the contract enumerates for a response."""
    return frozenset(kind for media in response.content for kind in _enumerated_types(api, media.schema))


def documents_invalid_refusal(operation: Operation) -> bool:
    """Say whether a contract says how invalid data is refused."""
    named = {one.status.lower() for one in operation.responses}
    return any(documents_status(operation, status) for status in INVALID_STATUSES) or "default" in named


def _enumerated_types(api: Api, schema: Schema | None) -> Iterator[str]:
    if schema is None:
        return
    schema = api.resolve(schema)
    for one in schema.properties:
        if one.name == "type":
            yield from (str(value) for value in api.resolve(one.schema).enum)
    for branch in (*schema.all_of, *schema.one_of, *schema.any_of):
        yield from _enumerated_types(api, branch)
