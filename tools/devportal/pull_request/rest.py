"""JSON over HTTP to the REST API of a forge. No redirect is followed: the token goes to one origin."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPException
from typing import Any
from urllib.parse import urljoin, urlsplit

from devportal.errors import EnvironmentProblem, InvalidSettings
from devportal.reporting.printable import printable_text
from devportal.web_requests import is_safe_address, open_request, origin_of

_TIMEOUT_S = 30
_MAX_BYTES = 32 * 1024 * 1024
_MAX_PAGES = 200
_NEXT = re.compile(r'<([^>]*)>\s*;[^,]*\brel="?next\b')
"""The address of the next page in a `Link` header (RFC 8288 §3)."""
_TOO_MANY = 429


class RefusedRequest(EnvironmentProblem):
    """A request that the forge refused; `status` is that of HTTP."""

    def __init__(self, message: str, *, status: int, help: str = "") -> None:  # noqa: A002 - as its base has it
        """Take the message, the status and what to do."""
        super().__init__(message, help=help)
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The JSON of a response, None if it has none, and the address of the next page, if there is one."""

    data: Any
    next_page: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestClient:
    """Sends requests below the base address of an API, with headers that have the token."""

    forge: str
    base: str
    headers: Mapping[str, str] = field(repr=False)
    secret: str = field(repr=False)
    help_if_forbidden: str = ""

    def __post_init__(self) -> None:
        """Refuse a base address that a token must not be sent to. Raises InvalidSettings."""
        refuse_unsafe_address(self.base, name=f"the address of the API of {self.forge}")

    def send(self, method: str, path: str, data: Any = None) -> Reply:
        """Send a request to a path, or to the whole address of a next page. Raises RefusedRequest."""
        address = path if "://" in path else f"{self.base.rstrip('/')}{path}"
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(  # noqa: S310 - the scheme is checked
            address,
            data=body,
            method=method,
            headers={
                "Accept": "application/json",
                "User-Agent": "devportal",
                **({} if body is None else {"Content-Type": "application/json"}),
                **self.headers,
            },
        )
        request_line = f"{method} {urlsplit(address).path}"
        try:
            with open_request(request, timeout_s=_TIMEOUT_S) as response:
                content, headers = response.read(_MAX_BYTES), response.headers
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(request_line, error) from None
        except (OSError, ValueError, HTTPException) as error:
            reason = printable_text(self._without_secret(str(getattr(error, "reason", error))), 300)
            raise EnvironmentProblem(
                f"{self.forge} cannot be reached: {request_line}: {reason}",
                help="check the network, and run the job again",
            ) from None
        return Reply(data=self._parse(content, request_line), next_page=self._next_page(address, headers))

    def pages(self, path: str) -> Iterator[Any]:
        """Yield the items of a list, page after page."""
        for _ in range(_MAX_PAGES):
            reply = self.send("GET", path)
            if not isinstance(reply.data, list):
                raise EnvironmentProblem(
                    f"{self.forge} returned no list: GET {path}", help="check the API address"
                )
            yield from reply.data
            if not reply.next_page:
                return
            path = reply.next_page

    def _next_page(self, address: str, headers: Any) -> str:
        """Return the next page; one of another origin is none, as the token is not for it."""
        match = _NEXT.search(headers.get("Link") or "")
        if match is None:
            return ""
        following = urljoin(address, match[1])
        return following if origin_of(following) == origin_of(self.base) else ""

    def _parse(self, content: bytes, request_line: str) -> Any:
        if not content.strip():
            return None
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise EnvironmentProblem(
                f"{self.forge} returned no JSON: {request_line}", help="check the address of its API"
            ) from None

    def _refusal(self, request_line: str, error: urllib.error.HTTPError) -> RefusedRequest:
        status, headers = error.code, error.headers
        is_limited = status == _TOO_MANY or (
            status == 403 and (headers.get("x-ratelimit-remaining") == "0" or headers.get("Retry-After"))
        )
        reason = self._without_secret(_error_message(error))
        message = f"{self.forge} returned {status} for {request_line}{f': {reason}' if reason else ''}"
        if is_limited:
            return RefusedRequest(
                f"{self.forge} accepts no more requests for now (rate limit, {status}): {request_line}",
                status=status,
                help=f"run the job again{_retry_time(headers)}",
            )
        if status in (401, 403, 404):
            return RefusedRequest(message, status=status, help=self.help_if_forbidden)
        if 300 <= status < 400:
            return RefusedRequest(
                message, status=status, help="redirects are not followed: correct the API address"
            )
        again = "the error is that of the forge: run the job again later" if status >= 500 else ""
        return RefusedRequest(message, status=status, help=again or "see the documentation of its REST API")

    def _without_secret(self, text: str) -> str:
        return text.replace(self.secret, "***") if self.secret else text


def refuse_unsafe_address(address: str, *, name: str) -> None:
    """Raise InvalidSettings for an address that is not https; this machine may be http."""
    if not is_safe_address(address):
        raise InvalidSettings(
            f"{name} cannot be used: it is not an https address without user name and password",
            help="write one such as https://api.github.com",
        )


def _error_message(error: urllib.error.HTTPError) -> str:
    """Return what the body of an error response says, on one line."""
    try:
        data = json.loads(error.read(65_536))
    except (OSError, ValueError, HTTPException, RecursionError):
        return ""
    found = data.get("message") or data.get("error") or "" if isinstance(data, dict) else ""
    return printable_text(" ".join(str(found).split()), 300)


def _retry_time(headers: Any) -> str:
    reset, after = headers.get("x-ratelimit-reset") or "", headers.get("Retry-After") or ""
    if reset.isdecimal() and len(reset) < 12:
        return f" after {datetime.fromtimestamp(int(reset), UTC):%Y-%m-%d %H:%M} UTC"
    return f" in {int(after):,} seconds" if after.isdecimal() and len(after) < 9 else " later"
