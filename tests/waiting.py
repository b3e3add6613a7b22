"""Waiting for what another process or thread does, where there is no event to wait for."""

import time
from collections.abc import Callable

PATIENCE_S = 540.0
"""How long tests wait for what is to come: pytest ends a test after 600 s, and cannot say for what it waited.
No verdict depends on how busy the machine is.
"""
_PAUSES_S = (0.01, 0.1)
"""The first pause and the longest: what takes seconds is not looked at, often by a request, fifty times a second."""


def wait_until(
    condition: Callable[[], object], what: Callable[[], str] = str, *, patience_s: float = PATIENCE_S
) -> None:
    """Look again and again until a condition holds; fails, with what it waited for, when it never does."""
    assert comes_true(condition, patience_s=patience_s), f"waited {patience_s:g} s in vain {what()}".rstrip()


def comes_true(condition: Callable[[], object], *, patience_s: float = PATIENCE_S) -> bool:
    """Look again and again until a condition holds, and return whether it ever did."""
    ends_at = time.monotonic() + patience_s
    pause_s, longest_s = _PAUSES_S
    while not condition():
        if time.monotonic() >= ends_at:
            return False
        time.sleep(pause_s)
        pause_s = min(1.2 * pause_s, longest_s)
    return True
