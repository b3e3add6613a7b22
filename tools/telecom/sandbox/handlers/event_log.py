"""The event log: events with their deliveries, and replays."""

import sqlalchemy as sa

from telecom.problems import ErrorDetail, ProblemKind
from telecom.sandbox.api.exchange import OperationRequest, RequestRefused, SuccessResponse, not_found
from telecom.sandbox.api.operations import HandlerContext, Resource, SeedContext, run_in_transaction
from telecom.sandbox.api.pagination import read_page
from telecom.sandbox.database.tables import EVENTS
from telecom.sandbox.delivery import deliveries, endpoint_store, event_log_store


def list_events(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return a page of the account's events that match the filters."""
    query = event_log_store.events_query(call)
    with context.database.read() as connection:
        page = read_page(connection, query, call, at=EVENTS.c.created_at, key=EVENTS.c.id)
        identifiers = [row["id"] for row in page.rows]
        deliveries_by_event = deliveries.deliveries_of(connection, call.grant.account, identifiers)
    return SuccessResponse(
        status=200,
        body=page.body(lambda row: event_log_store.event_summary(row, deliveries_by_event[row["id"]])),
    )


def retrieve_event(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return one event of the account, with its payload and its attempts."""
    with context.database.read() as connection:
        return SuccessResponse(
            status=200, body=event_log_store.event_document(connection, _require_event(connection, call))
        )


def replay_event(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Replay an event to one endpoint or to all that subscribe to it."""
    now = context.clock()

    def replay(connection: sa.Connection) -> SuccessResponse:
        row = _require_event(connection, call)
        endpoint_id = call.body.get("webhook_endpoint_id")
        if (
            endpoint_id is not None
            and endpoint_store.find_endpoint(connection, row["account"], endpoint_id) is None
        ):
            raise _unknown_endpoint(endpoint_id)
        if not event_log_store.replay_deliveries(connection, row, endpoint_id, context.machines, now):
            raise RequestRefused(
                ProblemKind.NO_WEBHOOK_ENDPOINT,
                f"No enabled endpoint of your account is subscribed to {row['type']}. "
                "Name an endpoint to send the event there.",
            )
        return SuccessResponse(status=202, body=event_log_store.event_document(connection, row))

    return run_in_transaction(call, context, replay)


def _unknown_endpoint(endpoint_id: str) -> RequestRefused:
    detail = f"Your account has no webhook endpoint {endpoint_id!r}."
    error = ErrorDetail(detail=detail, pointer="#/webhook_endpoint_id")
    return RequestRefused(ProblemKind.UNKNOWN_WEBHOOK_ENDPOINT, detail, errors=(error,))


def _require_event(connection: sa.Connection, call: OperationRequest) -> sa.RowMapping:
    row = event_log_store.find_event(connection, call.grant.account, call.path["event_id"])
    if row is None:
        raise not_found("event", call.path["event_id"])
    return row


def _seed_events(connection: sa.Connection, context: SeedContext) -> None:
    """Make the events of the contract's examples."""
    for example in context.example_bodies("retrieveEvent"):
        event_log_store.restore_event(connection, context.account, example)


RESOURCE = Resource(
    handlers={"listEvents": list_events, "retrieveEvent": retrieve_event, "replayEvent": replay_event},
    seed=_seed_events,
)
