"""Links and anchors in HTML, found by its tags: a site has tens of megabytes of it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from html import unescape

from devportal.site.links.assets import links_in_module, links_in_styles
from devportal.site.links.link import Link, Reading, offset_links

_ATTRIBUTE_TEXT = r"(?>(?:[^>\"']|\"[^\"]*\"|'[^']*')*)"
_TAG = re.compile(
    rf"<!--.*?(?:-->|\Z)"
    rf"|<(?P<raw>script|style)\b(?P<raw_attributes>{_ATTRIBUTE_TEXT})>(?P<text>.*?)(?:</(?P=raw)\s*>|\Z)"
    rf"|<(?P<tag>[a-z][a-z0-9-]*)\b(?P<attributes>{_ATTRIBUTE_TEXT})>",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([a-z][a-z0-9:_-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_LINK_ATTRIBUTE = re.compile(
    r"\b(?:href|src|(?:image)?srcset|poster|(?:form)?action|data|content|id|name|style|type)\b", re.IGNORECASE
)
_LINKS = ("href", "src", "poster", "action", "formaction", "data", "xlink:href")
_CANDIDATES = ("srcset", "imagesrcset")
_CANDIDATE = re.compile(r"[\s,]*+(\S*[^\s,])(?:,+(?=\s|\Z)|\s+[^,]*,?|\Z)")
"""One of the pictures to choose from (HTML, 4.8.4.2.1): its address ends at a blank, not at a comma."""
_META_LINKS = {
    "og:image", "og:image:url", "og:image:secure_url", "og:url", "twitter:image", "twitter:image:src",
}  # fmt: skip
_REFRESH = re.compile(
    r"\s*[\d.]+(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|([^\s\"'].*?)\s*\Z)", re.IGNORECASE
)
"""What a page goes on to (HTML, 4.2.5.3, 'shared declarative refresh steps')."""


def read_html(html: str) -> Reading:
    """Read what a page links to, loads or names in its head, in order, and its anchors."""
    links: list[Link] = []
    ids: list[Link] = []
    head: dict[str, str] = {}
    names: set[str] = set()
    for tag in _TAG.finditer(html):
        name = (tag["tag"] or tag["raw"] or "").lower()
        attributes = _attributes(tag["attributes"] or tag["raw_attributes"] or "")
        links += (Link(link, tag.start()) for link in _links_of(name, attributes))
        if tag["text"]:
            links += offset_links(_links_inside(name, attributes, tag["text"]), tag.start("text"))
        if "id" in attributes:
            ids.append(Link(attributes["id"], tag.start()))
        if name == "a" and "name" in attributes:
            names.add(attributes["name"])
        if name in {"base", "link"} and "href" in attributes:
            head.setdefault(attributes.get("rel", name).lower(), attributes["href"].strip())
    return Reading(
        links=tuple(links),
        anchors=frozenset(names.union(id_.target for id_ in ids)),
        repeated=_duplicate_ids(ids),
        base=head.get("base", ""),
        canonical=head.get("canonical", ""),
    )


def _attributes(written: str) -> Mapping[str, str]:
    """Return the attributes of a tag, of one that is there twice the first; none if none is asked for."""
    if not _LINK_ATTRIBUTE.search(written):
        return {}
    return {key.lower(): unescape(a or b or c) for key, a, b, c in reversed(_ATTRIBUTE.findall(written))}


def _duplicate_ids(ids: list[Link]) -> tuple[Link, ...]:
    if len({id_.target for id_ in ids}) == len(ids):
        return ()
    count = Counter(id_.target for id_ in ids)
    first = {id_.target: id_ for id_ in reversed(ids)}
    return tuple(id_ for id_ in ids if count[id_.target] > 1 and id_ is not first[id_.target])


def _links_inside(tag: str, attributes: Mapping[str, str], text: str) -> Iterator[Link]:
    """Yield what a script or style within a page loads."""
    if tag == "style":
        yield from links_in_styles(text)
    elif attributes.get("type", "").lower() == "module":
        yield from links_in_module(text)


def _links_of(tag: str, attributes: Mapping[str, str]) -> Iterator[str]:
    if not attributes or tag == "base" or attributes.get("rel") in {"preconnect", "dns-prefetch"}:
        return
    for name in _LINKS:
        if name in attributes and not (name == "data" and tag != "object"):
            yield attributes[name]
    for name in _CANDIDATES:
        yield from _CANDIDATE.findall(attributes.get(name, ""))
    if "style" in attributes:
        yield from (link.target for link in links_in_styles(attributes["style"]))
    if tag == "meta":
        yield from _links_of_meta(attributes)


def _links_of_meta(attributes: Mapping[str, str]) -> Iterator[str]:
    content = attributes.get("content", "")
    refresh = _REFRESH.match(content)
    if attributes.get("http-equiv", "").lower() == "refresh" and refresh:
        yield refresh[1] or refresh[2] or refresh[3] or ""
    if _META_LINKS & {attributes.get("property"), attributes.get("name")}:
        yield content
