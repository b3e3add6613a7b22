"""Links and anchors in HTML, found by its tags: a site has tens of megabytes of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

_ATTRIBUTE_TEXT = r"(?:[^>\"']|\"[^\"]*\"|'[^']*')*+"
_TAG = re.compile(
    rf"<!--.*?-->|<(?P<raw>script|style)\b(?P<raw_attributes>{_ATTRIBUTE_TEXT})>.*?</(?P=raw)\s*>"
    rf"|<(?P<tag>[a-z][a-z0-9-]*)\b(?P<attributes>{_ATTRIBUTE_TEXT})>",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([a-z][a-z0-9:_-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_ASKS = re.compile(r"\b(?:href|src|srcset|poster|action|data|content|id|name)\b", re.IGNORECASE)
_LINKS = ("href", "src", "poster", "action", "data", "xlink:href")
_PICTURES = {"og:image", "og:url"}
_REFRESH = re.compile(r"\s*\d+\s*;\s*url\s*=\s*['\"]?(.*?)['\"]?\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is written, without entities, and where in the text."""

    target: str
    offset: int


def links_and_anchors(html: str) -> tuple[list[Link], frozenset[str]]:
    """Return what a page links to, loads or names in its head, in order, and its anchors."""
    links, anchors = [], set()
    for tag in _TAG.finditer(html):
        name = (tag["tag"] or tag["raw"] or "").lower()
        written = tag["attributes"] or tag["raw_attributes"] or ""
        if not name or not _ASKS.search(written):
            continue
        attributes = {
            key.lower(): unescape(a or b or c) for key, a, b, c in reversed(_ATTRIBUTE.findall(written))
        }
        links += [Link(one, tag.start()) for one in _links_of(name, attributes)]
        anchors |= {attributes["id"]} if "id" in attributes else set()
        anchors |= {attributes["name"]} if name == "a" and "name" in attributes else set()
    return links, frozenset(anchors)


def _links_of(tag: str, attributes: dict[str, str]) -> Iterator[str]:
    if tag == "base" or attributes.get("rel") in {"preconnect", "dns-prefetch"}:
        return
    for name in _LINKS:
        if name in attributes and not (name == "data" and tag != "object"):
            yield attributes[name]
    for one in attributes.get("srcset", "").split(","):
        if one.strip():
            yield one.split()[0]
    if tag == "meta":
        refresh = _REFRESH.match(attributes.get("content", ""))
        if attributes.get("http-equiv", "").lower() == "refresh" and refresh:
            yield refresh[1]
        if attributes.get("property") in _PICTURES:
            yield attributes.get("content", "")
