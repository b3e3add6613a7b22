"""Sends callbacks and webhooks: soon after the response, and again if a receiver does not take them."""

import http.client
import random
import socket
import ssl
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from devportal.errors import InvalidSettings
from devportal.mock.events.delivery_log import Attempt
from devportal.mock.events.delivery_writer import Delivery, EventTime
from devportal.mock.events.events import Events
from devportal.mock.operations.outcome import Happening
from devportal.mock.resources.store import State
from devportal.serving.receivers import (
    ForbiddenTarget,
    Reach,
    forbidden_reason,
    parse_receiver,
    pin_address,
    resolve_host,
)
from devportal.serving.retries import RetrySchedule, retry_after

DELAY_S = 0.05
"""How long after a request its events are sent: the client has read the response by then."""
SHORT_SCHEDULE = RetrySchedule(
    pauses=(timedelta(seconds=0.5), timedelta(seconds=2), timedelta(seconds=8)), jitter=0.0
)
"""Four attempts within about 11 seconds: a test waits for them."""
_TIMEOUT_S = 10.0
_MAX_PENDING = 1000


def post(delivery: Delivery, reach: Reach) -> tuple[int, timedelta]:
    """Send one request; return the status of its response, and how long its `Retry-After` asks to wait.

    Raises OSError, HTTPException, ForbiddenTarget or InvalidSettings.
    """
    target = pin_address(parse_receiver(delivery.url, reach), resolve_host)
    parts = urlsplit(target.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_TIMEOUT_S)
    try:
        if parts.scheme == "https":
            connection.sock = _encrypt(connection, target.tls_name)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"Host": target.host_header, **dict(delivery.headers)}
        connection.request(delivery.method, path, delivery.body, headers)
        response = connection.getresponse()
        response.read(65_536)
        return response.status, retry_after(response.headers.get("Retry-After"), datetime.now(UTC))
    finally:
        connection.close()


def _encrypt(connection: http.client.HTTPConnection, name: str) -> ssl.SSLSocket:
    """Return a connected socket with TLS to the address of a connection, for the name in the certificate."""
    plain = socket.create_connection((connection.host, connection.port), timeout=_TIMEOUT_S)
    return ssl.create_default_context().wrap_socket(plain, server_hostname=name)


class DeliverySender:
    """Sends what events lead to, in separate threads."""

    def __init__(
        self,
        events: Events,
        state: State,
        *,
        reach: Reach = Reach.LOCAL,
        schedule: RetrySchedule = SHORT_SCHEDULE,
        log: Callable[[str], None] | None = None,
    ) -> None:
        """Take the events, the state with the subscriptions, the allowed receivers, the retries, and the log."""
        self._events = events
        self._state = state
        self._reach = reach
        self._schedule = schedule
        self._random = random.Random()  # noqa: S311 - pauses are not secret
        self._log = log or (lambda _: None)
        self._pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="mock-delivery")
        self._timers: set[threading.Timer] = set()
        self._lock = threading.Lock()
        self._is_closed = False
        self.on_attempt: Callable[[Attempt], None] = lambda _: None
        """Takes each attempt, in the thread that made it."""

    def report(self, happening: Happening, now: datetime, serial: int) -> None:
        """Send what the contract promises for something that happened."""
        at = EventTime(now=now, sent=datetime.now(UTC))
        for delivery in self._events.deliveries(happening, self._state, at, serial):
            reason = forbidden_reason(delivery.url, self._reach)
            if reason is not None:
                self._log(f"{delivery.event}: not sent to {delivery.url[:200]}: {reason}")
                continue
            self._later(DELAY_S, delivery, 1)

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
        status: int | None = None
        wait = timedelta(0)
        try:
            status, wait = post(delivery, self._reach)
            outcome = str(status)
        except (ForbiddenTarget, InvalidSettings) as error:
            outcome = f"not sent: {error}"
        except (OSError, http.client.HTTPException, ValueError) as error:
            outcome = f"no response ({type(error).__name__})"
        self._log(f"{delivery.event}: {delivery.method} {delivery.url[:200]} {outcome}")
        pause = self._schedule.pause_after_response(status, wait, attempt=attempt, rng=self._random)
        self.on_attempt(Attempt(delivery=delivery, number=attempt, status=status, is_last=pause is None))
        if pause is not None:
            self._later(pause.total_seconds(), delivery, attempt + 1)

    def close(self) -> None:
        """Send nothing more."""
        with self._lock:
            self._is_closed = True
            timers = tuple(self._timers)
        for timer in timers:
            timer.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)
