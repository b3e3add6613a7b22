"""Paragraphs, headings and cells from a tree of HTML to CommonMark, with the right signs for emphasis."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace

from devportal.markup.commonmark import (
    code_span,
    escape_line_start,
    escape_words,
    link_destination,
    link_title,
)
from devportal.markup.fragment import BLOCK_SLOT, BLOCK_TAGS, INLINE_SLOT, Element, Node
from devportal.markup.urls import NO_SCHEME_OR_HOST

_TAGS = {"**": "strong", "*": "em", "~~": "s"}
_SIGNS = {"**": ("**",), "*": ("*", "_"), "_": ("_", "*"), "~~": ("~~",)}


@dataclass(slots=True, kw_only=True)
class _EmphasisPair:
    """Start and end of an emphasis. `is_nested` if it is inside one of its kind, or contains one."""

    start: int
    end: int
    tag: str
    is_nested: bool = False


def choose_emphasis_signs(texts: list[str], stresses: Mapping[int, bool]) -> None:
    """Change the signs of emphases in a row of texts; `stresses` maps their positions to whether they open.

    Before, they are `**` for strong, `*` for emphasised and `~~` for deleted text.
    """
    pairs = tuple(_emphasis_pairs(texts, stresses))
    for pair in pairs:  # `_**a**_` is read as meant, `***a***` is not always
        if pair.tag == "em" and any(stresses.keys() & {at - 1, at + 1} for at in (pair.start, pair.end)):
            texts[pair.start] = texts[pair.end] = "_"
    for pair in pairs:
        sign = next((text for text in _SIGNS[texts[pair.start]] if _is_unambiguous(texts, pair, text)), "")
        texts[pair.start], texts[pair.end] = sign or f"<{pair.tag}>", sign or f"</{pair.tag}>"


def _emphasis_pairs(texts: list[str], stresses: Mapping[int, bool]) -> Iterator[_EmphasisPair]:
    """Yield pairs, the inner before the outer."""
    open_pairs: list[_EmphasisPair] = []
    for at, opens in stresses.items():
        if not opens:
            open_pairs[-1].end = at
            yield open_pairs.pop()
            continue
        pair = _EmphasisPair(start=at, end=at, tag=_TAGS[texts[at]])
        for other in open_pairs:
            if other.tag == pair.tag:
                other.is_nested = pair.is_nested = True
        open_pairs.append(pair)


def _is_unambiguous(texts: list[str], pair: _EmphasisPair, sign: str) -> bool:
    """Say whether a sign opens at one place, closes at the other, and touches none of its kind.

    One that could do both is mistaken for the partner of one of its kind around it or within it.
    """
    before, first = _neighbour_characters(texts, pair.start)
    last, after = _neighbour_characters(texts, pair.end)
    if sign[0] in {before, first, last, after}:
        return False
    opens, closes_too = _flanks(before, first)
    opens_too, closes = _flanks(last, after)
    if not opens or not closes:
        return False
    if sign == "_" and (
        (closes_too and not _is_punctuation(before)) or (opens_too and not _is_punctuation(after))
    ):
        return False
    return not (pair.is_nested and (closes_too or opens_too))


def _neighbour_characters(texts: list[str], at: int) -> tuple[str, str]:
    before = texts[at - 1][-1:] if at else ""
    after = texts[at + 1][:1] if at + 1 < len(texts) else ""
    return before or " ", after or " "


def _flanks(before: str, after: str) -> tuple[bool, bool]:
    """Say whether a run between two characters is left-flanking, and whether it is right-flanking."""
    space_before, space_after = isWhiteSpace(ord(before)), isWhiteSpace(ord(after))
    mark_before, mark_after = _is_punctuation(before), _is_punctuation(after)
    left = not space_after and (not mark_after or space_before or mark_before)
    right = not space_before and (not mark_before or space_after or mark_after)
    return left, right


def _is_punctuation(character: str) -> bool:
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)


ANCHOR_MARK = "\0"
"""Stands around links to anchors, which mean something else on each page, and around relative ones: before the
label, around the address, and at the end. No text has it.
"""
_RELATIVE = re.compile(NO_SCHEME_OR_HOST, re.IGNORECASE)
_WHITE_SPACE = re.compile(r"[ \t\n\r\f]+")
_PLAIN_TEXT = re.compile(r" ?[^\s`*_~<>&\\\[\]]+(?: [^\s`*_~<>&\\\[\]]+)* ?")
"""Text in which nothing has to be escaped, and single spaces are all that divides words."""
_EMPHASIS_SIGNS = {
    "b": "**",
    "strong": "**",
    "em": "*",
    "i": "*",
    "dfn": "*",
    "var": "*",
    "s": "~~",
    "del": "~~",
}
_KEPT_TAGS = {"sub", "sup"}
"""Without them, 10² would become 102."""
_CODE_TAGS = {"code", "kbd", "samp"}
_WITHOUT_SIGNS = {"bdi", "span", "time"}
"""Tags of our pages that Markdown has nothing for: what is in them stands there alone."""


class InlinePlace(StrEnum):
    """The block around inline content: only paragraphs can have line ends."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    CELL = "cell"


@dataclass(slots=True)
class _PlainText:
    text: str
    in_link: bool


@dataclass(slots=True)
class _Code:
    text: str


@dataclass(slots=True)
class _Markup:
    text: str


@dataclass(slots=True)
class _Space:
    breaks: int = 0
    ends_line: bool = False


@dataclass(slots=True, eq=False)
class _Delimiter:
    """The beginning or the end of something; an emphasis may get another sign."""

    sign: str
    opens: bool
    is_stress: bool = False


_InlineToken = _PlainText | _Code | _Markup | _Space | _Delimiter


def paragraphs(nodes: Sequence[Node]) -> list[str]:
    """Return inline content as paragraphs: two line breaks in a row divide it."""
    if plain := _plain_text(nodes):
        return [escape_line_start(plain)]
    tokens = _inline_tokens(nodes)
    parts: list[list[_InlineToken]] = [[]]
    depth = 0
    for token in tokens:
        depth += _nesting_change(token)
        if isinstance(token, _Space) and token.breaks > 1 and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    texts = (_format_tokens(part, InlinePlace.PARAGRAPH).strip() for part in parts)
    return ["\n".join(escape_line_start(line) for line in text.split("\n")) for text in texts if text]


def inline_line(nodes: Sequence[Node], place: InlinePlace) -> str:
    """Return inline content on one line, blocks in it too; lines break only in a cell, by a tag."""
    plain = _plain_text(nodes)
    if plain and "|" not in plain:
        return plain
    return _format_tokens(_inline_tokens(nodes), place)


def _plain_text(nodes: Sequence[Node]) -> str:
    """Return what nodes become if they are only words in which nothing has to be escaped, or only code."""
    node = nodes[0] if len(nodes) == 1 else ""
    if not isinstance(node, str) and node.tag == "code" and len(node.children) == 1:
        code = node.children[0]
        return code_span(code) if isinstance(code, str) and code.strip() else ""
    text = "".join(_words(nodes))
    return text.strip(" ") if _PLAIN_TEXT.fullmatch(text) else ""


def _words(nodes: Iterable[Node]) -> Iterator[str]:
    """Yield the text of nodes, and `*`, which no plain text has, for what is more than that."""
    for node in nodes:
        if isinstance(node, str):
            yield node
        elif node.tag in _WITHOUT_SIGNS:
            yield from _words(node.children)
        else:
            yield "*"


def _nesting_change(token: _InlineToken) -> int:
    if not isinstance(token, _Delimiter):
        return 0
    return 1 if token.opens else -1


def _inline_tokens(nodes: Iterable[Node]) -> list[_InlineToken]:
    row = _InlineLayout()
    row.add_all(nodes)
    return row.finish()


class _InlineLayout:
    """Lays out a tree as a row of tokens."""

    def __init__(self) -> None:
        self._tokens: list[_InlineToken] = []
        self._links = 0

    def finish(self) -> list[_InlineToken]:
        """Return the tokens, without a gap at the end."""
        if self._tokens and isinstance(self._tokens[-1], _Space):
            self._tokens.pop()
        return self._tokens

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
            self._add_gap(_Space(breaks=1))
        elif tag in _CODE_TAGS or tag == "pre":
            self._add_code(element)
        elif tag in _EMPHASIS_SIGNS:
            self._add_between(element, _EMPHASIS_SIGNS[tag], _EMPHASIS_SIGNS[tag], is_stress=True)
        elif tag in _KEPT_TAGS:
            self._add_between(element, f"<{tag}>", f"</{tag}>")
        elif tag == "a" and "href" in element.attributes and not self._links:
            self._add_link(element)
        elif tag in (BLOCK_SLOT, INLINE_SLOT):
            self._tokens.append(_Markup(element.text()))
        elif tag == "q":
            self.add_all(['"', *element.children, '"'])
        elif tag in BLOCK_TAGS:
            self._add_block(element)
        else:
            self.add_all(element.children)

    def _add_text(self, text: str) -> None:
        if _PLAIN_TEXT.fullmatch(text):
            if text[0] == " ":
                self._add_gap(_Space())
            self._add_words(text.strip(" "))
            if text[-1] == " ":
                self._add_gap(_Space())
            return
        end = 0
        for space in _WHITE_SPACE.finditer(text):
            self._add_words(text[end : space.start()])
            self._add_gap(_Space(ends_line="\n" in space.group()))
            end = space.end()
        self._add_words(text[end:])

    def _add_words(self, text: str) -> None:
        last = self._tokens[-1] if self._tokens else None
        if text and not text.strip():  # spaces that do not break, among nothing
            self._add_gap(_Space())
        elif isinstance(last, _PlainText):
            last.text += text
        elif text:
            self._tokens.append(_PlainText(text, in_link=self._links > 0))

    def _add_gap(self, gap: _Space) -> None:
        """Add a gap, before the marks that have just been opened, merged with one that is there."""
        at = len(self._tokens)
        while at and _nesting_change(self._tokens[at - 1]) == 1:
            at -= 1
        before = self._tokens[at - 1] if at else None
        if isinstance(before, _Space):
            before.breaks += gap.breaks
            before.ends_line |= gap.ends_line
        elif before is not None:
            self._tokens.insert(at, gap)

    def _add_code(self, element: Element) -> None:
        inner = [child for child in element.children if not (isinstance(child, str) and child.isspace())]
        if len(inner) == 1 and isinstance(inner[0], Element) and inner[0].tag == "a":
            link = inner[0]
            self._add_element(Element("a", link.attributes, [Element("code", {}, link.children)]))
            return
        text = element.text()
        if text[:1].isspace():
            self._add_gap(_Space())
        if text.strip():
            self._add_code_text(text)
        if text[-1:].isspace():
            self._add_gap(_Space())

    def _add_code_text(self, text: str) -> None:
        last = self._tokens[-1] if self._tokens else None
        if isinstance(last, _Code):  # ticks side by side would be one run
            last.text += text
        else:
            self._tokens.append(_Code(text))

    def _add_link(self, element: Element) -> None:
        url, title = element.attributes["href"], element.attributes.get("title", "")
        if url == element.text() and re.fullmatch(r"https?://[!-;=?-~]+", url) and not title:
            self._tokens.append(_Markup(f"<{url}>"))
            return
        start, end = "[", link_title(title) + ")"
        if _RELATIVE.match(url):
            start, end = f"[{ANCHOR_MARK}", f"]({ANCHOR_MARK}{url}{ANCHOR_MARK}{end}{ANCHOR_MARK}"
        else:
            end = f"]({link_destination(url)}{end}"
        self._links += 1
        self._add_between(element, start, end)
        self._links -= 1

    def _add_between(self, element: Element, start: str, end: str, *, is_stress: bool = False) -> None:
        opening = _Delimiter(start, opens=True, is_stress=is_stress)
        self._tokens.append(opening)
        self.add_all(element.children)
        gap = self._tokens.pop() if isinstance(self._tokens[-1], _Space) else None
        if self._tokens[-1] is opening:
            self._tokens.pop()
        else:
            self._tokens.append(_Delimiter(end, opens=False, is_stress=is_stress))
        if isinstance(gap, _Space):
            self._add_gap(gap)

    def _add_block(self, element: Element) -> None:
        self._add_gap(_Space(breaks=1))
        self.add_all(["- " if element.tag == "li" else "", *element.children])
        self._add_gap(_Space(breaks=1))


def _format_tokens(tokens: list[_InlineToken], place: InlinePlace) -> str:
    texts = [_format_token(token, place) for token in tokens]
    for at in range(1, len(texts) - 1):
        if texts[at] == "\\*" and isinstance(tokens[at - 1], _Space) and isinstance(tokens[at + 1], _Space):
            texts[at] = "*"  # between spaces it multiplies
    stresses = {
        at: token.opens
        for at, token in enumerate(tokens)
        if isinstance(token, _Delimiter) and token.is_stress
    }
    if stresses:
        choose_emphasis_signs(texts, stresses)
    for at in range(1, len(texts)):
        if texts[at].startswith("[") and texts[at - 1].endswith("!"):
            texts[at - 1] = f"{texts[at - 1][:-1]}\\!"
    text = "".join(texts)
    return text.replace("|", "\\|") if place is InlinePlace.CELL else text


def _format_token(token: _InlineToken, place: InlinePlace) -> str:
    match token:
        case _PlainText():
            return escape_words(token.text, in_link=token.in_link)
        case _Code():
            return code_span(token.text)
        case _Markup():
            return token.text
        case _Delimiter():
            return token.sign
        case _Space():
            return _format_space(token, place)


def _format_space(gap: _Space, place: InlinePlace) -> str:
    if place is InlinePlace.CELL and gap.breaks:
        return "<br>"
    if place is not InlinePlace.PARAGRAPH:
        return " "
    return "\\\n" * gap.breaks or ("\n" if gap.ends_line else " ")
