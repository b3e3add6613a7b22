# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Reading changes nothing."""

import itertools
import time

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.http import repeat_reads
from tests.apps.library import Library, Refusal, Thing
from tests.conformance.families.lending import asked_of, failure_titles
from tests.conformance.families.responses.test_links import add_books


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
    assert titles & failure_titles(repeat_reads.FAMILY, add_books(app()))


class Grows(Library):
    """Counts readings in its answer, and makes the tag from all of it."""

    def show(self, request: Request, book: Thing) -> Response:
        book["readings"] = time.monotonic_ns()
        return super().show(request, book)


class BreaksOnWeakTags(Library):
    def show(self, request: Request, book: Thing) -> Response:
        if request.headers.get("if-none-match", "").startswith("W/"):
            raise Refusal(500, "boom")
        return super().show(request, book)


class Untagged(Library):
    def show(self, request: Request, book: Thing) -> Response:
        response = super().show(request, book)
        if response.status_code == 304:
            del response.headers["ETag"]
        return response


class KnowsLists(Library):
    def show(self, request: Request, book: Thing) -> Response:
        tags = request.headers.get("if-none-match", "").replace("W/", "").split(", ")
        if self.tag(book) in tags:
            return Response(status_code=304, headers={"ETag": self.tag(book)})
        return self.json(book, 200, {"ETag": self.tag(book)})


def test_tags_among_others_and_weakened_ones() -> None:
    """Not to know them is a note: hardly any client sends lists. They must not break the server."""
    title = "a tag is not understood among others, or weakened"
    by_app = {
        app: [
            (failure.title, failure.fails)
            for failure in asked_of(repeat_reads.FAMILY, add_books(app())).failures
        ]
        for app in (BreaksOnWeakTags, Library, KnowsLists)
    }

    assert (title, True) in by_app[BreaksOnWeakTags] or (title, False) in by_app[BreaksOnWeakTags]
    assert by_app[Library] == [(title, False)]
    assert by_app[KnowsLists] == []
    assert "304 has no ETag" in failure_titles(repeat_reads.FAMILY, add_books(Untagged()))


@pytest.mark.parametrize("app", [Library, Grows])
def test_right_servers_are_left_in_peace(app: type[Library]) -> None:
    """What a server adds of its own may change."""
    assert not failure_titles(repeat_reads.FAMILY, add_books(app()))


class BareTags(Library):
    def show(self, request: Request, book: Thing) -> Response:
        return self.json(book, 200, {"ETag": "v1-7", "Last-Modified": "2026-11-21T09:30:00Z"})


class TimesOfHttp(Library):
    def show(self, request: Request, book: Thing) -> Response:
        return self.json(
            book, 200, {"ETag": self.tag(book), "Last-Modified": "Sat, 21 Nov 2026 09:30:00 GMT"}
        )


def test_validators_have_the_form_of_http() -> None:
    """A tag without quotes, and a time in the form of JSON, are known to no cache."""
    invalid = {"ETag is not valid", "Last-Modified is not valid"}

    assert invalid <= failure_titles(repeat_reads.FAMILY, add_books(BareTags()))
    assert not invalid & failure_titles(repeat_reads.FAMILY, add_books(TimesOfHttp()))
