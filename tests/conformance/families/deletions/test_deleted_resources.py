# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""What was deleted must be gone."""

import pytest
from starlette.responses import Response

from devportal.conformance.families.deletions import deleted_resources
from tests.apps.library import Library, Refusal, Thing
from tests.conformance.families.lending import failure_titles


class DeletesNothing(Library):
    def delete(self, tenant: str, key: str) -> Response:
        return Response(status_code=204)


class DiesOfTheSecond(Library):
    def __init__(self) -> None:
        super().__init__()
        self.deleted: set[str] = set()

    def book(self, tenant: str, key: str) -> Thing:
        if key in self.deleted:
            raise Refusal(500, "it is not there")
        return super().book(tenant, key)

    def delete(self, tenant: str, key: str) -> Response:
        self.deleted.add(key)
        return super().delete(tenant, key)


class KeepsListing(Library):
    def __init__(self) -> None:
        super().__init__()
        self.all: list[Thing] = []

    def store(self, tenant: str, wish: Thing) -> Thing:
        self.all.append(super().store(tenant, wish))
        return self.all[-1]

    def shown_books(self, tenant: str) -> list[Thing]:
        return self.all


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (DeletesNothing, "what was deleted can still be read"),
        (DiesOfTheSecond, "deleting once more is a server error"),
        (KeepsListing, "what was deleted is still listed"),
    ],
)
def test_each_wrong_server_is_found(app: type[Library], title: str) -> None:
    """What is kept somewhere is found where it shows."""
    assert failure_titles(deleted_resources.FAMILY, app()) == {title}


class OnlyMarks(Library):
    """Keeps what was deleted, and says of it that it is."""

    def delete(self, tenant: str, key: str) -> Response:
        self.books[tenant][key]["deleted"] = True
        return Response(status_code=204)


class ForgetsLater(Library):
    """Forgets what was deleted after a while."""

    def __init__(self) -> None:
        super().__init__()
        self.until: dict[str, float] = {}

    def book(self, tenant: str, key: str) -> Thing:
        if self.passed_s > self.until.get(key, float("inf")):
            raise Refusal(404, "no such book")
        return super().book(tenant, key)

    def delete(self, tenant: str, key: str) -> Response:
        self.until.setdefault(key, self.passed_s + 0.7)
        return Response(status_code=204)

    def shown_books(self, tenant: str) -> list[Thing]:
        shown = super().shown_books(tenant)
        return [item for item in shown if self.passed_s < self.until.get(item["id"], float("inf")) + 0.3]


@pytest.mark.parametrize("app", [Library, OnlyMarks, ForgetsLater])
def test_right_servers_are_left_in_peace(app: type[Library]) -> None:
    """A mark of deletion and a while to forget are no faults."""
    assert not failure_titles(deleted_resources.FAMILY, app())
