"""Operation × odd body: what is not JSON is refused, and nothing that a client sends is a server error."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from devportal.conformance.exchange import Request
from devportal.conformance.subject import Fault, Probe, Send, Subject, label
from devportal.conformance.valid_request import is_json
from devportal.contract import Operation

NESTING = 3000


@dataclass(frozen=True, slots=True, kw_only=True)
class OddBody:
    """One odd body: how it is made of a valid JSON value, its charset, and whether it must be refused.

    `make` returns None where it cannot be made of that value.
    """

    title: str
    make: Callable[[Any], bytes | None]
    charset: str = ""
    is_refused: bool = False


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation with a JSON body and each odd body."""
    for operation in subject.operations:
        request = subject.valid(operation)
        if request is None or request.body is None or not is_json(_media_type(request)):
            continue
        value = json.loads(request.body)
        for odd in ODD_BODIES:
            body = odd.make(value)
            if body is not None:
                run = partial(_survived, operation, odd, _with_body(request, body, odd.charset))
                yield Probe(operation=label(operation), run=run)


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


def _with_strings(text: str) -> Callable[[Any], bytes | None]:
    """Return a maker that puts a text, written as JSON, in place of every string value."""

    def make(value: Any) -> bytes | None:
        mark = "devportal-string"
        marked = json.dumps(_replaced(value, str, mark))
        return marked.replace(f'"{mark}"', text).encode("utf-8") if mark in marked else None

    return make


def _with_numbers(text: str) -> Callable[[Any], bytes | None]:
    """Return a maker that puts a text in place of every number."""

    def make(value: Any) -> bytes | None:
        mark = "devportal-number"
        marked = json.dumps(_replaced(value, (int, float), mark))
        return marked.replace(f'"{mark}"', text).encode() if mark in marked else None

    return make


def _replaced(value: Any, kind: type | tuple[type, ...], mark: str) -> Any:
    if isinstance(value, dict):
        return {key: _replaced(item, kind, mark) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, kind, mark) for item in value]
    return mark if isinstance(value, kind) and not isinstance(value, bool) else value


def _not_utf8(value: Any) -> bytes | None:
    made = _with_strings('"devportal-bytes"')(value)
    return made.replace(b"devportal-bytes", b"\xff\xfe\xc0\x80") if made is not None else None


def _twice(value: Any) -> bytes | None:
    if not isinstance(value, dict) or not value:
        return None
    name = next(iter(value))
    return f"{{{json.dumps(name)}: null, ".encode() + _dump(value)[1:]


ODD_BODIES = (
    OddBody(title="malformed JSON", make=lambda value: _dump(value)[:-1] + b",", is_refused=True),
    OddBody(title="an empty body", make=lambda _: b"", is_refused=True),
    OddBody(title="two JSON values", make=lambda value: _dump(value) * 2, is_refused=True),
    OddBody(title="null", make=lambda value: None if value is None else b"null"),
    OddBody(title="a number that is no JSON (NaN)", make=_with_numbers("NaN")),
    OddBody(title="a number of 400 digits", make=_with_numbers("9" * 400)),
    OddBody(title="a lone surrogate", make=_with_strings('"\\ud800"')),
    OddBody(title="a NUL character", make=_with_strings('"a\\u0000b"')),
    OddBody(title="text from right to left", make=_with_strings('"\u202e\u05d0\u0627"')),
    OddBody(title="an emoji outside the BMP", make=_with_strings('"\U0001f389"')),
    OddBody(title="bytes that are not UTF-8", make=_not_utf8),
    OddBody(title="a byte order mark", make=lambda value: b"\xef\xbb\xbf" + _dump(value)),
    OddBody(title="UTF-16", make=lambda value: json.dumps(value).encode("utf-16"), charset="utf-16"),
    OddBody(title="a name twice in an object", make=_twice),
    OddBody(title="deep nesting", make=lambda _: b"[" * NESTING + b"]" * NESTING),
)
