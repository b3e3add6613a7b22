"""Redirects that keep old links working: the rows of renames, and the pages at old addresses."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from jinja2 import Template
from markupsafe import Markup

from devportal.documents import Document, Shape
from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.language import direction_of
from devportal.markup import Artefact, environment, url_of
from devportal.translation import current_interface, gettext


@dataclass(frozen=True, slots=True, kw_only=True)
class RedirectRow:
    """One row: the old name, the new name, and the place in the file."""

    old: str
    new: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirects:
    """The rows of a file of redirects, by kind."""

    operations: tuple[RedirectRow, ...] = ()
    tags: tuple[RedirectRow, ...] = ()
    pages: tuple[RedirectRow, ...] = ()

    def __bool__(self) -> bool:
        """Say whether there is any row."""
        return bool(self.operations or self.tags or self.pages)


@dataclass(frozen=True, slots=True, kw_only=True)
class RedirectTable:
    """Old addresses and new ones, both from the root of the site, unquoted.

    `pages` are addresses whose pages are gone. `anchors` have a `#` in the old address; their page may
    still exist. `removed` has what the page of a missing address says about parts that are gone: texts, and the uris
    of the pages that they link to, if any.
    """

    pages: Mapping[str, str] = field(default_factory=dict)
    anchors: Mapping[str, str] = field(default_factory=dict)
    removed: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)


def parse_redirects(document: Document) -> tuple[Redirects, tuple[Finding, ...]]:
    """Return the valid rows of a file, and the problems with the others."""
    if document.data is None:
        return Redirects(), ()
    misfits = tuple(_redirects_schema().misfits(document))
    wrong = {misfit.pointer for misfit in misfits}
    data = document.data if isinstance(document.data, dict) else {}

    def moves(kind: str) -> tuple[RedirectRow, ...]:
        rows = data.get(kind)
        return tuple(_redirect_rows(document, kind, rows, wrong)) if isinstance(rows, dict) else ()

    redirects = Redirects(operations=moves("operations"), tags=moves("tags"), pages=moves("pages"))
    return redirects, tuple(misfit.finding for misfit in misfits)


def _redirect_rows(
    document: Document, kind: str, rows: dict[str, Any], wrong: set[Any]
) -> Iterator[RedirectRow]:
    for old, new in rows.items():
        if (kind, old) not in wrong:
            yield RedirectRow(old=old, new=new, place=document.place((kind, old)))


@lru_cache(maxsize=1)
def _redirects_schema() -> Shape:
    text = files("devportal.reference").joinpath("schemas", "redirects.json").read_text("utf-8")
    return Shape(json.loads(text), rule="redirect-shape", root="the file")


def redirect_finding(
    row: RedirectRow, rule: str, message: str, advice: str, level: Level = Level.ERROR
) -> Finding:
    """Return a finding on a row."""
    return Finding(rule=f"redirect-{rule}", level=level, place=row.place, message=message, help=advice)


REDIRECT_TABLE = "assets/devportal/redirects.json"
"""The file in which the script of every page looks up missing anchors, and that of missing pages what was removed;
keys unquoted, addresses in values quoted.
"""


def redirect_files(table: RedirectTable, *, site_url: str = "") -> Iterator[Artefact]:
    """Yield the pages at old addresses, and the table of anchors. `site_url` ends in `/`, if it is known."""
    anchors = {old: _quote_address(new) for old, new in table.anchors.items()}
    removed = {
        old: [(words, url_of(uri) or "./" if uri else "") for words, uri in notice]
        for old, notice in table.removed.items()
        if old not in table.pages
    }
    text = json.dumps({**anchors, **removed}, ensure_ascii=False, indent=0, sort_keys=True)
    yield Artefact(uri=REDIRECT_TABLE, content=f"{text}\n".encode())
    for old, new in table.pages.items():
        yield Artefact(uri=_page_file(old), content=_redirect_page(old, new, table, site_url).encode())


def _redirect_page(old: str, new: str, table: RedirectTable, site_url: str) -> str:
    root = "../" * old.count("/")
    own = {
        address.partition("#")[2]: root + _quote_address(target)
        for address, target in table.anchors.items()
        if address.partition("#")[0] == old
    }
    target = root + _quote_address(new) or "./"
    return _redirect_template().render(
        root=root,
        target=target,
        canonical=site_url + _quote_address(new.partition("#")[0]) if site_url else target.partition("#")[0],
        link=_link(target, new),
        language=current_interface().language,
        direction=direction_of(current_interface().language),
        anchors=json.dumps(own, ensure_ascii=False, sort_keys=True) if own else "",
    )


def _link(target: str, address: str) -> Markup:
    words = address or gettext("the home page")
    return Markup('<a href="{}">{}</a>').format(target, words)


@lru_cache(maxsize=1)
def _redirect_template() -> Template:
    """Return the template, which needs nothing of what renders the reference."""
    return environment("devportal.reference").get_template("redirect.html.jinja")


def _page_file(address: str) -> str:
    return address if address.endswith(".html") else f"{address}index.html"


def _quote_address(address: str) -> str:
    page, hash_mark, anchor = address.partition("#")
    return quote(page) + hash_mark + quote(anchor)
