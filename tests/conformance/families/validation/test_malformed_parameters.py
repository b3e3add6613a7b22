# ruff: noqa: D102 - methods override promises: their names say it all
"""Odd values in addresses and headers break no server."""

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.validation.malformed_parameters import (
    FAMILY,
    MALFORMED_VALUES,
    VALUES_AGAIN,
)
from devportal.contract import ParameterLocation
from tests.apps.library import Library
from tests.conformance.families.lending import asked_of
from tests.conformance.families.servers.crates import Crates, Refusal, Thing, failures_of, titles


class NulInPath(Crates):
    """Hands a NUL to its database."""

    def find(self, key: str) -> Thing:
        if "\x00" in key:
            raise Refusal(500, "boom")
        return super().find(key)


class RepeatedQuery(Crates):
    """Thinks that each name comes once."""

    def list_crates(self, request: Request) -> Response:
        if len(request.query_params.getlist("colour")) > 1:
            raise Refusal(500, "boom")
        return super().list_crates(request)


class UnknownQuery(Crates):
    """Breaks where a name is unknown."""

    def list_crates(self, request: Request) -> Response:
        if set(request.query_params) - {"limit", "fragile", "colour"}:
            raise Refusal(500, "boom")
        return super().list_crates(request)


def test_the_right_server_is_left_alone() -> None:
    """Any answer but a server error is right."""
    assert not failures_of(FAMILY, Crates())


@pytest.mark.parametrize(
    ("server", "title"),
    [
        (NulInPath, "an odd value in the path is a server error"),
        (RepeatedQuery, "an odd value in the query is a server error"),
        (UnknownQuery, "an undeclared query is a server error"),
    ],
)
def test_each_odd_value(server: type[Crates], title: str) -> None:
    """What breaks the server is found where it stands."""
    assert title in titles(FAMILY, server())


class Notes(Library):
    """Writes down what is asked for, as it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def answer(self, request: Request, body: bytes) -> Response:
        self.asked.append(f"{request.scope['raw_path'].decode()}?{request.scope['query_string'].decode()}")
        return super().answer(request, body)


def test_what_is_shared_is_tried_at_one_operation_in_full_and_at_others_in_turn() -> None:
    """Loans are named by one schema: reading one gets all odd values, giving one back gets a few of them."""
    app = Notes()

    asked_of(FAMILY, app)

    names = [url.removeprefix("/v1/loans/") for url in app.asked if url.startswith("/v1/loans/")]
    odd = [name for name in names if not name.startswith("ln_")]
    assert (
        len([name for name in odd if "/return" not in name])
        >= len(MALFORMED_VALUES[ParameterLocation.PATH].per_schema) + 1
    )
    assert len([name for name in odd if "/return" in name]) == VALUES_AGAIN


def test_every_text_gets_what_is_its_own_and_all_of_them_the_rest() -> None:
    """A NUL is tried in each text of a query; what is decoded alike for all is tried in one or another."""
    app, texts = Notes(), ("cursor", "title", "created_after", "created_before")

    asked_of(FAMILY, app)

    assert all(f"/v1/books?{name}={value}" in app.asked for name in texts for value in ("%00", "%ff%fe"))
    for value in ("%zz", "%F0%9F%8E%89", "..%2F..%2Fetc", "%0d%0aX-Devportal%3A%201", "-1", "1e999", ""):
        assert [name for name in texts if f"/v1/books?{name}={value}" in app.asked], value
