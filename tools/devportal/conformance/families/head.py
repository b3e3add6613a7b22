"""GET × HEAD: where HEAD is answered at all, it says of GET's answer what GET says, and guards it as well; it
may be refused, and breaks nothing.
"""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.credentials import is_secured
from devportal.conformance.exchange import Answer, Exchange, Request
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.subject import Subject, label
from devportal.contract import Operation

SERVER_ERROR = 500
"""The server broke; 501 to 504 may be said of a method that is not known, or by somebody in between."""
SAME = ("content-type", "content-length", "etag", "last-modified")
"""Headers that speak of the content: HEAD may leave them out, and must not say something else of it."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation with GET whose path has no HEAD of its own."""
    declared = {one.path for one in subject.api.operations if one.method == "HEAD"}
    for operation in subject.operations:
        request, bare = subject.valid(operation), subject.bare(operation)
        if operation.method != "GET" or operation.path in declared or request is None or bare is None:
            continue
        yield Probe(operation=label(operation), run=partial(_agrees, operation, request))
        if is_secured(operation) and subject.secret:
            yield Probe(operation=label(operation), run=partial(_guarded, operation, bare))


def _head(request: Request) -> Request:
    return Request(method="HEAD", url=request.url, headers=request.headers)


def _agrees(operation: Operation, request: Request, send: Send) -> Iterator[Fault]:
    """Yield what HEAD says otherwise; what two GETs say differently may differ (RFC 9110 §9.3.2), and so may
    what is said of compressed content, which HEAD has none of to compress.
    """
    before, head, after = send(operation, request), send(None, _head(request)), send(operation, request)
    answers = before.answer, head.answer, after.answer
    if answers[0] is None or answers[1] is None or answers[2] is None:
        return
    if not answers[0].is_success or before.status != after.status:
        return
    if head.status == SERVER_ERROR:
        message = f"GET gets {before.status} and HEAD {head.status}"
        yield _fault(operation, "HEAD is a server error", message, head)
    if not answers[1].is_success:
        return
    if head.status != before.status:
        message = f"GET gets {before.status} and HEAD {head.status}"
        yield _fault(operation, "HEAD has another status than GET", message, head)
    for name in SAME if before.answer is not None and not before.answer.header("content-encoding") else ():
        first, given, last = (_header(one, name) for one in answers if one is not None)
        if first == last and given is not None and first is not None and given != first:
            message = f"{name} is {first!r} with GET and {given!r} with HEAD"
            yield _fault(operation, f"HEAD has another {name.title()} than GET", message, head)


def _header(answer: Answer, name: str) -> str | None:
    """Return what a header says; empty parameters and letter case of a media type mean nothing."""
    value = answer.header(name)
    if name == "content-type" and value is not None:
        return answer.media_type
    return value.strip() if value is not None else None


def _guarded(operation: Operation, bare: Request, send: Send) -> Iterator[Fault]:
    if 200 <= send(operation, bare).status < 300:
        return  # the family `authentication` tells
    head = send(None, _head(bare))
    if head.answer is not None and head.answer.is_success:
        message = f"HEAD without a credential gets {head.status}, GET does not"
        yield _fault(operation, "HEAD gets in without a credential", message, head)


def _fault(operation: Operation, title: str, message: str, exchange: Exchange) -> Fault:
    return Fault(
        title=title,
        message=message,
        operation=label(operation),
        promise=operation.location,
        evidence=(exchange,),
    )


FAMILY = Family(
    name="head",
    summary="HEAD agrees with GET",
    words=Words(
        promise="HEAD is no server error where GET succeeds. Where it succeeds too, its status is that of "
        "GET, what its headers say of the content is true of GET's, and it asks for the same credential.",
        test="Each operation with GET is asked with GET, HEAD and GET again, and with HEAD without a "
        "credential. A server that refuses HEAD is right; one that answers it with 500 is not.",
        remedy="Let the framework answer HEAD by running GET and leaving the content away.",
        sources=("RFC 9110 §9.3.2", "RFC 9110 §8.6"),
    ),
    probes=probes,
)
