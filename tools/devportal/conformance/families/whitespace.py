"""Whitespace where it counts and where it does not: around texts with a pattern, and between JSON tokens."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from devportal.conformance.control import Respelled, misread
from devportal.conformance.exchange import Request
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.gathering import promise_of, unrefused
from devportal.conformance.inputs import Input, bases, inputs, is_forbidden, request_of
from devportal.conformance.subject import Subject, label
from devportal.conformance.valid_request import is_json
from devportal.contract import In, Operation

ACCEPTED = "whitespace that the contract forbids is accepted"
BROKEN = "whitespace around a value is a server error"
AROUND = (
    ("a space before", " {}"),
    ("a space after", "{} "),
    ("a line feed after", "{}\n"),
    ("a tab before", "\t{}"),
    ("a no-break space after", "{}\u00a0"),
)
TRIMMED = (In.HEADER, In.COOKIE)
"""Where HTTP itself takes whitespace away (RFC 9110 §5.5)."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield for each operation a probe of whitespace around its values, and one for each spelling of JSON."""
    for operation in subject.operations:
        if operation.method == "DELETE":
            continue
        places = tuple(
            one
            for one in inputs(subject, bases(subject, operation))
            if isinstance(one.value, str)
            and (one.parameter is None or one.parameter.location_in not in TRIMMED)
        )
        if places:
            yield Probe(operation=label(operation), run=partial(_around, subject, operation, places))
        request = subject.valid(operation)
        if request is not None and request.body and is_json(dict(request.headers).get("Content-Type", "")):
            for other in spellings(request):
                run = partial(_respelled, operation, request, other)
                yield Probe(operation=label(operation), run=run)


def spellings(request: Request) -> Iterator[Respelled]:
    """Yield the same JSON in other spellings (RFC 8259 §2, §7): whitespace, order, escapes."""
    value = json.loads(request.body or b"null")
    dense = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    for title, text in (
        ("JSON without whitespace", dense),
        ("JSON with whitespace around every token", "\r\n\t " + json.dumps(value, indent="\t \r\n") + " \n"),
        ("JSON with its members in another order", json.dumps(_reversed(value))),
        ("JSON with every character escaped", _escaped(value)),
    ):
        yield Respelled(title=title, request=replace(request, body=text.encode()))


def _reversed(value: Any) -> Any:
    match value:
        case dict():
            return {name: _reversed(one) for name, one in reversed(value.items())}
        case list():
            return [_reversed(one) for one in value]
    return value


def _escaped(value: Any) -> str:
    match value:
        case dict():
            return "{" + ",".join(f"{_escaped(name)}:{_escaped(one)}" for name, one in value.items()) + "}"
        case list():
            return "[" + ",".join(map(_escaped, value)) + "]"
        case str():
            units = value.encode("utf-16-be", "surrogatepass")
            pairs = zip(units[::2], units[1::2], strict=True)
            return '"' + "".join(f"\\u{high:02X}{low:02x}" for high, low in pairs) + '"'
    return json.dumps(value)


def _around(subject: Subject, operation: Operation, places: tuple[Input, ...], send: Send) -> Iterator[Fault]:
    requests = (
        (f"{title} {one.name}", request_of(subject, one.having(shape.format(one.value))))
        for one in places
        for title, shape in AROUND
        if is_forbidden(subject, one.having(shape.format(one.value)))
    )
    yield from unrefused(operation, requests, send, accepted=ACCEPTED, broken=BROKEN)


def _respelled(operation: Operation, plain: Request, other: Respelled, send: Send) -> Iterator[Fault]:
    fault = misread(operation, plain, other, promise_of(operation), send)
    if fault is not None:
        yield fault


FAMILY = Family(
    name="whitespace",
    summary="whitespace counts in values and nowhere else",
    words=Words(
        promise="A text with a space, tab or line feed around it is another text: where a pattern or an "
        "enumeration forbids it, it is refused. Between the tokens of JSON, whitespace means nothing, as do "
        "the order of members and how characters are escaped.",
        test="Whitespace is put around each text of a valid request as far as its schema forbids that, and "
        "a body that is accepted is sent again without whitespace, with a lot of it, in another order, and "
        "with every character escaped.",
        remedy="Anchor patterns at the very end: `$` matches before a last line feed in Python, Ruby, PHP "
        "and Perl, where `\\Z` or `\\z` is meant; do not trim before validation. Parse JSON with a parser.",
        sources=("RFC 8259 §2", "RFC 8259 §7", "JSON Schema 2020-12 Validation §6.3.3"),
    ),
    probes=probes,
    beside=True,
)
