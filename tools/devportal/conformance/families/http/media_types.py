"""Operation × request media type: every spelling of the documented one is accepted, and others are rejected
if promised.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.encoded_bodies import is_multipart
from devportal.conformance.knowledge.requests.forbidden_requests import (
    FailureCollector,
    request_location,
    spelling_failures,
)
from devportal.conformance.knowledge.requests.request_variants import EquivalentRequest
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.media_types import is_json, is_xml, media_type_essence

CANDIDATE_TYPES = (
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    "multipart/form-data; boundary=devportal",
)
UNSUPPORTED = 415
OTHER_REASONS = (401, 403, 404, 409, 410, 412, 413, 423, 429)
"""Rejections for other reasons, which may come first."""
UNREADABLE_TYPES = ("", "json", "application/", "application/json;;=", "a/b/c", ",")
"""Values of Content-Type that name no media type; the empty one stands for a missing header."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each operation with a body."""
    for operation in subject.operations:
        request = subject.valid(operation)
        if request is None or request.body is None or operation.request_body is None:
            continue
        documented = {media_type_essence(media_type.name) for media_type in operation.request_body.content}
        others = tuple(
            candidate_type
            for candidate_type in CANDIDATE_TYPES
            if candidate_type.partition(";")[0] not in documented
        )
        if any(map(is_xml, documented)):  # `text/xml` and `application/xml` are read alike (RFC 7303 §9.2)
            others = tuple(candidate_type for candidate_type in others if not is_xml(candidate_type))
        if others and not any("*" in text for text in documented):
            yield Probe(
                operation=operation_label(operation),
                run=partial(_check_undocumented_types, operation, request, others),
            )
        yield Probe(
            operation=operation_label(operation), run=partial(_check_unreadable_types, operation, request)
        )
        for other in _content_type_spellings(request) if not is_multipart(request.content_type) else ():
            yield Probe(
                operation=operation_label(operation),
                run=partial(spelling_failures, operation, request, other),
            )


def _with_content_type(request: Request, media_type: str) -> Request:
    others = tuple(pair for pair in request.headers if pair[0] != "Content-Type")
    return replace(request, headers=(*others, ("Content-Type", media_type)) if media_type else others)


def _content_type_spellings(request: Request) -> Iterator[EquivalentRequest]:
    """Yield the request with other spellings of its media type (RFC 9110 §8.3.1)."""
    name = dict(request.headers)["Content-Type"].partition(";")[0].strip()
    upper = _with_content_type(request, name.upper())
    yield EquivalentRequest(title="a media type in upper case", request=upper, is_unusual=True)
    for parameter in ("; charset=utf-8", ";charset=UTF-8", '; charset="utf-8"') if is_json(name) else ():
        yield EquivalentRequest(
            title="a media type with charset=utf-8", request=_with_content_type(request, name + parameter)
        )


def _check_unreadable_types(operation: Operation, request: Request, send: Send) -> Iterator[CheckFailure]:
    """Yield a failure for the first unreadable media type that is a server error; any other response is
    correct.
    """
    for media_type in UNREADABLE_TYPES:
        exchange = send(None, _with_content_type(request, media_type))
        if exchange.answer is None or exchange.status >= 500:
            yield CheckFailure(
                title="an unreadable media type is a server error",
                message=f"Content-Type {media_type!r} gets {exchange.outcome}",
                operation=operation_label(operation),
                promise=request_location(operation),
                evidence=(exchange,),
            )
            return


def _check_undocumented_types(
    operation: Operation, request: Request, others: tuple[str, ...], send: Send
) -> Iterator[CheckFailure]:
    response = documented_response(operation, UNSUPPORTED)
    promised = documents_exact_status(operation, UNSUPPORTED)
    promise = response.location if promised and response is not None else request_location(operation)
    collector = FailureCollector(operation)
    for media_type in others:
        exchange = send(operation, _with_content_type(request, media_type))
        if exchange.answer is None or exchange.status >= 500:
            collector.add("an undocumented media type is a server error", promise, media_type, exchange)
        elif promised and exchange.status not in (UNSUPPORTED, *OTHER_REASONS):
            collector.add(
                "an undocumented media type is not rejected with 415", promise, media_type, exchange
            )
    yield from collector.failures()


FAMILY = Family(
    name="media-types",
    summary="media types follow HTTP, and undocumented ones are rejected",
    words=CheckDescription(
        promise="A body in an undocumented media type is rejected with 415 if the contract documents 415. The"
        " documented type is accepted with `charset=utf-8` and in upper case too. A rejected "
        "upper-case spelling is only a note, because no common client sends it. No `Content-Type` "
        "causes a server error.",
        test="Each operation with a body receives a valid one with another `Content-Type`, with none, with"
        " malformed ones, and with other spellings of the right one.",
        remedy="Check `Content-Type` before you read the body, ignore case, and parse its parameters instead"
        " of comparing the whole text.",
        sources=("RFC 9110 §8.3.1", "RFC 9110 §15.5.16"),
    ),
    needs="a request body",
    probes=probes,
    beside=True,
)
