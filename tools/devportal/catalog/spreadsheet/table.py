"""A CSV file (RFC 4180) as rows of cells that know where they stand, as spreadsheets everywhere write them.

Cells are parted by commas, semicolons or tabs, whichever the first line has most of; lines may end in any
way; `sep=;` may stand before the header, and a byte order mark before everything.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from devportal.documents.pointer import LineIndex
from devportal.errors import Place, UnreadableInput

_HINT = re.compile(r"sep=(.)(?:\r\n|\n|\r)", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\n|\r")
_QUOTED = re.compile(r'"((?:[^"]++|"")*+)"')


class Cell(NamedTuple):
    """The text of a cell, its quotes taken off, and the offset in the file at which it starts."""

    text: str
    offset: int


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A header and the rows below it; a row in which nothing is written is left out."""

    header: Row
    rows: tuple[Row, ...]


def parse_table(text: str, *, name: str) -> Table:
    """Return the cells of a file that messages call `name`; raises UnreadableInput for wrong quotes."""
    start, delimiter = _start(text)
    plain = re.compile(rf"[^{re.escape(delimiter)}\r\n]*+")
    rows: list[Row] = []
    cells: list[Cell] = []
    position = start
    while True:
        cell, position = _cell(text, position, plain, name)
        cells.append(cell)
        if text.startswith(delimiter, position):
            position += 1
            continue
        rows.append(tuple(cells))
        cells = []
        line_end = _LINE_END.match(text, position)
        if line_end is None and position < len(text):
            raise _wrong_quote(text, position, name)
        if line_end is None or line_end.end() == len(text):
            break
        position = line_end.end()
    written = [row for row in rows[1:] if any(cell.text for cell in row)]
    return Table(header=rows[0], rows=tuple(written))


def _start(text: str) -> tuple[int, str]:
    """Return where the header starts, and what parts the cells."""
    start = 1 if text.startswith("\ufeff") else 0
    if hint := _HINT.match(text, start):
        return hint.end(), hint.group(1)
    first = _LINE_END.split(text[start:], maxsplit=1)[0]
    return start, max(",;\t", key=first.count)


def _cell(text: str, position: int, plain: re.Pattern[str], name: str) -> tuple[Cell, int]:
    """Return the cell that starts at a position, and where it ends."""
    if text.startswith('"', position):
        quoted = _QUOTED.match(text, position)
        if quoted is None:
            raise _wrong_quote(text, position, name)
        return Cell(quoted.group(1).replace('""', '"'), position), quoted.end()
    found = plain.match(text, position)
    end = found.end() if found else position
    return Cell(text[position:end], position), end


def _wrong_quote(text: str, position: int, name: str) -> UnreadableInput:
    line, column = LineIndex(text).at(position)
    found = text[position : position + 20]
    is_open = found.startswith('"')
    return UnreadableInput(
        f"this quote is never closed: {found!r}"
        if is_open
        else f"text goes on after a closing quote: {found!r}",
        place=Place(file=name, line=line, column=column),
        help='put the whole cell between two ", and write each " inside it twice',
    )
