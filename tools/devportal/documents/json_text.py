"""JSON text to data, and the place of each node. Stricter than `json`: no duplicate keys, no NaN, no lone
surrogates, no number beyond what others can hold, no bottomless nesting."""

import json
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple, NoReturn

from devportal.documents.pointer import (
    MAX_DEPTH,
    MAX_DIGITS,
    LineIndex,
    MalformedDocument,
    ParsedText,
    Pointer,
    RepeatedKey,
    nesting_error,
)

_TOKEN = re.compile(r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_UNPAIRED_SURROGATE = re.compile(
    r"\\u[dD](?:[89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..\\u[dD])[c-fC-F]|(?<=\\\\u[dD])[89abAB])"
)
"""The escape of half of a surrogate pair without the other, or what may be it: behind `\\\\` it is not an escape."""
_SPACES, _COLON, _COMMA = re.compile(r"\s*"), re.compile(r"\s*:\s*"), re.compile(r"\s*,?\s*")
_DECODER = json.JSONDecoder()
_SKIPPING_DECODER = json.JSONDecoder(object_pairs_hook=bool)
"""Reads values without keeping what is in their objects: that takes half of the time."""
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_YAML_KEY = re.compile(r"(?>(?:#.*\n|\s|---)*)([\w$-]+):\s")
"""How a file in YAML starts: with comments, and a key without quotes."""
_LARGE_EXPONENT = re.compile(r"[0-9][eE]\+?[0-9]{3}")


class _NotJson(ValueError):
    """A token that `json` reads and RFC 8259 does not know, as it is written."""


def load(text: str, *, allow_repeated_keys: bool = False) -> ParsedText:
    """Return the data of JSON text (RFC 8259). Raises MalformedDocument."""
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
        why, advice = _syntax_error(text, error)
        raise MalformedDocument(f"this is not JSON: {why}", error.lineno, error.colno, advice) from error
    except _NotJson as error:
        raise MalformedDocument(
            f"{error} is not a JSON value", *_position_of(text, str(error)), "write a number, or null"
        ) from error
    except RecursionError as error:
        raise nesting_error(*_position_of_depth(text)) from error
    except ValueError as error:
        raise _number_too_long(text) from error
    if is_suspicious or _UNPAIRED_SURROGATE.search(text) or _is_deep(data):
        # raises with the place of what was only suspected
        return ParsedText(data, tuple(_check_tokens(text, allow_repeated_keys=allow_repeated_keys)))
    return ParsedText(data)


def locate(text: str, pointer: Pointer) -> tuple[int, int]:
    """Return the line and column of the node at `pointer` (of its key, for a member of an object)."""
    return _node_places(text).at(pointer)


def _syntax_error(text: str, error: json.JSONDecodeError) -> tuple[str, str]:
    """Return what is wrong and what to do about it. What other readers of JSON allow is named."""
    if first_key := _YAML_KEY.match(text):
        return f"it starts with '{first_key[1]}:'", "if it is YAML, give it the ending .yaml"
    rest = text[error.pos : error.pos + 2]
    is_at_end = not text[error.pos :].strip()
    before = text[: error.pos].rstrip()
    if is_at_end:
        return "the file ends too early", "close each quote and bracket that is open, or get the whole file"
    if rest[0] in "}]" and before.endswith(","):
        return f"a comma precedes this {rest[0]!r}", "remove the comma"
    if rest in ("//", "/*") or rest[0] == "#":
        return "JSON has no comments", "remove the comment"
    if rest[0] == "'":
        return "text is between double quotes in JSON", "write \" in place of '"
    if error.msg.startswith("Expecting ',' delimiter"):
        return "a comma or a bracket is missing before this", "add it"
    return error.msg, "compare commas, quotes and brackets here and just before"


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
    return _with_advice(_TOO_LONG, *LineIndex(text).at(offset))


_TOO_LONG = f"this number has more than {MAX_DIGITS} digits"
_TOO_DEEP = f"this nests deeper than {MAX_DEPTH} levels"
_TOO_LARGE = "the number "
_LONE_HALF = "this text has an unpaired surrogate"
_ADVICE = {
    _TOO_LONG: "write it as text",
    _TOO_LARGE: "write it as text",
    _TOO_DEEP: "flatten it, or split the file",
    _LONE_HALF: "write the character itself, or both escapes of its pair",
}
_KEY_ADVICE = "keep one of the two"


def _with_advice(problem: str, line: int, column: int) -> MalformedDocument:
    """Return the error for a problem of a token or a key."""
    advice = next((text for beginning, text in _ADVICE.items() if problem.startswith(beginning)), _KEY_ADVICE)
    return MalformedDocument(problem, line, column, advice)


def _is_too_long(token: str) -> bool:
    digits = token.removeprefix("-")
    return len(digits) > MAX_DIGITS and digits.isdecimal()


def _is_deep(data: Any) -> bool:
    """Say whether data nests deeper than `MAX_DEPTH`, level by level so that no stack is needed."""
    level = [data] if type(data) in _CONTAINERS else []
    depth = 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        level = [
            child
            for value in level
            for child in (value.values() if type(value) is dict else value)
            if type(child) in _CONTAINERS
        ]
    return depth > MAX_DEPTH


_CONTAINERS = frozenset({dict, list})
"""What `json` makes of objects and arrays, exactly: a look into a set is faster than a question for subclasses."""


@lru_cache(maxsize=4)
def _node_places(text: str) -> "_NodePlaces":
    return _NodePlaces(text)


class _NodePlaces:
    """The places of the nodes of valid JSON.

    The members of an object or array are looked for when one of them is first asked for, and what lies inside
    the others is skipped by the parser of `json`: the whole text is never walked in Python.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = LineIndex(text)
        self._members: dict[int, dict[str, _Member]] = {}

    def at(self, pointer: Pointer) -> tuple[int, int]:
        """Return the line and column of the node at a pointer, or of its nearest ancestor that exists."""
        start = _skip(_SPACES, self._text, 0)
        node = _Member(start, start)
        for token in pointer:
            member = self._members_of(node.value).get(token)
            if member is None:
                break
            node = member
        return self._lines.at(node.start)

    def _members_of(self, offset: int) -> "dict[str, _Member]":
        """Return the members of the object or array at an offset, by their tokens in a pointer."""
        if offset not in self._members:
            self._members[offset] = dict(_members(self._text, offset))
        return self._members[offset]


class _Member(NamedTuple):
    """The offset of a member of an object, which is that of its key, or of an item; and of its value."""

    start: int
    value: int


def _members(text: str, offset: int) -> Iterator[tuple[str, _Member]]:
    """Yield the members of the object or array at an offset; a scalar has none."""
    if text[offset] not in "{[":
        return
    is_object = text[offset] == "{"
    start = _skip(_SPACES, text, offset + 1)
    for position in count():
        if text[start] in "}]":
            return
        token, value = str(position), start
        if is_object:
            token, end = _DECODER.raw_decode(text, start)
            value = _skip(_COLON, text, end)
        yield token, _Member(start, value)
        _, end = _SKIPPING_DECODER.raw_decode(text, value)
        start = _skip(_COMMA, text, end)


def _skip(pattern: re.Pattern[str], text: str, offset: int) -> int:
    """Return the offset behind what a pattern matches, which may be nothing."""
    match = pattern.match(text, offset)
    return match.end() if match else offset


def _check_tokens(text: str, *, allow_repeated_keys: bool) -> Iterator[RepeatedKey]:
    """Raise MalformedDocument, with its place, for what `json` lets through in text that it can read, or yield
    the repeated keys if they are allowed.
    """
    lines = LineIndex(text)
    open_keys: list[set[str] | None] = []  # those so far of each object around a token; None for an array
    previous = ""
    for match in _TOKEN.finditer(text):
        token = match.group()
        keys = open_keys[-1] if open_keys else None
        problem = _token_problem(token, len(open_keys))
        if not problem and keys is not None and previous in ("{", ",") and token.startswith('"'):
            problem = _key_problem(token, keys)
            if problem and allow_repeated_keys:
                yield RepeatedKey(json.loads(token), *lines.at(match.start()))
                problem = ""
        if problem:
            raise _with_advice(problem, *lines.at(match.start()))
        if token in "{[":
            open_keys.append(set() if token == "{" else None)
        elif token in "}]":
            open_keys.pop()
        previous = token


def _token_problem(token: str, depth: int) -> str:
    """Return the problem of one token, empty if it has none."""
    if token in "{[":
        return _TOO_DEEP if depth >= MAX_DEPTH else ""
    if token.startswith('"'):
        lone = _SURROGATE_ESCAPE.search(token) and _LONE_SURROGATE.search(json.loads(token))
        return _LONE_HALF if lone else ""
    if _is_too_long(token):
        return _TOO_LONG
    if _LARGE_EXPONENT.search(token) and math.isinf(float(token)):
        return f"{_TOO_LARGE}{token[:40]} is larger than any that other programs can hold"
    return ""


def _key_problem(token: str, keys: set[str]) -> str:
    """Return the problem of a key, empty if it is new, and add it to the others of its object."""
    key = json.loads(token)
    if key in keys:
        return f"the key {key!r} occurs twice in this object"
    keys.add(key)
    return ""
