"""Numbers: those available, and those of the account."""

import sqlalchemy as sa

from telecom.sandbox.api.exchange import OperationRequest, SuccessResponse
from telecom.sandbox.api.operations import HandlerContext, Resource, SeedContext
from telecom.sandbox.api.pagination import equality_filters, read_page
from telecom.sandbox.stores.number_store import (
    AVAILABLE_NUMBERS,
    NUMBERS,
    available_document,
    number_document,
    offer_numbers,
    put_number,
)


def search_available_numbers(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return a page of the available numbers that match every filter."""
    columns = AVAILABLE_NUMBERS.c
    query = sa.select(AVAILABLE_NUMBERS).where(
        *equality_filters(call, {"country": columns.country, "type": columns.type}),
        *(columns.features.contains(feature) for feature in call.query.get("feature", ())),
    )
    if "contains" in call.query:
        query = query.where(columns.number.contains(call.query["contains"]))
    with context.database.read() as connection:
        page = read_page(connection, query, call, at=columns.offered_at, key=columns.number)
    return SuccessResponse(status=200, body=page.body(available_document))


def list_numbers(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return a page of the account's numbers."""
    query = sa.select(NUMBERS).where(
        NUMBERS.c.account == call.grant.account,
        *equality_filters(call, {"country": NUMBERS.c.country, "type": NUMBERS.c.type}),
    )
    with context.database.read() as connection:
        page = read_page(connection, query, call, at=NUMBERS.c.created_at, key=NUMBERS.c.id)
    return SuccessResponse(status=200, body=page.body(number_document))


def _seed_numbers(connection: sa.Connection, context: SeedContext) -> None:
    """Offer numbers, and give the account those of the contract's example."""
    offer_numbers(connection)
    for page in context.example_bodies("listNumbers"):
        for document in page["data"]:
            put_number(connection, context.account, document)


RESOURCE = Resource(
    handlers={"searchAvailableNumbers": search_available_numbers, "listNumbers": list_numbers},
    seed=_seed_numbers,
)
