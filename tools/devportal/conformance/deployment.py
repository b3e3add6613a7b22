"""The deployment under test, over HTTP: sends a request and returns the exchange, with credentials masked."""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import httpx

from devportal.conformance.exchange import Answer, Exchange, Request
from devportal.conformance.masking import Mask
from devportal.errors import DeploymentError

MAX_WAITS = 5
LONGEST_WAIT_S = 60.0
MAX_ANSWER_BYTES = 8 * 1024 * 1024
"""A longer body is not read to its end: it counts as no answer."""
FRAMING = frozenset({"host", "content-length", "connection", "transfer-encoding", "accept-encoding"})
"""Headers that the client writes itself."""


class Unsendable(Exception):
    """A request that an HTTP client refuses to put on the wire."""


class _Silence(Exception):
    """Why a request has no answer."""


class _Watch:
    """Cuts the connection that is in use at a deadline: a client's own timeout is for each read anew."""

    def __init__(self) -> None:
        self._stream: Any = None
        self._is_late = threading.Event()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember the newest connection (the `trace` extension of HTTPX)."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._stream = info["return_value"]

    @contextmanager
    def within(self, limit_s: float) -> Iterator[None]:
        """Bound the time of a block; raises _Silence where the deadline cut it."""
        self._is_late.clear()
        timer = threading.Timer(limit_s, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        except httpx.TransportError:
            if not self._is_late.is_set():
                raise
        finally:
            timer.cancel()
            timer.join()
        if self._is_late.is_set():
            raise _Silence(f"no whole answer came within {limit_s:g} s")

    def _cut(self) -> None:
        self._is_late.set()
        connection = self._stream.get_extra_info("socket") if self._stream is not None else None
        try:
            if connection is not None:
                # The plain shutdown: that of a TLS socket is not made for being called beside a read.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
        except OSError:
            return


class Deployment:
    """Sends requests, one after the other. Waits and sends again where the answer is 429."""

    def __init__(
        self,
        *,
        timeout_s: float,
        mask: Mask,
        max_time_s: float = float("inf"),
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take the longest time for a whole answer, what to mask in the exchanges, and the longest time
        for all requests together, counted from now."""
        self._client = httpx.Client(
            timeout=timeout_s, follow_redirects=False, headers={"User-Agent": "devportal-conformance"}
        )
        self._timeout_s, self._max_time_s = timeout_s, max_time_s
        self._ends_at = time.monotonic() + max_time_s
        self._watch = _Watch()
        self._mask = mask
        self._wait = wait

    def __enter__(self) -> Self:
        """Open nothing: connections open with the first request."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        self._client.close()

    def send(self, request: Request, *, operation: str = "", is_valid: bool = False) -> Exchange:
        """Send a request and return what came back.

        Raises Unsendable where it cannot be sent, DeploymentError where the time for all requests is over.
        """
        exchange = Exchange(request=request, answer=None, operation=operation, is_valid=is_valid)
        try:
            answer = self._answer(request)
            for _ in range(MAX_WAITS):
                if answer.status != httpx.codes.TOO_MANY_REQUESTS:
                    break
                self._wait(retry_after_s(answer.header("retry-after")))
                answer = self._answer(request)
            exchange = replace(exchange, answer=answer)
        except _Silence as silence:
            exchange = replace(exchange, unanswered=str(silence))
        return self._mask.exchange(exchange)

    def _answer(self, request: Request) -> Answer:
        if time.monotonic() >= self._ends_at:
            raise DeploymentError(
                f"the run did not end within {self._max_time_s:g} s",
                help="give a longer --max-time, or see why the deployment is slow",
            )
        # Every request carries what it says and nothing else: no session that an earlier answer opened.
        self._client.cookies.clear()
        built = self._built(request)
        try:
            with self._watch.within(self._timeout_s):
                return self._read(built)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError, ValueError) as error:
            raise Unsendable(str(error)) from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise _Silence("the connection was closed, or nothing came in time") from error

    def _built(self, request: Request) -> httpx.Request:
        headers = [
            (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
            for name, value in request.headers
            if name.lower() not in FRAMING
        ]
        try:
            return self._client.build_request(
                request.method,
                request.url,
                headers=headers,
                content=request.body,
                extensions={"trace": self._watch.trace},
            )
        except (httpx.InvalidURL, ValueError) as error:
            raise Unsendable(str(error)) from error

    def _read(self, built: httpx.Request) -> Answer:
        started = time.monotonic()
        response = self._client.send(built, stream=True)
        body = bytearray()
        try:
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > MAX_ANSWER_BYTES:
                    raise _Silence(f"the answer is longer than {MAX_ANSWER_BYTES:,} bytes")
        finally:
            response.close()
        return Answer(
            status=response.status_code,
            headers=tuple(
                (name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw
            ),
            body=bytes(body),
            elapsed_s=time.monotonic() - started,
        )


def retry_after_s(value: str | None) -> float:
    """Return how long to wait: the seconds of Retry-After (RFC 9110 §10.2.3), one where it has none."""
    text = (value or "").strip()
    return min(float(text), LONGEST_WAIT_S) if text.isascii() and text.isdigit() else 1.0
