"""Brands and campaigns in the database: registered as pending, decided on later."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from telecom.compliance import SCORE, Decision, RegistrationStatus, decide_brand, decide_campaign
from telecom.sandbox.tables import METADATA, UtcTime
from telecom.sandbox.timed import Moment, Timed
from telecom.times import rfc3339

_AT_ONCE = 100


def _registrations(name: str) -> sa.Table:
    return sa.Table(
        name,
        METADATA,
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
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


BRANDS = _registrations("brands")
CAMPAIGNS = _registrations("campaigns")


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """A brand or a campaign as it was registered; the sandbox knows what will be decided, and when."""

    id: str
    account: str
    registered: Mapping[str, Any]
    decision: Decision
    created_at: datetime
    due_at: datetime | None
    status: RegistrationStatus = RegistrationStatus.PENDING
    decided_at: datetime | None = None


def register(connection: sa.Connection, table: sa.Table, registration: Registration) -> None:
    """Write a registration down, in place of one with the same identifier."""
    key = (table.c.account == registration.account) & (table.c.id == registration.id)
    connection.execute(sa.delete(table).where(key))
    connection.execute(
        sa.insert(table).values(
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


def find(connection: sa.Connection, table: sa.Table, account: str, identifier: str) -> sa.RowMapping | None:
    """Return the row of an account's brand or campaign, None where it has no such."""
    query = sa.select(table).where(table.c.account == account, table.c.id == identifier)
    return connection.execute(query).mappings().first()


def status_of(
    connection: sa.Connection, table: sa.Table, account: str, identifier: str
) -> RegistrationStatus | None:
    """Return the status of an account's brand or campaign, None where it has no such."""
    row = find(connection, table, account, identifier)
    return RegistrationStatus(row["status"]) if row is not None else None


def planned_brand(registered: Mapping[str, Any], tax_id: str) -> Decision:
    """Return what will be decided on a brand."""
    return decide_brand(tax_id=tax_id, website=registered["website"])


def planned_campaign(registered: Mapping[str, Any]) -> Decision:
    """Return what will be decided on a campaign."""
    return decide_campaign(
        sample_messages=registered["sample_messages"], help_message=registered["help_message"]
    )


def brand_document(row: sa.RowMapping) -> dict[str, Any]:
    """Return a brand as the API returns it."""
    approved = row["status"] in {RegistrationStatus.APPROVED.value, RegistrationStatus.SUSPENDED.value}
    return {**_document(row), "score": SCORE if approved else None}


def campaign_document(row: sa.RowMapping) -> dict[str, Any]:
    """Return a campaign as the API returns it."""
    return _document(row)


def _document(row: sa.RowMapping) -> dict[str, Any]:
    refused = row["status"] == RegistrationStatus.REJECTED.value
    return {
        "id": row["id"],
        "status": row["status"],
        **json.loads(row["registered"]),
        "rejection_reason": row["reason"] if refused else None,
        "created_at": rfc3339(row["created_at"]),
        "decided_at": rfc3339(row["decided_at"]) if row["decided_at"] is not None else None,
    }


def timed(table: sa.Table, machine: str, pause: timedelta) -> Timed:
    """Return how the registrations of a table are decided on; `machine` is the schema of their status."""

    def next_due(connection: sa.Connection) -> datetime | None:
        due: datetime | None = connection.execute(sa.select(sa.func.min(table.c.due_at))).scalar()
        return due

    def advance(connection: sa.Connection, moment: Moment) -> int:
        query = sa.select(table).where(table.c.due_at <= moment.now).order_by(table.c.due_at)
        due = connection.execute(query.limit(_AT_ONCE)).mappings().all()
        for row in due:
            decided = row["decided_at"] is not None
            target = row["later"] if decided else row["decision"]
            again = not decided and row["later"] is not None
            connection.execute(
                sa.update(table)
                .where(table.c.account == row["account"], table.c.id == row["id"])
                .values(
                    status=moment.machines.step(machine, row["status"], target),
                    decided_at=row["decided_at"] or moment.now,
                    due_at=moment.now + pause if again else None,
                )
            )
        return len(due)

    return Timed(next_due=next_due, advance=advance)
