from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from devportal.contract.values.instants import in_zone, parse_instant, shift_time

DAY = timedelta(days=1)


def test_time_and_day_are_moved() -> None:
    assert shift_time(date(2026, 2, 28), DAY) == date(2026, 3, 1)
    assert shift_time(datetime(2026, 1, 1, tzinfo=UTC), -DAY) == datetime(2025, 12, 31, tzinfo=UTC)


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])
def test_first_and_last_time_of_the_calendar_move_one_way_only(text: str) -> None:
    """They stand for never, and for no time at all."""
    time = parse_instant(text)

    assert time is not None
    moved = [shift_time(time, shift) for shift in (-DAY, DAY)]
    zones = [in_zone(time, timezone(timedelta(hours=hours))) for hours in (-9, 9)]
    assert [moved.count(None), zones.count(None)] == [1, 1]
    assert shift_time(time.date(), DAY if time.year > 2026 else -DAY) is None
