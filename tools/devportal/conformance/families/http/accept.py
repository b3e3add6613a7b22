"""Operation × Accept: every spelling of an available type is accepted, and no Accept is a server error."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.http.other_media_types import check_media_types, has_other_media_types
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import operation_failure
from devportal.conformance.knowledge.requests.request_variants import (
    ACCEPTED_REQUEST,
    EquivalentRequest,
    compare_equivalent_requests,
    with_header,
)
from devportal.conformance.knowledge.resources.operation_resources import with_resource_for_action
from devportal.conformance.knowledge.response_check import (
    documented_response,
    documents_exact_status,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.media_types import documented_media_type

IMPOSSIBLE_ACCEPTS = ("application/xml", "image/x-devportal", "*/*;q=0")
UNREADABLE_ACCEPTS = (";;;", "application", "a/b/c, ,", "text/*;q=devportal", "x" * 2000)
NOT_ACCEPTABLE = 406
MOST_COMPRESSED = 3
"""How many operations are read compressed and plain: the whole deployment compresses alike."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each operation that returns a body and can be repeated."""
    for operation in subject.operations:
        name = _success_media_type(operation)
        if not name or subject.valid(operation) is None or operation.method == "DELETE":
            continue
        for check in (
            *(partial(_check_spelling, operation, value) for value in _accept_spellings(name)),
            partial(_check_impossible_accept, operation),
        ):
            yield Probe(operation=operation_label(operation), run=partial(_check, subject, operation, check))
        if operation.method == "GET" and has_other_media_types(operation):
            run = partial(check_media_types, subject, operation)
            yield Probe(operation=operation_label(operation), run=run)
        yield Probe(
            operation=operation_label(operation),
            run=partial(_check, subject, operation, partial(_check_unreadable_accept, operation)),
            is_rude=True,
        )
    for operation in [operation for operation in subject.operations if operation.method == "GET"][
        :MOST_COMPRESSED
    ]:
        request = subject.valid(operation)
        if request is not None:
            yield Probe(
                operation=operation_label(operation), run=partial(_check_content_coding, operation, request)
            )


def _success_media_type(operation: Operation) -> str:
    """Return the first media type of the successes, empty if they have none or a range."""
    names = (
        media_type.name.partition(";")[0].strip()
        for each in operation.successes
        for media_type in each.content
    )
    first = next(names, "")
    return "" if "*" in first else first


def _accept_spellings(name: str) -> Iterator[str]:
    """Yield values of `Accept` that a media type meets."""
    kind = name.partition("/")[0]
    yield from ("*/*", f"{kind}/*", name, name.upper())
    yield from (f"text/x-devportal;q=0.9, {name};q=0.5", f"{name};q=0.1, */*;q=0.01")


def _check(
    subject: Subject,
    operation: Operation,
    check: Callable[[Request, Send], Iterator[CheckFailure]],
    send: Send,
) -> Iterator[CheckFailure]:
    """Check a valid request of an operation, that of an action with a new resource."""
    with with_resource_for_action(subject, operation, send) as prepared:
        request = prepared.valid(operation)
        if request is None:
            raise Unsendable(NO_VALID_REQUEST)
        yield from check(request, send)


def _with_accept(request: Request, value: str) -> Request:
    others = tuple(pair for pair in request.headers if pair[0].lower() != "accept")
    return replace(request, headers=(*others, ("Accept", value)))


def _check_spelling(operation: Operation, value: str, plain: Request, send: Send) -> Iterator[CheckFailure]:
    other = EquivalentRequest(title="an Accept that can be met", request=_with_accept(plain, value))
    failure = compare_equivalent_requests(operation, plain, other, operation.location, send)
    if failure is not None:
        yield replace(failure, message=f"Accept {value!r}: {failure.message}")


def _check_impossible_accept(operation: Operation, request: Request, send: Send) -> Iterator[CheckFailure]:
    """Yield the failure of an Accept that cannot be satisfied. A success in a documented type is correct as
    well (RFC 9110 §12.4.1), unless the contract promises 406.
    """
    promised = documents_exact_status(operation, NOT_ACCEPTABLE)
    plain = send(operation, request)
    if plain.answer is None or not plain.answer.is_success:
        return
    impossible = [value for value in IMPOSSIBLE_ACCEPTS if not _is_documented(operation, value)]
    for value in impossible[: 1 if promised else None]:
        # HTTP defines an undocumented 406: the exchange is not checked against the contract.
        exchange = send(operation if promised else None, _with_accept(request, value))
        if exchange.answer is None or exchange.status >= 500:
            yield _failure(operation, "an Accept that cannot be met is a server error", value, exchange)
        elif (
            not promised
            and _is_in_undocumented_type(operation, exchange)
            and not _is_in_undocumented_type(operation, plain)
        ):
            title = "an Accept that cannot be met gets an undocumented media type"
            yield _failure(operation, title, value, exchange)
        elif promised and exchange.answer.is_success:
            title = "an Accept that cannot be met is not rejected with 406"
            yield _failure(operation, title, value, exchange)


def _is_documented(operation: Operation, name: str) -> bool:
    return any(documented_media_type(success.content, name) is not None for success in operation.successes)


def _is_in_undocumented_type(operation: Operation, exchange: Exchange) -> bool:
    """Return whether a success has a body in a media type that the operation does not document for it."""
    response = documented_response(operation, exchange.status)
    if response is None or exchange.answer is None or not exchange.answer.is_success:
        return False
    is_typed = bool(response.content and exchange.answer.body and exchange.answer.media_type)
    return is_typed and documented_media_type(response.content, exchange.answer.media_type) is None


def _check_unreadable_accept(operation: Operation, request: Request, send: Send) -> Iterator[CheckFailure]:
    """Yield a failure for the first unreadable Accept that is a server error; any other response is correct."""
    for value in UNREADABLE_ACCEPTS:
        exchange = send(None, _with_accept(request, value))
        if exchange.answer is None or exchange.status >= 500:
            yield _failure(operation, "an unreadable Accept is a server error", value[:40], exchange)
            return


def _check_content_coding(operation: Operation, request: Request, send: Send) -> Iterator[CheckFailure]:
    """Read compressed, as clients ask for it, and without compression (RFC 9110 §12.5.3): both are the same."""
    plain_request = with_header(request, "Accept-Encoding", "identity")
    plain, compressed, again = (send(operation, sent) for sent in (plain_request, request, plain_request))
    if plain.answer is None or again.answer is None or not plain.answer.is_success:
        raise Unsendable(ACCEPTED_REQUEST)
    if not plain.answer.body:
        raise Unsendable("a response with a body")
    coding = plain.answer.header("content-encoding") or ""
    if coding.lower() not in ("", "identity"):
        message = f"Accept-Encoding: identity gets Content-Encoding: {coding}"
        yield operation_failure(
            operation, "a response is compressed although identity was asked for", message, plain
        )
    elif (
        compressed.answer is not None
        and compressed.status == plain.status
        and plain.answer.body == again.answer.body != compressed.answer.body
    ):
        message = f"{len(plain.answer.body)} bytes without compression, {len(compressed.answer.body)} with it"
        yield operation_failure(
            operation, "a compressed response is not the same as a plain one", message, plain, compressed
        )


def _failure(operation: Operation, title: str, value: str, exchange: Exchange) -> CheckFailure:
    response = documented_response(operation, NOT_ACCEPTABLE)
    is_named = documents_exact_status(operation, NOT_ACCEPTABLE) and response is not None
    return CheckFailure(
        title=title,
        message=f"Accept {value!r} gets {exchange.outcome}" + ("; 406 is promised" if "406" in title else ""),
        operation=operation_label(operation),
        promise=response.location if is_named and response is not None else operation.location,
        evidence=(exchange,),
    )


FAMILY = Family(
    name="accept",
    summary="Accept follows HTTP",
    words=CheckDescription(
        promise="A client that accepts the media type of an operation receives it, however `Accept` is "
        "spelled. An `Accept` that excludes it is rejected with 406 if the contract documents 406, "
        "and never causes a server error. A response is the same with and without compression, and is not "
        "compressed for a client that accepts only `identity`. An operation that documents JSON and XML is available "
        "in both, with the same values, and has `Vary: Accept` if caches may store it.",
        test="Each operation receives `*/*`, a range, its media type in upper case and with weights, a "
        "type it does not offer, and values that are not lists of media types. Three operations are read "
        "with and without compression. An operation that documents several media types is read in each: none of them "
        "may get 406. Required texts and whole numbers of the JSON occur in the XML if both have one schema.",
        remedy="Use a library for content negotiation: it handles weights, ranges and letter case.",
        sources=("RFC 9110 §12.5.1", "RFC 9110 §12.5.3", "RFC 9110 §12.5.5", "RFC 9110 §15.5.7"),
    ),
    needs="an operation with a `content` in a response",
    probes=probes,
    beside=True,
)
