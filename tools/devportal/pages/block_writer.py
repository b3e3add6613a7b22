"""Paragraphs, lists, tables and the like, from a tree of HTML to CommonMark."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devportal.pages.commonmark import code_block
from devportal.pages.fragment import BLOCKS, Element, Node
from devportal.pages.inline_writer import Place, one_line, paragraphs

_HEADING = re.compile(r"h([1-6])")
_MOST_START = 999_999_999 - 10_000
"""CommonMark numbers items with nine digits at most (§5.2)."""
_RULES = {"": "---", "left": ":---", "center": ":---:", "right": "---:"}
_PARTS_OF_TABLE = {"thead", "tbody", "tfoot"}
_JOINS_TEXT = {"ul", "pre", "blockquote"}
"""What may follow text in a list item without an empty line between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How blocks are written.

    In an item of a list, headings are strong words, and bullets are not those of the items below.
    """

    in_item: bool = False

    @property
    def bullets(self) -> str:
        """The signs of unordered lists; the second is for one that follows another."""
        return "*-" if self.in_item else "-*"


@dataclass(frozen=True, slots=True)
class Block:
    """CommonMark of a block, and the tag it comes from: `p` for text."""

    tag: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    text: str = ""
    align: str = ""
    is_head: bool = False


def blocks_of(nodes: Iterable[Node], style: Style) -> list[Block]:
    """Return blocks as CommonMark, in order."""
    found: list[Block] = []
    for one in _apart(nodes):
        if isinstance(one, list):
            found += [Block("p", text) for text in paragraphs(one)]
        elif one.tag in {"ul", "ol", "dl"}:
            found += _list(one, style, found[-1] if found else None)
        else:
            found += _block(one, style)
    return found


def joined(blocks: Iterable[Block]) -> str:
    """Return blocks with an empty line between them."""
    return "\n\n".join(one.text for one in blocks)


def _apart(nodes: Iterable[Node]) -> Iterator[Element | list[Node]]:
    """Yield blocks, and what stands between them as lists."""
    run: list[Node] = []
    for node in nodes:
        if isinstance(node, str) or not node.is_block:
            run.append(node)
            continue
        yield run
        run = []
        if node.tag in BLOCKS:
            yield node
        else:
            yield from _apart(_moved_inwards(node, node.children))
    yield run


def _moved_inwards(tag: Element, nodes: Iterable[Node]) -> list[Node]:
    """Return blocks that an inline tag stands around, with the tag around the words in each of them."""
    found: list[Node] = []
    for node in nodes:
        if isinstance(node, Element) and node.is_block:
            inside = _moved_inwards(tag, node.children)
            found.append(Element(node.tag, node.attributes, inside, holds_blocks=node.holds_blocks))
        else:
            found.append(Element(tag.tag, tag.attributes, [node]))
    return found


def _block(element: Element, style: Style) -> list[Block]:
    tag = element.tag
    if heading := _HEADING.fullmatch(tag):
        return _heading(element, int(heading.group(1)), style)
    if tag == "hr":
        return [Block(tag, "___")]
    if tag == "pre":
        return _code(element)
    if tag == "blockquote":
        return _quote(element, style)
    if tag == "table":
        return _table(element)
    return blocks_of(element.children, style)


def _heading(element: Element, level: int, style: Style) -> list[Block]:
    if style.in_item:
        text = one_line([Element("b", {}, element.children)], Place.HEADING)
        return [Block("p", text)] if text else []
    text = one_line(element.children, Place.HEADING)
    text = f"{text[:-1]}\\#" if text.endswith("#") else text
    return [Block(element.tag, f"{'#' * level} {text}")] if text else []


def _code(element: Element) -> list[Block]:
    inner = next(iter(element.elements()), None)
    name = inner.attributes.get("class", "") if inner is not None else ""
    text = element.text().removesuffix("\n")
    return [Block("pre", code_block(text, name.removeprefix("language-")))] if text else []


def _quote(element: Element, style: Style) -> list[Block]:
    inside = joined(blocks_of(element.children, style))
    return [Block("blockquote", _prefixed(inside, "> "))] if inside else []


def _prefixed(text: str, prefix: str) -> str:
    return "\n".join(prefix + one if one else prefix.rstrip(" ") for one in text.split("\n"))


def _list(element: Element, style: Style, before: Block | None) -> list[Block]:
    """Return a list without its empty items.

    One that follows another of its kind has other signs, or both would be one.
    """
    tag = "ol" if element.tag == "ol" else "ul"
    signs = ".)" if tag == "ol" else style.bullets
    ended = before is not None and before.tag == tag and _sign_of(before) == signs[0]
    sign = signs[1] if ended else signs[0]
    items = list(_items(element))
    is_loose = any(part.tag == "p" for item in items for part in item.elements())
    insides = [_item(blocks_of(item.children, style), is_loose=is_loose) for item in items]
    texts = []
    for number, inside in enumerate(filter(None, insides), start=_start(element)):
        marker = f"{number}{sign} " if tag == "ol" else f"{sign} "
        texts.append(marker + _prefixed(inside, " " * len(marker)).lstrip(" "))
    return [Block(tag, ("\n\n" if is_loose else "\n").join(texts))] if texts else []


def _sign_of(block: Block) -> str:
    return block.text.lstrip("0123456789")[0]


def _items(element: Element) -> Iterator[Element]:
    """Yield the items of a list; what stands between items belongs to the one before.

    Of a list of terms, an item is a term with what is said of it.
    """
    is_terms = element.tag == "dl"
    item: Element | None = None
    for one in _grouped(element, "div") if is_terms else element.children:
        begins = isinstance(one, Element) and one.tag == ("dt" if is_terms else "li")
        if item is not None and begins:
            yield item
            item = None
        if isinstance(one, Element) or one.strip():
            item = item or Element("li")
            item.children += _inside(one, "li")
    if item is not None:
        yield item


def _grouped(element: Element, tag: str) -> Iterator[Node]:
    """Yield what is in an element, and what is in those of its elements that only group."""
    return (inner for one in element.children for inner in _inside(one, tag))


def _inside(node: Node, tag: str) -> list[Node]:
    return node.children if isinstance(node, Element) and node.tag == tag else [node]


def _start(element: Element) -> int:
    start = element.attributes.get("start", "1")
    return min(int(start), _MOST_START) if start.isascii() and start.isdigit() and len(start) < 12 else 1


def _item(blocks: list[Block], *, is_loose: bool) -> str:
    text = ""
    for before, block in zip([None, *blocks], blocks, strict=False):
        if before is None:
            text = block.text
        elif before.tag == "p" and block.tag in _JOINS_TEXT and not is_loose:
            text += f"\n{block.text}"
        else:
            text += f"\n\n{block.text}"
    return text


def _table(element: Element) -> list[Block]:
    """Return a table; GitHub's dialect wants a head, so one without gets an empty one."""
    caption = [Block("p", one) for part in _within(element, {"caption"}, set()) for one in paragraphs([part])]
    rows = [_cells(row) for row in _within(element, {"tr"}, _PARTS_OF_TABLE)]
    rows = [row for row in rows if row]
    if not rows:
        return caption
    width = max(len(row) for row in rows)
    for row in rows:
        row += [_Cell() for _ in range(width - len(row))]
    head = rows.pop(0) if all(one.is_head for one in rows[0]) else [_Cell(align=one.align) for one in rows[0]]
    lines = [_row(one.text for one in head), _row(_RULES[one.align] for one in head)]
    lines += [_row(one.text for one in row) for row in rows]
    return [*caption, Block("table", "\n".join(lines))]


def _cells(row: Element) -> "list[_Cell]":
    found = []
    for one in row.elements():
        if one.tag not in {"td", "th"}:
            continue
        align = one.attributes.get("align", "")
        text = one_line(one.children, Place.CELL)
        found.append(_Cell(text=text, align=align if align in _RULES else "", is_head=one.tag == "th"))
        span = one.attributes.get("colspan", "")
        more = int(span) - 1 if re.fullmatch(r"[1-9]\d?", span) else 0
        found += [_Cell(is_head=one.tag == "th")] * more
    return found


def _row(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |"


def _within(element: Element, tags: set[str], through: set[str]) -> Iterator[Element]:
    """Yield the elements of some tags directly in an element, or in others which only group them."""
    for one in element.elements():
        if one.tag in tags:
            yield one
        elif one.tag in through:
            yield from _within(one, tags, through)
