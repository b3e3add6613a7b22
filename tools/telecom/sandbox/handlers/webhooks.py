"""Webhook endpoints: create with a secret that is shown once, change, rotate, test and delete."""

from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa

from devportal.serving.receivers import Reach, forbidden_reason
from telecom.problems import ErrorDetail, ProblemKind
from telecom.sandbox.api.exchange import OperationRequest, RequestRefused, SuccessResponse, not_found
from telecom.sandbox.api.idempotency import delete_responses
from telecom.sandbox.api.identifiers import RandomBytes, new_id
from telecom.sandbox.api.operations import (
    ExclusiveScope,
    HandlerContext,
    Resource,
    SeedContext,
    run_in_transaction,
    write_transaction,
)
from telecom.sandbox.api.pagination import read_page
from telecom.sandbox.delivery import deliveries, endpoint_store, event_log_store
from telecom.sandbox.delivery.delivery_queue import Event, add_event_for
from telecom.sandbox.delivery.endpoint_store import MAX_ENDPOINTS, ROTATION_OVERLAP, DisabledReason, Endpoint
from telecom.signature import Secret

_SECRET_BYTES = 32
_PUBLIC_WEBHOOKS_HINT = " Start it with --public-webhooks to deliver to public addresses."


def create_endpoint(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Create an endpoint, and return its secret."""
    _refuse_forbidden_url(call, context)
    now = context.clock()
    endpoint = Endpoint(
        account=call.grant.account,
        id=new_id("we_", now, context.random_bytes),
        url=call.body["url"],
        event_types=tuple(call.body["event_types"]),
        description=call.body.get("description"),
        disabled_reason=None if call.body.get("enabled", True) else DisabledReason.REQUESTED,
        secret=_new_secret(context.random_bytes),
        created_at=now,
        updated_at=now,
    )

    def accept(connection: sa.Connection) -> SuccessResponse:
        if endpoint_store.count_endpoints(connection, endpoint.account) >= MAX_ENDPOINTS:
            raise RequestRefused(
                ProblemKind.TOO_MANY_WEBHOOK_ENDPOINTS,
                f"Your account has {MAX_ENDPOINTS} webhook endpoints, the maximum.",
            )
        endpoint_store.store_endpoint(connection, endpoint)
        return SuccessResponse(status=201, body=endpoint.document_with_secret(now))

    return run_in_transaction(call, context, accept)


def list_endpoints(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return a page of the account's endpoints."""
    table, now = endpoint_store.ENDPOINTS, context.clock()
    query = sa.select(table).where(table.c.account == call.grant.account)
    with context.database.read() as connection:
        page = read_page(connection, query, call, at=table.c.created_at, key=table.c.id)
        body = page.body(lambda row: endpoint_store.read_endpoint(connection, row).document(now))
    return SuccessResponse(status=200, body=body)


def retrieve_endpoint(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return one endpoint of the account."""
    with context.database.read() as connection:
        return SuccessResponse(status=200, body=_require_endpoint(connection, call).document(context.clock()))


def update_endpoint(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Change the given members; pending deliveries to an endpoint that is disabled are skipped."""
    _refuse_forbidden_url(call, context)
    now = context.clock()
    with write_transaction(call, context, ExclusiveScope.IN_ACCOUNT) as connection:
        before = _require_endpoint(connection, call)
        after = _apply_update(before, call, now)
        endpoint_store.store_endpoint(connection, after)
        if before.enabled and not after.enabled:
            deliveries.skip_pending(connection, after.account, after.id, context.machines)
    return SuccessResponse(status=200, body=after.document(now))


def delete_endpoint(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Delete an endpoint with its secrets; its events stay in the event log."""
    with write_transaction(call, context, ExclusiveScope.IN_ACCOUNT) as connection:
        endpoint = _require_endpoint(connection, call)
        endpoint_store.remove_endpoint(
            connection, endpoint
        )  # first: a worker that writes for it just now is waited for
        deliveries.skip_pending(connection, endpoint.account, endpoint.id, context.machines)
        delete_responses(connection, endpoint.account, endpoint.id)
    return SuccessResponse(status=204)


def rotate_secret(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Give an endpoint a new secret; the previous one also signs for a while."""
    now, secret = context.clock(), _new_secret(context.random_bytes)

    def rotate(connection: sa.Connection) -> SuccessResponse:
        before = _require_endpoint(connection, call)
        after = replace(
            before,
            secret=secret,
            previous_secret=before.secret,
            previous_expires_at=now + ROTATION_OVERLAP,
            updated_at=now,
        )
        endpoint_store.store_endpoint(connection, after)
        delete_responses(connection, after.account, after.id)
        return SuccessResponse(status=200, body=after.document_with_secret(now))

    return run_in_transaction(call, context, rotate)


def send_test_event(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Store a test event for one endpoint only."""
    advance_context = context.advance_context()

    def test(connection: sa.Connection) -> SuccessResponse:
        endpoint = _require_endpoint(connection, call)
        event = Event(
            type=endpoint_store.TEST_EVENT_TYPE,
            account=endpoint.account,
            subject=endpoint.id,
            at=advance_context.now,
            data={"webhook_endpoint_id": endpoint.id},
        )
        event_id = add_event_for(connection, event, endpoint, advance_context)
        return SuccessResponse(
            status=202, body=event_log_store.read_event_document(connection, endpoint.account, event_id)
        )

    return run_in_transaction(call, context, test)


def _require_endpoint(connection: sa.Connection, call: OperationRequest) -> Endpoint:
    endpoint_id = call.path["webhook_endpoint_id"]
    endpoint = endpoint_store.find_endpoint(connection, call.grant.account, endpoint_id)
    if endpoint is None:
        raise not_found("webhook endpoint", endpoint_id)
    return endpoint


def _apply_update(endpoint: Endpoint, call: OperationRequest, now: datetime) -> Endpoint:
    updated = replace(
        endpoint,
        url=call.body.get("url", endpoint.url),
        event_types=tuple(call.body.get("event_types", endpoint.event_types)),
        description=call.body.get("description", endpoint.description),
        updated_at=now,
    )
    if call.body.get("enabled", endpoint.enabled) == endpoint.enabled:
        return updated
    return replace(updated, disabled_reason=DisabledReason.REQUESTED if endpoint.enabled else None)


def _refuse_forbidden_url(call: OperationRequest, context: HandlerContext) -> None:
    """Raise RequestRefused (403) if webhooks may not go to the address in the body, if there is one."""
    url = call.body.get("url")
    reason = forbidden_reason(url, context.webhook_reach) if url is not None else None
    if reason is not None:
        hint = _PUBLIC_WEBHOOKS_HINT if forbidden_reason(url, Reach.PUBLIC) is None else ""
        sentence = f"{reason[0].upper()}{reason[1:]}.{hint}"
        error = ErrorDetail(detail=sentence, pointer="#/url")
        raise RequestRefused(ProblemKind.WEBHOOK_URL_FORBIDDEN, sentence, errors=(error,))


def _new_secret(random_bytes: RandomBytes) -> Secret:
    return Secret(random_bytes(_SECRET_BYTES))


def _seed_endpoints(connection: sa.Connection, context: SeedContext) -> None:
    """Make the disabled endpoints of the contract's list example.

    An enabled one would get the events of everybody who tries the sandbox, next to their own receiver.
    """
    for page in context.example_bodies("listWebhookEndpoints"):
        for example in page["data"]:
            if example["enabled"]:
                continue
            endpoint = Endpoint(
                account=context.account,
                id=example["id"],
                url=example["url"],
                event_types=tuple(example["event_types"]),
                description=example["description"],
                disabled_reason=DisabledReason(example["disabled_reason"]),
                secret=_new_secret(context.random_bytes),
                created_at=datetime.fromisoformat(example["created_at"]),
                updated_at=datetime.fromisoformat(example["updated_at"]),
            )
            endpoint_store.store_endpoint(connection, endpoint)


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
    seed=_seed_endpoints,
)
