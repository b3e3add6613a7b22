"""The deployment under test, over HTTP: sends a request and returns the exchange, with credentials masked."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import httpx

from devportal.conformance.exchange import Answer, Exchange, Request
from devportal.conformance.masking import Mask

MAX_WAITS = 5
LONGEST_WAIT_S = 60.0
FRAMING = frozenset({"host", "content-length", "connection", "transfer-encoding", "accept-encoding"})
"""Headers that the client writes itself."""


class Unsendable(Exception):
    """A request that an HTTP client refuses to put on the wire."""


class Deployment:
    """Sends requests, one after the other. Waits and sends again where the answer is 429."""

    def __init__(self, *, timeout_s: float, mask: Mask, wait: Callable[[float], None] = time.sleep) -> None:
        """Take the longest time to wait for an answer, and what to mask in the exchanges."""
        self._client = httpx.Client(
            timeout=timeout_s, follow_redirects=False, headers={"User-Agent": "devportal-conformance"}
        )
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
        """Send a request and return what came back; raises Unsendable where it cannot be sent."""
        answer = self._answer(request)
        for _ in range(MAX_WAITS):
            if answer is None or answer.status != httpx.codes.TOO_MANY_REQUESTS:
                break
            self._wait(retry_after_s(answer.header("retry-after")))
            answer = self._answer(request)
        exchange = Exchange(request=request, answer=answer, operation=operation, is_valid=is_valid)
        return self._mask.exchange(exchange)

    def _answer(self, request: Request) -> Answer | None:
        headers = [
            (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
            for name, value in request.headers
            if name.lower() not in FRAMING
        ]
        try:
            built = self._client.build_request(
                request.method, request.url, headers=headers, content=request.body
            )
            response = self._client.send(built)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError, ValueError) as error:
            raise Unsendable(str(error)) from error
        except (httpx.TransportError, httpx.DecodingError):
            return None
        return Answer(
            status=response.status_code,
            headers=tuple(
                (name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw
            ),
            body=response.content,
            elapsed_s=response.elapsed.total_seconds(),
        )


def retry_after_s(value: str | None) -> float:
    """Return how long to wait: the seconds of Retry-After (RFC 9110 §10.2.3), one where it has none."""
    text = (value or "").strip()
    return min(float(text), LONGEST_WAIT_S) if text.isdigit() else 1.0
