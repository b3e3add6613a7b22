"""A report as Markdown for the comment of a pull request. Nothing of what was checked is read as markup."""

import re
from collections.abc import Iterator
from itertools import accumulate
from textwrap import indent

from devportal.markup import code_block, code_span, escape_markdown
from devportal.reporting.printable import capitalise, count_noun, printable_line
from devportal.reporting.report import Evidence, Report, ReportedResult, ResultGroup, SharedSubjects

LONGEST = 60_000
"""The most code points: a comment on GitHub has room for 65,536."""
_MOST_OPEN = 20
"""How many results of a group are expanded; more are collapsed."""
_FEW_USES = 3
_MOST_USES = 50
_FEW_NAMES = 8
"""How many names a fold has in a group of many results."""
_RESERVED = 6_000
"""Room that each group keeps if the groups before it do not fit, in code points."""
_LAST_LINE = 200
"""Room for the line that counts what is left out."""
_LONG_COMMAND = 240
"""Code points of a command line that is collapsed."""
_ACTIVE_MARKUP = re.compile(
    r"@(?=\w)|#(?=\w)|://|\b(?:www|WWW)\.|\b[Gg][Hh]-(?=\d)|\||[!$](?=\d)|[~%](?=[\w\"])|&amp;(?=\d)"
)
"""What a forge makes a mention, a reference or a link of, and what ends the cell of a table.

GitLab finds references in the text that is left when Markdown is read, so a backslash before them does not help.
"""


def to_markdown(report: Report, *, longest: int = LONGEST) -> str:
    """Return the report as Markdown that fits a comment, in code points; what does not fit is counted."""
    name = escape_text(f"{report.title} {report.version}".rstrip())
    sources = f": {' → '.join(map(code_span, report.sources))}" if report.sources else ""
    lines = [
        f"## {report.heading}: {', '.join(report.total_texts()) or report.empty_total}",
        "",
        f"**{name}**{sources}",
        "",
    ]
    if report.is_empty:
        return "\n".join((*lines, report.empty_message, ""))
    lines += [report.outcome_text, ""]
    room = longest - sum(len(line) + 1 for line in lines)
    return "\n".join((*lines, *_sections(report, room)))


def _sections(report: Report, room: int) -> Iterator[str]:
    """Yield the sections; none is cut within a result, and folds are closed whatever is left out.

    Each section leaves a little room to those after it.
    """
    left_out = 0
    groups = report.result_groups()
    for later, group in zip(reversed(range(len(groups))), groups, strict=True):
        head, foot = _group_frame(group, report.noun)
        room -= sum(len(line) + 1 for line in (*head, *foot))
        items = _fitting_items(group, room - _LAST_LINE - later * _RESERVED)
        room -= sum(len(item) + 1 for item in items)
        left_out += sum(result.count for result in group.results[len(items) :])
        if items:
            yield from (*head, *items, *foot)
    if left_out:
        yield f"… and {count_noun(left_out, f'more {report.noun}')}: see the other formats for all of them."
        yield ""


def _fitting_items(group: ResultGroup, room: int) -> tuple[str, ...]:
    """Return the first results of a group that fit; if they are many, with few names each."""
    most = _MOST_USES if len(group.results) <= _MOST_OPEN else _FEW_NAMES
    items = tuple(_result_item(result, most) for result in group.results)
    ends = accumulate(len(item) + 1 for item in items)
    return items[: sum(1 for end in ends if end <= room)]


def _group_frame(group: ResultGroup, noun: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines before and after the results of a group: a fold where they need not be read."""
    counted = group.lines_text(noun) or f"{group.count:,}"
    heading = f"{group.mark} {group.kind.capitalize()} ({counted})".lstrip()
    if group.is_open and len(group.results) <= _MOST_OPEN:
        meaning = (group.meaning, "") if group.meaning else ()
        return (f"### {heading}", "", *meaning), ("",)
    summary = f"<b>{heading}</b> {group.meaning}".rstrip()
    return (f"<details><summary>{summary}</summary>", ""), ("", "</details>", "")


def _result_item(result: ReportedResult, most_names: int) -> str:
    lines = [f"- {_result_heading(result)}: {escape_text(result.message)}"]
    if result.evidence is not None:
        lines += _evidence_lines(result.evidence)
    if result.values:
        lines.append(code_span(result.values))
    if result.help:
        lines.append(f"**What to do:** {escape_text(result.help)}")
    if result.waiver is not None:
        lines.append(f"**{result.waiver.label}:** {escape_text(result.waiver.reason)}")
    lines += [_reproduce_text(command) for command in result.commands]
    if len(result.accept_command) > _LONG_COMMAND:
        lines += fold("Accept them", code_span(result.accept_command))
    elif result.accept_command:
        lines.append(f"**Accept:** {code_span(result.accept_command)}")
    names = (str(result.place), result.rule, "" if result.shared_by is not None else result.fingerprint)
    lines.append(f"<sub>{' · '.join(code_span(printable_line(name)) for name in names if name)}</sub>")
    return "  \n  ".join((*lines, *_all_subjects(result, most_names), *_used_by(result, most_names)))


def _reproduce_text(command: str) -> str:
    """Return a command in its line, and a script in a separate block within the list item."""
    if "\n" not in command:
        return f"**Reproduce:** {code_span(command)}"
    return f"**Reproduce:**\n\n{indent(code_block(command, language='bash'), '  ')}\n"


def _evidence_lines(evidence: Evidence) -> Iterator[str]:
    """Yield the facts; the message, which is the first of two, as code."""
    for number, (label, text) in enumerate(evidence.facts):
        written = code_span(text) if evidence.message and number == 0 else escape_text(text)
        yield f"**{escape_text(capitalise(label))}:** {written}" if label else capitalise(written)


def _result_heading(result: ReportedResult) -> str:
    if result.shared_by is not None:
        return _shared_heading(result, result.shared_by)
    parts = [
        f"**{_format_subject(result)}**",
        code_span(result.part) if result.part else "",
        result.context,
    ]
    return ", ".join(filter(None, parts))


def _shared_heading(result: ReportedResult, shared: SharedSubjects) -> str:
    """Return what many subjects share, and the first of them by name."""
    counted = f"**{escape_text(shared.subjects.count_text)}**"
    where = f"{code_span(result.part)} {shared.relation} {counted}" if result.part else counted
    names = shared.first_subjects.join_names(code_span)
    return f"{', '.join(filter(None, (where, result.context)))} ({names})"


def _all_subjects(result: ReportedResult, most: int) -> Iterator[str]:
    """Yield a fold with the names that the heading has no room for."""
    if result.shared_by is None:
        return
    subjects = result.shared_by.subjects.first(most)
    if result.shared_by.is_abridged:
        yield from fold(escape_text(subjects.count_text), subjects.join_names(code_span))


def fold(summary: str, text: str) -> Iterator[str]:
    """Yield the lines of a collapsed text; both are Markdown."""
    yield f"<details><summary>{summary}</summary>"
    yield ""
    yield text
    yield "</details>"


def _format_subject(result: ReportedResult) -> str:
    if not result.subject_name:
        return escape_text(result.subject or result.rule)
    kind = result.subject.removesuffix(result.subject_name).strip()
    return f"{escape_text(kind)} {code_span(result.subject_name)}".strip()


def _used_by(result: ReportedResult, most: int) -> Iterator[str]:
    """Yield who is reached by a result: on the line if they are few, folded if they are more."""
    reached = result.affected.first(most)
    if 0 < reached.count <= _FEW_USES:
        yield f"<sub>used by {reached.join_names(code_span)}</sub>"
    elif reached.count:
        yield from fold(f"used by {reached.count_text}", reached.join_names(code_span))


def escape_text(text: str) -> str:
    """Return text in which nothing is markup, a mention or a link."""
    return _ACTIVE_MARKUP.sub(_escape_match, escape_markdown(" ".join(text.split())))


def _escape_match(match: re.Match[str]) -> str:
    found = match.group()
    if found == "|":
        return "\\|"
    if found == "://":
        return "&#58;//"
    return f"{found[:-1]}&#46;" if found.endswith(".") else f"{found}&#8203;"
