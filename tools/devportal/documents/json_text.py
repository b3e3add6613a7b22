"""JSON text to data, and the place of each node. Stricter than `json`: no duplicate keys, no NaN, no lone
surrogates, no number beyond what others can hold, no bottomless nesting."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from devportal.documents.pointer import (
    MAX_DEPTH,
    MAX_DIGITS,
    LineIndex,
    MalformedDocument,
    Pointer,
    nearest_position,
    nesting_error,
)

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_LARGE_EXPONENT = re.compile(r"[0-9][eE]\+?[0-9]{3}")


class _NotJson(ValueError):
    """A token that `json` reads and RFC 8259 does not know, as it is written."""


def load(text: str) -> Any:
    """Return the data of JSON text (RFC 8259); raises MalformedDocument."""
    is_suspicious = False

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal is_suspicious
        mapping = dict(pairs)
        is_suspicious = is_suspicious or len(mapping) != len(pairs)
        return mapping

    def whole_number(token: str) -> int:
        nonlocal is_suspicious
        is_suspicious = is_suspicious or _is_too_long(token)
        return int(token)

    def number(token: str) -> float:
        nonlocal is_suspicious
        value = float(token)
        is_suspicious = is_suspicious or len(token) > MAX_DIGITS or math.isinf(value)
        return value

    if not text.strip():
        raise MalformedDocument("this file is empty", 1, 1)
    try:
        data = json.loads(
            text,
            object_pairs_hook=members,
            parse_int=whole_number,
            parse_float=number,
            parse_constant=_no_constant,
        )
    except json.JSONDecodeError as error:
        help_text = "compare commas, quotes and brackets here and just before"
        raise MalformedDocument(
            f"this is not JSON: {error.msg}", error.lineno, error.colno, help_text
        ) from error
    except _NotJson as error:
        raise MalformedDocument(f"{error} is not a JSON value", *_position_of(text, str(error))) from error
    except RecursionError as error:
        raise nesting_error(*_position_of_depth(text)) from error
    except ValueError as error:
        raise _number_too_long(text) from error
    if is_suspicious or _SURROGATE_ESCAPE.search(text) or _is_deep(data):
        _scan_offsets(text)  # raises with the place of what was only suspected
    return data


def locate(text: str, pointer: Pointer) -> tuple[int, int]:
    """Return the line and column of the node at `pointer` (of its key, for a member of an object)."""
    return nearest_position(_index(text), pointer)


def _no_constant(name: str) -> NoReturn:
    raise _NotJson(name)


def _position_of(text: str, token: str) -> tuple[int, int]:
    offset = next((match.start() for match in _TOKEN.finditer(text) if match.group() == token), 0)
    return LineIndex(text).at(offset)


def _position_of_depth(text: str) -> tuple[int, int]:
    depth = 0
    for match in _TOKEN.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match.group(), 0)
        if depth > MAX_DEPTH:
            return LineIndex(text).at(match.start())
    return 1, 1


def _number_too_long(text: str) -> MalformedDocument:
    tokens = (match for match in _TOKEN.finditer(text) if _is_too_long(match.group()))
    offset = next((match.start() for match in tokens), 0)
    return MalformedDocument(_TOO_LONG, *LineIndex(text).at(offset))


_TOO_LONG = f"this number has more than {MAX_DIGITS} digits"


def _is_too_long(token: str) -> bool:
    digits = token.removeprefix("-")
    return len(digits) > MAX_DIGITS and digits.isdecimal()


def _is_deep(data: Any) -> bool:
    """Say whether data nests deeper than `MAX_DEPTH`, level by level so that no stack is needed."""
    level = [data] if isinstance(data, (dict, list)) else []
    depth = 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        level = [
            child
            for value in level
            for child in (value.values() if isinstance(value, dict) else value)
            if isinstance(child, (dict, list))
        ]
    return depth > MAX_DEPTH


@lru_cache(maxsize=4)
def _index(text: str) -> Mapping[Pointer, tuple[int, int]]:
    lines = LineIndex(text)
    return {pointer: lines.at(offset) for pointer, offset in _scan_offsets(text).items()}


@dataclass(slots=True)
class _Level:
    """An open object or array while scanning: the pointer to it, and the key or position that is next."""

    pointer: Pointer
    is_object: bool
    key: str | None = None
    position: int = 0

    def next_pointer(self) -> Pointer:
        """Return the pointer to the value that comes next."""
        token = self.key if self.is_object and self.key is not None else str(self.position)
        return (*self.pointer, token)


def _scan_offsets(text: str) -> dict[Pointer, int]:
    """Return the offset of every node of valid JSON; raises MalformedDocument for what `json` lets through."""
    offsets: dict[Pointer, int] = {(): 0}
    levels: list[_Level] = []
    for match in _TOKEN.finditer(text):
        token, offset = match.group(), match.start()
        problem = _token_problem(token, len(levels))
        if problem:
            raise MalformedDocument(problem, *LineIndex(text).at(offset))
        if token in "}]":
            levels.pop()
        elif token == ",":
            levels[-1].key = None
            levels[-1].position += 1
        elif token != ":":
            _note_token(text, token, offset, levels, offsets)
    return offsets


def _token_problem(token: str, depth: int) -> str:
    """Return the problem of one token, empty if it has none."""
    if token in "{[":
        return f"this nests deeper than {MAX_DEPTH} levels" if depth >= MAX_DEPTH else ""
    if token.startswith('"'):
        lone = _SURROGATE_ESCAPE.search(token) and _LONE_SURROGATE.search(json.loads(token))
        return "this text has an unpaired surrogate" if lone else ""
    if _is_too_long(token):
        return _TOO_LONG
    if _LARGE_EXPONENT.search(token) and math.isinf(float(token)):
        return f"the number {token[:40]} is larger than any that other programs can hold"
    return ""


def _note_token(
    text: str, token: str, offset: int, levels: list[_Level], offsets: dict[Pointer, int]
) -> None:
    """Note a key, or a value and the level it opens."""
    level = levels[-1] if levels else None
    if level is not None and level.is_object and level.key is None:
        level.key = json.loads(token)
        pointer = level.next_pointer()
        if pointer in offsets:
            raise MalformedDocument(
                f"the key {level.key!r} occurs twice in this object", *LineIndex(text).at(offset)
            )
        offsets[pointer] = offset
        return
    pointer = level.next_pointer() if level is not None else ()
    if level is None or not level.is_object:
        offsets[pointer] = offset
    if token in "{[":
        levels.append(_Level(pointer, token == "{"))
