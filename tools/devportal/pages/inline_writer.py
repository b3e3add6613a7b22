"""What stands in a paragraph, a heading or a cell of a table, from a tree of HTML to CommonMark.

A tree is first laid out as pieces in a row: words, code, gaps between them, marks that open and close. Spaces
move out of marks, where CommonMark wants them, and marks around nothing go. Then the row is written.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from devportal.pages.commonmark import code_span, destination, line, link_title, words
from devportal.pages.emphasis import give_signs
from devportal.pages.fragment import BLOCKS, Element, Node

ANCHOR = "\0"
"""Stands around links to anchors, which mean something else on each page. No description has it."""
_SPACE = re.compile(r"[ \t\n\r\f]+")
_STRESS = {"b": "**", "strong": "**", "em": "*", "i": "*", "dfn": "*", "var": "*", "s": "~~", "del": "~~"}
_KEPT = {"sub", "sup"}
"""Without them, 10² would become 102."""
_CODE = {"code", "kbd", "samp"}


class Place(StrEnum):
    """Where words stand: only in paragraphs can a line end."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    CELL = "cell"


@dataclass(slots=True)
class _Words:
    text: str
    in_link: bool


@dataclass(slots=True)
class _Code:
    text: str


@dataclass(slots=True)
class _Done:
    text: str


@dataclass(slots=True)
class _Gap:
    breaks: int = 0
    ends_line: bool = False


@dataclass(slots=True, eq=False)
class _Mark:
    """The beginning or the end of something; an emphasis may get another sign."""

    sign: str
    opens: bool
    is_stress: bool = False


_Piece = _Words | _Code | _Done | _Gap | _Mark


def paragraphs(nodes: Iterable[Node]) -> list[str]:
    """Return inline content as paragraphs: two line breaks in a row divide it."""
    pieces = _pieces(nodes)
    parts: list[list[_Piece]] = [[]]
    depth = 0
    for piece in pieces:
        depth += _step(piece)
        if isinstance(piece, _Gap) and piece.breaks > 1 and not depth:
            parts.append([])
        else:
            parts[-1].append(piece)
    texts = (_written(part, Place.PARAGRAPH).strip() for part in parts)
    return ["\n".join(line(one) for one in text.split("\n")) for text in texts if text]


def one_line(nodes: Iterable[Node], place: Place) -> str:
    """Return inline content on one line, blocks in it too; lines break only in a cell, by a tag."""
    return _written(_pieces(nodes), place)


def _step(piece: _Piece) -> int:
    if not isinstance(piece, _Mark):
        return 0
    return 1 if piece.opens else -1


def _pieces(nodes: Iterable[Node]) -> list[_Piece]:
    row = _Row()
    row.add_all(nodes)
    return row.finished()


class _Row:
    """Lays out a tree as a row of pieces."""

    def __init__(self) -> None:
        self._pieces: list[_Piece] = []
        self._links = 0

    def finished(self) -> list[_Piece]:
        """Return the pieces, without a gap at the end."""
        if self._pieces and isinstance(self._pieces[-1], _Gap):
            self._pieces.pop()
        return self._pieces

    def add_all(self, nodes: Iterable[Node]) -> None:
        """Add text and elements."""
        for node in nodes:
            if isinstance(node, str):
                self._add_text(node)
            else:
                self._add_element(node)

    def _add_element(self, element: Element) -> None:
        tag = element.tag
        if tag == "br":
            self._add_gap(_Gap(breaks=1))
        elif tag in _CODE or tag == "pre":
            self._add_code(element)
        elif tag in _STRESS:
            self._add_between(element, _STRESS[tag], _STRESS[tag], is_stress=True)
        elif tag in _KEPT:
            self._add_between(element, f"<{tag}>", f"</{tag}>")
        elif tag == "a" and "href" in element.attributes and not self._links:
            self._add_link(element)
        elif tag == "q":
            self.add_all(['"', *element.children, '"'])
        elif tag in BLOCKS:
            self._add_block(element)
        else:
            self.add_all(element.children)

    def _add_text(self, text: str) -> None:
        end = 0
        for space in _SPACE.finditer(text):
            self._add_words(text[end : space.start()])
            self._add_gap(_Gap(ends_line="\n" in space.group()))
            end = space.end()
        self._add_words(text[end:])

    def _add_words(self, text: str) -> None:
        last = self._pieces[-1] if self._pieces else None
        if text and not text.strip():  # spaces that do not break, among nothing
            self._add_gap(_Gap())
        elif isinstance(last, _Words):
            last.text += text
        elif text:
            self._pieces.append(_Words(text, in_link=self._links > 0))

    def _add_gap(self, gap: _Gap) -> None:
        """Add a gap, before the marks that have just been opened, merged with one that is there."""
        at = len(self._pieces)
        while at and _step(self._pieces[at - 1]) == 1:
            at -= 1
        before = self._pieces[at - 1] if at else None
        if isinstance(before, _Gap):
            before.breaks += gap.breaks
            before.ends_line |= gap.ends_line
        elif before is not None:
            self._pieces.insert(at, gap)

    def _add_code(self, element: Element) -> None:
        inner = [one for one in element.children if not (isinstance(one, str) and one.isspace())]
        if len(inner) == 1 and isinstance(inner[0], Element) and inner[0].tag == "a":
            link = inner[0]
            self._add_element(Element("a", link.attributes, [Element("code", {}, link.children)]))
            return
        text = element.text()
        if text[:1].isspace():
            self._add_gap(_Gap())
        if text.strip():
            self._add_code_text(text)
        if text[-1:].isspace():
            self._add_gap(_Gap())

    def _add_code_text(self, text: str) -> None:
        last = self._pieces[-1] if self._pieces else None
        if isinstance(last, _Code):  # ticks side by side would be one run
            last.text += text
        else:
            self._pieces.append(_Code(text))

    def _add_link(self, element: Element) -> None:
        url, title = element.attributes["href"], element.attributes.get("title", "")
        if url == element.text() and re.fullmatch(r"https?://[!-;=?-~]+", url) and not title:
            self._pieces.append(_Done(f"<{url}>"))
            return
        goal = f"{ANCHOR}{url}{ANCHOR}" if url.startswith("#") else destination(url)
        self._links += 1
        self._add_between(element, "[", f"]({goal}{link_title(title)})")
        self._links -= 1

    def _add_between(self, element: Element, start: str, end: str, *, is_stress: bool = False) -> None:
        opening = _Mark(start, opens=True, is_stress=is_stress)
        self._pieces.append(opening)
        self.add_all(element.children)
        gap = self._pieces.pop() if isinstance(self._pieces[-1], _Gap) else None
        if self._pieces[-1] is opening:
            self._pieces.pop()
        else:
            self._pieces.append(_Mark(end, opens=False, is_stress=is_stress))
        if isinstance(gap, _Gap):
            self._add_gap(gap)

    def _add_block(self, element: Element) -> None:
        self._add_gap(_Gap(breaks=1))
        self.add_all(["- " if element.tag == "li" else "", *element.children])
        self._add_gap(_Gap(breaks=1))


def _written(pieces: list[_Piece], place: Place) -> str:
    texts = [_text(piece, place) for piece in pieces]
    for at in range(1, len(texts) - 1):
        if texts[at] == "\\*" and isinstance(pieces[at - 1], _Gap) and isinstance(pieces[at + 1], _Gap):
            texts[at] = "*"  # between spaces it multiplies
    marks = ((at, one) for at, one in enumerate(pieces) if isinstance(one, _Mark))
    give_signs(texts, {at: one.opens for at, one in marks if one.is_stress})
    for at in range(1, len(texts)):
        if texts[at].startswith("[") and texts[at - 1].endswith("!"):
            texts[at - 1] = f"{texts[at - 1][:-1]}\\!"
    made = "".join(texts)
    return made.replace("|", "\\|") if place is Place.CELL else made


def _text(piece: _Piece, place: Place) -> str:
    match piece:
        case _Words():
            return words(piece.text, in_link=piece.in_link)
        case _Code():
            return code_span(piece.text)
        case _Done():
            return piece.text
        case _Mark():
            return piece.sign
        case _Gap():
            return _gap(piece, place)


def _gap(gap: _Gap, place: Place) -> str:
    if place is Place.CELL and gap.breaks:
        return "<br>"
    if place is not Place.PARAGRAPH:
        return " "
    return "\\\n" * gap.breaks or ("\n" if gap.ends_line else " ")
