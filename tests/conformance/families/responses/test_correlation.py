# ruff: noqa: D102, ARG002 - methods override promises: their names say it all
"""Names of answers: each has its own, and no client forges one."""

from dataclasses import replace
from itertools import count
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.deployment.exchange import Exchange, HttpResponse
from devportal.conformance.deployment.exchange import Request as Asked
from devportal.conformance.families.responses import correlation
from devportal.conformance.families.responses.correlation import FAMILY
from tests.conformance.families.servers.crates import CONTRACT, Crates, failures_of, titles
from tests.conformance.running import subject_of

NAME = "0123456789abcdef0123456789abcdef"


class Repeating(Crates):
    """Has two names."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = count()

    def new_name(self, request: Request) -> str:
        return f"{next(self.turns) % 2:032x}"


class Echoing(Crates):
    """Takes whatever name a client gives."""

    def new_name(self, request: Request) -> str:
        return request.headers.get("x-request-id") or super().new_name(request)


class Decoding(Crates):
    """Decodes the name that a client gives, and writes it out."""

    def answer(self, request: Request, body: bytes) -> Response:
        response = super().answer(request, body)
        given = unquote(request.headers.get("x-request-id", ""))
        for line in given.split("\r\n")[1:]:
            name, _, value = line.partition(":")
            response.headers[name] = value.strip()
        return response


def exchange(**headers: str) -> Exchange:
    """Return an exchange of `readCrate` whose answer is named."""
    return Exchange(
        operation="GET /v1/crates/{crate_id}",
        request=Asked(method="GET", url="http://127.0.0.1:1/v1/crates/crt_1"),
        answer=HttpResponse(status=200, headers=(("X-Request-Id", NAME), *headers.items()), body=b"{}"),
    )


def test_the_right_server_is_left_alone() -> None:
    """It makes a new name each time, and keeps to its own."""
    assert not failures_of(FAMILY, Crates())


def test_names_that_come_again_and_names_of_clients() -> None:
    """A name of two answers, a forged one and one that adds a header are found."""
    assert "two responses have the same X-Request-Id" in titles(FAMILY, Repeating())
    assert "a client's identifier replaces a valid one" in titles(FAMILY, Echoing())
    assert titles(FAMILY, Decoding()) == {"a client's identifier adds a header"}


def test_names_that_may_come_twice() -> None:
    """An answer from a cache, one to a repeatable request and one that the client named may be the same."""
    subject = subject_of(CONTRACT)
    first = exchange()
    keyed, given = (
        replace(first, request=replace(first.request, headers=(pair,)))
        for pair in (("Idempotency-Key", "k"), ("X-Request-Id", NAME))
    )

    assert list(correlation.find_failures(subject, (first, exchange())))
    for other in (exchange(Age="3"), keyed, given):
        assert not list(correlation.find_failures(subject, (first, other)))
