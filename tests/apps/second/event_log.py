"""Events, and how far the delivery of each to each endpoint has come."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from tests.apps.second.endpoints import Endpoint, Endpoints
from tests.apps.second.world import Shelf, World, seconds, shown_or_null, shown_time

PAUSES_S = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""The least pause before each attempt but the first; each is a tenth longer, which the guide allows."""
SHOWN_ATTEMPTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Pauses:
    """How long a delivery waits after an attempt: `scale` times as long as usual, and at least `least_s`."""

    scale: float
    least_s: float = 0

    def pause_before(self, tries: int) -> float | None:
        """Return the seconds before the next attempt after so many, None where there is none."""
        return None if tries > len(PAUSES_S) else max(PAUSES_S[tries - 1] * 1.1 * self.scale, self.least_s)


class State(StrEnum):
    """How far a delivery has come."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(slots=True, kw_only=True)
class Delivery:
    """The delivery to one endpoint. `tries` are the attempts since the event was last asked for."""

    endpoint: str
    state: State
    next_at: datetime | None
    is_once: bool = False
    tries: int = 0
    is_under_way: bool = False
    is_asked_again: bool = False
    attempts: list[dict[str, Any]] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        """Return what the list of events shows."""
        return {"state": self.state.value, "webhook_endpoint_id": self.endpoint}

    def to_json(self) -> dict[str, Any]:
        """Return all of it."""
        attempts = self.attempts[-SHOWN_ATTEMPTS:]
        return {**self.summary(), "attempts": attempts, "next_attempt_at": shown_or_null(self.next_at)}

    def ask(self, now: datetime, *, is_once: bool) -> None:
        """Have it made, as if nothing had been tried."""
        self.is_once, self.tries = is_once, 0
        self.is_asked_again = self.is_under_way
        self.state, self.next_at = State.PENDING, now

    def skip(self) -> None:
        """Give it up where it waits."""
        if self.state is State.PENDING:
            self.state, self.next_at = State.SKIPPED, None
            self.is_asked_again = False

    def end(self, attempt: dict[str, Any], now: datetime, pauses: Pauses) -> None:
        """Take in how an attempt ended, and what may come of it."""
        self.is_under_way = False
        self.attempts.append({**attempt, "number": len(self.attempts) + 1})
        status = attempt["status_code"]
        is_received = status is not None and 200 <= status < 300
        if self.is_asked_again:
            self.is_asked_again, self.next_at = False, now
        elif is_received:
            self.state, self.next_at = State.DELIVERED, None
        elif self.state is State.PENDING:
            self.tries += 1
            pause_s = None if self.is_once or status == 410 else pauses.pause_before(self.tries)
            self.state = State.FAILED if pause_s is None else State.PENDING
            self.next_at = None if pause_s is None else now + seconds(pause_s)


@dataclass(slots=True, kw_only=True)
class Event:
    """Something that happened, and its deliveries by endpoint."""

    name: str
    rank: int
    account: str
    kind: str
    subject: str
    at: datetime
    payload: dict[str, Any]
    deliveries: dict[str, Delivery]

    def summary(self) -> dict[str, Any]:
        """Return what the list of events shows."""
        return {**self._head(), "deliveries": [delivery.summary() for delivery in self._deliveries()]}

    def to_json(self) -> dict[str, Any]:
        """Return all of it."""
        deliveries = [delivery.to_json() for delivery in self._deliveries()]
        return {**self._head(), "deliveries": deliveries, "payload": self.payload}

    def _head(self) -> dict[str, Any]:
        at = shown_time(self.at)
        return {"created_at": at, "id": self.name, "subject": self.subject, "type": self.kind}

    def _deliveries(self) -> list[Delivery]:
        return [delivery for _, delivery in sorted(self.deliveries.items())]


class EventLog:
    """The events of all accounts."""

    def __init__(self, world: World, endpoints: Endpoints) -> None:
        self._world = world
        self._endpoints = endpoints
        self._events: list[Event] = []
        self.shelf = Shelf[Event]()

    def tell(self, account: str, kind: str, subject: str, data: dict[str, Any], at: datetime) -> None:
        """Write an event, and have it sent to every endpoint that wants its type."""
        event = self._append(account, kind, subject, data, at)
        for endpoint in self._endpoints.wanting(account, kind):
            waits = Delivery(endpoint=endpoint.name, state=State.PENDING, next_at=at)
            event.deliveries[endpoint.name] = waits
            if not endpoint.is_on:
                waits.skip()

    def test(self, account: str, endpoint: Endpoint) -> Event:
        """Write a test event for one endpoint, which is sent once."""
        now = self._world.now()
        data = {"webhook_endpoint_id": endpoint.name}
        event = self._append(account, "webhook.test", endpoint.name, data, now)
        self.ask(event, endpoint, is_once=True)
        return event

    def ask(self, event: Event, endpoint: Endpoint, *, is_once: bool) -> None:
        """Have an event sent to an endpoint, again or for the first time."""
        now = self._world.now()
        new = Delivery(endpoint=endpoint.name, state=State.PENDING, next_at=now)
        event.deliveries.setdefault(endpoint.name, new).ask(now, is_once=is_once)

    def skip(self, account: str, endpoint: str) -> None:
        """Give up all that waits for an endpoint."""
        for event in self.shelf.newest_first(account):
            if endpoint in event.deliveries:
                event.deliveries[endpoint].skip()

    def due(self) -> Iterator[tuple[Event, Delivery]]:
        """Yield the deliveries whose time has come and that nobody makes yet."""
        now = self._world.now()
        for event in self._events:
            for delivery in event.deliveries.values():
                if delivery.next_at is not None and delivery.next_at <= now and not delivery.is_under_way:
                    yield event, delivery

    def _append(self, account: str, kind: str, subject: str, data: dict[str, Any], at: datetime) -> Event:
        event = Event(
            name=self._world.new_id("evt"),
            rank=-self._world.serial(),
            account=account,
            kind=kind,
            subject=subject,
            at=at,
            payload={"data": data, "timestamp": shown_time(at), "type": kind},
            deliveries={},
        )
        self._events.append(event)
        return self.shelf.put(account, event.name, event)
