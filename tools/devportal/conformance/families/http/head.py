"""GET × HEAD: a successful HEAD has the headers of GET and requires the same credential. It may be rejected,
but is not a server error.
"""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.credentials import is_secured
from devportal.conformance.deployment.exchange import HttpResponse, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import operation_failure
from devportal.conformance.knowledge.requests.request_variants import ACCEPTED_REQUEST, with_header
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation

SERVER_ERROR = 500
"""The server failed; 501 to 504 may come for an unknown method, or from an intermediary."""
COMPARED_HEADERS = ("content-type", "content-length", "etag", "last-modified")
"""Headers that describe the content: HEAD may omit them, but must not contradict GET."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation with GET. If its path has its own HEAD, only their headers are compared:
    the contract states its statuses and its credential.
    """
    declared = {operation.path for operation in subject.api.operations if operation.method == "HEAD"}
    for operation in subject.operations:
        request, bare = subject.valid(operation), subject.bare(operation)
        if operation.method != "GET" or request is None or bare is None:
            continue
        is_declared = operation.path in declared
        run = partial(_check_headers_agree, operation, request, is_declared=is_declared)
        yield Probe(operation=operation_label(operation), run=run)
        if not is_declared and is_secured(operation) and subject.secret:
            yield Probe(
                operation=operation_label(operation), run=partial(_check_authentication, operation, bare)
            )


def _head_request(request: Request) -> Request:
    return Request(method="HEAD", url=request.url, headers=request.headers)


def _check_headers_agree(
    operation: Operation, request: Request, send: Send, *, is_declared: bool
) -> Iterator[CheckFailure]:
    """Yield the differences of HEAD. What differs between two GETs is ignored (RFC 9110 §9.3.2). No compressed
    response is accepted, since HEAD has no content to compress. A HEAD that the contract declares may have another
    status, and is another response then.
    """
    request = with_header(request, "Accept-Encoding", "identity")
    before, head, after = (
        send(operation, request),
        send(None, _head_request(request)),
        send(operation, request),
    )
    responses = before.answer, head.answer, after.answer
    if responses[0] is None or responses[1] is None or responses[2] is None:
        raise Unsendable("responses to GET and HEAD")
    if not responses[0].is_success or before.status != after.status:
        raise Unsendable(ACCEPTED_REQUEST)
    if head.status == SERVER_ERROR:
        message = f"GET gets {before.status} and HEAD {head.status}"
        yield operation_failure(operation, "HEAD is a server error", message, head)
    if not responses[1].is_success or (is_declared and head.status != before.status):
        return
    if head.status != before.status:
        message = f"GET gets {before.status} and HEAD {head.status}"
        yield operation_failure(operation, "HEAD has another status than GET", message, head)
    for name in (
        COMPARED_HEADERS if before.answer is not None and not before.answer.header("content-encoding") else ()
    ):
        first_value, head_value, second_value = (
            _comparable_header(response, name) for response in responses if response is not None
        )
        if (
            first_value == second_value
            and head_value is not None
            and first_value is not None
            and head_value != first_value
        ):
            message = f"{name} is {first_value!r} with GET and {head_value!r} with HEAD"
            yield operation_failure(operation, f"HEAD has another {name.title()} than GET", message, head)


def _comparable_header(response: HttpResponse, name: str) -> str | None:
    """Return the value of a header, normalised: empty parameters and the case of a media type are ignored."""
    value = response.header(name)
    if name == "content-type" and value is not None:
        return response.media_type
    return value.strip() if value is not None else None


def _check_authentication(operation: Operation, bare: Request, send: Send) -> Iterator[CheckFailure]:
    if 200 <= send(operation, bare).status < 300:
        raise Unsendable("a deployment that rejects GET without a credential")  # `authentication` reports it
    head = send(None, _head_request(bare))
    if head.is_success:
        message = f"HEAD without a credential gets {head.status}, GET does not"
        yield operation_failure(operation, "HEAD gets in without a credential", message, head)


FAMILY = Family(
    name="head",
    summary="HEAD matches GET",
    words=CheckDescription(
        promise="HEAD causes no server error if GET succeeds. If HEAD succeeds too, it returns the status and"
        " content headers of GET, and requires the same credential.",
        test="Each GET operation is called with GET, HEAD and GET again, and with HEAD without a "
        "credential. Rejecting HEAD passes; returning 500 does not.",
        remedy="Let the framework handle HEAD by running GET and dropping the content.",
        sources=("RFC 9110 §9.3.2", "RFC 9110 §8.6"),
    ),
    needs="an operation with GET for which a request can be built",
    probes=probes,
)
