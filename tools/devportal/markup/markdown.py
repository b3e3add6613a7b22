"""Text as Markdown: escaped, in paragraphs, lists and tables."""

import html
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from devportal.language import is_language
from devportal.markup.bare_addresses import has_bare_address, link_bare_addresses
from devportal.markup.footnotes import add_footnotes
from devportal.translation import cached_words, gettext, gettext_noop

_TABLE = re.compile(r"<table>((?:(?!<table\b).)*?)</table>", re.DOTALL)
"""A table without attributes, as Markdown makes it, and with none inside."""
_TITLE = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
_TABLE_TAG = re.compile(r"<[^>]*>")


def with_scrolling_tables(fragment: str) -> str:
    """Return HTML with each table in a region named by the titles of its columns."""
    return _TABLE.sub(_wrap_in_region, fragment) if "<table>" in fragment else fragment


def _wrap_in_region(match: re.Match[str]) -> str:
    titles = (" ".join(html.unescape(_TABLE_TAG.sub("", item)).split()) for item in _TITLE.findall(match[1]))
    label = html.escape(gettext("Table: %(columns)s", columns=", ".join(filter(None, titles))))
    return (
        f'<div class="md-typeset__scrollwrap" tabindex="0" role="region" aria-label="{label}">'
        f'<div class="md-typeset__table">{match[0]}</div></div>'
    )


_REGION = re.compile(
    r'<div class="md-typeset__scrollwrap"[^>]*><div class="md-typeset__table">(.*?</table>)</div></div>',
    re.DOTALL,
)


def without_scrolling_tables(fragment: str) -> str:
    """Return HTML without the regions of tables, for readers that have no style for them."""
    return _REGION.sub(r"\1", fragment)


_RAW = {"html_block", "html_inline"}
_HTML = {
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base",
    "basefont", "bdi", "bdo", "bgsound", "big", "blink", "blockquote", "body", "br", "button", "canvas",
    "caption", "center", "cite", "code", "col", "colgroup", "data", "datalist", "dd", "del", "details",
    "dfn", "dialog", "dir", "div", "dl", "dt", "em", "embed", "fieldset", "figcaption", "figure",
    "font", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header",
    "hgroup", "hr", "html", "i", "iframe", "img", "input", "ins", "isindex", "kbd", "keygen", "label",
    "legend", "li", "link", "listing", "main", "map", "mark", "marquee", "math", "menu", "menuitem",
    "meta", "meter", "nav", "nobr", "noembed", "noframes", "noscript", "object", "ol", "optgroup",
    "option", "output", "p", "param", "picture", "plaintext", "portal", "pre", "progress", "q", "rb",
    "rp", "rt", "rtc", "ruby", "s", "samp", "script", "search", "section", "select", "slot", "small",
    "source", "spacer", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "table",
    "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "track", "tt",
    "u", "ul", "var", "video", "wbr", "xmp",
}  # fmt: skip
"""The elements of HTML, those of older versions and the roots of SVG and MathML included."""
_MAY_STAND_ALONE = {
    "basefont", "bgsound", "big", "blink", "body", "center", "col", "colgroup", "font", "frame", "frameset",
    "head", "html", "img", "isindex", "marquee", "nobr", "noembed", "noframes", "noscript", "optgroup", "option",
    "plaintext", "rb", "rp", "rt", "rtc", "ruby", "script", "strike", "style", "tt", "wbr", "xmp",
}  # fmt: skip
"""The elements that text may have without an attribute and without an end, or that only change its look.

Any other one alone is a placeholder or a type: `/files/<object>`, `List<object>`.
"""
_REDOC_COMPONENTS = {"securitydefinitions", "security-definitions", "schemadefinition"}
"""What Redoc replaces with a list of security schemes, or a schema: other pages of a site have both."""
_PLACEHOLDER_TAG = re.compile(r"<(?=/?([A-Za-z][A-Za-z0-9-]*)(?:\s[^<>=]*)?/?>)")
_COMPONENT = re.compile(r"<([A-Za-z][A-Za-z0-9-]*)\s[^<>]*=")

_BLOCK_TAG = "<(?:blockquote|div|dl|h[1-6]|ol|p|pre|table|ul)>"
_WRAPPER = re.compile(rf"<([A-Za-z][A-Za-z0-9-]*)>\s*{_BLOCK_TAG}", re.IGNORECASE)
"""The tag of an element around blocks of HTML: `<note> <p>`. No placeholder stands there."""
_TITLE_ELEMENT = re.compile(
    rf"<([A-Za-z][A-Za-z0-9-]*)>[^<>]*</\1>\s*(?:<[A-Za-z-]+>\s*)?{_BLOCK_TAG}", re.IGNORECASE
)
"""An element with a title before blocks of HTML: `<fullname>Lambda</fullname> <p>`."""
_EMPTY_ELEMENT = re.compile(r"<([A-Za-z][A-Za-z0-9-]*)></\1>")
_DOC_ELEMENT = re.compile(r"<(para|remarks|returns|see|seealso)>")
"""What comments of C# are marked up with, from which generators take descriptions."""


def show_placeholders(tokens: Sequence[Token]) -> None:
    """Make text of the tags in HTML that no HTML has, but for those around blocks, such as `<important>`."""
    found = [item for token in tokens for item in (token, *(token.children or ())) if item.type in _RAW]
    named = [name for item in found for name in _COMPONENT.findall(item.content)]
    named += [
        name
        for token in (tokens if found else ())
        if token.type in ("inline", "html_block")
        for pattern in (_WRAPPER, _TITLE_ELEMENT, _EMPTY_ELEMENT, _DOC_ELEMENT)
        for name in pattern.findall(token.content)
        if f"</{name}>" in token.content
    ]
    known = (_HTML | _REDOC_COMPONENTS).union(map(str.lower, named)) - _lone_elements(tokens if found else ())

    def escape_bracket(match: re.Match[str]) -> str:
        return "<" if match.group(1).lower() in known else "&lt;"

    for item in found:
        item.content = _PLACEHOLDER_TAG.sub(escape_bracket, item.content)
        if item.type == "html_block" and item.content.lstrip().startswith("&lt;"):
            item.content = f"<p>{item.content}</p>\n"


def _lone_elements(tokens: Sequence[Token]) -> set[str]:
    """Return the names of the elements without an end in a text that mean nothing without one."""
    ended = {
        name.lower()
        for token in tokens
        if token.type in ("inline", "html_block")
        for name in _END_TAG.findall(token.content)
    }
    return _HTML - _TAGS - _MAY_STAND_ALONE - ended


_END_TAG = re.compile(r"</([A-Za-z][A-Za-z0-9]*)")
_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "dfn", "div", "dl", "dt",
    "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q",
    "s", "samp", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "u", "ul", "var",
}  # fmt: skip
_ATTRIBUTES = {
    "*": {"dir", "lang"},
    "a": {"href", "title"},
    "abbr": {"title"},
    "blockquote": {"class"},
    "code": {"class"},
    "ol": {"start"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan", "scope"},
}
_SCHEMES = {"http", "https", "mailto", "tel"}
_LETTER = r"[^\W\d_]"
_WORDS = r"(?:[^\W_]|[ ,.;:'()/?=%$€£’“”–—…\"-])"
_PLAIN = re.compile(rf"{_LETTER}{_WORDS}*")
"""One line of text in which CommonMark has nothing to do."""
_CODE = r"(?<!`)`([!-_a-~](?:[ -_a-~]*[!-_a-~])?)`(?!`)"
_LINK = r"\[([a-zA-Z0-9 ,.'-]+)\]\(((?:https?://|/|#)[a-zA-Z0-9_/.#?=-]*)\)"
_MARKED = re.compile(f"{_CODE}|{_LINK}")
_UNDERSCORE = "(?<=[a-zA-Z0-9])_(?=[a-zA-Z0-9])"
_LINE = rf"(?:{_LETTER}|{_CODE}|{_LINK})(?>(?:(?>{_WORDS}+)|{_UNDERSCORE}|{_CODE}|{_LINK})*)(?<! )"
_SIMPLE = re.compile(rf"{_LINE}(?:\n\n?{_LINE})*")
"""Paragraphs of words, code and links: what most descriptions are, which needs no parser."""
_HTML_LINE = re.compile(r"<p>[\w ,.;:'()/?=%$-]*</p>")
"""What generators make of a description, which CommonMark hands on as it is."""
_LANGUAGE_CLASS = re.compile(r"language-[A-Za-z0-9+#-]+\Z")
_ALERT_CLASS = re.compile(r"dp-alert dp-alert--[a-z]+\Z")


_MOST_RAW_TAGS = 5_000
"""Beyond this many `<` in one text, HTML in it is shown instead of read: balancing it takes square time."""


@lru_cache(maxsize=2)
def _parser(*, html: bool) -> MarkdownIt:
    return add_footnotes(MarkdownIt("commonmark", {"html": html}).enable(["table", "strikethrough"]))


def render_markdown(text: str, *, first_heading: int = 3) -> str:
    """Return safe HTML for CommonMark text with tables.

    Headings are moved so that the outermost become `first_heading` (2 to 6) and none skips a level. Images
    become links: a page makes no request to another host.
    """
    text = text.strip()
    if not text:
        return ""
    if _PLAIN.fullmatch(text):
        return f"<p>{link_bare_addresses(_escape_text(text))}</p>\n"
    return _render(text, first_heading)


@cached_words(8192)
def _render(text: str, first_heading: int) -> str:
    if has_bare_address(text):
        return _render_full(text, first_heading)
    if _SIMPLE.fullmatch(text):
        return "".join(
            f"<p>{_MARKED.sub(_inline_markup, part)}</p>\n" for part in _escape_text(text).split("\n\n")
        )
    return text if _HTML_LINE.fullmatch(text) else _render_full(text, first_heading)


def _inline_markup(match: re.Match[str]) -> str:
    code, label, url = match.groups()
    return f'<a href="{url}" rel="noopener noreferrer">{label}</a>' if url else f"<code>{code}</code>"


def _escape_text(text: str) -> str:
    return html.escape(text, quote=False)


def _render_full(text: str, first_heading: int) -> str:
    return with_scrolling_tables(_move_headings(_parse_and_sanitise(text), first_heading))


@cached_words(1024)
def _parse_and_sanitise(text: str) -> str:
    """Return safe HTML with headings as they are written: one text is shown below headings of several levels."""
    parser = _parser(html=text.count("<") <= _MOST_RAW_TAGS)
    tokens = parser.parse(text)
    if "[!" in text:
        tokens = _mark_alerts(tokens)
    _align_cells(tokens)
    _mark_tasks(tokens)
    _drop_heading_ids(tokens)
    _show_path_converters(tokens)
    if "@" in text:
        _complete_mail_links(tokens)
    show_placeholders(tokens)
    return link_bare_addresses(_sanitise(parser.renderer.render(tokens, parser.options, {})))


_ALERT = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|\Z)", re.IGNORECASE)
"""What a quote begins with that GitHub's Markdown calls an alert, which contracts of others use too."""
_ALERT_TITLES = {
    "NOTE": gettext_noop("Note"),
    "TIP": gettext_noop("Tip"),
    "IMPORTANT": gettext_noop("Important"),
    "WARNING": gettext_noop("Warning"),
    "CAUTION": gettext_noop("Caution"),
}


def _mark_alerts(tokens: list[Token]) -> list[Token]:
    """Return tokens in which alerts are quotes of a class, with their kind as a title."""
    made = tokens[:1]
    for quote, paragraph, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        begins_quote = quote.type == "blockquote_open" and paragraph.type == "paragraph_open"
        found = _ALERT.match(inline.content) if begins_quote else None
        if found:
            quote.attrSet("class", f"dp-alert dp-alert--{found[1].lower()}")
            title = _strong(gettext(_ALERT_TITLES[found[1].upper()]))
            text = (inline.children or [])[2:]  # without the marker and the end of its line
            if text:
                made += (paragraph, Token("inline", "", 0, children=title))
                made.append(Token("paragraph_close", "p", -1, block=True))
            inline.children = text or title
        made.append(paragraph)
    return made + tokens[max(len(tokens) - 1, 1) :]


def _strong(text: str) -> list[Token]:
    word = Token("text", "", 0, content=text)
    return [Token("strong_open", "strong", 1), word, Token("strong_close", "strong", -1)]


def _show_path_converters(tokens: list[Token]) -> None:
    """Make text of autolinks that no page has as a link, such as `<int:id>` in a path of Django or Flask."""
    for token in tokens:
        shown = False
        for child in token.children or ():
            if child.markup == "autolink":
                if child.type == "link_open":
                    shown = str(child.attrs["href"]).partition(":")[0].lower() not in _SCHEMES
                if shown and child.type != "text":
                    child.type, child.content = "text", "<" if child.type == "link_open" else ">"


_MAIL_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def _complete_mail_links(tokens: list[Token]) -> None:
    """Add the scheme that links to bare e-mail addresses lack: `[Support](help@example.com)`."""
    for child in (child for token in tokens for child in token.children or () if child.type == "link_open"):
        if _MAIL_ADDRESS.fullmatch(str(child.attrs["href"])):
            child.attrs["href"] = f"mailto:{child.attrs['href']}"


def _drop_heading_ids(tokens: list[Token]) -> None:
    """Drop the id at the end of a heading, as Docusaurus and other engines write it: `# Limits {#limits}`."""
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and inline.children and inline.children[-1].type == "text":
            inline.children[-1].content = _HEADING_ID.sub("", inline.children[-1].content)


_HEADING_ID = re.compile(r" ?\{#[A-Za-z][\w-]*\} *$")


def _align_cells(tokens: list[Token]) -> None:
    """Say the alignment of table cells without a style, which our content security policy would refuse."""
    for token in tokens:
        if token.type in {"th_open", "td_open"} and "style" in token.attrs:
            token.attrSet("align", str(token.attrs.pop("style")).removeprefix("text-align:"))


_TASK = re.compile(r"\[([ xX])\](?=\s)")
"""What an item of a list of tasks begins with in GitHub's Markdown."""


def _mark_tasks(tokens: list[Token]) -> None:
    """Write the boxes of tasks as characters: `[x]` at the beginning of an item."""
    for item, paragraph, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        begins_item = item.type == "list_item_open" and paragraph.type == "paragraph_open"
        first = inline.children[0] if begins_item and inline.children else None
        if first is not None and first.type == "text":
            box = _TASK.match(first.content)
            first.content = f"{_write_box(box)}{first.content[box.end() :]}" if box else first.content


def _write_box(match: re.Match[str]) -> str:
    return "☐" if match[1] == " " else "☑"


_HEADING = re.compile(r"<(/?)h([1-6])>")
_EMPTY_HEADING = re.compile(r"<h([1-6])>\s*</h\1>\n?")


def _move_headings(fragment: str, first_heading: int) -> str:
    """Return sanitised HTML with its headings at levels that start at `first_heading` and skip none.

    Headings without words go.
    """
    outer: list[int] = []
    unclosed: list[int] = []

    def move_heading(match: re.Match[str]) -> str:
        slash, level = match.group(1), int(match.group(2))
        if slash:
            return f"</h{unclosed.pop()}>"
        while outer and outer[-1] >= level:
            outer.pop()
        outer.append(level)
        unclosed.append(min(6, first_heading + len(outer) - 1))
        return f"<h{unclosed[-1]}>"

    return _HEADING.sub(move_heading, _EMPTY_HEADING.sub("", fragment))


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


_IMAGE = re.compile(r"""<img\b(?>(?:[^<>"']|"[^"]*"|'[^']*')*)>""", re.IGNORECASE)
"""An image. It ends at a `<` outside quotes: else each that is never closed is looked through to the end."""
_ATTRIBUTE = re.compile(r"""(src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)


def _image_link(match: re.Match[str]) -> str:
    """Return a link to an image in place of the image: showing it would be a request to another host."""
    found = {name.lower(): html.unescape(a or b or c) for name, a, b, c in _ATTRIBUTE.findall(match.group())}
    source = found.get("src", "")
    label = found.get("alt") or source.rsplit("/", 1)[-1] or "image"
    return f'<a href="{html.escape(source)}">{html.escape(label)}</a>'


def _keep_attribute(tag: str, name: str, value: str) -> str | None:
    if name == "class":
        return value if (_LANGUAGE_CLASS if tag == "code" else _ALERT_CLASS).match(value) else None
    if name == "dir":
        return value if value in {"ltr", "rtl"} else None
    if name == "lang":
        return value if is_language(value) else None
    return value


_SPACE = re.compile(r"\s+")
_TAG = re.compile(r"""<(?:[^>"]|"[^"]*")*>""")
"""A tag of sanitised HTML: quotes around values are double, and nothing else begins with `<`."""
_INLINE = "a|abbr|b|code|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|u|var"
_BREAK = re.compile(rf"(?=<(?!/?(?:{_INLINE})\b))")
"""Where words end although nothing stands between them: at the tags of blocks and of line breaks."""


def html_to_text(fragment: str) -> str:
    """Return sanitised HTML as plain text on one line."""
    return _SPACE.sub(" ", html.unescape(_TAG.sub("", _BREAK.sub(" ", fragment)))).strip()


@lru_cache(maxsize=8192)
def _plain_text(text: str) -> str:
    return html_to_text(render_markdown(text))


def plain_text(text: str, *, limit: int | None = None) -> str:
    """Return CommonMark as plain text on one line, cut at a word beyond `limit` code points."""
    plain = _SPACE.sub(" ", text).strip() if _PLAIN.fullmatch(text) else _plain_text(text)
    if limit is None or len(plain) <= limit:
        return plain
    words = plain[: limit + 1].rsplit(" ", 1)[0]
    return words[:limit].rstrip(" ,;:.") + "…"
