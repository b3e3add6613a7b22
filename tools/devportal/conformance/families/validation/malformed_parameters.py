"""Parameter × malformed value: no value in an address or a header is a server error."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from urllib.parse import quote

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.inputs import (
    Input,
    authorised_request,
    inputs,
    valid_request_values,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import ABSENT, Location, Operation, ParameterLocation

VALUE_MARK = "devportalOddValue"
UNKNOWN_QUERIES = ("devportalUnknown=1", "&=&devportalUnknown", "devportalUnknown%5Ba%5D=1")
VALUES_AGAIN = 2
"""How many values a parameter gets if its schema has been tested with more at another operation."""

MalformedRequestMaker = Callable[[Subject, Input], Request]
"""Makes a request with a malformed value of a parameter, or with a malformed parameter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _MalformedValues:
    """Malformed values of parameters in one location. `per_schema` tests the code of each parameter, up to
    its database; `per_kind` tests code for all parameters of a kind, such as decoding.
    """

    per_schema: tuple[MalformedRequestMaker, ...]
    per_kind: tuple[MalformedRequestMaker, ...]


def _put_in_url(text: str, subject: Subject, request_input: Input) -> Request:
    """Return a request with a raw text in its address, which may be invalid UTF-8 or percent-encoding."""
    marked_request = authorised_request(subject, request_input.request_values_with(VALUE_MARK))
    return replace(marked_request, url=marked_request.url.replace(VALUE_MARK, text))


def _put_in_header(text: str, subject: Subject, request_input: Input) -> Request:
    marked_request = authorised_request(subject, request_input.request_values_with(VALUE_MARK))
    headers = tuple((name, value.replace(VALUE_MARK, text)) for name, value in marked_request.headers)
    return replace(marked_request, headers=headers)


def _repeat_parameter(suffix: str, subject: Subject, request_input: Input) -> Request:
    """Return a request with a second parameter of the same name plus a suffix."""
    valid = authorised_request(subject, request_input.request_values_with(request_input.value))
    name = quote(request_input.parameter.name, safe="") if request_input.parameter is not None else ""
    return replace(valid, url=_with_query(valid.url, f"{name}{suffix}=devportal"))


_BEYOND_64_BITS = "9" * 20
_PER_SCHEMA = ("%00", "%ff%fe", "%27%22%3B--", "x" * 3000)
_PER_KIND = (
    "%zz",
    "%F0%9F%8E%89",
    "%E2%80%AE%D7%90",
    "..%2F..%2Fetc",
    "%0d%0aX-Devportal%3A%201",
    "-1",
    "1e999",
    "9" * 60,
)
_IN_PATH = _MalformedValues(
    per_schema=tuple(partial(_put_in_url, text) for text in _PER_SCHEMA),
    per_kind=tuple(partial(_put_in_url, text) for text in _PER_KIND),
)
_IN_QUERY = _MalformedValues(
    per_schema=_IN_PATH.per_schema,
    per_kind=(
        *_IN_PATH.per_kind,
        partial(_put_in_url, ""),
        partial(_repeat_parameter, ""),
        partial(_repeat_parameter, "%5B%5D"),
    ),
)
_IN_HEADER = _MalformedValues(
    per_schema=tuple(partial(_put_in_header, text) for text in ("\xff\xfe", "'\";--", "x" * 3000)),
    per_kind=tuple(partial(_put_in_header, text) for text in ("", "-1", "9" * 60)),
)
MALFORMED_VALUES = {
    ParameterLocation.PATH: _IN_PATH,
    ParameterLocation.QUERY: _IN_QUERY,
    ParameterLocation.HEADER: _IN_HEADER,
}


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each parameter of an operation, and one for an undeclared query parameter."""
    operations = [operation for operation in subject.operations if operation.method != "DELETE"]
    valid = {
        operation_label(operation): request_values
        for operation in operations
        if (request_values := valid_request_values(subject, operation))
    }
    request_inputs = [
        input_ for request_values in valid.values() for input_ in inputs(subject, request_values)
    ]
    for request_input, makers in _assign_malformed_values(subject, request_inputs):
        operation = request_input.request_values.operation
        requests = tuple(make_request(subject, request_input) for make_request in makers)
        run = partial(
            _check_no_server_error,
            operation,
            request_input.location,
            f"an odd value in {_location_text(request_input)}",
            requests,
        )
        yield Probe(operation=operation_label(operation), run=run, is_rude=True)
    for number, request_values in enumerate(valid.values()):
        plain = authorised_request(subject, request_values[0])
        unknown = replace(plain, url=_with_query(plain.url, UNKNOWN_QUERIES[number % len(UNKNOWN_QUERIES)]))
        operation = request_values[0].operation
        run = partial(
            _check_no_server_error, operation, operation.location, "an undeclared query", (unknown,)
        )
        yield Probe(operation=operation_label(operation), run=run)


def _assign_malformed_values(
    subject: Subject, request_inputs: Sequence[Input]
) -> Iterator[tuple[Input, tuple[MalformedRequestMaker, ...]]]:
    """Yield the parameters with their malformed values. At the first operation with it, each schema gets all
    values per schema and a share of those per kind, so that each kind of parameter gets all of them. At other
    operations it gets a few in turn.
    """
    parameters = [
        request_input for request_input in request_inputs if _malformed_values_for(request_input) is not None
    ]
    firsts = {_schema_key(subject, parameter): parameter for parameter in reversed(parameters)}
    by_kind: dict[tuple[str, ...], list[Input]] = defaultdict(list)
    for request_input in parameters:
        if firsts[_schema_key(subject, request_input)] is request_input:
            by_kind[_parameter_kind(request_input)].append(request_input)
    turns = count()
    for request_input in parameters:
        makers = _malformed_values_for(request_input) or _IN_QUERY
        if request_input.parameter is not None and _is_number_in_url(request_input):
            makers = replace(makers, per_schema=(*makers.per_schema, partial(_put_in_url, _BEYOND_64_BITS)))
        if firsts[_schema_key(subject, request_input)] is request_input:
            peers = by_kind[_parameter_kind(request_input)]
            place = next(number for number, peer in enumerate(peers) if peer is request_input)
            yield request_input, (*makers.per_schema, *makers.per_kind[place :: len(peers)])
        else:
            yield (
                request_input,
                tuple(makers.per_schema[next(turns) % len(makers.per_schema)] for _ in range(VALUES_AGAIN)),
            )


def _is_number_in_url(request_input: Input) -> bool:
    """Return whether a parameter is a number in a path or a query: one that fits no 64 bits is tested."""
    is_number = bool({"integer", "number"} & set(request_input.meaning.types))
    place = request_input.parameter.location_in if request_input.parameter is not None else None
    return is_number and place in (ParameterLocation.PATH, ParameterLocation.QUERY)


def _malformed_values_for(request_input: Input) -> _MalformedValues | None:
    """Return the malformed values for a parameter, None for a body member and for a parameter without a
    value.
    """
    if request_input.parameter is None or request_input.value is ABSENT:
        return None
    return MALFORMED_VALUES.get(request_input.parameter.location_in)


def _schema_key(subject: Subject, request_input: Input) -> tuple[str, object]:
    schema = subject.api.resolve(request_input.schema)
    return str(request_input.parameter and request_input.parameter.location_in), schema.location


def _parameter_kind(request_input: Input) -> tuple[str, ...]:
    """Return the location of a parameter and the type of its values: an enum, a number, a text."""
    types = ("enum",) if request_input.meaning.enum else request_input.meaning.types
    return str(request_input.parameter and request_input.parameter.location_in), *types


def _location_text(request_input: Input) -> str:
    return f"the {request_input.parameter.location_in}" if request_input.parameter is not None else "the body"


def _with_query(url: str, text: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{text}"


def _check_no_server_error(
    operation: Operation, promise: Location, title: str, requests: tuple[Request, ...], send: Send
) -> Iterator[CheckFailure]:
    """Yield a failure for the first request that is a server error; any other response is correct.

    No contract states what these requests get, so they are sent under no operation.
    """
    for request in requests:
        exchange = send(None, request)
        if exchange.answer is None or exchange.status >= 500:
            yield _failure(operation, promise, title, exchange)
            return


def _failure(operation: Operation, promise: Location, title: str, exchange: Exchange) -> CheckFailure:
    return CheckFailure(
        title=f"{title} is a server error" if exchange.answer is not None else f"{title} gets no response",
        message=f"{exchange.request.url[:200]} gets {exchange.outcome}",
        operation=operation_label(operation),
        promise=promise,
        evidence=(exchange,),
    )


FAMILY = Family(
    name="odd-parameters",
    summary="no parameter causes a server error",
    words=CheckDescription(
        promise="No path, query or header value causes a server error.",
        test="Each parameter schema receives a NUL, invalid UTF-8, quotes, a very long text, and a number of more "
        "than 64 bits if it is one; each kind "
        "of parameter also broken percent-encoding, line feeds, oversized numbers, and in the query "
        "no value and two values. Operations share the tests of parameters with the same schema. Each"
        " operation also receives an undeclared parameter.",
        remedy="Validate parameters before they reach a database or a number parser, and return 400 or 404.",
        sources=("RFC 3986 §2.1", "RFC 9110 §15.6.1"),
    ),
    needs="a parameter in a path, a query or a header",
    probes=probes,
    beside=True,
)
