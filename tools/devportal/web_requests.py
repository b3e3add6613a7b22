"""Requests that carry a secret: to https alone, and never redirected to somebody else; origins of addresses."""

import urllib.request
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names of this machine, with which http is safe."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Turns each redirect into an error."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow nothing."""


def is_safe_address(address: str) -> bool:
    """Return whether an address is https, or http of this machine, without user name and password."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    is_plain = address.isascii() and address.isprintable() and " " not in address
    is_protected = parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)
    return bool(host) and is_plain and is_protected and parts.username is None and parts.password is None


def origin_of(address: str) -> str:
    """Return the origin of an address in lower case (RFC 6454 §4): scheme, host and port."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}".lower()


def open_request(request: urllib.request.Request, *, timeout_s: float) -> AbstractContextManager[Any]:
    """Send a request; a redirect is an HTTPError. Raises what `urllib.request` raises."""
    response: AbstractContextManager[Any] = urllib.request.build_opener(_NoRedirect).open(
        request, timeout=timeout_s
    )
    return response
