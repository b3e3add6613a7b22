"""The pace of requests: how long each waits, so that no more are sent a second than a run may send."""

from dataclasses import dataclass


@dataclass(slots=True)
class Pace:
    """Spreads requests over time: at most `per_s` a second, 0 for no limit."""

    per_s: float
    _free_at: float = 0.0

    def wait_s(self, now: float) -> float:
        """Return how long the next request has to wait, in seconds, and count it; `now` is monotonic."""
        if not self.per_s:
            return 0.0
        due = max(self._free_at, now)
        self._free_at = due + 1 / self.per_s
        return due - now
