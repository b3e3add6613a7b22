"""What a contract says, one thing at a time, and whether the pages show it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

from markupsafe import escape

from devportal.reference.schema.examples import MAX_EXAMPLE_LENGTH, MAX_EXAMPLE_LINES

from .raw import Node
from .shown import Scope, Shown, letters_and_digits, rendered_letters, source_letters, without_whitespace


class Form(Enum):
    """How a thing is to be found in the output."""

    TEXT = auto()
    """CommonMark: its letters and digits, in their order."""
    CODE = auto()
    """One piece of code in the HTML, anywhere in the Markdown."""
    WORDS = auto()
    """Characters, however they are marked up."""
    NUMBER = auto()
    VALUE = auto()
    """An example, as JSON: each name and value in it, or a note that it is cut."""
    LINK = auto()
    """An address, as a link or as text."""
    PAGE = auto()
    """A link to the page of a schema, or its fields in place."""
    REQUIRED = auto()
    """The name of a property that has to be there: said in its row, or said of the whole."""
    ID = auto()
    """An anchor, in the HTML only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that a contract says, in any of several spellings; `row` is the field that it is said of."""

    where: str
    kind: str
    wanted: tuple[Any, ...]
    form: Form = Form.TEXT
    homes: tuple[str, ...]
    row: str | None = None
    in_place: tuple[str, ...] = ()
    """For a page: the names of the fields that are there where the schema is shown in place."""

    def __str__(self) -> str:
        """Return what is missing where this claim does not hold."""
        return f"{self.where}: {self.kind} {self.wanted[0]!r:.100}"


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the walk is: what it is in, on which pages that is shown, and in the row of which field."""

    where: str
    homes: tuple[str, ...]
    row: str | None = None
    sent: bool | None = None
    """Whether values go to the API, come from it, or either."""
    told: frozenset[tuple[str, Any, str]] = frozenset()
    """Members whose value a response tells in other words: name, value, and those words."""

    def at(self, more: str, row: str | None = None) -> "Spot":
        """Return where the walk is further on: in a part, and in the row of it if it has one."""
        return replace(self, where=f"{self.where} {more}", row=row or self.row)


def is_met(claim: Claim, shown: Shown) -> bool:
    """Say whether a claim holds: in the row it is said of, and in the Markdown of its pages."""
    whole = shown.scope(claim.homes)
    scopes = [whole] if claim.row is None else [*shown.rows(claim.homes, claim.row)]
    if claim.form is Form.REQUIRED:
        (name,) = claim.wanted
        said = any("required" in row.plain for row in shown.rows(claim.homes, name))
        return said or any(name in scope.requirements for scope in scopes)
    if claim.form is Form.PAGE:
        return any(_leads_to(claim, scope, shown) for scope in scopes)
    return any(_is_in(scope, claim, wanted) for scope in scopes for wanted in claim.wanted) and any(
        _is_in_twin(whole, claim, wanted) for wanted in claim.wanted
    )


def _leads_to(claim: Claim, scope: Scope, shown: Shown) -> bool:
    """Say whether the page of a schema can be reached from a piece of output, or its fields are in it."""
    is_linked = not shown.reachable_pages(scope.links).isdisjoint(claim.wanted[1:])
    return is_linked or all(without_whitespace(text) in scope.codes for text in claim.in_place)


def _is_in(scope: Scope, claim: Claim, wanted: Any) -> bool:
    match claim.form:
        case Form.TEXT:
            return rendered_letters(wanted) in scope.letters
        case Form.CODE:
            return without_whitespace(wanted) in scope.codes
        case Form.WORDS:
            return without_whitespace(wanted) in scope.text
        case Form.NUMBER:
            return float(wanted) in scope.numbers
        case Form.VALUE:
            return _contains_example(scope.text, json.loads(wanted))
        case Form.LINK:
            return without_whitespace(wanted) in scope.text or f'href="{escape(wanted)}"' in scope.markup
        case Form.ID:
            return f'id="{escape(wanted)}"' in scope.markup
        case _:
            raise AssertionError(claim.form)


def _is_in_twin(scope: Scope, claim: Claim, wanted: Any) -> bool:
    match claim.form:
        case Form.TEXT:
            is_written = any(
                item(wanted) in scope.twin_letters
                for item in (rendered_letters, letters_and_digits, source_letters)
            )
            return is_written or rendered_letters(wanted) in scope.twin_spoken
        case Form.CODE | Form.LINK | Form.WORDS:
            return without_whitespace(wanted) in scope.twin_text
        case Form.NUMBER:
            return float(wanted) in scope.twin_numbers
        case Form.VALUE:
            return _contains_example(scope.twin_text, json.loads(wanted))
        case _:
            return True


def _contains_example(text: str, value: Any) -> bool:
    """Say whether every name and value of an example is in a text; long ones are cut, with a note."""
    whole = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    if (len(whole) > MAX_EXAMPLE_LENGTH or whole.count("\n") >= MAX_EXAMPLE_LINES) and "more" in text:
        return True
    return all(
        any(without_whitespace(spelling) in text for spelling in (leaf, _json_escape(leaf), *_in_shell(leaf)))
        for leaf in _leaves(value)
    )


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, other_value in value.items():
            yield str(key)
            yield from _leaves(other_value)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, str):
        yield value
    else:
        yield json.dumps(value)


def _in_shell(text: str) -> tuple[str, ...]:
    """Return the ways in which a text with quotes is written between quotes of a shell."""
    return tuple(text.replace("'", quote) for quote in ("'\\''", "'\"'\"'"))


def _json_escape(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def claims_of(here: Spot, kind: str, *wanted: Any, form: Form = Form.TEXT) -> Iterator[Claim]:
    if form is Form.VALUE:
        wanted = tuple(json.dumps(item, ensure_ascii=False) for item in wanted)
    if form is Form.TEXT:
        wanted = tuple(str(item) for item in wanted if item is not None and str(item).strip())
    if wanted and wanted[0] not in ("", None):
        yield Claim(where=here.where, kind=kind, wanted=wanted, form=form, homes=here.homes, row=here.row)


def as_code(here: Spot, kind: str, value: Any) -> Iterator[Claim]:
    spelled = json.dumps(value, ensure_ascii=False), json.dumps(value, ensure_ascii=False, indent=2)
    yield from claims_of(here, kind, *spelled, form=Form.CODE)


def texts(node: Node, here: Spot, *keys: str) -> Iterator[Claim]:
    for key in keys:
        value = node.value.get(key)
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            yield from claims_of(here, key, str(value))


def links(node: Node, here: Spot, *keys: str) -> Iterator[Claim]:
    for key in keys:
        yield from claims_of(here, key, node.text(key), form=Form.LINK)


def docs(node: Node, here: Spot) -> Iterator[Claim]:
    docs = node.get("externalDocs")
    if docs is not None:
        yield from links(docs, here.at("externalDocs"), "url")
        yield from texts(docs, here.at("externalDocs"), "description")


def flag(node: Node, here: Spot, key: str, words: str) -> Iterator[Claim]:
    if node.is_true(key):
        yield from claims_of(here, key, words)


def source_claims(node: Node, here: Spot) -> Iterator[Claim]:
    for key, word in (("x-source", "source"), ("x-decision", "decision")):
        written = node.value.get(key)
        names = [name for name in (written if isinstance(written, list) else [written]) if name]
        for position, name in enumerate(names):
            yield from claims_of(here, key, f", {name}" if position else f"{word} {name}")


def stability(node: Node, here: Spot) -> Iterator[Claim]:
    yield from source_claims(node, here)
    if node.text("x-stability-level") not in ("", "stable"):
        yield from claims_of(here, "x-stability-level", node.text("x-stability-level"))
