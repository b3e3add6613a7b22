"""Valid data is not called invalid.

A contract may let an operation refuse valid data for a business reason, so a refusal alone says nothing. But
where it gives the reasons different problem types, the one that invalid data gets is a lie about valid data.
"""

from collections import Counter
from collections.abc import Iterator

from devportal.conformance.exchange import Exchange, json_value
from devportal.conformance.family import Family, Fault, Words
from devportal.conformance.gathering import promise_of
from devportal.conformance.refusal import INVALID, problem_type, tells_reasons_apart
from devportal.conformance.subject import Subject, label
from devportal.conformance.valid_request import json_media_type
from devportal.contract import Operation
from devportal.contract.json_schema import Direction

FEWEST = 5
"""How many invalid requests must have got a problem type before it counts as the one for invalid data."""


def sees(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[Fault]:
    """Yield a fault for each valid request that is refused as invalid."""
    for operation in subject.operations:
        name = label(operation)
        here = [one for one in exchanges if one.operation == name and one.status in INVALID]
        for status in INVALID:
            if not tells_reasons_apart(subject.api, operation, status):
                continue
            refused = [one for one in here if one.status == status]
            invalid = _type_of_invalid(subject, operation, refused)
            for exchange in refused:
                if exchange.is_valid and invalid is not None and _type(exchange) == invalid:
                    yield Fault(
                        title="valid data is refused as invalid",
                        message=f"the contract allows this request; it is refused with {invalid!r}",
                        operation=name,
                        promise=promise_of(operation),
                        evidence=(exchange,),
                    )


def _type_of_invalid(subject: Subject, operation: Operation, refused: list[Exchange]) -> str | None:
    """Return the type that invalid data gets: what most of those requests got that are surely invalid."""
    types = Counter(_type(one) for one in refused if not one.is_valid and _is_wrong(subject, operation, one))
    del types[None]
    if not types:
        return None
    name, count = types.most_common(1)[0]
    return name if count >= FEWEST else None


def _is_wrong(subject: Subject, operation: Operation, exchange: Exchange) -> bool:
    """Say whether a request breaks the contract, as far as its body tells; one without any is believed to."""
    content = operation.request_body.content if operation.request_body is not None else ()
    media_type = json_media_type(content)
    if media_type is None or media_type.schema is None:
        return True
    try:
        value = json_value(exchange.request.body or b"")
    except ValueError:
        return True
    return not subject.validator.is_valid(media_type.schema, value, Direction.REQUEST)


def _type(exchange: Exchange) -> str | None:
    return problem_type(exchange.answer) if exchange.answer is not None else None


FAMILY = Family(
    name="valid-data",
    summary="valid data is not called invalid",
    words=Words(
        promise="A request that the contract allows does not get the problem type of invalid data.",
        test="Where an operation documents several problem types for one status, the one that "
        "invalid data gets is learned from the run, and valid requests must not get it.",
        remedy="Loosen the validation to what the contract says, or write the rule into the contract.",
        sources=("RFC 9457 §3.1.1",),
    ),
    sees=sees,
)
