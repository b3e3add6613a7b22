"""The search index of a site: its pages by kind, and names of fields with all places where they are shown.

It takes the place of the theme's index, whose words of hand-written pages it keeps. It is made to be small.
`assets/devportal/matching.js` reads it; what is written in short here, it writes out alike:

- Texts are in columns (`site/columns.py`). Numbers are letters to the base of 26, the last one a capital.
- `parts` are the parts that pages have: words, and what the anchors of the fields in it begin with.
- `fields` are names of fields. Behind a tab is the end of the field's anchor where that is not the name
  itself; the name follows where that ends in a dot. `below` has the shape of what is inside each.
- `shapes` are the sets of fields that parts have, and fields inside (`site/search_shapes.py`).
- Texts of pages have a tab between sentences, and two before the lines of code. One of these is shown.
- `pages` has for each kind six columns, a line for each entry: address, title, first tag, other tags, text,
  and parts as pairs of numbers, of the part and of its shape. The method of the first tag stands before them.

What can be made from other columns is left out. A blank at the end stands for it: in a title for the last
tag, in an address for the last tag, or for the part that follows from it or from the title; instead of other
tags, for the one that follows from method and path. A title that follows from the last tag is empty.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import chain, pairwise
from pathlib import Path
from textwrap import shorten, wrap
from types import MappingProxyType
from typing import Any

from devportal.contract.words import apart, title_from_id
from devportal.pages import PageHead, SearchEntry, SearchKind, url_of
from devportal.site.columns import END, column, encoded
from devportal.site.search_shapes import NamedShapes, Shapes

MAX_TITLE = 100
"""How many characters of a title are shown."""
MAX_SENTENCE = 160
"""How many characters of a text are shown: what is longer, such as a table, is divided between words."""
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[^\W\d_a-z])|(?<=。)")
_BLOCK = re.compile(r"</?(?:p|li|ol|ul)>")
_CODE = re.compile(r"<pre>(.*?)</pre>", re.DOTALL)
_MADE = " "
"""Stands for what is made from other columns; nothing else ends with it."""


def merge_search_entries(
    index: Path,
    pages: Iterable[PageHead],
    descriptions: Mapping[str, str] = MappingProxyType({}),
    *,
    definitions: Iterable[tuple[str, SearchEntry]] = (),
) -> None:
    """Put our index in place of the theme's, if the site has one, with the entries of the theme in it.

    `descriptions` are what hand-written pages say of themselves, by their addresses: often in the words that
    readers ask with, and the theme leaves them out. Of pages that fit as well as each other, those come first
    that are first in it. `definitions` are entries of theirs that the theme's index leaves out.
    """
    if not index.is_file():
        return
    made = SearchIndex()
    places = {url: number for number, url in enumerate(descriptions)}
    documents = json.loads(index.read_text(encoding="utf-8"))["docs"]
    split = [(*document["location"].partition("#")[::2], document) for document in documents]
    for url, anchor, document in sorted(split, key=lambda one: places.get(one[0], len(places))):
        entry = _entry(document, anchor, "" if anchor else descriptions.get(url, ""))
        made.add(url, entry, samples=_samples(document["text"]))
    for url, entry in definitions:
        made.add(url, entry)
    for page in pages:
        for entry in page.search:
            made.add(url_of(page.uri), entry)
    index.write_text(made.text(), encoding="utf-8")


def _entry(document: dict[str, Any], anchor: str, description: str) -> SearchEntry:
    """Return an entry of the theme's index as one of ours: its title and text are HTML.

    A paragraph is a line of the text.
    """
    tags = tuple(map(_plain, document.get("tags", ())))
    prose = map(_plain, _BLOCK.split(_CODE.sub("<p>", document["text"])))
    text = "\n".join(filter(None, (description, *prose)))
    return SearchEntry(title=_plain(document["title"]), text=text, anchor=anchor, tags=tags)


def _samples(html: str) -> str:
    """Return the code in HTML as lines."""
    return "\n".join(_plain(line) for block in _CODE.findall(html) for line in block.splitlines())


def _plain(html: str) -> str:
    return _line(unescape(re.sub(r"<[^>]+>", " ", html)))


def _line(text: str) -> str:
    return " ".join(text.split())


def _sentences(text: str) -> str:
    """Return a text with a tab between sentences, and between parts of what is too long to be shown."""
    lines = (_SENTENCE.split(_line(line)) for line in text.splitlines())
    return "\t".join(part for one in chain(*lines) for part in _shown(one))


def _shown(sentence: str) -> list[str]:
    return wrap(sentence, MAX_SENTENCE, break_long_words=False, break_on_hyphens=False)


class SearchIndex:
    """Gathers the entries of a site."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._rows: dict[SearchKind, list[_Row]] = {}
        self._shapes = Shapes()
        self._parts: dict[tuple[str, str], int] = {}

    def add(self, url: str, entry: SearchEntry, *, samples: str = "") -> None:
        """Take an entry of the page at an address below the site's root, and the code that is shown there."""
        tags = tuple(map(_line, entry.tags))
        title = shorten(entry.title, MAX_TITLE, placeholder="…")
        method, code = _parted(tags[0] if tags else "")
        row = _Row(
            address=_short_address(url, entry.anchor, tags[-1] if tags else "", title),
            title=_short_title(title, tags),
            code=code,
            names=_MADE if len(tags) == 2 and tags[1] == path_id(tags[0]) else "\t".join(tags[1:]),
            text="\t\t".join(filter(None, map(_sentences, (entry.text, samples)))),
            method=method,
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
            yield part, self._shapes.read(tuple(lines[start + 1 : end]))

    def text(self) -> str:
        """Return the index as JSON."""
        shapes = self._shapes.named()
        pages = {kind: _columns(self._rows[kind], shapes) for kind in SearchKind if kind in self._rows}
        fields = shapes.columns()
        index = {"parts": list(self._parts), "fields": fields.pop("fields"), "pages": pages, **fields}
        return json.dumps(index, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One entry; `parts` are pairs of numbers, of a part and of the shape as it was read."""

    address: str
    title: str
    code: str
    names: str
    text: str
    method: str
    parts: tuple[tuple[int, int], ...]


def _columns(rows: Sequence[_Row], shapes: NamedShapes) -> list[str]:
    """Return what the rows say, by column; one in which nothing stands is empty, except for the addresses."""
    cells = zip(*((row.title, row.code, row.names, row.text) for row in rows), strict=True)
    parts = [
        row.method + "".join(encoded(part) + shapes.reference(shape) for part, shape in row.parts)
        for row in rows
    ]
    return [
        column(row.address for row in rows),
        *(column(texts) if any(texts) else "" for texts in cells),
        END.join(parts) if any(parts) else "",
    ]


def _parted(tag: str) -> tuple[str, str]:
    """Return the method of a tag with the blank behind it, and its path; there may be no method."""
    method, blank, path = tag.partition(" ")
    is_parted = path.startswith("/") and method.isascii() and method.isalpha() and method.isupper()
    return (method + blank, path) if is_parted else ("", tag)


def _short_address(url: str, anchor: str, name: str, title: str) -> str:
    """Return an address, its end left out where that is the name, or made from the name or the title."""
    if anchor:
        return f"{url}#{anchor.removesuffix(name) + _MADE if name and anchor.endswith(name) else anchor}"
    folder, _, last = url.removesuffix("/").rpartition("/")
    return f"{folder}/{_MADE}" if folder and url.endswith("/") and last == dashed(name or title) else url


def _short_title(title: str, tags: tuple[str, ...]) -> str:
    """Return a title, left out where it is made from the last tag, or its end where that is the tag."""
    name = tags[-1] if tags else ""
    if name and title == spaced(name):
        return ""
    return title.removesuffix(name) + _MADE if name and title.endswith(name) else title


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
