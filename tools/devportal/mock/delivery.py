"""Sends callbacks and webhooks: soon after the response, and again if a receiver does not take them."""

import http.client
import ipaddress
import ssl
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from urllib.parse import urlsplit

from devportal.mock.events import Delivery, Events
from devportal.mock.handlers import Happening
from devportal.mock.store import State

DELAY_S = 0.05
"""How long after a request its events are sent: the client has read the response by then."""
PAUSES_S = (0.5, 2.0, 8.0)
"""How long a delivery waits for its next attempt."""
_TIMEOUT_S = 10.0
_MAX_PENDING = 1000


def is_loopback(host: str) -> bool:
    """Say whether a host is this machine, by its name or address."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def post(delivery: Delivery) -> int:
    """Send one request and return the status of its response. Raises OSError or HTTPException."""
    parts = urlsplit(delivery.url)
    host = parts.hostname or ""
    connection: http.client.HTTPConnection = (
        http.client.HTTPSConnection(
            host, parts.port, timeout=_TIMEOUT_S, context=ssl.create_default_context()
        )
        if parts.scheme == "https"
        else http.client.HTTPConnection(host, parts.port, timeout=_TIMEOUT_S)
    )
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request(delivery.method, target, delivery.body, dict(delivery.headers))
        response = connection.getresponse()
        response.read(65_536)
        return response.status
    finally:
        connection.close()


class DeliverySender:
    """Sends what events lead to, in threads of its own."""

    def __init__(
        self,
        events: Events,
        state: State,
        *,
        leaves_machine: bool = False,
        pauses_s: Sequence[float] = PAUSES_S,
        log: Callable[[str], None] | None = None,
    ) -> None:
        """Take the events, the state with the subscriptions, whether other machines get requests, and the log."""
        self._events = events
        self._state = state
        self._leaves_machine = leaves_machine
        self._pauses_s = tuple(pauses_s)
        self._log = log or (lambda _: None)
        self._pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="mock-delivery")
        self._timers: set[threading.Timer] = set()
        self._lock = threading.Lock()
        self._is_closed = False

    def report(self, happening: Happening, now: datetime, serial: int) -> None:
        """Send what the contract promises for something that happened."""
        for delivery in self._events.deliveries(happening, self._state, now, serial):
            if not self._leaves_machine and not is_loopback(urlsplit(delivery.url).hostname or ""):
                self._log(f"{delivery.event}: not sent to {delivery.url[:200]}, which is not this machine")
                continue
            self._later(DELAY_S, delivery, 0)

    def _later(self, delay_s: float, delivery: Delivery, attempt: int) -> None:
        with self._lock:
            if self._is_closed or len(self._timers) >= _MAX_PENDING:
                return
            timer = threading.Timer(delay_s, lambda: self._start(timer, delivery, attempt))
            timer.daemon = True
            self._timers.add(timer)
        timer.start()

    def _start(self, timer: threading.Timer, delivery: Delivery, attempt: int) -> None:
        with self._lock:
            self._timers.discard(timer)
            if self._is_closed:
                return
            self._pool.submit(self._send, delivery, attempt)

    def _send(self, delivery: Delivery, attempt: int) -> None:
        try:
            status = post(delivery)
            outcome = str(status)
        except (OSError, http.client.HTTPException, ValueError) as error:
            status, outcome = 0, f"no response ({type(error).__name__})"
        self._log(f"{delivery.event}: {delivery.method} {delivery.url[:200]} {outcome}")
        is_final = 200 <= status < 300 or status == 410
        if not is_final and attempt < len(self._pauses_s):
            self._later(self._pauses_s[attempt], delivery, attempt + 1)

    def close(self) -> None:
        """Send nothing more."""
        with self._lock:
            self._is_closed = True
            timers = tuple(self._timers)
        for timer in timers:
            timer.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)
