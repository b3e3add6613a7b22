r"""A list in one cell: items joined by `; `, with a `\` before a `;`, a `\` or an outer blank of an item."""

import re
from collections.abc import Iterable

_SPECIAL = re.compile(r"[\\;]|\A\s|\s\Z")
_ITEM = re.compile(r"(?:\\.|[^\\;]|\\\Z)*", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def joined(items: Iterable[str]) -> str:
    """Return items, none of them empty, as the text of a cell."""
    return "; ".join(_SPECIAL.sub(lambda found: f"\\{found.group()}", item) for item in items)


def split(cell: str) -> list[str]:
    """Return the items of a cell, blanks around them and a `;` at the end left out."""
    items: list[str] = []
    position = 0
    while cell[position:].strip():
        found = _ITEM.match(cell, position)
        end = found.end() if found else len(cell)
        items.append(_unescaped(cell[position:end]))
        position = end + 1
    return items


def _unescaped(item: str) -> str:
    kept = item.lstrip()
    bare = kept.rstrip()
    is_escaped = (len(bare) - len(bare.rstrip("\\"))) % 2 == 1
    return _ESCAPE.sub(r"\1", kept[: len(bare) + 1] if is_escaped else bare)
