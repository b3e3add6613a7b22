"""The plain subset of YAML in which records are written, read line by line: a fifth of the parser's time.

It is block style whose scalars stand on one line, plain or between quotes without escapes, with `[a, b]` and
`{a: b}` of plain scalars. Of a text with anything else in it (a tab, an anchor, an escape, a scalar of more
lines, a comment behind a value, a key that occurs twice, indentation that does not fit) nothing is said here:
it is for the parser, which says what is wrong. A law of the tests: what is read here, the parser reads alike.
"""

import re
from enum import Enum
from functools import lru_cache
from typing import Any, Final, NamedTuple


class _NotPlain(Enum):
    """The answer for a text that the parser has to read; no data of a document is it."""

    TOKEN = 0


NOT_PLAIN: Final = _NotPlain.TOKEN
"""What `load_plain` returns for a text that is not of the subset."""

_COLLECTIONS: Final = frozenset((list, dict))

_MAX_DEPTH = 20
"""The deepest nesting that is read here. Records have six levels."""

_UNUSUAL = re.compile(r"[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd]")
"""Characters that end a line for some, may not stand in YAML, or mean something in it."""
_FIRST_CHARACTER = r"[0-9A-Za-z+.\u00c0-\ud7ff]"
"""What a plain scalar starts with here: no character that could be a sign of YAML."""
_KEY = r"[A-Za-z][A-Za-z0-9_]{0,99}"
_PART = rf"{_FIRST_CHARACTER}(?:[\w.+/()&'-]| (?=[\w.+/()&'-]))*"
"""A plain scalar between brackets."""
_PAIR = rf"{_KEY}: {_PART}"
_VALUE = re.compile(
    rf"({_FIRST_CHARACTER}(?:[^:#]|:(?=[^ ])|(?<=[^ ])#)*(?<! ))"
    rf"|\"([^\"\\]*)\"|'([^']*)'"
    rf"|\[({_PART}(?:, {_PART})*)\]|\{{({_PAIR}(?:, {_PAIR})*)\}}"
)
_LINE = re.compile(rf"( *)(- +)?(?:({_KEY}):(?: (.+))?|(.+))")
_BLANK_OR_COMMENT = re.compile(r" *(?:#.*)?")


class _Line(NamedTuple):
    """What one line says."""

    dash: int = -1
    """The column of the dash that starts an item; -1 where there is none."""
    column: int = -1
    """The column of the key; -1 where there is none."""
    key: str = ""
    value: Any = None
    """The scalar, list or mapping behind key or dash; None where it stands below."""


def load_plain(text: str) -> Any:
    """Return the data of a text, every scalar as text; `NOT_PLAIN` where the parser has to read it."""
    if _UNUSUAL.search(text):
        return NOT_PLAIN
    reader = _PlainReader()
    for line in text.split("\n"):
        said = _parse_line(line)
        if said is None or not reader.takes(said):
            return NOT_PLAIN
    return reader.root if reader.is_complete else NOT_PLAIN


class _PlainReader:
    """Puts what the lines say into mappings and lists; what does not fit is refused."""

    __slots__ = ("_around", "_awaited", "_column", "_inner", "root")

    def __init__(self) -> None:
        self.root: dict[str, Any] = {}
        self._inner: Any = self.root
        """The mapping or list that is being read, and the column of its keys or dashes."""
        self._column = 0
        self._around: list[tuple[Any, int]] = []
        """What stands around it, with its columns."""
        self._awaited = ""
        """The key whose value must follow below."""

    @property
    def is_complete(self) -> bool:
        """Say whether the text may end here."""
        return bool(self.root) and not self._awaited

    def takes(self, said: _Line) -> bool:
        """Say whether a line fits behind those before it, and note what it says."""
        dash, column, key, value = said
        if dash >= 0:
            if not self._enters(dash, list):
                return False
            if not key:
                self._inner.append(value)
                return True
            self._inner.append({})
            self._go_into(self._inner[-1], column)
        elif column < 0:
            return True
        elif (self._awaited or column != self._column) and not self._enters(column, dict):
            return False
        inner = self._inner
        if type(inner) is not dict or key in inner:
            return False
        if value is None:
            self._awaited = key
        inner[key] = value.copy() if type(value) in _COLLECTIONS else value
        return True

    def _enters(self, column: int, kind: type) -> bool:
        """Say whether a key or a dash may stand in a column, and go to the mapping or list that it is of."""
        if self._awaited:
            if column <= self._column or len(self._around) > _MAX_DEPTH:
                return False
            below = self._inner[self._awaited] = kind()
            self._awaited = ""
            self._go_into(below, column)
        while column < self._column:
            self._inner, self._column = self._around.pop()
        return column == self._column and type(self._inner) is kind

    def _go_into(self, below: Any, column: int) -> None:
        self._around.append((self._inner, self._column))
        self._inner, self._column = below, column


@lru_cache(maxsize=1 << 14)
def _parse_line(line: str) -> _Line | None:
    """Return what a line says; None where it is not of the subset. Most lines of records occur often."""
    if _BLANK_OR_COMMENT.fullmatch(line):
        return _Line()
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    indent, dash, key, behind, item = match.groups()
    column = len(indent) + len(dash or "")
    if key is not None:
        value = _parse_value(behind) if behind is not None else None
        if behind is not None and value is None:
            return None
        return _Line(dash=len(indent) if dash else -1, column=column, key=key, value=value)
    value = _parse_value(item) if dash else None
    return _Line(dash=len(indent), value=value) if value is not None else None


def _parse_value(text: str) -> Any:
    """Return what stands behind a key or dash; None where it is not of the subset."""
    match = _VALUE.fullmatch(text)
    if match is None:
        return None
    plain, double, single, items, pairs = match.groups()
    if items is not None:
        return items.split(", ")
    if pairs is not None:
        return _parse_flow_mapping(pairs)
    return next(one for one in (plain, double, single) if one is not None)


def _parse_flow_mapping(pairs: str) -> dict[str, str] | None:
    """Return what stands between braces; None where a key occurs twice."""
    parts = [pair.partition(": ") for pair in pairs.split(", ")]
    found = {key: value for key, _, value in parts}
    return found if len(found) == len(parts) else None
