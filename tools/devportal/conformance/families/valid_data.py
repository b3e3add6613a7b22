"""Valid data is not called invalid.

A contract may let an operation refuse valid data for a business reason, so a refusal alone says nothing. But
where it gives the reasons different problem types, the one that invalid data gets is a lie about valid data.
"""

from collections import Counter
from collections.abc import Iterator

from devportal.conformance.exchange import Exchange
from devportal.conformance.families.problem_details import problem_type
from devportal.conformance.response_check import response_for
from devportal.conformance.subject import Fault, Subject
from devportal.contract import Api, Response, Schema

FEWEST = 5
"""How many invalid requests must have got a problem type before it counts as the one for invalid data."""


def sees(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[Fault]:
    """Yield a fault for each valid request that is refused as invalid."""
    for operation in subject.operations:
        name = f"{operation.method} {operation.path}"
        here = [one for one in exchanges if one.operation == name and one.answer is not None]
        for response in operation.responses:
            if len(_types(subject.api, response)) < 2:
                continue
            refused = [one for one in here if response_for(operation, one.status) is response]
            invalid = _type_of_invalid(refused)
            for exchange in refused:
                if exchange.is_valid and invalid is not None and _type(exchange) == invalid:
                    yield Fault(
                        title="valid data is refused as invalid",
                        message=f"the contract allows this request; it is refused with {invalid!r}",
                        operation=name,
                        promise=operation.request_body.location
                        if operation.request_body is not None
                        else operation.location,
                        evidence=(exchange,),
                    )


def _type_of_invalid(refused: list[Exchange]) -> str | None:
    types = Counter(_type(one) for one in refused if not one.is_valid)
    del types[None]
    if not types:
        return None
    name, count = types.most_common(1)[0]
    return name if count >= FEWEST else None


def _type(exchange: Exchange) -> str | None:
    kind = problem_type(exchange.answer) if exchange.answer is not None else None
    return kind if isinstance(kind, str) else None


def _types(api: Api, response: Response) -> set[str]:
    """Return the problem types that the contract enumerates for a response."""
    return {kind for media in response.content for kind in _enumerated(api, media.schema)}


def _enumerated(api: Api, schema: Schema | None) -> Iterator[str]:
    if schema is None:
        return
    schema = api.resolve(schema)
    for one in schema.properties:
        if one.name == "type":
            yield from (str(value) for value in api.resolve(one.schema).enum)
    for branch in (*schema.all_of, *schema.one_of, *schema.any_of):
        yield from _enumerated(api, branch)
