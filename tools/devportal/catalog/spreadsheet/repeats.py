"""What is wrong in many rows of a column in the same way, told once: one habit makes no thousand lines."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from devportal.errors import Place
from devportal.findings import Finding, Level

_LINES = 5


class Noted(NamedTuple):
    """A finding, and what it has in common with others of the same fault in the same column."""

    cause: tuple[str, ...]
    finding: Finding


def told_once(noted: Iterable[Noted]) -> tuple[Finding, ...]:
    """Return the findings by place: of those with one cause the ones of the first line, which name the rest.

    Where any were left out, a note at the end says how many there are in all.
    """
    by_cause: dict[tuple[str, ...], list[Finding]] = {}
    for one in sorted(noted, key=lambda one: one.finding.place):
        by_cause.setdefault(one.cause, []).append(one.finding)
    told = sorted(
        (finding for alike in by_cause.values() for finding in _told(alike)), key=lambda told: told.place
    )
    every = [finding for alike in by_cause.values() for finding in alike]
    return (*told, *([_count(every, causes=len(by_cause))] if len(told) < len(every) else ()))


def _told(alike: Sequence[Finding]) -> tuple[Finding, ...]:
    first, *others = (finding for finding in alike if finding.place.line == alike[0].place.line)
    more = sorted({finding.place.line for finding in alike} - {first.place.line})
    if not more:
        return (first, *others)
    shown = ", ".join(map(str, more[:_LINES])) + (", …" if len(more) > _LINES else "")
    rows = f"{len(more):,} more rows" if len(more) > 1 else "1 more row"
    lines = "lines" if len(more) > 1 else "line"
    return (
        replace(first, message=f"{first.message}; the same in {rows} of this column: {lines} {shown}"),
        *others,
    )


def _count(every: Sequence[Finding], *, causes: int) -> Finding:
    rows = len({finding.place.line for finding in every})
    kinds = f"{causes:,} different ones" if causes > 1 else "all the same"
    return Finding(
        rule="catalog-csv",
        level=Level.NOTE,
        place=Place(file=every[0].place.file),
        message=f"{len(every):,} faults in {rows:,} {'rows' if rows > 1 else 'row'}, {kinds}",
        help="mend each in its whole column, then read the file again",
    )
