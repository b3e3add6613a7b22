"""When a failed delivery is sent again."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecom.sandbox.delivery.attempt import STANDARD_SCHEDULE, RetrySchedule, retry_after

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, 0),
        ("", 0),
        ("17", 17),
        ("0", 0),
        ("-5", 0),
        ("1.5", 0),
        ("9" * 300, 86_400),
        ("soon", 0),
        ("Sat, 21 Nov 2026 09:31:00 GMT", 60),
        ("Sat, 21 Nov 2026 09:29:00 GMT", 0),
        ("Sat, 21 Nov 2026 09:31:00 -0000", 60),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
        ("٣", 0),
        ("Sat, 21 Nov 99999999999999999999 09:31:00 GMT", 0),
        ("Sat, 21 Nov 2026 09:31:00 +9999999999999999", 0),
        ("Mon, 01 Jan 0001 00:00:00 +2359", 0),
    ],
)
def test_retry_after_is_read(header: str | None, seconds: int) -> None:
    """Seconds or a date (RFC 9110 §10.2.3), at most a day, and nothing breaks it."""
    assert retry_after(header, NOW) == timedelta(seconds=seconds)


@given(
    st.text(max_size=60) | st.from_regex(r"Sat, \d{1,25} Nov \d{1,25} 09:31:00 [+-]\d{1,25}", fullmatch=True)
)
def test_no_header_breaks_the_reader(header: str) -> None:
    """Whatever a receiver sends, the wait is between nothing and a day."""
    assert timedelta(0) <= retry_after(header, NOW) <= timedelta(days=1)


def test_jitter_only_lengthens() -> None:
    """Pauses are at least those of the schedule and at most a fifth longer, scaled alike."""
    rng = random.Random(1)  # noqa: S311
    schedule = RetrySchedule(pauses=STANDARD_SCHEDULE.pauses, scale=0.01)

    pauses = [schedule.pause_after(attempt, rng) for attempt in range(1, 11)]

    assert pauses[-1] is None
    for pause, planned in zip(pauses[:-1], STANDARD_SCHEDULE.pauses, strict=True):
        assert pause is not None
        assert planned * 0.01 <= pause <= planned * 0.01 * 1.2
