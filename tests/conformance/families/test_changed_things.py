# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""What was changed is read, and the rest stays."""

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families import changed_things
from tests.apps.library import Library, Thing
from tests.conformance.families.lending import asked_of, found


class ForgetsChanges(Library):
    def change(self, book: Thing, wish: Thing) -> Thing:
        return {**book, **wish}


class LosesTheRest(Library):
    def change(self, book: Thing, wish: Thing) -> Thing:
        super().change(book, {"title": "", "copies": 0, **wish})
        return book


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (ForgetsChanges, "a change is not read back"),
        (LosesTheRest, "a change loses what it does not name"),
    ],
)
def test_each_wrong_server_is_found(app: type[Library], title: str) -> None:
    """A change that is answered and not made, and one that takes too much."""
    assert found(changed_things.FAMILY, app()) == {title}


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
            book, {name: str(one).upper() if name == "title" else one for name, one in wish.items()}
        )


@pytest.mark.parametrize("app", [Library, ChangesLater, WritesItsOwnWay])
def test_right_servers_are_left_in_peace(app: type[Library]) -> None:
    """A while, and another form that was answered, are no faults."""
    log = asked_of(changed_things.FAMILY, app())

    assert not log.failures
    assert log.tallies
