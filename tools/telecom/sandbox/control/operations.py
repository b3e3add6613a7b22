"""The operations of the control API: clock and durations, magic numbers, and the reset."""

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from devportal.serving.clock import LATEST, ClockMode, ClockState
from telecom.calls import ANSWERED_OUTCOME, CALL_OUTCOMES, CallOutcome
from telecom.magic_numbers import DESTINATIONS, ORDINARY_DESTINATION, Destination, final_outcome
from telecom.problems import ErrorDetail, ProblemKind
from telecom.sandbox.api.exchange import OperationRequest, RequestRefused, SuccessResponse
from telecom.sandbox.api.identifiers import RandomBytes
from telecom.sandbox.api.operations import Handler, HandlerContext
from telecom.sandbox.api.rate_limit import QUOTAS
from telecom.sandbox.clock import CLOCK, read_clock_state
from telecom.sandbox.control.due_work import DueItem, count_due, due_items
from telecom.sandbox.control.time_travel import (
    AdvanceGoal,
    AdvanceResult,
    ClockAdvance,
    ClockAlreadyMoved,
    ClockGoesBack,
    ClockHold,
)
from telecom.sandbox.database.database import Database
from telecom.sandbox.database.tables import METADATA, TOKENS
from telecom.sandbox.delivery.delivery_worker import DeliveryWorker
from telecom.sandbox.monitoring.heartbeats import PROBES, WORKERS
from telecom.sandbox.pages.sessions import SESSIONS
from telecom.sandbox.stores.scheduled_work import TimedKind
from telecom.states import StateMachines
from telecom.times import format_rfc3339, parse_rfc3339

_DURATION = re.compile(
    r"P(?=.)(?:(?P<weeks>[0-9]{1,4})W)?(?:(?P<days>[0-9]{1,5})D)?"
    r"(?:T(?=.)(?:(?P<hours>[0-9]{1,6})H)?(?:(?P<minutes>[0-9]{1,7})M)?"
    r"(?:(?P<seconds>[0-9]{1,9}(?:\.[0-9]{1,6})?)S)?)?"
)


def parse_duration(text: str) -> timedelta | None:
    """Return the duration of a text such as `PT75H` or `P1DT30M`, None if it is none."""
    match = _DURATION.fullmatch(text)
    if match is None:
        return None
    return timedelta(**{unit: float(number) for unit, number in match.groupdict().items() if number})


def destinations_document(machines: StateMachines) -> dict[str, Any]:
    """Return every magic number with the outcome of messages and calls to it; `to` is null for all others."""
    return {
        "messages": [
            *(
                _message_outcome(machines, number, destination)
                for number, destination in DESTINATIONS.items()
            ),
            _message_outcome(machines, None, ORDINARY_DESTINATION),
        ],
        "calls": [
            *(_call_outcome(number, call_outcome) for number, call_outcome in CALL_OUTCOMES.items()),
            _call_outcome(None, ANSWERED_OUTCOME),
        ],
    }


def _message_outcome(machines: StateMachines, number: str | None, destination: Destination) -> dict[str, Any]:
    outcome = final_outcome(machines, destination)
    return {
        "to": number,
        "meaning": destination.meaning,
        "status": str(outcome.status),
        "receipts": [receipt.value for receipt in outcome.receipts],
        "error_code": outcome.error.value if outcome.error else None,
        "refused_with": destination.refusal.value if destination.refusal else None,
        "refused_channels": sorted(channel.value for channel in destination.refused_channels)
        if destination.refusal
        else [],
    }


def _call_outcome(number: str | None, outcome: CallOutcome) -> dict[str, Any]:
    return {
        "to": number,
        "meaning": outcome.meaning,
        "status": outcome.status.value,
        "end_cause": outcome.cause.value,
    }


MAX_ADVANCE_S = 30
"""How long an advance may take in real time by default."""
_DEFAULT_LIMIT = 20
_ANYTHING = "anything"


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """The context of the operations. `open_delivery_worker` opens a worker for the time of a context, `reset`
    restores the database to its first start, except for tokens and time."""

    database: Database
    real_clock: Callable[[], datetime]
    random_bytes: RandomBytes
    open_delivery_worker: Callable[[], AbstractAsyncContextManager[DeliveryWorker]]
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

    def get_clock(self, call: OperationRequest, context: HandlerContext) -> SuccessResponse:
        """Return the time and how the clock runs."""
        del call, context
        return SuccessResponse(status=200, body=self._clock_document())

    def set_clock(self, call: OperationRequest, context: HandlerContext) -> SuccessResponse:
        """Stop the clock, or let it run at a given speed."""
        del context
        mode = ClockMode(call.body["mode"])
        speed = call.body.get("speed", 1.0) if mode is ClockMode.RUNNING else 0.0
        hold = self._new_hold()
        _refuse_real_clock(hold.state())
        try:
            hold.take()
            try:
                hold.set(lambda state: state.with_speed(mode, speed, self.real_clock()))
            finally:
                hold.release()
        except ClockAlreadyMoved:
            raise _clock_already_moved() from None
        return SuccessResponse(status=200, body=self._clock_document())

    def advance_clock(self, call: OperationRequest, context: HandlerContext) -> SuccessResponse:
        """Advance the clock, and do what becomes due."""
        del context
        hold = self._new_hold()
        _refuse_real_clock(hold.state())
        try:
            result = asyncio.run(self._advance(hold, call))
        except ClockAlreadyMoved:
            raise _clock_already_moved() from None
        except ClockGoesBack as error:
            raise _clock_goes_back(error.now) from None
        return SuccessResponse(status=200, body=self._advance_response(result))

    def list_due(self, call: OperationRequest, context: HandlerContext) -> SuccessResponse:
        """Return what is due next, of all accounts."""
        del context
        kind = TimedKind(call.query["what"]) if "what" in call.query else None
        with self.database.read() as connection:
            items = due_items(
                connection, self.real_clock(), limit=call.query.get("limit", _DEFAULT_LIMIT), kind=kind
            )
            waiting = {kind.value: number for kind, number in count_due(connection).items()}
        return SuccessResponse(
            status=200, body={"data": [_due_item_json(due_item) for due_item in items], "waiting": waiting}
        )

    def reset_sandbox(self, call: OperationRequest, context: HandlerContext) -> SuccessResponse:
        """Delete everything except tokens and time, and make the samples again."""
        del call, context
        hold = self._new_hold()
        try:
            hold.take()
            try:
                self.reset()
            finally:
                hold.release()
        except ClockAlreadyMoved:
            raise _clock_already_moved() from None
        return SuccessResponse(status=204)

    def list_destinations(self, call: OperationRequest, context: HandlerContext) -> SuccessResponse:
        """Return the magic numbers."""
        del call
        return SuccessResponse(status=200, body=destinations_document(context.machines))

    async def _advance(self, hold: ClockHold, call: OperationRequest) -> AdvanceResult:
        async with self.open_delivery_worker() as worker:
            max_real_s = call.query.get("at_most_s", MAX_ADVANCE_S)
            advance = ClockAdvance(hold=hold, worker=worker, max_real_s=max_real_s)
            return await advance.run(lambda now: _parse_goal(call.body, now))

    def _new_hold(self) -> ClockHold:
        holder = self.random_bytes(16).hex()
        return ClockHold(database=self.database, real_clock=self.real_clock, holder=holder)

    def _clock_document(self) -> dict[str, Any]:
        real = self.real_clock()
        with self.database.read() as connection:
            state = read_clock_state(connection)
            due = due_items(connection, real, limit=1)
        return {
            "mode": state.mode.value,
            "speed": _without_fraction(state.speed),
            "now": format_rfc3339(state.time(real)),
            "next_due_at": format_rfc3339(due[0].at) if due else None,
        }

    def _advance_response(self, result: AdvanceResult) -> dict[str, Any]:
        return {
            "clock": self._clock_document(),
            "advanced_s": _without_fraction((result.ended_at - result.began_at).total_seconds()),
            "reached": result.reached,
            "happened": {kind.value: result.happened[kind] for kind in TimedKind},
            "under_way": [_due_item_json(due_item) for due_item in result.under_way],
        }


def _parse_goal(body: Mapping[str, Any], now: datetime) -> AdvanceGoal:
    """Return the goal of an advance that begins now; raises RequestRefused (409, 422)."""
    if "to_next" in body:
        to_next = body["to_next"]
        return AdvanceGoal(kind=None if to_next == _ANYTHING else TimedKind(to_next))
    if "to" in body:
        moment = parse_rfc3339(body["to"])
        if moment is None:  # of the year 0
            raise _invalid_member("to", f"No clock of the sandbox shows {body['to']!r}.")
        return _goal_after(moment - now, now)
    by = timedelta(seconds=body["seconds"]) if "seconds" in body else parse_duration(body["by"])
    if by is None:
        raise _invalid_member("by", f"{body['by']!r} is not a duration.")
    return _goal_after(by, now)


def _goal_after(by: timedelta, now: datetime) -> AdvanceGoal:
    if by > LATEST - now:
        raise RequestRefused(
            ProblemKind.STATE_CONFLICT, f"The time of the sandbox ends at {format_rfc3339(LATEST)}."
        )
    return AdvanceGoal(moment=now + by)


def _without_fraction(number: float) -> float:
    """Return a whole number as an integer, as people write it."""
    return int(number) if number.is_integer() else number


def _due_item_json(due: DueItem) -> dict[str, Any]:
    return {
        "at": format_rfc3339(due.at),
        "what": due.kind.value,
        "account": due.account,
        "id": due.id,
        "webhook_endpoint_id": due.endpoint_id or None,
        "under_way": due.under_way,
    }


def _refuse_real_clock(state: ClockState) -> None:
    if state.mode is ClockMode.REAL:
        raise RequestRefused(
            ProblemKind.STATE_CONFLICT,
            "This sandbox runs in real time. Start it with --clock manual or --clock 1x to set its clock.",
        )


def _clock_already_moved() -> RequestRefused:
    return RequestRefused(
        ProblemKind.STATE_CONFLICT,
        "Another request is moving the clock or resetting the sandbox. Wait until it has finished.",
    )


def _clock_goes_back(now: datetime) -> RequestRefused:
    return RequestRefused(
        ProblemKind.STATE_CONFLICT,
        f"It is {format_rfc3339(now)}, and the time of the sandbox never goes back.",
    )


def _invalid_member(name: str, sentence: str) -> RequestRefused:
    errors = (ErrorDetail(detail=sentence, pointer=f"#/{name}"),)
    return RequestRefused(ProblemKind.VALIDATION_FAILED, "The body has 1 problem; see errors.", errors=errors)


PRESERVED_TABLES = frozenset({TOKENS, SESSIONS, CLOCK, WORKERS, PROBES, QUOTAS})
"""The tables that a reset keeps: tokens, sessions, quotas, the clock and the workers."""


def clear_database(connection: sa.Connection) -> None:
    """Delete all rows except those of the kept tables."""
    for table in reversed(METADATA.sorted_tables):
        if table not in PRESERVED_TABLES:
            connection.execute(sa.delete(table))
