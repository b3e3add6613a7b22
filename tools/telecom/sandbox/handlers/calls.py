"""Calls: start, list and retrieve."""

import sqlalchemy as sa

from telecom.calls import RATE_LIMITED_NUMBER
from telecom.numbers import NumberFeature
from telecom.problems import ErrorDetail, ProblemKind
from telecom.sandbox.api.exchange import OperationRequest, RequestRefused, SuccessResponse, not_found
from telecom.sandbox.api.identifiers import new_id
from telecom.sandbox.api.operations import (
    ExclusiveScope,
    HandlerContext,
    Resource,
    SeedContext,
    run_in_transaction,
)
from telecom.sandbox.api.pagination import created_between, equality_filters, read_page
from telecom.sandbox.stores.call_store import (
    CALLS,
    TIMED_CALLS,
    StartedCall,
    add_call,
    call_document,
    find_call,
    put_ended_call,
)
from telecom.sandbox.stores.number_store import unusable_reason
from telecom.sandbox.stores.pacing import PRODUCTION_THROUGHPUT, begin_call, too_many_calls


def start_call(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Accept a call: check the caller's number, and store the call as queued."""
    if call.body["to"] == RATE_LIMITED_NUMBER:
        raise too_many_calls(PRODUCTION_THROUGHPUT)
    now = context.clock()
    started = StartedCall(
        id=new_id("call_", now, context.random_bytes),
        account=call.grant.account,
        request=call.body,
        created_at=now,
        pace=context.settles_after,
    )

    def accept(connection: sa.Connection) -> SuccessResponse:
        _refuse_unusable_caller(connection, call)
        begin_call(connection, call.grant.account, now, context.throughput_of(call.grant.account))
        add_call(connection, started)
        return SuccessResponse(status=202, body=call_document(_require_call(connection, call, started.id)))

    return run_in_transaction(call, context, accept, exclusive=ExclusiveScope.NOWHERE)


def list_calls(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return a page of the account's calls."""
    filters = {"status": CALLS.c.status, "direction": CALLS.c.direction, "to": CALLS.c.to}
    query = sa.select(CALLS).where(
        CALLS.c.account == call.grant.account,
        *equality_filters(call, filters),
        *created_between(call, CALLS.c.created_at),
    )
    with context.database.read() as connection:
        page = read_page(connection, query, call, at=CALLS.c.created_at, key=CALLS.c.id)
    return SuccessResponse(status=200, body=page.body(call_document))


def retrieve_call(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return a call of the account."""
    with context.database.read() as connection:
        return SuccessResponse(
            status=200, body=call_document(_require_call(connection, call, call.path["call_id"]))
        )


def _require_call(connection: sa.Connection, call: OperationRequest, identifier: str) -> sa.RowMapping:
    row = find_call(connection, call.grant.account, identifier)
    if row is None:
        raise not_found("call", identifier)
    return row


def _refuse_unusable_caller(connection: sa.Connection, call: OperationRequest) -> None:
    sentence = unusable_reason(connection, call.grant.account, call.body["from"], NumberFeature.VOICE)
    if sentence is not None:
        raise RequestRefused(
            ProblemKind.CALLER_NOT_USABLE, sentence, errors=(ErrorDetail(detail=sentence, pointer="#/from"),)
        )


def _seed_calls(connection: sa.Connection, context: SeedContext) -> None:
    """Make the calls of the contract's list example."""
    for page in context.example_bodies("listCalls"):
        for document in page["data"]:
            put_ended_call(connection, context.account, document)


RESOURCE = Resource(
    handlers={"startCall": start_call, "listCalls": list_calls, "retrieveCall": retrieve_call},
    timed=(TIMED_CALLS,),
    seed=_seed_calls,
)
