"""Parameter × odd value: nothing that a client puts into an address or a header is a server error."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from urllib.parse import quote

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.inputs import Input, authorised_request, inputs, valid_request_values
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.contract import ABSENT, Operation, ParameterLocation

VALUE_MARK = "devportalOddValue"
UNKNOWN_QUERIES = ("devportalUnknown=1", "&=&devportalUnknown", "devportalUnknown%5Ba%5D=1")
ODD_VALUES_AGAIN = 2
"""How many odd values a parameter gets whose schema has been tried with more at another operation."""

OddRequestMaker = Callable[[Subject, Input], Request]
"""What makes a request with an odd value of a parameter, or with the parameter in an odd shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _OddValues:
    """Odd values of parameters in one place. `own` are for what each parameter's own code does with a value,
    up to its database; `common` for what is done with all of a kind, such as decoding.
    """

    own: tuple[OddRequestMaker, ...]
    common: tuple[OddRequestMaker, ...]


def _in_url(text: str, subject: Subject, one: Input) -> Request:
    """Return a request with a text in its address as it stands: it need be no UTF-8 and no escape."""
    marked = authorised_request(subject, one.having(VALUE_MARK))
    return replace(marked, url=marked.url.replace(VALUE_MARK, text))


def _in_header(text: str, subject: Subject, one: Input) -> Request:
    marked = authorised_request(subject, one.having(VALUE_MARK))
    headers = tuple((name, value.replace(VALUE_MARK, text)) for name, value in marked.headers)
    return replace(marked, headers=headers)


def _repeated_parameter(mark: str, subject: Subject, one: Input) -> Request:
    """Return a request with a parameter once more, behind its name a mark."""
    whole = authorised_request(subject, one.having(one.value))
    name = quote(one.parameter.name, safe="") if one.parameter is not None else ""
    return replace(whole, url=_with_query(whole.url, f"{name}{mark}=devportal"))


_OWN = ("%00", "%ff%fe", "%27%22%3B--", "x" * 3000)
_COMMON = (
    "%zz",
    "%F0%9F%8E%89",
    "%E2%80%AE%D7%90",
    "..%2F..%2Fetc",
    "%0d%0aX-Devportal%3A%201",
    "-1",
    "1e999",
    "9" * 60,
)
_IN_PATH = _OddValues(
    own=tuple(partial(_in_url, text) for text in _OWN),
    common=tuple(partial(_in_url, text) for text in _COMMON),
)
_IN_QUERY = _OddValues(
    own=_IN_PATH.own,
    common=(
        *_IN_PATH.common,
        partial(_in_url, ""),
        partial(_repeated_parameter, ""),
        partial(_repeated_parameter, "%5B%5D"),
    ),
)
_IN_HEADER = _OddValues(
    own=tuple(partial(_in_header, text) for text in ("\xff\xfe", "'\";--", "x" * 3000)),
    common=tuple(partial(_in_header, text) for text in ("", "-1", "9" * 60)),
)
ODD_VALUES = {
    ParameterLocation.PATH: _IN_PATH,
    ParameterLocation.QUERY: _IN_QUERY,
    ParameterLocation.HEADER: _IN_HEADER,
}


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each parameter of an operation, and one for a query that nobody declared."""
    operations = [one for one in subject.operations if one.method != "DELETE"]
    valid = {operation_label(one): made for one in operations if (made := valid_request_values(subject, one))}
    for one, odds in _assign_odd_values(
        subject, [one for made in valid.values() for one in inputs(subject, made)]
    ):
        operation = one.filling.operation
        requests = tuple(odd(subject, one) for odd in odds)
        run = partial(_check_no_server_error, operation, f"an odd value in {_location_text(one)}", requests)
        yield Probe(operation=operation_label(operation), run=run, is_rude=True)
    for number, made in enumerate(valid.values()):
        plain = authorised_request(subject, made[0])
        unknown = replace(plain, url=_with_query(plain.url, UNKNOWN_QUERIES[number % len(UNKNOWN_QUERIES)]))
        operation = made[0].operation
        run = partial(_check_no_server_error, operation, "an undeclared query", (unknown,))
        yield Probe(operation=operation_label(operation), run=run)


def _assign_odd_values(
    subject: Subject, places: Sequence[Input]
) -> Iterator[tuple[Input, tuple[OddRequestMaker, ...]]]:
    """Yield the parameters with what is tried in each. Every schema gets, at the first operation with it, all
    that is about its own code, and a share of the rest: each kind of parameter gets all of that. At other
    operations it gets a few in turn.
    """
    tried = [one for one in places if _odd_values_for(one) is not None]
    firsts = {_schema_key(subject, one): one for one in reversed(tried)}
    kinds: dict[tuple[str, ...], list[Input]] = defaultdict(list)
    for one in tried:
        if firsts[_schema_key(subject, one)] is one:
            kinds[_parameter_kind(one)].append(one)
    turns = count()
    for one in tried:
        odds = _odd_values_for(one) or _IN_QUERY
        if firsts[_schema_key(subject, one)] is one:
            peers = kinds[_parameter_kind(one)]
            place = next(number for number, peer in enumerate(peers) if peer is one)
            yield one, (*odds.own, *odds.common[place :: len(peers)])
        else:
            yield one, tuple(odds.own[next(turns) % len(odds.own)] for _ in range(ODD_VALUES_AGAIN))


def _odd_values_for(one: Input) -> _OddValues | None:
    """Return what a parameter can be tried with, None for what is none, and for one without a value."""
    if one.parameter is None or one.value is ABSENT:
        return None
    return ODD_VALUES.get(one.parameter.location_in)


def _schema_key(subject: Subject, one: Input) -> tuple[str, object]:
    return str(one.parameter and one.parameter.location_in), subject.api.resolve(one.schema).location


def _parameter_kind(one: Input) -> tuple[str, ...]:
    """Return where a parameter stands and what it takes: one of several words, a number, a text."""
    types = ("enum",) if one.meaning.enum else one.meaning.types
    return str(one.parameter and one.parameter.location_in), *types


def _location_text(one: Input) -> str:
    return f"the {one.parameter.location_in}" if one.parameter is not None else "the body"


def _with_query(url: str, text: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{text}"


def _check_no_server_error(
    operation: Operation, title: str, requests: tuple[Request, ...], send: Send
) -> Iterator[CheckFailure]:
    """Yield a fault for the first request that is a server error; any other answer is right.

    No contract says what these get, so they are not asked in the name of the operation.
    """
    for request in requests:
        exchange = send(None, request)
        if exchange.answer is None or exchange.status >= 500:
            yield _failure(operation, title, exchange)
            return


def _failure(operation: Operation, title: str, exchange: Exchange) -> CheckFailure:
    where = operation.parameters[0].location if operation.parameters else operation.location
    return CheckFailure(
        title=f"{title} is a server error" if exchange.answer is not None else f"{title} gets no answer",
        message=f"{exchange.request.url[:200]} gets {exchange.outcome}",
        operation=operation_label(operation),
        promise=where,
        evidence=(exchange,),
    )


FAMILY = Family(
    name="odd-parameters",
    summary="no parameter is a server error",
    words=CheckDescription(
        promise="Nothing that a client can put into a path, a query or a header is a server error.",
        test="Each schema of a parameter gets a NUL, bytes that are no UTF-8, quotes and a very long text; "
        "each kind of parameter also broken percent-encoding, line feeds, numbers that fit nowhere, and in "
        "the query no value and two. Parameters with one schema share these among their operations. Each "
        "operation gets a parameter that nobody declared.",
        remedy="Validate parameters before they reach a database or a number parser, and answer 400 or 404.",
        sources=("RFC 3986 §2.1", "RFC 9110 §15.6.1"),
    ),
    probes=probes,
    beside=True,
)
