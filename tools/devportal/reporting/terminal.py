"""A report for a terminal: in groups, the most severe first, or one line each, like a compiler."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import click

from devportal.findings import Finding, describe_findings
from devportal.reporting.printable import count_noun, printable_line
from devportal.reporting.report import Report, ReportedResult, ResultGroup

_FIRST_USES = 3
"""How many uses are named before the rest are counted."""
_LONGEST_USE = 60
"""How much of a use is shown: paths through schemas can be long."""
_FIRST_RULES = 3
_RESERVED_LINES = 8
"""How many lines a group keeps if the more severe groups before it do not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """The output of the text: colours, and how much fits.

    `width` is in columns, 0 for no wrapping; `height` is how many lines results may take, 0 for all of them.
    """

    colour: bool = False
    width: int = 0
    height: int = 0

    def style_text(self, text: str, **style: bool | str) -> str:
        """Return text in a style, if there are any."""
        return click.style(text, **style) if self.colour and text else text  # type: ignore[arg-type]  # names of click

    def lines(self, text: str, indent: str) -> list[str]:
        """Return text as indented lines that fit."""
        if not self.width:
            return [indent + text]
        width = max(self.width, len(indent) + 20)
        lines = textwrap.wrap(
            text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
        return lines or [indent]


_FILE = Screen()


def to_text(report: Report, screen: Screen = _FILE) -> str:
    """Return the report as text: by groups where its command has groups, else one line for each result."""
    lines = (
        _grouped_lines(report, screen)
        if report.grouped_by
        else (*describe_findings(map(_finding_of, report.results)), *report.notes)
    )
    return "".join(f"{line}\n" for line in lines)


def _finding_of(result: ReportedResult) -> Finding:
    return Finding(
        rule=result.rule,
        level=result.level,
        place=result.place,
        message=result.message,
        help=result.help,
        other_places=result.other_places,
    )


def _grouped_lines(report: Report, screen: Screen) -> Iterator[str]:
    if report.is_empty:
        yield report.empty_message
        return
    yield screen.style_text(f"{report.title} {report.version}".rstrip(), bold=True)
    yield screen.style_text(" → ".join(report.sources), dim=True)
    yield ""
    yield ", ".join(report.total_texts())
    hidden = 0
    for group, shown in _fit_groups(report, screen):
        yield ""
        counted = group.lines_text(report.noun) or f"{group.count:,}"
        heading = screen.style_text(f"{group.kind.upper()} ({counted})", fg=group.colour, bold=True)
        yield f"{heading}  {group.meaning}"
        yield from chain.from_iterable(shown)
        left = group.results[len(shown) :]
        hidden += sum(reported_result.count for reported_result in left)
        yield from _left_out_lines(left, report, screen, is_first=not shown)
    yield ""
    yield screen.style_text(report.outcome_text, bold=True, fg="red" if report.fails else "green")
    if hidden:
        total = sum(group.count for group in report.groups)
        yield f"{total - hidden:,} of {count_noun(total, report.noun)} listed. {report.more_hint}"


_Entry = tuple[str, ...]


def _fit_groups(report: Report, screen: Screen) -> Iterator[tuple[ResultGroup, tuple[_Entry, ...]]]:
    """Yield each group with the lines of its first results, as many as there is room for.

    If not all results fit, the first ones have all their facts, up to half of the room, and the next ones
    their sentence alone. Each later group keeps a little room.
    """
    whole = [tuple(_entries(group, screen, is_brief=False)) for group in report.groups]
    if not screen.height or sum(map(len, chain.from_iterable(whole))) <= screen.height:
        yield from zip(report.groups, whole, strict=True)
        return
    room, whole_room = screen.height, screen.height // 2
    for number, (group, entries) in enumerate(zip(report.groups, whole, strict=True), start=1):
        group_room = room - (len(whole) - number) * _RESERVED_LINES
        shown = _first_fitting(entries, min(whole_room, group_room))
        used = sum(map(len, shown))
        if len(shown) < len(entries):
            brief = tuple(_entries(group, screen, is_brief=True))[len(shown) :]
            shown += _first_fitting(brief, group_room - used)
            whole_room = 0
        whole_room -= used
        room -= sum(map(len, shown))
        yield group, shown


def _first_fitting(entries: Sequence[_Entry], room: int) -> tuple[_Entry, ...]:
    ends = accumulate(map(len, entries))
    return tuple(entries[: sum(1 for end in ends if end <= room)])


def _left_out_lines(
    left: Sequence[ReportedResult], report: Report, screen: Screen, *, is_first: bool
) -> Iterator[str]:
    """Yield how many results a group has besides those that are shown, and of which rules."""
    if not left:
        return
    rules: Counter[str] = Counter()
    for reported_result in left:
        rules[reported_result.rule] += reported_result.count
    first = rules.most_common(_FIRST_RULES)
    named = [f"{count:,} {rule}" for rule, count in first]
    if others := rules.total() - sum(count for _, count in first):
        named.append(f"{others:,} of other rules")
    noun = report.noun if is_first else f"more {report.noun}"
    yield ""
    yield from screen.lines(f"… {count_noun(rules.total(), noun)}: {', '.join(named)}", "  ")


def _entries(group: ResultGroup, screen: Screen, *, is_brief: bool) -> Iterator[_Entry]:
    """Yield the lines of each result, below a heading where its subject is another than before."""
    before = ""
    for result in group.results:
        heading = _heading(result)
        is_new = heading != before or result.shared_by is not None
        head = _heading_lines(result, heading, screen) if is_new else ()
        yield (*head, *_result_lines(result, screen, is_brief=is_brief))
        before = heading


def _heading(result: ReportedResult) -> str:
    """Return the heading of a result, nothing if its sentence begins with its subject."""
    if result.shared_by is not None:
        return f"{result.where}: {result.shared_by.first_subjects.join_names()}"
    return "" if _names_its_subject(result) else result.subject


def _names_its_subject(result: ReportedResult) -> bool:
    return bool(result.subject_name) and result.message.startswith(f'"{result.subject_name}" ')


def _heading_lines(result: ReportedResult, heading: str, screen: Screen) -> _Entry:
    """Return an empty line and the heading; of many subjects, what they share is bold, and not their names."""
    if not heading:
        return ("",)
    bold = len(heading) if result.shared_by is None else len(result.where)
    return ("", *_bold_beginning(screen.lines(heading, "  "), bold, screen))


def _bold_beginning(lines: Sequence[str], length: int, screen: Screen) -> Iterator[str]:
    """Yield lines that are indented by two columns, the beginning of the first one bold."""
    first, *others = lines
    yield f"  {screen.style_text(first[2 : 2 + length], bold=True)}{first[2 + length :]}"
    yield from others


def _result_lines(result: ReportedResult, screen: Screen, *, is_brief: bool) -> Iterator[str]:
    accepted = ", accepted" if result.is_accepted else ""
    sentence = _sentence(result)
    if is_brief:
        sentence += f" ({printable_line(str(result.place))}{accepted})"
    if _names_its_subject(result):
        yield from _bold_beginning(screen.lines(sentence, "  "), len(result.subject_name), screen)
    else:
        yield from screen.lines(sentence, "    ")
    if is_brief:
        return
    facts = tuple(_facts(result))
    width = max((len(label) for label, _ in facts), default=0)
    for label, text in facts:
        yield from _fact_lines(label, text, width, screen)
    yield from (screen.style_text(line, dim=True) for line in screen.lines(_reference(result), "      "))


def _sentence(result: ReportedResult) -> str:
    if _names_its_subject(result):
        return result.message.replace(f'"{result.subject_name}"', result.subject_name, 1)
    where = ", ".join(filter(None, (result.part, result.context))) if result.shared_by is None else ""
    return f"{where}: {result.message}" if where else result.message


def _fact_lines(label: str, text: str, width: int, screen: Screen) -> Iterator[str]:
    """Yield a fact with its label in a column; a sentence without a label has the whole line."""
    column = f"{label.ljust(width)}  " if label else ""
    indent = " " * (6 + len(column))
    first, *others = screen.lines(text, indent)
    yield f"      {screen.style_text(column, dim=True)}{first[len(indent) :]}"
    yield from others


def _facts(result: ReportedResult) -> Iterator[tuple[str, str]]:
    if result.evidence is not None:
        yield from result.evidence.facts
    if result.values:
        yield "old → new", result.values
    if uses := result.affected.first(_FIRST_USES).join_names(_shorten_use):
        yield "used by", uses
    if result.help:
        yield "what to do", result.help
    if result.waiver is not None:
        yield "accepted", str(result.waiver)


def _shorten_use(name: str) -> str:
    return name if len(name) <= _LONGEST_USE else f"{name[: _LONGEST_USE - 1]}…"


def _reference(result: ReportedResult) -> str:
    """Return what finds the result again: its place now and before, its rule and its fingerprint."""
    place, before = printable_line(str(result.place)), dict(result.places).get("old", "")
    was = f" (was {before})" if before not in ("", place) else ""
    shared = f"{result.count:,} fingerprints in --format json" if result.shared_by is not None else ""
    return "  ".join(filter(None, (f"{place}{was}", result.rule, shared or result.fingerprint)))
