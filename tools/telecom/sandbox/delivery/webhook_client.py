"""Requests to receivers with aiohttp; only status and `Retry-After` of the response are read."""

import os
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http import RawResponseMessage
from aiohttp.streams import StreamReader

MAX_INTERIM_RESPONSES = 100
"""How many interim responses a receiver may send before the final one; one or two are useful."""
_CHUNK_BYTES = 8192
"""Small enough that at most one interim response too many is parsed."""
_SWITCHING_PROTOCOLS = 101


class TooManyInterimResponses(aiohttp.ClientError):
    """A receiver that sends too many interim responses."""


class _FinalResponseHandler(ResponseHandler):
    """A connection that swallows interim responses, and closes if there are too many."""

    _interim_responses = 0

    def data_received(self, data: bytes) -> None:
        """Read in chunks until there are too many responses; empty data means to continue after a pause."""
        for start in range(0, max(len(data), 1), _CHUNK_BYTES):
            if self._interim_responses <= MAX_INTERIM_RESPONSES:
                super().data_received(data[start : start + _CHUNK_BYTES])

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        """Pass a final response on."""
        code = data[0].code
        if not 100 <= code <= 199 or code == _SWITCHING_PROTOCOLS:
            self._interim_responses = 0
            super().feed_data(data, size)
            return
        self._interim_responses += 1
        if self._interim_responses == MAX_INTERIM_RESPONSES + 1:
            self.set_exception(TooManyInterimResponses())
            self.close()


def make_connector() -> aiohttp.TCPConnector:
    """Return a connector of such connections, without a limit."""
    connector = aiohttp.TCPConnector(limit=0)
    connector._factory = partial(_FinalResponseHandler, loop=connector._loop)  # type: ignore[assignment]  # noqa: SLF001 - no other way in
    return connector


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingRequest:
    """A request to a pinned address: the host in `url` is an IP address, `tls_name` the name that the
    certificate must have."""

    url: str
    tls_name: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingResponse:
    """The status of a response, and its `Retry-After` if it has one."""

    status: int
    retry_after: str | None = None


SendRequest = Callable[[OutgoingRequest], Awaitable[IncomingResponse]]
"""Sends a request and returns the response; follows no redirect, and raises connection errors."""


@asynccontextmanager
async def webhook_session() -> AsyncIterator[SendRequest]:
    """Yield a function that sends POST requests, over connections that are kept for the time of the context.

    It uses neither the proxies of the environment nor cookies, and has no limit of connections: each endpoint
    has its own.
    """
    async with aiohttp.ClientSession(
        connector=make_connector(),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None),
        skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding"),
        auto_decompress=False,
        trust_env=False,
    ) as session:

        async def post(request: OutgoingRequest) -> IncomingResponse:
            is_tls = request.url.startswith("https:")
            try:
                async with session.post(
                    request.url,
                    data=request.body,
                    headers=request.headers,
                    server_hostname=request.tls_name if is_tls else None,
                    allow_redirects=False,
                ) as response:
                    return IncomingResponse(
                        status=response.status, retry_after=response.headers.get("Retry-After")
                    )
            except aiohttp.ClientError as error:
                raise OSError(_describe_error(error)) from error

        yield post


def _describe_error(error: aiohttp.ClientError) -> str:
    """Return the failure in words for the receiver's owner, without names of our code."""
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return f"the certificate is not trusted: {_error_reason(error.certificate_error)}"
        case aiohttp.ClientConnectorSSLError():
            return f"no TLS: {_error_reason(error.os_error)}"
        case aiohttp.ClientConnectorError():
            return f"no connection: {_error_reason(error.os_error)}"
        case TooManyInterimResponses():
            return f"the receiver sent more than {MAX_INTERIM_RESPONSES} interim responses, and no final one"
        case aiohttp.ServerDisconnectedError():
            return "the receiver closed the connection without a response"
        case aiohttp.ClientOSError():
            return f"the connection broke: {_error_reason(error)}"
        case _:
            return f"the response is not HTTP: {type(error).__name__}"


def _error_reason(error: Exception) -> str:
    """Return the reason of a failure as the system, or OpenSSL, calls it."""
    if isinstance(error, ssl.SSLError):
        return getattr(error, "verify_message", "") or (error.reason or "").replace("_", " ").lower()
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno).lower()
    return str(error)
