"""Billing of call time: how many seconds of a call are billed under an increment."""

from devportal.catalog.rate import Increment

PER_SECOND = Increment(initial_s=1, subsequent_s=1)
"""1/1 per-second billing (service.md, What the service does 7)."""


def billed_seconds(duration_s: int, increment: Increment = PER_SECOND) -> int:
    """Return the seconds billed for whole seconds of talk: none for none, then `initial_s`, then each started
    `subsequent_s`."""
    if duration_s <= 0:
        return 0
    beyond = max(duration_s - increment.initial_s, 0)
    started = -(-beyond // increment.subsequent_s)
    return increment.initial_s + started * increment.subsequent_s
