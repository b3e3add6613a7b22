"""Brands and campaigns: registered, decided on in time, read back."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from telecom.compliance import Decision, RegistrationStatus, decide_brand, decide_campaign
from telecom.problems import Fault, Kind
from telecom.sandbox.compliance import (
    BRANDS,
    CAMPAIGNS,
    Registration,
    brand_document,
    campaign_document,
    find,
    register,
    timed_brands,
    timed_campaigns,
    why_not_approved,
)
from telecom.sandbox.exchange import Call, Refused, Reply, missing
from telecom.sandbox.identifiers import new_id
from telecom.sandbox.operations import Resources, carried_out
from telecom.sandbox.resource import Resource, Seeding

_SUSPENDED_AFTER = timedelta(seconds=5)
"""Long enough to have a campaign approved and to send with it."""
_DECIDED = ("id", "status", "score", "rejection_reason", "created_at", "decided_at")
"""The members that are not registered but come with the decision."""


def register_brand(call: Call, resources: Resources) -> Reply:
    """Take a brand down as pending; only the end of its tax identifier is kept."""
    now = resources.clock()
    registered = {name: value for name, value in call.body.items() if name != "tax_id"}
    registered["tax_id_last4"] = call.body["tax_id"][-4:]
    brand = Registration(
        id=new_id("brd_", now, resources.random_bytes),
        account=call.grant.account,
        registered=registered,
        decision=decide_brand(tax_id=call.body["tax_id"], website=registered["website"]),
        created_at=now,
        due_at=now + resources.settles_after,
    )

    def accept(connection: sa.Connection) -> Reply:
        register(connection, BRANDS, brand)
        return Reply(status=202, body=brand_document(_found(connection, BRANDS, call, brand.id)))

    return carried_out(call, resources, accept)


def retrieve_brand(call: Call, resources: Resources) -> Reply:
    """Return a brand of the account."""
    with resources.database.read() as connection:
        return Reply(status=200, body=brand_document(_found(connection, BRANDS, call, call.path["brand_id"])))


def register_campaign(call: Call, resources: Resources) -> Reply:
    """Take a campaign of an approved brand down as pending."""
    now = resources.clock()
    campaign = Registration(
        id=new_id("cmp_", now, resources.random_bytes),
        account=call.grant.account,
        registered=call.body,
        decision=decide_campaign(
            sample_messages=call.body["sample_messages"], help_message=call.body["help_message"]
        ),
        created_at=now,
        due_at=now + resources.settles_after,
    )

    def accept(connection: sa.Connection) -> Reply:
        _refuse_unapproved(connection, call)
        register(connection, CAMPAIGNS, campaign)
        return Reply(status=202, body=campaign_document(_found(connection, CAMPAIGNS, call, campaign.id)))

    return carried_out(call, resources, accept)


def retrieve_campaign(call: Call, resources: Resources) -> Reply:
    """Return a campaign of the account."""
    with resources.database.read() as connection:
        row = _found(connection, CAMPAIGNS, call, call.path["campaign_id"])
        return Reply(status=200, body=campaign_document(row))


def _found(connection: sa.Connection, table: sa.Table, call: Call, identifier: str) -> sa.RowMapping:
    row = find(connection, table, call.grant.account, identifier)
    if row is None:
        raise missing(table.name[:-1], identifier)
    return row


def _refuse_unapproved(connection: sa.Connection, call: Call) -> None:
    brand_id = call.body["brand_id"]
    said = why_not_approved(connection, BRANDS, call.grant.account, brand_id)
    if said is not None:
        raise Refused(
            Kind.BRAND_NOT_APPROVED,
            f"The brand {brand_id!r} {said}, and a campaign needs an approved one.",
            faults=(Fault(detail=f"This brand {said}.", pointer="#/brand_id"),),
        )


def _seed(connection: sa.Connection, seeding: Seeding) -> None:
    """Make the brands and campaigns that the contract shows where it retrieves one."""
    for table, operation in ((BRANDS, "retrieveBrand"), (CAMPAIGNS, "retrieveCampaign")):
        for shown in seeding.shown(operation):
            register(connection, table, _as_shown(shown, seeding.account))


def _as_shown(shown: Mapping[str, Any], account: str) -> Registration:
    status = RegistrationStatus(shown["status"])
    return Registration(
        id=shown["id"],
        account=account,
        registered={name: value for name, value in shown.items() if name not in _DECIDED},
        decision=Decision(status=status, reason=shown["rejection_reason"]),
        created_at=datetime.fromisoformat(shown["created_at"]),
        due_at=None,
        status=status,
        decided_at=datetime.fromisoformat(shown["decided_at"]),
    )


RESOURCE = Resource(
    handlers={
        "registerBrand": register_brand,
        "retrieveBrand": retrieve_brand,
        "registerCampaign": register_campaign,
        "retrieveCampaign": retrieve_campaign,
    },
    timed=(timed_brands(_SUSPENDED_AFTER), timed_campaigns()),
    seed=_seed,
)
