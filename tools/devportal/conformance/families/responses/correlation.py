"""Every response has a unique identifier in its documented header, which clients cannot forge."""

import re
import uuid
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.request_variants import with_header
from devportal.conformance.knowledge.response_check import (
    ResponseAspect,
    documented_response,
    response_mismatches,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Header, Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.validate.json_schema import Direction
from devportal.contract.wording import sentences_of

REPEATED_REQUESTS = 4
"""How many requests are sent to an operation for their identifiers."""
SHORTEST = 8
"""A shorter value is not taken for an identifier."""
INJECTED_HEADER = "x-devportal-injected"
_RETURNED = re.compile(
    r"\bthat of the (?:client's )?request's\b|\bthe (?:value|one|id|identifier) (?:that )?the client (?:has )?sent\b|"
    r"\bsame (?:value |id )?as in the request\b|\bechoe[sd]\b|\b(?:is|are) (?:returned unchanged|copied|sent back)\b",
    re.IGNORECASE,
)
"""Words for the identifier of a client in a response; "the id of the request" may be one that the server makes."""
_NOT_RETURNED = re.compile(r"\b(?:not|never|may|might|can)\b", re.IGNORECASE)
HOSTILE_IDS = (
    f"devportal%0d%0a{INJECTED_HEADER}:%201",
    f"devportal\\r\\n{INJECTED_HEADER}: 1",
    "<script>devportal</script>",
    "devportal\xa0\x85\xff",
    "' OR 1=1 --",
    "devportal-" * 400,
)
"""Identifiers that a client may send: encoded line feeds, markup, non-ASCII characters, too many characters.
"""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for the first operation that documents each header: it sends forged identifiers."""
    tested: set[str] = set()
    for operation in subject.operations:
        request = subject.valid(operation)
        for header in correlation_headers(subject, operation):
            if request is not None and operation.method == "GET" and header.name.lower() not in tested:
                tested.add(header.name.lower())
                run = partial(_check_forged_ids, subject, operation, header, request)
                yield Probe(operation=operation_label(operation), run=run)
                if _returns_id(operation, header):
                    returned = partial(_check_returned_id, subject, operation, header, request)
                    yield Probe(operation=operation_label(operation), run=returned)


def _returns_id(operation: Operation, header: Header) -> bool:
    """Return whether a response has the identifier of its request, by the description of the header or of the parameter
    with its name.
    """
    parameters = (each for each in operation.parameters if each.name.lower() == header.name.lower())
    texts = (header.description, *(parameter.description for parameter in parameters))
    sentences = (sentence for text in texts for sentence in sentences_of(text))
    return any(_RETURNED.search(each) and not _NOT_RETURNED.search(each) for each in sentences)


def _check_returned_id(
    subject: Subject, operation: Operation, header: Header, request: Request, send: Send
) -> Iterator[CheckFailure]:
    """Send an identifier: the response has it."""
    value = str(uuid.uuid4())
    parameters = [each for each in operation.parameters if each.name.lower() == header.name.lower()]
    schemas = (header.schema, *(parameter.schema for parameter in parameters))
    if not all(
        subject.validator.is_valid(schema, value, Direction.REQUEST)
        for schema in schemas
        if schema is not None
    ):
        raise Unsendable("a header that may be a UUID")
    exchange = send(operation, with_header(request, header.name, value))
    shown = exchange.answer.header(header.name) if exchange.answer is not None else None
    if exchange.is_success and shown != value:
        yield CheckFailure(
            title=f"the {header.name} of a request is not returned",
            message=f"{value!r} was sent, and the response has {shown!r}",
            operation=operation_label(operation),
            promise=header.location,
            evidence=(exchange,),
        )


def correlation_headers(subject: Subject, operation: Operation) -> Iterator[Header]:
    """Yield the headers that name exchanges, of all responses of an operation, each once."""
    by_name: dict[str, Header] = {}
    for response in operation.responses:
        for header in response.headers:
            if matches_any_name(header.name, subject.conventions.correlation):
                by_name.setdefault(header.name.lower(), header)
    yield from by_name.values()


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for the first identifier of each header that two responses have."""
    owners: dict[tuple[str, str], Exchange] = {}
    reported: set[str] = set()
    for exchange in exchanges:
        for header, value in _correlation_ids(subject, exchange):
            first = owners.setdefault((header.name.lower(), value), exchange)
            if first is exchange or header.name.lower() in reported:
                continue
            reported.add(header.name.lower())
            yield CheckFailure(
                title=f"two responses have the same {header.name}",
                message=f"two requests both got {value[:80]!r}",
                operation=exchange.operation,
                promise=header.location,
                evidence=(first, exchange),
            )


def _correlation_ids(subject: Subject, exchange: Exchange) -> Iterator[tuple[Header, str]]:
    """Yield the identifiers of a response in its documented headers. Responses that may repeat one are
    excluded: those from a cache, those to a repeated request, and identifiers that the client sent.
    """
    operation, response = subject.operation(exchange.operation), exchange.answer
    documented = documented_response(operation, exchange.status) if operation is not None else None
    if documented is None or response is None or response.header("age") or exchange.status == 304:
        return
    sent = {value for _, value in exchange.request.headers if len(value) >= SHORTEST}
    keyed = any(
        matches_any_name(name, subject.conventions.idempotency_key) for name, _ in exchange.request.headers
    )
    for header in documented.headers:
        value = response.header(header.name) or ""
        is_given = any(value in text or text in value for text in sent)
        is_name = matches_any_name(header.name, subject.conventions.correlation) and len(value) >= SHORTEST
        if is_name and not (keyed or is_given):
            yield header, value


def has_correlation_id(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a response has an identifier that is compared with the others."""
    return any(True for _ in _correlation_ids(subject, exchange))


def _check_forged_ids(
    subject: Subject, operation: Operation, header: Header, request: Request, send: Send
) -> Iterator[CheckFailure]:
    for _ in range(
        REPEATED_REQUESTS
    ):  # their responses are compared with all others of the run (`find_failures`)
        send(operation, request)
    for value in HOSTILE_IDS:
        others = tuple(pair for pair in request.headers if pair[0].lower() != header.name.lower())
        exchange = send(None, replace(request, headers=(*others, (header.name, value))))
        for title, message in _forged_id_effects(subject, operation, header, exchange):
            yield CheckFailure(
                title=title,
                message=f"{header.name}: {value[:60]!r} gets {message}",
                operation=operation_label(operation),
                promise=header.location,
                evidence=(exchange,),
            )
            return


def _forged_id_effects(
    subject: Subject, operation: Operation, header: Header, exchange: Exchange
) -> Iterator[tuple[str, str]]:
    """Yield the effects of a forged identifier: a server error, an injected header, or an invalid identifier
    of the response. A rejection is correct.
    """
    response = exchange.answer
    if response is None or exchange.status >= 500:
        yield "a client's identifier causes a server error", exchange.outcome
    elif response.header(INJECTED_HEADER) is not None:
        yield "a client's identifier adds a header", f"a response with {INJECTED_HEADER}"
    else:
        for mismatch in response_mismatches(subject.validator, operation, response):
            if mismatch.aspect is ResponseAspect.HEADER and repr(header.name) in mismatch.message:
                yield "a client's identifier replaces a valid one", mismatch.message[:200]


FAMILY = Family(
    name="correlation",
    summary="every response has a unique identifier",
    words=CheckDescription(
        promise="Each response has a unique identifier in the header that the contract documents. An "
        "identifier from the client never causes a server error, and is only used if the contract "
        "allows it. If the contract says that a response has the identifier of its request, it has.",
        test="The identifiers of all responses are compared, except those from a cache, for repeated "
        "requests and from the client. One operation receives identifiers with line feeds, markup, "
        "non-ASCII bytes and thousands of characters.",
        remedy="Generate an identifier for each request. Use the client's only if it matches the pattern.",
        sources=("RFC 9110 §5.5", "CWE-113"),
    ),
    needs="a response header that names the exchange, such as `X-Request-Id` "
    "(`conventions.correlation` in the settings)",
    probes=probes,
    sees=find_failures,
    compares=has_correlation_id,
)
