"""The header of a table: which column stands where, and what is wrong with the columns."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from devportal.catalog.spreadsheet.columns import Column
from devportal.catalog.spreadsheet.table import Table


class Fault(NamedTuple):
    """What is wrong with a table: the offset of the cell, what it says, what to do, and why it may recur."""

    offset: int
    message: str
    help: str
    habit: str = ""


def places_of(table: Table, columns: Sequence[Column]) -> Mapping[Column, int]:
    """Return the place in a row of each column that the table has."""
    titles = [cell.text.strip() for cell in table.header]
    return {column: titles.index(column.name) for column in columns if column.name in titles}


def faults_of(table: Table, columns: Sequence[Column]) -> Iterator[Fault]:
    """Yield what is wrong with the columns; one without a name counts where something stands in it."""
    known = [column.name for column in columns]
    seen: set[str] = set()
    for place, cell in enumerate(table.header):
        title = cell.text.strip()
        if title in seen and title:
            yield Fault(cell.offset, f"the column {title!r} is there twice", "remove one of the two")
        elif title not in known and (title or _is_used(table, place)):
            yield _unknown(cell.offset, title, known)
        seen.add(title)
    missing = [column.name for column in columns if column.is_required and column.name not in seen]
    if missing:
        what = f"{'columns' if len(missing) > 1 else 'column'} {', '.join(map(repr, missing))}"
        help_ = f"add {'them' if len(missing) > 1 else 'it'}; a file has: {', '.join(known)}"
        message = f"the {what} {'are' if len(missing) > 1 else 'is'} missing"
        yield Fault(table.header[0].offset, message, help_)
    if not table.rows:
        yield Fault(table.header[0].offset, "there is no row below the header", "write one for each version")
    yield from _beyond(table)


def _is_used(table: Table, place: int) -> bool:
    return any(len(row) > place and row[place].text for row in table.rows)


def _unknown(offset: int, title: str, known: list[str]) -> Fault:
    if not title:
        return Fault(offset, "this column has no name", f"name it; a file has: {', '.join(known)}")
    close = get_close_matches(title.lower(), known, n=1)
    help_ = f"did you mean {close[0]!r}?" if close else f"remove it; a file has: {', '.join(known)}"
    return Fault(offset, f"the column {title!r} is not known", help_)


def _beyond(table: Table) -> Iterator[Fault]:
    """Yield the cells that stand right of the last column, as a delimiter without quotes makes them."""
    for row in table.rows:
        for cell in row[len(table.header) :]:
            if cell.text:
                help_ = "put a text that holds the delimiter between quotes"
                message = f"{cell.text[:60]!r} stands right of the last column"
                yield Fault(cell.offset, message, help_, habit="delimiter without quotes")
