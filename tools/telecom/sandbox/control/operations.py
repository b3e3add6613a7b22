"""The operations of the control API."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from telecom.problems import Fault, Kind
from telecom.sandbox.clock import LATEST, Line, Mode
from telecom.sandbox.control.agenda import Due, agenda, how_many
from telecom.sandbox.control.destinations import destinations_document
from telecom.sandbox.control.durations import parse_duration
from telecom.sandbox.control.journey import AlreadyMoved, Arrival, Goal, GoesBack, Journey, Reins
from telecom.sandbox.courier import Courier
from telecom.sandbox.database import Database
from telecom.sandbox.exchange import Call, Refused, Reply
from telecom.sandbox.identifiers import RandomBytes
from telecom.sandbox.operations import Handler, Resources
from telecom.sandbox.timed import Thing
from telecom.sandbox.timekeeping import line_in
from telecom.times import from_rfc3339, rfc3339

MOST_S = 30
"""How long an advance takes in real time at most, unless it is asked for less or more."""
_SHOWN = 20
_ANYTHING = "anything"


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """What the operations work with. `courier` opens one that delivers for the time of a context, `reset`
    makes the database what it was at the first start, but for tokens and time."""

    database: Database
    real_clock: Callable[[], datetime]
    random_bytes: RandomBytes
    courier: Callable[[], AbstractAsyncContextManager[Courier]]
    reset: Callable[[], None]

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by operationId."""
        return {
            "getClock": self.get_clock,
            "setClock": self.set_clock,
            "advanceClock": self.advance_clock,
            "listDue": self.list_due,
            "resetSandbox": self.reset_sandbox,
            "listDestinations": self.list_destinations,
        }

    def get_clock(self, call: Call, resources: Resources) -> Reply:
        """Return what time it is, and how it goes."""
        del call, resources
        return Reply(status=200, body=self._clock())

    def set_clock(self, call: Call, resources: Resources) -> Reply:
        """Let the time stand still, or go on so many times faster."""
        del resources
        mode = Mode(call.body["mode"])
        speed = call.body.get("speed", 1.0) if mode is Mode.RUNNING else 0.0
        reins = self._reins()
        _refuse_real(reins.line())
        try:
            reins.take()
            try:
                reins.set(lambda line: line.going(mode, speed, self.real_clock()))
            finally:
                reins.release()
        except AlreadyMoved:
            raise _already_moved() from None
        return Reply(status=200, body=self._clock())

    def advance_clock(self, call: Call, resources: Resources) -> Reply:
        """Move the time on, and do what becomes due on the way."""
        del resources
        reins = self._reins()
        _refuse_real(reins.line())
        try:
            arrival = asyncio.run(self._travel(reins, call))
        except AlreadyMoved:
            raise _already_moved() from None
        except GoesBack as error:
            raise _goes_back(error.now) from None
        return Reply(status=200, body=self._arrived(arrival))

    def list_due(self, call: Call, resources: Resources) -> Reply:
        """Return what is due next, of all accounts."""
        del resources
        thing = Thing(call.query["what"]) if "what" in call.query else None
        with self.database.read() as connection:
            next_things = agenda(
                connection, self.real_clock(), limit=call.query.get("limit", _SHOWN), thing=thing
            )
            waiting = {thing.value: number for thing, number in how_many(connection).items()}
        return Reply(status=200, body={"data": [_shown(one) for one in next_things], "waiting": waiting})

    def reset_sandbox(self, call: Call, resources: Resources) -> Reply:
        """Delete everything but tokens and time, and make the samples anew."""
        del call, resources
        reins = self._reins()
        try:
            reins.take()
            try:
                self.reset()
            finally:
                reins.release()
        except AlreadyMoved:
            raise _already_moved() from None
        return Reply(status=204)

    def list_destinations(self, call: Call, resources: Resources) -> Reply:
        """Return the numbers that stand for an outcome."""
        del call
        return Reply(status=200, body=destinations_document(resources.machines))

    async def _travel(self, reins: Reins, call: Call) -> Arrival:
        async with self.courier() as courier:
            most_s = call.query.get("at_most_s", MOST_S)
            journey = Journey(reins=reins, courier=courier, most_s=most_s)
            return await journey.travel(lambda now: _goal(call.body, now))

    def _reins(self) -> Reins:
        holder = self.random_bytes(16).hex()
        return Reins(database=self.database, real_clock=self.real_clock, holder=holder)

    def _clock(self) -> dict[str, Any]:
        real = self.real_clock()
        with self.database.read() as connection:
            line = line_in(connection)
            due = agenda(connection, real, limit=1)
        return {
            "mode": line.mode.value,
            "speed": _plain(line.speed),
            "now": rfc3339(line.time(real)),
            "next_due_at": rfc3339(due[0].at) if due else None,
        }

    def _arrived(self, arrival: Arrival) -> dict[str, Any]:
        return {
            "clock": self._clock(),
            "advanced_s": _plain((arrival.ended_at - arrival.began_at).total_seconds()),
            "reached": arrival.reached,
            "happened": {thing.value: arrival.happened[thing] for thing in Thing},
            "under_way": [_shown(one) for one in arrival.under_way],
        }


def _goal(body: Mapping[str, Any], now: datetime) -> Goal:
    """Return where a journey leads that begins now; raises Refused (409, 422)."""
    if "to_next" in body:
        asked = body["to_next"]
        return Goal(thing=None if asked == _ANYTHING else Thing(asked))
    if "to" in body:
        moment = from_rfc3339(body["to"])
        if moment is None:  # of the year 0
            raise _faulty("to", f"No clock of the sandbox shows {body['to']!r}.")
        return _until(moment - now, now)
    by = timedelta(seconds=body["seconds"]) if "seconds" in body else parse_duration(body["by"])
    if by is None:
        raise _faulty("by", f"{body['by']!r} is no duration.")
    return _until(by, now)


def _until(by: timedelta, now: datetime) -> Goal:
    if by > LATEST - now:
        raise Refused(Kind.STATE_CONFLICT, f"The time of the sandbox ends at {rfc3339(LATEST)}.")
    return Goal(moment=now + by)


def _plain(number: float) -> float:
    """Return a number without a fraction where it has none, as people write it."""
    return int(number) if number.is_integer() else number


def _shown(due: Due) -> dict[str, Any]:
    return {
        "at": rfc3339(due.at),
        "what": due.thing.value,
        "account": due.account,
        "id": due.id,
        "webhook_endpoint_id": due.endpoint_id or None,
        "under_way": due.under_way,
    }


def _refuse_real(line: Line) -> None:
    if line.mode is Mode.REAL:
        raise Refused(
            Kind.STATE_CONFLICT,
            "This sandbox goes in real time. Start it with --clock manual or --clock 1x to set its clock.",
        )


def _already_moved() -> Refused:
    return Refused(
        Kind.STATE_CONFLICT,
        "Another request moves the time or resets the sandbox just now. Wait until it is answered.",
    )


def _goes_back(now: datetime) -> Refused:
    return Refused(Kind.STATE_CONFLICT, f"It is {rfc3339(now)}, and the time of the sandbox never goes back.")


def _faulty(name: str, sentence: str) -> Refused:
    faults = (Fault(detail=sentence, pointer=f"#/{name}"),)
    return Refused(Kind.VALIDATION_FAILED, "The body has 1 fault; see errors.", faults=faults)
