"""The courier: advances what is due, and delivers the events of it to the receiver."""

import asyncio
import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import httpx
from anyio.to_thread import run_sync

from telecom.sandbox.database import Database
from telecom.sandbox.identifiers import RandomBytes
from telecom.sandbox.outbox import (
    Attempt,
    DueEvent,
    EventState,
    disable_receiver,
    due_events,
    is_enabled,
    next_attempt,
    record_attempt,
    set_aside,
)
from telecom.sandbox.receiver import Receiver, Resolve, pin
from telecom.sandbox.retries import Schedule, retry_after
from telecom.sandbox.timed import Moment, Timed
from telecom.signature import Secret, sign
from telecom.states import Machines

_LOG = logging.getLogger("telecom.sandbox")
_AT_ONCE = 20
_GONE = 410
_LONGEST_SLEEP_S = 0.5
TIMEOUT_S = 15.0
"""How long a receiver may take to answer (Standard Webhooks 1.0.0 suggests 15 to 30 seconds)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """A receiver, the secrets that its deliveries are signed with, and when failed ones are repeated."""

    receiver: Receiver
    secrets: tuple[Secret, ...]
    schedule: Schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    status: int | None = None
    error: str | None = None
    wait: timedelta = timedelta(0)


class Courier:
    """Works through what is due. Everything it knows is in the database, so it can be killed at any time.

    An event is sent at least once: a courier killed between an answer and its record sends it again, with
    the same identifier.
    """

    def __init__(
        self,
        *,
        database: Database,
        subscription: Subscription | None,
        timed: Sequence[Timed],
        machines: Machines,
        client: httpx.AsyncClient,
        clock: Callable[[], datetime],
        random_bytes: RandomBytes,
        rng: random.Random,
        lookup: Resolve,
    ) -> None:
        """Take the database, who listens (None: nobody), what changes by itself and by which steps, and the
        rim: network, clock, randomness."""
        self._database = database
        self._subscription = subscription
        self._timed = tuple(timed)
        self._machines = machines
        self._client = client
        self._clock = clock
        self._random_bytes = random_bytes
        self._rng = rng
        self._lookup = lookup

    async def run(self) -> None:
        """Work until cancelled; a step that fails is logged and tried again."""
        while True:
            try:
                busy = await self.step()
                pause = 0.0 if busy else await run_sync(self._idle_s)
            except Exception:  # noqa: BLE001 - a courier that dies would stop all receipts
                _LOG.exception("the courier stumbled")
                pause = _LONGEST_SLEEP_S
            await asyncio.sleep(pause)

    async def step(self) -> int:
        """Settle and deliver what is due now; say how much that was."""
        settled, events = await run_sync(self._take_due)
        if events and self._subscription is not None:
            deliveries = (self._deliver(event, self._subscription) for event in events)
            # All end before a fault is raised: a new step would send again what is still under way.
            outcomes = await asyncio.gather(*deliveries, return_exceptions=True)
            if faults := [one for one in outcomes if isinstance(one, Exception)]:
                raise ExceptionGroup("webhooks whose attempts could not be recorded", faults)
        return settled + len(events)

    def _take_due(self) -> tuple[int, tuple[DueEvent, ...]]:
        now = self._clock()
        if not self._anything_due(now):
            return 0, ()
        with self._database.write() as connection:
            moment = Moment(now=now, random_bytes=self._random_bytes, machines=self._machines)
            settled = sum(timed.advance(connection, moment) for timed in self._timed)
            events = due_events(connection, now=now, limit=_AT_ONCE)
            enabled = self._subscription is not None and is_enabled(
                connection, self._subscription.receiver.url
            )
            if events and not enabled:
                set_aside(connection, events)
                return settled + len(events), ()
        return settled, events

    def _anything_due(self, now: datetime) -> bool:
        moment = self._next_moment()
        return moment is not None and moment <= now

    def _idle_s(self) -> float:
        moment = self._next_moment()
        if moment is None:
            return _LONGEST_SLEEP_S
        return min(max((moment - self._clock()).total_seconds(), 0.0), _LONGEST_SLEEP_S)

    def _next_moment(self) -> datetime | None:
        with self._database.read() as connection:
            moments = (*(timed.next_due(connection) for timed in self._timed), next_attempt(connection))
        return min((moment for moment in moments if moment is not None), default=None)

    async def _deliver(self, event: DueEvent, subscription: Subscription) -> None:
        at, started = self._clock(), time.monotonic()
        answer = await self._ask(event, subscription, at)
        attempt = Attempt(
            event_id=event.id,
            number=event.attempts + 1,
            at=at,
            url=subscription.receiver.url,
            status=answer.status,
            error=answer.error,
            duration_ms=round((time.monotonic() - started) * 1000),
        )
        _LOG.info(
            "webhook %s, attempt %d: %s",
            event.id,
            attempt.number,
            answer.status or answer.error or "no answer",
        )
        await run_sync(self._record, attempt, answer, subscription)

    async def _ask(self, event: DueEvent, subscription: Subscription, at: datetime) -> _Answer:
        """Make one attempt. Only the status and `Retry-After` of the answer are read."""
        try:
            headers = sign(event.body, event_id=event.id, at=at, secrets=subscription.secrets)
            target = await run_sync(pin, subscription.receiver, self._lookup)
            async with (
                asyncio.timeout(TIMEOUT_S),
                self._client.stream(
                    "POST",
                    target.url,
                    content=event.body,
                    headers={**headers, "host": target.host_header, "content-type": "application/json"},
                    extensions={"sni_hostname": target.tls_name},
                    follow_redirects=False,
                ) as response,
            ):
                wait = retry_after(response.headers.get("retry-after"), self._clock())
                return _Answer(status=response.status_code, wait=wait)
        except TimeoutError:
            return _Answer(error=f"no answer within {TIMEOUT_S:.0f} seconds")
        except Exception as error:  # noqa: BLE001 - an attempt that is not recorded is repeated without end
            return _Answer(error=str(error) or type(error).__name__)

    def _record(self, attempt: Attempt, answer: _Answer, subscription: Subscription) -> None:
        now = self._clock()
        state, due_at = self._verdict(attempt.number, answer, subscription.schedule, now)
        with self._database.write() as connection:
            record_attempt(connection, attempt, state=state, due_at=due_at)
            if answer.status == _GONE:
                disable_receiver(connection, subscription.receiver.url, now)
        if answer.status == _GONE:
            _LOG.warning("the receiver answered 410 Gone: webhooks are off until the next start")

    def _verdict(
        self, attempt: int, answer: _Answer, schedule: Schedule, now: datetime
    ) -> tuple[EventState, datetime | None]:
        """Return the event's state after an attempt, and when it is sent again where it is pending."""
        if answer.status is not None and 200 <= answer.status < 300:
            return EventState.DELIVERED, None
        pause = schedule.pause_after(attempt, self._rng)
        if answer.status == _GONE or pause is None:
            return EventState.FAILED, None
        return EventState.PENDING, now + max(pause, answer.wait)
