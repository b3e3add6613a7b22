"""A part of a content is the part that its response states: `Range`, 206 and `Content-Range`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.requests.request_variants import with_header
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation

OK = 200
PARTIAL_CONTENT = 206
SERVER_ERROR = 500
FEWEST_BYTES = 3
"""A shorter content has no part that is neither its beginning nor its end."""
REQUESTED = "bytes=1-1"
_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """What `Content-Range` states: the positions of the first and the last byte, and the length of the whole
    content in bytes, None if it is unknown.
    """

    first: int
    last: int
    whole: int | None


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each reading that documents 206."""
    for operation in subject.operations:
        if operation.method == "GET" and documents_exact_status(operation, PARTIAL_CONTENT):
            yield Probe(operation=operation_label(operation), run=partial(_check_parts, subject, operation))


def _check_parts(subject: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    """Read a content, one byte of it, the content again, and a range beyond its end."""
    request = subject.valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    request = _without_range(with_header(request, "Accept-Encoding", "identity"))
    before = send(operation, request)
    part = send(operation, with_header(request, "Range", REQUESTED))
    after = send(operation, request)
    content = _whole_content(before)
    if content is None or content != _whole_content(after):
        raise Unsendable(
            f"a content of {FEWEST_BYTES} bytes or more: give its parameters under `values` in the settings"
        )
    beyond = send(operation, with_header(request, "Range", f"bytes={len(content)}-"))
    is_tested = part.status == PARTIAL_CONTENT and not _is_encoded(part.answer)
    if part.answer is not None and is_tested and (problem := _wrong_part(content, part.answer)) is not None:
        title, message = problem
        yield response_failure(operation, part, title, message, before, part)
    if part.status == OK and part.answer is not None and part.answer.body == content[1:2]:
        title = "a part of a content has the status of the whole"
        message = (
            f"'Range: {REQUESTED}' gets 200 with this byte alone, and caches take it for the whole content"
        )
        yield response_failure(operation, part, title, message, before, part)
        return
    if part.status >= SERVER_ERROR:
        message = f"'Range: {REQUESTED}' gets {part.status}, and without it {before.status}"
        yield response_failure(operation, part, "a range is a server error", message, before, part)
    if beyond.status == PARTIAL_CONTENT or beyond.status >= SERVER_ERROR:
        message = (
            f"the content has {len(content)} bytes, and 'Range: bytes={len(content)}-' gets {beyond.status}"
        )
        title = "a range beyond the content is not rejected with 416"
        yield response_failure(operation, beyond, title, message, before, beyond)
    if not is_tested and part.status < SERVER_ERROR:
        raise Unsendable(f"206 in response to 'Range: {REQUESTED}'")


def _without_range(request: Request) -> Request:
    return replace(
        request, headers=tuple((name, value) for name, value in request.headers if name.lower() != "range")
    )


def _whole_content(exchange: Exchange) -> bytes | None:
    """Return the content of a 200, None if there is none that has parts."""
    response = exchange.answer
    if response is None or response.status != OK or _is_encoded(response):
        return None
    return response.body if len(response.body) >= FEWEST_BYTES else None


def _is_encoded(response: HttpResponse | None) -> bool:
    """Return whether a response has a coding: the positions of its parts are those of the coded content."""
    coding = response.header("content-encoding") if response is not None else None
    return coding not in (None, "identity")


def _wrong_part(content: bytes, response: HttpResponse) -> tuple[str, str] | None:
    """Return what contradicts the content in a 206. A server may send another part than was asked for (RFC 9110
    §15.3.7), and several parts in a multipart body.
    """
    if response.media_type == "multipart/byteranges":
        return None
    stated = response.header("content-range")
    if stated is None:
        return "206 has no Content-Range", "the part that was sent is unknown"
    part = _parse_content_range(stated)
    if part is None:
        return "Content-Range is not valid", f"it is {stated!r}"
    if part.whole not in (None, len(content)):
        return (
            "Content-Range states another length of the whole",
            f"it is {stated!r}, and the content has {len(content)} bytes",
        )
    expected = content[part.first : part.last + 1]
    if len(response.body) != len(expected):
        return (
            "a part has another length than its Content-Range",
            f"Content-Range is {stated!r}, and the body has {len(response.body)} bytes",
        )
    if response.body != expected:
        return (
            "a part is not the one that its Content-Range states",
            f"Content-Range is {stated!r}, and the body has other bytes than the whole content has there",
        )
    return None


def _parse_content_range(text: str) -> _Part | None:
    """Return what a `Content-Range` of a 206 states, None if it is not valid (RFC 9110 §14.4)."""
    match = _CONTENT_RANGE.fullmatch(text.strip())
    if match is None:
        return None
    first, last, whole = match.groups()
    part = _Part(first=int(first), last=int(last), whole=None if whole == "*" else int(whole))
    is_possible = part.first <= part.last and (part.whole is None or part.last < part.whole)
    return part if is_possible else None


FAMILY = Family(
    name="partial-content",
    summary="parts are what they state",
    words=CheckDescription(
        promise="A response with status 206 has the bytes that its `Content-Range` states, and the length of the "
        "whole content in it is correct. A range beyond the end is not served.",
        test="Operations that document 206 are read whole, in part, and whole again. The part is compared with "
        "the whole content. Then a range that begins after the last byte is requested. Ignoring `Range` passes, a part "
        "with status 200 does not.",
        remedy="Take the part from the content that the same request without `Range` returns. The last position "
        "is part of the range: `bytes=0-3` is four bytes.",
        sources=("RFC 9110 §14.4", "RFC 9110 §15.3.7", "RFC 9110 §15.5.17"),
    ),
    needs="an operation with GET that documents 206",
    probes=probes,
)
