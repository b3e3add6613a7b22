# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Identifiers that were given before."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from devportal.conformance.families.creations import unique_ids
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.resources.created_resources import create_resource
from devportal.conformance.knowledge.subject import Subject, operation_label
from tests.apps.library import Library
from tests.conformance.families.lending import asked_of, failure_titles


def _books(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    books = next(resource for resource in subject.resources if resource.parameter == "book_id")
    for is_other in (False, True, True):
        create_resource(subject, books, send, other=is_other)
    return iter(())


def _probes(subject: Subject) -> Iterator[Probe]:
    yield Probe(operation=operation_label(subject.operations[0]), run=partial(_books, subject))


CREATING = replace(unique_ids.FAMILY, probes=_probes)
"""The family as it looks at three books that are made."""


class GivesOneName(Library):
    def new_id(self) -> str:
        return f"bk_{0:032x}"


class RepeatsSomeNames(Library):
    """Gives every fourth book the name of the one before."""

    every = 4

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def new_id(self) -> str:
        is_old = len(self.names) % self.every == self.every - 1
        self.names.append(self.names[-1] if is_old else super().new_id())
        return self.names[-1]


class RepeatsFewNames(RepeatsSomeNames):
    every = 3


@pytest.mark.parametrize("app", [GivesOneName, RepeatsSomeNames, RepeatsFewNames])
def test_names_that_come_back_are_found(app: type[Library]) -> None:
    """Always, and now and then: as many are made as it takes to see it again."""
    assert failure_titles(CREATING, app()) == {"two resources have the same 'id'"}


class ForgetsOnce(RepeatsSomeNames):
    """Gives a name twice a single time."""

    every = 10**9

    def new_id(self) -> str:
        if len(self.names) == 2:
            self.names.append(self.names[-1])
            return self.names[-1]
        return super().new_id()


def test_what_is_never_seen_again_is_not_counted() -> None:
    """Five more rounds with names of their own are told as what they are."""
    (failure,) = asked_of(CREATING, ForgetsOnce()).failures

    assert not failure.fails


def test_a_right_server_is_left_in_peace() -> None:
    """Books have names of their own, whatever keys they were made with."""
    assert not asked_of(CREATING, Library()).failures
