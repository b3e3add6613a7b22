"""Numbers in the database: those of each account, and those available to anybody."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from telecom.numbers import OFFERED_NUMBERS, NumberFeature
from telecom.sandbox.database.tables import METADATA, UtcTime
from telecom.times import format_rfc3339, parse_rfc3339

NUMBERS = sa.Table(
    "numbers",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("number", sa.String(16), nullable=False),
    sa.Column("country", sa.String(2), nullable=False),
    sa.Column("region", sa.String(6)),
    sa.Column("type", sa.String(16), nullable=False),
    sa.Column("features", sa.String(64), nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.UniqueConstraint("account", "number"),
)

AVAILABLE_NUMBERS = sa.Table(
    "available_numbers",
    METADATA,
    sa.Column("number", sa.String(16), primary_key=True),
    sa.Column("country", sa.String(2), nullable=False),
    sa.Column("region", sa.String(6)),
    sa.Column("type", sa.String(16), nullable=False),
    sa.Column("features", sa.String(64), nullable=False),
    sa.Column("offered_at", UtcTime, nullable=False),
    sa.Index("available_numbers_by_country", "country", "offered_at"),
)
"""`features` holds the words separated by spaces, in both tables."""

OFFERED_AT = parse_rfc3339("2026-11-01T00:00:00Z")


def put_number(connection: sa.Connection, account: str, document: Mapping[str, Any]) -> None:
    """Store a number as a document of the API shows it, in place of the one with its identifier."""
    key = (NUMBERS.c.account == account) & (NUMBERS.c.id == document["id"])
    connection.execute(sa.delete(NUMBERS).where(key))
    connection.execute(
        sa.insert(NUMBERS).values(
            account=account,
            id=document["id"],
            number=document["number"],
            country=document["country"],
            region=document["region"],
            type=document["type"],
            features=" ".join(document["features"]),
            created_at=parse_rfc3339(document["created_at"]),
        )
    )


def offer_numbers(connection: sa.Connection) -> None:
    """Replace the available numbers by those that the sandbox offers."""
    connection.execute(sa.delete(AVAILABLE_NUMBERS))
    connection.execute(
        sa.insert(AVAILABLE_NUMBERS),
        [
            {
                "number": offered_number.number,
                "country": offered_number.country,
                "region": offered_number.region,
                "type": offered_number.type.value,
                "features": " ".join(feature.value for feature in offered_number.features),
                "offered_at": OFFERED_AT,
            }
            for offered_number in OFFERED_NUMBERS
        ],
    )


def find_number(connection: sa.Connection, account: str, number: str) -> sa.RowMapping | None:
    """Return the row of an account's number in E.164 format, None if there is none."""
    query = sa.select(NUMBERS).where(NUMBERS.c.account == account, NUMBERS.c.number == number)
    return connection.execute(query).mappings().first()


def unusable_reason(
    connection: sa.Connection, account: str, number: str, feature: NumberFeature
) -> str | None:
    """Return a sentence with the reason why an account cannot use a number, None if it can."""
    row = find_number(connection, account, number)
    if row is None:
        return f"Your account does not have the number {number!r}."
    if feature not in row["features"].split():
        return f"The number {number!r} does not have the feature {feature}."
    return None


def available_document(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return an available number as the API returns it."""
    members = {name: row[name] for name in ("number", "country", "region", "type")}
    return {**members, "features": row["features"].split()}


def number_document(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a number of an account as the API returns it."""
    return {"id": row["id"], **available_document(row), "created_at": format_rfc3339(row["created_at"])}
