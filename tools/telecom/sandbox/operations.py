"""Operations and their handlers: what handlers work with, how they are bound, how work is done only once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from devportal.contract import Api, Operation
from devportal.errors import InvalidContract
from telecom.sandbox.database import Database
from telecom.sandbox.exchange import Call, Reply
from telecom.sandbox.idempotency import InFlight, Use, fingerprint, once, plain_key
from telecom.sandbox.identifiers import RandomBytes
from telecom.sandbox.pacing import Throughput
from telecom.sandbox.public_records import PublicRecords
from telecom.sandbox.timed import Moment
from telecom.states import Machines

IDEMPOTENCY_KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What handlers work with; the clock and the randomness are injected here."""

    database: Database
    in_flight: InFlight
    clock: Callable[[], datetime]
    random_bytes: RandomBytes
    machines: Machines
    settles_after: timedelta
    throughput: Throughput
    public: PublicRecords
    public_webhooks: bool = False
    """Whether webhooks may go to public addresses, and not to this machine only."""

    def moment(self) -> Moment:
        """Return now, as what is written to the database needs it."""
        return Moment(now=self.clock(), random_bytes=self.random_bytes, machines=self.machines)


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


def carried_out(call: Call, resources: Resources, work: Callable[[sa.Connection], Reply]) -> Reply:
    """Do the work in one transaction, and only once where the call has an idempotency key."""
    key = call.headers.get(IDEMPOTENCY_KEY)
    if key is None:
        with resources.database.write() as connection:
            return work(connection)
    use = Use(
        account=call.grant.account,
        operation=" ".join((call.operation.id, *call.path.values())),
        key=plain_key(key),
        fingerprint=fingerprint(call.body),
    )
    with resources.in_flight.claim(use), resources.database.write() as connection:
        return once(connection, use, resources.clock(), lambda: work(connection))
