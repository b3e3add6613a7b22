"""What the contract says at a place, as its author wrote it, for reports to quote."""

from collections.abc import Sequence

from devportal.contract import Contract
from devportal.errors import Place

MOST_LINES = 5
LONGEST_LINE = 160
"""Code points of a line that are quoted; a contract on one line is quoted from the place on."""


class PromiseLines:
    """The lines of a contract's files."""

    def __init__(self, contract: Contract) -> None:
        """Take the contract; its files are divided into lines when one is asked for."""
        self._texts = {one.name: one.text for one in contract.source.documents().values()}
        self._lines: dict[str, Sequence[str]] = {}

    def at(self, place: Place | None) -> str:
        """Return the line of a place and those that belong to it, without their common indentation.

        Empty where there is no place, or it is a whole file.
        """
        if place is None or not place.line or place.file not in self._texts:
            return ""
        lines = self._of(place.file)[place.line - 1 :]
        if not lines:
            return ""
        first = lines[0]
        if len(first) > LONGEST_LINE and place.column > 1:
            return _cut_line(first[place.column - 1 :].rstrip())
        return "\n".join(_quote_block(lines))

    def _of(self, file: str) -> Sequence[str]:
        if file not in self._lines:
            self._lines[file] = self._texts[file].replace("\r\n", "\n").split("\n")
        return self._lines[file]


def _quote_block(lines: Sequence[str]) -> list[str]:
    indent = _indentation(lines[0])
    quoted = [_cut_line(lines[0].strip())]
    for line in lines[1:]:
        if not line.strip() or _indentation(line) <= indent:
            break
        if len(quoted) == MOST_LINES:
            return [*quoted, "…"]
        quoted.append(_cut_line(line[indent:].rstrip()))
    return quoted


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _cut_line(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"
