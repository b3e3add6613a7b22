"""Well-formed HTML as a tree: what the sanitiser leaves, and what our templates write.

Every tag but the void ones is closed in order, values stand in double quotes, and nothing else begins with
`<`. So a tree takes one regular expression.
"""

import html
import re
from dataclasses import dataclass, field

_TAG = re.compile(r'<(/?)([a-z0-9]+)((?>(?:[^>"]++|"[^"]*+")*))>')
_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
BLOCK_SLOT, INLINE_SLOT = "block", "inline"
"""Void tags that stand for CommonMark which is put in later: `devportal.markup.draft`. Authors cannot write them."""
_VOID = {"br", "hr", "img", "input", "wbr", BLOCK_SLOT, INLINE_SLOT}
_MAX_NESTING = 40
"""Beyond this many tags within each other, those further in are left out: their text stays."""

BLOCK_TAGS = {
    BLOCK_SLOT, "article", "aside", "blockquote", "caption", "dd", "details", "div", "dl", "dt", "figcaption",
    "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "nav", "ol", "p", "pre",
    "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip


@dataclass(slots=True)
class Element:
    """A tag with what is in it; `holds_blocks` where a block is among that, at any depth."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[Node]" = field(default_factory=list)
    holds_blocks: bool = False

    @property
    def is_block(self) -> bool:
        """Whether it is a block element, or has block elements inside."""
        return self.tag in BLOCK_TAGS or self.holds_blocks

    def text(self) -> str:
        """Return all text in it; line breaks are line breaks."""
        if self.tag == "br":
            return "\n"
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def elements(self) -> "list[Element]":
        """Return the elements directly in it."""
        return [child for child in self.children if isinstance(child, Element)]


Node = Element | str


def parse_fragment(fragment: str) -> Element:
    """Return sanitised HTML as an element without a name."""
    root = Element("")
    path, left_out = [root], 0
    parts = _TAG.split(fragment)
    if parts[0]:
        root.children.append(html.unescape(parts[0]))
    for slash, tag, attributes, text in zip(*(iter(parts[1:]),) * 4, strict=True):
        if slash and left_out:
            left_out -= 1
        elif slash:
            closed = path.pop()
            path[-1].holds_blocks |= closed.is_block
        elif tag in _VOID or attributes.endswith("/"):
            path[-1].children.append(Element(tag, _parse_attributes(attributes)))
            path[-1].holds_blocks |= tag in BLOCK_TAGS
        elif len(path) > _MAX_NESTING:
            left_out += 1
        else:
            element = Element(tag, _parse_attributes(attributes))
            path[-1].children.append(element)
            path.append(element)
        if text:
            path[-1].children.append(html.unescape(text) if "&" in text else text)
    return root


def _parse_attributes(attributes: str) -> dict[str, str]:
    found = dict(_ATTRIBUTE.findall(attributes)) if attributes else {}
    return {name: html.unescape(value) for name, value in found.items()} if "&" in attributes else found
