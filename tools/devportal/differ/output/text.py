"""A comparison for a terminal: what breaks comes first, each change with all that is needed to judge it."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

import click

from devportal.differ import Change, Verdict
from devportal.differ.output.report import Report
from devportal.differ.output.wording import (
    NO_CHANGE,
    VERDICT_MEANINGS,
    affected_uses,
    direction_text,
    escape_for_terminal,
    file_pair,
    format_old_and_new,
    gate_outcome,
    verdict_totals,
    version_pair,
)

_FIRST_USERS = 3
"""How many operations are named before the rest are counted."""
_COLOURS = {
    Verdict.BREAKING: "red",
    Verdict.RISKY: "yellow",
    Verdict.COMPATIBLE: "green",
    Verdict.LIFECYCLE: "cyan",
    Verdict.DOCUMENTATION: "magenta",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What the text is for: `width` in columns, 0 where no line is to be broken."""

    colour: bool = False
    width: int = 0

    def styled(self, text: str, **style: bool | str) -> str:
        """Return text in a style, if there are any."""
        return click.style(text, **style) if self.colour else text  # type: ignore[arg-type]  # names of click

    def lines(self, text: str, indent: str) -> list[str]:
        """Return text as indented lines that fit."""
        if not self.width:
            return [indent + text]
        width = max(self.width, len(indent) + 20)
        return textwrap.wrap(
            text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )


_FILE = Screen()


def to_text(report: Report, screen: Screen = _FILE) -> str:
    """Return the comparison as text."""
    return "".join(f"{line}\n" for line in _lines(report, screen))


def _lines(report: Report, screen: Screen) -> Iterator[str]:
    old, new = file_pair(report)
    if not report.comparison.changes:
        yield NO_CHANGE
        return
    yield screen.styled(
        escape_for_terminal(f"{report.sides.title} {version_pair(report)}").rstrip(), bold=True
    )
    yield screen.styled(f"{old} → {new}", dim=True)
    yield ""
    yield ", ".join(verdict_totals(report))
    for verdict, changes in report.groups():
        yield ""
        heading = f"{verdict.upper()} ({len(changes):,})"
        yield f"{screen.styled(heading, fg=_COLOURS[verdict], bold=True)}  {VERDICT_MEANINGS[verdict]}"
        for change in changes:
            yield ""
            yield from _change(change, report, screen)
    yield ""
    yield screen.styled(gate_outcome(report), bold=True, fg="red" if report.fails else "green")


def _change(change: Change, report: Report, screen: Screen) -> Iterator[str]:
    where = " · ".join(filter(None, (str(change.subject), change.field, direction_text(change))))
    accepted = "" if change.counts else ", accepted"
    mark = screen.styled(f"{change.verdict}{accepted}", fg=_COLOURS[change.verdict])
    yield f"  {mark}  {screen.styled(escape_for_terminal(where), bold=True)}"
    yield from screen.lines(escape_for_terminal(change.message), "    ")
    for label, text in _facts(change, report):
        first, *others = screen.lines(text, " " * 16)
        yield f"    {screen.styled(label.ljust(12), dim=True)}{first[16:]}"
        yield from others


def _facts(change: Change, report: Report) -> Iterator[tuple[str, str]]:
    if told := format_old_and_new(change):
        yield "old → new", told
    old, new = report.sides.old_place(change), report.sides.new_place(change)
    if old is not None:
        yield "old", escape_for_terminal(str(old))
    if new is not None:
        yield "new", escape_for_terminal(str(new))
    if told := affected_uses(change, _FIRST_USERS).listed():
        yield "used by", told
    if change.hint:
        yield "what to do", escape_for_terminal(change.hint)
    if change.acknowledged is not None:
        yield "accepted", escape_for_terminal(f"{change.acknowledged.date}: {change.acknowledged.reason}")
    yield "rule", f"{change.rule}  {change.fingerprint}"
