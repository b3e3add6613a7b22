"""What a request is addressed to: its path, and the host that it names."""

import re
from urllib.parse import unquote

from starlette.requests import Request

from telecom.problems import Kind
from telecom.sandbox.exchange import Refused

_ABSOLUTE = re.compile(r"https?://[^/]*", re.IGNORECASE)
_SLASH = re.compile(rb"%(2f)", re.IGNORECASE)
_HOST = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=%-]*(?:\[[0-9A-Fa-f:.]+\])?(?::[0-9]*)?")
"""`uri-host [":" port]` (RFC 9110 §7.2)."""


def path_of(request: Request) -> str:
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
        raise Refused(
            Kind.MALFORMED_REQUEST, f"The header Host occurs {len(hosts)} times, and once is right."
        )
    if not _HOST.fullmatch(hosts[0]):
        raise Refused(Kind.MALFORMED_REQUEST, f"The header Host is {hosts[0][:100]!r}, which is no host.")
