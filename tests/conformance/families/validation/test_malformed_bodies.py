# ruff: noqa: D102 - methods override promises: their names say it all
"""Odd bodies, and bodies that travel oddly, break no server."""

import gzip
import json
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.validation.malformed_bodies import FAMILY
from tests.conformance.families.servers.crates import Crates, Refusal, failures_of, titles


class Unzipping(Crates):
    """Believes what Content-Encoding says."""

    def answer(self, request: Request, body: bytes) -> Response:
        if request.headers.get("content-encoding") == "gzip":
            try:
                return self.pack(self.parse(gzip.decompress(body)))
            except OSError as error:
                raise Refusal(500, "boom") from error
        return super().answer(request, body)


class NeedsLength(Crates):
    """Breaks without Content-Length."""

    def answer(self, request: Request, body: bytes) -> Response:
        if request.method == "POST" and "content-length" not in request.headers:
            raise Refusal(500, "boom")
        return super().answer(request, body)


class ReadsWithGet(Crates):
    """Parses the body of a GET."""

    def answer(self, request: Request, body: bytes) -> Response:
        if request.method == "GET" and body:
            raise Refusal(500, "boom")
        return super().answer(request, body)


class Trusting(Crates):
    """Breaks at numbers beyond every float."""

    def parse(self, body: bytes) -> Any:
        data = json.loads(body) if b"1e999" in body else super().parse(body)
        if b"1e999" in body:
            raise Refusal(500, "boom")
        return data


def test_the_right_server_is_left_alone() -> None:
    """It takes or refuses each of them."""
    assert not failures_of(FAMILY, Crates())


@pytest.mark.parametrize(
    ("server", "title"),
    [
        (Unzipping, "a body that is not compressed as it says is a server error"),
        (NeedsLength, "a body in chunks is a server error"),
        (ReadsWithGet, "a body with GET is a server error"),
        (Trusting, "a number that fits in no float is a server error"),
    ],
)
def test_each_odd_way(server: type[Crates], title: str) -> None:
    """What breaks the server is found."""
    assert titles(FAMILY, server()) == {title}
