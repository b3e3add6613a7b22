"""How wide text is, without the browser that will show it: close enough to keep labels apart.

Fonts differ from reader to reader, so these are widths of the wider ones among the fonts of the theme.
"""

from unicodedata import combining, east_asian_width

_NARROW = frozenset("fijlrt!'(),-./:;[]`{|} Ii")
_WIDE = frozenset("mwMW%@—…")
_SANS = {"narrow": 0.34, "wide": 0.92, "capital": 0.72, "other": 0.58}
"""In em, by kind of character: Liberation Sans and Inter, rounded up."""
_MONO = 0.61
"""In em: JetBrains Mono, Menlo and DejaVu Sans Mono, rounded up."""


def sans_width(text: str, size_px: float) -> float:
    """Return the width of text in the font of the page, in pixels."""
    return size_px * sum(map(_sans, text))


def mono_width(text: str, size_px: float) -> float:
    """Return the width of text in the font of code, in pixels."""
    return size_px * sum(_MONO * _columns(one) for one in text)


def _sans(one: str) -> float:
    columns = _columns(one)
    if columns != 1:
        return float(columns) / 2 * 1.05
    if one in _NARROW:
        return _SANS["narrow"]
    if one in _WIDE:
        return _SANS["wide"]
    return _SANS["capital"] if one.isupper() else _SANS["other"]


def _columns(one: str) -> int:
    """Return how many columns a character takes in a terminal (UAX #11)."""
    if combining(one):
        return 0
    return 2 if east_asian_width(one) in "WF" else 1


def wrapped(text: str, size_px: float, limit_px: float) -> tuple[str, ...]:
    """Return text in lines of about the same length, none wider than the limit but where a word is."""
    words = text.split()
    lines = _filled(words, size_px, limit_px)
    if len(lines) < 2:
        return lines
    narrower = sans_width(text, size_px) / len(lines)
    while narrower < limit_px:
        even = _filled(words, size_px, narrower)
        if len(even) == len(lines):
            return even
        narrower += size_px / 2
    return lines


def _filled(words: list[str], size_px: float, limit_px: float) -> tuple[str, ...]:
    lines: list[str] = []
    for word in words:
        if lines and sans_width(f"{lines[-1]} {word}", size_px) <= limit_px:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)
