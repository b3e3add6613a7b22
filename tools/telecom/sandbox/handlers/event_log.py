"""The event log: events with their deliveries, and sending one again."""

import sqlalchemy as sa

from telecom.problems import Fault, Kind
from telecom.sandbox import deliveries, endpoints, event_log
from telecom.sandbox.exchange import Call, Refused, Reply, missing
from telecom.sandbox.operations import Resources, carried_out
from telecom.sandbox.pagination import read_page
from telecom.sandbox.resource import Resource, Seeding
from telecom.sandbox.tables import EVENTS


def list_events(call: Call, resources: Resources) -> Reply:
    """Return a page of the account's events that fit the filters."""
    query = event_log.events_asked_for(call)
    with resources.database.read() as connection:
        page = read_page(connection, query, call, at=EVENTS.c.created_at, key=EVENTS.c.id)
        identifiers = [row["id"] for row in page.rows]
        found = deliveries.deliveries_of(connection, call.grant.account, identifiers)
    return Reply(status=200, body=page.body(lambda row: event_log.summary(row, found[row["id"]])))


def retrieve_event(call: Call, resources: Resources) -> Reply:
    """Return one event of the account, with its payload and its attempts."""
    with resources.database.read() as connection:
        return Reply(status=200, body=event_log.document(connection, _found(connection, call)))


def replay_event(call: Call, resources: Resources) -> Reply:
    """Let an event go again, to one endpoint or to all that want it."""
    now = resources.clock()

    def again(connection: sa.Connection) -> Reply:
        row = _found(connection, call)
        endpoint_id = call.body.get("webhook_endpoint_id")
        if endpoint_id is not None and endpoints.find(connection, row["account"], endpoint_id) is None:
            raise _unknown_endpoint(endpoint_id)
        if not event_log.replay(connection, row, endpoint_id, resources.machines, now):
            raise Refused(
                Kind.NO_WEBHOOK_ENDPOINT,
                f"No endpoint of your account is on and wants {row['type']}. Name one to send it there.",
            )
        return Reply(status=202, body=event_log.document(connection, row))

    return carried_out(call, resources, again)


def _unknown_endpoint(endpoint_id: str) -> Refused:
    said = f"Your account has no webhook endpoint {endpoint_id!r}."
    fault = Fault(detail=said, pointer="#/webhook_endpoint_id")
    return Refused(Kind.UNKNOWN_WEBHOOK_ENDPOINT, said, faults=(fault,))


def _found(connection: sa.Connection, call: Call) -> sa.RowMapping:
    row = event_log.find(connection, call.grant.account, call.path["event_id"])
    if row is None:
        raise missing("event", call.path["event_id"])
    return row


def _seed(connection: sa.Connection, seeding: Seeding) -> None:
    """Make the events that the contract shows where it retrieves one."""
    for shown in seeding.shown("retrieveEvent"):
        event_log.restore(connection, seeding.account, shown)


RESOURCE = Resource(
    handlers={"listEvents": list_events, "retrieveEvent": retrieve_event, "replayEvent": replay_event},
    seed=_seed,
)
