"""A report as Markdown for the comment of a pull request. Nothing of what was checked is read as markup."""

import re
from collections.abc import Iterator

from devportal.markup import code_span, escape_markdown
from devportal.reporting.printable import count_noun, printable_line
from devportal.reporting.report import Report, ReportedResult, ResultGroup

LONGEST = 60_000
"""The most code points: a comment on GitHub has room for 65,536."""
_MOST_OPEN = 20
"""How many results of a group are expanded; more are collapsed."""
_FEW_USES = 3
_MOST_USES = 50
_LAST_LINE = 200
"""Room for the line that counts what is left out."""
_ACTIVE_MARKUP = re.compile(r"@(?=\w)|#(?=\w)|://|\b(?:www|WWW)\.|\b[Gg][Hh]-(?=\d)|\|")
"""What a forge makes a mention, a reference or a link of, and what ends the cell of a table."""


def to_markdown(report: Report) -> str:
    """Return the report as Markdown that fits a comment; what does not fit is counted."""
    name = _escape_text(f"{report.title} {report.version}".rstrip())
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
    room = LONGEST - sum(len(line) + 1 for line in lines)
    return "\n".join((*lines, *_sections(report, room)))


def _sections(report: Report, room: int) -> Iterator[str]:
    """Yield the sections; none is cut within a result, and folds are closed whatever is left out."""
    left_out = 0
    for group in report.result_groups():
        head, foot = _group_frame(group)
        room -= sum(len(line) + 1 for line in (*head, *foot))
        items: list[str] = []
        for result in group.results:
            item = _result_item(result)
            room -= len(item) + 1
            if room < _LAST_LINE:
                left_out += len(group.results) - len(items)
                break
            items.append(item)
        if items:
            yield from (*head, *items, *foot)
    if left_out:
        yield f"… and {count_noun(left_out, f'more {report.noun}')}: see the other formats for all of them."
        yield ""


def _group_frame(group: ResultGroup) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines before and after the results of a group: a fold where they need not be read."""
    heading = f"{group.mark} {group.kind.capitalize()} ({len(group.results):,})".lstrip()
    if group.is_open and len(group.results) <= _MOST_OPEN:
        meaning = (group.meaning, "") if group.meaning else ()
        return (f"### {heading}", "", *meaning), ("",)
    summary = f"<b>{heading}</b> {group.meaning}".rstrip()
    return (f"<details><summary>{summary}</summary>", ""), ("", "</details>", "")


def _result_item(result: ReportedResult) -> str:
    lines = [f"- {_result_heading(result)}: {_escape_text(result.message)}"]
    if result.values:
        lines.append(code_span(result.values))
    if result.help:
        lines.append(f"**What to do:** {_escape_text(result.help)}")
    if result.waiver is not None:
        lines.append(f"**{result.waiver.label}:** {_escape_text(result.waiver.reason)}")
    lines += [f"**Reproduce:** {code_span(one)}" for one in result.commands]
    names = (str(result.place), result.rule, result.fingerprint)
    lines.append(f"<sub>{' · '.join(code_span(printable_line(one)) for one in names if one)}</sub>")
    return "  \n  ".join((*lines, *_used_by(result)))


def _result_heading(result: ReportedResult) -> str:
    parts = [
        f"**{_format_subject(result)}**",
        code_span(result.part) if result.part else "",
        result.context,
    ]
    return ", ".join(filter(None, parts))


def _format_subject(result: ReportedResult) -> str:
    if not result.subject_name:
        return _escape_text(result.subject or result.rule)
    kind = result.subject.removesuffix(result.subject_name).strip()
    return f"{_escape_text(kind)} {code_span(result.subject_name)}".strip()


def _used_by(result: ReportedResult) -> Iterator[str]:
    """Yield who is reached by a result: on the line if they are few, folded if they are more."""
    reached = result.affected.first(_MOST_USES)
    if 0 < reached.count <= _FEW_USES:
        yield f"<sub>used by {reached.join_names(code_span)}</sub>"
    elif reached.count:
        yield f"<details><summary>used by {reached.count:,} operations and events</summary>"
        yield ""
        yield reached.join_names(code_span)
        yield "</details>"


def _escape_text(text: str) -> str:
    """Return text in which nothing is markup, a mention or a link."""
    return _ACTIVE_MARKUP.sub(_escape_match, escape_markdown(" ".join(text.split())))


def _escape_match(match: re.Match[str]) -> str:
    found = match.group()
    if found == "|":
        return "\\|"
    if found == "://":
        return "&#58;//"
    return f"{found[:-1]}&#46;" if found.endswith(".") else f"{found}&#8203;"
