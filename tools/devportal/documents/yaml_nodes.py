"""Nodes of YAML → data: scalars by one of two schemas, merge keys, and only so much growth by aliases."""

import math
import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import yaml

from devportal.documents.pointer import (
    MAX_DEPTH,
    MAX_DIGITS,
    MalformedDocument,
    ParsedText,
    RepeatedKey,
    nesting_error,
)

MAX_EXPANDED_NODES = 500_000
"""How many nodes a document with aliases may have once each alias is written out; 64 code points of a scalar
count as one."""

_TAG = "tag:yaml.org,2002:"


class Scalars(Enum):
    """What plain scalars become."""

    CORE = "core"
    """Null, booleans and numbers by the YAML 1.2 core schema (YAML 1.2.2 §10.3.2); the rest text."""
    TEXT = "text"
    """Every scalar is text, to the letter; only an empty one is null."""


class _CoreLoader(yaml.CSafeLoader):
    """Composes nodes with the implicit tags of the YAML 1.2 core schema."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


class _TextLoader(yaml.CSafeLoader):
    """Composes nodes with no implicit tag but the merge key's: every plain scalar is text."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


_CORE = {
    "null": (r"~|null|Null|NULL|", [*"~nN", ""]),
    "bool": (r"true|True|TRUE|false|False|FALSE", [*"tTfF"]),
    "int": (r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", [*"-+0123456789"]),
    "float": (
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        [*"-+0123456789."],
    ),
    "merge": (r"<<", ["<"]),
}
"""The tags of plain scalars by their patterns, and the characters that these start with."""
_PATTERNS = {_TAG + tag: re.compile(pattern) for tag, (pattern, _) in _CORE.items()}

for _name, (_pattern, _first) in _CORE.items():
    _CoreLoader.add_implicit_resolver(_TAG + _name, re.compile(rf"(?:{_pattern})\Z"), _first)
_TextLoader.add_implicit_resolver(_TAG + "null", re.compile(r"\Z"), [""])
_TextLoader.add_implicit_resolver(_TAG + "merge", re.compile(r"<<\Z"), ["<"])


def loader_for(scalars: Scalars) -> type[yaml.CSafeLoader]:
    """Return the loader that tags plain scalars by this schema."""
    return _CoreLoader if scalars is Scalars.CORE else _TextLoader


def child_nodes(node: yaml.Node) -> Iterator[yaml.Node]:
    """Yield the nodes right below a node: keys and values, or items."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key
            yield value
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def check_expanded_size(root: yaml.Node) -> None:
    """Raise MalformedDocument for a cycle, for nesting too deep, or for too many nodes with aliases written out."""
    own_sizes: dict[int, int] = {}
    expanded: dict[int, int] = {}
    height: dict[int, int] = {}
    for node in _bottom_up(root):
        parts = tuple(child_nodes(node))
        own = 1 + len(node.value) // 64 if isinstance(node, yaml.ScalarNode) else 1
        own_sizes[id(node)] = own
        total = own + sum(expanded[id(part)] for part in parts)
        expanded[id(node)] = min(total, 10 * MAX_EXPANDED_NODES)
        height[id(node)] = 0 if isinstance(node, yaml.ScalarNode) else 1
        height[id(node)] += max((height[id(part)] for part in parts), default=0)
        if height[id(node)] > MAX_DEPTH:
            raise nesting_error(node.start_mark.line + 1, node.start_mark.column + 1)
    if expanded[id(root)] > MAX_EXPANDED_NODES and expanded[id(root)] > 4 * sum(own_sizes.values()):
        raise _error_at(
            root,
            f"aliases expand this file to more than {MAX_EXPANDED_NODES:,} nodes",
            "write repeated parts as $ref instead of aliases",
        )


def _bottom_up(root: yaml.Node) -> Iterator[yaml.Node]:
    """Yield each node once, after everything below it, without recursion; raises MalformedDocument for a cycle."""
    is_done = {id(root): False}
    path = [(root, child_nodes(root))]
    while path:
        node, parts = path[-1]
        part = next(parts, None)
        if part is None:
            path.pop()
            is_done[id(node)] = True
            yield node
        elif id(part) not in is_done:
            is_done[id(part)] = False
            path.append((part, child_nodes(part)))
        elif not is_done[id(part)]:
            raise _error_at(part, "this anchor contains an alias to itself", "write the cycle as a $ref")


def build_data(root: yaml.Node, scalars: Scalars, *, allow_repeated_keys: bool) -> ParsedText:
    """Return the data of a composed document, whose nesting must be bounded. Raises MalformedDocument."""
    builder = _DataBuilder(scalars, allow_repeated_keys=allow_repeated_keys)
    return ParsedText(builder.build(root), tuple(builder.repeated_keys))


class _DataBuilder:
    """Builds data from nodes; an aliased node is built once and shared."""

    def __init__(self, scalars: Scalars, *, allow_repeated_keys: bool) -> None:
        self.repeated_keys: list[RepeatedKey] = []
        self._allow_repeated_keys = allow_repeated_keys
        self._scalars = _SCALARS if scalars is Scalars.CORE else _TEXTS
        self._built: dict[int, Any] = {}

    def build(self, node: yaml.Node) -> Any:
        if id(node) not in self._built:
            self._built[id(node)] = self._new(node)
        return self._built[id(node)]

    def _new(self, node: yaml.Node) -> Any:
        if isinstance(node, yaml.ScalarNode) and node.tag in self._scalars:
            return self._scalar(node)
        if isinstance(node, yaml.MappingNode) and node.tag == _TAG + "map":
            return self._mapping(node)
        if isinstance(node, yaml.SequenceNode) and node.tag == _TAG + "seq":
            return [self.build(item) for item in node.value]
        raise _error_at(node, f"the tag {node.tag.replace(_TAG, '!!')!r} is not supported", "remove the tag")

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        text: str = node.value
        if node.tag == _TAG + "str":
            return text
        if not _PATTERNS[node.tag].fullmatch(text):
            raise _error_at(
                node,
                f"{text[:60]!r} is not a valid {node.tag.removeprefix(_TAG)}",
                "fix the value or the tag",
            )
        if len(text) > MAX_DIGITS + 1 and node.tag == _TAG + "int":
            raise _error_at(node, f"this number has more than {MAX_DIGITS} digits", "write it as text")
        value = self._scalars[node.tag](text)
        if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
            raise _error_at(node, f"this number has more than {MAX_DIGITS} digits", "write it as text")
        return value

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key, value in node.value:
            if key.tag == _TAG + "merge" and isinstance(key, yaml.ScalarNode):
                merged = {**self._merge(value), **merged}
                continue
            name = _mapping_key(key)
            if name in own:
                self._note_repeated(key, name)
            own[name] = self.build(value)
        return {**merged, **own} if merged else own

    def _note_repeated(self, key: yaml.Node, name: str) -> None:
        if not self._allow_repeated_keys:
            raise _error_at(key, f"the key {name!r} occurs twice in this mapping", "keep one of the two")
        self.repeated_keys.append(RepeatedKey(name, key.start_mark.line + 1, key.start_mark.column + 1))

    def _merge(self, node: yaml.Node) -> dict[str, Any]:
        if isinstance(node, yaml.MappingNode):
            return dict(self.build(node))
        if isinstance(node, yaml.SequenceNode):
            result: dict[str, Any] = {}
            for part in node.value:
                result = {**self._merge(part), **result}
            return result
        raise _error_at(node, "a merge key '<<' takes a mapping or a list of mappings")


def _mapping_key(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    raise _error_at(
        node,
        "a key must be plain text, not a list or a mapping",
        "quote the key; text that starts with '{{' needs quotes too",
    )


def _parse_integer(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    base = {"0o": 8, "0x": 16}.get(digits[:2], 10)
    return sign * int(digits[2:] if base != 10 else digits, base)


def _parse_float(text: str) -> float:
    lowered = text.lower()
    if lowered.endswith(".inf"):
        return -math.inf if lowered.startswith("-") else math.inf
    return math.nan if lowered == ".nan" else float(text)


_TEXTS: dict[str, Callable[[str], Any]] = {
    _TAG + "str": str,
    _TAG + "null": lambda _: None,
    _TAG + "merge": str,
}
_SCALARS: dict[str, Callable[[str], Any]] = {
    **_TEXTS,
    _TAG + "bool": lambda text: text.lower() == "true",
    _TAG + "int": _parse_integer,
    _TAG + "float": _parse_float,
}


def _error_at(node: yaml.Node, message: str, help: str = "") -> MalformedDocument:  # noqa: A002
    return MalformedDocument(message, node.start_mark.line + 1, node.start_mark.column + 1, help)
