"""Which parts of a contract a run exercised, and how many of each kind."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from devportal.conformance.deployment.exchange import (
    Exchange,
    content_type_of,
    parse_json_or_none,
)
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject, has_succeeded, operation_label
from devportal.conformance.results.result import ContractPart, CoveredPart, Result, constraint_tally
from devportal.contract import Api, Operation, ParameterLocation
from devportal.contract.media_types import documented_media_type, is_json, media_type_essence


def contract_coverage(
    subject: Subject, exchanges: Mapping[str, Sequence[Exchange]], events: Mapping[str, int]
) -> tuple[CoveredPart, ...]:
    """Return every part of the tested operations with how often it was exercised, 0 if never.

    `exchanges` are those of each operation, by its label. A part counts where a request was answered; one of
    a request only where the response was a success, so that what is always refused does not count as tested.
    """
    parts = [
        part
        for operation in subject.operations
        for part in _operation_coverage(operation, exchanges.get(operation_label(operation), ()))
    ]
    received = (
        CoveredPart(part=ContractPart.EVENT, operation="", name=name, count=events.get(name, 0))
        for name in contract_event_names(subject.api)
    )
    return (*parts, *received)


def contract_event_names(api: Api) -> tuple[str, ...]:
    """Return the names of the events that a contract promises: of webhooks, and of callbacks."""
    callbacks = (callback.name for operation in api.operations for callback in operation.callbacks)
    return tuple(dict.fromkeys((*(webhook.name for webhook in api.webhooks), *callbacks)))


def _operation_coverage(operation: Operation, exchanges: Sequence[Exchange]) -> Iterator[CoveredPart]:
    name = operation_label(operation)
    here = [exchange for exchange in exchanges if exchange.answer is not None]
    seen: Counter[tuple[ContractPart, str]] = Counter()
    for exchange in here:
        seen.update(set(_parts_in_response(operation, exchange)))
        if has_succeeded(operation, (exchange,)):
            seen.update(set(_parts_in_request(operation, exchange)))
    for part, what in dict.fromkeys(_contract_parts(operation)):
        yield CoveredPart(part=part, operation=name, name=what, count=seen[part, what])


def _contract_parts(operation: Operation) -> Iterator[tuple[ContractPart, str]]:
    """Yield every part that a run could exercise."""
    yield ContractPart.OPERATION, operation.id
    for parameter in operation.parameters:
        yield ContractPart.PARAMETER, f"{parameter.location_in} {parameter.name}"
    for content in operation.request_content:
        yield ContractPart.REQUEST_MEDIA_TYPE, content.name
        for example in content.examples:
            if example.has_value:
                yield ContractPart.EXAMPLE, example.name or content.name
    for response in operation.responses:
        yield ContractPart.STATUS, response.status
        for content in response.content:
            yield ContractPart.RESPONSE_MEDIA_TYPE, f"{response.status} {content.name}"


def _parts_in_request(operation: Operation, exchange: Exchange) -> Iterator[tuple[ContractPart, str]]:
    """Yield what a successful request exercised."""
    request = exchange.request
    yield ContractPart.OPERATION, operation.id
    query = {name for name, _ in parse_qsl(urlsplit(request.url).query, keep_blank_values=True)}
    headers = {name.lower() for name, _ in request.headers}
    cookies = "; ".join(value for name, value in request.headers if name.lower() == "cookie")
    for parameter in operation.parameters:
        sent = {
            ParameterLocation.PATH: True,
            ParameterLocation.QUERY: parameter.name in query,
            ParameterLocation.QUERYSTRING: bool(query),
            ParameterLocation.HEADER: parameter.name.lower() in headers,
            ParameterLocation.COOKIE: f"{parameter.name}=" in cookies,
        }
        if sent[parameter.location_in]:
            yield ContractPart.PARAMETER, f"{parameter.location_in} {parameter.name}"
    given = content_type_of(request.headers)
    kind = media_type_essence(given)
    for content in operation.request_content:
        if media_type_essence(content.name) != kind or request.body is None:
            continue
        yield ContractPart.REQUEST_MEDIA_TYPE, content.name
        value = parse_json_or_none(request.body) if is_json(kind) else None
        for example in content.examples:
            if example.has_value and value is not None and value == example.value:
                yield ContractPart.EXAMPLE, example.name or content.name


def _parts_in_response(operation: Operation, exchange: Exchange) -> Iterator[tuple[ContractPart, str]]:
    response = documented_response(operation, exchange.status)
    if response is None or exchange.answer is None:
        return
    yield ContractPart.STATUS, response.status
    content = documented_media_type(response.content, exchange.answer.media_type)
    if content is not None:
        yield ContractPart.RESPONSE_MEDIA_TYPE, f"{response.status} {content.name}"


_PLURALS = {
    ContractPart.OPERATION: "operations",
    ContractPart.PARAMETER: "parameters",
    ContractPart.REQUEST_MEDIA_TYPE: "request media types",
    ContractPart.EXAMPLE: "examples",
    ContractPart.STATUS: "statuses",
    ContractPart.RESPONSE_MEDIA_TYPE: "response media types",
    ContractPart.EVENT: "events",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageTally:
    """One kind of part: how many the contract has, and those that the run never exercised."""

    part: ContractPart
    of: int
    never: tuple[CoveredPart, ...]

    @property
    def exercised(self) -> int:
        """How many were exercised at least once."""
        return self.of - len(self.never)

    @property
    def name(self) -> str:
        """What the parts are called together."""
        return _PLURALS[self.part]


def coverage_tallies(result: Result) -> Sequence[CoverageTally]:
    """Return a tally for each kind of part that the contract has."""
    found = []
    for part in ContractPart:
        here = [covered_part for covered_part in result.coverage if covered_part.part is part]
        if here:
            found.append(
                CoverageTally(
                    part=part,
                    of=len(here),
                    never=tuple(covered_part for covered_part in here if not covered_part.count),
                )
            )
    return found


def coverage_summary(result: Result) -> str:
    """Return the coverage in one line, empty if nothing of it is known."""
    tallies = [
        f"{coverage_tally.name} {coverage_tally.exercised}/{coverage_tally.of}"
        for coverage_tally in coverage_tallies(result)
    ]
    constraints = constraint_tally(result.operations)
    if constraints.of:
        tallies.append(f"constraints {constraints.exercised}/{constraints.of} ({constraints.percent:g} %)")
    return f"Exercised: {', '.join(tallies)}" if tallies else ""
