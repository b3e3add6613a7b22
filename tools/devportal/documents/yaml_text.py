"""YAML as data, and where each node is in its text.

There is one reader, `load`. Records are written in a plain subset of YAML that it reads line by line, without
the parser: four times as fast, and by a property test the same data.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import yaml

from devportal.documents.pointer import (
    MAX_DEPTH,
    MalformedDocument,
    ParsedText,
    Pointer,
    nearest_position,
    nesting_error,
)
from devportal.documents.yaml_errors import syntax_error, unprintable_error
from devportal.documents.yaml_nodes import Scalars, build_data, check_expanded_size, child_nodes, loader_for

_COLLECTIONS: Final = frozenset((list, dict))

_MAX_DEPTH = 20
"""The deepest nesting that is read here. Records have six levels."""

_UNUSUAL = r"[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd]"
"""Characters that some readers take for line ends, that YAML does not allow, or that have a meaning in it."""
_FIRST_CHARACTER = r"[0-9A-Za-z+.\u00c0-\ud7ff]"
"""What a plain scalar starts with here: no character that could be a sign of YAML."""
_KEY = r"[A-Za-z][A-Za-z0-9_]{0,99}"
_PART = rf"{_FIRST_CHARACTER}(?:[\w.+/()&'-]| (?=[\w.+/()&'-]))*"
"""A plain scalar between brackets."""
_PAIR = rf"{_KEY}: {_PART}"
_VALUE = (
    rf"({_FIRST_CHARACTER}(?:[^:#]|:(?=[^ ])|(?<=[^ ])#)*(?<! ))"
    rf"|\"([^\"\\]*)\"|'([^']*)'"
    rf"|\[({_PART}(?:, {_PART})*)\]|\{{({_PAIR}(?:, {_PAIR})*)\}}"
)
_LINE = re.compile(rf"( *)(- +)?(?:({_KEY}):(?: (.+))?|(.+))")
_BLANK_OR_COMMENT = re.compile(r" *(?:#.*)?")


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    """Return a pattern, compiled on first use: many ranges take long, and most commands read no such text."""
    return re.compile(pattern)


class _Line(NamedTuple):
    """What one line says."""

    dash: int = -1
    """The column of the dash that starts an item; -1 if there is none."""
    column: int = -1
    """The column of the key; -1 if there is none."""
    key: str = ""
    value: Any = None
    """The scalar, list or mapping after a key or dash; None if it follows on the next lines."""


def load_plain(text: str) -> dict[str, Any] | None:
    """Return the data of a text, every scalar as text; None if only the parser can read it."""
    if _compile(_UNUSUAL).search(text):
        return None
    reader = _PlainReader()
    for line in text.split("\n"):
        parsed = _parse_line(line)
        if parsed is None or not reader.accept(parsed):
            return None
    return reader.root if reader.is_complete else None


class _PlainReader:
    """Puts what the lines say into mappings and lists; what does not fit is refused."""

    __slots__ = ("_around", "_awaited", "_column", "_inner", "root")

    def __init__(self) -> None:
        self.root: dict[str, Any] = {}
        self._inner: Any = self.root
        """The mapping or list that is being read, and the column of its keys or dashes."""
        self._column = 0
        self._around: list[tuple[Any, int]] = []
        """The enclosing mappings and lists, with their columns."""
        self._awaited = ""
        """The key whose value must follow below."""

    @property
    def is_complete(self) -> bool:
        """Say whether the text may end here."""
        return bool(self.root) and not self._awaited

    def accept(self, line: _Line) -> bool:
        """Take the next line; say whether it may follow the lines before it."""
        dash, column, key, value = line
        if dash >= 0:
            if not self._enter(dash, list):
                return False
            if not key:
                self._inner.append(value)
                return True
            self._inner.append({})
            self._go_into(self._inner[-1], column)
        elif column < 0:
            return True
        elif (self._awaited or column != self._column) and not self._enter(column, dict):
            return False
        inner = self._inner
        if type(inner) is not dict or key in inner:
            return False
        if value is None:
            self._awaited = key
        inner[key] = value.copy() if type(value) in _COLLECTIONS else value
        return True

    def _enter(self, column: int, kind: type) -> bool:
        """Return whether a key or dash is allowed in a column, and enter the mapping or list that it belongs
        to.
        """
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
    """Return a line parsed; None if it is not of the subset. Cached, since most lines of records occur often."""
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
    """Return the value after a key or dash; None if it is not of the subset."""
    match = _compile(_VALUE).fullmatch(text)
    if match is None:
        return None
    plain, double, single, items, pairs = match.groups()
    if items is not None:
        return items.split(", ")
    if pairs is not None:
        return _parse_flow_mapping(pairs)
    return next(scalar for scalar in (plain, double, single) if scalar is not None)


def _parse_flow_mapping(pairs: str) -> dict[str, str] | None:
    """Return the mapping between braces; None if a key occurs twice."""
    parts = [pair.partition(": ") for pair in pairs.split(", ")]
    mapping = {key: value for key, _, value in parts}
    return mapping if len(mapping) == len(parts) else None


_BRACKET = re.compile(r"[\[\]{}]")
_ANCHOR = re.compile(r"&([0-9A-Za-z_-]+)")
_ALIAS = re.compile(r"\*([0-9A-Za-z_-]+)")
_FLOW_BUDGET = 50
_INDENT_BUDGET = (MAX_DEPTH - _FLOW_BUDGET) // 2
_INDENTED_LINE = re.compile(rf"^(?:[ ]|[-?:][ ]){{{_INDENT_BUDGET}}}", re.MULTILINE)
_BREAKS = {0x85: 0xFDD0, 0x2028: 0xFDD1, 0x2029: 0xFDD2}
"""Line breaks of YAML 1.1 that are plain characters in YAML 1.2 (§5.4), and their replacements while the
parser, which knows only 1.1, is at work.
"""
_BREAKS_BACK = {stand_in: character for character, stand_in in _BREAKS.items()}
_BREAK = re.compile("[" + "".join(map(chr, _BREAKS)) + "]")


def load(text: str, scalars: Scalars, *, allow_repeated_keys: bool = False) -> ParsedText:
    """Return the data of YAML text; an empty document is None. Raises MalformedDocument."""
    if scalars is Scalars.TEXT and (plain := load_plain(text)) is not None:
        return ParsedText(plain)
    root = _compose(text, scalars)
    if root is None:
        return ParsedText(None)
    if _may_have_aliases(text):
        check_expanded_size(root)
    return build_data(root, scalars, allow_repeated_keys=allow_repeated_keys)


def _may_have_aliases(text: str) -> bool:
    """Return whether any name is both anchor and alias, also in prose."""
    return not set(_ANCHOR.findall(text)).isdisjoint(_ALIAS.findall(text))


def locate(text: str, pointer: Pointer) -> tuple[int, int]:
    """Return the line and column of the node at `pointer` (of its key, for a member of a mapping)."""
    return nearest_position(_index(text), pointer)


def _compose(text: str, scalars: Scalars) -> yaml.Node | None:
    has_breaks = _BREAK.search(text) is not None
    plain = text.translate(_BREAKS) if has_breaks else text
    try:
        if _may_be_deep(plain):
            _refuse_deep_nesting(plain, scalars)
        root = _single_node(plain, scalars)
    except yaml.MarkedYAMLError as error:
        raise syntax_error(plain, error) from error
    except yaml.reader.ReaderError as error:
        raise unprintable_error(plain, error) from error
    except yaml.YAMLError as error:
        raise MalformedDocument(f"this is not YAML: {error}", 1, 1) from error
    if has_breaks and root is not None:
        _restore_breaks(root)
    return root


def _single_node(text: str, scalars: Scalars) -> yaml.Node | None:
    loader = loader_for(scalars)(text)
    try:
        node: yaml.Node | None = loader.get_single_node()
    finally:
        loader.dispose()
    return node


def _may_be_deep(text: str) -> bool:
    """Return whether text may nest deeper than `MAX_DEPTH`, counting brackets and indents without a parser.

    A column of block style holds at most two levels (a list may be directly below its key).
    """
    depth = 0
    for match in _BRACKET.finditer(text):
        depth = depth + 1 if match.group() in "[{" else max(depth - 1, 0)
        if depth > _FLOW_BUDGET:
            return True
    return _INDENTED_LINE.search(text) is not None


def _refuse_deep_nesting(text: str, scalars: Scalars) -> None:
    """Guard the composer, which recurses without a limit, by the parser's events, which do not."""
    loader = loader_for(scalars)(text)
    depth = 0
    try:
        while loader.check_event():
            event = loader.get_event()
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > MAX_DEPTH:
                raise nesting_error(*_line_and_column(event))
    finally:
        loader.dispose()


def _line_and_column(event: yaml.Event | None) -> tuple[int, int]:
    mark = event.start_mark if event is not None else None
    return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)


def _restore_breaks(root: yaml.Node) -> None:
    pending, seen = [root], {id(root)}
    while pending:
        node = pending.pop()
        if isinstance(node, yaml.ScalarNode):
            node.value = node.value.translate(_BREAKS_BACK)
        for part in child_nodes(node):
            if id(part) not in seen:
                seen.add(id(part))
                pending.append(part)


@lru_cache(maxsize=4)
def _index(text: str) -> Mapping[Pointer, tuple[int, int]]:
    index: dict[Pointer, tuple[int, int]] = {}
    root = _compose(text, Scalars.TEXT)

    def note(pointer: Pointer, node: yaml.Node) -> None:
        index[pointer] = (node.start_mark.line + 1, node.start_mark.column + 1)

    def walk(pointer: Pointer, node: yaml.Node) -> None:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                below = (*pointer, str(key.value))
                walk(below, value)
                note(below, key)
        elif isinstance(node, yaml.SequenceNode):
            for position, item in enumerate(node.value):
                below = (*pointer, str(position))
                note(below, item)
                walk(below, item)

    if root is not None:
        note((), root)
        walk((), root)
    return index
