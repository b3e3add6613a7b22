"""The rate limit: a quota of requests in fixed windows, per account and API (service.md, Limits 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil
from threading import Lock
from types import MappingProxyType
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from telecom.sandbox.database.database import Database
from telecom.sandbox.database.tables import METADATA, UtcTime


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """`quota` requests in each window of `window_s` seconds; clients see `name`.

    If many share an account, each of their addresses can have its own quota.
    """

    quota: int = 6000
    window_s: int = 60
    name: str = "requests"
    is_per_address: bool = False

    def of(self, api: str) -> "RateLimit":
        """Return the limit of one API, named after it: `Event log` is `event-log`."""
        return replace(self, name=api.lower().replace(" ", "-"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimitDecision:
    """Whether a request is within its quota, what remains of it, and in how many seconds it is reset."""

    limit: RateLimit
    is_allowed: bool
    remaining: int
    reset_s: int

    def headers(self) -> dict[str, str]:
        """Return the rate limit headers (draft-ietf-httpapi-ratelimit-headers-10 §3, §4)."""
        fields = {
            "RateLimit": f'"{self.limit.name}";r={self.remaining};t={self.reset_s}',
            "RateLimit-Policy": f'"{self.limit.name}";q={self.limit.quota};w={self.limit.window_s}',
        }
        return fields if self.is_allowed else {**fields, "Retry-After": str(self.reset_s)}


_NO_LIMITS: Mapping[str, RateLimit] = MappingProxyType({})
_SWEEP_ABOVE = 10_000
"""Ended windows are only dropped above this many: anonymous callers have any number of addresses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaKey:
    """The requests that are counted together; `address` is empty if all addresses of an account are."""

    account: str
    api: str
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaWindow:
    """How many requests were made in a window that ends at `ends_at`, at most one more than the quota."""

    ends_at: datetime
    used: int

    def is_open(self, limit: RateLimit, now: datetime) -> bool:
        """Return whether the window is open. One that ends later than twice its length from now was begun by
        a clock that has been set back since; up to that the clocks of several machines may differ."""
        return now < self.ends_at <= now + 2 * timedelta(seconds=limit.window_s)


class QuotaWindows(Protocol):
    """Counts requests in windows."""

    async def count(self, key: QuotaKey, limit: RateLimit, now: datetime) -> QuotaWindow:
        """Count a request in the open window, or begin one; return the window after it."""


class InMemoryWindows:
    """Counts in the memory of one process. A restart resets the quotas."""

    def __init__(self) -> None:
        """Begin with no window."""
        self._windows: dict[QuotaKey, QuotaWindow] = {}
        self._lock = Lock()

    async def count(self, key: QuotaKey, limit: RateLimit, now: datetime) -> QuotaWindow:
        """Count a request in the open window, or begin one; return the window after it."""
        with self._lock:
            window = self._windows.get(key)
            if window is None or not window.is_open(limit, now):
                self._windows = drop_ended_windows(self._windows, now)
                window = QuotaWindow(ends_at=now + timedelta(seconds=limit.window_s), used=0)
            window = replace(window, used=min(window.used, limit.quota) + 1)
            self._windows[key] = window
            return window


def drop_ended_windows(windows: dict[QuotaKey, QuotaWindow], now: datetime) -> dict[QuotaKey, QuotaWindow]:
    """Return the open windows if there are many; else all of them."""
    if len(windows) < _SWEEP_ABOVE:
        return windows
    return {key: window for key, window in windows.items() if now < window.ends_at}


class RateLimiter:
    """Applies the rate limit to the requests of each account to each API."""

    def __init__(
        self,
        limit: RateLimit,
        by_account: Mapping[str, RateLimit] = _NO_LIMITS,
        *,
        windows: QuotaWindows | None = None,
    ) -> None:
        """Take the limit for every API, the limits of accounts that have another, and where requests are
        counted: in this process by default."""
        self._limit = limit
        self._by_account = by_account
        self._windows = windows or InMemoryWindows()

    async def take(self, account: str, api: str, now: datetime, *, address: str = "") -> RateLimitDecision:
        """Count one request; return whether it is within the quota of the account's window for this API."""
        limit = self._by_account.get(account, self._limit).of(api)
        key = QuotaKey(account=account, api=api, address=address if limit.is_per_address else "")
        window = await self._windows.count(key, limit, now)
        return RateLimitDecision(
            limit=limit,
            is_allowed=window.used <= limit.quota,
            remaining=max(0, limit.quota - window.used),
            reset_s=max(1, ceil((window.ends_at - now).total_seconds())),
        )


QUOTAS = sa.Table(
    "quotas",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("api", sa.String(64), primary_key=True),
    sa.Column("address", sa.String(64), primary_key=True),
    sa.Column("ends_at", UtcTime, nullable=False),
    sa.Column("used", sa.Integer, nullable=False),
)
"""Requests to an API in the window that ends then, in real time; `address` is empty if the account has one
quota for all of its addresses."""

_SWEEP_EVERY = timedelta(minutes=1)


class DatabaseWindows:
    """Counts in a database. On SQLite, where one process serves requests, `InMemoryWindows` is faster."""

    def __init__(self, database: Database) -> None:
        """Take a database on a server."""
        self._database = database
        self._exceeded: dict[QuotaKey, QuotaWindow] = {}
        self._sweep_at: datetime | None = None

    async def count(self, key: QuotaKey, limit: RateLimit, now: datetime) -> QuotaWindow:
        """Count a request in the open window, or begin one; return the window after it."""
        exceeded = self._exceeded.get(key)
        if exceeded is not None and exceeded.is_open(limit, now):
            return exceeded
        window = await self._database.run(lambda: self._count_request(key, limit, now), writes=False)
        if window.used > limit.quota:
            self._exceeded = {**drop_ended_windows(self._exceeded, now), key: window}
        return window

    def _count_request(self, key: QuotaKey, limit: RateLimit, now: datetime) -> QuotaWindow:
        if self._sweep_at is None or not now < self._sweep_at <= now + _SWEEP_EVERY:
            self._sweep_at = now + _SWEEP_EVERY
            with self._database.write(shared=True) as connection:
                connection.execute(_SWEEP, {"now": now})
        values = {
            "account": key.account,
            "api": key.api,
            "address": key.address,
            "ends_at": now + timedelta(seconds=limit.window_s),
            "used": 1,
        }
        with self._database.write(shared=True) as connection:
            latest = now + 2 * timedelta(seconds=limit.window_s)
            row = connection.execute(
                _COUNT, {**values, "now": now, "latest": latest, "quota": limit.quota}
            ).one()
        return QuotaWindow(ends_at=row.ends_at, used=row.used)


def _count_statement() -> postgresql.Insert:
    insert = postgresql.insert(QUOTAS)
    is_over = (QUOTAS.c.ends_at <= _NOW) | (QUOTAS.c.ends_at > _LATEST)
    used = sa.func.least(QUOTAS.c.used, sa.bindparam("quota", type_=sa.Integer)) + 1
    return insert.on_conflict_do_update(
        index_elements=_KEY,
        set_={
            "used": sa.case((is_over, 1), else_=used),
            "ends_at": sa.case((is_over, insert.excluded.ends_at), else_=QUOTAS.c.ends_at),
        },
    )


_NOW: sa.BindParameter[Any] = sa.bindparam("now", type_=UtcTime)
_LATEST: sa.BindParameter[Any] = sa.bindparam("latest", type_=UtcTime)
"""The latest end of a window that was not begun by a clock that has been set back since."""
_KEY: Sequence[sa.Column[Any]] = list(QUOTAS.primary_key)
_COUNT = _count_statement().returning(QUOTAS.c.ends_at, QUOTAS.c.used)
_ENDED = sa.select(*_KEY).where(QUOTAS.c.ends_at <= _NOW).with_for_update(skip_locked=True)
_SWEEP = sa.delete(QUOTAS).where(sa.tuple_(*_KEY).in_(_ENDED))
"""Deletes ended windows: anonymous callers have any number of addresses. Rows that another process has locked
are left for the next time."""
