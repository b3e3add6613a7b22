"""The search index of a site: its pages by kind, and names of fields with all places where they are shown.

It takes the place of the theme's index, whose words of hand-written pages it keeps. It is made to be small:
a large contract has tens of thousands of fields, which are mostly the same few hundred shapes. So each shape
(the fields at one place, with the shapes below them) is there once, and a page names the shapes of its parts.

`assets/devportal/find.js` reads the index. What is written in short here, it writes out alike:

- `names` are the names of fields, a line for each. Behind a tab is the end of the field's anchor where that
  is not the name itself; the name follows where that ends in a dot.
- `where` has a line for each name: the numbers of the shapes that it stands in, as differences, each with the
  number of the shape below it behind a `!`. Numbers are letters to the base of 26, the last one a capital.
- `parts` are the parts that pages have: words, and what the anchors of the fields in it begin with.
- `pages` has for each kind five columns, a line for each entry: address, title, tags, text, and parts as
  pairs of numbers, of the part and of its shape. What can be made from other columns is left out: the last
  tag where it follows from method and path, a title that follows from the last tag, and the last part of an
  address, for which `*` stands, that follows from the last tag or the title.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import unescape
from itertools import pairwise
from pathlib import Path
from textwrap import shorten
from typing import Any

from devportal.contract.words import apart, title_from_id
from devportal.pages import PageHead, SearchEntry, SearchKind, url_of

MAX_TITLE = 100
"""How many characters of a title are shown."""


def merge_search_entries(index: Path, pages: Iterable[PageHead]) -> None:
    """Put our index in place of the theme's, if the site has one, with the entries of the theme in it."""
    if not index.is_file():
        return
    made = SearchIndex()
    for document in json.loads(index.read_text(encoding="utf-8"))["docs"]:
        url, _, anchor = document["location"].partition("#")
        made.add(url, _entry(document, anchor))
    for page in pages:
        for entry in page.search:
            made.add(url_of(page.uri), entry)
    index.write_text(made.text(), encoding="utf-8")


def _entry(document: dict[str, Any], anchor: str) -> SearchEntry:
    """Return an entry of the theme's index as one of ours: its title and text are HTML."""
    tags = tuple(map(_plain, document.get("tags", ())))
    return SearchEntry(
        title=_plain(document["title"]), text=_plain(document["text"]), anchor=anchor, tags=tags
    )


def _plain(html: str) -> str:
    return _line(unescape(re.sub(r"<[^>]+>", " ", html)))


def _line(text: str) -> str:
    return " ".join(text.split())


class SearchIndex:
    """Gathers the entries of a site."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._rows: dict[SearchKind, list[_Row]] = {}
        self._shapes = _Shapes()
        self._parts: dict[tuple[str, str], int] = {}

    def add(self, url: str, entry: SearchEntry) -> None:
        """Take an entry of the page at an address below the site's root."""
        source = entry.tags[-1] if entry.tags else ""
        title = shorten(entry.title, MAX_TITLE, placeholder="…")
        row = _Row(
            address=f"{url}#{entry.anchor}" if entry.anchor else _short_address(url, source or title),
            title="" if source and title == spaced(source) else title,
            tags=_short_tags(tuple(map(_line, entry.tags))),
            text=_line(entry.text),
            parts=tuple(self._read(entry.fields)),
        )
        self._rows.setdefault(SearchKind(entry.kind), []).append(row)

    def _read(self, outline: str) -> Iterator[tuple[int, int]]:
        """Yield the numbers of the parts in an outline, each with that of its shape."""
        lines = outline.split("\n") if outline else []
        starts = [number for number, line in enumerate(lines) if not line.startswith(" ")]
        for start, end in pairwise((*starts, len(lines))):
            words, _, anchor = lines[start].partition("\t")
            part = self._parts.setdefault((words, anchor), len(self._parts))
            yield part, self._shapes.read(tuple(lines[start + 1 : end]), 1)

    def text(self) -> str:
        """Return the index as JSON."""
        numbers, where = self._shapes.sorted()
        names = sorted(where)
        index = {
            "parts": list(self._parts),
            "names": "\n".join(names),
            "where": "\n".join(_places(where[name]) for name in names),
            "pages": {kind: _columns(self._rows[kind], numbers) for kind in SearchKind if kind in self._rows},
        }
        return json.dumps(index, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One entry; `parts` are pairs of numbers, of a part and of the shape as it was read."""

    address: str
    title: str
    tags: str
    text: str
    parts: tuple[tuple[int, int], ...]


def _columns(rows: Iterable[_Row], numbers: list[int]) -> list[str]:
    """Return what the rows say, by column; `numbers` has the final number of each shape."""
    cells = (
        (
            row.address,
            row.title,
            row.tags,
            row.text,
            "".join(encoded(part) + encoded(numbers[shape]) for part, shape in row.parts),
        )
        for row in rows
    )
    return ["\n".join(column) for column in zip(*cells, strict=True)]


@dataclass(slots=True)
class _Shapes:
    """The different sets of fields: for each the names, with the number of the shape below each, or -1."""

    _known: dict[tuple[tuple[str, int], ...], int] = field(default_factory=dict)
    _read: dict[tuple[str, ...], int] = field(default_factory=dict)
    """The shapes of lines that were read already: most are there many times."""

    def read(self, lines: tuple[str, ...], depth: int) -> int:
        """Return the number of the shape of fields with an indent of `depth`, and what is below them."""
        known = self._read.get(lines)
        if known is None:
            starts = [number for number, line in enumerate(lines) if line[depth] != " "]
            shape = sorted(
                (_name(lines[start][depth:]), self.read(below, depth + 1) if below else -1)
                for start, end in pairwise((*starts, len(lines)))
                for below in (lines[start + 1 : end],)
            )
            known = self._read[lines] = self._known.setdefault(tuple(shape), len(self._known))
        return known

    def sorted(self) -> tuple[list[int], dict[str, list[tuple[int, int]]]]:
        """Return new numbers for the shapes, and for each name its shapes with those below it.

        Shapes with the same names follow one another, so that lists of their numbers pack well.
        """
        shapes = list(self._known)
        order = sorted(range(len(shapes)), key=lambda number: [name for name, _ in shapes[number]])
        numbers = [0] * len(shapes)
        for new, old in enumerate(order):
            numbers[old] = new
        where: dict[str, list[tuple[int, int]]] = {}
        for new, old in enumerate(order):
            for name, below in shapes[old]:
                where.setdefault(name, []).append((new, numbers[below] if below >= 0 else -1))
        return numbers, where


def _name(line: str) -> str:
    """Return the name of a field, its own end of the anchor left out where that ends in the name."""
    name, tab, rest = line.partition("\t")
    return f"{name}\t{rest.removesuffix(name)}" if tab and rest.endswith(f".{name}") else line


def _places(places: Iterable[tuple[int, int]]) -> str:
    last, found = 0, []
    for shape, below in places:
        found.append(encoded(shape - last) + (f"!{encoded(below)}" if below >= 0 else ""))
        last = shape
    return "".join(found)


def encoded(number: int) -> str:
    """Return a number in letters: 0 is `A`, 25 `Z`, 26 `bA`."""
    letters = chr(65 + number % 26)
    while number := number // 26:
        letters = chr(97 + number % 26) + letters
    return letters


def _short_address(url: str, source: str) -> str:
    """Return an address with `*` for its last part, where that can be made from a text."""
    folder, _, last = url.removesuffix("/").rpartition("/")
    return f"{folder}/*" if folder and url.endswith("/") and last == dashed(source) else url


def _short_tags(tags: tuple[str, ...]) -> str:
    """Return the tags, without the last where it can be made from the first."""
    is_made = len(tags) == 2 and tags[1] == path_id(tags[0])
    return f"{tags[0]}\t" if is_made else "\t".join(tags)


def path_id(text: str) -> str:
    """Return ASCII method and path as many make operationIds of them, and nothing for any other text.

    `POST /v1/charges/{charge}` is `PostChargesCharge`.
    """
    method, _, path = text.partition(" ")
    words = [word for word in re.split(r"[\W_]+", path) if word and not re.fullmatch(r"v\d+", word)]
    return "".join(word[:1].upper() + word[1:] for word in (method.lower(), *words)) if text.isascii() else ""


def dashed(text: str) -> str:
    """Return ASCII text as addresses are made from it, and nothing for any other."""
    return re.sub(r"[\W_]+", "-", apart(text, "-")).strip("-").lower() if text.isascii() else ""


def spaced(text: str) -> str:
    """Return ASCII text as titles are made from an operationId, and nothing for any other."""
    return title_from_id(text) if text.isascii() else ""
