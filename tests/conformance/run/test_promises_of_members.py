# ruff: noqa: D102, ARG002 - methods override promises: their names say it all
"""The line that a failure quotes is that of the member or the parameter that is wrong."""

from datetime import UTC, datetime

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.http import repeat_reads
from devportal.conformance.families.paging import pagination
from devportal.conformance.families.responses import timestamps
from devportal.conformance.family import Family
from devportal.conformance.results.run_result import PromiseLines
from tests.apps.library import Library, Thing
from tests.conformance.families.lending import CONTRACT, asked_of
from tests.contracts import contract_at


class ShortTitles(Library):
    def show(self, request: Request, book: Thing) -> Response:
        return self.json({**book, "title": book["title"][:3]}, 200)


class Unchanging(Library):
    def change(self, book: Thing, wish: Thing) -> Thing:
        return {**book, **wish}


class Restless(Library):
    def show(self, request: Request, book: Thing) -> Response:
        book["title"] += "!"
        return self.json(book, 200)


class OldClock(Library):
    def now(self) -> str:
        return datetime(2001, 1, 1, tzinfo=UTC).isoformat()


class AnyGenre(Library):
    def filter_by_genre(self, books: list[Thing], genre: str | None) -> list[Thing]:
        return books


class LongPages(Library):
    def limit(self, asked: int) -> int:
        return asked + 1


@pytest.mark.parametrize(
    ("family", "app", "line"),
    [
        (stored_resources.FAMILY, ShortTitles, "title:"),
        (updated_resources.FAMILY, Unchanging, "copies:"),
        (repeat_reads.FAMILY, Restless, "title:"),
        (timestamps.FAMILY, OldClock, "created_at:"),
        (filters.FAMILY, AnyGenre, "- name: genre"),
        (pagination.FAMILY, LongPages, "- name: limit"),
    ],
    ids=lambda item: getattr(item, "name", ""),
)
def test_the_broken_line_is_quoted(family: Family, app: type[Library], line: str) -> None:
    """Nobody has to look for the member in a long schema, or for the parameter in a long list."""
    lines = PromiseLines(contract_at(CONTRACT))
    quoted = [lines.at(failure.promise) for failure in asked_of(family, app()).failures if failure.fails]

    assert any(text.replace("{", "").strip().startswith(line) for text in quoted), quoted
