"""How a run behaves towards a deployment that others use too: how fast it asks, and what it never sends."""

from dataclasses import dataclass

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
"""Methods that ask and change nothing (RFC 9110 §9.2.1)."""


@dataclass(slots=True)
class Pace:
    """Spreads requests over time: at most so many in a second, 0 for no limit."""

    per_s: float
    _free_at: float = 0.0

    def wait_s(self, now: float) -> float:
        """Return how long the next request has to wait, and count it; `now` is monotonic."""
        if not self.per_s:
            return 0.0
        due = max(self._free_at, now)
        self._free_at = due + 1 / self.per_s
        return due - now
