"""Words between angle brackets that are no HTML, as in `Bearer <token>` or `a <Transfer> verb`.

CommonMark takes them for HTML, and a sanitiser drops what it does not know: the words would be gone from the
page. What has attributes with values is no word but a component of some other tool, which is left out.
"""

import re
from collections.abc import Sequence

from markdown_it.token import Token

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
_TAG = re.compile(r"<(?=/?([A-Za-z][A-Za-z0-9-]*)(?:\s[^<>=]*)?/?>)")
_COMPONENT = re.compile(r"<([A-Za-z][A-Za-z0-9-]*)\s[^<>]*=")


def show_placeholders(tokens: Sequence[Token]) -> None:
    """Make text of the tags in HTML that no HTML has."""
    found = [one for token in tokens for one in (token, *(token.children or ())) if one.type in _RAW]
    known = _HTML.union(name.lower() for one in found for name in _COMPONENT.findall(one.content))

    def shown(match: re.Match[str]) -> str:
        return "<" if match.group(1).lower() in known else "&lt;"

    for one in found:
        one.content = _TAG.sub(shown, one.content)
        if one.type == "html_block" and one.content.lstrip().startswith("&lt;"):
            one.content = f"<p>{one.content}</p>\n"
