"""What each operation does: the handlers, by operationId."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from devportal.contract import Api, Operation
from devportal.errors import InvalidContract
from telecom.problems import Fault, Kind
from telecom.sandbox.database import Database
from telecom.sandbox.exchange import Call, Refused, Reply
from telecom.sandbox.idempotency import InFlight, Use, fingerprint, once, plain_key
from telecom.sandbox.identifiers import RandomBytes, new_id
from telecom.sandbox.messages import QUEUED, AcceptedMessage, add_message
from telecom.segments import Segmentation, segment

MAX_SEGMENTS = 10
"""The most segments a message may take (decision 0007)."""

IDEMPOTENCY_KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What handlers work with; the clock and the randomness are injected here."""

    database: Database
    in_flight: InFlight
    clock: Callable[[], datetime]
    random_bytes: RandomBytes
    settles_after: timedelta


Handler = Callable[[Call, Resources], Reply]


def send_message(call: Call, resources: Resources) -> Reply:
    """Accept a message: count its segments, store it as queued, and plan its outcome."""
    segmentation = segment(call.body["body"])
    if len(segmentation.segments) > MAX_SEGMENTS:
        raise _too_long(segmentation)
    now = resources.clock()
    message = AcceptedMessage(
        id=new_id("msg_", now, resources.random_bytes),
        account=call.grant.account,
        to=call.body["to"],
        channel=call.body["channel"],
        body=call.body["body"],
        segments=len(segmentation.segments),
        accepted_at=now,
        settles_at=now + resources.settles_after,
    )
    reply = Reply(
        status=202, body={"id": message.id, "status": QUEUED, "segments": len(segmentation.segments)}
    )

    def accept(connection: sa.Connection) -> Reply:
        add_message(connection, message)
        return reply

    return _carried_out(call, resources, accept)


HANDLERS: Mapping[str, Handler] = {"sendMessage": send_message}


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


def _carried_out(call: Call, resources: Resources, work: Callable[[sa.Connection], Reply]) -> Reply:
    """Do the work in one transaction, and only once where the call has an idempotency key."""
    key = call.headers.get(IDEMPOTENCY_KEY)
    if key is None:
        with resources.database.write() as connection:
            return work(connection)
    use = Use(
        account=call.grant.account,
        operation=call.operation.id,
        key=plain_key(key),
        fingerprint=fingerprint(call.body),
    )
    with resources.in_flight.claim(use), resources.database.write() as connection:
        return once(connection, use, resources.clock(), lambda: work(connection))


def _too_long(segmentation: Segmentation) -> Refused:
    sentence = (
        f"The text takes {len(segmentation.segments)} segments in {segmentation.encoding.value}, "
        f"and {MAX_SEGMENTS} is the most."
    )
    return Refused(Kind.TOO_MANY_SEGMENTS, sentence, faults=(Fault(detail=sentence, pointer="#/body"),))
