"""Quotas that responses state."""

from collections.abc import Mapping

import pytest

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.families.responses.quota_fields import FAMILY, find_failures
from tests.conformance.families.asking import boxes, run_family
from tests.conformance.families.servers.boxes import Boxes

SPENT = {"limit": "10", "remaining": "0", "reset": "5"}


def exchange(
    number: int, fields: Mapping[str, str], *, prefix: str = "RateLimit-", status: int = 200
) -> Exchange:
    """Return a reading with these fields, the latest for the largest number."""
    return Exchange(
        request=Request(method="GET", url="http://127.0.0.1/v1/boxes"),
        answer=HttpResponse(
            status=status,
            headers=tuple((f"{prefix}{name.title()}", value) for name, value in fields.items()),
            body=b"{}",
            elapsed_s=0,
        ),
        operation="GET /v1/boxes",
        sent_at=float(number),
    )


def titles(*exchanges: Exchange) -> list[str]:
    """Return the titles of what is wrong with exchanges."""
    return [failure.title for failure in find_failures(boxes(), exchanges)]


@pytest.mark.parametrize(
    ("prefix", "fields", "title"),
    [
        (
            "RateLimit-",
            {"limit": "100, 100;w=60", "remaining": "101"},
            "more requests remain than the limit allows",
        ),
        ("X-RateLimit-", {"limit": "10", "remaining": "11"}, "more requests remain than the limit allows"),
        ("RateLimit-", {"limit": "10", "remaining": "-1"}, "ratelimit-remaining is negative"),
        ("RateLimit-", {"limit": "10", "reset": "-5"}, "ratelimit-reset is negative"),
        ("RateLimit-", {"limit": "10", "reset": "1795000000"}, "RateLimit-Reset is not a duration"),
    ],
)
def test_impossible_quotas_are_found(prefix: str, fields: dict[str, str], title: str) -> None:
    """Each contradiction is reported once for an operation."""
    found = [exchange(number, fields, prefix=prefix) for number in (1, 2)]

    assert titles(*found) == [title]


def test_possible_quotas_are_left_alone() -> None:
    """The last request may leave nothing, a time is usual with `X-`, and what is no number is ignored."""
    last = exchange(3, SPENT)
    refused = exchange(4, SPENT, status=429)

    assert titles(exchange(1, {"limit": "10", "remaining": "1"}), last, refused) == []
    assert titles(exchange(1, {"limit": "10", "reset": "1795000000"}, prefix="X-RateLimit-")) == []
    assert titles(exchange(1, {"limit": "many", "remaining": "some"})) == []


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("-5", "Retry-After is neither seconds nor a time"),
        ("0.5", "Retry-After is neither seconds nor a time"),
        ("Wed, 21 Oct 2015 07:28:00 GMT", "Retry-After is in the past"),
        ("Thu, 22 Oct 2099 07:28:00 GMT", ""),
        ("120", ""),
    ],
)
def test_when_to_try_again(text: str, title: str) -> None:
    """`Retry-After` is a number of seconds or a time to come (RFC 9110 §10.2.3)."""
    fields = {"retry-after": text, "date": "Fri, 27 Nov 2026 12:00:00 GMT"}

    assert titles(exchange(1, fields, prefix="", status=429)) == ([title] if title else [])


def test_three_successes_without_quota() -> None:
    """A deployment that goes on serving clients without quota does not count, or does not say what it counts."""
    served = [exchange(number, SPENT) for number in (1, 2, 3)]

    assert titles(*served) == ["requests succeed although none remains"]
    assert titles(*served[:2]) == []


def test_a_contract_without_quotas_is_not_tested() -> None:
    """A run of a contract that documents no such header says what it would need."""
    log = run_family(FAMILY, Boxes())

    assert not log.tallies
    assert "RateLimit-Remaining" in FAMILY.needs
