"""Parameter × odd value: nothing that a client puts into an address or a header is a server error."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from urllib.parse import quote

from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.inputs import Input, bases, inputs, request_of
from devportal.conformance.subject import Subject, label
from devportal.contract import ABSENT, In, Operation

MARK = "devportalOddValue"
ESCAPED = (
    "%00",
    "%zz",
    "%ff%fe",
    "%F0%9F%8E%89",
    "%E2%80%AE%D7%90",
    "%27%22%3B--",
    "..%2F..%2Fetc",
    "%0d%0aX-Devportal%3A%201",
    "-1",
    "1e999",
    "9" * 60,
    "x" * 3000,
)
"""Values of parameters in path and query, as they stand in an address; some are no UTF-8 or no escape."""
IN_HEADERS = ("", "\xff\xfe", "'\";--", "-1", "9" * 60, "x" * 3000)
UNKNOWN = ("devportalUnknown=1", "&=&devportalUnknown", "devportalUnknown%5Ba%5D=1")


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each parameter of an operation, and one for a query that nobody declared."""
    for operation in subject.operations:
        valid = bases(subject, operation)
        if operation.method == "DELETE" or not valid:
            continue
        for one in inputs(subject, valid):
            requests = tuple(_odd(subject, one))
            if requests:
                run = partial(_survived, operation, f"an odd value in {_where(one)}", requests)
                yield Probe(operation=label(operation), run=run, is_rude=True)
        plain = request_of(subject, valid[0])
        unknown = tuple(replace(plain, url=_with_query(plain.url, text)) for text in UNKNOWN)
        yield Probe(
            operation=label(operation), run=partial(_survived, operation, "an undeclared query", unknown)
        )


def _where(one: Input) -> str:
    return f"the {one.parameter.location_in}" if one.parameter is not None else "the body"


def _odd(subject: Subject, one: Input) -> Iterator[Request]:
    """Yield requests with odd values for a parameter, twice over and empty too; none for one of the body."""
    if one.parameter is None or one.value is ABSENT:
        return
    match one.parameter.location_in:
        case In.PATH | In.QUERY:
            marked = request_of(subject, one.having(MARK))
            for text in ESCAPED:
                yield replace(marked, url=marked.url.replace(MARK, text))
        case In.HEADER:
            marked = request_of(subject, one.having(MARK))
            for text in IN_HEADERS:
                yield replace(
                    marked, headers=tuple((name, re.sub(MARK, text, value)) for name, value in marked.headers)
                )
    if one.parameter.location_in is In.QUERY:
        whole = request_of(subject, one.having(one.value))
        name = quote(one.parameter.name, safe="")
        yield replace(whole, url=_with_query(whole.url, f"{name}=devportal"))
        yield replace(whole, url=_with_query(whole.url, f"{name}%5B%5D=devportal"))
        yield replace(marked, url=marked.url.replace(MARK, ""))


def _with_query(url: str, text: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{text}"


def _survived(operation: Operation, title: str, requests: tuple[Request, ...], send: Send) -> Iterator[Fault]:
    """Yield a fault for the first request that is a server error; any other answer is right.

    No contract says what these get, so they are not asked in the name of the operation.
    """
    for request in requests:
        exchange = send(None, request)
        if exchange.answer is None or exchange.status >= 500:
            yield _fault(operation, title, exchange)
            return


def _fault(operation: Operation, title: str, exchange: Exchange) -> Fault:
    where = operation.parameters[0].location if operation.parameters else operation.location
    return Fault(
        title=f"{title} is a server error" if exchange.answer is not None else f"{title} gets no answer",
        message=f"{exchange.request.url[:200]} gets {exchange.status or 'no answer'}",
        operation=label(operation),
        promise=where,
        evidence=(exchange,),
    )


FAMILY = Family(
    name="odd-parameters",
    summary="no parameter is a server error",
    words=Words(
        promise="Nothing that a client can put into a path, a query or a header is a server error.",
        test="Each parameter gets a NUL, bytes that are no UTF-8, broken percent-encoding, quotes, line "
        "feeds, numbers that fit nowhere and very long texts; those in the query are also sent empty and "
        "twice, and with others that nobody declared.",
        remedy="Validate parameters before they reach a database or a number parser, and answer 400 or 404.",
        sources=("RFC 3986 §2.1", "RFC 9110 §15.6.1"),
    ),
    probes=probes,
    beside=True,
)
