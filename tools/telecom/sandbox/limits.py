"""The rate limit: a quota of requests in windows of a fixed length, per account."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from threading import Lock


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """`quota` requests in each window of `window_s` seconds."""

    quota: int = 6000
    window_s: int = 60
    name: str = "requests"


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


@dataclass(slots=True)
class _Window:
    ends: datetime
    used: int = 0


class Limiter:
    """Counts the requests of each account. Counts are lost at a restart, which only renews the quota."""

    def __init__(self, limit: RateLimit) -> None:
        """Take the limit that holds for every account."""
        self._limit = limit
        self._windows: dict[str, _Window] = {}
        self._lock = Lock()

    def take(self, account: str, now: datetime) -> Decision:
        """Count one request, unless the quota of the account's window is used up."""
        with self._lock:
            window = self._windows.get(account)
            if window is None or window.ends <= now:
                window = _Window(ends=now + timedelta(seconds=self._limit.window_s))
                self._windows[account] = window
            allowed = window.used < self._limit.quota
            window.used += allowed
            return Decision(
                limit=self._limit,
                allowed=allowed,
                remaining=self._limit.quota - window.used,
                reset_s=max(1, ceil((window.ends - now).total_seconds())),
            )
