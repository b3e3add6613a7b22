"""What both syntaxes share: places by pointer, the limit of nesting, and the error that names a place."""

from bisect import bisect_right
from collections.abc import Mapping

from devportal.documents.pointer import Pointer

MAX_DEPTH = 150
"""The deepest nesting that is read. Real contracts stay under 60; deeper input only exhausts the stack of
everything that walks the data."""

MAX_DIGITS = 300
"""The longest integer that is read, in digits: a double holds no more than 308, and other programs read
numbers as doubles."""


class Malformed(ValueError):
    """Text that is not the YAML or JSON that is read here, with the line and column of the fault (from 1)."""

    def __init__(self, message: str, line: int, column: int, help: str = "") -> None:  # noqa: A002
        """Take what is wrong, where, and what to do."""
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.help = help


def too_deep(line: int, column: int) -> Malformed:
    """Return the error for nesting beyond `MAX_DEPTH`."""
    message = f"this nests deeper than {MAX_DEPTH} levels"
    return Malformed(message, line, column, "flatten it, or split the file")


def nearest(index: Mapping[Pointer, tuple[int, int]], pointer: Pointer) -> tuple[int, int]:
    """Return the line and column of the node at `pointer` or of its nearest ancestor in the index."""
    while pointer and pointer not in index:
        pointer = pointer[:-1]
    return index.get(pointer, (1, 1))


class Lines:
    """Turns offsets of a text into lines and columns, both from 1."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        """Remember where each line starts."""
        starts = [0]
        position = text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = text.find("\n", position + 1)
        self._starts = starts

    def at(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset in code points."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
