# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Answers that the contract does not have, also where what was asked about is used up by asking."""

from dataclasses import replace
from typing import Any

from starlette.responses import Response

from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.responses import documented_responses
from devportal.conformance.results.result import Standing
from tests.apps.library import Library
from tests.conformance.families.lending import asked_of

DELETING = replace(documented_responses.FAMILY, probes=deleted_resources.probes)
"""The family as it looks at what another asks."""


class ShowsWhatWasDeleted(Library):
    def delete(self, tenant: str, key: str) -> Response:
        return self.json(self.books[tenant].pop(key), 200)


class ShowsItOnce(ShowsWhatWasDeleted):
    has_shown = False

    def delete(self, tenant: str, key: str) -> Response:
        response = super().delete(tenant, key)
        if self.has_shown:
            return Response(status_code=204)
        self.has_shown = True
        return response


class MarksTheByteOrder(Library):
    def json(self, body: Any, status: int, headers: dict[str, str] | None = None) -> Response:
        response = super().json(body, status, headers)
        return Response(b"\xef\xbb\xbf" + bytes(response.body), status, media_type="application/json")


def test_a_body_with_a_byte_order_mark_is_no_json() -> None:
    """Strict parsers do not read it (RFC 8259 §8.1)."""
    failures = asked_of(DELETING, MarksTheByteOrder()).failures

    assert "the body is not JSON" in {failure.message for failure in failures}


def test_a_status_of_what_is_gone_is_confirmed_with_another_thing() -> None:
    """What was deleted cannot be deleted again: one is made, under a key of its own, and deleted."""
    (failure,) = asked_of(DELETING, ShowsWhatWasDeleted()).failures

    assert (failure.title, failure.standing) == ("200: undocumented status", Standing.CONFIRMED)
    assert failure.operation == "DELETE /v1/books/{book_id}"


def test_what_no_other_thing_shows_is_not_confirmed() -> None:
    """A single answer that differs is told and not counted."""
    (failure,) = asked_of(DELETING, ShowsItOnce()).failures

    assert (failure.title, failure.standing) == ("200: undocumented status", Standing.NOT_REPRODUCED)


def test_a_right_server_is_left_in_peace() -> None:
    """What is documented is nobody's fault."""
    assert not asked_of(DELETING, Library()).failures
