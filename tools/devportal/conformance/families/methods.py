"""Path × method: an undeclared method is refused with 405 and `Allow`, where 405 is promised."""

import re
from collections.abc import Iterator
from functools import partial

from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.response_check import breaches, documents, response_for
from devportal.conformance.subject import Fault, Probe, Send, Subject, label
from devportal.contract import Operation

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
NOT_IMPLEMENTED = 501
"""The one 5xx that a server may answer to a method it does not know (RFC 9110 §15.6.2)."""


def is_unknown_method(subject: Subject, exchange: Exchange) -> bool:
    """Say whether an answer is 501 to a method that the path of the exchange's operation does not declare."""
    operation = subject.operation(exchange.operation)
    if operation is None or exchange.status != NOT_IMPLEMENTED:
        return False
    declared = {one.method for one in subject.api.operations if one.path == operation.path}
    return exchange.request.method.upper() not in declared


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each path and each method that it does not have, and for HEAD and OPTIONS."""
    for path in dict.fromkeys(operation.path for operation in subject.operations):
        here = tuple(one for one in subject.api.operations if one.path == path)
        tested = tuple(one for one in subject.operations if one.path == path)
        request = subject.valid(tested[0])
        if request is None:
            continue
        declared = {one.method for one in here} | _served_elsewhere(subject, request, path)
        for method in METHODS:
            if method not in declared:
                run = partial(_refused, subject, tested, here, _with_method(request, method))
                yield Probe(operation=label(tested[0]), run=run)
        for method in sorted({"HEAD", "OPTIONS"} - declared):
            run = partial(_survived, tested[0], _with_method(request, method))
            yield Probe(operation=label(tested[0]), run=run)


def _served_elsewhere(subject: Subject, request: Request, path: str) -> set[str]:
    """Return the methods of other paths that this very address matches too: `/users/{id}` and `/users/me`."""
    address = request.url.removeprefix(subject.base_url).partition("?")[0]
    return {
        one.method
        for one in subject.api.operations
        if one.path != path and re.fullmatch(_pattern(one.path), address)
    }


def _pattern(path: str) -> str:
    return "[^/]+".join(re.escape(part) for part in re.split(r"\{[^}]*\}", path))


def _with_method(request: Request, method: str) -> Request:
    kept = request.body if method in ("POST", "PUT", "PATCH") else None
    headers = tuple(pair for pair in request.headers if kept is not None or pair[0] != "Content-Type")
    return Request(method=method, url=request.url, headers=headers, body=kept)


def _refused(
    subject: Subject,
    tested: tuple[Operation, ...],
    here: tuple[Operation, ...],
    request: Request,
    send: Send,
) -> Iterator[Fault]:
    promising = next((one for one in tested if documents(one, 405)), None)
    exchange = send(None, request)
    if promising is None:
        yield from _server_error(tested[0], exchange)
        return
    response = response_for(promising, 405)
    for title, message in _wrong(exchange, {one.method for one in here}, request.method):
        yield Fault(
            title=title,
            message=message,
            operation=label(promising),
            promise=response.location if response is not None else promising.location,
            evidence=(exchange,),
        )
    if exchange.answer is not None and exchange.status == 405:
        for breach in breaches(subject.validator, promising, exchange.answer):
            yield Fault(
                title=f"the answer to an undeclared method breaks its {breach.aspect} promise",
                message=breach.message,
                operation=label(promising),
                promise=breach.promise,
                evidence=(exchange,),
            )


def _wrong(exchange: Exchange, declared: set[str], method: str) -> Iterator[tuple[str, str]]:
    if exchange.answer is None or exchange.status != 405:
        got = exchange.status or "no answer"
        yield "an undeclared method is not refused with 405", f"{method} gets {got}; 405 is promised"
        return
    allow = exchange.answer.header("allow")
    listed = {one.strip().upper() for one in (allow or "").split(",")}
    if allow is None:
        yield "405 has no Allow header", "RFC 9110 §15.5.6 demands Allow on every 405"
    elif method in listed:
        yield "Allow lists the method that was refused", f"{method} gets 405 and Allow: {allow}"
    elif missing := sorted(declared - listed):
        yield "Allow lacks a declared method", f"Allow is {allow!r} and lacks {', '.join(missing)}"


def _survived(operation: Operation, request: Request, send: Send) -> Iterator[Fault]:
    yield from _server_error(operation, send(None, request))


def _server_error(operation: Operation, exchange: Exchange) -> Iterator[Fault]:
    if exchange.answer is None or (exchange.status >= 500 and exchange.status != NOT_IMPLEMENTED):
        yield Fault(
            title="an undeclared method is a server error",
            message=f"{exchange.request.method} gets {exchange.status or 'no answer'}",
            operation=label(operation),
            promise=operation.location,
            evidence=(exchange,),
        )
