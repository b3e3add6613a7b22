"""How many segments a text takes, counted anew from 3GPP TS 23.038 §6.2.1 and TS 23.040 §9.2.3.24."""

from dataclasses import dataclass

_BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_ESCAPED = frozenset("\f^{}\\[~]|€")
MOST_SEGMENTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """How a text goes over the air."""

    encoding: str
    segments: int


def cut(text: str) -> Cut:
    """Return the encoding of a text, and how many segments it fills."""
    if all(other_text in _BASIC or other_text in _ESCAPED for other_text in text):
        widths = [2 if other_text in _ESCAPED else 1 for other_text in text]
        return Cut(encoding="GSM-7", segments=_segments(widths, alone=160, joined=153))
    widths = [2 if ord(other_text) > 0xFFFF else 1 for other_text in text]
    return Cut(encoding="UCS-2", segments=_segments(widths, alone=70, joined=67))


def _segments(widths: list[int], *, alone: int, joined: int) -> int:
    if sum(widths) <= alone:
        return 1
    count, room = 1, joined
    for width in widths:
        if width > room:
            count, room = count + 1, joined
        room -= width
    return count
