"""Identifiers that sort by time, and correlation identifiers."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecom.sandbox.api.identifiers import correlation_id, new_id

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


@given(st.integers(0, 10**12), st.integers(1, 10**9), st.binary(min_size=10))
def test_identifiers_sort_by_time(start_ms: int, later_ms: int, randomness: bytes) -> None:
    """Of two identifiers the later one is the greater, whatever their random parts."""
    moment = NOW + timedelta(milliseconds=start_ms)
    first = new_id("msg_", moment, lambda size: b"\xff" * size)
    second = new_id("msg_", moment + timedelta(milliseconds=later_ms), lambda size: randomness[:size])

    assert first < second
    assert re.fullmatch("msg_[0-9a-z]{26}", first)


@given(st.lists(st.binary(min_size=10, max_size=10), min_size=2, max_size=20), st.integers(0, 10**12))
def test_identifiers_of_one_millisecond_increase(randomness: list[bytes], at_ms: int) -> None:
    """Each is greater than those before it, whatever the random parts, and no other prefix is in the way."""
    moment = NOW + timedelta(milliseconds=at_ms)
    made = [
        new_id("evt_", moment, lambda size, part=part: (part * 2)[:size])  # type: ignore[misc]
        for part in randomness
    ]

    assert made == sorted(set(made))


def test_identifiers_made_at_once_are_all_different() -> None:
    """Threads do not get the same one, though they have the same time and the same randomness."""
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: new_id("evt_", NOW, lambda size: b"\x07" * size), range(1000)))

    assert len(set(made)) == 1000


@pytest.mark.parametrize(
    "traceparent",
    [
        None,
        "",
        "nonsense",
        "00-" + "0" * 32 + "-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-" + "0" * 16 + "-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
    ],
)
def test_invalid_trace_is_ignored(traceparent: str | None) -> None:
    """W3C Trace Context §3.2: a header that does not parse is as good as none."""
    assert correlation_id(traceparent, lambda size: b"\xab" * size) == "ab" * 16


@pytest.mark.parametrize("ending", ["", "-", "-more"])
@pytest.mark.parametrize("version", ["01", "cc"])
def test_trace_of_a_later_version_is_taken(version: str, ending: str) -> None:
    """W3C Trace Context §3.2.2: what is known is read, and what a later version adds is skipped."""
    trace_id = "4bf92f3577b34da6a3ce929d0e0e4736"

    assert correlation_id(f"{version}-{trace_id}-00f067aa0ba902b7-01{ending}", bytes) == trace_id
