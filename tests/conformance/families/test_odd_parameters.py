# ruff: noqa: D102 - methods override promises: their names say it all
"""Odd values in addresses and headers break no server."""

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.odd_parameters import FAMILY
from tests.conformance.families.crates import Crates, Refusal, Thing, found, titles


class NulInPath(Crates):
    """Hands a NUL to its database."""

    def find(self, key: str) -> Thing:
        if "\x00" in key:
            raise Refusal(500, "boom")
        return super().find(key)


class RepeatedQuery(Crates):
    """Thinks that each name comes once."""

    def listed(self, request: Request) -> Response:
        if len(request.query_params.getlist("colour")) > 1:
            raise Refusal(500, "boom")
        return super().listed(request)


class UnknownQuery(Crates):
    """Breaks where a name is unknown."""

    def listed(self, request: Request) -> Response:
        if set(request.query_params) - {"limit", "fragile", "colour"}:
            raise Refusal(500, "boom")
        return super().listed(request)


def test_the_right_server_is_left_alone() -> None:
    """Any answer but a server error is right."""
    assert not found(FAMILY, Crates())


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
