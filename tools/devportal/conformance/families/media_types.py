"""Operation × request media type: one that is not documented is refused with 415, where 415 is promised."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from devportal.conformance.exchange import Request
from devportal.conformance.response_check import documents, response_for
from devportal.conformance.subject import Fault, Probe, Send, Subject, label
from devportal.contract import Operation

CANDIDATES = (
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation with a body and each media type that it does not document."""
    for operation in subject.operations:
        request = subject.valid(operation)
        if request is None or request.body is None or operation.request_body is None:
            continue
        documented = {one.name.partition(";")[0].strip().lower() for one in operation.request_body.content}
        if any("*" in one for one in documented):
            continue
        for candidate in CANDIDATES:
            if candidate not in documented:
                yield Probe(
                    operation=label(operation), run=partial(_refused, operation, _as(request, candidate))
                )


def _as(request: Request, media_type: str) -> Request:
    others = tuple(pair for pair in request.headers if pair[0] != "Content-Type")
    return replace(request, headers=(*others, ("Content-Type", media_type)))


def _refused(operation: Operation, request: Request, send: Send) -> Iterator[Fault]:
    exchange = send(operation, request)
    promised = documents(operation, 415)
    if exchange.status == 415 or (not promised and 0 < exchange.status < 500):
        return
    response = response_for(operation, 415)
    media_type = dict(request.headers)["Content-Type"]
    yield Fault(
        title="an undocumented media type is not refused with 415"
        if promised
        else "an undocumented media type is a server error",
        message=f"a body sent as {media_type} gets {exchange.status or 'no answer'}"
        + ("; 415 is promised" if promised else ""),
        operation=label(operation),
        promise=response.location if promised and response is not None else operation.location,
        evidence=(exchange,),
    )
