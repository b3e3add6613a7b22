"""Takes the steps that are due, and sends events to the endpoints that want them, each in its own thread."""

import http.client
import json
import threading
import time
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from tests.apps.second.endpoints import Endpoint, Endpoints
from tests.apps.second.event_log import Delivery, Event, EventLog, Pauses
from tests.apps.second.world import World, shown_time

ANSWERED_WITHIN_S = 15
A_DAY_S = 86_400
LOOKS_EVERY_S = 0.02


class Courier:
    """Makes the attempts. Nobody follows a redirect, and nothing leaves this machine."""

    def __init__(self, world: World, endpoints: Endpoints, log: EventLog, scale: float) -> None:
        self._scale = scale
        self._world = world
        self._endpoints = endpoints
        self._log = log
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; attempts that are under way end by themselves."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(LOOKS_EVERY_S):
            with self._world.lock:
                self._world.settle()
                for event, delivery in self._log.due():
                    self._begin(event, delivery)

    def _begin(self, event: Event, delivery: Delivery) -> None:
        endpoint = self._endpoints.shelf.find(event.account, delivery.endpoint)
        if endpoint is None:
            delivery.skip()
            return
        delivery.is_under_way = True
        threading.Thread(target=self._attempt, args=(event, delivery, endpoint), daemon=True).start()

    def _attempt(self, event: Event, delivery: Delivery, endpoint: Endpoint) -> None:
        now = self._world.now()
        body, at_s = json.dumps(event.payload, ensure_ascii=False).encode(), int(time.time())
        headers = {
            "Content-Type": "application/json",
            "webhook-id": event.name,
            "webhook-timestamp": str(at_s),
            "webhook-signature": endpoint.signatures(event.name, at_s, body, now),
        }
        began_s = time.monotonic()
        status, error, least_s = _post(endpoint.url, body, headers)
        took_ms = int((time.monotonic() - began_s) * 1000)
        attempt: dict[str, Any] = {"at": shown_time(now), "url": endpoint.url, "duration_ms": took_ms}
        with self._world.lock:
            ended = {**attempt, "status_code": status, "error": error}
            delivery.end(ended, self._world.now(), Pauses(scale=self._scale, least_s=least_s))
            if status == 410:
                self._turn_off(event.account, endpoint.name)

    def _turn_off(self, account: str, name: str) -> None:
        endpoint = self._endpoints.shelf.find(account, name)
        if endpoint is not None and endpoint.is_on:
            self._endpoints.change(account, endpoint, disabled_reason="gone")
            self._log.skip(account, name)


def _post(url: str, body: bytes, headers: dict[str, str]) -> tuple[int | None, str | None, float]:
    """Return the status of a receiver's response or why there is none, and its Retry-After in seconds."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    here = "127.0.0.1" if host.endswith("localhost") else host
    connection = kind(here, parts.port, timeout=ANSWERED_WITHIN_S)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("POST", target, body, {**headers, "Host": parts.netloc})
        response = connection.getresponse()
        return response.status, None, _wanted_peace_s(response.getheader("Retry-After", ""))
    except (OSError, http.client.HTTPException) as reason:
        return None, f"no answer: {type(reason).__name__}", 0
    finally:
        connection.close()


def _wanted_peace_s(retry_after: str) -> float:
    """Return the seconds that Retry-After asks for, a day at most (RFC 9110 §10.2.3)."""
    if retry_after.isascii() and retry_after.isdigit():
        return min(int(retry_after), A_DAY_S)
    try:
        until = parsedate_to_datetime(retry_after)
    except ValueError:
        return 0
    return min(max(until.timestamp() - time.time(), 0), A_DAY_S)
