# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""What is read must be what was made."""

import time
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.lists import listed_resources
from devportal.conformance.families.references import unknown_ids
from devportal.conformance.family import Family
from tests.apps.library import Library, Refusal, Thing
from tests.conformance.families.lending import BOTH, CONTRACT, asked_of, failure_titles
from tests.conformance.running import subject_of


class NeverStored(Library):
    def book(self, tenant: str, key: str) -> Thing:
        raise Refusal(404, "no such book")


class NewestOnly(Library):
    def book(self, tenant: str, key: str) -> Thing:
        super().book(tenant, key)
        return list(self.books[tenant].values())[-1]


class ShortensTitles(Library):
    def show(self, request: Request, book: Thing) -> Response:
        return self.json({**book, "title": book["title"][:3]}, 200)


class ReversesTitles(Library):
    def store(self, tenant: str, wish: Thing) -> Thing:
        return super().store(tenant, {**wish, "title": wish["title"][::-1]})


class CapitalizesTitles(Library):
    def store(self, tenant: str, wish: Thing) -> Thing:
        return super().store(tenant, {**wish, "title": f" {wish['title'].upper()} "})


class MadeWhenRead(Library):
    def show(self, request: Request, book: Thing) -> Response:
        return self.json({**book, "created_at": datetime(2020, 1, 1, tzinfo=UTC).isoformat()}, 200)


class LendsNothing(Library):
    def show(self, request: Request, book: Thing) -> Response:
        return self.json({**book, "lendable": False}, 200)


class WrongLocation(Library):
    def location(self, book: Thing) -> str:
        return f"/v1/book/{book['id']}"


class LocationOfAnother(Library):
    def location(self, book: Thing) -> str:
        return f"/v1/books/{next(iter(self.books['main']))}"

    def created_response(self, book: Thing) -> Response:
        self.books["main"].setdefault("first", {**book, "id": f"bk_{uuid.uuid4().hex}"})
        first = self.books["main"]["first"]
        self.books["main"] = {first["id"]: first, **self.books["main"]}
        return super().created_response(book)


class AcceptsOnly(Library):
    """Says nothing of a loan that it accepts but its name and its state."""

    def lend(self, wish: Thing) -> Thing:
        return {name: value for name, value in super().lend(wish).items() if name != "reader"}

    def loan(self, key: str) -> Thing:
        loan = super().loan(key)
        return {**loan, "reader": self.reader_name(loan["reader"])}

    def reader_name(self, reader: str) -> str:
        return reader


class CutsReaders(AcceptsOnly):
    def reader_name(self, reader: str) -> str:
        return reader[:2].upper()


class KnowsOneReader(AcceptsOnly):
    def reader_name(self, reader: str) -> str:
        return "Ada"


class ListsNoPoems(Library):
    def shown_books(self, tenant: str) -> list[Thing]:
        return super().shown_books(tenant)[:1]


class FindsEverything(Library):
    def book(self, tenant: str, key: str) -> Thing:
        return self.books[tenant].get(key) or next(iter(self.books[tenant].values()))


class EchoesIdentifiers(Library):
    def book(self, tenant: str, key: str) -> Thing:
        return {**next(iter(self.books[tenant].values())), "id": key}


class BreaksAtStrangers(Library):
    status = 500

    def book(self, tenant: str, key: str) -> Thing:
        if key not in self.books.get(tenant, {}):
            raise Refusal(self.status, "no row")
        return super().book(tenant, key)


class AsksInVain(BreaksAtStrangers):
    """Asks another server for what it does not know, which is not there."""

    status = 502


@pytest.mark.parametrize(
    ("app", "family", "title"),
    [
        (NeverStored, stored_resources.FAMILY, "what was created cannot be read"),
        (NewestOnly, stored_resources.FAMILY, "a thing is read under another identifier"),
        (ShortensTitles, stored_resources.FAMILY, "what is read differs from what was created"),
        (ReversesTitles, stored_resources.FAMILY, "members of a creation are replaced"),
        (MadeWhenRead, stored_resources.FAMILY, "what is read differs from what was created"),
        (LendsNothing, stored_resources.FAMILY, "what is read differs from what was created"),
        (CutsReaders, stored_resources.FAMILY, "a text is read without its end"),
        (KnowsOneReader, stored_resources.FAMILY, "a text is read without its end"),
        (WrongLocation, stored_resources.FAMILY, "Location does not lead to what was created"),
        (LocationOfAnother, stored_resources.FAMILY, "Location leads to another thing"),
        (ListsNoPoems, listed_resources.FAMILY, "what was created is not in its list"),
        (FindsEverything, unknown_ids.FAMILY, "an unknown identifier finds something"),
        (EchoesIdentifiers, unknown_ids.FAMILY, "an unknown identifier finds something"),
        (BreaksAtStrangers, unknown_ids.FAMILY, "an unknown identifier is a server error"),
    ],
    ids=lambda item: item.__name__ if isinstance(item, type) else "",
)
def test_each_wrong_server_is_found(app: type[Library], family: Family, title: str) -> None:
    """Another thing, other members, another address, no place in the list: each has its own title."""
    assert failure_titles(family, app()) == {title}


class CatchesUp(Library):
    """Shows nothing of a book for a while, and goes on with it afterwards."""

    def __init__(self) -> None:
        super().__init__()
        self.made: dict[str, float] = {}

    def visible(self, book: Thing) -> bool:
        return self.passed_s - self.made.setdefault(book["id"], self.passed_s) > 0.7

    def book(self, tenant: str, key: str) -> Thing:
        book = super().book(tenant, key)
        if not self.visible(book):
            raise Refusal(404, "no such book")
        return book

    def shown_books(self, tenant: str) -> list[Thing]:
        return [book for book in super().shown_books(tenant) if self.visible(book)]

    def show(self, request: Request, book: Thing) -> Response:
        when = datetime.fromisoformat(book["created_at"]).replace(microsecond=0)
        return self.json({**book, "created_at": f"{when:%Y-%m-%dT%H:%M:%SZ}", "updated_at": self.now()}, 200)


class CountsReadings(Library):
    """Its answers have more than the contract says, and other forms of the same values."""

    def show(self, request: Request, book: Thing) -> Response:
        return self.json({**book, "copies": float(book["copies"]), "readings": time.monotonic_ns()}, 200)


class WritesInCapitals(AcceptsOnly):
    def reader_name(self, reader: str) -> str:
        return f" {reader.upper()}. "


class HidesReaders(AcceptsOnly):
    def reader_name(self, reader: str) -> str:
        return f"{reader[:2]}***"


class ForgetsReaders(AcceptsOnly):
    def reader_name(self, reader: str) -> str:
        return ""


class CallsThemReaders(AcceptsOnly):
    def reader_name(self, reader: str) -> str:
        return "a reader"


class AddsQuietly(Library):
    """Says nothing of a new book but its name: two of one genre are read alike."""

    def created_response(self, book: Thing) -> Response:
        return super().created_response({"id": book["id"]})


SILENT = (AddsQuietly, AcceptsOnly, WritesInCapitals, HidesReaders, ForgetsReaders, CallsThemReaders)


@pytest.mark.parametrize("app", [Library, CatchesUp, CountsReadings, CapitalizesTitles, *SILENT])
@pytest.mark.parametrize("family", [stored_resources.FAMILY, listed_resources.FAMILY, unknown_ids.FAMILY])
def test_right_servers_are_left_in_peace(app: type[Library], family: Family) -> None:
    """Copies that catch up, times kept less exactly, members that grow, and texts that were only accepted and
    have another form or are hidden are no faults.
    """
    log = asked_of(family, app())

    assert not log.failures
    assert log.tallies


def test_a_shorter_text_may_be_promised(tmp_path: Path) -> None:
    """Where the contract says that a reading shows no more, that is what it shows."""
    contract = tmp_path / "library.yaml"
    shown = "reader: {type: string}\n"
    assert CONTRACT.read_text().count(shown) == 1
    contract.write_text(CONTRACT.read_text().replace(shown, "reader: {type: string, maxLength: 2}\n"))
    subject = replace(subject_of(contract), parties=BOTH)

    assert not asked_of(stored_resources.FAMILY, CutsReaders(), subject).failures


def test_a_gateway_that_asks_in_vain_is_left_in_peace() -> None:
    """502 is about a server behind, whatever is asked for."""
    assert not asked_of(unknown_ids.FAMILY, AsksInVain()).failures
