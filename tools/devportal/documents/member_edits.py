"""Sets members in the text of a YAML or JSON file, and leaves comments, order and layout of all else as they are."""

import json
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INDENT = 2


class UneditableText(Exception):
    """A text in which a member cannot be set without touching anything else."""


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with the member at a path of names set to a value: a text, day, list of texts, or mapping.

    New members come last in their mapping, in its style: block, or flow as in JSON. Raises UneditableText.
    """
    if "\r\n" in text:
        return set_member(text.replace("\r\n", "\n"), path, value).replace("\n", "\r\n")
    return _set_below(text, _compose(text), tuple(path), value)


def remove_member(text: str, path: Sequence[str]) -> str:
    """Return the text without the member at a path of names, if it is there. Raises UneditableText."""
    if "\r\n" in text:
        return remove_member(text.replace("\r\n", "\n"), path).replace("\n", "\r\n")
    key, node = None, _compose(text)
    is_flow = False
    for name in path:
        if not isinstance(node, yaml.MappingNode):
            return text
        is_flow = bool(node.flow_style)
        key, node = next((pair for pair in node.value if pair[0].value == name), (None, None))
    if key is None:
        return text
    start, end = key.start_mark.index, _content_end(node, text)
    if not is_flow:
        line_end = text.find("\n", end)
        return text[: text.rfind("\n", 0, start) + 1] + (text[line_end + 1 :] if line_end >= 0 else "")
    rest = text[end:]
    if rest.lstrip().startswith(","):
        return text[:start] + rest.lstrip()[1:].lstrip()
    return text[:start].rstrip().removesuffix(",") + rest


def _compose(text: str) -> Any:
    try:
        return yaml.compose(text, _LOADER)
    except (yaml.YAMLError, UnicodeError) as error:
        raise UneditableText(str(error)) from error


def _set_below(text: str, root: Any, path: tuple[str, ...], value: Any) -> str:
    if root is None:
        return _append(text, _block_lines(path[0], _nest(path[1:], value), 0))
    node, key = root, None
    for depth, name in enumerate(path):
        if not isinstance(node, yaml.MappingNode):
            return _replace_empty(text, key, node, _nest(path[depth:], value))
        pair = next((pair for pair in node.value if pair[0].value == name), None)
        if pair is None:
            return _insert(text, node, key, name, _nest(path[depth + 1 :], value))
        key, node = pair
    return _replace(text, key, node, value)


def _nest(path: tuple[str, ...], value: Any) -> Any:
    for name in reversed(path):
        value = {name: value}
    return value


def _insert(text: str, mapping: Any, key: Any, name: str, value: Any) -> str:
    """Return the text with a new last member of a mapping."""
    if not mapping.flow_style:
        column = mapping.value[0][0].start_mark.column
        return _insert_lines(text, _content_end(mapping, text), _block_lines(name, value, column))
    if not mapping.value and key is not None and _is_block_key(text, key):
        return _replace_empty(text, key, mapping, {name: value})
    close = mapping.end_mark.index - 1
    member = f"{json.dumps(name, ensure_ascii=False)}: {_flow(value)}"
    if not mapping.value:
        return f"{text[:close]}{member}{text[close:]}"
    last = _content_end(mapping.value[-1][1], text)
    first = mapping.value[0][0]
    line = text.rfind("\n", 0, first.start_mark.index) + 1
    is_own_line = not text[line : first.start_mark.index].strip()
    space = f"\n{' ' * first.start_mark.column}" if is_own_line else " "
    rest = text[last:]
    if rest.lstrip().startswith(","):
        last += rest.index(",") + 1
        return f"{text[:last]}{space}{member}{text[last:]}"
    return f"{text[:last]},{space}{member}{text[last:]}"


def _replace(text: str, key: Any, node: Any, value: Any) -> str:
    """Return the text with another value of a member."""
    start, end = node.start_mark.index, _content_end(node, text)
    if isinstance(value, dict):
        raise UneditableText(f"{key.value}: a mapping is not replaced as a whole")
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        if not isinstance(value, list):
            raise UneditableText(f"{key.value}: this is not a single value")
        margin = f"\n{' ' * node.start_mark.column}"
        return text[:start] + margin.join(f"- {_flow(item)}" for item in value) + text[end:]
    is_plain = isinstance(node, yaml.ScalarNode) and not node.style and _is_block_key(text, key)
    written = _plain(value) if is_plain else _flow(value)
    space = "" if text[:start].endswith((" ", "\n", "[", "{")) else " "
    return f"{text[:start]}{space}{written}{text[end:]}"


def _replace_empty(text: str, key: Any, node: Any, value: Any) -> str:
    """Return the text with members below a key whose value is empty: nothing, null or `{}`."""
    is_empty = not node.value or (isinstance(node, yaml.ScalarNode) and node.tag.endswith(":null"))
    if key is None or not is_empty:
        raise UneditableText("this is not a mapping")
    start, end = node.start_mark.index, node.end_mark.index
    if not _is_block_key(text, key):
        return f"{text[:start]}{_flow(value)}{text[end:]}"
    start = len(text[:start].rstrip(" ")) if start != end else start
    column = key.start_mark.column + _INDENT
    lines = [line for name, member in value.items() for line in _block_lines(name, member, column)]
    return _insert_lines(text[:start] + text[end:], start, lines)


def _is_block_key(text: str, key: Any) -> bool:
    """Return whether a key begins its line, in a text that is not JSON."""
    line = text.rfind("\n", 0, key.start_mark.index) + 1
    return not text[line : key.start_mark.index].strip() and not text.lstrip().startswith("{")


def _content_end(node: Any, text: str) -> int:
    """Return where a node ends, without the comments and blank lines after it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _content_end(last[1] if isinstance(last, tuple) else last, text)
    start, end = int(node.start_mark.index), int(node.end_mark.index)
    return max(start, len(text[:end].rstrip()))


def _insert_lines(text: str, position: int, lines: Sequence[str]) -> str:
    """Return the text with lines after the one at a position."""
    end = text.find("\n", position)
    if end < 0:
        return _append(text, lines)
    return text[: end + 1] + "".join(f"{line}\n" for line in lines) + text[end + 1 :]


def _append(text: str, lines: Sequence[str]) -> str:
    gap = "" if not text or text.endswith("\n") else "\n"
    return text + gap + "".join(f"{line}\n" for line in lines)


def _block_lines(name: str, value: Any, column: int) -> list[str]:
    return [f"{' ' * column}{line}" for line in _member_lines(name, value)]


def _member_lines(name: str, value: Any) -> Iterator[str]:
    """Yield the lines of a member in block style. Names that are not plain words are quoted."""
    key = name if name.isalpha() else json.dumps(name, ensure_ascii=False)
    if isinstance(value, dict) and value:
        yield f"{key}:"
        for inner, member in value.items():
            yield from _block_lines(inner, member, _INDENT)
    elif isinstance(value, list) and value:
        yield f"{key}:"
        yield from (f"- {_flow(item)}" for item in value)
    else:
        yield f"{key}: {_plain(value)}"


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, date) else _flow(value)


def _flow(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
