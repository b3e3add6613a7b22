# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""What was changed is read, and the rest stays."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.knowledge.subject import Subject
from tests.apps.library import Library, Thing
from tests.conformance.families.lending import BOTH, CONTRACT, asked_of, failure_titles
from tests.conformance.running import subject_of


class ForgetsChanges(Library):
    def change(self, book: Thing, wish: Thing) -> Thing:
        return {**book, **wish}


class LosesTheRest(Library):
    def change(self, book: Thing, wish: Thing) -> Thing:
        super().change(book, {"title": "", "copies": 0, **wish})
        return book


class LosesTitles(Library):
    def change(self, book: Thing, wish: Thing) -> Thing:
        return super().change(book, {"title": "", **wish})


class LosesCopies(Library):
    def change(self, book: Thing, wish: Thing) -> Thing:
        return super().change(book, {"copies": 0, **wish})


class ChangesNothing(Library):
    def change(self, book: Thing, wish: Thing) -> Thing:
        return book


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (ChangesNothing, "a change does nothing"),
        (ForgetsChanges, "a change is not read back"),
        (LosesTheRest, "a change loses what it does not name"),
        (LosesTitles, "a change loses what it does not name"),
        (LosesCopies, "a change loses what it does not name"),
    ],
)
def test_each_wrong_server_is_found(app: type[Library], title: str) -> None:
    """A change that is answered and not made, one that is not even shown, and one that takes too much."""
    assert failure_titles(updated_resources.FAMILY, app()) == {title}


class ChangesLater(Library):
    """Shows what was changed after a while."""

    def show(self, request: Request, book: Thing) -> Response:
        return super().show(request, book["old"] if self.passed_s < book.get("then", 0) else book)

    def change(self, book: Thing, wish: Thing) -> Thing:
        old = dict(book)
        answer = dict(super().change(book, wish))
        book |= {"old": old, "then": self.passed_s + 0.5}
        return answer


class WritesItsOwnWay(Library):
    """Takes a change, and keeps another form of it, which it answers."""

    def change(self, book: Thing, wish: Thing) -> Thing:
        return super().change(
            book, {name: str(value).upper() if name == "title" else value for name, value in wish.items()}
        )


class AnswersFromACopy(ChangesLater):
    """Makes a change at once, and shows it after a while, in its answer too."""

    def change(self, book: Thing, wish: Thing) -> Thing:
        shown = book["old"] if self.passed_s < book.get("then", 0) else dict(book)
        super().change(book, wish)
        book["old"] = shown
        return dict(shown)


class AsksForConsent(Library):
    """Shows a new title beside the old one until somebody agrees."""

    def change(self, book: Thing, wish: Thing) -> Thing:
        book |= {f"wanted_{name}": value for name, value in wish.items() if name == "title"}
        return super().change(book, {name: value for name, value in wish.items() if name != "title"})


class KeepsTitles(Library):
    """Leaves a book its title, whatever it is sent beside what may change."""

    def change(self, book: Thing, wish: Thing) -> Thing:
        return super().change(book, {name: value for name, value in wish.items() if name != "title"})


def changing(change: Thing, folder: Path) -> Subject:
    """Return the library whose contract has this example of a change."""
    contract = folder / "library.yaml"
    contract.write_text(CONTRACT.read_text().replace("{copies: 5}", json.dumps(change)))
    return replace(subject_of(contract), parties=BOTH)


COPIES, TITLE = {"copies": 5}, {"title": "Persuasion"}


@pytest.mark.parametrize(
    ("app", "change"),
    [
        *((Library, item) for item in (COPIES, TITLE, COPIES | TITLE)),
        *((ChangesLater, item) for item in (COPIES, TITLE)),
        *((WritesItsOwnWay, item) for item in (COPIES, TITLE)),
        *((AnswersFromACopy, item) for item in (COPIES, TITLE)),
        (AsksForConsent, TITLE),
        (KeepsTitles, COPIES | TITLE),
        (KeepsTitles, {"copies": 3} | TITLE),
    ],
)
def test_right_servers_are_left_in_peace(app: type[Library], change: Thing, tmp_path: Path) -> None:
    """A while, another form of the same, what waits for consent, and what never changes are no faults."""
    log = asked_of(updated_resources.FAMILY, app(), changing(change, tmp_path))

    assert not log.failures
    assert log.tallies
