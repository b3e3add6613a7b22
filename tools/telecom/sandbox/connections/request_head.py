"""The head of a request: what RFC 9112 requires of it, and the path and host that it is addressed to."""

import re
from collections.abc import Sequence
from http import HTTPStatus
from urllib.parse import unquote

from starlette.requests import Request

from telecom.problems import ProblemKind
from telecom.sandbox.api.exchange import RequestRefused

MAX_HEAD_BYTES = 65_536
"""How long request line and headers may be together; proxies let far less through."""
_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]++"
_REQUEST_LINE = re.compile(rb"(?:\r\n)*+" + _TOKEN + rb" [!\"$-~]++ HTTP/[0-9]\.[0-9]\r\n")
"""A method, a target without a fragment, and a version, after empty lines if there are any."""
_FIELD_LINES = re.compile(rb"(?:" + _TOKEN + rb":[\t -~\x80-\xff]*+\r\n)*+\r\n")
"""Names with a colon right behind them, values without control characters, and an empty line."""

Objection = tuple[HTTPStatus, str]
"""The status and the sentence of a response to a request that is not read."""
NOT_HTTP: Objection = (HTTPStatus.BAD_REQUEST, "This is no HTTP/1.1 request (RFC 9112).")
TOO_LONG: Objection = (
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    f"Request line and headers have more than {MAX_HEAD_BYTES:,} bytes.",
)
_NO_REQUEST_LINE: Objection = (
    HTTPStatus.BAD_REQUEST,
    "The request line is not METHOD TARGET HTTP/1.1, with single spaces and no fragment (RFC 9112 §3).",
)
_NO_FIELD_LINE: Objection = (
    HTTPStatus.BAD_REQUEST,
    "A header is not a name, a colon and a value on one line (RFC 9112 §5).",
)


def objection_to(head: bytes, version: str, fields: Sequence[tuple[bytes, bytes]]) -> Objection | None:
    """Return why a request is not read any further, None if it is.

    `head` is what was sent, up to and including the empty line, `version` and `fields` what the parser made
    of it.
    """
    if len(head) > MAX_HEAD_BYTES:
        return TOO_LONG
    line = _REQUEST_LINE.match(head)
    if line is None:
        return _NO_REQUEST_LINE
    if _FIELD_LINES.fullmatch(head, line.end()) is None:
        return _NO_FIELD_LINE
    if not version.startswith("1."):
        return HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "This server speaks HTTP/1.1."
    return _objection_to_codings(version, [value for name, value in fields if name == b"transfer-encoding"])


def _objection_to_codings(version: str, codings: Sequence[bytes]) -> Objection | None:
    """Return why a request with such transfer codings is not read (RFC 9112 §6.1)."""
    if codings and version == "1.0":
        return HTTPStatus.BAD_REQUEST, "HTTP/1.0 has no transfer codings (RFC 9112 §6.1)."
    if codings and b",".join(codings).strip().lower() != b"chunked":
        return HTTPStatus.NOT_IMPLEMENTED, "The only transfer coding here is chunked."
    return None


_ABSOLUTE = re.compile(r"https?://[^/]*", re.IGNORECASE)
_SLASH = re.compile(rb"%(2f)", re.IGNORECASE)
_HOST = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=%-]*(?:\[[0-9A-Fa-f:.]+\])?(?::[0-9]*)?")
"""`uri-host [":" port]` (RFC 9110 §7.2)."""


def request_path(request: Request) -> str:
    """Return the path asked for, of a target in absolute form too (RFC 9112 §3.2.2).

    A slash that was written `%2F` stays written so: it is part of a segment, and ends none (RFC 3986 §2.2).
    """
    path = str(request.scope["path"])
    written = request.scope.get("raw_path") or b""
    if _SLASH.search(written):
        path = unquote(_SLASH.sub(rb"%25\1", written).decode("ascii", "replace"))
    return path if path.startswith("/") else _ABSOLUTE.sub("", path) or "/"


def refuse_faulty_host(request: Request) -> None:
    """Raise Refused (400) where a request names no host, several, or what is none (RFC 9112 §3.2)."""
    hosts = request.headers.getlist("host")
    if not hosts and request.scope["http_version"] == "1.0":
        return
    if len(hosts) != 1:
        raise RequestRefused(
            ProblemKind.MALFORMED_REQUEST, f"The header Host occurs {len(hosts)} times, and once is right."
        )
    if not _HOST.fullmatch(hosts[0]):
        raise RequestRefused(
            ProblemKind.MALFORMED_REQUEST, f"The header Host is {hosts[0][:100]!r}, which is no host."
        )
