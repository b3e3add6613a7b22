# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Links must lead somewhere."""

from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.responses import links
from tests.apps.library import Library, Refusal, Thing
from tests.conformance.families.lending import failure_titles


class AnswersWithAnotherId(Library):
    def created_response(self, book: Thing) -> Response:
        return super().created_response({**book, "id": "bk_" + "0" * 32})


class DiesOfTheNextPage(Library):
    def start(self, books: list[Thing], cursor: str | None) -> int:
        if cursor is not None:
            raise Refusal(500, "no next page")
        return 0


class ListsTheDead(Library):
    def books_page(self, request: Request, books: list[Thing]) -> Response:
        return self.json({"data": [{"id": "bk_" + "f" * 32}], "next_cursor": None}, 200)


def add_books(app: Library, count: int = 5) -> Library:
    """Return a server that has books."""
    for number in range(count):
        app.store("main", {"title": f"T{number}", "genre": "novel"})
    return app


def test_links_that_lead_nowhere_are_found() -> None:
    """From what was made, from a list, to a next page."""
    assert failure_titles(links.FAMILY, AnswersWithAnotherId()) == {"the link 'read' leads nowhere"}
    assert failure_titles(links.FAMILY, add_books(DiesOfTheNextPage())) == {"the link 'next' leads nowhere"}
    assert failure_titles(links.FAMILY, ListsTheDead()) == {"the link 'first' leads nowhere"}


def test_links_without_values_are_none() -> None:
    """An empty list has no first item, and its last page no next one."""
    assert not failure_titles(links.FAMILY, Library())
    assert not failure_titles(links.FAMILY, add_books(Library()))
