"""YAML text to data, and the place of each node.

Scalars follow the YAML 1.2 core schema (so `NO` is text, `2026-11-21` is text, `010` is ten), or are all
text for records whose prices and codes must survive to the letter. Keys are always text. Duplicate keys,
other tags, alias bombs and bottomless nesting are refused.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any

import yaml

from devportal.documents.pointer import Pointer
from devportal.documents.positions import MAX_DEPTH, Malformed, nearest

MAX_EXPANDED_NODES = 500_000
"""How many nodes a document with aliases may have once each alias is written out."""

_TAG = "tag:yaml.org,2002:"
_BRACKET = re.compile(r"[\[\]{}]")
_DEEP_LINE = re.compile(rf"^(?:[ ]{{{MAX_DEPTH * 8},}}|(?:[ ]*[-?:] ){{{MAX_DEPTH // 2},}})", re.MULTILINE)


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


def _resolve(loader: type[yaml.CSafeLoader], tag: str, pattern: str, first: str) -> None:
    loader.add_implicit_resolver(
        _TAG + tag, re.compile(rf"^(?:{pattern})$"), [*first, ""] if tag == "null" else [*first]
    )


_resolve(_CoreLoader, "null", r"~|null|Null|NULL|", "~nN")
_resolve(_CoreLoader, "bool", r"true|True|TRUE|false|False|FALSE", "tTfF")
_resolve(_CoreLoader, "int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789")
_resolve(
    _CoreLoader,
    "float",
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
    "-+0123456789.",
)
_resolve(_CoreLoader, "merge", r"<<", "<")
_resolve(_TextLoader, "null", r"", "")
_resolve(_TextLoader, "merge", r"<<", "<")


def load(text: str, scalars: Scalars) -> Any:
    """Return the data of YAML text; an empty document is None. Raises Malformed."""
    root = _compose(text, scalars)
    if root is None:
        return None
    _refuse_alias_bomb(root)
    return _Builder().build(root)


def locate(text: str, pointer: Pointer) -> tuple[int, int]:
    """Return the line and column of the node at `pointer` (of its key, for a member of a mapping)."""
    return nearest(_index(text), pointer)


def _compose(text: str, scalars: Scalars) -> yaml.Node | None:
    _refuse_deep_nesting(text)
    loader = (_CoreLoader if scalars is Scalars.CORE else _TextLoader)(text)
    try:
        node: yaml.Node | None = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise Malformed(f"this is not YAML: {error.problem or error.context}", line, column) from error
    except yaml.reader.ReaderError as error:
        raise _unprintable(text, error) from error
    except yaml.YAMLError as error:
        raise Malformed(f"this is not YAML: {error}", 1, 1) from error
    finally:
        loader.dispose()
    return node


def _unprintable(text: str, error: yaml.reader.ReaderError) -> Malformed:
    before = text[: error.position] if isinstance(error.position, int) else ""
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    return Malformed(
        f"the character {error.character!r} may not stand in YAML",
        line,
        column,
        "remove it, or write it as an escape",
    )


def _refuse_deep_nesting(text: str) -> None:
    """Guard the C parser, which recurses without a limit, by an upper bound of the nesting."""
    depth = deepest = 0
    for match in _BRACKET.finditer(text):
        depth += 1 if match.group() in "[{" else -1
        depth = max(depth, 0)
        deepest = max(deepest, depth)
    deep_line = _DEEP_LINE.search(text)
    if deepest > MAX_DEPTH or deep_line:
        line = text.count("\n", 0, deep_line.start()) + 1 if deep_line else 1
        raise Malformed(
            f"this nests deeper than {MAX_DEPTH} levels", line, 1, "flatten it, or split the file"
        )


def _refuse_alias_bomb(root: yaml.Node) -> None:
    """Raise where aliases written out would make more than `MAX_EXPANDED_NODES` nodes, or a cycle."""
    sizes: dict[int, int] = {}
    nodes = 0

    def size(node: yaml.Node) -> int:
        nonlocal nodes
        known = sizes.get(id(node))
        if known == 0:
            raise _at(node, "this anchor contains an alias to itself", "write the cycle as a $ref")
        if known is not None:
            return known
        sizes[id(node)] = 0
        nodes += 1
        total = 1 + sum(size(part) for part in _parts(node))
        sizes[id(node)] = total
        return total

    try:
        expanded = size(root)
    except RecursionError as error:
        raise Malformed(f"this nests deeper than {MAX_DEPTH} levels", 1, 1) from error
    if expanded > MAX_EXPANDED_NODES and expanded > 4 * nodes:
        raise _at(
            root,
            f"aliases expand the {nodes:,} nodes of this file to {expanded:,}, over {MAX_EXPANDED_NODES:,}",
            "write repeated parts as $ref instead of aliases",
        )


def _parts(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key
            yield value
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def _at(node: yaml.Node, message: str, help: str = "") -> Malformed:  # noqa: A002
    return Malformed(message, node.start_mark.line + 1, node.start_mark.column + 1, help)


class _Builder:
    """Builds data from nodes; an aliased node is built once and shared."""

    def __init__(self) -> None:
        self._built: dict[int, Any] = {}

    def build(self, node: yaml.Node) -> Any:
        if id(node) not in self._built:
            self._built[id(node)] = self._new(node)
        return self._built[id(node)]

    def _new(self, node: yaml.Node) -> Any:
        match node:
            case yaml.MappingNode() if node.tag == _TAG + "map":
                return self._mapping(node)
            case yaml.SequenceNode() if node.tag == _TAG + "seq":
                return [self.build(item) for item in node.value]
            case yaml.ScalarNode() if node.tag in _SCALARS:
                return _scalar(node)
        raise _at(node, f"the tag {node.tag.replace(_TAG, '!!')!r} is not supported", "remove the tag")

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key, value in node.value:
            if key.tag == _TAG + "merge" and isinstance(key, yaml.ScalarNode):
                merged = {**self._merge(value), **merged}
                continue
            name = _key(key)
            if name in own:
                raise _at(key, f"the key {name!r} occurs twice in this mapping", "keep one of the two")
            own[name] = self.build(value)
        return {**merged, **own} if merged else own

    def _merge(self, node: yaml.Node) -> dict[str, Any]:
        if isinstance(node, yaml.MappingNode):
            return dict(self.build(node))
        if isinstance(node, yaml.SequenceNode):
            result: dict[str, Any] = {}
            for part in node.value:
                result = {**self._merge(part), **result}
            return result
        raise _at(node, "a merge key '<<' takes a mapping or a list of mappings")


def _key(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    raise _at(node, "a key must be plain text, not a list or a mapping", "quote the key")


def _integer(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    base = {"0o": 8, "0x": 16}.get(digits[:2], 10)
    return sign * int(digits[2:] if base != 10 else digits, base)


def _floating(text: str) -> float:
    lowered = text.lower()
    if lowered.endswith(".inf"):
        return -math.inf if lowered.startswith("-") else math.inf
    return math.nan if lowered == ".nan" else float(text)


_SCALARS: dict[str, Callable[[str], Any]] = {
    _TAG + "str": str,
    _TAG + "null": lambda _: None,
    _TAG + "bool": lambda text: text.lower() == "true",
    _TAG + "int": _integer,
    _TAG + "float": _floating,
    _TAG + "merge": str,
}


def _scalar(node: yaml.ScalarNode) -> Any:
    try:
        return _SCALARS[node.tag](node.value)
    except ValueError as error:
        raise _at(node, f"{node.value[:60]!r} is not a {node.tag.replace(_TAG, '')}: {error}") from error


@lru_cache(maxsize=4)
def _index(text: str) -> Mapping[Pointer, tuple[int, int]]:
    index: dict[Pointer, tuple[int, int]] = {}
    root = _compose(text, Scalars.TEXT)

    def note(pointer: Pointer, node: yaml.Node) -> None:
        index.setdefault(pointer, (node.start_mark.line + 1, node.start_mark.column + 1))

    def walk(pointer: Pointer, node: yaml.Node) -> None:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                below = (*pointer, str(key.value))
                note(below, key)
                walk(below, value)
        elif isinstance(node, yaml.SequenceNode):
            for position, item in enumerate(node.value):
                below = (*pointer, str(position))
                note(below, item)
                walk(below, item)

    if root is not None:
        note((), root)
        walk((), root)
    return index
