"""Finds English words that did not go through a catalogue, on sites in a language that no one speaks.

Each message is wrapped in `⟦…⟧` there, and the contract says everything in Cyrillic. So a Latin word outside of both
brackets and code is one that the toolkit wrote past its catalogue.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

from devportal.translation.catalogues import TEMPLATE, read_catalogue
from devportal.translation.extraction import catalogue_text

LANGUAGE = "qps"
"""A tag that is no language."""
_WORD = re.compile(r"[A-Za-z]{2,}")
_NAMES = re.compile(r"llms\.txt|^(### )?default\b")
"""The name of a file, and the status of a response that is none."""
_SILENT = frozenset({"code", "pre", "script", "style", "kbd", "title", "samp"})
"""Elements with code, or with titles that have no language of their own."""
_VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"})
_SPOKEN = ("aria-label", "title", "alt", "placeholder")
_CODE_IN_MARKDOWN = re.compile(
    r"^ *```.*?^ *```|`[^`\n]*`|\]\([^)]*\)|<https?:[^>]*>", re.DOTALL | re.MULTILINE
)
_TERMS = frozenset(
    (
        *(
            "GET",
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
            "EVENT",
            "HTTP",
            "JSON",
            "OpenAPI",
            "Markdown",
            "OAuth",
            "RFC",
        ),
        *("array", "boolean", "integer", "null", "number", "object", "string", "bearer", "basic"),
        *("curl", "Python", "Node", "js", "PHP", "Go", "Ruby", "Java", "Esc", "Created", "OK"),
    )
)
"""Terms of standards, and names of languages and of types: they are the same in every language."""
_SPEC = find_spec("material")
_THEME_FOLDER = Path(_SPEC.origin if _SPEC and _SPEC.origin else "").parent / "templates"
_THEME = _THEME_FOLDER / "partials" / "languages" / "en.html"


def write_pseudo_catalogue(folder: Path) -> Path:
    """Write the catalogue of the language: each message in brackets."""
    catalogue = read_catalogue(TEMPLATE)
    for message in catalogue:
        if message.id:
            message.string = (
                f"⟦{message.id}⟧"
                if isinstance(message.id, str)
                else tuple(f"⟦{text}⟧" for text in message.id)
            )
    path = folder / f"{LANGUAGE}.po"
    path.write_bytes(catalogue_text(catalogue))
    return path


def words_outside_brackets(text: str, depth: int = 0) -> tuple[list[str], int]:
    """Return the Latin words of a text that are in no brackets, and how many brackets are open behind it."""
    words: list[str] = []
    for part in re.split("([⟦⟧])", text):
        if part == "⟦":
            depth += 1
        elif part == "⟧":
            depth -= 1
        elif depth == 0:
            words += [item for item in _WORD.findall(_NAMES.sub("", part)) if item not in _TERMS]
    return words, depth


class _Texts(HTMLParser):
    """The words of a page that are in no brackets, with the text around each."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.in_english: set[str] = set()
        """The words of elements that are marked as English."""
        self._open: list[str] = []
        self._english: list[bool] = []
        self._depth = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            self._open.append(tag)
            self._english.append(dict(attrs).get("lang") == "en")
        for name, value in attrs:
            words, _ = words_outside_brackets(value or "") if name in _SPOKEN else ([], 0)
            if words and value not in theme_words():
                self.found.append(f"{tag} {name}: {value}")

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            self._english.pop()
            if self._open.pop() == tag:
                break

    def handle_data(self, data: str) -> None:
        if any(self._english):
            self.in_english.update(_WORD.findall(data))
            return
        if _SILENT.intersection(self._open):
            return
        words, self._depth = words_outside_brackets(data, self._depth)
        if words and " ".join(data.split()) not in theme_words():
            self.found.append(" ".join(data.split()))


def theme_words() -> frozenset[str]:
    """Return the words of the theme, which has none in this language."""
    return frozenset(re.findall(r'": "([^"]*)"', _THEME.read_text(encoding="utf-8")))


def escaped_from_html(html: str) -> list[str]:
    """Return texts and attributes of a page with words that are in no brackets."""
    return _Texts(html).found


def words_in_english(html: str) -> set[str]:
    """Return the words of the elements of a page that are marked as English."""
    return _Texts(html).in_english


def escaped_from_markdown(text: str) -> Iterator[str]:
    """Yield the lines of a twin with words that are in no brackets."""
    depth = 0
    for line in _CODE_IN_MARKDOWN.sub(" ", text).splitlines():
        words, depth = words_outside_brackets(line, depth)
        if words:
            yield line.strip()
