# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Faults of resources that are hard to create: with a name of letters, below others, and in answer to others."""

from typing import Any

import pytest

from devportal.conformance.families.creations import stored_resources, unique_values
from devportal.conformance.families.http import accept
from devportal.conformance.families.validation import boundary_values
from devportal.conformance.family import Family
from tests.conformance.families.asking import boxes, run_family, titles_for_contract
from tests.conformance.families.servers.boards import CONTRACT, Boards
from tests.conformance.families.servers.server import Thing

FAMILIES = (accept, boundary_values, stored_resources, unique_values)


class ReadsCardsBackwards(Boards):
    def card(self, card: Thing) -> Thing:
        return {**card, "text": card["text"][::-1]}


class StampsAlike(Boards):
    def stamp(self, stamp: Thing) -> Thing:
        return {"motif": "bear"}


class NeverCreates(Boards):
    def put_status(self, *, is_new: bool) -> int:
        return 200


class AlwaysCreates(Boards):
    def put_status(self, *, is_new: bool) -> int:
        return 201


class TakesTakenSlugs(Boards):
    def check_slug(self, account: str, slug: str) -> None:
        pass


@pytest.mark.parametrize(
    ("family", "app", "title"),
    [
        (
            stored_resources,
            ReadsCardsBackwards,
            "POST /boards/{slug}/cards: what is read differs from what was created",
        ),
        (
            stored_resources,
            StampsAlike,
            "PUT /boards/{slug}/stamps/{stamp}: characters of a text are read as others",
        ),
        (
            stored_resources,
            NeverCreates,
            "PUT /boards/{slug}/stamps/{stamp}: a PUT that creates does not get 201",
        ),
        (stored_resources, AlwaysCreates, "PUT /boards/{slug}/stamps/{stamp}: a PUT that replaces gets 201"),
        (unique_values, TakesTakenSlugs, "POST /boards: a creation takes the 'slug' of another resource"),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Boards], title: str) -> None:
    """Each server breaks one promise, and the failure names it."""
    assert title in titles_for_contract(family.FAMILY, app(), CONTRACT)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_right_server_is_not_accused(family: Any) -> None:
    """The right server keeps the promises of every family."""
    assert titles_for_contract(family.FAMILY, Boards(), CONTRACT) == set()


@pytest.mark.parametrize("family", [accept.FAMILY, boundary_values.FAMILY])
def test_an_action_is_tried_on_a_new_resource(family: Family) -> None:
    """The board of all other requests is not archived."""
    app = Boards()
    run_family(family, app, boxes(CONTRACT))

    boards = list(app.boards.values())
    assert not boards[0]["archived"]
    assert any(board["archived"] for board in boards)
