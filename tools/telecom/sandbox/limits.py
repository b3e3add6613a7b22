"""The rate limit: a quota of requests in windows of fixed length, per account and API (service.md, Limits 4).

An API is a group of operations: a tag of the contract (decision 0006).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil
from threading import Lock
from types import MappingProxyType
from typing import Protocol


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What is counted together; `address` is empty where all addresses of an account are."""

    account: str
    api: str
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """How many requests there were before a window `ends`; where they are too many, one more than allowed."""

    ends: datetime
    used: int

    def is_open(self, limit: RateLimit, now: datetime) -> bool:
        """Say whether it goes on. One that would for more than twice its length was begun by a clock that has
        been set back since; up to that the clocks of several machines may differ."""
        return now < self.ends <= now + 2 * timedelta(seconds=limit.window_s)


class Windows(Protocol):
    """Where requests are counted."""

    async def count(self, counted: Counted, limit: RateLimit, now: datetime) -> Window:
        """Count a request in the window that goes on, or begin one; return how it is then."""


class WindowsHere:
    """Counts in the memory of one process. A restart renews the quotas."""

    def __init__(self) -> None:
        """Begin with no window."""
        self._windows: dict[Counted, Window] = {}
        self._lock = Lock()

    async def count(self, counted: Counted, limit: RateLimit, now: datetime) -> Window:
        """Count a request in the window that goes on, or begin one; return how it is then."""
        with self._lock:
            window = self._windows.get(counted)
            if window is None or not window.is_open(limit, now):
                self._windows = without_ended(self._windows, now)
                window = Window(ends=now + timedelta(seconds=limit.window_s), used=0)
            window = replace(window, used=min(window.used, limit.quota) + 1)
            self._windows[counted] = window
            return window


def without_ended(windows: dict[Counted, Window], now: datetime) -> dict[Counted, Window]:
    """Return those windows that go on, where there are many; else all of them."""
    if len(windows) < _MANY:
        return windows
    return {counted: window for counted, window in windows.items() if now < window.ends}


class Limiter:
    """Holds the requests of each account to each API to its limit."""

    def __init__(
        self, limit: RateLimit, by_account: Mapping[str, RateLimit] = _NONE, *, windows: Windows | None = None
    ) -> None:
        """Take the limit that holds for every API, those of accounts that have another, and where requests
        are counted: in this process unless told otherwise."""
        self._limit = limit
        self._by_account = by_account
        self._windows = windows or WindowsHere()

    async def take(self, account: str, api: str, now: datetime, *, address: str = "") -> Decision:
        """Count one request, and say whether it is within the quota of the account's window for this API."""
        limit = self._by_account.get(account, self._limit).of(api)
        counted = Counted(account=account, api=api, address=address if limit.is_per_address else "")
        window = await self._windows.count(counted, limit, now)
        return Decision(
            limit=limit,
            allowed=window.used <= limit.quota,
            remaining=max(0, limit.quota - window.used),
            reset_s=max(1, ceil((window.ends - now).total_seconds())),
        )
