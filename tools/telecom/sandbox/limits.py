"""The rate limit: a quota of requests in windows of fixed length, per account and API (service.md, Limits 4).

An API is a group of operations: a tag of the contract (decision 0006).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil
from threading import Lock
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """`quota` requests in each window of `window_s` seconds; `name` is told to clients.

    Where many share an account, each of their addresses can have a quota of its own.
    """

    quota: int = 6000
    window_s: int = 60
    name: str = "requests"
    is_per_address: bool = False

    def of(self, api: str) -> "RateLimit":
        """Return the limit of one API, named after it: `Event log` is `event-log`."""
        return replace(self, name=api.lower().replace(" ", "-"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Whether a request is within its quota, what remains of it, and in how many seconds it is renewed."""

    limit: RateLimit
    allowed: bool
    remaining: int
    reset_s: int

    def headers(self) -> dict[str, str]:
        """Return the rate limit headers (draft-ietf-httpapi-ratelimit-headers-10 §3, §4)."""
        fields = {
            "RateLimit": f'"{self.limit.name}";r={self.remaining};t={self.reset_s}',
            "RateLimit-Policy": f'"{self.limit.name}";q={self.limit.quota};w={self.limit.window_s}',
        }
        return fields if self.allowed else {**fields, "Retry-After": str(self.reset_s)}


_NONE: Mapping[str, RateLimit] = MappingProxyType({})
_MANY = 10_000
"""So many windows are looked through for ended ones: strangers have any number of addresses."""


@dataclass(slots=True)
class _Window:
    ends: datetime
    used: int = 0


class Limiter:
    """Counts the requests of each account to each API. A restart renews the quotas."""

    def __init__(self, limit: RateLimit, by_account: Mapping[str, RateLimit] = _NONE) -> None:
        """Take the limit that holds for every API, and those of accounts that have another."""
        self._limit = limit
        self._by_account = by_account
        self._windows: dict[tuple[str, str, str], _Window] = {}
        self._lock = Lock()

    def take(self, account: str, api: str, now: datetime, *, address: str = "") -> Decision:
        """Count one request, unless the quota of the account's window for this API is used up."""
        limit = self._by_account.get(account, self._limit).of(api)
        key = (account, api, address if limit.is_per_address else "")
        with self._lock:
            window = self._windows.get(key)
            if window is None or window.ends <= now:
                self._forget_ended(now)
                window = _Window(ends=now + timedelta(seconds=limit.window_s))
                self._windows[key] = window
            allowed = window.used < limit.quota
            window.used += allowed
            return Decision(
                limit=limit,
                allowed=allowed,
                remaining=limit.quota - window.used,
                reset_s=max(1, ceil((window.ends - now).total_seconds())),
            )

    def _forget_ended(self, now: datetime) -> None:
        if len(self._windows) >= _MANY:
            self._windows = {key: window for key, window in self._windows.items() if now < window.ends}
