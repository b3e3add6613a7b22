"""Paragraphs, lists, tables and the like, from a tree of HTML to CommonMark."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from devportal.markup.commonmark import code_block
from devportal.markup.fragment import BLOCK_SLOT, BLOCK_TAGS, Element, Node
from devportal.markup.inline_writer import InlinePlace, inline_line, paragraphs

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MAX_LIST_START = 999_999_999 - 10_000
"""CommonMark numbers items with nine digits at most (§5.2)."""
_RULES = {"": "---", "left": ":---", "center": ":---:", "right": "---:"}
_PARTS_OF_TABLE = {"thead", "tbody", "tfoot"}
_JOINS_TEXT = {"ul", "pre", "blockquote"}
"""What may follow text in a list item without an empty line between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockStyle:
    """How blocks are written.

    In an item of a list, headings are strong words, and bullets are not those of the items below.
    """

    in_item: bool = False

    @property
    def bullets(self) -> str:
        """The signs of unordered lists; the second is for one that follows another."""
        return "*-" if self.in_item else "-*"


class Block(NamedTuple):
    """CommonMark of a block, and the tag it comes from: `p` for text."""

    tag: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _TableCell:
    text: str = ""
    align: str = ""
    is_head: bool = False


def markdown_blocks(nodes: Iterable[Node], style: BlockStyle) -> list[Block]:
    """Return blocks as CommonMark, in order."""
    found: list[Block] = []
    for block in _split_blocks(nodes):
        if isinstance(block, list):
            found += [Block("p", text) for text in paragraphs(block)]
        elif block.tag in {"ul", "ol", "dl"}:
            found += _list_block(block, style, found[-1] if found else None)
        else:
            found += _block_markdown(block, style)
    return found


def join_blocks(blocks: Iterable[Block]) -> str:
    """Return blocks with an empty line between them."""
    return "\n\n".join(block.text for block in blocks)


def _split_blocks(nodes: Iterable[Node]) -> Iterator[Element | list[Node]]:
    """Yield blocks, and what stands between them as lists."""
    run: list[Node] = []
    for node in nodes:
        if isinstance(node, str):
            if run or not node.isspace():
                run.append(node)
            continue
        if not node.is_block:
            run.append(node)
            continue
        if run:
            yield run
            run = []
        if node.tag in BLOCK_TAGS:
            yield node
        else:
            yield from _split_blocks(_push_inline_tag_down(node, node.children))
    if run:
        yield run


def _push_inline_tag_down(tag: Element, nodes: Iterable[Node]) -> list[Node]:
    """Return blocks that an inline tag stands around, with the tag around the words in each of them."""
    found: list[Node] = []
    for node in nodes:
        if isinstance(node, Element) and node.is_block:
            inside = _push_inline_tag_down(tag, node.children)
            found.append(Element(node.tag, node.attributes, inside, holds_blocks=node.holds_blocks))
        else:
            found.append(Element(tag.tag, tag.attributes, [node]))
    return found


def _block_markdown(element: Element, style: BlockStyle) -> list[Block]:
    tag = element.tag
    if tag in _HEADINGS:
        return _heading_block(element, _HEADINGS[tag], style)
    if tag == BLOCK_SLOT:
        return [Block(tag, element.text())]
    if tag == "hr":
        return [Block(tag, "___")]
    if tag == "pre":
        return _fenced_code(element)
    if tag == "blockquote":
        return _quote_block(element, style)
    if tag == "table":
        return _table_block(element)
    return markdown_blocks(element.children, style)


def _heading_block(element: Element, level: int, style: BlockStyle) -> list[Block]:
    if style.in_item:
        text = inline_line([Element("b", {}, element.children)], InlinePlace.HEADING)
        return [Block("p", text)] if text else []
    text = inline_line(element.children, InlinePlace.HEADING)
    text = f"{text[:-1]}\\#" if text.endswith("#") else text
    return [Block(element.tag, f"{'#' * level} {text}")] if text else []


def _fenced_code(element: Element) -> list[Block]:
    inner = next(iter(element.elements()), None)
    name = inner.attributes.get("class", "") if inner is not None else ""
    text = element.text().removesuffix("\n")
    return [Block("pre", code_block(text, name.removeprefix("language-")))] if text else []


def _quote_block(element: Element, style: BlockStyle) -> list[Block]:
    inside = join_blocks(markdown_blocks(element.children, style))
    return [Block("blockquote", _prefix_lines(inside, "> "))] if inside else []


def _prefix_lines(text: str, prefix: str) -> str:
    return "\n".join(prefix + line if line else prefix.rstrip(" ") for line in text.split("\n"))


def _list_block(element: Element, style: BlockStyle, before: Block | None) -> list[Block]:
    """Return a list without its empty items.

    One that follows another of its kind has other signs, or both would be one.
    """
    tag = "ol" if element.tag == "ol" else "ul"
    signs = ".)" if tag == "ol" else style.bullets
    ended = before is not None and before.tag == tag and _list_sign(before) == signs[0]
    sign = signs[1] if ended else signs[0]
    items = list(_list_items(element))
    is_loose = any(part.tag == "p" for item in items for part in item.elements())
    insides = [_list_item(markdown_blocks(item.children, style), is_loose=is_loose) for item in items]
    texts = []
    for number, inside in enumerate(filter(None, insides), start=_list_start(element)):
        marker = f"{number}{sign} " if tag == "ol" else f"{sign} "
        texts.append(marker + _prefix_lines(inside, " " * len(marker)).lstrip(" "))
    return [Block(tag, ("\n\n" if is_loose else "\n").join(texts))] if texts else []


def _list_sign(block: Block) -> str:
    return block.text.lstrip("0123456789")[0]


def _list_items(element: Element) -> Iterator[Element]:
    """Yield the items of a list; what stands between items belongs to the one before.

    In a list of terms, an item is a term with its descriptions.
    """
    is_terms = element.tag == "dl"
    item: Element | None = None
    for ungrouped_child in _ungrouped_children(element, "div") if is_terms else element.children:
        begins = isinstance(ungrouped_child, Element) and ungrouped_child.tag == ("dt" if is_terms else "li")
        if item is not None and begins:
            yield item
            item = None
        if isinstance(ungrouped_child, Element) or ungrouped_child.strip():
            item = item or Element("li")
            item.children += _children_if(ungrouped_child, "li")
    if item is not None:
        yield item


def _ungrouped_children(element: Element, tag: str) -> Iterator[Node]:
    """Yield what is in an element, and what is in those of its elements that only group."""
    return (inner for child in element.children for inner in _children_if(child, tag))


def _children_if(node: Node, tag: str) -> list[Node]:
    return node.children if isinstance(node, Element) and node.tag == tag else [node]


def _list_start(element: Element) -> int:
    start = element.attributes.get("start", "1")
    return min(int(start), _MAX_LIST_START) if start.isascii() and start.isdigit() and len(start) < 12 else 1


def _list_item(blocks: list[Block], *, is_loose: bool) -> str:
    text = ""
    for before, block in zip([None, *blocks], blocks, strict=False):
        if before is None:
            text = block.text
        elif before.tag == "p" and block.tag in _JOINS_TEXT and not is_loose:
            text += f"\n{block.text}"
        else:
            text += f"\n\n{block.text}"
    return text


def _table_block(element: Element) -> list[Block]:
    """Return a table; GitHub's dialect wants a head, so one without gets an empty one."""
    caption = [
        Block("p", paragraph)
        for part in _find_elements(element, {"caption"}, set())
        for paragraph in paragraphs([part])
    ]
    rows = [_row_cells(row) for row in _find_elements(element, {"tr"}, _PARTS_OF_TABLE)]
    rows = [row for row in rows if row]
    if not rows:
        return caption
    width = max(len(row) for row in rows)
    for row in rows:
        row += [_TableCell() for _ in range(width - len(row))]
    head = (
        rows.pop(0)
        if all(table_cell.is_head for table_cell in rows[0])
        else [_TableCell(align=table_cell.align) for table_cell in rows[0]]
    )
    lines = [
        _table_row(table_cell.text for table_cell in head),
        _table_row(_RULES[item.align] for item in head),
    ]
    lines += [_table_row(table_cell.text for table_cell in row) for row in rows]
    return [*caption, Block("table", "\n".join(lines))]


def _row_cells(row: Element) -> "list[_TableCell]":
    found = []
    for element in row.elements():
        if element.tag not in {"td", "th"}:
            continue
        align = element.attributes.get("align", "")
        text = inline_line(element.children, InlinePlace.CELL)
        found.append(
            _TableCell(text=text, align=align if align in _RULES else "", is_head=element.tag == "th")
        )
        span = element.attributes.get("colspan", "")
        more = int(span) - 1 if re.fullmatch(r"[1-9]\d?", span) else 0
        found += [_TableCell(is_head=element.tag == "th")] * more
    return found


def _table_row(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |"


def _find_elements(element: Element, tags: set[str], through: set[str]) -> Iterator[Element]:
    """Yield the elements of some tags directly in an element, or in others which only group them."""
    for child in element.elements():
        if child.tag in tags:
            yield child
        elif child.tag in through:
            yield from _find_elements(child, tags, through)
