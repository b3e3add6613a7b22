"""The delivery worker: advances due resources, and delivers events to the endpoints that subscribe to them."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime

from anyio.to_thread import run_sync

from telecom.sandbox.clock import REAL_TIME_FLOW, ClockFlow
from telecom.sandbox.database.storage_failures import storage_failure
from telecom.sandbox.delivery.attempt import WebhookNetwork, attempt_delivery
from telecom.sandbox.delivery.deliveries import DeliveryKey
from telecom.sandbox.delivery.delivery_queue import AttemptResult, Worklist
from telecom.sandbox.delivery.leases import DueDelivery
from telecom.sandbox.stores.scheduled_work import TimedKind

_LOG = logging.getLogger("telecom.sandbox")
_LONGEST_SLEEP_S = 0.25
_TURN_PAUSE_S = 0.02
"""How long to wait between two turns, so that what ends or becomes due meanwhile is taken together."""


class DeliveryWorker:
    """Works through what is due. All its state is in the database, so it can be killed at any time, and
    others may work in parallel.

    An event is sent at least once: if a worker is killed between a response and its record, the event is sent
    again, with the same identifier.
    """

    def __init__(
        self,
        worklist: Worklist,
        network: WebhookNetwork,
        flow: Callable[[], ClockFlow] = lambda: REAL_TIME_FLOW,
        *,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        """Take the work, the network, the speed of the sandbox's clock, and the heartbeat that is called in
        each turn."""
        self._beat = beat
        self._worklist = worklist
        self._network = network
        self._flow = flow
        self._under_way: dict[DeliveryKey, asyncio.Task[None]] = {}
        self._results: list[AttemptResult] = []
        self._attempt_ended = asyncio.Event()

    async def run(self) -> None:
        """Work until cancelled; errors are logged, and the work is tried again."""
        try:
            while True:
                try:
                    if await self._turn():
                        await asyncio.sleep(_TURN_PAUSE_S)
                    else:
                        await self._sleep(await self._idle_s())
                except Exception as error:  # noqa: BLE001 - a courier that dies would stop all events
                    if storage_failure(error) is None:  # else the database has logged it, once
                        _LOG.exception("the courier stumbled")
                    await asyncio.sleep(_LONGEST_SLEEP_S)
        finally:
            await self._stop()

    async def step(self) -> Counter[TimedKind]:
        """Do what is due now, wait until it is done, and return how much of which kind."""
        advanced = await run_sync(self._worklist.advance)
        tasks = [self._start(due_delivery) for due_delivery in await run_sync(self._worklist.take, ())]
        if not tasks:
            return advanced
        await asyncio.gather(*tasks)
        results, self._results = self._results, []
        if errors := [error for _, error in await run_sync(self._worklist.record, results)]:
            raise ExceptionGroup("webhooks whose attempts could not be recorded", errors)
        return advanced + Counter({TimedKind.WEBHOOK: len(tasks)})

    async def next_due(self) -> datetime | None:
        """Return when something is due next that no worker has leased, None if nothing is."""
        return await run_sync(self._worklist.next_due, ())

    async def _turn(self) -> bool:
        """Record finished attempts, advance what is due, start due deliveries; return whether there was
        anything."""
        results, self._results = self._results, []
        under_way = frozenset(self._under_way)
        recorded, advanced, deliveries = await run_sync(self._record_and_take, results, under_way)
        for delivery in deliveries:
            self._start(delivery)
        return bool(recorded or advanced or deliveries)

    def _record_and_take(
        self, results: list[AttemptResult], under_way: frozenset[DeliveryKey]
    ) -> tuple[bool, bool, tuple[DueDelivery, ...]]:
        try:
            self._beat()
        except Exception:
            self._results.extend(results)
            raise
        for result, error in self._worklist.record(results) if results else ():
            self._keep_or_log(result, error)
        if self._flow().is_held:
            return bool(results), False, ()
        advanced = self._worklist.advance()
        return bool(results), bool(advanced), self._worklist.take(under_way)

    def _keep_or_log(self, result: AttemptResult, error: Exception) -> None:
        """Keep an attempt that could not be recorded until the database works again, or log it. Its lease
        lasts for a while, so it is not sent again at once."""
        failure = storage_failure(error)
        if failure is not None and failure.ends_with_write:
            self._results.append(result)
            return
        message = "an attempt of the webhook %s could not be recorded"
        _LOG.error(message, result.delivery.key.event_id, exc_info=error if failure is None else None)

    async def _idle_s(self) -> float:
        """Return how long there is nothing to do."""
        return await run_sync(self._pause_s, frozenset(self._under_way))

    def _pause_s(self, under_way: frozenset[DeliveryKey]) -> float:
        flow, moment = self._flow(), self._worklist.next_due(under_way)
        if moment is None or flow.is_held or not flow.speed:
            return _LONGEST_SLEEP_S
        ahead_s = (moment - self._worklist.clock()).total_seconds()
        return min(max(ahead_s / flow.speed, 0.0), _LONGEST_SLEEP_S)

    async def _sleep(self, pause_s: float) -> None:
        """Sleep, but only until an attempt ends: it is to be recorded, and frees capacity."""
        try:
            async with asyncio.timeout(pause_s):
                await self._attempt_ended.wait()
        except TimeoutError:
            pass
        self._attempt_ended.clear()

    def _start(self, delivery: DueDelivery) -> asyncio.Task[None]:
        task = asyncio.create_task(self._deliver(delivery))
        self._under_way[delivery.key] = task
        task.add_done_callback(lambda _: self._under_way.pop(delivery.key, None))
        return task

    async def _deliver(self, delivery: DueDelivery) -> None:
        started = time.monotonic()
        response = await attempt_delivery(self._network, delivery)
        duration_ms = round((time.monotonic() - started) * 1000)
        self._results.append(AttemptResult(delivery=delivery, response=response, duration_ms=duration_ms))
        self._attempt_ended.set()

    async def _stop(self) -> None:
        """Cancel what is under way, so that nothing is written after the end. Deliveries without a response
        are left to other workers."""
        keys = tuple(self._under_way)
        tasks = tuple(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._results:
            await run_sync(self._worklist.record, self._results)
        recorded = {result.delivery.key for result in self._results}
        if unfinished := [key for key in keys if key not in recorded]:
            try:
                await run_sync(self._worklist.release, unfinished)
            except Exception as error:
                if storage_failure(error) is None:  # else the leases end by themselves
                    raise
