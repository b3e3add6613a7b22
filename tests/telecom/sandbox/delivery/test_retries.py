"""The schedule of deliveries that fail."""

import random

from devportal.serving.retries import RetrySchedule
from telecom.sandbox.delivery.attempt import STANDARD_SCHEDULE


def test_jitter_only_lengthens() -> None:
    """Pauses are at least those of the schedule and at most a fifth longer, scaled alike."""
    rng = random.Random(1)  # noqa: S311
    schedule = RetrySchedule(pauses=STANDARD_SCHEDULE.pauses, scale=0.01)

    pauses = [schedule.pause_after(attempt, rng) for attempt in range(1, 11)]

    assert pauses[-1] is None
    for pause, planned in zip(pauses[:-1], STANDARD_SCHEDULE.pauses, strict=True):
        assert pause is not None
        assert planned * 0.01 <= pause <= planned * 0.01 * 1.2
