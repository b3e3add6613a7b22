"""What holds for every page of every contract."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import pairwise
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from devportal.markup import Page, url_of
from devportal.reference.addresses import DOWNLOADS

from .reading import Element, parse_html

_ROOT = "https://site.example/"
_FILES = {uri for _, uri in DOWNLOADS}
"""What the site holds beside pages."""
_ID = re.compile(r'<[^>]* id="([^"]*)"')
_HEADING = re.compile(r"<h([1-6])\b")
_LIVE = {"script", "style", "iframe", "object", "embed", "form", "base", "meta", "link", "img", "svg"}
_DRAWING = "dp-states__drawing"
"""The class of the only images that we make."""


def breaches(pages: Mapping[str, Page], *, every: int = 1) -> list[str]:
    """Return what is wrong with the pages of a contract: `uri: what`. Headings are looked at on all of them,
    the rest on every so-manieth.
    """
    bodies = {uri: parse_html(pages[uri].body) for uri in list(pages)[::every]}
    sides = {uri: parse_html(pages[uri].sidebar) for uri in bodies}
    ids = {url_of(uri): set(map(unescape, _ID.findall(page.body))) for uri, page in pages.items()}
    found = []
    for uri, body in bodies.items():
        told = (*_markup(body), *_markup(sides[uri]), *_duplicate_ids(body))
        told += (*_column(uri, sides[uri], pages), *_links(uri, body, ids), *_links(uri, sides[uri], ids))
        found += [f"{uri}: {text}" for text in (*told, *_contents(pages[uri], body))]
    return found + [f"{uri}: {heading}" for uri, page in pages.items() for heading in _headings(page.body)]


def _ids(body: Element) -> set[str]:
    return {element.attributes["id"] for element in body.all() if "id" in element.attributes}


def _markup(body: Element) -> Iterator[str]:
    """Yield live elements, inline styles and event attributes."""
    for element in body.all():
        is_drawn = element.tag == "svg" and element.attributes.get("class") == _DRAWING
        if element.tag in _LIVE and not is_drawn:
            yield f"<{element.tag}>"
        for name, value in element.attributes.items():
            if name == "style" or name.startswith("on"):
                yield f"<{element.tag} {name}>"
            if not re.fullmatch(r"[a-z][a-z-]*", name):
                yield f"an attribute called {name!r}"
            if name in {"href", "src", "action"} and urlsplit(value).scheme not in {
                "",
                "http",
                "https",
                "mailto",
            }:
                yield f"a link to {value!r}"


def _headings(body: str) -> Iterator[str]:
    """Yield headings that skip a level, and any number of `h1` but one at the start."""
    levels = [int(level) for level in _HEADING.findall(body)]
    if levels.count(1) != 1 or levels[0] != 1:
        yield f"headings {levels[:4]}: not one h1 first"
    for last, level in pairwise(levels):
        if level > last + 1:
            yield f"h{level} after h{last}"


def _duplicate_ids(body: Element) -> Iterator[str]:
    """Yield ids that are there twice, or that no link can name."""
    seen = set()
    for element in body.all():
        anchor = element.attributes.get("id")
        if anchor is None:
            continue
        if anchor in seen:
            yield f"the id {anchor!r} twice"
        if not anchor or re.search(r"\s", anchor):
            yield f"the id {anchor!r}"
        seen.add(anchor)


def _links(uri: str, body: Element, ids: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield links that lead to no page, or to no element of it.

    A relative link in a description is for a host of the author's; it is known by its `rel`.
    """
    for link in body.find("a"):
        if "rel" in link.attributes and not link.attributes["href"].startswith("#"):
            continue
        target, anchor = urldefrag(urljoin(_ROOT + url_of(uri), link.attributes.get("href", "")))
        if not target.startswith(_ROOT):
            continue
        page = target.removeprefix(_ROOT)
        if page in _FILES:
            continue
        if page not in ids:
            yield f"a link to {link.attributes['href']!r}, which is not a page"
        elif anchor and unquote(anchor) not in ids[page]:
            yield f"a link to {link.attributes['href']!r}, where that anchor is not"


def _column(uri: str, side: Element, pages: Mapping[str, Page]) -> Iterator[str]:
    """Yield links of the left column that lead to another page than the one they name."""
    titles = {url_of(value): page.title for value, page in pages.items()}
    for link in side.find("li"):
        (anchor,) = link.find("a")
        target, part = urldefrag(urljoin(_ROOT + url_of(uri), anchor.attributes["href"]))
        names = "".join(element.text for element in anchor.find("code"))  # of an event, beside its title
        named = [element.text.removesuffix(names).strip() for element in anchor.find(cls="dp-side__title")]
        if named and not part and named != [" ".join(titles[target.removeprefix(_ROOT)].split())]:
            yield f"the column names {named} and leads to {target}"


def _contents(page: Page, body: Element) -> Iterator[str]:
    """Yield entries of the table of contents that are not on the page."""
    ids = _ids(body)
    for heading in page.headings:
        if heading.anchor not in ids:
            yield f"the heading {heading.anchor!r} is not there"
