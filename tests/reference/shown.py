"""What the pages of a contract show: their text, code and rows, as HTML and as Markdown, and their links."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape
from urllib.parse import urljoin

from lxml.html.defs import tags as html_tags  # type: ignore[import-untyped]
from markdown_it import MarkdownIt

from devportal.markup import Page, url_of

_TAG = re.compile(r"<[^>]*>")
_CODE = re.compile(r"<code[^>]*>(.*?)</code>", re.DOTALL)
_REQUIRED = re.compile(r"requires((?:,? <code[^>]*>[^<]*</code>)+)")
_NUMBER = re.compile(r"-?\d+(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_ROW = re.compile(r'<li\b(?P<row>[^>]*\bclass="dp-field[ "][^>]*)?[^>]*>|</li>')
_NAME = re.compile(r'class="dp-field__name"[^>]*>(.*?)</a>', re.DOTALL)
_LINK = re.compile(r'<a\b[^>]*\bhref="([^"#]+)')
_ID = re.compile(r'<[^>]*\sid="([^"]*)"')
_CRUMBS = re.compile(r'<nav class="dp-crumbs".*?</nav>', re.DOTALL)
_ROOT = "https://site.example/"
_COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_PLAIN = re.compile(r"[^<>\[\]&\\`!#]*")
_UNSAFE = re.compile(
    r"<(script|style|iframe|svg|math|object|template)\b.*?</\1>|<!--.*?-->", re.DOTALL | re.IGNORECASE
)
_MADE_UP = re.compile(
    rf"<(?=(?!/?(?:{'|'.join(html_tags)})\b)/?[a-z][a-z0-9-]*(?:\s[^<>=]*)?/?>)", re.IGNORECASE
)
"""Where a word stands between angle brackets that is no tag of HTML."""
_IMAGE = re.compile(r'<img [^>]*?\balt="([^"]*)"[^>]*>')


def without_whitespace(text: str) -> str:
    """Return text without any white space: how lines are broken does not matter."""
    return "".join(text.split())


def letters_and_digits(text: str) -> str:
    """Return the letters and digits of a text: how it is marked up, and in which case, does not matter."""
    return "".join(filter(str.isalnum, text)).casefold()


def source_letters(markdown: str) -> str:
    """Return the letters and digits of CommonMark as it is written, without HTML tags."""
    return letters_and_digits(unescape(_TAG.sub("", markdown)))


@lru_cache(maxsize=1024)
def rendered_letters(markdown: str) -> str:
    """Return the letters and digits that a reader sees of CommonMark."""
    if _PLAIN.fullmatch(markdown):
        return letters_and_digits(markdown)
    html = _MADE_UP.sub("", _UNSAFE.sub("", _COMMONMARK.render(markdown.strip())))
    return letters_and_digits(unescape(_TAG.sub("", _IMAGE.sub(r"\1", html))))


class Scope:
    """A piece of output in both forms: a page, several, or a row of one. Markdown is that of whole pages."""

    def __init__(self, markup: str, links: Iterable[str], markdown: str | None = None) -> None:
        """Take HTML, the pages that it leads to, and Markdown where that is to be looked at."""
        self.markup = markup
        self.links = tuple(links)
        self.markdown = markdown

    @cached_property
    def plain(self) -> str:
        """The text of the HTML."""
        return unescape(_TAG.sub("", self.markup))

    @cached_property
    def text(self) -> str:
        """The text of the HTML without white space."""
        return without_whitespace(self.plain)

    @cached_property
    def letters(self) -> str:
        """The letters and digits of the HTML."""
        return letters_and_digits(self.plain)

    @cached_property
    def codes(self) -> frozenset[str]:
        """What the HTML shows as code, and each line of it, without white space: long lists of values are one
        block."""
        shown = (line for item in _CODE.findall(self.markup) for line in (item, *item.split("\n")))
        return frozenset(without_whitespace(unescape(_TAG.sub("", line))) for line in shown)

    @cached_property
    def requirements(self) -> frozenset[str]:
        """The names that the HTML says to be required in a sentence: `requires a, b`."""
        listed = "".join(_REQUIRED.findall(self.markup))
        return frozenset(unescape(item) for item in _CODE.findall(listed))

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers in the HTML's text."""
        return frozenset(float(item.replace(",", "")) for item in _NUMBER.findall(self.plain))

    @cached_property
    def twin_text(self) -> str:
        """The Markdown without white space: as it is written, and as it reads where `<` is an entity."""
        written = self.markdown or ""
        read = unescape(written)
        return (
            without_whitespace(written)
            if read == written
            else f"{without_whitespace(written)} {without_whitespace(read)}"
        )

    @cached_property
    def twin_letters(self) -> str:
        """The letters and digits of the Markdown, first with the HTML tags in it, then without."""
        return f"{letters_and_digits(unescape(self.markdown or ''))} {source_letters(self.markdown or '')}"

    @cached_property
    def twin_spoken(self) -> str:
        """The letters and digits that a reader sees of the Markdown, in which links lead elsewhere."""
        return rendered_letters(self.markdown or "")

    @cached_property
    def twin_numbers(self) -> frozenset[float]:
        """The numbers in the Markdown."""
        return frozenset(float(item.replace(",", "")) for item in _NUMBER.findall(self.markdown or ""))


@dataclass(frozen=True)
class _Row:
    name: str
    start: int
    end: int


class Shown:
    """The pages of one contract, to be asked for a part of what they show."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        """Take the pages by uri."""
        self.pages = pages
        self._by_url = {url_of(uri): uri for uri in pages}
        self._scopes: dict[tuple[str, ...], Scope] = {}
        self._rows: dict[str, tuple[_Row, ...]] = {}
        self._row_scopes: dict[tuple[str, str], tuple[Scope, ...]] = {}
        self._links: dict[str, frozenset[str]] = {}
        self._reached: dict[tuple[str, ...], frozenset[str]] = {}

    def with_id(self, *anchors: str) -> tuple[str, ...]:
        """Return the pages on which all these anchors are."""
        return tuple(uri for uri, ids in self._ids.items() if all(anchor in ids for anchor in anchors))

    def pages_titled(self, title: str, *, folder: str) -> tuple[str, ...]:
        """Return the pages below a folder that are called so."""
        wanted = " ".join(title.split())
        uris = self._titles.get(wanted) or self._pages_with_hint(wanted)
        return tuple(uri for uri in uris if folder in uri)

    def _pages_with_hint(self, title: str) -> tuple[str, ...]:
        """Return the pages whose title is this one with what tells it from another in brackets."""
        return tuple(
            uri for value, uris in self._titles.items() if value.startswith(f"{title} (") for uri in uris
        )

    def with_part_pages(self, uris: Iterable[str]) -> tuple[str, ...]:
        """Return pages with the pages below each that hold its parts."""
        stems = {uri.removesuffix(".md") for uri in uris if not uri.endswith("index.md")}
        below = [uri for stem in sorted(stems) for uri in self._below.get(stem, ())]
        return tuple(dict.fromkeys((*uris, *below)))

    def scope(self, uris: tuple[str, ...]) -> Scope:
        """Return what pages show together."""
        if uris not in self._scopes:
            found = [self.pages[uri] for uri in uris if uri in self.pages]
            self._scopes[uris] = Scope(
                "\n".join(page.body for page in found),
                sorted({link for page in found for link in (page.uri, *self._links_of(page.uri))}),
                "\n".join(page.markdown for page in found),
            )
        return self._scopes[uris]

    def rows(self, uris: tuple[str, ...], name: str) -> Iterator[Scope]:
        """Yield the rows of a name on pages, each with all inside it and the pages it is continued on."""
        for uri in filter(self.pages.__contains__, uris):
            if (uri, name) not in self._row_scopes:
                self._row_scopes[uri, name] = tuple(self._scopes_named(uri, name))
            yield from self._row_scopes[uri, name]

    def _scopes_named(self, uri: str, name: str) -> Iterator[Scope]:
        body = self.pages[uri].body
        for row in self._rows_of(uri):
            if row.name == name:
                markup = body[row.start : row.end]
                links = sorted(self._targets(uri, markup))
                parts = [self.pages[link].body for link in links if self.holds_parts(link)]
                yield Scope("\n".join([markup, *parts]), links)

    def reachable_pages(self, uris: tuple[str, ...]) -> frozenset[str]:
        """Return the pages of schemas and parts among these, and those that they lead to, over any number."""
        if uris not in self._reached:
            found = set(filter(self._goes_on, uris))
            pending = sorted(found)
            while pending:
                below = set(filter(self._goes_on, self._links_of(pending.pop()))) - found
                found |= below
                pending += sorted(below)
            self._reached[uris] = frozenset(found)
        return self._reached[uris]

    def _goes_on(self, uri: str) -> bool:
        """Say whether a page shows a schema or a part of something, and not something of its own."""
        return uri in self.pages and (self.holds_parts(uri) or self._is_schema(uri))

    def holds_parts(self, uri: str) -> bool:
        """Say whether a page holds a part of what the page above it shows."""
        return uri in self._parts

    def _is_schema(self, uri: str) -> bool:
        return "/schemas/" in uri and not uri.endswith("/index.md")

    def _links_of(self, uri: str) -> frozenset[str]:
        if uri not in self._links:
            self._links[uri] = frozenset(self._targets(uri, _CRUMBS.sub("", self.pages[uri].body)))
        return self._links[uri]

    def _targets(self, uri: str, markup: str) -> Iterator[str]:
        base = _ROOT + url_of(uri)
        for link in set(_LINK.findall(markup)):
            target = self._by_url.get(urljoin(base, unescape(link)).removeprefix(_ROOT))
            if target is not None and target != uri:
                yield target

    @cached_property
    def _ids(self) -> dict[str, frozenset[str]]:
        return {uri: frozenset(map(unescape, _ID.findall(page.body))) for uri, page in self.pages.items()}

    @cached_property
    def _titles(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for uri, page in self.pages.items():
            found.setdefault(" ".join(page.title.split()), []).append(uri)
        return found

    @cached_property
    def _below(self) -> dict[str, list[str]]:
        """The pages below each page that is no index, by the uri of that page without its ending."""
        stems = {uri.removesuffix(".md") for uri in self.pages if not uri.endswith("index.md")}
        found: dict[str, list[str]] = {}
        for uri in self.pages:
            parts = uri.split("/")
            for length in range(1, len(parts)):
                if (stem := "/".join(parts[:length])) in stems:
                    found.setdefault(stem, []).append(uri)
        return found

    @cached_property
    def _parts(self) -> frozenset[str]:
        return frozenset(uri for found in self._below.values() for uri in found)

    def _rows_of(self, uri: str) -> tuple[_Row, ...]:
        if uri not in self._rows:
            self._rows[uri] = tuple(_rows_in(self.pages[uri].body))
        return self._rows[uri]


def _rows_in(body: str) -> Iterator[_Row]:
    """Yield the rows of a page with the name that each has."""
    open_items: list[tuple[int, str | None]] = []
    for match in _ROW.finditer(body):
        if not match.group().startswith("</"):
            name = _NAME.search(body, match.end(), match.end() + 4000) if match.group("row") else None
            codes = _CODE.findall(name.group(1)) if name else []
            text = unescape(_TAG.sub("", codes[0])) if codes else None
            open_items.append((match.start(), text))
        elif open_items:
            start, name_there = open_items.pop()
            if name_there is not None:
                yield _Row(name_there, start, match.end())
