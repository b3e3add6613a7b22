"""YAML text to data, and the place of each node: what the parser refuses, said so that people can mend it.

Scalars follow the YAML 1.2 core schema (so `NO` is text, `2026-11-21` is text, `010` is ten), or are all
text for records whose prices and codes must survive to the letter. Keys are always text. Duplicate keys,
other tags, alias bombs and bottomless nesting are refused.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import yaml

from devportal.documents.pointer import MAX_DEPTH, MalformedDocument, Pointer, nearest_position, nesting_error
from devportal.documents.yaml_nodes import Scalars, build_data, child_nodes, loader_for, refuse_overgrowth
from devportal.documents.yaml_plain import NOT_PLAIN, load_plain

_BRACKET = re.compile(r"[\[\]{}]")
_ANCHOR = re.compile(r"&([0-9A-Za-z_-]+)")
_ALIAS = re.compile(r"\*([0-9A-Za-z_-]+)")
_FLOW_BUDGET = 50
_INDENT_BUDGET = (MAX_DEPTH - _FLOW_BUDGET) // 2
_INDENTED_LINE = re.compile(rf"^(?:[ ]|[-?:][ ]){{{_INDENT_BUDGET}}}", re.MULTILINE)
_BREAKS = {0x85: 0xFDD0, 0x2028: 0xFDD1, 0x2029: 0xFDD2}
"""Line breaks of YAML 1.1 that are plain characters in YAML 1.2 (§5.4), and what stands in for each while
the parser, which knows 1.1 only, is at work."""
_BREAKS_BACK = {stand_in: character for character, stand_in in _BREAKS.items()}
_BREAK = re.compile("[" + "".join(map(chr, _BREAKS)) + "]")


def load(text: str, scalars: Scalars) -> Any:
    """Return the data of YAML text; an empty document is None. Raises Malformed."""
    if scalars is Scalars.TEXT and (plain := load_plain(text)) is not NOT_PLAIN:
        return plain
    root = _compose(text, scalars)
    if root is None:
        return None
    if _may_have_aliases(text):
        refuse_overgrowth(root)
    return build_data(root, scalars)


def _may_have_aliases(text: str) -> bool:
    """Say whether any name stands behind both an anchor's sign and an alias's, in prose or not."""
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
        raise _syntax_error(plain, error) from error
    except yaml.reader.ReaderError as error:
        raise _unprintable_error(plain, error) from error
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
    """Say whether text may nest deeper than `MAX_DEPTH`, counting brackets and indents without a parser.

    A column of block style holds at most two levels (a list may stand right below its key).
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


_PROBLEMS = {
    "but found another document": ("a second document starts here", "keep one document in a file"),
    "second occurrence": ("this anchor is defined twice", "give the second one another name"),
    "found undefined alias": ("this alias has no anchor before it", "define the anchor first"),
}
"""What the parser says only half of, said whole, and what to do about it."""


def _line_and_column(event: yaml.Event | None) -> tuple[int, int]:
    mark = event.start_mark if event is not None else None
    return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)


def _syntax_error(text: str, error: yaml.MarkedYAMLError) -> MalformedDocument:
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "it does not parse"
    if mark is None:
        return MalformedDocument(f"this is not YAML: {problem}", 1, 1)
    problem, advice = _PROBLEMS.get(
        problem, (problem, "compare indentation, quotes and brackets here and just before")
    )
    if problem.startswith("found character that cannot start any token"):
        found = text[mark.index : mark.index + 1]
        problem, advice = (
            ("a tab cannot indent", "indent with spaces")
            if found == "\t"
            else (f"no plain text starts with {found!r}", "put the text between quotes")
        )
    return MalformedDocument(f"this is not YAML: {problem}", mark.line + 1, mark.column + 1, advice)


def _unprintable_error(text: str, error: yaml.reader.ReaderError) -> MalformedDocument:
    before = text[: error.position] if isinstance(error.position, int) else ""
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    code = error.character if isinstance(error.character, int) else ord(str(error.character)[:1] or "\0")
    return MalformedDocument(
        f"the character U+{code:04X} may not stand in YAML",
        line,
        column,
        "remove it, or write it as an escape",
    )


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
