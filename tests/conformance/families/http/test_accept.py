# ruff: noqa: D102, ARG002 - methods override promises: their names say it all
"""Accept: negotiated as HTTP says."""

import gzip
import json

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.http.accept import FAMILY
from tests.conformance.families.servers.crates import Crates, Refusal, failures_of, titles


class NoRanges(Crates):
    """Knows no weights and no ranges."""

    def acceptable(self, request: Request) -> None:
        if request.headers.get("accept", "*/*") not in ("*/*", "application/json"):
            raise Refusal(406, "there is JSON only")


class Deaf(Crates):
    """Does not look."""

    def acceptable(self, request: Request) -> None:
        assert request is not None


class Strict(Crates):
    """Breaks where a range has no slash."""

    def acceptable(self, request: Request) -> None:
        for part in request.headers.get("accept", "*/*").split(","):
            part.split("/")[1]
        super().acceptable(request)


def test_the_right_server_is_left_alone() -> None:
    """It understands ranges, weights and letter case."""
    assert not failures_of(FAMILY, Crates())


def test_each_way_to_misread_accept() -> None:
    """Ranges that are not understood, a promised 406 that does not come, and a broken parser are found."""
    assert titles(FAMILY, NoRanges()) == {"an Accept that can be met is not understood"}
    assert titles(FAMILY, Deaf()) == {"an Accept that cannot be met is not rejected with 406"}
    assert titles(FAMILY, Strict()) == {"an unreadable Accept is a server error"}


class Compresses(Crates):
    """Compresses for who accepts it."""

    def answer(self, request: Request, body: bytes) -> Response:
        response = super().answer(request, body)
        if request.method == "GET" and self.may_compress(request):
            response.body = gzip.compress(self.content(bytes(response.body)))
            response.headers["Content-Encoding"] = "gzip"
            response.headers["Content-Length"] = str(len(response.body))
        return response

    def may_compress(self, request: Request) -> bool:
        return "gzip" in request.headers.get("accept-encoding", "")

    def content(self, body: bytes) -> bytes:
        return body


class AlwaysCompresses(Compresses):
    """Compresses for everybody."""

    def may_compress(self, request: Request) -> bool:
        return True


class CompressesAnOldCopy(Compresses):
    """Compresses another content."""

    def content(self, body: bytes) -> bytes:
        return json.dumps([]).encode()


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (Compresses, None),
        (AlwaysCompresses, "a response is compressed although identity was asked for"),
        (CompressesAnOldCopy, "a compressed response is not the same as a plain one"),
    ],
)
def test_compression(app: type[Crates], title: str | None) -> None:
    """A response is compressed on request only, and is the same then."""
    assert titles(FAMILY, app()) == ({title} if title else set())
