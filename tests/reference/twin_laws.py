"""What holds for the Markdown twin of every page of every contract."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from markdown_it.token import Token

from devportal.markup import Page
from devportal.reference.addresses import DOWNLOADS
from tests.markup.attacks import trusting_reader

_ROOT = "https://site.example/"
_FILES = {uri for _, uri in DOWNLOADS}
_HARMLESS = re.compile(r"</?(?:br|em|s|strong|sub|sup)>")


def twin_breaches(pages: Mapping[str, Page], *, every: int = 1) -> list[str]:
    """Return what is wrong with the twins of a contract, looking at every so-manieth: `uri: what`."""
    reader = trusting_reader()
    found = []
    for uri in list(pages)[::every]:
        about: dict[str, object] = {}
        tokens = list(_flat(reader.parse(pages[uri].markdown, about)))
        told = [*_unsafe_html(tokens), *_headings(tokens), *_broken_links(uri, tokens, pages)]
        told += [f"a reference to {name!r}" for name in about.get("references", ())]  # type: ignore[attr-defined]
        found += [f"{uri}: {text}" for text in told]
    return found


def _flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()


def _unsafe_html(tokens: list[Token]) -> Iterator[str]:
    """Yield HTML but for a few tags without attributes, images, and links that are none of the web."""
    for token in tokens:
        if token.type.startswith("html") and not _HARMLESS.fullmatch(token.content.strip()):
            yield f"HTML {token.content!r}"
        if token.type == "image":
            yield f"an image {token.content!r}"
        if urlsplit(_target(token)).scheme not in {"", "http", "https", "mailto", "tel"}:
            yield f"a link to {_target(token)!r}"


def _headings(tokens: list[Token]) -> Iterator[str]:
    """Yield where the outline is none: a heading that skips a level, another of the first."""
    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    if levels[:1] != [1] or levels.count(1) > 1:
        yield f"headings {levels}"
    yield from (f"h{number} after h{before}" for before, number in pairwise(levels) if number > before + 1)


def _broken_links(uri: str, tokens: list[Token], pages: Mapping[str, Page]) -> Iterator[str]:
    """Yield links within the reference that lead to no twin and no file.

    Ours lead to twins, whose names end in `.md`; what else an author writes relative to pages of his own is
    left as it is.
    """
    for token in tokens:
        goal = urldefrag(urljoin(f"{_ROOT}{uri}", _target(token))).url
        if token.type == "link_open" and goal.startswith(f"{_ROOT}reference/"):
            there = unquote(goal.removeprefix(_ROOT))
            if there.endswith(".md") and there not in pages and there not in _FILES:
                yield f"a link to {_target(token)!r}, which is not there"


def _target(token: Token) -> str:
    return str(token.attrs.get("href", ""))
