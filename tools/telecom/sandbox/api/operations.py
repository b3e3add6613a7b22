"""Operations and their handlers by resource: what handlers work with, and how they are bound."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any, assert_never

import sqlalchemy as sa

from devportal.catalog import Catalog
from devportal.contract import Api, Operation
from devportal.errors import InvalidContract
from telecom.sandbox.api.exchange import OperationRequest, SuccessResponse
from telecom.sandbox.api.idempotency import (
    KeysInFlight,
    KeyUse,
    body_fingerprint,
    key_in_use,
    run_once,
    unquote_key,
)
from telecom.sandbox.api.identifiers import RandomBytes
from telecom.sandbox.database.database import Database
from telecom.sandbox.delivery.receiver import Reach
from telecom.sandbox.stores.pacing import Throughput
from telecom.sandbox.stores.public_records import PublicRecords
from telecom.sandbox.stores.scheduled_work import AdvanceContext, TimedResource
from telecom.states import StateMachines

IDEMPOTENCY_KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlerContext:
    """What handlers work with; clocks and randomness are injected here."""

    database: Database
    in_flight: KeysInFlight
    clock: Callable[[], datetime]
    """The time of the sandbox; for a handler it stands still, so that a request happens at one time."""
    real_clock: Callable[[], datetime]
    random_bytes: RandomBytes
    machines: StateMachines
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

    def advance_context(self) -> AdvanceContext:
        """Return now, as what is written to the database needs it."""
        return AdvanceContext(now=self.clock(), random_bytes=self.random_bytes, machines=self.machines)

    def with_frozen_clock(self) -> "HandlerContext":
        """Return the same with a clock that shows the time that it is now."""
        now = self.clock()
        return replace(self, clock=lambda: now)


Handler = Callable[[OperationRequest, HandlerContext], SuccessResponse]


def bind_handlers(
    api: Api, handlers: Mapping[str, Handler]
) -> dict[tuple[str, str], tuple[Operation, Handler]]:
    """Return operation and handler by path and method; raises InvalidContract if one lacks the other."""
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


class ExclusiveScope(Enum):
    """Where work must be the only one: nothing else may write there while it reads and writes."""

    NOWHERE = auto()
    """It adds what is new, and what it changes is one row that the database locks."""
    IN_ACCOUNT = auto()
    IN_ALL = auto()
    """It changes what does not belong to one account."""


def write_transaction(
    call: OperationRequest, context: HandlerContext, exclusive: ExclusiveScope
) -> AbstractContextManager[sa.Connection]:
    """Open a transaction for the work of a call."""
    match exclusive:
        case ExclusiveScope.NOWHERE:
            return context.database.write(call.grant.account, shared=True)
        case ExclusiveScope.IN_ACCOUNT:
            return context.database.write(call.grant.account)
        case ExclusiveScope.IN_ALL:
            return context.database.write()
        case _:
            assert_never(exclusive)


def run_in_transaction(
    call: OperationRequest,
    context: HandlerContext,
    work: Callable[[sa.Connection], SuccessResponse],
    *,
    exclusive: ExclusiveScope = ExclusiveScope.IN_ACCOUNT,
) -> SuccessResponse:
    """Do the work in one transaction, and only once where the call has an idempotency key."""
    use = _key_use(call)
    if use is None:
        with write_transaction(call, context, exclusive) as connection:
            return work(connection)
    with write_transaction(call, context, exclusive) as connection:
        if not context.database.hold(connection, "idempotency key", use.account, use.operation, use.key):
            raise key_in_use()
        return run_once(connection, use, context.clock(), lambda: work(connection))


def hold_idempotency_key(call: OperationRequest, context: HandlerContext) -> AbstractContextManager[None]:
    """Hold the idempotency key of a call, if it has one, while it is carried out, waiting for its turn
    included; raises RequestRefused (409) if another call holds it."""
    use = _key_use(call)
    return nullcontext() if use is None else context.in_flight.claim(use)


def _key_use(call: OperationRequest) -> KeyUse | None:
    """Return the use of the key that a call has, None if it has none."""
    key = call.headers.get(IDEMPOTENCY_KEY)
    if key is None:
        return None
    return KeyUse(
        account=call.grant.account,
        operation=" ".join((call.operation.id, *call.path.values())),
        key=unquote_key(key),
        fingerprint=body_fingerprint(call.body),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedContext:
    """For whom samples are made, from which contract, when, and with which randomness. The examples of the
    contract are the samples, so that whoever copies one from the reference finds what it names."""

    account: str
    api: Api
    now: datetime
    random_bytes: RandomBytes
    machines: StateMachines
    catalog: Catalog
    """The records of the project, in every state of review."""

    def example_bodies(self, operation_id: str) -> Iterator[Any]:
        """Yield each example body of an operation's successful answers."""
        operation = next(one for one in self.api.operations if one.id == operation_id)
        for response in operation.successes:
            for media in response.content:
                yield from (example.value for example in media.examples)


SeedFunction = Callable[[sa.Connection, SeedContext], None]
"""Makes the samples of an account, in place of those that are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """Handlers by operationId, and what else a resource has."""

    handlers: Mapping[str, Handler]
    timed: tuple[TimedResource, ...] = ()
    seed: SeedFunction | None = None
