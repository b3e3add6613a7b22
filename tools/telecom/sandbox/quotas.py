"""Windows of the rate limit in the database of a server, where several processes count the same requests.

Each request is counted by one statement, in a transaction of its own that waits for no disk. What is used up
is remembered in the process, so that who goes on asking costs the database nothing.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from telecom.sandbox.database import Database
from telecom.sandbox.limits import Counted, RateLimit, Window, without_ended
from telecom.sandbox.tables import METADATA, UtcTime

QUOTAS = sa.Table(
    "quotas",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("api", sa.String(64), primary_key=True),
    sa.Column("address", sa.String(64), primary_key=True),
    sa.Column("ends_at", UtcTime, nullable=False),
    sa.Column("used", sa.Integer, nullable=False),
)
"""Requests to an API in the window that ends then, in real time; `address` is empty where the account has one
quota for all of its addresses."""

_SWEEP_EVERY = timedelta(minutes=1)


class SharedWindows:
    """Counts in a database. On SQLite, where one process answers, `WindowsHere` does the same faster."""

    def __init__(self, database: Database) -> None:
        """Take a database on a server."""
        self._database = database
        self._over: dict[Counted, Window] = {}
        self._sweep_at: datetime | None = None

    async def count(self, counted: Counted, limit: RateLimit, now: datetime) -> Window:
        """Count a request in the window that goes on, or begin one; return how it is then."""
        over = self._over.get(counted)
        if over is not None and over.is_open(limit, now):
            return over
        window = await self._database.run(lambda: self._counted(counted, limit, now), writes=False)
        if window.used > limit.quota:
            self._over = {**without_ended(self._over, now), counted: window}
        return window

    def _counted(self, counted: Counted, limit: RateLimit, now: datetime) -> Window:
        if self._sweep_at is None or not now < self._sweep_at <= now + _SWEEP_EVERY:
            self._sweep_at = now + _SWEEP_EVERY
            with self._database.write(shared=True) as connection:
                connection.execute(_SWEEP, {"now": now})
        values = {
            "account": counted.account,
            "api": counted.api,
            "address": counted.address,
            "ends_at": now + timedelta(seconds=limit.window_s),
            "used": 1,
        }
        with self._database.write(shared=True) as connection:
            latest = now + 2 * timedelta(seconds=limit.window_s)
            row = connection.execute(
                _COUNT, {**values, "now": now, "latest": latest, "quota": limit.quota}
            ).one()
        return Window(ends=row.ends_at, used=row.used)


def _counting() -> postgresql.Insert:
    insert = postgresql.insert(QUOTAS)
    is_over = (QUOTAS.c.ends_at <= _NOW) | (QUOTAS.c.ends_at > _LATEST)
    counted = sa.func.least(QUOTAS.c.used, sa.bindparam("quota", type_=sa.Integer)) + 1
    return insert.on_conflict_do_update(
        index_elements=_KEY,
        set_={
            "used": sa.case((is_over, 1), else_=counted),
            "ends_at": sa.case((is_over, insert.excluded.ends_at), else_=QUOTAS.c.ends_at),
        },
    )


_NOW: sa.BindParameter[Any] = sa.bindparam("now", type_=UtcTime)
_LATEST: sa.BindParameter[Any] = sa.bindparam("latest", type_=UtcTime)
"""When a window ends at the latest that was not begun by a clock that has been set back since."""
_KEY: Sequence[sa.Column[Any]] = list(QUOTAS.primary_key)
_COUNT = _counting().returning(QUOTAS.c.ends_at, QUOTAS.c.used)
_ENDED = sa.select(*_KEY).where(QUOTAS.c.ends_at <= _NOW).with_for_update(skip_locked=True)
_SWEEP = sa.delete(QUOTAS).where(sa.tuple_(*_KEY).in_(_ENDED))
"""Strangers have any number of addresses; what another process is at is left for the next time."""
