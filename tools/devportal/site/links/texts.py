"""Links in the other texts of a site: Markdown, feeds, site maps, style sheets, modules, data."""

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

from devportal.site.links.markup import Link, links_and_anchors

_FENCE = re.compile(r"^( *)(`{3,}|~{3,}).*?^ *\2[`~]*[ \t]*$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(?<!`)(`+)(?!`)(?:.|\n(?!\s*\n))*?(?<!`)\1(?!`)")
_MARKDOWN = re.compile(r"(?<!\\)\]\(\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\([^\s()]*\))+))")
_ADDRESS = re.compile(
    r"<(?:loc|link|id|url|docs|comments)\b[^<>]*>\s*([^<\s][^<]*?)\s*</|"
    r"<(?:[a-z]+:)?(?:link|enclosure|content|icon|logo)\b[^>]*?\b(?:href|url|src)=\"([^\"]*)\""
)
_FEED_TEXT = re.compile(r"<(?:description|content|summary|content:encoded)\b[^>]*>(.*?)</", re.DOTALL)
_CDATA = re.compile(r"\A\s*<!\[CDATA\[(.*?)\]\]>\s*\Z", re.DOTALL)
_STYLE = re.compile(r"""url\(\s*(["']?)(.*?)\1\s*\)|@import\s+["']([^"']+)["']""")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_MODULE = re.compile(
    r"""^\s*(?:import|export)\b[^;'"()]*?["'](\.[^"']*)["']|\bimport\(\s*["'](\.[^"']*)["']\s*\)""",
    re.MULTILINE,
)
_ROBOTS = re.compile(r"^Sitemap:\s*(\S+)", re.MULTILINE | re.IGNORECASE)
_JSON_LINKS = {"href", "anchor", "url", "home_page_url", "feed_url", "next_url", "external_url"}


def links_in_markdown(text: str) -> Iterator[Link]:
    """Yield the links of CommonMark outside code."""
    plain = _CODE.sub(_blank, _FENCE.sub(_blank, text))
    for one in _MARKDOWN.finditer(plain):
        yield Link(unescape(re.sub(r"\\(.)", r"\1", one[1] or one[2] or "")), one.start())


def _blank(match: re.Match[str]) -> str:
    """Return as many characters that mean nothing, in as many lines."""
    return re.sub(r"[^\n]", " ", match[0])


def links_in_xml(text: str) -> Iterator[Link]:
    """Yield the links of a feed or site map, also those in the HTML of items."""
    for one in _ADDRESS.finditer(text):
        target = unescape(one[1] or one[2] or "")
        if target.startswith(("http:", "https:")):
            yield Link(target, one.start())
    for item in _FEED_TEXT.finditer(text):
        quoted = _CDATA.match(item[1])
        html = quoted[1] if quoted else unescape(item[1])
        yield from (Link(one.target, item.start()) for one in links_and_anchors(html)[0])


def links_in_json(text: str) -> Iterator[Link]:
    """Yield the links of a feed or link set: what stands under the names that these give them."""
    yield from (Link(one, max(0, text.find(json.dumps(one)))) for one in _json_links(json.loads(text)))


def _json_links(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, member in value.items():
            if name in _JSON_LINKS and isinstance(member, str):
                yield member
            elif name == "content_html" and isinstance(member, str):
                yield from (one.target for one in links_and_anchors(member)[0])
            else:
                yield from _json_links(member)
    elif isinstance(value, list):
        for member in value:
            yield from _json_links(member)


def links_in_styles(text: str) -> Iterator[Link]:
    """Yield what a style sheet loads."""
    for one in _STYLE.finditer(_COMMENT.sub(_blank, text)):
        yield Link(one[2] or one[3] or "", one.start())


def links_in_module(text: str) -> Iterator[Link]:
    """Yield the modules that a script imports by a relative address."""
    yield from (Link(one[1] or one[2], one.start()) for one in _MODULE.finditer(text))


def links_in_robots(text: str) -> Iterator[Link]:
    """Yield the site maps that a robots.txt names."""
    yield from (Link(one[1], one.start()) for one in _ROBOTS.finditer(text))


def reader_for(name: str) -> Callable[[str], Iterator[Link]] | None:
    """Return what reads the links of a file that is no HTML; None where nobody follows any."""
    if name == "robots.txt":
        return links_in_robots
    if name.endswith((".md", "llms.txt")):  # llms-full.txt is all of these, each with the address it had
        return links_in_markdown
    if name.endswith((".rss", ".atom", ".xml")):
        return links_in_xml
    if name.endswith("api-catalog") or re.search(r"\bfeed(?:/\d+)?\.json\Z", name):
        return links_in_json
    if name.endswith(".css"):
        return links_in_styles
    return links_in_module if name.endswith((".js", ".mjs")) else None
