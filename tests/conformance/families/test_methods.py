# ruff: noqa: D102 - methods override promises: their names say it all
"""Methods that nobody declared."""

from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.methods import FAMILY
from tests.conformance.families.crates import Crates, Refusal, found, titles


class Echoing(Crates):
    """Answers TRACE as the textbook says."""

    def answer(self, request: Request, body: bytes) -> Response:
        if request.method == "TRACE":
            return self.json(dict(request.headers))
        return super().answer(request, body)


class Unprepared(Crates):
    """Breaks at what a browser asks first."""

    def answer(self, request: Request, body: bytes) -> Response:
        if request.headers.get("access-control-request-method"):
            raise Refusal(500, "boom")
        return super().answer(request, body)


def test_the_right_server_is_left_alone() -> None:
    """404 is right where no 405 is promised."""
    assert not found(FAMILY, Crates())


def test_trace_and_preflight() -> None:
    """A credential in the answer to TRACE and a preflight that breaks the server are found."""
    assert titles(FAMILY, Echoing()) == {"TRACE repeats a credential"}
    assert titles(FAMILY, Unprepared()) == {"an undeclared method is a server error"}


def test_one_fault_of_many_methods_is_one() -> None:
    """What every method gets is told once, with all of them."""

    class Broken(Crates):
        def answer(self, request: Request, body: bytes) -> Response:
            if request.method in ("PUT", "PATCH"):
                raise Refusal(500, "boom")
            return super().answer(request, body)

    failures = found(FAMILY, Broken())

    assert [one.operation for one in failures] == ["POST /v1/crates", "GET /v1/crates/{crate_id}"]
    assert all(one.message == "PUT gets 500; PATCH gets 500" for one in failures)
