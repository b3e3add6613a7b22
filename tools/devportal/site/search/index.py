"""The search index of a site: pages by kind, and names of fields with all places where they are shown."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from itertools import chain, pairwise
from pathlib import Path
from textwrap import shorten, wrap
from types import MappingProxyType
from typing import Any

from devportal.contract.wording import has_own_capitals, on_one_line, spell_word, split_camel_case
from devportal.markup import PageHead, SearchEntry, SearchKind, url_of
from devportal.project.setting_kinds import SynonymGroups
from devportal.site.search.columns import COLUMN_SEPARATOR, encode_number, pack_column
from devportal.site.search.field_shapes import FieldShapes, NumberedShapes
from devportal.site.search.synonyms import common_synonyms, used_synonyms

API_FOLDERS = ("reference", "changelog/api", "conformance/api")
"""The folders of a site that have one for each of several APIs."""
INDEX_NAME = "search/search_index.json"
"""The file of a site whose texts these are."""
DETAILS_NAME = "search/search_details.json"
"""The same with details: what search loads if nothing has all words of a question without them."""


MAX_TITLE = 100
"""How many characters of a title are shown."""
MAX_SENTENCE = 160
"""How many characters of a text are shown: what is longer, such as a table, is divided between words."""
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[^\W\d_a-z])|(?<=。)")
_CELL_MARK, _ROW_MARK, _BREAK_MARK = "\ue010", "\ue011", "\ue012"  # not those of slots (rendering/frames.py)
"""Stand behind cells, rows and breaks while the theme reads a page: nobody writes characters of private use."""
_EXCLUDED = ' data-search-exclude="head"'
_BLOCK = re.compile(rf"</?(?:p|li|ol|ul)>|{_ROW_MARK}")
_CODE = re.compile(r"<pre>(.*?)</pre>", re.DOTALL)
_CELL_END = re.compile(r"</t[dh]>(?=\s*<t[dh][ >])")
_BREAK = re.compile(r"<br\s*/?>")
_MOST_TEXTS = 20_000
"""Of how many texts what is worked out is kept."""
_DERIVED_MARK = " "
"""Stands for what is made from other columns; nothing else ends with it."""


def merged_search_indexes(
    index: Path,
    pages: Iterable[PageHead],
    descriptions: Mapping[str, str] = MappingProxyType({}),
    *,
    definitions: Iterable[tuple[str, SearchEntry]] = (),
    synonyms: SynonymGroups = (),
    secondary: Sequence[str] = (),
    apis: Mapping[str, tuple[str, Sequence[str]]] = MappingProxyType({}),
    complete: Callable[[list[dict[str, Any]]], list[dict[str, Any]]] = list,
) -> dict[str, str]:
    """Return our index and the one with details, if there are any, by their file names. The entries of the theme's
    index are in both. There is none if the theme has none.

    `descriptions` are what hand-written pages say of themselves, by their addresses: often in the words that
    readers ask with, and the theme leaves them out. Of pages that fit as well as each other, those come first
    that are first in it. `definitions` are entries of theirs that the theme's index leaves out. `synonyms` are
    added to the common ones, and pages in the folders `secondary` come after others that fit as well.
    `apis` are several APIs by their names: the title of each, and the addresses of pages that it has with others.
    `complete` adds to the theme's documents those of pages that it was not asked to read again.
    """
    if not index.is_file():
        return {}
    entries, detailed = (
        SearchIndex(
            synonyms=(*common_synonyms(), *synonyms),
            secondary=secondary,
            apis=apis,
            with_details=with_details,
        )
        for with_details in (False, True)
    )
    places = {url: number for number, url in enumerate(descriptions)}
    documents = complete(json.loads(index.read_text(encoding="utf-8"))["docs"])
    split = [(*document["location"].partition("#")[::2], document) for document in documents]
    for url, anchor, document in sorted(split, key=lambda item: places.get(item[0], len(places))):
        entry, samples = _theme_entry(
            document["title"],
            document["text"],
            tuple(document.get("tags", ())),
            anchor,
            "" if anchor else descriptions.get(url, ""),
        )
        for made in (entries, detailed):
            made.add(url, entry, samples=samples)
    generated = ((url_of(page.uri), entry) for page in pages for entry in page.search)
    for url, entry in chain(definitions, generated):
        for made in (entries, detailed):
            made.add(url, entry)
    return {INDEX_NAME: entries.text()} | ({DETAILS_NAME: detailed.text()} if entries.has_more else {})


@lru_cache(maxsize=_MOST_TEXTS)
def _theme_entry(
    title: str, html: str, tags: tuple[str, ...], anchor: str, description: str
) -> tuple[SearchEntry, str]:
    """Return an entry of the theme's index as one of ours, and its code samples: its title and text are HTML.

    A paragraph is a line of the text. It is worked out once for all builds of a process.
    """
    prose = map(_html_text, _BLOCK.split(_CODE.sub("<p>", html)))
    text = "\n".join(filter(None, (description, *prose)))
    entry = SearchEntry(title=_html_text(title), text=text, anchor=anchor, tags=tuple(map(_html_text, tags)))
    return entry, _code_samples(html)


def _code_samples(html: str) -> str:
    """Return the code in HTML as lines."""
    return "\n".join(_html_text(line) for block in _CODE.findall(html) for line in block.splitlines())


def mark_cells(html: str) -> str:
    """Return HTML with a mark behind each cell, row and break: the theme's index keeps their texts, not their tags.

    It leaves out the heads of tables, which say nothing without their rows.
    """
    marked = _BREAK.sub(rf"\g<0>{_BREAK_MARK}", _CELL_END.sub(rf"\g<0>{_CELL_MARK}", html))
    return marked.replace("</tr>", f"{_ROW_MARK}</tr>").replace("<thead>", f"<thead{_EXCLUDED}>")


def unmark_cells(html: str) -> str:
    """Return HTML without those marks."""
    for mark in (_CELL_MARK, _ROW_MARK, _BREAK_MARK):
        html = html.replace(mark, "")
    return html.replace(f"<thead{_EXCLUDED}>", "<thead>")


def _html_text(html: str) -> str:
    """Return HTML of the theme's index without its tags, all of which stand inside sentences and words."""
    text = unescape(re.sub(r"<[^>]+>", "", html)).replace(_BREAK_MARK, " ")
    cells = map(on_one_line, text.split(_CELL_MARK))
    return " · ".join(filter(None, cells))


@lru_cache(maxsize=_MOST_TEXTS)
def _split_sentences(text: str) -> str:
    """Return a text with a tab between sentences, and between parts of what is too long to be shown.

    It is worked out once for all builds of a process, such as those of a served portal.
    """
    lines = (_SENTENCE.split(on_one_line(line)) for line in text.splitlines())
    return "\t".join(part for line in chain(*lines) for part in _split_long_sentence(line))


def _split_long_sentence(sentence: str) -> list[str]:
    return wrap(sentence, MAX_SENTENCE, break_long_words=False, break_on_hyphens=False)


class SearchIndex:
    """Gathers the entries of a site."""

    def __init__(
        self,
        *,
        synonyms: SynonymGroups | None = None,
        secondary: Sequence[str] = (),
        apis: Mapping[str, tuple[str, Sequence[str]]] = MappingProxyType({}),
        with_details: bool = False,
    ) -> None:
        """Start with nothing. `synonyms` are the common ones, unless others are given."""
        self.has_more = False
        """Whether an entry had details that are left out here."""
        self._with_details = with_details
        self._apis = apis
        self._synonyms = common_synonyms() if synonyms is None else synonyms
        self._secondary = secondary
        self._rows: dict[SearchKind, list[_IndexRow]] = {}
        self._shapes = FieldShapes()
        self._parts: dict[tuple[str, str], int] = {}

    def add(self, url: str, entry: SearchEntry, *, samples: str = "") -> None:
        """Take an entry of the page at an address below the site's root, and the code that is shown there."""
        details = entry.details if self._with_details else ""
        self.has_more |= details != entry.details
        prose = "\n".join(filter(None, (entry.text, details)))
        text = "\t\t".join(filter(None, map(_split_sentences, (prose, samples))))
        row = _index_row(url, entry.title, entry.anchor, entry.tags, text)
        if entry.fields:
            row = replace(row, parts=tuple(self._read(self._known_lines(entry.fields))))
        self._rows.setdefault(SearchKind(entry.kind), []).append(row)

    def _known_lines(self, outline: str) -> list[str]:
        """Return the lines of an outline, those of values without the tab at their end, or not at all."""
        lines = outline.split("\n")
        values = {line for line in lines if line.startswith(" ") and line.endswith("\t")}
        if self._with_details:
            return [line.removesuffix("\t") if line in values else line for line in lines]
        self.has_more |= bool(values)
        return [line for line in lines if line not in values]

    def _read(self, lines: list[str]) -> Iterator[tuple[int, int]]:
        """Yield the numbers of the parts in an outline, each with that of its shape."""
        starts = [number for number, line in enumerate(lines) if not line.startswith(" ")]
        for start, end in pairwise((*starts, len(lines))):
            words, _, anchor = lines[start].partition("\t")
            part = self._parts.setdefault((words, anchor), len(self._parts))
            yield part, self._shapes.read(tuple(lines[start + 1 : end]))

    def text(self) -> str:
        """Return the index as JSON."""
        shapes = self._shapes.numbered_shapes()
        pages = {kind: _index_columns(self._rows[kind], shapes) for kind in SearchKind if kind in self._rows}
        fields = shapes.columns()
        index: dict[str, Any] = {
            "parts": list(self._parts),
            "fields": fields.pop("fields"),
            "pages": pages,
            **fields,
        }
        index["synonyms"] = list(used_synonyms(self._synonyms, self._texts()))
        index["secondary"] = list(self._secondary)
        spelled = {word for row in chain.from_iterable(self._rows.values()) for word in row.spelled}
        if spelled:
            index["spelled"] = sorted(spelled)
        if self.has_more:
            index["details"] = True
        if self._apis:  # which of them an address is of follows from its folder
            index["apis"] = [
                {"title": title, "folders": [*(f"{area}/{name}/" for area in API_FOLDERS), *shared]}
                for name, (title, shared) in self._apis.items()
            ]
        return json.dumps(index, ensure_ascii=False, separators=(",", ":"))

    def _texts(self) -> Iterator[str]:
        for row in chain.from_iterable(self._rows.values()):
            yield from (row.title, row.text, split_camel_case(row.names, " "), row.address)


@dataclass(frozen=True, slots=True, kw_only=True)
class _IndexRow:
    """One entry. `spelled` has the words with unusual capitals in a title that is left out, and `parts` pairs of
    numbers: of a part and of the shape as it was read.
    """

    address: str
    title: str
    code: str
    names: str
    text: str
    method: str
    spelled: tuple[str, ...]
    parts: tuple[tuple[int, int], ...] = ()


@lru_cache(maxsize=_MOST_TEXTS)
def _index_row(url: str, title: str, anchor: str, tags: tuple[str, ...], text: str) -> _IndexRow:
    """Return an entry without parts, worked out once for all builds of a process."""
    tags = tuple(map(on_one_line, tags))
    title = shorten(title, MAX_TITLE, placeholder="…")
    method, code = _split_tag(tags[0] if tags else "")
    short = _short_title(title, tags)
    return _IndexRow(
        address=_short_address(url, anchor, tags[-1] if tags else "", title),
        title=short,
        code=code,
        names=_DERIVED_MARK
        if len(tags) == 2 and tags[1] == derived_operation_id(tags[0])
        else "\t".join(tags[1:]),
        text=text,
        method=method,
        spelled=() if short or not tags else tuple(_spelled_words(tags[-1])),
    )


def _index_columns(rows: Sequence[_IndexRow], shapes: NumberedShapes) -> list[str]:
    """Return what the rows say, by column; one in which nothing stands is empty, except for the addresses."""
    cells = zip(*((row.title, row.code, row.names, row.text) for row in rows), strict=True)
    parts = [
        row.method + "".join(encode_number(part) + shapes.reference(shape) for part, shape in row.parts)
        for row in rows
    ]
    return [
        pack_column(row.address for row in rows),
        *(pack_column(texts) if any(texts) else "" for texts in cells),
        COLUMN_SEPARATOR.join(parts) if any(parts) else "",
    ]


def _split_tag(tag: str) -> tuple[str, str]:
    """Return the method of a tag with the blank behind it, and its path; there may be no method."""
    method, blank, path = tag.partition(" ")
    is_parted = path.startswith("/") and method.isascii() and method.isalpha() and method.isupper()
    return (method + blank, path) if is_parted else ("", tag)


def _short_address(url: str, anchor: str, name: str, title: str) -> str:
    """Return an address, its end left out where that is the name, or made from the name or the title."""
    if anchor:
        return (
            f"{url}#{anchor.removesuffix(name) + _DERIVED_MARK if name and anchor.endswith(name) else anchor}"
        )
    folder, _, last = url.removesuffix("/").rpartition("/")
    return (
        f"{folder}/{_DERIVED_MARK}"
        if folder and url.endswith("/") and last == derived_slug(name or title)
        else url
    )


def _short_title(title: str, tags: tuple[str, ...]) -> str:
    """Return a title, left out where it is made from the last tag, or its end where that is the tag."""
    name = tags[-1] if tags else ""
    if name and title == derived_title(name):
        return ""
    return title.removesuffix(name) + _DERIVED_MARK if name and title.endswith(name) else title


def derived_operation_id(text: str) -> str:
    """Return ASCII method and path as many make operationIds of them, and nothing for any other text.

    `POST /v1/charges/{charge}` is `PostChargesCharge`.
    """
    method, _, path = text.partition(" ")
    words = [word for word in re.split(r"[\W_]+", path) if word and not re.fullmatch(r"v\d+", word)]
    return "".join(word[:1].upper() + word[1:] for word in (method.lower(), *words)) if text.isascii() else ""


def derived_slug(text: str) -> str:
    """Return ASCII text as addresses are made from it, and nothing for any other."""
    return re.sub(r"[\W_]+", "-", split_camel_case(text, "-")).strip("-").lower() if text.isascii() else ""


def derived_title(text: str) -> str:
    """Return ASCII text as search makes a title from an operationId, and nothing for any other text.

    Unlike on pages, it has no hyphens, and capitals that shout are kept.
    """
    words = (word if has_own_capitals(word) else spell_word(word.lower()) for word in _title_words(text))
    title = " ".join(words)
    return title[:1].upper() + title[1:]


def _title_words(text: str) -> Iterator[str]:
    """Yield the words of ASCII text that search makes a title from, as they are written."""
    return filter(None, re.split(r"[\W_]+", split_camel_case(text, " ")) if text.isascii() else ())


def _spelled_words(text: str) -> Iterator[str]:
    """Yield the words that search has to know to make a title: those that titles spell with unusual capitals."""
    for word in _title_words(text):
        spelled = spell_word(word.lower())
        if not has_own_capitals(word) and not spelled.islower():
            yield spelled
