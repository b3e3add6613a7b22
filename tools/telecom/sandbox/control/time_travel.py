"""A journey through time: from one moment at which something is due to the next, never past one.

The control API moves the time, and does itself what is due at each stop, webhooks included: it is what a
worker does, with the same code. That needs no worker anywhere and no message to one, and what happens has
its right order and time, as nothing later can be due before all that is earlier is done and written down.
Workers keep off meanwhile, but for what they have under way, which is waited for.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from anyio.to_thread import run_sync

from telecom.sandbox.clock import ClockState, hold_clock, read_clock_state, release_clock, set_clock_state
from telecom.sandbox.control.due_work import DueItem, deliveries_under_way
from telecom.sandbox.database.database import Database
from telecom.sandbox.delivery.delivery_worker import DeliveryWorker
from telecom.sandbox.stores.scheduled_work import TimedKind

_PAUSE_S = 0.02


class ClockAlreadyMoved(Exception):
    """Somebody else moves the time just now."""


class ClockGoesBack(Exception):
    """The time would go back; it is `now`."""

    def __init__(self, now: datetime) -> None:
        """Take the time that it is."""
        super().__init__(now)
        self.now = now


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockHold:
    """The time of a sandbox in the hand of one who may move it, named `holder`."""

    database: Database
    real_clock: Callable[[], datetime]
    holder: str

    def state(self) -> ClockState:
        """Return the line of the time."""
        with self.database.read() as connection:
            return read_clock_state(connection)

    def time(self) -> datetime:
        """Return the time."""
        return self.state().time(self.real_clock())

    def take(self) -> None:
        """Hold the time, or go on holding it; raises ClockAlreadyMoved."""
        with self.database.write(shared=True) as connection:
            if not hold_clock(connection, self.holder, self.real_clock()):
                raise ClockAlreadyMoved

    def set(self, change: Callable[[ClockState], ClockState]) -> None:
        """Change the line of the time that is held; raises ClockAlreadyMoved if it is no longer."""
        with self.database.write(shared=True) as connection:
            if not set_clock_state(
                connection, self.holder, change(read_clock_state(connection)), self.real_clock()
            ):
                raise ClockAlreadyMoved

    def move_to(self, to: datetime) -> None:
        """Move the time on."""
        self.set(lambda state: state.move_to(to, self.real_clock()))

    def release(self) -> None:
        """Hold the time no longer."""
        with self.database.write(shared=True) as connection:
            release_clock(connection, self.holder)

    def under_way(self) -> tuple[DueItem, ...]:
        """Return what others are sending of what is due."""
        now = self.time()
        with self.database.read() as connection:
            return deliveries_under_way(connection, now, self.real_clock())


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvanceGoal:
    """Where a journey ends: at a moment, or where something of one kind, or of any, has happened."""

    moment: datetime | None = None
    kind: TimedKind | None = None

    def is_beyond(self, due: datetime | None) -> bool:
        """Return whether the journey ends before what is due next."""
        return due is None or (self.moment is not None and due > self.moment)

    def is_met_by(self, happened: Counter[TimedKind]) -> bool:
        """Return whether the journey ends with what has happened at a stop."""
        if self.moment is not None:
            return False
        return bool(happened.total() if self.kind is None else happened[self.kind])


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvanceResult:
    """Where a journey has led, and what happened on the way. `deliveries_under_way` is what others were still sending,
    where it was given up since it took too long in real time: then the goal is not `reached`."""

    began_at: datetime
    ended_at: datetime
    happened: Counter[TimedKind]
    reached: bool
    under_way: tuple[DueItem, ...]


@dataclass(slots=True, kw_only=True)
class ClockAdvance:
    """One journey, of at most so many seconds of real time; what is begun until then is ended."""

    hold: ClockHold
    worker: DeliveryWorker
    max_real_s: float
    monotonic: Callable[[], float] = time.monotonic
    happened: Counter[TimedKind] = field(default_factory=Counter)
    deadline: float = field(init=False)

    def __post_init__(self) -> None:
        """Begin to count the seconds."""
        self.deadline = self.monotonic() + self.max_real_s

    async def run(self, goal_from: Callable[[datetime], AdvanceGoal]) -> AdvanceResult:
        """Travel to a goal, which depends on when the journey begins.

        Raises ClockAlreadyMoved, ClockGoesBack.
        """
        await run_sync(self.hold.take)
        try:
            began_at = await run_sync(self.hold.time)
            goal = goal_from(began_at)
            if goal.moment is not None and goal.moment < began_at:
                raise ClockGoesBack(began_at)
            reached = await self._run_due_work() is not None and await self._advance_to(goal)
            return AdvanceResult(
                began_at=began_at,
                ended_at=await run_sync(self.hold.time),
                happened=self.happened,
                reached=reached,
                under_way=() if reached else await run_sync(self.hold.under_way),
            )
        finally:
            await run_sync(self.hold.release)

    async def _advance_to(self, goal: AdvanceGoal) -> bool:
        """Go from stop to stop; return whether the goal was reached in time."""
        while not goal.is_beyond(due := await self.worker.next_due()):
            assert due is not None  # noqa: S101 - beyond every goal
            await run_sync(self.hold.move_to, due)
            happened = await self._run_due_work()
            if happened is None:
                return False
            if goal.is_met_by(happened):
                return True
        if goal.moment is not None:
            await run_sync(self.hold.move_to, goal.moment)
        return goal.moment is not None

    async def _run_due_work(self) -> Counter[TimedKind] | None:
        """Do all that is due now and return what that was, None if it took too long."""
        settled: Counter[TimedKind] = Counter()
        while self.monotonic() <= self.deadline:
            done = await self.worker.step()
            settled += done
            self.happened += done
            is_quiet = not done.total()
            if is_quiet and not await self._waits_for_others():
                return settled
            if is_quiet or done[TimedKind.WEBHOOK]:
                await run_sync(self.hold.take)  # both take a while, and the hold must not end
        return None

    async def _waits_for_others(self) -> bool:
        """Pause where others are sending what is due; return whether that was so."""
        if not await run_sync(self.hold.under_way):
            return False
        await asyncio.sleep(_PAUSE_S)
        return True
