"""Advances the clock from one due moment to the next, never past one.

The control API moves the clock and does the due work of each stop itself, webhooks included, with the same
code as a worker. So it needs no worker and no message to one, and everything happens at its right time and in
order: nothing later becomes due before all earlier work is done and stored. Workers start nothing meanwhile;
deliveries that they have under way are waited for.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from anyio.to_thread import run_sync

from devportal.serving.clock import ClockState
from telecom.sandbox.clock import hold_clock, read_clock_state, release_clock, set_clock_state
from telecom.sandbox.control.due_work import DueItem, deliveries_under_way
from telecom.sandbox.database.database import Database
from telecom.sandbox.delivery.delivery_worker import DeliveryWorker
from telecom.sandbox.stores.scheduled_work import TimedKind

_PAUSE_S = 0.02


class ClockAlreadyMoved(Exception):
    """Another request holds the clock."""


class ClockGoesBack(Exception):
    """The clock would go back; it shows `now`."""

    def __init__(self, now: datetime) -> None:
        """Take the current time."""
        super().__init__(now)
        self.now = now


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockHold:
    """The clock of a sandbox, held by the given `holder`, who alone may move it."""

    database: Database
    real_clock: Callable[[], datetime]
    holder: str

    def state(self) -> ClockState:
        """Return the state of the clock."""
        with self.database.read() as connection:
            return read_clock_state(connection)

    def time(self) -> datetime:
        """Return the time of the sandbox now."""
        return self.state().time(self.real_clock())

    def take(self) -> None:
        """Hold the clock, or renew the hold; raises ClockAlreadyMoved."""
        with self.database.write(shared=True) as connection:
            if not hold_clock(connection, self.holder, self.real_clock()):
                raise ClockAlreadyMoved

    def set(self, change: Callable[[ClockState], ClockState]) -> None:
        """Change the state of the clock; raises ClockAlreadyMoved if it is no longer held."""
        with self.database.write(shared=True) as connection:
            if not set_clock_state(
                connection, self.holder, change(read_clock_state(connection)), self.real_clock()
            ):
                raise ClockAlreadyMoved

    def move_to(self, to: datetime) -> None:
        """Move the clock forward."""
        self.set(lambda state: state.move_to(to, self.real_clock()))

    def release(self) -> None:
        """Release the clock."""
        with self.database.write(shared=True) as connection:
            release_clock(connection, self.holder)

    def under_way(self) -> tuple[DueItem, ...]:
        """Return the due deliveries that workers are sending."""
        now = self.time()
        with self.database.read() as connection:
            return deliveries_under_way(connection, now, self.real_clock())


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvanceGoal:
    """Where an advance ends: at a moment, or when work of one kind, or of any, has happened."""

    moment: datetime | None = None
    kind: TimedKind | None = None

    def is_beyond(self, due: datetime | None) -> bool:
        """Return whether the advance ends before what is due next."""
        return due is None or (self.moment is not None and due > self.moment)

    def is_met_by(self, happened: Counter[TimedKind]) -> bool:
        """Return whether the advance ends with the work of a stop."""
        if self.moment is not None:
            return False
        return bool(happened.total() if self.kind is None else happened[self.kind])


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvanceResult:
    """The result of an advance. `under_way` is what workers were still sending when it was given up because
    it took too long in real time: then the goal is not `reached`."""

    began_at: datetime
    ended_at: datetime
    happened: Counter[TimedKind]
    reached: bool
    under_way: tuple[DueItem, ...]


@dataclass(slots=True, kw_only=True)
class ClockAdvance:
    """One advance, of at most `max_real_s` seconds of real time; work that has begun by then is finished."""

    hold: ClockHold
    worker: DeliveryWorker
    max_real_s: float
    monotonic: Callable[[], float] = time.monotonic
    happened: Counter[TimedKind] = field(default_factory=Counter)
    deadline: float = field(init=False)

    def __post_init__(self) -> None:
        """Set the deadline."""
        self.deadline = self.monotonic() + self.max_real_s

    async def run(self, goal_from: Callable[[datetime], AdvanceGoal]) -> AdvanceResult:
        """Advance to a goal, which depends on when the advance begins.

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
        """Move from one due moment to the next; return whether the goal was reached in time."""
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
        """Pause if workers are sending what is due; return whether they are."""
        if not await run_sync(self.hold.under_way):
            return False
        await asyncio.sleep(_PAUSE_S)
        return True
