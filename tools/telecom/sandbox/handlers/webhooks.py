"""Webhook endpoints: created with a secret that is shown once, changed, rotated, tested, deleted."""

from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa

from telecom.problems import Fault, Kind
from telecom.sandbox import deliveries, endpoints, event_log
from telecom.sandbox.endpoints import BOTH_SIGN_FOR, MOST_PER_ACCOUNT, DisabledReason, Endpoint
from telecom.sandbox.exchange import Call, Refused, Reply, missing
from telecom.sandbox.idempotency import forget_answers
from telecom.sandbox.identifiers import RandomBytes, new_id
from telecom.sandbox.operations import Alone, Resources, carried_out, writing
from telecom.sandbox.outbox import Event, add_event_for
from telecom.sandbox.pagination import read_page
from telecom.sandbox.receiver import Reach, why_forbidden
from telecom.sandbox.resource import Resource, Seeding
from telecom.signature import Secret

_SECRET_BYTES = 32
_HOW_TO_REACH_OTHERS = " Start it with --public-webhooks to deliver to public addresses."


def create_endpoint(call: Call, resources: Resources) -> Reply:
    """Store a new endpoint, and show its secret."""
    _refuse_forbidden(call, resources)
    now = resources.clock()
    endpoint = Endpoint(
        account=call.grant.account,
        id=new_id("we_", now, resources.random_bytes),
        url=call.body["url"],
        event_types=tuple(call.body["event_types"]),
        description=call.body.get("description"),
        disabled_reason=None if call.body.get("enabled", True) else DisabledReason.REQUESTED,
        secret=_new_secret(resources.random_bytes),
        created_at=now,
        updated_at=now,
    )

    def accept(connection: sa.Connection) -> Reply:
        if endpoints.count(connection, endpoint.account) >= MOST_PER_ACCOUNT:
            raise Refused(
                Kind.TOO_MANY_WEBHOOK_ENDPOINTS,
                f"Your account has {MOST_PER_ACCOUNT} webhook endpoints, and {MOST_PER_ACCOUNT} is the most.",
            )
        endpoints.store(connection, endpoint)
        return Reply(status=201, body=endpoint.document_with_secret(now))

    return carried_out(call, resources, accept)


def list_endpoints(call: Call, resources: Resources) -> Reply:
    """Return a page of the account's endpoints."""
    table, now = endpoints.ENDPOINTS, resources.clock()
    query = sa.select(table).where(table.c.account == call.grant.account)
    with resources.database.read() as connection:
        page = read_page(connection, query, call, at=table.c.created_at, key=table.c.id)
        body = page.body(lambda row: endpoints.read_endpoint(connection, row).document(now))
    return Reply(status=200, body=body)


def retrieve_endpoint(call: Call, resources: Resources) -> Reply:
    """Return one endpoint of the account."""
    with resources.database.read() as connection:
        return Reply(status=200, body=_found(connection, call).document(resources.clock()))


def update_endpoint(call: Call, resources: Resources) -> Reply:
    """Change the members that were sent; what is still to be sent to an endpoint turned off is skipped."""
    _refuse_forbidden(call, resources)
    now = resources.clock()
    with writing(call, resources, Alone.IN_ACCOUNT) as connection:
        before = _found(connection, call)
        after = _changed(before, call, now)
        endpoints.store(connection, after)
        if before.enabled and not after.enabled:
            deliveries.skip_pending(connection, after.account, after.id, resources.machines)
    return Reply(status=200, body=after.document(now))


def delete_endpoint(call: Call, resources: Resources) -> Reply:
    """Delete an endpoint with its secrets; what was sent to it stays in the event log."""
    with writing(call, resources, Alone.IN_ACCOUNT) as connection:
        endpoint = _found(connection, call)
        endpoints.remove(connection, endpoint)  # first: a worker that writes for it just now is waited for
        deliveries.skip_pending(connection, endpoint.account, endpoint.id, resources.machines)
        forget_answers(connection, endpoint.account, endpoint.id)
    return Reply(status=204)


def rotate_secret(call: Call, resources: Resources) -> Reply:
    """Give an endpoint a new secret, and let the one before sign for a while longer."""
    now, secret = resources.clock(), _new_secret(resources.random_bytes)

    def rotate(connection: sa.Connection) -> Reply:
        before = _found(connection, call)
        after = replace(
            before,
            secret=secret,
            previous_secret=before.secret,
            previous_expires_at=now + BOTH_SIGN_FOR,
            updated_at=now,
        )
        endpoints.store(connection, after)
        forget_answers(connection, after.account, after.id)
        return Reply(status=200, body=after.document_with_secret(now))

    return carried_out(call, resources, rotate)


def send_test_event(call: Call, resources: Resources) -> Reply:
    """Write an event for one endpoint only."""
    moment = resources.moment()

    def test(connection: sa.Connection) -> Reply:
        endpoint = _found(connection, call)
        event = Event(
            type=endpoints.TEST_EVENT_TYPE,
            account=endpoint.account,
            subject=endpoint.id,
            at=moment.now,
            data={"webhook_endpoint_id": endpoint.id},
        )
        event_id = add_event_for(connection, event, endpoint, moment)
        return Reply(status=202, body=event_log.shown(connection, endpoint.account, event_id))

    return carried_out(call, resources, test)


def _found(connection: sa.Connection, call: Call) -> Endpoint:
    endpoint_id = call.path["webhook_endpoint_id"]
    endpoint = endpoints.find(connection, call.grant.account, endpoint_id)
    if endpoint is None:
        raise missing("webhook endpoint", endpoint_id)
    return endpoint


def _changed(before: Endpoint, call: Call, now: datetime) -> Endpoint:
    after = replace(
        before,
        url=call.body.get("url", before.url),
        event_types=tuple(call.body.get("event_types", before.event_types)),
        description=call.body.get("description", before.description),
        updated_at=now,
    )
    if call.body.get("enabled", before.enabled) == before.enabled:
        return after
    return replace(after, disabled_reason=DisabledReason.REQUESTED if before.enabled else None)


def _refuse_forbidden(call: Call, resources: Resources) -> None:
    """Raise Refused (403) where webhooks may not go to the address in the body, if there is one."""
    url = call.body.get("url")
    reason = why_forbidden(url, resources.webhook_reach) if url is not None else None
    if reason is not None:
        more = "" if Reach.PUBLIC in resources.webhook_reach else _HOW_TO_REACH_OTHERS
        sentence = f"{reason[0].upper()}{reason[1:]}.{more}"
        fault = Fault(detail=sentence, pointer="#/url")
        raise Refused(Kind.WEBHOOK_URL_FORBIDDEN, sentence, faults=(fault,))


def _new_secret(random_bytes: RandomBytes) -> Secret:
    return Secret(random_bytes(_SECRET_BYTES))


def _seed(connection: sa.Connection, seeding: Seeding) -> None:
    """Make the endpoints of the contract's list that are turned off.

    One that is on would get the events of whoever tries the sandbox, beside the receiver of their own.
    """
    for page in seeding.shown("listWebhookEndpoints"):
        for shown in page["data"]:
            if shown["enabled"]:
                continue
            endpoint = Endpoint(
                account=seeding.account,
                id=shown["id"],
                url=shown["url"],
                event_types=tuple(shown["event_types"]),
                description=shown["description"],
                disabled_reason=DisabledReason(shown["disabled_reason"]),
                secret=_new_secret(seeding.random_bytes),
                created_at=datetime.fromisoformat(shown["created_at"]),
                updated_at=datetime.fromisoformat(shown["updated_at"]),
            )
            endpoints.store(connection, endpoint)


RESOURCE = Resource(
    handlers={
        "createWebhookEndpoint": create_endpoint,
        "listWebhookEndpoints": list_endpoints,
        "retrieveWebhookEndpoint": retrieve_endpoint,
        "updateWebhookEndpoint": update_endpoint,
        "deleteWebhookEndpoint": delete_endpoint,
        "rotateWebhookSecret": rotate_secret,
        "sendTestEvent": send_test_event,
    },
    seed=_seed,
)
