"""When a failed delivery is sent again."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.serving.retries import RetrySchedule, retry_after

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


@pytest.mark.parametrize(
    ("status", "attempt", "wait_s", "pause_s"),
    [
        (204, 1, 0, None), (410, 1, 0, None), (500, 1, 0, 1), (None, 2, 0, 5), (503, 1, 30, 30), (503, 2, 3, 5),
        (500, 3, 0, None), (302, 1, 0, 1),
    ],
)  # fmt: skip
def test_what_is_not_taken_is_sent_again(
    status: int | None, attempt: int, wait_s: int, pause_s: int | None
) -> None:
    """After the pause of the schedule, or later if the receiver asks for that; never after 410."""
    schedule = RetrySchedule(pauses=(timedelta(seconds=1), timedelta(seconds=5)), jitter=0.0)
    pause = schedule.pause_after_response(
        status,
        timedelta(seconds=wait_s),
        attempt=attempt,
        rng=random.Random(1),  # noqa: S311
    )

    assert pause == (timedelta(seconds=pause_s) if pause_s is not None else None)
