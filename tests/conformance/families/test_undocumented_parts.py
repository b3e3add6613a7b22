# ruff: noqa: D102 - methods override promises: their names say it all
"""What answers have and nobody documents."""

from dataclasses import replace
from typing import Any

from starlette.responses import Response

from devportal.conformance.families.undocumented_parts import FAMILY, SECRET_SHOWN, standard_headers
from devportal.conformance.results.result import Standing
from tests.conformance.families.asking import run_family
from tests.conformance.families.crates import CONTRACT, Crates
from tests.conformance.running import subject_of


class Talkative(Crates):
    """Says more than the contract."""

    def json(self, body: Any, status: int = 200, kind: str = "application/json") -> Response:
        more = {**body, "internal": 1} if isinstance(body, dict) and status == 200 else body
        response = super().json(more, status, kind)
        response.headers["X-Debug"] = "1"
        response.headers["CF-Ray"] = "1"
        return response


def test_the_right_server_is_left_alone() -> None:
    """Headers of HTTP, and one that another operation documents, are no news."""
    assert not run_family(FAMILY, Crates(), subject_of(CONTRACT)).failures


def test_what_is_undocumented_is_noted() -> None:
    """Members and headers are told, and fail no run; what a gateway adds is not told."""
    log = run_family(FAMILY, Talkative(), subject_of(CONTRACT))

    assert {(failure.title, failure.standing, failure.fails) for failure in log.failures} == {
        ("undocumented headers", Standing.NOTE, False),
        ("undocumented members", Standing.NOTE, False),
    }
    assert [failure.message for failure in log.failures] == [
        "the contract does not name 'x-debug'",
        "the contract does not name '/internal'",
    ]


class ShowsPins(Crates):
    """Shows what is only written."""

    def json(self, body: Any, status: int = 200, kind: str = "application/json") -> Response:
        more = {**body, "pin": "1234"} if isinstance(body, dict) and status == 200 else body
        return super().json(more, status, kind)


def test_what_is_only_written_is_not_shown() -> None:
    """A member that the request alone has, with `writeOnly`, is no undocumented part like others."""
    log = run_family(FAMILY, ShowsPins(), subject_of(CONTRACT))

    assert [(failure.title, failure.fails) for failure in log.failures] == [(SECRET_SHOWN, True)]


def test_what_is_undocumented_fails_where_that_is_asked_for() -> None:
    """With `undocumented: fail` the same is confirmed and counts."""
    log = run_family(FAMILY, Talkative(), replace(subject_of(CONTRACT), undocumented_fails=True))

    assert [failure.standing for failure in log.failures] == [Standing.CONFIRMED] * 2


def test_the_list_of_headers_is_in_lower_case() -> None:
    """They are compared with names in lower case."""
    assert all(standard_header == standard_header.lower() for standard_header in standard_headers())
    assert "content-type" in standard_headers()
