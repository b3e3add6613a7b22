"""JSON text to data, and the place of each node. Stricter than `json`: no duplicate keys, no NaN, no lone
surrogates, no bottomless nesting."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from devportal.documents.pointer import Pointer
from devportal.documents.positions import MAX_DEPTH, Lines, Malformed, nearest

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def load(text: str) -> Any:
    """Return the data of JSON text (RFC 8259); raises Malformed."""
    seen_twice = False

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal seen_twice
        mapping = dict(pairs)
        seen_twice = seen_twice or len(mapping) != len(pairs)
        return mapping

    try:
        data = json.loads(text, object_pairs_hook=members, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise Malformed(f"this is not JSON: {error.msg}", error.lineno, error.colno) from error
    except RecursionError as error:
        raise Malformed(f"this nests deeper than {MAX_DEPTH} levels", 1, 1) from error
    except ValueError as error:
        raise Malformed(f"this is not JSON: {error}", 1, 1) from error
    if seen_twice or _SURROGATE_ESCAPE.search(text) or text.count("[") + text.count("{") > MAX_DEPTH:
        _scan(text)
    return data


def locate(text: str, pointer: Pointer) -> tuple[int, int]:
    """Return the line and column of the node at `pointer` (of its key, for a member of an object)."""
    return nearest(_index(text), pointer)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


@lru_cache(maxsize=4)
def _index(text: str) -> Mapping[Pointer, tuple[int, int]]:
    lines = Lines(text)
    return {pointer: lines.at(offset) for pointer, offset in _scan(text).items()}


@dataclass(slots=True)
class _Level:
    """An open object or array while scanning: the pointer to it, and the key or position that is next."""

    pointer: Pointer
    is_object: bool
    key: str | None = None
    position: int = 0


def _scan(text: str) -> dict[Pointer, int]:
    """Return the offset of every node of valid JSON; raises Malformed for what `json` lets through."""
    offsets: dict[Pointer, int] = {(): 0}
    levels: list[_Level] = []
    for match in _TOKEN.finditer(text):
        token, offset = match.group(), match.start()
        if token in "}]":
            levels.pop()
        elif token == ",":
            levels[-1].key = None
            levels[-1].position += 1
        elif token != ":":
            _enter(text, token, offset, levels, offsets)
    return offsets


def _enter(text: str, token: str, offset: int, levels: list[_Level], offsets: dict[Pointer, int]) -> None:
    """Note a key, or a value and the level it opens."""
    if (
        token.startswith('"')
        and _SURROGATE_ESCAPE.search(token)
        and _LONE_SURROGATE.search(json.loads(token))
    ):
        raise Malformed("half of a surrogate pair stands alone in this text", *Lines(text).at(offset))
    level = levels[-1] if levels else None
    if level is not None and level.is_object and level.key is None:
        level.key = json.loads(token)
        pointer = (*level.pointer, level.key)
        if pointer in offsets:
            raise Malformed(f"the key {level.key!r} occurs twice in this object", *Lines(text).at(offset))
        offsets[pointer] = offset
        return
    pointer = () if level is None else (*level.pointer, level.key or str(level.position))
    if level is not None and level.is_object:
        pointer = (*level.pointer, level.key if level.key is not None else "")
    else:
        offsets[pointer] = offset
    if token in "{[":
        if len(levels) >= MAX_DEPTH:
            raise Malformed(f"this nests deeper than {MAX_DEPTH} levels", *Lines(text).at(offset))
        levels.append(_Level(pointer, token == "{"))
