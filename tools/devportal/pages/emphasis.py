"""Which signs an emphasis gets, so that it is read as meant.

CommonMark finds emphasis by the characters on both sides of a sign (§6.2): `*` within a word does what `_`
cannot, and behind a bracket neither may do. Where no sign would be read as meant, the tag of HTML stays.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace

_TAGS = {"**": "strong", "*": "em", "~~": "s"}
_SIGNS = {"**": ("**",), "*": ("*", "_"), "_": ("_", "*"), "~~": ("~~",)}


@dataclass(slots=True, kw_only=True)
class _Pair:
    """Where an emphasis begins and ends. `is_nested` where it stands in one of its kind, or one in it."""

    start: int
    end: int
    tag: str
    is_nested: bool = False


def give_signs(texts: list[str], stresses: Mapping[int, bool]) -> None:
    """Change the signs of emphases in a row of texts; `stresses` tells where they are, and which open.

    Before, they are `**` for strong, `*` for emphasised and `~~` for deleted text.
    """
    pairs = tuple(_pairs(texts, stresses))
    for pair in pairs:  # `_**a**_` is read as meant, `***a***` is not always
        if pair.tag == "em" and any(stresses.keys() & {at - 1, at + 1} for at in (pair.start, pair.end)):
            texts[pair.start] = texts[pair.end] = "_"
    for pair in pairs:
        sign = next((one for one in _SIGNS[texts[pair.start]] if _is_read(texts, pair, one)), "")
        texts[pair.start], texts[pair.end] = sign or f"<{pair.tag}>", sign or f"</{pair.tag}>"


def _pairs(texts: list[str], stresses: Mapping[int, bool]) -> Iterator[_Pair]:
    """Yield pairs, the inner before the outer."""
    around: list[_Pair] = []
    for at, opens in stresses.items():
        if not opens:
            around[-1].end = at
            yield around.pop()
            continue
        pair = _Pair(start=at, end=at, tag=_TAGS[texts[at]])
        for other in around:
            if other.tag == pair.tag:
                other.is_nested = pair.is_nested = True
        around.append(pair)


def _is_read(texts: list[str], pair: _Pair, sign: str) -> bool:
    """Tell whether a sign opens at one place, closes at the other, and touches none of its kind.

    One that could do both is mistaken for the partner of one of its kind around it or within it.
    """
    before, first = _around(texts, pair.start)
    last, after = _around(texts, pair.end)
    if sign[0] in {before, first, last, after}:
        return False
    opens, closes_too = _flanks(before, first)
    opens_too, closes = _flanks(last, after)
    if not opens or not closes:
        return False
    if sign == "_" and ((closes_too and not _is_mark(before)) or (opens_too and not _is_mark(after))):
        return False
    return not (pair.is_nested and (closes_too or opens_too))


def _around(texts: list[str], at: int) -> tuple[str, str]:
    before = texts[at - 1][-1:] if at else ""
    after = texts[at + 1][:1] if at + 1 < len(texts) else ""
    return before or " ", after or " "


def _flanks(before: str, after: str) -> tuple[bool, bool]:
    """Tell whether a run between two characters is left-flanking, and whether it is right-flanking."""
    space_before, space_after = isWhiteSpace(ord(before)), isWhiteSpace(ord(after))
    mark_before, mark_after = _is_mark(before), _is_mark(after)
    left = not space_after and (not mark_after or space_before or mark_before)
    right = not space_before and (not mark_before or space_after or mark_after)
    return left, right


def _is_mark(character: str) -> bool:
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)
