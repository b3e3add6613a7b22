"""Times as the API writes and reads them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecom.times import format_rfc3339, parse_rfc3339, parse_rfc3339_clamped

FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@given(st.datetimes(timezones=st.just(UTC)))
def test_time_that_is_written_is_read_again(moment: datetime) -> None:
    """Milliseconds survive; what is finer is cut off."""
    kept = moment.replace(microsecond=moment.microsecond // 1000 * 1000)

    assert parse_rfc3339(format_rfc3339(moment)) == kept


def test_time_of_another_zone_is_written_in_utc() -> None:
    """Whatever clock it comes from, a reader sees one zone."""
    berlin = timezone(timedelta(hours=1))

    assert format_rfc3339(datetime(2026, 11, 21, 10, 30, tzinfo=berlin)) == "2026-11-21T09:30:00.000Z"


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-31T22:59:60Z",
        "2026-12-31T23:59:60",
        "2026-12-31T23:59:61Z",
        "9999-12-31T23:59:60Z",
        "0000-01-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-11-21T09:30:00",
        "noon",
        "",
    ],
)
def test_time_that_no_clock_shows_is_none(text: str) -> None:
    """The year 0 is allowed by RFC 3339, a time without zone or a leap second within a day is not."""
    assert parse_rfc3339(text) is None


@pytest.mark.parametrize(
    "text", ["2026-12-31T23:59:60Z", "2026-12-31T23:59:60.75Z", "2026-12-31T15:59:60-08:00"]
)
def test_leap_second_is_when_it_ends(text: str) -> None:
    """No clock of ours shows one (RFC 3339 §5.7), so nothing has happened in it."""
    assert parse_rfc3339(text) == datetime(2027, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("0000-02-29T12:00:00Z", FIRST),
        ("0001-01-01T00:00:00+14:00", FIRST),
        ("0001-01-01T00:00:00Z", FIRST),
        ("9999-12-31T23:59:60Z", LAST),
        ("9999-12-31T23:00:00-01:00", LAST),
        ("2026-11-21T09:30:00Z", datetime(2026, 11, 21, 9, 30, tzinfo=UTC)),
    ],
)
def test_time_beyond_all_clocks_is_held_as_the_nearest(text: str, moment: datetime) -> None:
    """For a span of time that makes no difference: nothing is older or newer."""
    assert parse_rfc3339_clamped(text) == moment


@pytest.mark.parametrize("text", ["0000-02-30T00:00:00Z", "0001-02-29T00:00:00Z", "9999-12-31", "noon", ""])
def test_what_is_no_time_is_near_to_none(text: str) -> None:
    """A day that the calendar lacks stays one, in the first and last year too."""
    assert parse_rfc3339_clamped(text) is None
