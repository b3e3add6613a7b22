"""One HTTP/1.1 connection to a deployment over TCP or TLS, and its failures."""

import os
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx
from cryptography import x509

from devportal.conformance.deployment.exchange import HttpResponse, Request
from devportal.errors import InvalidSettings, hide_credentials

UNKNOWN_HOST = "its host name cannot be resolved"
NO_TLS = "it does not speak TLS"
NOT_HTTP = "it sent something that is not valid HTTP/1.1"
"""Why there is no response, if it is neither a refusal nor silence: each needs other advice."""
_UNTRUSTED = re.compile(r"certificate verify failed[^()]*")
"""What OpenSSL reports about a server whose certificate it does not accept."""
_ALERT = re.compile(r"\[SSL: [^]]+\] [^()]*\balert ([a-z]+(?: [a-z]+)*)")
"""The alert with which the other side ended a handshake (RFC 8446 §6)."""
_INCOMPLETE = re.compile(r"without sending complete message body|incomplete chunked read")
_CLOSED = re.compile(r"disconnected without sending a response|peer unexpectedly closed")
"""How HTTP clients report connections that the other side closed: within a response, and before one."""
_ENDED = "it ended the TLS handshake with the alert "
_ADVICE_ON_SERVERS = (
    (
        "has expired",
        "the deployment, or its authority, needs a new one; or set the clock of this machine right",
    ),
    ("not yet valid", "set the clock of this machine right, or wait until it is valid"),
    ("mismatch", "use a host in URL that its certificate names"),
    ("unsuitable certificate purpose", "the deployment needs a certificate for servers"),
    ("", "give the authority that issued its certificate with --ca FILE, if this is the right deployment"),
)
"""What to do, by a part of OpenSSL's message about a server's certificate; the first matching row counts."""
_ADVICE_ON_CLIENTS = (
    ("certificate expired", "give a client certificate with --cert that is valid"),
    ("unknown ca", "give a client certificate with --cert whose authority the deployment trusts"),
    ("unsupported certificate", "give a certificate with --cert that is for clients"),
    ("certificate required", "the deployment asks for a client certificate: give --cert and --cert-key"),
    ("handshake failure", "does the deployment ask for a client certificate? Give --cert and --cert-key"),
    ("certificate", "give a client certificate with --cert that the deployment accepts"),
)
"""What to do, by the alert of a deployment."""


def tls_failure(error: Exception) -> str:
    """Return why TLS failed, without the parts that name a place in OpenSSL; empty for other errors."""
    text = str(error)
    if match := _UNTRUSTED.search(text):
        return match.group().strip()
    if match := _ALERT.search(text):
        return f"{_ENDED}'{match.group(1)}'"
    return ""


def connect_failure(error: Exception) -> str:
    """Return why no connection was made: its TLS failure, an unknown name, no TLS at the address, or its refusal."""
    if failure := tls_failure(error):
        return failure
    if isinstance(error, httpx.ConnectTimeout):
        return "no connection was accepted in time"
    for cause in _causes(error):
        if isinstance(cause, socket.gaierror):
            return UNKNOWN_HOST
        if isinstance(cause, ssl.SSLError):
            return NO_TLS
    return "connection refused"


def read_failure(error: Exception) -> str:
    """Return why an accepted connection had no response: its TLS failure, bytes that are not HTTP, or silence."""
    if failure := tls_failure(error):
        return failure
    text = str(error)
    if isinstance(error, httpx.ProxyError):
        return f"the proxy refused the request: {text}"
    if _INCOMPLETE.search(text):
        return "the connection was closed before the end of the response"
    if isinstance(error, httpx.RemoteProtocolError) and not _CLOSED.search(text):
        return NOT_HTTP
    return "the connection was closed, or nothing came in time"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield what an exception was raised from, the nearest first."""
    cause = error.__cause__ or error.__context__
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def tls_advice(failure: str) -> str:
    """Return what to do about a TLS failure; empty for others."""
    if _UNTRUSTED.match(failure):
        return next(advice for part, advice in _ADVICE_ON_SERVERS if part in failure)
    if failure.startswith(_ENDED):
        return next((advice for part, advice in _ADVICE_ON_CLIENTS if part in failure), "")
    return ""


def check_client_certificate(path: Path, now: datetime) -> None:
    """Raise InvalidSettings if no deployment accepts the first certificate of a PEM file now."""
    try:
        certificate, *_ = x509.load_pem_x509_certificates(path.read_bytes())
    except ValueError as error:
        raise InvalidSettings(f"{path} cannot be read as a client certificate: {error}") from error
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if now >= ends:
        raise InvalidSettings(
            f"the client certificate {path} expired at {ends:%Y-%m-%d %H:%M} UTC",
            help="give one with --cert that is valid",
        )
    if now < begins:
        raise InvalidSettings(
            f"the client certificate {path} is not valid before {begins:%Y-%m-%d %H:%M} UTC",
            help="give one with --cert that is valid, or set the clock of this machine right",
        )


MAX_RESPONSE_BYTES = 8 * 1024 * 1024
"""A longer body is not read to its end: it counts as no response."""
CHUNKED_HEADER = ("transfer-encoding", "chunked")
"""The only framing header that a request may set: its body is then sent in chunks (RFC 9112 §7.1)."""
FRAMING_HEADERS = frozenset({"host", "content-length", "connection", "transfer-encoding", "accept-encoding"})
"""Headers that the client writes itself."""
CHOSEN_FRAMING = frozenset({("connection", "close"), ("accept-encoding", "identity")})
"""The framing headers that a request may choose: no other connection after it, and no compressed response."""


NO_VALID_REQUEST = (
    "a valid request: give its parameters under `values` in the settings, or as examples in the contract"
)
"""What a test needs for whose operation no request can be built."""


class Unsendable(Exception):
    """A request that an HTTP client refuses to send, or that this run must not send; or a test that would
    compare nothing. The text names what it would need.
    """


class NoResponse(Exception):
    """Why a request has no response."""


class NotConnected(NoResponse):
    """The request was not sent: no connection was accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionSettings:
    """How the deployment is reached: a proxy, a client certificate (PEM) with its key, and an additional
    trusted authority.
    """

    proxy: str = ""
    certificate: Path | None = None
    key: Path | None = None
    authority: Path | None = None

    def check(self, now: datetime) -> None:
        """Raise InvalidSettings for a file that is not PEM, a client certificate that is not valid now, and a
        proxy address that is not a URL.
        """
        if self.key is not None and self.certificate is None:
            raise InvalidSettings(
                "--cert-key is the key of a certificate, and there is none", help="give --cert"
            )
        self.context()
        if self.certificate is not None:
            check_client_certificate(self.certificate, now)
        try:
            proxy = httpx.Proxy(self.proxy).url if self.proxy else None
            is_proxy = proxy is None or (bool(proxy.host) and proxy.scheme in ("http", "https"))
        except (httpx.InvalidURL, ValueError):
            is_proxy = False
        if not is_proxy:
            # It is not quoted: it may hold a password.
            raise InvalidSettings("--proxy is not a URL", help="give it like http://127.0.0.1:3128")

    def proxy_of(self, url: str) -> str:
        """Return the address of the proxy for a URL, without its credentials; empty if there is none.

        Without --proxy, it is that of the environment, such as HTTPS_PROXY, unless NO_PROXY has the host.
        """
        parts = urlsplit(url)
        environment = {} if proxy_bypass(parts.hostname or "") else getproxies()
        return hide_credentials(self.proxy or environment.get(parts.scheme) or environment.get("all", ""))

    def context(self) -> ssl.SSLContext:
        """Return the TLS settings; raises InvalidSettings for files that are not PEM."""
        if self.authority is None and self.certificate is None:
            return _usual_context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
        context = ssl.create_default_context()
        if self.authority is not None:
            with _explain_file_errors(f"{self.authority} cannot be read as an authority's certificate"):
                context.load_verify_locations(self.authority)
        if self.certificate is not None:
            with _explain_file_errors(
                f"{self.certificate} cannot be read as a client certificate with its key"
            ):
                # An empty passphrase: without one, OpenSSL would ask for it on the terminal.
                context.load_cert_chain(self.certificate, self.key, password="")
        return context


@lru_cache(maxsize=1)
def _usual_context(_file: str | None, _folder: str | None) -> ssl.SSLContext:
    """Return settings that trust the authorities of this machine, or those that the environment names.

    All connections share them, as reading the authorities takes long; nobody changes them.
    """
    return ssl.create_default_context()


@contextmanager
def _explain_file_errors(message: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if isinstance(error, ssl.SSLError) and error.reason == "KEY_VALUES_MISMATCH":
            raise InvalidSettings(
                f"{message}: the key belongs to another certificate", help="give files that belong together"
            ) from error
        raise InvalidSettings(
            message,
            help="give a file in PEM form; a client's key is in it or in --cert-key, without a passphrase",
        ) from error


class _DeadlineWatch:
    """Closes the connection in use at a deadline: a client's own timeout starts again with each read.

    One thread serves all requests of a connection: starting one for each took longer than most responses. It
    sleeps no longer than a request may take, so it is awake when a request that began meanwhile is late.
    """

    def __init__(self, limit_s: float) -> None:
        """Take how long a request may take, in seconds."""
        self._limit_s = limit_s
        self._stream: Any = None
        self._due: float | None = None
        self._is_late = False
        self._lock = threading.Lock()
        self._is_closed = threading.Event()
        self._thread: threading.Thread | None = None

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember the newest connection (the `trace` extension of HTTPX)."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._stream = info["return_value"]

    @contextmanager
    def enforce_deadline(self) -> Iterator[None]:
        """Limit the time of a block; raises NoResponse if the deadline ended it."""
        with self._lock:
            self._due, self._is_late = time.monotonic() + self._limit_s, False
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        try:
            yield
        except httpx.TransportError:
            if not self._is_late:
                raise
        finally:
            with self._lock:
                self._due = None
        if self._is_late:
            raise NoResponse(f"no complete response arrived within {self._limit_s:g} s")

    def close(self) -> None:
        """End the thread."""
        self._is_closed.set()

    def _run(self) -> None:
        pause_s = self._limit_s
        while not self._is_closed.wait(pause_s):
            with self._lock:
                pause_s = self._limit_s if self._due is None else self._due - time.monotonic()
                if pause_s <= 0:
                    self._due, self._is_late, pause_s = None, True, self._limit_s
                    self._shut_down()

    def _shut_down(self) -> None:
        connection = self._stream.get_extra_info("socket") if self._stream is not None else None
        try:
            if connection is not None:
                # The plain shutdown: that of a TLS socket cannot be called during a read.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
        except OSError:
            return


class HttpConnection:
    """Sends one request after another."""

    def __init__(self, *, timeout_s: float, connection: ConnectionSettings) -> None:
        """Take the longest time for a whole response, and how the deployment is reached."""
        self._client = httpx.Client(
            timeout=timeout_s,
            follow_redirects=False,
            headers={"User-Agent": "devportal-conformance"},
            verify=connection.context(),
            proxy=connection.proxy or None,
        )
        self._timeout_s = timeout_s
        self._deadline_watch = _DeadlineWatch(timeout_s)

    def close(self) -> None:
        """Close the connection."""
        self._deadline_watch.close()
        self._client.close()

    def send(self, request: Request, *, at_most_s: float = float("inf")) -> HttpResponse:
        """Send a request and return the response. Its parts may be `at_most_s` apart if that is less than the
        timeout of a whole one. Raises Unsendable, and NoResponse if none came.
        """
        # Every request carries only what it states: no session from an earlier response.
        self._client.cookies.clear()
        httpx_request = self._build_request(request, min(self._timeout_s, at_most_s))
        try:
            with self._deadline_watch.enforce_deadline():
                return self._read(httpx_request)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError, ValueError) as error:
            raise Unsendable(str(error)) from error
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise NotConnected(connect_failure(error)) from error
        except httpx.DecodingError as error:
            raise NoResponse("its body is not encoded as Content-Encoding says") from error
        except httpx.TransportError as error:
            raise NoResponse(read_failure(error)) from error

    def _build_request(self, request: Request, timeout_s: float) -> httpx.Request:
        headers = [
            (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
            for name, value in request.headers
            if name.lower() not in FRAMING_HEADERS or (name.lower(), value.lower()) in CHOSEN_FRAMING
        ]
        try:
            return self._client.build_request(
                request.method,
                request.url,
                headers=headers,
                content=_split_body(request.body) if _is_chunked(request) else request.body,
                timeout=timeout_s,
                extensions={"trace": self._deadline_watch.trace},
            )
        except (httpx.InvalidURL, ValueError) as error:
            raise Unsendable(str(error)) from error

    def _read(self, httpx_request: httpx.Request) -> HttpResponse:
        started = time.monotonic()
        response = self._client.send(httpx_request, stream=True)
        body = bytearray()
        try:
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > MAX_RESPONSE_BYTES:
                    raise NoResponse(f"the response is longer than {MAX_RESPONSE_BYTES:,} bytes")
        finally:
            if response.is_server_error:
                # Many servers close the connection after an error without announcing it: the next request
                # would get no response.
                response.extensions["network_stream"].close()
            response.close()
        return HttpResponse(
            status=response.status_code,
            headers=tuple(
                (name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw
            ),
            body=bytes(body),
            elapsed_s=time.monotonic() - started,
        )


def _is_chunked(request: Request) -> bool:
    return any((name.lower(), value.lower()) == CHUNKED_HEADER for name, value in request.headers)


def _split_body(body: bytes | None) -> Iterator[bytes]:
    """Yield a body in two parts, so that no part of it is the whole."""
    content = body or b""
    middle = len(content) // 2
    yield from (part for part in (content[:middle], content[middle:]) if part)
