"""Old links that go on leading somewhere: what was renamed or moved, and the addresses that follow from it.

Whoever renames an operation or a tag writes the old name down; the addresses that pages and their anchors had
are worked out from it. What no name explains is written as an address.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from devportal.documents import Document, Shape
from devportal.errors import Place
from devportal.findings import Finding, Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One row: what something was called, what it is called now, and where that is written."""

    old: str
    new: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirects:
    """The rows of a file of redirects, by what they are about."""

    operations: tuple[Move, ...] = ()
    tags: tuple[Move, ...] = ()
    pages: tuple[Move, ...] = ()

    def __bool__(self) -> bool:
        """Say whether there is any row."""
        return bool(self.operations or self.tags or self.pages)


@dataclass(frozen=True, slots=True, kw_only=True)
class RedirectTable:
    """Old addresses and new ones, both from the root of the site, unquoted.

    `pages` are addresses where no page is any more. `anchors` have a `#` in the old address; the page before
    it may be there or not.
    """

    pages: Mapping[str, str] = field(default_factory=dict)
    anchors: Mapping[str, str] = field(default_factory=dict)


def parse_redirects(document: Document) -> tuple[Redirects, tuple[Finding, ...]]:
    """Return the rows of a file, and what is wrong with its shape; what is wrong is not among the rows."""
    if document.data is None:
        return Redirects(), ()
    misfits = tuple(_shape().misfits(document))
    wrong = {misfit.pointer for misfit in misfits}
    data = document.data if isinstance(document.data, dict) else {}

    def moves(kind: str) -> tuple[Move, ...]:
        rows = data.get(kind)
        return tuple(_moves(document, kind, rows, wrong)) if isinstance(rows, dict) else ()

    redirects = Redirects(operations=moves("operations"), tags=moves("tags"), pages=moves("pages"))
    return redirects, tuple(misfit.finding for misfit in misfits)


def _moves(document: Document, kind: str, rows: dict[str, Any], wrong: set[Any]) -> Iterator[Move]:
    for old, new in rows.items():
        if (kind, old) not in wrong:
            yield Move(old=old, new=new, place=document.place((kind, old)))


@lru_cache(maxsize=1)
def _shape() -> Shape:
    text = files("devportal.reference").joinpath("schemas", "redirects.json").read_text("utf-8")
    return Shape(json.loads(text), rule="redirect-shape", root="the file")


def wrong_redirect(move: Move, rule: str, message: str, advice: str, level: Level = Level.ERROR) -> Finding:
    """Return a finding on a row."""
    return Finding(rule=f"redirect-{rule}", level=level, place=move.place, message=message, help=advice)
