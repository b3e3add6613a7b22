"""Numbers: those that can be had, and those of the account."""

import sqlalchemy as sa

from telecom.sandbox.exchange import Call, Reply
from telecom.sandbox.filters import equal
from telecom.sandbox.numbers import (
    AVAILABLE_NUMBERS,
    NUMBERS,
    available_document,
    number_document,
    offer_numbers,
    put_number,
)
from telecom.sandbox.operations import Resources
from telecom.sandbox.pagination import read_page
from telecom.sandbox.resource import Resource, Seeding


def search_available_numbers(call: Call, resources: Resources) -> Reply:
    """Return a page of the numbers that can be had and fit every filter."""
    columns = AVAILABLE_NUMBERS.c
    query = sa.select(AVAILABLE_NUMBERS).where(
        *equal(call, {"country": columns.country, "type": columns.type}),
        *(columns.features.contains(feature) for feature in call.query.get("feature", ())),
    )
    if "contains" in call.query:
        query = query.where(columns.number.contains(call.query["contains"]))
    with resources.database.read() as connection:
        page = read_page(connection, query, call, at=columns.offered_at, key=columns.number)
    return Reply(status=200, body=page.body(available_document))


def list_numbers(call: Call, resources: Resources) -> Reply:
    """Return a page of the account's numbers."""
    query = sa.select(NUMBERS).where(
        NUMBERS.c.account == call.grant.account,
        *equal(call, {"country": NUMBERS.c.country, "type": NUMBERS.c.type}),
    )
    with resources.database.read() as connection:
        page = read_page(connection, query, call, at=NUMBERS.c.created_at, key=NUMBERS.c.id)
    return Reply(status=200, body=page.body(number_document))


def _seed(connection: sa.Connection, seeding: Seeding) -> None:
    """Offer numbers, and give the account those that the contract shows."""
    offer_numbers(connection)
    for page in seeding.shown("listNumbers"):
        for document in page["data"]:
            put_number(connection, seeding.account, document)


RESOURCE = Resource(
    handlers={"searchAvailableNumbers": search_available_numbers, "listNumbers": list_numbers},
    seed=_seed,
)
