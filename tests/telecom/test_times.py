"""Times as the API writes and reads them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecom.times import from_rfc3339, rfc3339


@given(st.datetimes(timezones=st.just(UTC)))
def test_time_that_is_written_is_read_again(moment: datetime) -> None:
    """Milliseconds survive; what is finer is cut off."""
    kept = moment.replace(microsecond=moment.microsecond // 1000 * 1000)

    assert from_rfc3339(rfc3339(moment)) == kept


def test_time_of_another_zone_is_written_in_utc() -> None:
    """Whatever clock it comes from, a reader sees one zone."""
    berlin = timezone(timedelta(hours=1))

    assert rfc3339(datetime(2026, 11, 21, 10, 30, tzinfo=berlin)) == "2026-11-21T09:30:00.000Z"


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-31T23:59:60Z",
        "0000-01-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-11-21T09:30:00",
        "noon",
        "",
    ],
)
def test_time_that_no_clock_shows_is_none(text: str) -> None:
    """A leap second and the year 0 are allowed by RFC 3339; a time without zone is not."""
    assert from_rfc3339(text) is None
