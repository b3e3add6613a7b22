"""Brands and campaigns in the database: registered as pending, decided later."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import sqlalchemy as sa

from telecom.compliance import BRAND_SCORE, CampaignRefusal, RegistrationDecision, RegistrationStatus
from telecom.sandbox.database.tables import METADATA, UtcTime
from telecom.sandbox.stores.scheduled_work import AdvanceContext, TimedKind, TimedResource
from telecom.times import format_rfc3339

_BATCH_SIZE = 100


def _registration_table(name: str, *columns: sa.Column[Any] | sa.Index) -> sa.Table:
    return sa.Table(
        name,
        METADATA,
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        *columns,
        sa.Column("registered", sa.Text, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("decision", sa.String(16), nullable=False),
        sa.Column("reason", sa.String(64)),
        sa.Column("later", sa.String(16)),
        sa.Column("created_at", UtcTime, nullable=False),
        sa.Column("decided_at", UtcTime),
        sa.Column("due_at", UtcTime),
        sa.Index(f"{name}_to_decide", "due_at"),
    )


BRANDS = _registration_table("brands")
CAMPAIGNS = _registration_table(
    "campaigns",
    sa.Column("brand_id", sa.String(64), nullable=False),
    sa.Index("campaigns_of_brand", "account", "brand_id"),
)

_MACHINES: Mapping[sa.Table, str] = {BRANDS: "BrandStatus", CAMPAIGNS: "CampaignStatus"}
"""The schema of the contract with the state machine of a table's rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """A registered brand or campaign; the sandbox knows the decision in advance, and when it is due."""

    id: str
    account: str
    registered: Mapping[str, Any]
    decision: RegistrationDecision
    created_at: datetime
    due_at: datetime | None
    status: RegistrationStatus = RegistrationStatus.PENDING
    decided_at: datetime | None = None


def store_registration(connection: sa.Connection, table: sa.Table, registration: Registration) -> None:
    """Store a registration, in place of one with the same identifier."""
    key = (table.c.account == registration.account) & (table.c.id == registration.id)
    connection.execute(sa.delete(table).where(key))
    table_columns = {name: registration.registered[name] for name in ("brand_id",) if name in table.c}
    connection.execute(
        sa.insert(table).values(
            **table_columns,
            account=registration.account,
            id=registration.id,
            registered=json.dumps(registration.registered),
            status=registration.status.value,
            decision=registration.decision.status.value,
            reason=registration.decision.reason,
            later=registration.decision.later.value if registration.decision.later else None,
            created_at=registration.created_at,
            decided_at=registration.decided_at,
            due_at=registration.due_at,
        )
    )


def find_registration(
    connection: sa.Connection, table: sa.Table, account: str, identifier: str
) -> sa.RowMapping | None:
    """Return the row of an account's brand or campaign, None if there is none."""
    query = sa.select(table).where(table.c.account == account, table.c.id == identifier)
    return connection.execute(query).mappings().first()


def not_approved_reason(
    connection: sa.Connection, table: sa.Table, account: str, identifier: str
) -> str | None:
    """Return why a brand or campaign cannot be used, None if it is an approved one of the account. The words
    follow its name in a sentence."""
    row = find_registration(connection, table, account, identifier)
    if row is None:
        return "is not in your account"
    status = row["status"]
    return f"is {status}" if status != RegistrationStatus.APPROVED.value else None


def brand_document(row: sa.RowMapping) -> dict[str, Any]:
    """Return a brand as the API returns it."""
    is_approved = row["status"] in {RegistrationStatus.APPROVED.value, RegistrationStatus.SUSPENDED.value}
    return {**campaign_document(row), "score": BRAND_SCORE if is_approved else None}


def campaign_document(row: sa.RowMapping) -> dict[str, Any]:
    """Return a campaign as the API returns it: the registration, and the decision, as for a brand."""
    is_rejected = row["status"] == RegistrationStatus.REJECTED.value
    return {
        "id": row["id"],
        "status": row["status"],
        **json.loads(row["registered"]),
        "rejection_reason": row["reason"] if is_rejected else None,
        "created_at": format_rfc3339(row["created_at"]),
        "decided_at": format_rfc3339(row["decided_at"]) if row["decided_at"] is not None else None,
    }


def timed_brands(pause: timedelta) -> TimedResource:
    """Return the timed decisions on brands, and their suspension after a pause, together with their
    campaigns."""

    def advance(connection: sa.Connection, context: AdvanceContext) -> int:
        due = _due_registrations(connection, BRANDS, context)
        for row in due:
            if row["decided_at"] is None:
                suspend_at = context.now + pause if row["later"] is not None else None
                _decide(connection, BRANDS, row, context, due_at=suspend_at)
            else:
                _set_status(connection, BRANDS, row, row["later"], context, due_at=None)
                _stop_campaigns(connection, row, context)
        return len(due)

    return TimedResource(kind=TimedKind.BRAND, next_due=partial(_next_due, BRANDS), advance=advance)


def timed_campaigns() -> TimedResource:
    """Return the timed decisions on campaigns."""

    def advance(connection: sa.Connection, context: AdvanceContext) -> int:
        due = _due_registrations(connection, CAMPAIGNS, context)
        for row in due:
            _decide(connection, CAMPAIGNS, row, context, due_at=None)
        return len(due)

    return TimedResource(kind=TimedKind.CAMPAIGN, next_due=partial(_next_due, CAMPAIGNS), advance=advance)


def _next_due(table: sa.Table, connection: sa.Connection) -> datetime | None:
    due: datetime | None = connection.execute(sa.select(sa.func.min(table.c.due_at))).scalar()
    return due


def _due_registrations(
    connection: sa.Connection, table: sa.Table, context: AdvanceContext
) -> Sequence[sa.RowMapping]:
    query = sa.select(table).where(table.c.due_at <= context.now).order_by(table.c.due_at)
    due_query = query.limit(_BATCH_SIZE).with_for_update(skip_locked=True)
    return connection.execute(due_query).mappings().all()


def _decide(
    connection: sa.Connection, table: sa.Table, row: sa.RowMapping, context: AdvanceContext, **changes: Any
) -> None:
    _set_status(connection, table, row, row["decision"], context, decided_at=context.now, **changes)


def _set_status(
    connection: sa.Connection,
    table: sa.Table,
    row: sa.RowMapping,
    target: str,
    context: AdvanceContext,
    **changes: Any,
) -> None:
    """Set the next status of a registration, if the contract has the step."""
    status = context.machines.step(_MACHINES[table], row["status"], target)
    key = (table.c.account == row["account"]) & (table.c.id == row["id"])
    connection.execute(sa.update(table).where(key).values(status=status, **changes))


def _stop_campaigns(connection: sa.Connection, brand: sa.RowMapping, context: AdvanceContext) -> None:
    """Suspend the approved campaigns of a brand, and reject the pending ones."""
    is_of_brand = (CAMPAIGNS.c.account == brand["account"]) & (CAMPAIGNS.c.brand_id == brand["id"])
    for row in connection.execute(sa.select(CAMPAIGNS).where(is_of_brand).with_for_update()).mappings().all():
        match RegistrationStatus(row["status"]):
            case RegistrationStatus.APPROVED:
                _set_status(connection, CAMPAIGNS, row, RegistrationStatus.SUSPENDED, context)
            case RegistrationStatus.PENDING:
                reason = CampaignRefusal.BRAND_SUSPENDED.value
                changes = {"reason": reason, "decided_at": context.now, "due_at": None}
                _set_status(connection, CAMPAIGNS, row, RegistrationStatus.REJECTED, context, **changes)
            case RegistrationStatus.REJECTED | RegistrationStatus.SUSPENDED:
                pass
