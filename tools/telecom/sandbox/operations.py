"""Operations and their handlers: what handlers work with, how they are bound, how work is done only once."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import assert_never

import sqlalchemy as sa

from devportal.contract import Api, Operation
from devportal.errors import InvalidContract
from telecom.sandbox.database import Database
from telecom.sandbox.exchange import Call, Reply
from telecom.sandbox.idempotency import InFlight, Use, fingerprint, in_use, once, plain_key
from telecom.sandbox.identifiers import RandomBytes
from telecom.sandbox.pacing import Throughput
from telecom.sandbox.public_records import PublicRecords
from telecom.sandbox.receiver import Reach
from telecom.sandbox.timed import Moment
from telecom.states import Machines

IDEMPOTENCY_KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What handlers work with; clocks and randomness are injected here."""

    database: Database
    in_flight: InFlight
    clock: Callable[[], datetime]
    """The time of the sandbox; for a handler it stands still, so that a request happens at one time."""
    real_clock: Callable[[], datetime]
    random_bytes: RandomBytes
    machines: Machines
    settles_after: timedelta
    throughput: Throughput
    throughputs: Mapping[str, Throughput]
    """Those of accounts that have agreed on another."""
    public: PublicRecords
    webhook_reach: Reach = Reach.LOCAL
    """Where webhooks may go."""

    def throughput_of(self, account: str) -> Throughput:
        """Return what an account has agreed on."""
        return self.throughputs.get(account, self.throughput)

    def moment(self) -> Moment:
        """Return now, as what is written to the database needs it."""
        return Moment(now=self.clock(), random_bytes=self.random_bytes, machines=self.machines)

    def at_one_time(self) -> "Resources":
        """Return the same with a clock that shows the time that it is now."""
        now = self.clock()
        return replace(self, clock=lambda: now)


Handler = Callable[[Call, Resources], Reply]


def bind(api: Api, handlers: Mapping[str, Handler]) -> dict[tuple[str, str], tuple[Operation, Handler]]:
    """Return operation and handler by path and method; raises InvalidContract where one lacks the other."""
    declared = {operation.id for operation in api.operations}
    unhandled = sorted(declared - handlers.keys())
    if unhandled:
        raise InvalidContract(
            f"the sandbox cannot carry out the operation {unhandled[0]!r}",
            help="it can carry out: " + ", ".join(sorted(handlers)),
        )
    undeclared = sorted(handlers.keys() - declared)
    if undeclared:
        raise InvalidContract(
            f"the contract lacks the operation {undeclared[0]!r}, which the sandbox carries out",
            help="add it to the contract, or give another contract",
        )
    return {
        (operation.path, operation.method.upper()): (operation, handlers[operation.id])
        for operation in api.operations
    }


class Alone(Enum):
    """Where work must be the only one: nothing else may write there while it reads and writes."""

    NOWHERE = auto()
    """It adds what is new, and what it changes is one row that the database locks."""
    IN_ACCOUNT = auto()
    IN_ALL = auto()
    """It changes what does not belong to one account."""


def writing(call: Call, resources: Resources, alone: Alone) -> AbstractContextManager[sa.Connection]:
    """Open a transaction for the work of a call."""
    match alone:
        case Alone.NOWHERE:
            return resources.database.write(call.grant.account, shared=True)
        case Alone.IN_ACCOUNT:
            return resources.database.write(call.grant.account)
        case Alone.IN_ALL:
            return resources.database.write()
        case _:
            assert_never(alone)


def carried_out(
    call: Call,
    resources: Resources,
    work: Callable[[sa.Connection], Reply],
    *,
    alone: Alone = Alone.IN_ACCOUNT,
) -> Reply:
    """Do the work in one transaction, and only once where the call has an idempotency key."""
    use = _use(call)
    if use is None:
        with writing(call, resources, alone) as connection:
            return work(connection)
    with writing(call, resources, alone) as connection:
        if not resources.database.hold(connection, "idempotency key", use.account, use.operation, use.key):
            raise in_use()
        return once(connection, use, resources.clock(), lambda: work(connection))


def under_way(call: Call, resources: Resources) -> AbstractContextManager[None]:
    """Hold the idempotency key of a call, if it has one, while it is carried out, waiting for its turn
    included; raises Refused (409) where another call holds it."""
    use = _use(call)
    return nullcontext() if use is None else resources.in_flight.claim(use)


def _use(call: Call) -> Use | None:
    """Return the use of the key that a call has, None where it has none."""
    key = call.headers.get(IDEMPOTENCY_KEY)
    if key is None:
        return None
    return Use(
        account=call.grant.account,
        operation=" ".join((call.operation.id, *call.path.values())),
        key=plain_key(key),
        fingerprint=fingerprint(call.body),
    )
