# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Lists in pages: by cursor, number, offset and Link header."""

import itertools
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.paging import pagination
from tests.apps.library import NAMES, Library, Refusal, Thing
from tests.conformance.families.lending import asked_of, failure_titles
from tests.conformance.families.responses.test_links import add_books


class LosesOne(Library):
    def start(self, books: list[Thing], cursor: str | None) -> int:
        return super().start(books, cursor) + (cursor is not None)


class RepeatsOne(Library):
    def start(self, books: list[Thing], cursor: str | None) -> int:
        return super().start(books, cursor) - (cursor is not None and len(books) > 1)


class IgnoresCursors(Library):
    def start(self, books: list[Thing], cursor: str | None) -> int:
        return 0


class TakesWrongCursorsForNone(Library):
    def start(self, books: list[Thing], cursor: str | None) -> int:
        try:
            return super().start(books, cursor)
        except Refusal:
            return 0


class DiesOfWrongCursors(Library):
    def start(self, books: list[Thing], cursor: str | None) -> int:
        try:
            return super().start(books, cursor)
        except Refusal as refusal:
            raise Refusal(500, "what is that") from refusal


class OneTooMany(Library):
    def limit(self, asked: int) -> int:
        return asked + 1


class IgnoresLimits(Library):
    def limit(self, asked: int) -> int:
        return 50


class NeverEnds(Library):
    turns = itertools.count()

    def start(self, books: list[Thing], cursor: str | None) -> int:
        return (
            len(books) if cursor is not None and cursor.startswith("more") else super().start(books, cursor)
        )

    def next_cursor(self, books: list[Thing], end: int) -> str | None:
        return super().next_cursor(books, end) or f"more{next(self.turns)}"


class BreaksInTheMiddle(Library):
    def start(self, books: list[Thing], cursor: str | None) -> int:
        start = super().start(books, cursor)
        if start > 2:
            raise Refusal(400, "no such cursor")
        return start


class Shuffles(Library):
    turns = itertools.count()

    def books_page(self, request: Request, books: list[Thing]) -> Response:
        if int(request.query_params.get("limit", 3)) < 50 and next(self.turns) % 3 == 0:
            books.reverse()
        return super().books_page(request, books)


class TurnsLargePages(Library):
    """Shows the newest first where several are asked for."""

    def books_page(self, request: Request, books: list[Thing]) -> Response:
        is_large = int(request.query_params.get("limit", 3)) == 50
        return super().books_page(request, books[::-1] if is_large else books)


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (LosesOne, "pages lose items"),
        (RepeatsOne, "pages repeat items"),
        (IgnoresCursors, "the pages lead in a circle"),
        (TakesWrongCursorsForNone, "a wrong cursor is taken for none"),
        (DiesOfWrongCursors, "a wrong cursor is a server error"),
        (OneTooMany, "a page holds more items than were asked for"),
        (IgnoresLimits, "a page holds more items than were asked for"),
        (IgnoresLimits, "a page holds more items than the default"),
        (NeverEnds, "the pages do not end"),
        (BreaksInTheMiddle, "the next page cannot be read"),
        (Shuffles, "a page is not the same twice"),
        (TurnsLargePages, "the order changes with the size of pages"),
    ],
)
def test_each_wrong_server_is_found(app: type[Library], title: str) -> None:
    """Lost, repeated, endless, too long, never the same: each has its own title."""
    assert title in failure_titles(pagination.FAMILY, add_books(app(), 7))


class PagesFromZero(Library):
    """Counts pages from 0, which the contract leaves open."""

    def shelves(self, request: Request) -> list[Thing]:
        number, size = (
            int(request.query_params.get(name, usual)) for name, usual in (("page", 0), ("per_page", 4))
        )
        return NAMES[number * size : (number + 1) * size]


class OthersWrite(Library):
    """Gets a new book, in front, with every other reading of the list."""

    turns = itertools.count()

    def shown_books(self, tenant: str) -> list[Thing]:
        if next(self.turns) % 2 and len(self.books.get(tenant, {})) < 40:
            book = {**self.store(tenant, {"title": "new", "genre": "novel"})}
            self.books[tenant] = {book["id"]: book, **self.books[tenant]}
        return super().shown_books(tenant)


class EmptyPages(Library):
    """Gives a next page though nothing follows."""

    def next_cursor(self, books: list[Thing], end: int) -> str | None:
        return books[end - 1]["id"] if end <= len(books) and books else None


class ReadsBack(Library):
    """Shows the newest page first, and each from its oldest entry on."""

    def readers(self, request: Request) -> list[Thing]:
        end = max(len(NAMES) - int(request.query_params.get("offset", 0)), 0)
        return NAMES[max(end - int(request.query_params.get("limit", 4)), 0) : end]


@pytest.mark.parametrize("app", [Library, PagesFromZero, OthersWrite, EmptyPages, ReadsBack])
def test_right_servers_are_left_in_peace(app: type[Library]) -> None:
    """Pages from 0, a list that others write to, an empty last page, pages from the end: no faults."""
    log = asked_of(pagination.FAMILY, app())

    assert not log.failures
    assert {name for name, _, _, passed in log.tallies if passed} >= {
        "GET /v1/books",
        "GET /v1/shelves",
        "GET /v1/readers",
        "GET /v1/news",
    }


class LosesShelves(Library):
    def shelves(self, request: Request) -> list[Thing]:
        is_large = request.query_params.get("per_page") == "20"
        return [shelf for shelf in super().shelves(request) if is_large or shelf["name"] != "n03"]


class RepeatsReaders(Library):
    def readers(self, request: Request) -> list[Any]:
        start = max(int(request.query_params.get("offset", 0)) - 1, 0)
        return NAMES[start : start + int(request.query_params.get("limit", 4))]


class LosesNews(Library):
    def news(self, request: Request) -> Response:
        response = super().news(request)
        link = response.headers.get("link", "")
        response.headers["link"] = link.replace("after=2", "after=3")
        return response


def test_pages_by_number_offset_and_link_are_compared_too() -> None:
    """Whatever leads to the next page, what is lost or repeated is found."""
    assert failure_titles(pagination.FAMILY, LosesShelves()) == {"pages lose items"}
    assert "pages repeat items" in failure_titles(pagination.FAMILY, RepeatsReaders())
    assert "pages lose items" in failure_titles(pagination.FAMILY, LosesNews())
