# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Texts with quotes and letters beyond ASCII are rejected, or read as they were sent."""

import html
import unicodedata
from collections.abc import Callable
from urllib.parse import unquote

import pytest
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.creations.unusual_texts import OTHER_TEXT, UNUSUAL_TEXT, text_damage
from tests.conformance.families.servers.shelves import Shelves, Thing, titles

Rewrite = Callable[[str], str]
TITLES = {"quotes of a text are read escaped", "letters of a text are lost"}
SERVER_ERROR = "quotes or letters beyond ASCII in a text are a server error"


def rewriting(members: Thing, rewrite: Rewrite) -> Thing:
    """Return members with a rewritten label."""
    return {name: rewrite(member) if name == "label" else member for name, member in members.items()}


class RewritesNewLabels(Shelves):
    """Rewrites the label of a new shelf."""

    def __init__(self, rewrite: Rewrite) -> None:
        super().__init__()
        self.rewrite = rewrite

    def put(self, code: str, members: Thing) -> Thing:
        return super().put(code, rewriting(members, self.rewrite))


class RewritesChangedLabels(RewritesNewLabels):
    """Rewrites the label that a PATCH sends."""

    def put(self, code: str, members: Thing) -> Thing:
        return Shelves.put(self, code, members)

    def change(self, shelf: Thing, members: Thing) -> Thing:
        return super().change(shelf, rewriting(members, self.rewrite))


def without_other_letters(text: str) -> str:
    """Return a text as a program that knows ASCII only keeps it."""
    return text.encode("ascii", "ignore").decode()


DAMAGES: list[Rewrite] = [
    html.escape,
    lambda text: text.replace("'", "''"),
    lambda text: text.replace('"', '\\"'),
    without_other_letters,
    lambda text: text.encode("ascii", "replace").decode(),
    lambda text: text.encode().decode("latin-1"),
]
FORMS: list[Rewrite] = [
    str,
    str.upper,
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: f" {text} ",
    lambda text: text[:6],
    lambda text: text[:0],
    lambda text: "*" * len(text),
]


@pytest.mark.parametrize("rewrite", DAMAGES)
def test_damaged_texts_are_found(rewrite: Rewrite) -> None:
    """Escapes and lost letters are found after a creation and after a change."""
    assert titles(stored_resources.FAMILY, RewritesNewLabels(rewrite)) & TITLES
    assert titles(updated_resources.FAMILY, RewritesChangedLabels(rewrite)) & TITLES


@pytest.mark.parametrize("rewrite", FORMS)
def test_other_forms_are_no_damage(rewrite: Rewrite) -> None:
    """A server may trim, shorten, mask, normalize and drop texts, and change their case."""
    assert not text_damage(UNUSUAL_TEXT, rewrite(UNUSUAL_TEXT))


@pytest.mark.parametrize(
    "rewrite",
    [
        unquote,
        lambda text: text.replace("+", " "),
        lambda text: text.replace("\\", "\\\\"),
        lambda text: text.replace("\\n", "\n"),
        lambda text: text.encode("ascii", "replace").decode(),
        html.escape,
    ],
)
def test_signs_that_become_others_are_found(rewrite: Rewrite) -> None:
    """Percent-encoding, a plus, a backslash and an emoji are data."""
    assert text_damage(OTHER_TEXT, rewrite(OTHER_TEXT)) == "characters of a text are read as others"
    assert titles(stored_resources.FAMILY, RewritesNewLabels(rewrite))


@pytest.mark.parametrize("rewrite", [*FORMS[:2], *FORMS[3:], lambda text: text.replace("\U0001f389", "")])
def test_other_forms_of_signs_are_no_damage(rewrite: Rewrite) -> None:
    """A server may remove emoji, and what it takes for markup."""
    assert not text_damage(OTHER_TEXT, rewrite(OTHER_TEXT))


class FailsOnQuotes(Shelves):
    def answer(self, method: str, path: str, body: bytes, query: dict[str, str]) -> Response:
        is_quoted = method in ("PUT", "PATCH") and b"'" in body
        return Response(status_code=500) if is_quoted else super().answer(method, path, body, query)


class RejectsQuotes(Shelves):
    def members(self, body: bytes) -> Thing | None:
        return None if b"'" in body else super().members(body)


def test_a_server_error_is_found() -> None:
    """A quote that ends a statement of SQL is a server error, in a creation and in a change."""
    assert SERVER_ERROR in titles(stored_resources.FAMILY, FailsOnQuotes())
    assert SERVER_ERROR in titles(updated_resources.FAMILY, FailsOnQuotes())


def test_texts_may_be_rejected() -> None:
    """A server that rejects quotes breaks no promise of these checks."""
    assert titles(stored_resources.FAMILY, RejectsQuotes()) == set()
    assert titles(updated_resources.FAMILY, RejectsQuotes()) == set()
