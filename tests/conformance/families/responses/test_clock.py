# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Times are those of now."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.families.responses import timestamps
from tests.apps.library import Library, Thing
from tests.conformance.families.lending import asked_of, failure_titles, library
from tests.conformance.values import exchange

SENT_AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC).timestamp()
DATE = "Sat, 21 Nov 2026 09:30:00 GMT"


class AnHourLate(Library):
    def now(self) -> str:
        return (datetime.now(UTC) - timedelta(hours=1)).isoformat()


class UpdatedBefore(Library):
    def store(self, tenant: str, wish: Thing) -> Thing:
        book = super().store(tenant, wish)
        book["updated_at"] = (datetime.now(UTC) - timedelta(minutes=1)).isoformat()
        return book


class FourMinutesLate(Library):
    def now(self) -> str:
        return (datetime.now(UTC) - timedelta(minutes=4)).isoformat()


@pytest.mark.parametrize(
    ("app", "titles"),
    [
        (AnHourLate, {"'created_at' of something new is not now"}),
        (UpdatedBefore, {"'updated_at' is before 'created_at'"}),
    ],
)
def test_each_wrong_server_is_found(app: type[Library], titles: set[str]) -> None:
    """A wrong time is found where it stands, once."""
    assert failure_titles(timestamps.FAMILY, app()) == titles


@pytest.mark.parametrize("app", [Library, FourMinutesLate])
def test_right_servers_are_left_in_peace(app: type[Library]) -> None:
    """Clocks of two machines may differ by some minutes."""
    log = asked_of(timestamps.FAMILY, app())

    assert not log.failures
    assert log.tallies


def response_at(status: int, **headers: str) -> Exchange:
    """Return an exchange with the library, sent at a fixed time."""
    made = exchange(status, {}, **headers)
    return replace(made, operation="POST /v1/books", sent_at=SENT_AT)


def titles(made: Exchange) -> list[str]:
    """Return what is wrong with the times of an answer."""
    return [failure.title for failure in timestamps.find_failures(library(), (made,))]


@pytest.mark.parametrize("text", ["0", "120", "86400", "Sat, 21 Nov 2026 09:35:00 GMT"])
def test_times_to_wait_are_seconds_or_dates(text: str) -> None:
    """What RFC 9110 allows is right."""
    assert titles(response_at(429, Retry_After=text, Date=DATE)) == []


@pytest.mark.parametrize("text", ["soon", "-1", "1.5", "PT5S", "2026-11-21T09:35:00Z"])
def test_other_times_to_wait_are_none(text: str) -> None:
    """What a client cannot read is a fault, on 429 and 503 only."""
    assert titles(response_at(429, Retry_After=text)) == ["Retry-After is not a time"]
    assert titles(response_at(503, Retry_After=text)) == ["Retry-After is not a time"]
    assert titles(response_at(201, Retry_After=text)) == []


def test_nobody_can_wait_for_longer_than_a_day() -> None:
    """Milliseconds, and seconds since 1970, are found by their size."""
    assert titles(response_at(503, Retry_After="1795253400")) == ["Retry-After is longer than a day"]
    assert titles(response_at(429, Retry_After="Sat, 28 Nov 2026 09:30:00 GMT", Date=DATE)) == [
        "Retry-After is longer than a day"
    ]


def test_what_was_changed_last_was_changed_before() -> None:
    """Last-Modified is not after Date."""
    assert titles(response_at(200, Last_Modified="Sat, 21 Nov 2026 09:29:00 GMT", Date=DATE)) == []
    assert titles(response_at(200, Last_Modified="Sat, 21 Nov 2026 19:30:00 GMT", Date=DATE)) == [
        "Last-Modified lies in the future"
    ]


def test_a_cached_answer_has_an_earlier_date() -> None:
    """An answer with an age was given before."""
    old = "Sat, 21 Nov 2026 08:30:00 GMT"

    assert titles(response_at(200, Date=old)) == ["the Date header is not the time"]
    assert titles(response_at(200, Date=old, Age="3600")) == []
