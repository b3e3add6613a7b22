"""What both syntaxes share: places by pointer, and the error that names one."""

from bisect import bisect_right
from collections.abc import Mapping

from devportal.documents.pointer import Pointer

MAX_DEPTH = 250
"""The deepest nesting that is read. Real contracts stay under 60; deeper input only exhausts the stack."""


class Malformed(ValueError):
    """Text that is not the YAML or JSON that is read here, with the line and column of the fault (from 1)."""

    def __init__(self, message: str, line: int, column: int, help: str = "") -> None:  # noqa: A002
        """Take what is wrong, where, and what to do."""
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.help = help


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
