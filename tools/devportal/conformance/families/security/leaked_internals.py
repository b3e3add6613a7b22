"""Error responses show no stack trace and no text of a database (OWASP API Security 2023, API8)."""

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple
from urllib.parse import unquote_plus

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.masking import is_word
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.inputs import authorised_request, inputs, valid_request_values
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, ParameterLocation

LONGEST_QUOTE = 80
QUOTED_TEXT = "O'Neil"


class _Leak(NamedTuple):
    """What a text gives away, and the pattern of such texts."""

    title: str
    pattern: re.Pattern[str]


_LEAKS = (
    _Leak(
        "an error response shows a stack trace",
        re.compile(
            r"Traceback \(most recent call last\)"  # Python
            r'|File "[^"\n]+", line \d+'
            r"|\bat (?:[\w$]+\.)+[\w$<>]+\([\w$]+\.(?:java|kt|scala|groovy):\d+\)"  # JVM
            r"|\bjava\.lang\.\w+(?:Exception|Error)\b"
            r"|\bat (?:[\w.<>]+ )?\(?[\w./\\:-]+\.(?:js|ts|mjs|cjs):\d+:\d+\)?"  # Node.js
            r"|\bat [\w.`<>]+\([^)\n]*\) in [^\n]+:line \d+"  # .NET
            r"|\.php(?:\(\d+\)|:\d+| on line \d+)"  # PHP
            r"|[\w/.-]+\.rb:\d+:in [`']"  # Ruby
            r"|\bgoroutine \d+ \[running\]"  # Go
            r"|\bActive(?:Record|Model)::\w+|\bAction(?:Controller|View|Dispatch)::\w+"  # Rails
        ),
    ),
    _Leak(
        "an error response shows text of the database",
        re.compile(
            r"\bSELECT\b.{1,200}\bFROM\b\s+[\w\"`.\[]+"
            r"|\bINSERT INTO\b\s+[\w\"`.\[]+"
            r"|\bUPDATE\b\s+[\w\"`.\[\]]+\s+SET\b"
            r"|\bDELETE FROM\b\s+[\w\"`.\[]+"
            r"|\bSQLSTATE\b|\bORA-\d{5}\b"
            r"|\b(?:psycopg2?|sqlalchemy|sqlite3|pymysql|asyncpg)\.[\w.]+"
            r"|\bviolates (?:unique|check|foreign key|not-null) constraint\b"
            r"|\binvalid input syntax for (?:type )?\w+"
            r"|\bsyntax error at or near\b|You have an error in your SQL syntax"
            r"|\bE11000 duplicate key error\b",
            re.DOTALL,
        ),
    ),
    _Leak(
        "an error response shows addresses or files of the deployment",
        re.compile(
            r"\bE(?:CONNREFUSED|CONNRESET|HOSTUNREACH|TIMEDOUT|NOTFOUND)\b [\w.:-]+"
            r"|\b(?:dial|connect) (?:tcp|to) [\w.-]+:\d+"
            r"|/(?:etc|var/(?:www|lib|log|run)|usr/(?:src|lib|local)|home/[\w-]+|root)/[\w./-]+"
        ),
    ),
)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each query parameter of a read that takes a free text."""
    for operation in (each for each in subject.operations if each.method == "GET"):
        for input_ in inputs(subject, valid_request_values(subject, operation)):
            is_query = (
                input_.parameter is not None and input_.parameter.location_in is ParameterLocation.QUERY
            )
            is_free_text = (
                isinstance(input_.value, str) and not input_.meaning.enum and not input_.meaning.format
            )
            if is_query and is_free_text:
                request = authorised_request(subject, input_.request_values_with(QUOTED_TEXT))
                run = partial(_send_quote, operation, request)
                yield Probe(operation=operation_label(operation), run=run)


def _send_quote(operation: Operation, request: Request, send: Send) -> Iterator[CheckFailure]:
    """Send a text with a quote, which ends a literal in SQL; `find_failures` checks the response."""
    send(operation, request)
    return iter(())


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield the first response that leaks each kind of text: one setting of a deployment causes them all."""
    for leak in _LEAKS:
        found = next(
            (
                (exchange, quote)
                for exchange in exchanges
                if (quote := _leaked_text(leak, exchange)) is not None
            ),
            None,
        )
        if found is not None:
            exchange, quote = found
            operation = subject.operation(exchange.operation)
            yield CheckFailure(
                title=leak.title,
                message=f"{exchange.status} with {quote!r}",
                operation=exchange.operation if operation is not None else "",
                promise=operation.location if operation is not None else None,
                evidence=(exchange,),
            )
    yield from _repeated_credentials(subject, exchanges)


def _repeated_credentials(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield the first error response that repeats a credential of its request's header: errors are logged. One that is
    a word, such as `token`, may be of the text itself.
    """
    marks = [
        f"${credential.name}"  # exchanges are masked
        for credential in subject.parties.everyone
        if credential.name and not is_word(credential.secret)
    ]
    for exchange in exchanges:
        operation = subject.operation(exchange.operation)
        if operation is None or not has_error_text(subject, exchange) or exchange.answer is None:
            continue
        request = exchange.request
        elsewhere = f"{request.url}{(request.body or b'').decode('utf-8', 'replace')}"
        body = exchange.answer.body.decode("utf-8", "replace")
        if any(
            mark in body and mark not in elsewhere and any(mark in value for _, value in request.headers)
            for mark in marks
        ):
            yield CheckFailure(
                title="an error response repeats the credential",
                message=f"{exchange.status} has the secret of the request in its body",
                operation=exchange.operation,
                promise=operation.location,
                evidence=(exchange,),
            )
            return


def has_error_text(_: Subject, exchange: Exchange) -> bool:
    """Return whether an exchange has an error response with a body."""
    return exchange.answer is not None and exchange.status >= 400 and bool(exchange.answer.body)


def _leaked_text(leak: _Leak, exchange: Exchange) -> str | None:
    """Return the leaked text of an error response, None if it has none. A text of the request is not a leak."""
    if exchange.answer is None or exchange.status < 400:
        return None
    body = exchange.answer.body.decode("utf-8", "replace").replace('\\"', '"')
    found = leak.pattern.search(body)
    if found is None or found[0] in _request_text(exchange):
        return None
    return " ".join(found[0].split())[:LONGEST_QUOTE]


def _request_text(exchange: Exchange) -> str:
    request = exchange.request
    headers = "\n".join(value for _, value in request.headers)
    return f"{unquote_plus(request.url)}\n{headers}\n{(request.body or b'').decode('utf-8', 'replace')}"


FAMILY = Family(
    name="leaked-internals",
    summary="errors show no internals",
    words=CheckDescription(
        promise="An error response shows no stack trace, no SQL, no message of a database driver, no address or "
        "file of the deployment, and not the credential of its request.",
        test="Each free text in a query is sent with a quote. "
        "All responses with 4xx and 5xx of a run, those to stress checks too, are searched for the stack "
        "traces of Python, the JVM, Node.js, .NET, PHP, Ruby and Go, for the words of databases, and for addresses "
        "and system folders. What the "
        "request itself contained is ignored. Each kind is one failure for the whole deployment.",
        remedy="Switch debug mode off, log the exception, and respond with a problem document.",
        sources=("OWASP API Security 2023, API8", "RFC 9457 §5", "CWE-209"),
    ),
    needs="an error response with a body",
    probes=probes,
    sees=find_failures,
    sees_rude=True,
    compares=has_error_text,
)
