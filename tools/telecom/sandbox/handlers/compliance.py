"""Brands and campaigns: register and retrieve."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from telecom.compliance import RegistrationDecision, RegistrationStatus, decide_brand, decide_campaign
from telecom.problems import ErrorDetail, ProblemKind
from telecom.sandbox.api.exchange import OperationRequest, RequestRefused, SuccessResponse, not_found
from telecom.sandbox.api.identifiers import new_id
from telecom.sandbox.api.operations import HandlerContext, Resource, SeedContext, run_in_transaction
from telecom.sandbox.stores.compliance_store import (
    BRANDS,
    CAMPAIGNS,
    Registration,
    brand_document,
    campaign_document,
    find_registration,
    not_approved_reason,
    store_registration,
    timed_brands,
    timed_campaigns,
)

_SUSPENDED_AFTER = timedelta(seconds=5)
"""Long enough to get a campaign approved and to send with it."""
_DECISION_FIELDS = ("id", "status", "score", "rejection_reason", "created_at", "decided_at")
"""The members that come with the decision, not with the registration."""


def register_brand(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Store a brand as pending; only the end of its tax identifier is stored."""
    now = context.clock()
    registered = {name: value for name, value in call.body.items() if name != "tax_id"}
    registered["tax_id_last4"] = call.body["tax_id"][-4:]
    brand = Registration(
        id=new_id("brd_", now, context.random_bytes),
        account=call.grant.account,
        registered=registered,
        decision=decide_brand(tax_id=call.body["tax_id"], website=registered["website"]),
        created_at=now,
        due_at=now + context.settles_after,
    )

    def accept(connection: sa.Connection) -> SuccessResponse:
        store_registration(connection, BRANDS, brand)
        return SuccessResponse(
            status=202, body=brand_document(_require_registration(connection, BRANDS, call, brand.id))
        )

    return run_in_transaction(call, context, accept)


def retrieve_brand(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return a brand of the account."""
    with context.database.read() as connection:
        return SuccessResponse(
            status=200,
            body=brand_document(_require_registration(connection, BRANDS, call, call.path["brand_id"])),
        )


def register_campaign(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Store a campaign of an approved brand as pending."""
    now = context.clock()
    campaign = Registration(
        id=new_id("cmp_", now, context.random_bytes),
        account=call.grant.account,
        registered=call.body,
        decision=decide_campaign(
            sample_messages=call.body["sample_messages"], help_message=call.body["help_message"]
        ),
        created_at=now,
        due_at=now + context.settles_after,
    )

    def accept(connection: sa.Connection) -> SuccessResponse:
        _refuse_unapproved_brand(connection, call)
        store_registration(connection, CAMPAIGNS, campaign)
        return SuccessResponse(
            status=202,
            body=campaign_document(_require_registration(connection, CAMPAIGNS, call, campaign.id)),
        )

    return run_in_transaction(call, context, accept)


def retrieve_campaign(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return a campaign of the account."""
    with context.database.read() as connection:
        row = _require_registration(connection, CAMPAIGNS, call, call.path["campaign_id"])
        return SuccessResponse(status=200, body=campaign_document(row))


def _require_registration(
    connection: sa.Connection, table: sa.Table, call: OperationRequest, identifier: str
) -> sa.RowMapping:
    row = find_registration(connection, table, call.grant.account, identifier)
    if row is None:
        raise not_found(table.name[:-1], identifier)
    return row


def _refuse_unapproved_brand(connection: sa.Connection, call: OperationRequest) -> None:
    brand_id = call.body["brand_id"]
    reason = not_approved_reason(connection, BRANDS, call.grant.account, brand_id)
    if reason is not None:
        raise RequestRefused(
            ProblemKind.BRAND_NOT_APPROVED,
            f"The brand {brand_id!r} {reason}, and a campaign needs an approved one.",
            errors=(ErrorDetail(detail=f"This brand {reason}.", pointer="#/brand_id"),),
        )


def _seed_registrations(connection: sa.Connection, context: SeedContext) -> None:
    """Make the brands and campaigns of the contract's examples."""
    for table, operation in ((BRANDS, "retrieveBrand"), (CAMPAIGNS, "retrieveCampaign")):
        for example in context.example_bodies(operation):
            store_registration(connection, table, _registration_from_example(example, context.account))


def _registration_from_example(example: Mapping[str, Any], account: str) -> Registration:
    status = RegistrationStatus(example["status"])
    return Registration(
        id=example["id"],
        account=account,
        registered={name: value for name, value in example.items() if name not in _DECISION_FIELDS},
        decision=RegistrationDecision(status=status, reason=example["rejection_reason"]),
        created_at=datetime.fromisoformat(example["created_at"]),
        due_at=None,
        status=status,
        decided_at=datetime.fromisoformat(example["decided_at"]),
    )


RESOURCE = Resource(
    handlers={
        "registerBrand": register_brand,
        "retrieveBrand": retrieve_brand,
        "registerCampaign": register_campaign,
        "retrieveCampaign": retrieve_campaign,
    },
    timed=(timed_brands(_SUSPENDED_AFTER), timed_campaigns()),
    seed=_seed_registrations,
)
