"""Rate administration: the review of rate versions, and its audit log."""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from telecom.problems import ProblemKind
from telecom.sandbox.api.exchange import OperationRequest, RequestRefused, SuccessResponse
from telecom.sandbox.api.identifiers import new_id
from telecom.sandbox.api.operations import (
    ExclusiveScope,
    Handler,
    HandlerContext,
    Resource,
    SeedContext,
    run_in_transaction,
    write_transaction,
)
from telecom.sandbox.api.pagination import created_between, equality_filters, read_page
from telecom.sandbox.stores.audit_trail import AUDIT, entry_json
from telecom.sandbox.stores.rate_review import RateReview
from telecom.sandbox.stores.rate_seeds import import_rates, make_rate_samples
from telecom.sandbox.stores.rate_versions import RATE_VERSIONS, find_version, read_version_json, version_json

_ID = "rate_version_id"


def draft_rate_version(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Create a draft."""

    def draft(connection: sa.Connection) -> SuccessResponse:
        review = _review(connection, call, context)
        version_id = new_id("rv_", review.now, context.random_bytes)
        review.draft(version_id, call.body["rate_id"], call.body)
        return SuccessResponse(status=201, body=read_version_json(connection, version_id))

    return run_in_transaction(call, context, draft, exclusive=ExclusiveScope.IN_ALL)


def list_rate_versions(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return versions in every state, newest first."""
    query = sa.select(RATE_VERSIONS)
    table = RATE_VERSIONS.c
    filters = equality_filters(
        call, {"status": table.status, "rate_id": table.rate_id, "country": table.country}
    )
    query = query.where(*filters, *created_between(call, table.created_at))
    with context.database.read() as connection:
        page = read_page(connection, query, call, at=RATE_VERSIONS.c.created_at, key=RATE_VERSIONS.c.id)
    return SuccessResponse(status=200, body=page.body(version_json))


def retrieve_rate_version(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return one version; raises RequestRefused (404) if there is none."""
    with context.database.read() as connection:
        if find_version(connection, call.path[_ID]) is None:
            raise RequestRefused(ProblemKind.NOT_FOUND, f"There is no rate version {call.path[_ID]!r}.")
        return SuccessResponse(status=200, body=read_version_json(connection, call.path[_ID]))


def list_audit_log(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return entries, newest first, each with the version it is about."""
    query = sa.select(AUDIT, RATE_VERSIONS.c.id.label("rate_version_id")).join(
        RATE_VERSIONS, RATE_VERSIONS.c.record == AUDIT.c.record
    )
    filters = equality_filters(
        call, {"actor": AUDIT.c.actor, "action": AUDIT.c.action, _ID: RATE_VERSIONS.c.id}
    )
    query = query.where(*filters, *created_between(call, AUDIT.c.at))
    with context.database.read() as connection:
        page = read_page(connection, query, call, at=AUDIT.c.at, key=AUDIT.c.id)
    return SuccessResponse(status=200, body=page.body(entry_json))


def _step_handler(step: Callable[[RateReview, str, Any], None]) -> Handler:
    """Return the handler of a review step, which takes the version's identifier and the request's body."""

    def handler(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
        version_id = call.path[_ID]
        with write_transaction(call, context, ExclusiveScope.IN_ALL) as connection:
            step(_review(connection, call, context), version_id, call.body)
            return SuccessResponse(status=200, body=read_version_json(connection, version_id))

    return handler


def _review(connection: sa.Connection, call: OperationRequest, context: HandlerContext) -> RateReview:
    return RateReview(
        connection=connection,
        machines=context.machines,
        actor=call.grant.actor,
        now=context.clock(),
    )


def _seed_rate_versions(connection: sa.Connection, context: SeedContext) -> None:
    """Start with the price list of the project, and with the versions of the contract's examples."""
    import_rates(connection, context.catalog)
    make_rate_samples(connection, context)


RESOURCE = Resource(
    handlers={
        "draftRateVersion": draft_rate_version,
        "listRateVersions": list_rate_versions,
        "retrieveRateVersion": retrieve_rate_version,
        "reviseRateVersion": _step_handler(lambda review, text, body: review.revise(text, body)),
        "submitRateVersion": _step_handler(lambda review, text, _: review.submit(text)),
        "approveRateVersion": _step_handler(
            lambda review, text, body: review.approve(
                text, body["reason"], read_sha256=body["content_sha256"]
            )
        ),
        "rejectRateVersion": _step_handler(lambda review, text, body: review.reject(text, body["reason"])),
        "activateRateVersion": _step_handler(lambda review, text, _: review.activate(text)),
        "withdrawRateVersion": _step_handler(
            lambda review, text, body: review.withdraw(text, body["reason"])
        ),
        "listAuditLog": list_audit_log,
    },
    seed=_seed_rate_versions,
)
