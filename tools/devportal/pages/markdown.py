"""CommonMark from an untrusted file, made into safe HTML.

Descriptions are CommonMark (OAS 3.0.3 §4.6) written by somebody else: they are rendered by a CommonMark
library and then sanitised, so that no script, style, frame, event handler or `javascript:` link survives.
"""

import html
import re
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "dfn", "div", "dl", "dt",
    "em", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q",
    "s", "samp", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "u", "ul", "var",
}  # fmt: skip
_ATTRIBUTES = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "code": {"class"},
    "img": {"alt", "title", "width", "height"},
    "ol": {"start"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan", "scope"},
}
_SCHEMES = {"http", "https", "mailto", "tel"}
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 ,.;:'()/?=%$€£\"-]*")
"""One line of text in which CommonMark has nothing to do."""
_LANGUAGE_CLASS = re.compile(r"language-[A-Za-z0-9+#-]+\Z")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def render_markdown(text: str, *, first_heading: int = 3) -> str:
    """Return safe HTML for CommonMark text with tables.

    Headings are moved so that the highest level used becomes `first_heading` (2 to 6) and the order of
    levels is kept. Images become links: a page makes no request to another host.
    """
    text = text.strip()
    if not text:
        return ""
    if _PLAIN.fullmatch(text):
        return f"<p>{html.escape(text, quote=False)}</p>\n"
    return _render(text, first_heading)


@lru_cache(maxsize=8192)
def _render(text: str, first_heading: int) -> str:
    parser = _parser()
    tokens = parser.parse(text)
    _move_headings(tokens, first_heading)
    return _sanitise(parser.renderer.render(tokens, parser.options, {}))


def _move_headings(tokens: list[Token], first_heading: int) -> None:
    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    if not levels:
        return
    top = min(levels)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1]) - top + first_heading)}"


def _sanitise(fragment: str) -> str:
    fragment = _IMAGE.sub(_image_link, fragment)
    return nh3.clean(
        fragment,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_keep_attribute,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer",
    )


_IMAGE = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)


def _image_link(match: re.Match[str]) -> str:
    """Return a link to an image in place of the image: showing it would be a request to another host."""
    found = {name.lower(): html.unescape(a or b or c) for name, a, b, c in _ATTRIBUTE.findall(match.group())}
    source = found.get("src", "")
    label = found.get("alt") or source.rsplit("/", 1)[-1] or "image"
    return f'<a href="{html.escape(source)}">{html.escape(label)}</a>'


def _keep_attribute(tag: str, name: str, value: str) -> str | None:
    if tag == "code" and name == "class":
        return value if _LANGUAGE_CLASS.match(value) else None
    return value


_SPACE = re.compile(r"\s+")


def plain_text(text: str, *, limit: int | None = None) -> str:
    """Return CommonMark as plain text on one line, cut at a word beyond `limit` code points."""
    if _PLAIN.fullmatch(text):
        plain = _SPACE.sub(" ", text).strip()
    else:
        stripped = nh3.clean(
            render_markdown(text).replace("</p>", "</p> ").replace("</li>", "</li> "), tags=set()
        )
        plain = _SPACE.sub(" ", html.unescape(stripped)).strip()
    if limit is None or len(plain) <= limit:
        return plain
    return plain[:limit].rsplit(" ", 1)[0].rstrip(",;:.") + "…"
