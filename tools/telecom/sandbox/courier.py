"""The courier: advances what is due in time, and delivers events to the endpoints that want them."""

import asyncio
import logging
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa
from anyio.to_thread import run_sync

from telecom.sandbox import deliveries, endpoints
from telecom.sandbox.attempt import GONE, Answer, Network, ask, verdict
from telecom.sandbox.database import Database
from telecom.sandbox.deliveries import Attempt, DeliveryKey, DueDelivery
from telecom.sandbox.endpoints import TEST_EVENT_TYPE, DisabledReason, Endpoint
from telecom.sandbox.identifiers import RandomBytes
from telecom.sandbox.retries import NEVER, Schedule
from telecom.sandbox.timed import Moment, Timed
from telecom.states import Machines

_LOG = logging.getLogger("telecom.sandbox")
_LONGEST_SLEEP_S = 0.5
AT_ONCE_PER_ENDPOINT = 4
"""How many deliveries to one endpoint may be under way, so that a slow receiver holds up only its own."""


class Courier:
    """Works through what is due. Everything it knows is in the database, so it can be killed at any time.

    An event is sent at least once: a courier killed between an answer and its record sends it again, with
    the same identifier.
    """

    def __init__(
        self,
        *,
        database: Database,
        timed: Sequence[Timed],
        machines: Machines,
        network: Network,
        schedule: Schedule,
        clock: Callable[[], datetime],
        random_bytes: RandomBytes,
        rng: random.Random,
    ) -> None:
        """Take the database, what changes by itself and along which states, when failed deliveries are
        repeated, and the rim: network, clock, randomness."""
        self._database = database
        self._timed = tuple(timed)
        self._machines = machines
        self._network = network
        self._schedule = schedule
        self._clock = clock
        self._random_bytes = random_bytes
        self._rng = rng
        self._under_way: dict[DeliveryKey, asyncio.Task[None]] = {}
        self._resting: set[DeliveryKey] = set()

    async def run(self) -> None:
        """Work until cancelled; whatever fails is logged and tried again."""
        try:
            while True:
                try:
                    advanced, begun = await self._begin()
                    pause = 0.0 if advanced or begun else await run_sync(self._idle_s, self._busy())
                except Exception:  # noqa: BLE001 - a courier that dies would stop all events
                    _LOG.exception("the courier stumbled")
                    pause = _LONGEST_SLEEP_S
                await self._rest(pause)
        finally:
            under_way = tuple(self._under_way.values())
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)  # none writes after the end

    async def step(self) -> int:
        """Do what is due now, wait until it is done, and say how much that was."""
        advanced, begun = await self._begin()
        # All end before a fault is raised: a new step would send again what is still under way.
        outcomes = await asyncio.gather(*begun, return_exceptions=True)
        if faults := [one for one in outcomes if isinstance(one, Exception)]:
            raise ExceptionGroup("webhooks whose attempts could not be recorded", faults)
        return advanced + len(begun)

    async def _rest(self, pause_s: float) -> None:
        """Sleep, but not longer than until a delivery ends: it may have made room for others."""
        if pause_s and self._under_way:
            await asyncio.wait(self._under_way.values(), timeout=pause_s, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(pause_s)

    async def _begin(self) -> tuple[int, list[asyncio.Task[None]]]:
        """Advance what is due, begin the deliveries that are; return how many advanced, and the tasks."""
        advanced, found = await run_sync(self._take_due, self._busy())
        return advanced, [self._start(delivery, endpoint) for delivery, endpoint in found]

    def _start(self, delivery: DueDelivery, endpoint: Endpoint) -> asyncio.Task[None]:
        task = asyncio.create_task(self._deliver(delivery, endpoint))
        self._under_way[delivery.key] = task
        task.add_done_callback(lambda done: self._ended(delivery.key, done))
        return task

    def _ended(self, key: DeliveryKey, task: asyncio.Task[None]) -> None:
        self._under_way.pop(key, None)
        if not task.cancelled() and (fault := task.exception()) is not None:
            _LOG.error("an attempt of the webhook %s could not be recorded", key.event_id, exc_info=fault)
            self._resting.add(key)  # it is still due, and would be sent again without a pause
            asyncio.get_running_loop().call_later(_LONGEST_SLEEP_S, self._resting.discard, key)

    def _busy(self) -> frozenset[DeliveryKey]:
        """Return what must not be begun now. Taken before the database is read: what ends in between is
        then left out once too often, and never sent twice."""
        return frozenset((*self._under_way, *self._resting))

    def _take_due(self, busy: frozenset[DeliveryKey]) -> tuple[int, list[tuple[DueDelivery, Endpoint]]]:
        now = self._clock()
        with self._database.read() as connection:
            moments = [timed.next_due(connection) for timed in self._timed]
        advanced = 0
        if any(moment is not None and moment <= now for moment in moments):
            with self._database.write() as connection:
                moment = Moment(now=now, random_bytes=self._random_bytes, machines=self._machines)
                advanced = sum(timed.advance(connection, moment) for timed in self._timed)
        with self._database.read() as connection:
            return advanced, list(_due_deliveries(connection, busy, now))

    def _idle_s(self, busy: frozenset[DeliveryKey]) -> float:
        with self._database.read() as connection:
            moments = [timed.next_due(connection) for timed in self._timed]
            moments += [
                deliveries.next_due(connection, account, endpoint_id, leaving_out=events)
                for account, endpoint_id, events in _with_room(connection, busy)
            ]
        moment = min((moment for moment in moments if moment is not None), default=None)
        if moment is None:
            return _LONGEST_SLEEP_S
        return min(max((moment - self._clock()).total_seconds(), 0.0), _LONGEST_SLEEP_S)

    async def _deliver(self, delivery: DueDelivery, endpoint: Endpoint) -> None:
        at, started = self._clock(), time.monotonic()
        answer = await ask(self._network, endpoint, delivery, self._clock)
        duration_ms = round((time.monotonic() - started) * 1000)
        await run_sync(self._record, delivery, endpoint.url, answer, at, duration_ms)

    def _record(
        self, delivery: DueDelivery, url: str, answer: Answer, at: datetime, duration_ms: int
    ) -> None:
        now, key = self._clock(), delivery.key
        with self._database.write() as connection:
            before = deliveries.find(connection, key)
            endpoint = endpoints.find(connection, key.account, key.endpoint_id)
            if before is None:
                return  # the sample it belongs to was made anew at a start
            attempt = Attempt(
                number=before.attempts + 1,
                at=at,
                url=url,
                status=answer.status,
                error=answer.error,
                duration_ms=duration_ms,
            )
            repeated = endpoint is not None and endpoint.enabled and delivery.event_type != TEST_EVENT_TYPE
            state, due_at = verdict(
                answer,
                attempt=before.round_attempts + 1,
                schedule=self._schedule if repeated else NEVER,
                rng=self._rng,
                now=now,
            )
            deliveries.record(
                connection,
                before,
                attempt,
                self._machines,
                state=state,
                due_at=due_at,
                replays=delivery.replays,
            )
            if answer.status == GONE and endpoint is not None and endpoint.enabled:
                self._turn_off(connection, endpoint, now)
        _LOG.info(
            "webhook %s to %s, attempt %d: %s",
            key.event_id,
            key.endpoint_id,
            attempt.number,
            answer.status or answer.error or "no answer",
        )

    def _turn_off(self, connection: sa.Connection, endpoint: Endpoint, now: datetime) -> None:
        gone = replace(endpoint, disabled_reason=DisabledReason.GONE, updated_at=now)
        endpoints.store(connection, gone)
        deliveries.skip_pending(connection, endpoint.account, endpoint.id, self._machines)
        _LOG.warning("%s answered 410 Gone and is turned off until it is enabled again", endpoint.id)


def _due_deliveries(
    connection: sa.Connection, busy: frozenset[DeliveryKey], now: datetime
) -> Iterator[tuple[DueDelivery, Endpoint]]:
    for account, endpoint_id, events in _with_room(connection, busy):
        room = AT_ONCE_PER_ENDPOINT - len(events)
        due = deliveries.due(connection, account, endpoint_id, now=now, limit=room, leaving_out=events)
        endpoint = endpoints.find(connection, account, endpoint_id) if due else None
        if endpoint is not None:
            yield from ((delivery, endpoint) for delivery in due)


def _with_room(
    connection: sa.Connection, busy: frozenset[DeliveryKey]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield account and identifier of each endpoint that takes more deliveries, with the events under way."""
    for account, endpoint_id in endpoints.all_endpoints(connection):
        events = tuple(
            key.event_id for key in busy if (key.account, key.endpoint_id) == (account, endpoint_id)
        )
        if len(events) < AT_ONCE_PER_ENDPOINT:
            yield account, endpoint_id, events
