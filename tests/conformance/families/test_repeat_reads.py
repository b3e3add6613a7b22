# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Reading changes nothing."""

import itertools
import time

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families import repeat_reads
from tests.apps.library import Library, Refusal, Thing
from tests.conformance.families.lending import found
from tests.conformance.families.test_links import full


class ComesAndGoes(Library):
    turns = itertools.count()

    def book(self, tenant: str, key: str) -> Thing:
        if next(self.turns) % 3 == 2:
            raise Refusal(404, "no such book")
        return super().book(tenant, key)


class ChangesTitles(Library):
    turns = itertools.count()

    def show(self, request: Request, book: Thing) -> Response:
        return self.json({**book, "title": book["title"] + "!" * (next(self.turns) % 2)}, 200)


class OneTagForAll(Library):
    turns = itertools.count()

    def show(self, request: Request, book: Thing) -> Response:
        return self.json({**book, "copies": next(self.turns)}, 200, {"ETag": '"1"'})


class NeverNotModified(Library):
    def show(self, request: Request, book: Thing) -> Response:
        return self.json(book, 200, {"ETag": self.tag(book)})


class AlwaysNotModified(Library):
    def show(self, request: Request, book: Thing) -> Response:
        if "if-none-match" in request.headers:
            return Response(status_code=304)
        return self.json(book, 200, {"ETag": self.tag(book)})


@pytest.mark.parametrize(
    ("app", "titles"),
    [
        (ComesAndGoes, {"a thing comes and goes"}),
        (ChangesTitles, {"a thing changes from reading to reading"}),
        (OneTagForAll, {"a thing changes from reading to reading", "one tag for two versions"}),
        (NeverNotModified, {"what has not changed is sent again"}),
        (AlwaysNotModified, {"another version is called unchanged"}),
    ],
)
def test_each_wrong_server_is_found(app: type[Library], titles: set[str]) -> None:
    """A thing that flickers, and validators that do not tell the truth, are found."""
    assert titles & found(repeat_reads.FAMILY, full(app()))


class Grows(Library):
    """Counts readings in its answer, and makes the tag from all of it."""

    def show(self, request: Request, book: Thing) -> Response:
        book["readings"] = time.monotonic_ns()
        return super().show(request, book)


@pytest.mark.parametrize("app", [Library, Grows])
def test_right_servers_are_left_in_peace(app: type[Library]) -> None:
    """What a server adds of its own may change."""
    assert not found(repeat_reads.FAMILY, full(app()))
