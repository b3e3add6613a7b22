"""Operation × odd body: what is not JSON is refused, and nothing that a client sends is a server error."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from devportal.conformance.exchange import Request
from devportal.conformance.subject import Fault, Probe, Send, Subject, label
from devportal.conformance.valid_request import is_json
from devportal.contract import Operation

NESTING = 3000
MOST_PLACES = 12
"""How many values of one body are made odd, one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OddBody:
    """One kind of odd body: how such bodies are made of a valid JSON value, their charset, and whether
    they must be refused. `make` yields none where the value has no place for it.
    """

    title: str
    make: Callable[[Any], Iterator[bytes]]
    charset: str = ""
    is_refused: bool = False


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation with a JSON body and each kind of odd body."""
    for operation in subject.operations:
        request = subject.valid(operation)
        if request is None or request.body is None or not is_json(_media_type(request)):
            continue
        value = json.loads(request.body)
        for odd in ODD_BODIES:
            requests = tuple(
                _with_body(request, body, odd.charset) for body in islice(odd.make(value), MOST_PLACES)
            )
            if requests:
                yield Probe(operation=label(operation), run=partial(_all_survived, operation, odd, requests))


def _all_survived(
    operation: Operation, odd: OddBody, requests: tuple[Request, ...], send: Send
) -> Iterator[Fault]:
    """Yield the first fault of one kind of odd body."""
    for request in requests:
        faults = list(_survived(operation, odd, request, send))
        if faults:
            yield from faults
            return


def _survived(operation: Operation, odd: OddBody, request: Request, send: Send) -> Iterator[Fault]:
    exchange = send(operation, request)
    is_needed = operation.request_body is not None and operation.request_body.required
    must_refuse = odd.is_refused and (is_needed or bool(request.body))
    if exchange.answer is None or exchange.status >= 500:
        outcome = "is a server error" if exchange.answer is not None else "gets no answer"
    elif must_refuse and exchange.answer.is_success:
        outcome = "is accepted"
    else:
        return
    promise = operation.request_body.location if operation.request_body is not None else operation.location
    yield Fault(
        title=f"{odd.title} {outcome}",
        message=f"{odd.title} gets {exchange.status or 'no answer'}; a refusal with 4xx is right"
        if must_refuse
        else f"{odd.title} gets {exchange.status or 'no answer'}; any documented answer but 5xx is right",
        operation=label(operation),
        promise=promise,
        evidence=(exchange,),
    )


def _media_type(request: Request) -> str:
    return dict(request.headers).get("Content-Type", "")


def _with_body(request: Request, body: bytes, charset: str) -> Request:
    media_type = _media_type(request)
    value = f"{media_type}; charset={charset}" if charset else media_type
    others = tuple(pair for pair in request.headers if pair[0] != "Content-Type")
    return replace(request, body=body, headers=(*others, ("Content-Type", value)))


def _dump(value: Any) -> bytes:
    return json.dumps(value).encode()


def _once(make: Callable[[Any], bytes]) -> Callable[[Any], Iterator[bytes]]:
    """Return a maker of one body."""

    def made(value: Any) -> Iterator[bytes]:
        yield make(value)

    return made


def _in_place_of(kinds: tuple[type, ...], text: bytes) -> Callable[[Any], Iterator[bytes]]:
    """Return a maker of a body for each value of some types, in which that value is a text of JSON.

    One at a time: with all of them odd, the first that is refused would hide the others.
    """

    def made(value: Any) -> Iterator[bytes]:
        mark = "devportal-odd-value"
        for changed in _each_replaced(value, kinds, mark):
            yield _dump(changed).replace(f'"{mark}"'.encode(), text)

    return made


def _each_replaced(value: Any, kinds: tuple[type, ...], mark: str) -> Iterator[Any]:
    match value:
        case dict():
            for key, item in value.items():
                for changed in _each_replaced(item, kinds, mark):
                    yield {**value, key: changed}
        case list():
            for position, item in enumerate(value):
                for changed in _each_replaced(item, kinds, mark):
                    yield [*value[:position], changed, *value[position + 1 :]]
        case _ if isinstance(value, kinds) and not isinstance(value, bool):
            yield mark


def _twice(value: Any) -> Iterator[bytes]:
    if isinstance(value, dict) and value:
        name = next(iter(value))
        yield f"{{{json.dumps(name)}: null, ".encode() + _dump(value)[1:]


_STRING, _NUMBER = (str,), (int, float)

ODD_BODIES = (
    OddBody(title="malformed JSON", make=_once(lambda value: _dump(value)[:-1] + b","), is_refused=True),
    OddBody(title="an empty body", make=_once(lambda _: b""), is_refused=True),
    OddBody(title="two JSON values", make=_once(lambda value: _dump(value) * 2), is_refused=True),
    OddBody(title="null", make=_once(lambda _: b"null")),
    OddBody(title="a number that is no JSON (NaN)", make=_in_place_of(_NUMBER, b"NaN")),
    OddBody(title="a number of 400 digits", make=_in_place_of(_NUMBER, b"9" * 400)),
    OddBody(title="a lone surrogate", make=_in_place_of(_STRING, b'"\\ud800"')),
    OddBody(title="a NUL character", make=_in_place_of(_STRING, b'"a\\u0000b"')),
    OddBody(title="text from right to left", make=_in_place_of(_STRING, '"\u202e\u05d0\u0627"'.encode())),
    OddBody(title="an emoji", make=_in_place_of(_STRING, '"\U0001f389"'.encode())),
    OddBody(title="bytes that are not UTF-8", make=_in_place_of(_STRING, b'"\xff\xfe\xc0\x80"')),
    OddBody(title="a byte order mark", make=_once(lambda value: b"\xef\xbb\xbf" + _dump(value))),
    OddBody(title="UTF-16", make=_once(lambda value: json.dumps(value).encode("utf-16")), charset="utf-16"),
    OddBody(title="a name twice in an object", make=_twice),
    OddBody(title="deep nesting", make=_once(lambda _: b"[" * NESTING + b"]" * NESTING)),
)
