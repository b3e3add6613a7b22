"""A page and its Markdown twin from the same HTML, to which a template adds a few hints.

- `<twin>…</twin>` holds what only the twin has, `<page>…</page>` what only the page has.
- `data-twin="h3"` names the tag that the twin writes an element as.
- A slot, made by `PageDraft.pair`, stands for a part given in both forms. Rows of fields and descriptions are
  rendered separately for a twin, because reading them back from their HTML takes ten times as long.

Controls and permalinks are not part of a twin. A list of terms becomes a list with `term: value`, a badge behind
other words is set off by a dot, and a time is written as ISO 8601 has it. Links lead to twins, and those to
anchors on the page itself are only their words.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from types import MappingProxyType
from typing import Final

from devportal.markup.block_writer import BlockStyle, join_blocks, markdown_blocks
from devportal.markup.commonmark import indent_lines
from devportal.markup.fragment import BLOCK_SLOT, INLINE_SLOT, Element, Node, parse_fragment
from devportal.markup.safe_markdown import resolve_marked_links
from devportal.markup.urls import href, href_from_twin, twin_href
from devportal.translation import join_list, with_label

NOT_IN_TWIN: Final = "data-markdown-ignore"
"""The attribute of an element that has nothing to say to readers of the twin (Agent-Friendly Documentation Spec,
`markdown-content-parity`)."""

_HINT = re.compile(r'<twin>.*?</twin>|</?page>| data-twin="[^"]*"', re.DOTALL)
_PAGE_ELEMENT = re.compile(r"<page>(\s*<[a-z][a-z0-9-]*)")
_ONLY_ON_PAGE = re.compile(r'\0|<page>.*?</page>|<a class="dp-anchor".*?</a>', re.DOTALL)
_SLOT = re.compile(rf'<(?:{BLOCK_SLOT}|{INLINE_SLOT}) id="(\d+)">')
_TOKEN = re.compile("\0(\\d+)\0")
_MARGIN = re.compile(r"(?:[-*>] |\d{1,9}[.)] | )*")
"""What a line begins with inside lists and quotes."""
_LEFT_OUT: Final = frozenset({"button", "fieldset", "form", "input", "label", "output", "select", "svg"})
_BADGE: Final = "dp-badge"


@dataclass(slots=True)
class _Pair:
    """A part of a page in both forms; an inline part keeps the line breaks around its Markdown."""

    html: str
    written: str | Callable[[], str]
    is_inline: bool
    name: str

    def html_among(self, parts: Mapping[str, str]) -> str:
        """Return the part as HTML: its own, unless there is other HTML for its name."""
        return parts.get(self.name, self.html) if parts else self.html

    def markdown(self) -> str:
        """Return the part as CommonMark, written on first use."""
        if not isinstance(self.written, str):
            self.written = self.written()
        return self.written if self.is_inline else self.written.strip("\n")


class PageDraft:
    """Collects the slots and the links of one page while its HTML is rendered."""

    def __init__(self, uri: str) -> None:
        """Take the uri of the page."""
        self._uri = uri
        self._pairs: list[_Pair] = []
        self._twins: dict[str, str] = {}

    def href(self, target: str) -> str:
        """Return the address of a page relative to this one, and record that of its twin."""
        found = href(self._uri, target)
        self._twins[found] = target
        return found

    def pair(
        self, html: str, markdown: str | Callable[[], str], *, is_inline: bool = False, name: str = ""
    ) -> str:
        """Return the slot for a part of the page given as HTML and as CommonMark, or with what writes that once the
        twin is asked for: pages that are only measured never ask.

        An inline part stands among words, with nothing added before it; other parts are blocks. A part with a name
        may get other HTML when the page is written.
        """
        self._pairs.append(_Pair(html, markdown, is_inline, name))
        return f'<{INLINE_SLOT if is_inline else BLOCK_SLOT} id="{len(self._pairs) - 1}">'

    def body(self, rendered: str, parts: Mapping[str, str] = MappingProxyType({})) -> str:
        """Return the HTML of the page, with other HTML in the parts of these names."""
        marked = _PAGE_ELEMENT.sub(rf"\1 {NOT_IN_TWIN}", rendered)
        return _SLOT.sub(lambda slot: self._pairs[int(slot[1])].html_among(parts), _HINT.sub("", marked))

    def markdown(self, rendered: str) -> str:
        """Return the CommonMark of the twin."""
        root = parse_fragment(_ONLY_ON_PAGE.sub("", rendered))
        written = join_blocks(markdown_blocks(self._twin_nodes(root), BlockStyle()))
        return f"{''.join(self._fill_slots(resolve_marked_links(written)))}\n"

    def _fill_slots(self, written: str) -> Iterator[str]:
        """Yield the text of a twin with its slots filled, indented inside list items and quotes."""
        line = ""
        for number, part in enumerate(_TOKEN.split(written)):
            if number % 2:
                margin = _MARGIN.match(line)
                yield indent_lines(self._pairs[int(part)].markdown(), _blank(margin[0]) if margin else "")
            else:
                _, line_break, rest = part.rpartition("\n")
                line = rest if line_break else line + rest
                yield part

    def _twin_nodes(self, element: Element) -> list[Node]:
        """Return the children of an element as the twin has them."""
        nodes: list[Node] = []
        holds_blocks = False
        for node in element.children:
            if isinstance(node, str):
                nodes.append(" " if node.isspace() else node)
                continue
            for twin in self._twin_element(node, nodes):
                nodes.append(twin)
                holds_blocks = holds_blocks or (not isinstance(twin, str) and twin.is_block)
        element.children, element.holds_blocks = nodes, holds_blocks
        return nodes

    def _twin_element(self, element: Element, before: list[Node]) -> Iterable[Node]:
        tag = element.tag
        if tag in _LEFT_OUT:
            return ()
        if tag in (BLOCK_SLOT, INLINE_SLOT):
            return self._slot(element)
        if element.children and tag != "pre":
            self._twin_nodes(element)
        if tag == "twin":
            return element.children
        if "data-twin" in element.attributes:
            element.tag = element.attributes["data-twin"]
            return (element,)
        return self._link(element) if tag == "a" else _twin_nodes_of(element, before)

    def _slot(self, slot: Element) -> Iterable[Node]:
        number = slot.attributes["id"]
        if not self._pairs[int(number)].markdown():
            return ()
        slot.children = [f"\0{number}\0"]
        return (slot,)

    def _link(self, link: Element) -> Iterable[Node]:
        address = link.attributes.get("href", "")
        if address.startswith("#"):
            return link.children
        target = self._twins.get(address)
        link.attributes["href"] = (
            twin_href(self._uri, target) if target is not None else href_from_twin(self._uri, address)
        )
        return (link,)


def _twin_nodes_of(element: Element, before: list[Node]) -> Iterable[Node]:
    """Return an element with what Markdown has instead of terms, times and badges."""
    if element.tag == "dl":
        element.tag, element.children = "ul", list(_term_items(element))
    elif element.tag == "time" and "datetime" in element.attributes:
        element.children = [element.attributes["datetime"]]
    elif element.tag == "span" and element.attributes.get("class", "").startswith(_BADGE):
        return ("· ", element) if _has_words(before) else (element,)
    return (element,)


def _has_words(nodes: list[Node]) -> bool:
    """Say whether words stand behind the last block among nodes."""
    inline = takewhile(lambda element: isinstance(element, str) or not element.is_block, reversed(nodes))
    return any(not isinstance(element, str) or not element.isspace() for element in inline)


def _blank(margin: str) -> str:
    return "".join(text if text == ">" else " " for text in margin)


def _term_items(terms: Element) -> Iterator[Node]:
    """Yield the items of a list of terms: each a term, a colon and its descriptions, separated by commas.

    What stands below a term without words belongs to the one before it.
    """
    item, before, comma = Element("li"), "", join_list(("", ""))
    for part in _list_terms(terms):
        if part.tag == "dt" and part.children:
            if item.children:
                yield item
            item, before = Element("li", {}, part.children), with_label("", "")
        elif part.tag == "dd":
            item.children += [before, *part.children]
            item.holds_blocks |= part.holds_blocks
            before = comma
    yield item


def _list_terms(terms: Element) -> Iterator[Element]:
    for element in terms.elements():
        yield from element.elements() if element.tag == "div" else (element,)
