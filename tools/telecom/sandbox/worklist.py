"""What is due, out of the database and back into it: what changes in time, and attempts of webhooks.

Every method is one piece of blocking work, made of transactions that are whole by themselves.
"""

import logging
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from telecom.sandbox import deliveries, endpoints, leases
from telecom.sandbox.attempt import GONE, Answer, verdict
from telecom.sandbox.database import Database
from telecom.sandbox.deliveries import Attempt, DeliveryKey
from telecom.sandbox.endpoints import TEST_EVENT_TYPE, Endpoint
from telecom.sandbox.identifiers import RandomBytes
from telecom.sandbox.leases import DueDelivery, Instant, Queue
from telecom.sandbox.retries import NEVER, Schedule
from telecom.sandbox.timed import Moment, Thing, Timed
from telecom.states import Machines

_LOG = logging.getLogger("telecom.sandbox")
AT_ONCE_PER_ENDPOINT = 16
"""How many deliveries to one endpoint a worker makes at a time: a slow receiver holds up only its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """An attempt that was made: what was sent where, what came back, and after how long."""

    delivery: DueDelivery
    answer: Answer
    duration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Worklist:
    """The work of a courier, as the database has it."""

    database: Database
    timed: Sequence[Timed]
    """What changes by itself."""
    machines: Machines
    schedule: Schedule
    """When failed deliveries are repeated."""
    clock: Callable[[], datetime]
    """The time of the sandbox."""
    real_clock: Callable[[], datetime]
    random_bytes: RandomBytes
    rng: random.Random

    def advance(self) -> Counter[Thing]:
        """Give what is due its next state, with the events of it; say how much that was of what."""
        now = self.clock()
        with self.database.read() as connection:
            due = [one for one in self.timed if _is_due(one.next_due(connection), now)]
        if not due:
            return Counter()
        with self.database.write(shared=True) as connection:
            moment = Moment(now=now, random_bytes=self.random_bytes, machines=self.machines)
            return Counter({one.thing: one.advance(connection, moment) for one in due})

    def take(self, under_way: Collection[DeliveryKey]) -> tuple[DueDelivery, ...]:
        """Take on what is due now, as far as the endpoints have room beside what is under way."""
        at = Instant(now=self.clock(), real=self.real_clock())
        with self.database.read() as connection:
            due = [one for one in self._with_room(connection, under_way) if one[0].first_due <= at.now]
        if not due:
            return ()
        with self.database.write(shared=True) as connection:
            return tuple(
                delivery for queue, room in due for delivery in leases.take(connection, queue, at, limit=room)
            )

    def next_due(self, under_way: Collection[DeliveryKey]) -> datetime | None:
        """Return when something is to be done next, in the time of the sandbox; None where nothing is."""
        with self.database.read() as connection:
            moments = [one.next_due(connection) for one in self.timed]
            moments += [queue.first_due for queue, _ in self._with_room(connection, under_way)]
        return min((moment for moment in moments if moment is not None), default=None)

    def record(self, made: Sequence[Made]) -> tuple[tuple[Made, Exception], ...]:
        """Write attempts down, with what follows from them; return those of which that failed, and why.

        All in one transaction, and where that fails each in its own, so that none holds up the others.
        """
        try:
            self._record(made)
        except Exception as error:  # noqa: BLE001 - whatever it is, the others are to be recorded
            if len(made) == 1:
                return ((made[0], error),)
            return tuple(failed for one in made for failed in self.record((one,)))
        return ()

    def release(self, keys: Iterable[DeliveryKey]) -> None:
        """Give back what was taken on and is not going to be sent."""
        with self.database.write(shared=True) as connection:
            leases.release(connection, keys)

    def _with_room(
        self, connection: sa.Connection, under_way: Collection[DeliveryKey]
    ) -> list[tuple[Queue, int]]:
        left = leases.room(AT_ONCE_PER_ENDPOINT, under_way)
        queues = leases.queues(connection, self.real_clock())
        with_room = ((one, left.get((one.account, one.endpoint_id), AT_ONCE_PER_ENDPOINT)) for one in queues)
        return [(queue, room) for queue, room in with_room if room > 0]

    def _record(self, made: Sequence[Made]) -> None:
        now = self.clock()
        with self.database.write(shared=True) as connection:
            numbers = [self._record_one(connection, one, now) for one in made]
            for one in made:
                if one.answer.status == GONE:
                    self._turn_off(connection, one.delivery.endpoint, now)
        for one, number in zip(made, numbers, strict=True):
            said = one.answer.status or one.answer.error or "no answer"
            key = one.delivery.key
            fields = {
                "event_id": key.event_id,
                "endpoint_id": key.endpoint_id,
                "attempt": number,
                "account": key.account,
                "status": one.answer.status,
                "error": one.answer.error,
                "duration_ms": one.duration_ms,
            }
            _LOG.info(
                "webhook %s to %s, attempt %s: %s, %d ms, account %s",
                key.event_id,
                key.endpoint_id,
                number,
                said,
                one.duration_ms,
                key.account,
                extra={"fields": fields},
            )

    def _record_one(self, connection: sa.Connection, made: Made, now: datetime) -> int | None:
        """Write one attempt down; return its number, None where nothing knows its delivery any more."""
        delivery, key, signing = made.delivery, made.delivery.key, made.answer.signing
        before = deliveries.find(connection, key)
        if before is None:
            return None  # the sample it belongs to was made anew at a start
        endpoint = endpoints.find(connection, key.account, key.endpoint_id)
        repeated = endpoint is not None and endpoint.enabled and delivery.event_type != TEST_EVENT_TYPE
        state, due_at = verdict(
            made.answer,
            attempt=before.round_attempts + 1,
            schedule=self.schedule if repeated else NEVER,
            rng=self.rng,
            now=now,
        )
        attempt = Attempt(
            number=before.attempts + 1,
            at=delivery.taken_at,
            url=delivery.endpoint.url,
            status=made.answer.status,
            error=made.answer.error,
            duration_ms=made.duration_ms,
            signed_at=signing.at if signing is not None else None,
            signed_with=" ".join(signing.secrets) if signing is not None else None,
        )
        deliveries.record(
            connection,
            before,
            attempt,
            self.machines,
            state=state,
            due_at=due_at,
            replays=delivery.replays,
        )
        return attempt.number

    def _turn_off(self, connection: sa.Connection, endpoint: Endpoint, now: datetime) -> None:
        """Turn an endpoint off whose receiver is gone for good, unless it has got another address since."""
        if endpoints.turn_off_gone(connection, endpoint, now):
            deliveries.skip_pending(connection, endpoint.account, endpoint.id, self.machines)
            _LOG.warning("%s answered 410 Gone and is turned off until it is enabled again", endpoint.id)


def _is_due(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now
