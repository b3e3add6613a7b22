"""JSON Pointers (RFC 6901) as tuples of tokens, and places by pointer."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple
from urllib.parse import unquote

Pointer = tuple[str, ...]
"""The unescaped tokens from the root of a document to a node; array positions are decimal digits."""


def parse_pointer(text: str) -> Pointer:
    """Return the tokens of a pointer such as `/paths/~1v1~1messages` or the fragment `#/paths/%7B`.

    Raises ValueError if the text is not empty and does not start with `/` (RFC 6901 §3, §6).
    """
    plain = unquote(text[1:]) if text.startswith("#") else text
    if not plain:
        return ()
    if not plain.startswith("/"):
        raise ValueError(f"a JSON Pointer starts with '/', this one does not: {text!r}")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in plain[1:].split("/"))


def value_at(document: Any, pointer: str) -> Any:
    """Return the value at a pointer, None if there is none."""
    for name in parse_pointer(pointer):
        if isinstance(document, dict):
            document = document.get(name)
        elif isinstance(document, list) and name.isdecimal() and int(name) < len(document):
            document = document[int(name)]
        else:
            return None
    return document


def as_mapping(value: Any) -> dict[str, Any]:
    """Return a value of a document if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def member_at(value: Any, names: Iterable[str]) -> Any:
    """Return the member that names of members lead to, None if they lead nowhere. Elements of arrays have no names."""
    for name in names:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def with_member_at(value: Any, names: Sequence[str], member: Any) -> Any:
    """Return a value with another member where names lead to; objects in between are made."""
    if not names:
        return member
    members = dict(value) if isinstance(value, Mapping) else {}
    members[names[0]] = with_member_at(members.get(names[0]), names[1:], member)
    return members


def with_value(document: Any, pointer: str, value: Any) -> Any:
    """Return a copy of a document with another value at a pointer; missing objects on the path are created."""
    return _with_value(document, parse_pointer(pointer), value)


def _with_value(document: Any, pointer: Pointer, value: Any) -> Any:
    if not pointer or not isinstance(document, dict):
        return value
    name, *rest = pointer
    return {**document, name: _with_value(document.get(name, {}), tuple(rest), value)}


def format_pointer(pointer: Pointer) -> str:
    """Return the pointer as text, escaped as RFC 6901 §3 says; the root is the empty text."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in pointer)


def child(pointer: Pointer, *tokens: str | int) -> Pointer:
    """Return the pointer to a node below `pointer`."""
    return (*pointer, *(str(token) for token in tokens))


MAX_DEPTH = 150
"""The deepest nesting that is read. Real contracts stay under 60; deeper input only exhausts the stack of
everything that walks the data."""

MAX_DIGITS = 300
"""The longest integer that is read, in digits: a double holds no more than 308, and other programs read
numbers as doubles."""

_BLOCK_LENGTH = 1 << 14
"""How many code points of a text are searched for the ends of lines in one go."""


class MalformedDocument(ValueError):
    """Text that is not supported YAML or JSON, with the line and column of the problem (from 1)."""

    def __init__(self, message: str, line: int, column: int, help: str = "") -> None:  # noqa: A002
        """Take the problem, its position, and the advice."""
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.help = help


class RepeatedKey(NamedTuple):
    """A key that occurs again in the same mapping, with the line and column of the later one (from 1)."""

    name: str
    line: int
    column: int


class ParsedText(NamedTuple):
    """The data of a text, and the keys that are repeated in it, if that is allowed: the last one counts."""

    data: Any
    repeated_keys: tuple[RepeatedKey, ...] = ()


def nesting_error(line: int, column: int) -> MalformedDocument:
    """Return the error for nesting beyond `MAX_DEPTH`."""
    message = f"this nests deeper than {MAX_DEPTH} levels"
    return MalformedDocument(message, line, column, "flatten it, or split the file")


def nearest_position(index: Mapping[Pointer, tuple[int, int]], pointer: Pointer) -> tuple[int, int]:
    """Return the line and column of the node at `pointer` or of its nearest ancestor in the index."""
    while pointer and pointer not in index:
        pointer = pointer[:-1]
    return index.get(pointer, (1, 1))


class LineIndex:
    """Turns offsets of a text into lines and columns, both from 1.

    Lines are counted once for each block of the text, and within a block when one of its places is asked for: large
    contracts have hundreds of thousands of lines, and few places that messages name.
    """

    __slots__ = ("_lines", "_newlines", "_text")

    def __init__(self, text: str) -> None:
        """Remember, for the start of each block, how many lines end before it and where the last one does."""
        blocks = range(0, len(text), _BLOCK_LENGTH)
        self._text = text
        self._lines = [0, *accumulate(text.count("\n", start, start + _BLOCK_LENGTH) for start in blocks)]
        last_newlines = (text.rfind("\n", start, start + _BLOCK_LENGTH) for start in blocks)
        self._newlines = [-1, *accumulate(last_newlines, max)]

    def at(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset in code points."""
        block = offset // _BLOCK_LENGTH
        start = block * _BLOCK_LENGTH
        newline = max(self._newlines[block], self._text.rfind("\n", start, offset))
        return self._lines[block] + self._text.count("\n", start, offset) + 1, offset - newline
