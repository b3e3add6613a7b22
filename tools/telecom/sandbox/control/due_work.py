"""The due work of a sandbox, of all accounts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from telecom.sandbox.database.tables import IDEMPOTENCY, MESSAGES, UtcTime
from telecom.sandbox.delivery.deliveries import DELIVERIES
from telecom.sandbox.delivery.leases import is_leased
from telecom.sandbox.stores.call_store import CALLS
from telecom.sandbox.stores.compliance_store import BRANDS, CAMPAIGNS
from telecom.sandbox.stores.scheduled_work import TimedKind


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DueItem:
    """A due item: `id` is that of the message, call, brand, campaign or event, or the key.

    `endpoint_id` is the endpoint that an event goes to, else empty; `under_way` says whether a worker is
    sending it now.
    """

    at: datetime
    kind: TimedKind
    account: str
    id: str
    endpoint_id: str = ""
    under_way: bool = False


def due_items(
    connection: sa.Connection, real: datetime, *, limit: int, kind: TimedKind | None = None
) -> tuple[DueItem, ...]:
    """Return what is due next, the earliest first; `real` time decides what is under way."""
    kinds = [wanted_kind for wanted_kind in TimedKind if kind in {None, wanted_kind}]
    items = (
        due
        for wanted_kind in kinds
        for due in _read_due_items(
            connection, wanted_kind, _FIRST[wanted_kind], {"real": real, "limit": limit}
        )
    )
    return tuple(sorted(items)[:limit])


def count_due(connection: sa.Connection) -> dict[TimedKind, int]:
    """Return how many items of each kind are due."""
    return {kind: connection.execute(query).scalar_one() for kind, query in _COUNTS.items()}


def deliveries_under_way(connection: sa.Connection, now: datetime, real: datetime) -> tuple[DueItem, ...]:
    """Return the due deliveries that a worker has leased."""
    return tuple(
        sorted(_read_due_items(connection, TimedKind.WEBHOOK, _UNDER_WAY, {"now": now, "real": real}))
    )


def _read_due_items(
    connection: sa.Connection, kind: TimedKind, query: sa.Select[Any], values: Mapping[str, object]
) -> Iterator[DueItem]:
    for row in connection.execute(query, values):
        yield DueItem(
            at=row.due,
            kind=kind,
            account=row.account,
            id=row.what,
            endpoint_id=row.endpoint_id or "",
            under_way=bool(row.is_leased),
        )


def _columns(kind: TimedKind) -> tuple[sa.ColumnElement[Any], ...]:
    at, identifier = _DUE_COLUMNS[kind]
    columns = (at.label("due"), at.table.c.account, identifier.label("what"))
    if kind is TimedKind.WEBHOOK:
        return (*columns, DELIVERIES.c.endpoint_id, _IS_LEASED.label("is_leased"))
    return (*columns, sa.null().label("endpoint_id"), sa.null().label("is_leased"))


_IS_LEASED = is_leased(sa.bindparam("real", type_=UtcTime))
_DUE_COLUMNS = {
    TimedKind.MESSAGE: (MESSAGES.c.due_at, MESSAGES.c.id),
    TimedKind.CALL: (CALLS.c.due_at, CALLS.c.id),
    TimedKind.BRAND: (BRANDS.c.due_at, BRANDS.c.id),
    TimedKind.CAMPAIGN: (CAMPAIGNS.c.due_at, CAMPAIGNS.c.id),
    TimedKind.WEBHOOK: (DELIVERIES.c.due_at, DELIVERIES.c.event_id),
    TimedKind.IDEMPOTENCY_KEY: (IDEMPOTENCY.c.expires_at, IDEMPOTENCY.c.key),
}
_ALL = {kind: sa.select(*_columns(kind)).where(at.is_not(None)) for kind, (at, _) in _DUE_COLUMNS.items()}
_FIRST = {
    kind: query.order_by(*_DUE_COLUMNS[kind]).limit(sa.bindparam("limit", type_=sa.Integer))
    for kind, query in _ALL.items()
}
_COUNTS = {
    kind: sa.select(sa.func.count()).select_from(at.table).where(at.is_not(None))
    for kind, (at, _) in _DUE_COLUMNS.items()
}
_UNDER_WAY = _ALL[TimedKind.WEBHOOK].where(
    DELIVERIES.c.due_at <= sa.bindparam("now", type_=UtcTime), _IS_LEASED
)
