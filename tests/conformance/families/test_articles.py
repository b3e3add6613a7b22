# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Faults of changes of JSON:API, of replacements by a PUT that creates, and of lists of identifiers."""

from copy import deepcopy
from typing import Any

import pytest

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.references import unknown_ids
from devportal.conformance.families.registry import FAMILIES
from devportal.conformance.family import Family
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.articles import CONTRACT, Articles
from tests.conformance.families.servers.server import Thing


class DropsOthers(Articles):
    def new_attributes(self, before: Thing, attributes: Thing) -> Thing:
        return {"headline": before["headline"], "created_at": before["created_at"], **attributes}


class ResetsOthers(Articles):
    def new_attributes(self, before: Thing, attributes: Thing) -> Thing:
        return {**before, "pages": 1, "is_open": False, **attributes}


class ChangesNothing(Articles):
    def new_attributes(self, before: Thing, attributes: Thing) -> Thing:  # noqa: ARG002
        return before


class IgnoresPages(Articles):
    def new_attributes(self, before: Thing, attributes: Thing) -> Thing:
        return {**before, **attributes, "pages": before.get("pages", 1)}


class RoundsPages(Articles):
    def new_attributes(self, before: Thing, attributes: Thing) -> Thing:
        pages = {"pages": attributes["pages"] // 10 * 10 + 1} if "pages" in attributes else {}
        return {**before, **attributes, **pages}


class KeepsTheTime(Articles):
    def change(self, article: Thing, attributes: Thing) -> Thing:
        updated_at = article["attributes"]["updated_at"]
        super().change(article, attributes)["attributes"]["updated_at"] = updated_at
        return article


class MovesTheCreation(Articles):
    def new_attributes(self, before: Thing, attributes: Thing) -> Thing:
        return {**before, **attributes, "created_at": self.now()}


class ForgetsChanges(Articles):
    def change(self, article: Thing, attributes: Thing) -> Thing:
        return super().change(deepcopy(article), attributes)


class DropsLeads(Articles):
    def add(self, attributes: Thing) -> Thing:
        return super().add({name: value for name, value in attributes.items() if name != "lead"})


class MergesDrawers(Articles):
    def drawer_members(self, before: Thing, data: Thing) -> Thing:
        return {**before, **data}


class TakesAnyArticle(Articles):
    def check_articles(self, keys: list[str]) -> None:
        pass


class KeepsOneArticle(Articles):
    def article_order(self, keys: list[str]) -> list[str]:
        return keys[:1]


class SortsArticles(Articles):
    def article_order(self, keys: list[str]) -> list[str]:
        return sorted(keys)


PATCH, PUT = "PATCH /articles/{id}", "PUT /drawers/{drawerKey}"


@pytest.mark.parametrize(
    ("family", "app", "failure"),
    [
        (updated_resources, DropsOthers, f"{PATCH}: a change loses what it does not name"),
        (updated_resources, ResetsOthers, f"{PATCH}: a change loses what it does not name"),
        (updated_resources, ChangesNothing, f"{PATCH}: a change does nothing"),
        (updated_resources, IgnoresPages, f"{PATCH}: a change ignores a member"),
        (updated_resources, RoundsPages, f"{PATCH}: a change stores another value"),
        (updated_resources, KeepsTheTime, f"{PATCH}: a change does not move 'updated_at'"),
        (updated_resources, MovesTheCreation, f"{PATCH}: a change moves the creation time"),
        (updated_resources, ForgetsChanges, f"{PATCH}: a change is not read back"),
        (updated_resources, MergesDrawers, f"{PUT}: a replacement keeps what it leaves out"),
        (stored_resources, DropsLeads, "POST /articles: members of a creation are lost"),
        (
            stored_resources,
            KeepsOneArticle,
            "POST /shelves: a list of identifiers is not read as it was sent",
        ),
        (stored_resources, SortsArticles, "POST /shelves: a list of identifiers is read in another order"),
        (unknown_ids, TakesAnyArticle, "POST /shelves: 'article_ids' takes what does not exist"),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Articles], failure: str) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert titles_for_contract(family.FAMILY, app(), CONTRACT) == {failure}


@pytest.mark.parametrize(
    "family", [family for family in FAMILIES if family.probes is not None], ids=lambda item: str(item.name)
)
def test_the_right_server_is_not_accused(family: Family) -> None:
    """The right server keeps the promises of every family."""
    assert titles_for_contract(family, Articles(), CONTRACT) == set()
