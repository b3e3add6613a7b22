# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Relationships of JSON:API: what they name exists, and `include` adds it."""

from dataclasses import replace
from typing import Any

import pytest

from devportal.conformance.families.filters import filters
from devportal.conformance.families.references import unknown_ids
from devportal.conformance.families.responses import sparse_fields
from devportal.conformance.families.security import tenants
from tests.conformance.families.asking import EVERYONE, run_family
from tests.conformance.families.servers.novels import CONTRACT, Novels
from tests.conformance.families.servers.server import Thing
from tests.conformance.running import subject_of


class IncludesNothing(Novels):
    def authors_of(self, novels: list[Thing]) -> list[Thing]:
        return []


class IncludesNothingInLists(Novels):
    def included_in_list(self, novels: list[Thing]) -> list[Thing]:
        return []


class IncludesEachTime(Novels):
    def authors_of(self, novels: list[Thing]) -> list[Thing]:
        return [
            author for novel in novels for author in super(IncludesEachTime, self).authors_of([novel])
        ] * 2


class IncludesEverybody(Novels):
    def authors_of(self, novels: list[Thing]) -> list[Thing]:
        return [
            *super().authors_of(novels),
            {"type": "authors", "id": "author-0", "attributes": {"name": "Bo"}},
        ]


class LooksNothingUp(Novels):
    def may_refer_to(self, author: str, account: str) -> bool:
        return True


class RefersToOthersAuthors(Novels):
    def may_refer_to(self, author: str, account: str) -> bool:
        return author in self.authors


class IgnoresAuthors(Novels):
    def wanted_author(self, author: str | None, page: int) -> str | None:
        return None


class ForgetsAuthors(Novels):
    def wanted_author(self, author: str | None, page: int) -> str | None:
        return author if page == 1 else None


def titles(family: Any, app: Novels) -> set[str]:
    """Return the titles of what a family finds wrong, all of it confirmed."""
    log = run_family(family.FAMILY, app, replace(subject_of(CONTRACT), parties=EVERYONE))
    assert log.tallies
    assert all(failure.fails for failure in log.failures), log.failures
    return {f"{failure.operation}: {failure.title}" for failure in log.failures}


@pytest.mark.parametrize(
    ("family", "app", "title"),
    [
        (filters, IgnoresAuthors, "GET /novels: the filter 'filter[author]' lets other items through"),
        (filters, ForgetsAuthors, "GET /novels: the filter 'filter[author]' is lost on later pages"),
        (unknown_ids, LooksNothingUp, "POST /novels: 'author' takes what does not exist"),
        (tenants, RefersToOthersAuthors, "POST /novels: 'author' takes things of another account"),
        (sparse_fields, IncludesNothing, "GET /novels/{novelId}: 'include' leaves out a resource"),
        (sparse_fields, IncludesNothingInLists, "GET /novels: 'include' leaves out a resource"),
        (sparse_fields, IncludesEachTime, "GET /novels: a document has a resource twice"),
        (sparse_fields, IncludesEverybody, "GET /novels: 'include' adds a resource that nothing refers to"),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Novels], title: str) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert title in titles(family, app())


@pytest.mark.parametrize("family", [filters, sparse_fields, tenants, unknown_ids])
def test_the_right_server_is_not_accused(family: Any) -> None:
    """What a relationship names can be read, and is there once."""
    assert titles(family, Novels()) == set()
