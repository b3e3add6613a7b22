"""Splits a text into SMS segments and counts them (3GPP TS 23.038 and TS 23.040).

Only the default alphabet with its extension table is used, no national tables: no large provider uses those.
Other characters are sent as UCS-2.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

_BASIC = (
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_EXTENSION = "\f^{}\\[~]|€"

GSM7_UNITS = {**dict.fromkeys(_BASIC, 1), **dict.fromkeys(_EXTENSION, 2)}
"""Each character of the default alphabet and its extension table, and how many septets it takes
(3GPP TS 23.038 §6.2.1, §6.2.1.1)."""

MAX_SEGMENTS = 10
"""The most segments a message may take (decision 0007)."""


class Encoding(StrEnum):
    """The encoding of a message's characters."""

    GSM_7 = "GSM-7"
    UCS_2 = "UCS-2"

    @property
    def single(self) -> int:
        """The units that a message of one segment holds: 140 octets (3GPP TS 23.040 §9.2.3.16)."""
        match self:
            case Encoding.GSM_7:
                return 160
            case Encoding.UCS_2:
                return 70
            case _:
                assert_never(self)

    @property
    def multi(self) -> int:
        """The units in each of several segments: 140 octets less the 6 of the concatenation header."""
        match self:
            case Encoding.GSM_7:
                return 153
            case Encoding.UCS_2:
                return 67
            case _:
                assert_never(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A part of a text, and its length in units: septets of GSM-7, or UTF-16 code units of UCS-2."""

    text: str
    units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Segmentation:
    """A text split into segments. The empty text has no segments."""

    encoding: Encoding
    units: int
    segments: tuple[Segment, ...]


def split_into_segments(text: str) -> Segmentation:
    """Split a text into segments, each as full as possible.

    An escape pair of GSM-7 and a surrogate pair of UCS-2 are never split, so a segment can end one unit
    early. Raises ValueError for a lone surrogate, which no encoding can carry.
    """
    encoding = Encoding.GSM_7 if all(character in GSM7_UNITS for character in text) else Encoding.UCS_2
    lengths = [_character_units(character, encoding) for character in text]
    total = sum(lengths)
    capacity = encoding.single if total <= encoding.single else encoding.multi
    return Segmentation(
        encoding=encoding,
        units=total,
        segments=tuple(_fill_segments(text, lengths, capacity)) if text else (),
    )


def _fill_segments(text: str, lengths: list[int], capacity: int) -> Iterator[Segment]:
    start = units = 0
    for position, length in enumerate(lengths):
        if units + length > capacity:
            yield Segment(text=text[start:position], units=units)
            start, units = position, 0
        units += length
    yield Segment(text=text[start:], units=units)


def _character_units(character: str, encoding: Encoding) -> int:
    if encoding is Encoding.GSM_7:
        return GSM7_UNITS[character]
    if "\ud800" <= character <= "\udfff":
        raise ValueError(f"a text cannot hold the lone surrogate U+{ord(character):04X}")
    return 2 if character > "\uffff" else 1
