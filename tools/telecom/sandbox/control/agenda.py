"""What is due in the sandbox, of all accounts: what time brings next, and to what."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from telecom.sandbox.calls import CALLS
from telecom.sandbox.compliance import BRANDS, CAMPAIGNS
from telecom.sandbox.deliveries import DELIVERIES
from telecom.sandbox.leases import is_leased
from telecom.sandbox.tables import IDEMPOTENCY, MESSAGES, UtcTime
from telecom.sandbox.timed import Thing


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Due:
    """Something that is due: `id` is that of the message, call, brand, campaign or event, or the key.

    `endpoint_id` is where an event goes to, else empty; it is `under_way` where a worker sends it just now.
    """

    at: datetime
    thing: Thing
    account: str
    id: str
    endpoint_id: str = ""
    under_way: bool = False


def agenda(
    connection: sa.Connection, real: datetime, *, limit: int, thing: Thing | None = None
) -> tuple[Due, ...]:
    """Return what is due next, the first in front; `real` time tells what is under way."""
    wanted = [one for one in Thing if thing in {None, one}]
    found = (
        due for one in wanted for due in _found(connection, one, _FIRST[one], {"real": real, "limit": limit})
    )
    return tuple(sorted(found)[:limit])


def how_many(connection: sa.Connection) -> dict[Thing, int]:
    """Return how many of each kind are due."""
    return {thing: connection.execute(query).scalar_one() for thing, query in _COUNTS.items()}


def under_way(connection: sa.Connection, now: datetime, real: datetime) -> tuple[Due, ...]:
    """Return the deliveries that are due by now, and that a worker has taken on."""
    return tuple(sorted(_found(connection, Thing.WEBHOOK, _UNDER_WAY, {"now": now, "real": real})))


def _found(
    connection: sa.Connection, thing: Thing, query: sa.Select[Any], values: Mapping[str, object]
) -> Iterator[Due]:
    for row in connection.execute(query, values):
        yield Due(
            at=row.due,
            thing=thing,
            account=row.account,
            id=row.what,
            endpoint_id=row.endpoint_id or "",
            under_way=bool(row.is_leased),
        )


def _columns(thing: Thing) -> tuple[sa.ColumnElement[Any], ...]:
    at, identifier = _WHEN_AND_WHAT[thing]
    plain = (at.label("due"), at.table.c.account, identifier.label("what"))
    if thing is Thing.WEBHOOK:
        return (*plain, DELIVERIES.c.endpoint_id, _IS_LEASED.label("is_leased"))
    return (*plain, sa.null().label("endpoint_id"), sa.null().label("is_leased"))


_IS_LEASED = is_leased(sa.bindparam("real", type_=UtcTime))
_WHEN_AND_WHAT = {
    Thing.MESSAGE: (MESSAGES.c.due_at, MESSAGES.c.id),
    Thing.CALL: (CALLS.c.due_at, CALLS.c.id),
    Thing.BRAND: (BRANDS.c.due_at, BRANDS.c.id),
    Thing.CAMPAIGN: (CAMPAIGNS.c.due_at, CAMPAIGNS.c.id),
    Thing.WEBHOOK: (DELIVERIES.c.due_at, DELIVERIES.c.event_id),
    Thing.IDEMPOTENCY_KEY: (IDEMPOTENCY.c.expires_at, IDEMPOTENCY.c.key),
}
_ALL = {
    thing: sa.select(*_columns(thing)).where(at.is_not(None)) for thing, (at, _) in _WHEN_AND_WHAT.items()
}
_FIRST = {
    thing: query.order_by(*_WHEN_AND_WHAT[thing]).limit(sa.bindparam("limit", type_=sa.Integer))
    for thing, query in _ALL.items()
}
_COUNTS = {
    thing: sa.select(sa.func.count()).select_from(at.table).where(at.is_not(None))
    for thing, (at, _) in _WHEN_AND_WHAT.items()
}
_UNDER_WAY = _ALL[Thing.WEBHOOK].where(DELIVERIES.c.due_at <= sa.bindparam("now", type_=UtcTime), _IS_LEASED)
