"""Requests to receivers over HTTP, with aiohttp: what goes out, and the little that is read of the answer."""

import os
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

from telecom.sandbox.interim import MOST, TooManyInterimAnswers, connector


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A request to a pinned address: the host in `url` is an IP address, `tls_name` the name that a
    certificate has to have."""

    url: str
    tls_name: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """The status of an answer, and its `Retry-After` where it has one."""

    status: int
    retry_after: str | None = None


Post = Callable[[Outgoing], Awaitable[Incoming]]
"""Sends a request and returns what came back; follows no redirect, raises whatever goes wrong on the way."""


@asynccontextmanager
async def posting() -> AsyncIterator[Post]:
    """Yield a function that posts, over connections that are kept for the time of the context.

    Neither proxies of the environment nor cookies are used, and there is no limit of connections: each
    endpoint has one of its own.
    """
    async with aiohttp.ClientSession(
        connector=connector(),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None),
        skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding"),
        auto_decompress=False,
        trust_env=False,
    ) as session:

        async def post(outgoing: Outgoing) -> Incoming:
            is_tls = outgoing.url.startswith("https:")
            try:
                async with session.post(
                    outgoing.url,
                    data=outgoing.body,
                    headers=outgoing.headers,
                    server_hostname=outgoing.tls_name if is_tls else None,
                    allow_redirects=False,
                ) as response:
                    return Incoming(status=response.status, retry_after=response.headers.get("Retry-After"))
            except aiohttp.ClientError as error:
                raise OSError(_told(error)) from error

        yield post


def _told(error: aiohttp.ClientError) -> str:
    """Return what went wrong in words for who has the receiver, without names of our own parts."""
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return f"the certificate is not trusted: {_reason(error.certificate_error)}"
        case aiohttp.ClientConnectorSSLError():
            return f"no TLS: {_reason(error.os_error)}"
        case aiohttp.ClientConnectorError():
            return f"no connection: {_reason(error.os_error)}"
        case TooManyInterimAnswers():
            return f"the receiver sent more than {MOST} interim answers, and no final one"
        case aiohttp.ServerDisconnectedError():
            return "the receiver closed the connection without an answer"
        case aiohttp.ClientOSError():
            return f"the connection broke: {_reason(error)}"
        case _:
            return f"the answer is no HTTP: {type(error).__name__}"


def _reason(error: Exception) -> str:
    """Return the reason of a failure as the system, or OpenSSL, calls it."""
    if isinstance(error, ssl.SSLError):
        return getattr(error, "verify_message", "") or (error.reason or "").replace("_", " ").lower()
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno).lower()
    return str(error)
