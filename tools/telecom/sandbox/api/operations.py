"""Operations and their handlers by resource: the context of handlers, and how they are bound."""

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
from devportal.serving.receivers import Reach
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
    """The time of the sandbox; it is frozen for a handler, so that a request happens at one time."""
    real_clock: Callable[[], datetime]
    random_bytes: RandomBytes
    machines: StateMachines
    settles_after: timedelta
    throughput: Throughput
    throughputs: Mapping[str, Throughput]
    """The throughput of accounts that have another one."""
    public: PublicRecords
    webhook_reach: Reach = Reach.LOCAL
    """Where webhooks may go."""

    def throughput_of(self, account: str) -> Throughput:
        """Return the throughput of an account."""
        return self.throughputs.get(account, self.throughput)

    def advance_context(self) -> AdvanceContext:
        """Return the current time with what else writes to the database need."""
        return AdvanceContext(now=self.clock(), random_bytes=self.random_bytes, machines=self.machines)

    def with_frozen_clock(self) -> "HandlerContext":
        """Return the same context with a clock frozen at the current time."""
        now = self.clock()
        return replace(self, clock=lambda: now)


Handler = Callable[[OperationRequest, HandlerContext], SuccessResponse]


def bind_handlers(
    api: Api, handlers: Mapping[str, Handler]
) -> dict[tuple[str, str], tuple[Operation, Handler]]:
    """Return operation and handler by path and method; raises InvalidContract if an operation lacks a handler
    or the other way round."""
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
    """Where work needs exclusive access: nothing else may write there meanwhile."""

    NOWHERE = auto()
    """It only adds rows, or changes one row that the database locks."""
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
    """Do the work in one transaction, and only once if the request has an idempotency key."""
    use = _key_use(call)
    if use is None:
        with write_transaction(call, context, exclusive) as connection:
            return work(connection)
    with write_transaction(call, context, exclusive) as connection:
        if not context.database.hold(connection, "idempotency key", use.account, use.operation, use.key):
            raise key_in_use()
        return run_once(connection, use, context.clock(), lambda: work(connection))


def hold_idempotency_key(call: OperationRequest, context: HandlerContext) -> AbstractContextManager[None]:
    """Hold the idempotency key of a request, if it has one, while the request waits and runs; raises
    RequestRefused (409) if another request holds it."""
    use = _key_use(call)
    return nullcontext() if use is None else context.in_flight.claim(use)


def _key_use(call: OperationRequest) -> KeyUse | None:
    """Return the use of the request's idempotency key, None if it has none."""
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
    """The account that samples are made for, the contract, the time and the randomness. The examples of the
    contract are the samples, so that an identifier copied from the reference exists."""

    account: str
    api: Api
    now: datetime
    random_bytes: RandomBytes
    machines: StateMachines
    catalog: Catalog
    """The records of the project, in every state of review."""

    def example_bodies(self, operation_id: str) -> Iterator[Any]:
        """Yield each example body of an operation's successful responses."""
        operation = next(operation for operation in self.api.operations if operation.id == operation_id)
        for response in operation.successes:
            for media in response.content:
                yield from (example.value for example in media.examples)


SeedFunction = Callable[[sa.Connection, SeedContext], None]
"""Makes the samples of an account, in place of the existing ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """The handlers of a resource by operationId, its timed work and its samples."""

    handlers: Mapping[str, Handler]
    timed: tuple[TimedResource, ...] = ()
    seed: SeedFunction | None = None
