"""A report for a terminal: in groups, the most severe first, or one line each, like a compiler."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

import click

from devportal.findings import Finding
from devportal.reporting.report import Report, ReportedResult, ResultGroup

_FIRST_USES = 3
"""How many uses are named before the rest are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """The output of the text: colours, and the width in columns, 0 for no wrapping."""

    colour: bool = False
    width: int = 0

    def style_text(self, text: str, **style: bool | str) -> str:
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
    """Return the report as text: by groups where its command has groups, else one line for each result."""
    lines = (
        _grouped_lines(report, screen)
        if report.grouped_by
        else (*map(_result_line, report.results), *report.notes)
    )
    return "".join(f"{line}\n" for line in lines)


def _result_line(result: ReportedResult) -> str:
    return str(
        Finding(
            rule=result.rule,
            level=result.level,
            place=result.place,
            message=result.message,
            help=result.help,
        )
    )


def _grouped_lines(report: Report, screen: Screen) -> Iterator[str]:
    if report.is_empty:
        yield report.empty_message
        return
    yield screen.style_text(f"{report.title} {report.version}".rstrip(), bold=True)
    yield screen.style_text(" → ".join(report.sources), dim=True)
    yield ""
    yield ", ".join(report.total_texts())
    for group in report.groups:
        yield ""
        heading = f"{group.kind.upper()} ({len(group.results):,})"
        yield f"{screen.style_text(heading, fg=group.colour, bold=True)}  {group.meaning}"
        for result in group.results:
            yield ""
            yield from _result_lines(result, group, screen)
    yield ""
    yield screen.style_text(report.outcome_text, bold=True, fg="red" if report.fails else "green")


def _result_lines(result: ReportedResult, group: ResultGroup, screen: Screen) -> Iterator[str]:
    where = " · ".join(filter(None, (result.subject, result.part, result.context)))
    mark = screen.style_text(f"{group.kind}{', accepted' if result.is_accepted else ''}", fg=group.colour)
    yield f"  {mark}  {screen.style_text(where, bold=True)}"
    yield from screen.lines(result.message, "    ")
    for label, text in _facts(result):
        first, *others = screen.lines(text, " " * 16)
        yield f"    {screen.style_text(label.ljust(12), dim=True)}{first[16:]}"
        yield from others


def _facts(result: ReportedResult) -> Iterator[tuple[str, str]]:
    if result.values:
        yield "old → new", result.values
    yield from result.places
    if uses := result.affected.first(_FIRST_USES).join_names():
        yield "used by", uses
    if result.help:
        yield "what to do", result.help
    if result.waiver is not None:
        yield "accepted", str(result.waiver)
    yield "rule", f"{result.rule}  {result.fingerprint}"
