"""What is answered to what cannot be read as a request: a problem document, as everywhere else.

There is no request for the application to answer, so the whole answer is written here.
"""

import json
import logging
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any

from starlette.datastructures import Headers, MutableHeaders

from telecom.problems import MEDIA_TYPE, Kind, ProblemRegistry
from telecom.sandbox.cross_origin import CrossOrigin
from telecom.sandbox.identifiers import RandomBytes, correlation_id

_LOG = logging.getLogger("telecom.sandbox")

RawHeaders = Sequence[tuple[bytes, bytes]]
"""Headers as they were sent, their names in lower case."""
Refusal = Callable[[HTTPStatus, str, RawHeaders], bytes]
"""Makes the whole answer to what cannot be read, from its status, a sentence, and the headers that could."""


def refusing(problems: ProblemRegistry, cross_origin: CrossOrigin, random_bytes: RandomBytes) -> Refusal:
    """Return what makes the answers of a sandbox, which pages may read that may read its others."""

    def refusal(status: HTTPStatus, detail: str, asked: RawHeaders) -> bytes:
        correlation = correlation_id(None, random_bytes)
        _LOG.info("unreadable request %d, correlation id %s", status, correlation)
        headers = MutableHeaders({"X-Correlation-Id": correlation, "Connection": "close"})
        cross_origin.mark(headers, Headers(raw=list(asked)))
        return _answer(status, _document(problems, status, detail, correlation), headers)

    return refusal


def _document(problems: ProblemRegistry, status: HTTPStatus, detail: str, correlation: str) -> dict[str, Any]:
    """Return the problem document; one that is no more than its status has no type (RFC 9457 §4.2.1)."""
    if status is HTTPStatus.BAD_REQUEST:
        return problems.problem(Kind.MALFORMED_REQUEST, detail).document(correlation)
    title = {"type": "about:blank", "title": status.phrase, "status": status.value}
    return {**title, "detail": detail, "correlation_id": correlation}


def _answer(status: HTTPStatus, document: dict[str, Any], headers: MutableHeaders) -> bytes:
    body = f"{json.dumps(document)}\n".encode()
    headers["Content-Type"], headers["Content-Length"] = MEDIA_TYPE, str(len(body))
    head = b"".join(b"%s: %s\r\n" % header for header in headers.raw)
    return f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode("ascii") + head + b"\r\n" + body
