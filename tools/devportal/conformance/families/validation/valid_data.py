"""Valid data is not rejected as invalid.

A contract may let an operation reject valid data for a business reason, so a rejection alone proves nothing.
But if it documents different problem types for the reasons, the one for invalid data is wrong for valid data.
"""

from collections import Counter
from collections.abc import Iterator

from devportal.conformance.deployment.exchange import Exchange, parse_json
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.requests.forbidden_requests import request_location
from devportal.conformance.knowledge.response_check import (
    INVALID_STATUSES,
    has_problem_type_per_reason,
    problem_type,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.body_schemas import request_schema
from devportal.contract.validate.json_schema import Direction

FEWEST_REFUSALS = 5
"""How many invalid requests must have got a problem type before it counts as the one for invalid data."""


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for each valid request that is refused as invalid."""
    for operation in subject.operations:
        name = operation_label(operation)
        refusals = [
            exchange
            for exchange in exchanges
            if exchange.operation == name and exchange.status in INVALID_STATUSES
        ]
        for status in INVALID_STATUSES:
            if not has_problem_type_per_reason(subject.api, operation, status):
                continue
            refused = [refusal for refusal in refusals if refusal.status == status]
            invalid = _invalid_problem_type(subject, operation, refused)
            for exchange in refused:
                if exchange.is_valid and invalid is not None and _problem_type(exchange) == invalid:
                    yield CheckFailure(
                        title="valid data is rejected as invalid",
                        message=f"the contract allows this request; it is rejected with {invalid!r}",
                        operation=name,
                        promise=request_location(operation),
                        evidence=(exchange,),
                    )


def may_be_misjudged(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a request is valid, and its operation has a problem type for invalid data."""
    operation = subject.operation(exchange.operation)
    if operation is None or exchange.answer is None or not exchange.is_valid:
        return False
    return any(
        has_problem_type_per_reason(subject.api, operation, invalid_status)
        for invalid_status in INVALID_STATUSES
    )


def _invalid_problem_type(subject: Subject, operation: Operation, refused: list[Exchange]) -> str | None:
    """Return the problem type of invalid data: the most common one of requests that are certainly invalid."""
    types = Counter(
        _problem_type(exchange)
        for exchange in refused
        if not exchange.is_valid and _breaks_contract(subject, operation, exchange)
    )
    del types[None]
    if not types:
        return None
    name, count = types.most_common(1)[0]
    return name if count >= FEWEST_REFUSALS else None


def _breaks_contract(subject: Subject, operation: Operation, exchange: Exchange) -> bool:
    """Return whether a request violates the contract, judged by its body; one without a body is assumed to."""
    schema = request_schema(operation)
    if schema is None:
        return True
    try:
        value = parse_json(exchange.request.body or b"")
    except ValueError:
        return True
    return not subject.validator.is_valid(schema, value, Direction.REQUEST)


def _problem_type(exchange: Exchange) -> str | None:
    return problem_type(exchange.answer) if exchange.answer is not None else None


FAMILY = Family(
    name="valid-data",
    summary="valid data is not reported as invalid",
    words=CheckDescription(
        promise="A valid request never returns the problem type for invalid data.",
        test="If an operation documents several problem types for one status, the one for invalid data is "
        "learned from the run, and valid requests must not return it.",
        remedy="Relax the validation to match the contract, or add the rule to the contract.",
        sources=("RFC 9457 §3.1.1",),
    ),
    needs="an operation that documents several problem types for 400 or 422",
    sees=find_failures,
    compares=may_be_misjudged,
)
