"""Operation × malformed body: invalid JSON is rejected, and no body is a server error."""

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import quote_plus

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.encoded_bodies import BOUNDARY, is_multipart
from devportal.conformance.knowledge.requests.forbidden_requests import request_location
from devportal.conformance.knowledge.requests.request_variants import with_header
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.media_types import is_json, is_xml
from devportal.contract.wire_format.serialisation import scalar_text

NOT_IMPLEMENTED = 501
NESTING = 3000
MOST_VALUES = 12
"""How many values of one body are replaced, one after another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MalformedBody:
    """One kind of malformed body: how it is made of a valid JSON value, its charset, and whether it must be
    rejected. `make` yields none if the value has no place for it.
    """

    title: str
    make: Callable[[Any], Iterator[bytes]]
    charset: str = ""
    is_refused: bool = False


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation with a JSON body or a form and each kind of malformed body, and one of a
    body with GET for each operation that reads.
    """
    for operation in subject.operations:
        request = subject.valid(operation)
        if request is not None and request.method == "GET":
            yield Probe(
                operation=operation_label(operation), run=partial(_check_body_with_get, operation, request)
            )
        if request is not None and request.form is not None:
            for malformed in _malformed_kinds(request.content_type):
                bodies = (
                    _with_body(request, chunk, "") for chunk in malformed.make(dict(request.form.values))
                )
                run = partial(_check_bodies, operation, malformed, tuple(bodies))
                yield Probe(operation=operation_label(operation), run=run)
        if request is None or request.body is None or not is_json(request.content_type):
            continue
        yield Probe(
            operation=operation_label(operation), run=partial(_check_transfer_codings, operation, request)
        )
        value = json.loads(request.body)
        for malformed in MALFORMED_BODIES:
            requests = tuple(
                _with_body(request, body, malformed.charset)
                for body in islice(malformed.make(value), MOST_VALUES)
            )
            if requests:
                yield Probe(
                    operation=operation_label(operation),
                    run=partial(_check_bodies, operation, malformed, requests),
                )


def _malformed_kinds(content_type: str) -> tuple[MalformedBody, ...]:
    """Return the malformed bodies of a media type that is not JSON."""
    if is_multipart(content_type):
        return MALFORMED_PARTS
    return MALFORMED_XML if is_xml(content_type) else MALFORMED_FORMS


def _check_bodies(
    operation: Operation, malformed: MalformedBody, requests: tuple[Request, ...], send: Send
) -> Iterator[CheckFailure]:
    """Yield the first failure of one kind of malformed body."""
    for request in requests:
        failures = list(_check_body(operation, malformed, request, send))
        if failures:
            yield from failures
            return


def _check_body(
    operation: Operation, malformed: MalformedBody, request: Request, send: Send
) -> Iterator[CheckFailure]:
    exchange = send(operation, request)
    is_needed = operation.request_body is not None and operation.request_body.required
    must_refuse = malformed.is_refused and (is_needed or bool(request.body))
    if exchange.answer is None or exchange.status >= 500:
        outcome = "is a server error" if exchange.answer is not None else "gets no response"
    elif must_refuse and exchange.answer.is_success:
        outcome = "is accepted"
    else:
        return
    promise = operation.request_body.location if operation.request_body is not None else operation.location
    yield CheckFailure(
        title=f"{malformed.title} {outcome}",
        message=f"{malformed.title} gets {exchange.outcome}; a 4xx response is correct"
        if must_refuse
        else f"{malformed.title} gets {exchange.outcome}; any documented response except 5xx is correct",
        operation=operation_label(operation),
        promise=promise,
        evidence=(exchange,),
    )


def _check_transfer_codings(operation: Operation, request: Request, send: Send) -> Iterator[CheckFailure]:
    """Yield the failures of a valid body in another encoding: chunked, compressed, or in an unknown coding.
    It may be accepted or rejected; no contract states which.

    Each request closes the connection, so that unread bytes are not taken for the next request.
    """
    body = request.body or b""
    encodings = (
        ("a body in chunks", ("Transfer-Encoding", "chunked"), body),
        ("a compressed body", ("Content-Encoding", "gzip"), gzip.compress(body, mtime=0)),
        ("a body that is not compressed as it says", ("Content-Encoding", "gzip"), body),
        ("a body in an unknown coding", ("Content-Encoding", "devportal"), body),
    )
    for title, header, content in encodings:
        headers = (*request.headers, header, ("Connection", "close"))
        yield from _server_error_failures(
            operation, title, send(None, replace(request, headers=headers, body=content))
        )


def _check_body_with_get(operation: Operation, request: Request, send: Send) -> Iterator[CheckFailure]:
    """Yield the failure of a body with GET, which means nothing (RFC 9110 §9.3.1)."""
    headers = (*request.headers, ("Content-Type", "application/json"), ("Connection", "close"))
    malformed = replace(request, headers=headers, body=b'{"devportal": [')
    yield from _server_error_failures(operation, "a body with GET", send(None, malformed))


def _server_error_failures(operation: Operation, title: str, exchange: Exchange) -> Iterator[CheckFailure]:
    """Yield the failure of a server error. A missing response is none: a server may close the connection of
    an unread body. Nor is 501: the server may not support the request (RFC 9110 §15.6.2).
    """
    if exchange.status >= 500 and exchange.status != NOT_IMPLEMENTED:
        yield CheckFailure(
            title=f"{title} is a server error",
            message=f"{title} gets {exchange.status}; any response except 5xx is correct",
            operation=operation_label(operation),
            promise=request_location(operation),
            evidence=(exchange,),
        )


def _with_body(request: Request, body: bytes, charset: str) -> Request:
    media_type = request.content_type
    value = f"{media_type}; charset={charset}" if charset else media_type
    return replace(with_header(request, "Content-Type", value), body=body)


def _json_bytes(value: Any) -> bytes:
    return json.dumps(value).encode()


def _latin1_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("latin-1", "replace")


def _single_body_maker(make: Callable[[Any], bytes]) -> Callable[[Any], Iterator[bytes]]:
    """Return a maker of one body."""

    def make_bodies(value: Any) -> Iterator[bytes]:
        yield make(value)

    return make_bodies


def _replacing_body_maker(types: tuple[type, ...], text: bytes) -> Callable[[Any], Iterator[bytes]]:
    """Return a maker of a body for each value of some types, replaced by a JSON text.

    One value at a time: the first rejected one would hide the others.
    """

    def make_bodies(value: Any) -> Iterator[bytes]:
        placeholder = "devportal-odd-value"
        for changed in _each_replacement(value, types, placeholder):
            yield _json_bytes(changed).replace(f'"{placeholder}"'.encode(), text)

    return make_bodies


def _each_replacement(value: Any, types: tuple[type, ...], placeholder: str) -> Iterator[Any]:
    match value:
        case dict():
            for key, item in value.items():
                for changed in _each_replacement(item, types, placeholder):
                    yield {**value, key: changed}
        case list():
            for position, item in enumerate(value):
                for changed in _each_replacement(item, types, placeholder):
                    yield [*value[:position], changed, *value[position + 1 :]]
        case _ if isinstance(value, types) and not isinstance(value, bool):
            yield placeholder


def _duplicate_member_bodies(value: Any) -> Iterator[bytes]:
    if isinstance(value, dict) and value:
        name = next(iter(value))
        yield f"{{{json.dumps(name)}: null, ".encode() + _json_bytes(value)[1:]


def _form_maker(last: str) -> Callable[[Any], Iterator[bytes]]:
    """Return a maker of forms whose last field has a value that is already encoded; of empty ones without it."""

    def make(values: Any) -> Iterator[bytes]:
        pairs = [f"{quote_plus(name)}={quote_plus(scalar_text(value))}" for name, value in values.items()]
        names = [quote_plus(name) for name in values]
        yield "&".join((*pairs[:-1], f"{names[-1]}={last}")).encode() if last and names else b""

    return make


MALFORMED_FORMS = (
    MalformedBody(title="an empty form", make=_form_maker("")),
    MalformedBody(title="broken percent-encoding in a form", make=_form_maker("%")),
    MalformedBody(title="a form that is not UTF-8", make=_form_maker("%ff%fe")),
    MalformedBody(title="a NUL character in a form", make=_form_maker("a%00b")),
    MalformedBody(title="an emoji in a form", make=_form_maker("%F0%9F%8E%89")),
    MalformedBody(title="a form with empty fields", make=_form_maker("a&=&&=")),
)

MALFORMED_PARTS = (
    MalformedBody(title="an empty multipart body", make=_single_body_maker(lambda _: b"")),
    MalformedBody(
        title="a multipart body with another boundary",
        make=_single_body_maker(lambda _: b"--other\r\n\r\na\r\n--other--"),
    ),
    MalformedBody(
        title="a multipart body without its end",
        make=_single_body_maker(lambda _: f"--{BOUNDARY}\r\nContent-Disposition: form-data\r\n".encode()),
    ),
)
MALFORMED_XML = (
    MalformedBody(title="an empty body", make=_single_body_maker(lambda _: b""), is_refused=True),
    MalformedBody(
        title="XML without its end", make=_single_body_maker(lambda _: b"<root><a>1</a>"), is_refused=True
    ),
    MalformedBody(title="JSON in the place of XML", make=_single_body_maker(_json_bytes), is_refused=True),
    MalformedBody(
        title="XML that is not UTF-8",
        make=_single_body_maker(lambda _: b"<root>\xff\xfe</root>"),
        is_refused=True,
    ),
    MalformedBody(
        title="XML with an entity that nobody declares",
        make=_single_body_maker(lambda _: b"<root>&devportal;</root>"),
        is_refused=True,
    ),
    MalformedBody(
        title="deeply nested XML", make=_single_body_maker(lambda _: b"<a>" * NESTING + b"</a>" * NESTING)
    ),
)
_STRING, _NUMBER = (str,), (int, float)

MALFORMED_BODIES = (
    MalformedBody(
        title="malformed JSON",
        make=_single_body_maker(lambda value: _json_bytes(value)[:-1] + b","),
        is_refused=True,
    ),
    MalformedBody(title="an empty body", make=_single_body_maker(lambda _: b""), is_refused=True),
    MalformedBody(
        title="a body of two JSON values",
        make=_single_body_maker(lambda value: _json_bytes(value) * 2),
        is_refused=True,
    ),
    MalformedBody(title="null", make=_single_body_maker(lambda _: b"null")),
    MalformedBody(title="a number that is not JSON (NaN)", make=_replacing_body_maker(_NUMBER, b"NaN")),
    MalformedBody(title="a number of 400 digits", make=_replacing_body_maker(_NUMBER, b"9" * 400)),
    MalformedBody(title="a lone surrogate", make=_replacing_body_maker(_STRING, b'"\\ud800"')),
    MalformedBody(title="a NUL character", make=_replacing_body_maker(_STRING, b'"a\\u0000b"')),
    MalformedBody(
        title="text from right to left", make=_replacing_body_maker(_STRING, '"\u202e\u05d0\u0627"'.encode())
    ),
    MalformedBody(title="an emoji", make=_replacing_body_maker(_STRING, '"\U0001f389"'.encode())),
    MalformedBody(
        title="a text that is not UTF-8", make=_replacing_body_maker(_STRING, b'"\xff\xfe\xc0\x80"')
    ),
    MalformedBody(
        title="a byte order mark", make=_single_body_maker(lambda value: b"\xef\xbb\xbf" + _json_bytes(value))
    ),
    MalformedBody(
        title="UTF-16",
        make=_single_body_maker(lambda value: json.dumps(value).encode("utf-16")),
        charset="utf-16",
    ),
    MalformedBody(title="Latin-1", make=_single_body_maker(_latin1_json), charset="iso-8859-1"),
    MalformedBody(
        title="a charset that nobody knows", make=_single_body_maker(_json_bytes), charset="x-devportal"
    ),
    MalformedBody(
        title="a body cut in a character",
        make=_single_body_maker(lambda value: _json_bytes(value)[:-1] + b"\xf0\x9f"),
    ),
    MalformedBody(title="a number that fits in no float", make=_replacing_body_maker(_NUMBER, b"1e999")),
    MalformedBody(title="a name twice in an object", make=_duplicate_member_bodies),
    MalformedBody(title="deep nesting", make=_single_body_maker(lambda _: b"[" * NESTING + b"]" * NESTING)),
)


FAMILY = Family(
    name="odd-bodies",
    summary="no body causes a server error",
    words=CheckDescription(
        promise="A body that is not JSON is rejected with 4xx, and no request causes a server error.",
        test="Each operation with a JSON body receives truncated and empty bodies, two values, NaN, lone "
        "surrogates, NUL, other encodings and deep nesting, in each place of a valid body in turn; a "
        "valid body in chunks, compressed and with unknown codings; and a body with GET. Forms, multipart bodies and "
        "XML are malformed too: without their ends, with another boundary, with undeclared entities.",
        remedy="Parse the bytes of the body with a strict JSON parser, and return 400 or 422 if that fails.",
        sources=("RFC 8259 §8.1", "RFC 9110 §15.6.1"),
    ),
    needs="a request body",
    probes=probes,
    beside=True,
)
