"""Path × method: an undeclared method does not succeed, and is rejected with 405 and `Allow` if 405 is promised."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from devportal.conformance.deployment.exchange import Exchange, Headers, Request
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.resources.created_resources import is_success
from devportal.conformance.knowledge.resources.operation_resources import resource_of, with_new_resource_of
from devportal.conformance.knowledge.response_check import (
    documented_response,
    documents_exact_status,
    response_mismatches,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.path_templates import path_pattern

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
SAFE_TO_TRY = ("GET", "POST", "PUT", "PATCH")
UNKNOWN_METHOD = "DEVPORTAL"
"""A method that no server knows; the set of methods is open (RFC 9110 §9.1)."""
CANARY_CREDENTIAL = "devportal-canary-credential"
METHOD_NOT_ALLOWED = 405
NOT_IMPLEMENTED = 501
"""The only 5xx that a server may return for an unknown method (RFC 9110 §15.6.2)."""


def is_unknown_method(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a response is 501 to a method that the path does not declare."""
    operation = subject.operation(exchange.operation)
    if operation is None or exchange.status != NOT_IMPLEMENTED:
        return False
    declared = {neighbour.method for neighbour in subject.api.operations if neighbour.path == operation.path}
    return exchange.request.method.upper() not in declared


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield probes of the undeclared methods of each path, and of HEAD and OPTIONS."""
    for path in dict.fromkeys(operation.path for operation in subject.operations):
        declared_operations = tuple(
            operation for operation in subject.api.operations if operation.path == path
        )
        tested = tuple(operation for operation in subject.operations if operation.path == path)
        request = subject.valid(tested[0])
        if request is None:
            continue
        declared = {operation.method for operation in declared_operations} | _methods_of_matching_paths(
            subject, request, path
        )
        undeclared = tuple(method for method in METHODS if method not in declared)
        if undeclared:
            run = partial(_check_undeclared_methods, subject, tested, declared_operations, undeclared)
            yield Probe(operation=operation_label(tested[0]), run=run)
        unusual = tuple(_with_method(request, text) for text in sorted({"HEAD", UNKNOWN_METHOD} - declared))
        preflight = Request(
            method="OPTIONS", url=request.url, headers=_preflight_headers(declared_operations[0].method)
        )
        run = partial(_check_methods, partial(_check_no_server_error, tested[0]), (*unusual, preflight))
        yield Probe(operation=operation_label(tested[0]), run=run)
        if "OPTIONS" not in declared:
            names = frozenset(operation.method for operation in declared_operations)
            run = partial(_check_options, tested[0], names, _with_method(request, "OPTIONS"))
            yield Probe(operation=operation_label(tested[0]), run=run)
        traced = Request(
            method="TRACE", url=request.url, headers=(("Authorization", f"Bearer {CANARY_CREDENTIAL}"),)
        )
        yield Probe(operation=operation_label(tested[0]), run=partial(_check_trace, tested[0], traced))


def _methods_of_matching_paths(subject: Subject, request: Request, path: str) -> set[str]:
    """Return the methods of other paths that match the same address: `/users/{id}` and `/users/me`."""
    address = request.url.removeprefix(subject.base_url).partition("?")[0]
    return {
        operation.method
        for operation in subject.api.operations
        if operation.path != path and path_pattern(operation.path).fullmatch(address)
    }


def _with_method(request: Request, method: str) -> Request:
    body = request.body if method in ("POST", "PUT", "PATCH") else None
    headers = tuple(pair for pair in request.headers if body is not None or pair[0] != "Content-Type")
    return Request(method=method, url=request.url, headers=headers, body=body)


def _check_methods(
    check: Callable[[Request, Send], Iterator[CheckFailure]], requests: tuple[Request, ...], send: Send
) -> Iterator[CheckFailure]:
    """Yield the failures of several methods, each title once with all messages."""
    by_title: dict[str, list[CheckFailure]] = {}
    for request in requests:
        for failure in check(request, send):
            by_title.setdefault(failure.title, []).append(failure)
    for failures in by_title.values():
        messages = dict.fromkeys(failure.message for failure in failures)
        yield replace(failures[0], message="; ".join(messages))


def _check_undeclared_methods(
    subject: Subject,
    tested: tuple[Operation, ...],
    declared_operations: tuple[Operation, ...],
    methods: tuple[str, ...],
    send: Send,
) -> Iterator[CheckFailure]:
    """Send the methods to a new resource: a DELETE that succeeds would leave none for its repetition."""
    with with_new_resource_of(subject, resource_of(subject, tested[0]), send) as prepared:
        request = prepared.valid(tested[0])
        if request is None:
            return
        requests = tuple(_with_method(request, method) for method in methods)
        check = partial(_check_method_refused, prepared, tested, declared_operations)
        yield from _check_methods(check, requests, send)


def _check_method_refused(
    subject: Subject,
    tested: tuple[Operation, ...],
    declared_operations: tuple[Operation, ...],
    request: Request,
    send: Send,
) -> Iterator[CheckFailure]:
    promising = next(
        (operation for operation in tested if documents_exact_status(operation, METHOD_NOT_ALLOWED)), None
    )
    operation = promising or tested[0]
    exchange = send(None, request)
    declared = {operation.method for operation in declared_operations}
    if promising is None and exchange.status != METHOD_NOT_ALLOWED and not is_success(exchange):
        yield from _server_error_failures(operation, exchange)
        return
    response = documented_response(operation, METHOD_NOT_ALLOWED) if promising is not None else None
    for title, message in _refusal_problems(exchange, declared, request.method):
        yield CheckFailure(
            title=title,
            message=message,
            operation=operation_label(operation),
            promise=response.location if response is not None else operation.location,
            evidence=(exchange,),
            is_pedantic=promising is None and exchange.status == METHOD_NOT_ALLOWED,
        )
    if promising is not None and exchange.answer is not None and exchange.status == METHOD_NOT_ALLOWED:
        for mismatch in response_mismatches(subject.validator, promising, exchange.answer):
            if mismatch.header.lower() == "allow" and exchange.answer.header("allow") is None:
                continue  # that the header is missing is reported above
            yield CheckFailure(
                title=f"the response to an undeclared method breaks its {mismatch.aspect} promise",
                message=mismatch.message,
                operation=operation_label(promising),
                promise=mismatch.promise,
                evidence=(exchange,),
            )


def _refusal_problems(exchange: Exchange, declared: set[str], method: str) -> Iterator[tuple[str, str]]:
    if is_success(exchange):
        yield "an undeclared method succeeds", f"{method} gets {exchange.outcome}"
        return
    if exchange.answer is None or exchange.status != METHOD_NOT_ALLOWED:
        got = exchange.outcome
        yield "an undeclared method is not rejected with 405", f"{method} gets {got}; 405 is promised"
        return
    allow = exchange.answer.header("allow")
    listed = {part.strip().upper() for part in (allow or "").split(",")}
    if allow is None:
        yield "405 has no Allow header", "RFC 9110 §15.5.6 demands Allow on every 405"
    elif method in listed:
        yield "Allow lists the rejected method", f"{method} gets 405 and Allow: {allow}"
    elif missing := sorted(declared - listed):
        yield "Allow lacks a declared method", f"Allow is {allow!r} and lacks {', '.join(missing)}"


def _check_options(
    operation: Operation, declared: frozenset[str], request: Request, send: Send
) -> Iterator[CheckFailure]:
    """Compare the `Allow` of a successful OPTIONS with the contract (RFC 9110 §10.2.1)."""
    exchange = send(None, request)
    yield from _server_error_failures(operation, exchange)
    allow = exchange.answer.header("allow") if exchange.answer is not None else None
    listed = {part.strip().upper() for part in (allow or "").split(",")}
    missing = sorted(declared - listed)
    if allow is not None and is_success(exchange) and missing:
        yield CheckFailure(
            title="Allow lacks a declared method",
            message=f"OPTIONS gets Allow: {allow}, which lacks {', '.join(missing)}",
            operation=operation_label(operation),
            promise=operation.location,
            evidence=(exchange,),
            is_pedantic=True,
        )
    elif allow is not None and is_success(exchange):
        yield from _check_listed_methods(operation, request, listed - declared, exchange, send)


def _check_listed_methods(
    operation: Operation, request: Request, undeclared: set[str], options: Exchange, send: Send
) -> Iterator[CheckFailure]:
    """Send the first undeclared method that OPTIONS lists, except DELETE: 405 shows that the list is untrue."""
    method = next((text for text in SAFE_TO_TRY if text in undeclared), None)
    exchange = send(None, replace(request, method=method)) if method is not None else None
    if exchange is not None and exchange.status == METHOD_NOT_ALLOWED:
        yield CheckFailure(
            title="Allow lists the rejected method",
            message=f"OPTIONS lists {method}, and {method} gets 405",
            operation=operation_label(operation),
            promise=operation.location,
            evidence=(options, exchange),
            is_pedantic=True,
        )


def _preflight_headers(method: str) -> Headers:
    """Return the headers of a browser's preflight request for another origin (Fetch §3.3.2)."""
    return (
        ("Origin", "https://devportal.example"),
        ("Access-Control-Request-Method", method),
        ("Access-Control-Request-Headers", "authorization,content-type"),
    )


def _check_trace(operation: Operation, request: Request, send: Send) -> Iterator[CheckFailure]:
    """Yield a failure if TRACE reveals the credential that a browser sent (RFC 9110 §9.3.8)."""
    exchange = send(None, request)
    if (
        exchange.answer is not None
        and exchange.answer.is_success
        and CANARY_CREDENTIAL.encode() in exchange.answer.body
    ):
        yield CheckFailure(
            title="TRACE repeats a credential",
            message=f"TRACE gets {exchange.status} with the Authorization header of the request",
            operation=operation_label(operation),
            promise=operation.location,
            evidence=(exchange,),
        )
    else:
        yield from _server_error_failures(operation, exchange)


def _check_no_server_error(operation: Operation, request: Request, send: Send) -> Iterator[CheckFailure]:
    yield from _server_error_failures(operation, send(None, request))


def _server_error_failures(operation: Operation, exchange: Exchange) -> Iterator[CheckFailure]:
    if exchange.answer is None or (exchange.status >= 500 and exchange.status != NOT_IMPLEMENTED):
        yield CheckFailure(
            title="an undeclared method is a server error",
            message=f"{exchange.request.method} gets {exchange.outcome}",
            operation=operation_label(operation),
            promise=operation.location,
            evidence=(exchange,),
        )


FAMILY = Family(
    name="methods",
    summary="undeclared methods are rejected",
    words=CheckDescription(
        promise="A method that a path does not declare does not succeed, and causes no server error. It is "
        "rejected with 405 if the contract documents 405. Every 405 has an `Allow` header that lists the "
        "declared methods and not the rejected one. If OPTIONS returns `Allow`, it lists them too.",
        test="Each path receives every GET, POST, PUT, PATCH and DELETE that it does not declare, HEAD, "
        "OPTIONS, a browser's preflight, an unknown method, and TRACE, whose response must not "
        "contain the request's credential.",
        remedy="Return 405 with `Allow` before authentication or routing falls through to 404. 501 is "
        "correct for a method that the server does not implement at all.",
        sources=("RFC 9110 §15.5.6", "RFC 9110 §10.2.1", "RFC 9110 §15.6.2"),
    ),
    needs="a path for which a request can be built",
    probes=probes,
    beside=True,
)
