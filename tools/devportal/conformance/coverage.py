"""Which parts of a contract a run exercised: operations, parameters, media types, examples, statuses."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import parse_qsl, urlsplit

from devportal.conformance.exchange import Exchange, essence, json_or_none
from devportal.conformance.response_check import response_for
from devportal.conformance.result import Exercised, Part
from devportal.conformance.subject import Subject, label
from devportal.conformance.valid_request import is_json
from devportal.contract import Api, In, Operation


def coverage_of(
    subject: Subject, exchanges: Mapping[str, Sequence[Exchange]], events: Mapping[str, int]
) -> tuple[Exercised, ...]:
    """Return every part of the tested operations with how often it was exercised, 0 where never.

    `exchanges` are those of each operation, by its label. A part counts where a request was answered; one of
    a request only where the answer was a success, so that what is always refused does not count as tested.
    """
    parts = [
        part
        for operation in subject.operations
        for part in _operation(operation, exchanges.get(label(operation), ()))
    ]
    received = (
        Exercised(part=Part.EVENT, operation="", name=name, count=events.get(name, 0))
        for name in event_names(subject.api)
    )
    return (*parts, *received)


def event_names(api: Api) -> tuple[str, ...]:
    """Return the names of the events that a contract promises: of webhooks, and of callbacks."""
    callbacks = (one.name for operation in api.operations for one in operation.callbacks)
    return tuple(dict.fromkeys((*(one.name for one in api.webhooks), *callbacks)))


def _operation(operation: Operation, exchanges: Sequence[Exchange]) -> Iterator[Exercised]:
    name = label(operation)
    here = [one for one in exchanges if one.answer is not None]
    seen: Counter[tuple[Part, str]] = Counter()
    for exchange in here:
        seen.update(set(_answered(operation, exchange)))
        if exchange.answer is not None and exchange.answer.is_success:
            seen.update(set(_asked(operation, exchange)))
    for part, what in dict.fromkeys(_parts(operation)):
        yield Exercised(part=part, operation=name, name=what, count=seen[part, what])


def _parts(operation: Operation) -> Iterator[tuple[Part, str]]:
    """Yield every part that a run could exercise."""
    yield Part.OPERATION, operation.id
    for parameter in operation.parameters:
        yield Part.PARAMETER, f"{parameter.location_in} {parameter.name}"
    for content in operation.request_body.content if operation.request_body is not None else ():
        yield Part.REQUEST_MEDIA_TYPE, content.name
        for example in content.examples:
            if not example.external:
                yield Part.EXAMPLE, example.name or content.name
    for response in operation.responses:
        yield Part.STATUS, response.status
        for content in response.content:
            yield Part.RESPONSE_MEDIA_TYPE, f"{response.status} {content.name}"


def _asked(operation: Operation, exchange: Exchange) -> Iterator[tuple[Part, str]]:
    """Yield what a successful request exercised."""
    request = exchange.request
    yield Part.OPERATION, operation.id
    query = {name for name, _ in parse_qsl(urlsplit(request.url).query, keep_blank_values=True)}
    headers = {name.lower() for name, _ in request.headers}
    cookies = "; ".join(value for name, value in request.headers if name.lower() == "cookie")
    for parameter in operation.parameters:
        sent = {
            In.PATH: True,
            In.QUERY: parameter.name in query,
            In.QUERYSTRING: bool(query),
            In.HEADER: parameter.name.lower() in headers,
            In.COOKIE: f"{parameter.name}=" in cookies,
        }
        if sent[parameter.location_in]:
            yield Part.PARAMETER, f"{parameter.location_in} {parameter.name}"
    given = next((value for name, value in request.headers if name.lower() == "content-type"), "")
    kind = essence(given)
    for content in operation.request_body.content if operation.request_body is not None else ():
        if essence(content.name) != kind or request.body is None:
            continue
        yield Part.REQUEST_MEDIA_TYPE, content.name
        value = json_or_none(request.body) if is_json(kind) else None
        for example in content.examples:
            if not example.external and value is not None and value == example.value:
                yield Part.EXAMPLE, example.name or content.name


def _answered(operation: Operation, exchange: Exchange) -> Iterator[tuple[Part, str]]:
    response = response_for(operation, exchange.status)
    if response is None or exchange.answer is None:
        return
    yield Part.STATUS, response.status
    for content in response.content:
        if essence(content.name) == exchange.answer.media_type:
            yield Part.RESPONSE_MEDIA_TYPE, f"{response.status} {content.name}"
