"""Sanitised HTML as a tree.

What the sanitiser leaves is well-formed: every tag but `br` and `hr` is closed in order, values stand in
double quotes, and nothing else begins with `<`. So a tree takes one regular expression.
"""

import html
import re
from dataclasses import dataclass, field

_TAG = re.compile(r'<(/?)([a-z0-9]+)((?:[^>"]|"[^"]*")*)>')
_ATTRIBUTE = re.compile(r'([a-z]+)="([^"]*)"')
_VOID = {"br", "hr"}
_MAX_NESTING = 40
"""Beyond so many tags within each other, those further in are left out: their text stays."""

BLOCK_TAGS = {
    "blockquote", "caption", "dd", "details", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "li", "ol", "p", "pre", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
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
        """Whether it is a block itself or must be taken as one for what it holds."""
        return self.tag in BLOCK_TAGS or self.holds_blocks

    def text(self) -> str:
        """Return all text in it; line breaks are line breaks."""
        if self.tag == "br":
            return "\n"
        return "".join(one if isinstance(one, str) else one.text() for one in self.children)

    def elements(self) -> "list[Element]":
        """Return the elements directly in it."""
        return [one for one in self.children if isinstance(one, Element)]


Node = Element | str


def parse_fragment(fragment: str) -> Element:
    """Return sanitised HTML as an element without a name."""
    root = Element("")
    path, left_out, end = [root], 0, 0
    for match in _TAG.finditer(fragment):
        _add_text(path[-1], fragment[end : match.start()])
        end = match.end()
        slash, tag, attributes = match.groups()
        if slash and left_out:
            left_out -= 1
        elif slash:
            _close(path)
        elif tag in _VOID:
            path[-1].children.append(Element(tag))
            path[-1].holds_blocks |= tag in BLOCK_TAGS
        elif len(path) > _MAX_NESTING:
            left_out += 1
        else:
            path.append(_open_element(path[-1], tag, attributes))
    _add_text(path[-1], fragment[end:])
    return root


def _add_text(parent: Element, text: str) -> None:
    if text:
        parent.children.append(html.unescape(text))


def _open_element(parent: Element, tag: str, attributes: str) -> Element:
    made = Element(tag, {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(attributes)})
    parent.children.append(made)
    return made


def _close(path: list[Element]) -> None:
    closed = path.pop()
    path[-1].holds_blocks |= closed.is_block
