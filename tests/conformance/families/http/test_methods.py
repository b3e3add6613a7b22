# ruff: noqa: D102 - methods override promises: their names say it all
"""Methods that nobody declared."""

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.http.methods import FAMILY
from tests.conformance.families.servers.crates import Crates, Refusal, failures_of, titles


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
    assert not failures_of(FAMILY, Crates())


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

    failures = failures_of(FAMILY, Broken())

    assert [failure.operation for failure in failures] == ["POST /v1/crates", "GET /v1/crates/{crate_id}"]
    assert all(failure.message == "PUT gets 500; PATCH gets 500" for failure in failures)


class SaysWhatIsAllowed(Crates):
    """Rejects undeclared methods with 405 and the declared ones, which its contract does not document."""

    def answer(self, request: Request, body: bytes) -> Response:
        declared = {"GET", "POST"} if request.url.path == "/v1/crates" else {"GET"}
        if request.method == "OPTIONS":
            return self.with_allow(Response(status_code=204), declared)
        if request.method not in declared and request.method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            return self.with_allow(self.undeclared_response(), declared)
        return super().answer(request, body)

    def undeclared_response(self) -> Response:
        return self.json({"title": "no"}, 405)

    def with_allow(self, response: Response, declared: set[str]) -> Response:
        response.headers["Allow"] = ", ".join(sorted(declared))
        return response


class TakesEveryMethod(SaysWhatIsAllowed):
    """Does nothing, and succeeds."""

    def undeclared_response(self) -> Response:
        return Response(status_code=204)


class NamesNoMethod(SaysWhatIsAllowed):
    """Leaves `Allow` out of a 405."""

    def with_allow(self, response: Response, declared: set[str]) -> Response:
        return super().with_allow(response, declared) if response.status_code == 204 else response


class NamesEveryMethod(SaysWhatIsAllowed):
    """Lists methods that it rejects."""

    def with_allow(self, response: Response, declared: set[str]) -> Response:
        return super().with_allow(response, {*declared, "PUT", "DELETE"})


class ListsEveryMethod(SaysWhatIsAllowed):
    """Lists methods in the response to OPTIONS that it rejects."""

    def with_allow(self, response: Response, declared: set[str]) -> Response:
        return super().with_allow(response, {*declared, "PUT"} if response.status_code == 204 else declared)


class HidesMethods(SaysWhatIsAllowed):
    """Leaves declared methods out of the response to OPTIONS."""

    def with_allow(self, response: Response, declared: set[str]) -> Response:
        return super().with_allow(response, declared if response.status_code == 405 else {"OPTIONS"})


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (SaysWhatIsAllowed, None),
        (TakesEveryMethod, "an undeclared method succeeds"),
        (NamesNoMethod, "405 has no Allow header"),
        (NamesEveryMethod, "Allow lists the rejected method"),
        (ListsEveryMethod, "Allow lists the rejected method"),
        (HidesMethods, "Allow lacks a declared method"),
    ],
)
def test_what_is_true_of_a_405_without_a_promise(app: type[Crates], title: str | None) -> None:
    """A contract that documents no 405 leaves the choice of it to a server, and not what it says."""
    assert titles(FAMILY, app()) == ({title} if title else set())


class DeletesCrates(SaysWhatIsAllowed):
    """Executes a DELETE that the contract does not declare."""

    def answer(self, request: Request, body: bytes) -> Response:
        key = request.url.path.removeprefix("/v1/crates/")
        if request.method == "DELETE" and key != request.url.path:
            self.find(key)
            del self.crates[key]
            return Response(status_code=204)
        return super().answer(request, body)


def test_an_undeclared_delete_is_repeated_with_another_resource() -> None:
    """The repetition deletes a resource of its own, and the known one stays for other checks."""
    app = DeletesCrates()

    (failure,) = failures_of(FAMILY, app)

    assert (failure.title, failure.fails) == ("an undeclared method succeeds", True)
    assert failure.message == "DELETE gets 204"
    assert "crt_1" in app.crates
