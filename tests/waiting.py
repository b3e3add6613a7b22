"""Waiting for what another process or thread does, where there is no event to wait for."""

import time
from collections.abc import Callable

PATIENCE_S = 540.0
"""How long tests wait for what is to come: pytest ends a test after 600 s, and cannot say for what it waited.
No verdict depends on how busy the machine is.
"""
_PAUSE_S = 0.02


def wait_until(
    condition: Callable[[], object], what: Callable[[], str] = str, *, patience_s: float = PATIENCE_S
) -> None:
    """Look again and again until a condition holds; fails, with what it waited for, when it never does."""
    assert comes_true(condition, patience_s=patience_s), f"waited {patience_s:g} s in vain {what()}".rstrip()


def comes_true(condition: Callable[[], object], *, patience_s: float = PATIENCE_S) -> bool:
    """Look again and again until a condition holds, and return whether it ever did."""
    ends_at = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() >= ends_at:
            return False
        time.sleep(_PAUSE_S)
    return True
