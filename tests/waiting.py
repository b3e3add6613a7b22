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
    ends_at = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < ends_at, f"waited {patience_s:g} s in vain {what()}".rstrip()
        time.sleep(_PAUSE_S)
