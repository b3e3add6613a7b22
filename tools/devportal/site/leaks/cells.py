"""Where a cell, an item of a list or a line ends: a name does not go on behind it."""

import re

_INLINE = frozenset(
    b"a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike "
    b"strong sub sup time tspan tt u var wbr br".split()
)
_TAG = re.compile(rb"<(?:\\?/)?([A-Za-z][A-Za-z0-9]*)")
_PARTING = b',;|\t"\x7f'
"""What stands between cells and members, unless the name itself has it."""
_NEXT_ITEM = re.compile(rb"(?:\n|\\n)[ \t]*(?:[-*+#>|]|\d+[.)]|\r?\n)")
"""The next item, row or paragraph of Markdown."""


def is_end(gap: bytes, text: str, *, is_table: bool) -> bool:
    """Say whether a cell, an item or a line ends in what stands between two words of a text.

    In a table of lines, such as a CSV, each end of a line is one.
    """
    if is_table and b"\n" in gap:
        return True
    if any(tag.lower() not in _INLINE for tag in _TAG.findall(gap)) or _NEXT_ITEM.search(gap):
        return True
    plain = re.sub(rb"<[^<>]*>|&\#?\w+;", b"", gap)
    return any(code in plain and chr(code) not in text for code in _PARTING)
