# ruff: noqa: D102 - methods override promises: their names say it all
"""What answers have and nobody documents."""

from dataclasses import replace
from typing import Any

import pytest
from starlette.responses import Response

from devportal.conformance.families.responses.undocumented_parts import (
    FAMILY,
    SECRET_SHOWN,
    find_failures,
    standard_headers,
)
from devportal.conformance.results.result import Standing
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.crates import CONTRACT, Crates
from tests.conformance.running import subject_of, subject_of_contract
from tests.conformance.values import exchange
from tests.contract.inline import contract


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


SUPPLIERS = """\
paths:
  /suppliers/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Supplier'}}}}
components:
  schemas:
    Supplier:
      type: object
      properties: {name: {type: string}, secret: {type: string, writeOnly: true}}
"""


@pytest.mark.parametrize(
    ("secret", "is_shown"), [("s3cr3t", True), ("****", False), ("", False), (None, False)]
)
def test_one_schema_of_requests_and_responses_shows_no_secrets(secret: str | None, *, is_shown: bool) -> None:
    """Its `writeOnly` is about responses (OAS 3.1.1 §4.8.24). A mask shows nothing."""
    subject = subject_of_contract(contract(SUPPLIERS))
    reading = replace(exchange(200, {"name": "A", "secret": secret}), operation="GET /suppliers/{id}")

    failures = list(find_failures(subject, (reading,)))

    assert [failure.title for failure in failures] == [SECRET_SHOWN] * is_shown
    assert [failure.message for failure in failures] == (
        ["the contract marks '/secret' as `writeOnly`"] * is_shown
    )
