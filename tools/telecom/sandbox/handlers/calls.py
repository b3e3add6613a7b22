"""Calls: started, moved along in time, read back."""

import sqlalchemy as sa

from telecom.calls import TOO_FAST
from telecom.numbers import NumberFeature
from telecom.problems import Fault, Kind
from telecom.sandbox.calls import (
    CALLS,
    TIMED,
    StartedCall,
    add_call,
    call_document,
    find_call,
    put_ended_call,
)
from telecom.sandbox.exchange import Call, Refused, Reply, missing
from telecom.sandbox.filters import created_between, equal
from telecom.sandbox.identifiers import new_id
from telecom.sandbox.numbers import why_unusable
from telecom.sandbox.operations import Alone, Resources, carried_out
from telecom.sandbox.pacing import IN_PRODUCTION, begin_call, too_many_calls
from telecom.sandbox.pagination import read_page
from telecom.sandbox.resource import Resource, Seeding


def start_call(call: Call, resources: Resources) -> Reply:
    """Accept a call: see whose number it comes from, and store it as queued."""
    if call.body["to"] == TOO_FAST:
        raise too_many_calls(IN_PRODUCTION)
    now = resources.clock()
    started = StartedCall(
        id=new_id("call_", now, resources.random_bytes),
        account=call.grant.account,
        request=call.body,
        created_at=now,
        pace=resources.settles_after,
    )

    def accept(connection: sa.Connection) -> Reply:
        _refuse_strange_caller(connection, call)
        begin_call(connection, call.grant.account, now, resources.throughput_of(call.grant.account))
        add_call(connection, started)
        return Reply(status=202, body=call_document(_found(connection, call, started.id)))

    return carried_out(call, resources, accept, alone=Alone.NOWHERE)


def list_calls(call: Call, resources: Resources) -> Reply:
    """Return a page of the account's calls."""
    filters = {"status": CALLS.c.status, "direction": CALLS.c.direction, "to": CALLS.c.to}
    query = sa.select(CALLS).where(
        CALLS.c.account == call.grant.account,
        *equal(call, filters),
        *created_between(call, CALLS.c.created_at),
    )
    with resources.database.read() as connection:
        page = read_page(connection, query, call, at=CALLS.c.created_at, key=CALLS.c.id)
    return Reply(status=200, body=page.body(call_document))


def retrieve_call(call: Call, resources: Resources) -> Reply:
    """Return a call of the account."""
    with resources.database.read() as connection:
        return Reply(status=200, body=call_document(_found(connection, call, call.path["call_id"])))


def _found(connection: sa.Connection, call: Call, identifier: str) -> sa.RowMapping:
    row = find_call(connection, call.grant.account, identifier)
    if row is None:
        raise missing("call", identifier)
    return row


def _refuse_strange_caller(connection: sa.Connection, call: Call) -> None:
    sentence = why_unusable(connection, call.grant.account, call.body["from"], NumberFeature.VOICE)
    if sentence is not None:
        raise Refused(Kind.CALLER_NOT_USABLE, sentence, faults=(Fault(detail=sentence, pointer="#/from"),))


def _seed(connection: sa.Connection, seeding: Seeding) -> None:
    """Make the calls that the contract shows in its list."""
    for page in seeding.shown("listCalls"):
        for document in page["data"]:
            put_ended_call(connection, seeding.account, document)


RESOURCE = Resource(
    handlers={"startCall": start_call, "listCalls": list_calls, "retrieveCall": retrieve_call},
    timed=(TIMED,),
    seed=_seed,
)
