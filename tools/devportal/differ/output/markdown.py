"""A comparison as Markdown for the comment of a pull request. Nothing of the contracts is read as markup."""

import re
from collections.abc import Iterator

from devportal.differ import Change, SubjectKind, Verdict
from devportal.differ.output.report import Report
from devportal.differ.output.wording import (
    NO_CHANGE,
    VERDICT_MEANINGS,
    affected_uses,
    count_with_noun,
    direction_text,
    escape_for_terminal,
    file_pair,
    format_old_and_new,
    gate_outcome,
    verdict_totals,
    version_pair,
)
from devportal.markup import code_span, escape_markdown

LONGEST = 60_000
"""The most code points: a comment on GitHub has room for 65,536."""
_MOST_OPEN = 20
"""How many changes of a verdict stand open; more are folded."""
_FEW_USERS = 3
_MOST_USERS = 50
_VERDICT_MARKS = {
    Verdict.BREAKING: "🔴",
    Verdict.RISKY: "🟠",
    Verdict.COMPATIBLE: "🟢",
    Verdict.LIFECYCLE: "🔵",
    Verdict.DOCUMENTATION: "⚪",
}
_UNFOLDED_VERDICTS = frozenset({Verdict.BREAKING, Verdict.RISKY})
_ACTIVE_MARKUP = re.compile(r"@(?=\w)|#(?=\w)|://|\b(?:www|WWW)\.|\b[Gg][Hh]-(?=\d)|\|")
"""What a forge makes a mention, a reference or a link of, and what ends the cell of a table."""


def to_markdown(report: Report) -> str:
    """Return the comparison as Markdown that fits a comment; what does not fit is counted."""
    old, new = map(code_span, file_pair(report))
    name = _escape_text(escape_for_terminal(f"{report.sides.title} {version_pair(report)}".rstrip()))
    lines = [
        f"## API changes: {', '.join(verdict_totals(report)) or 'none'}",
        "",
        f"**{name}**: {old} → {new}",
        "",
    ]
    if not report.comparison.changes:
        return "\n".join((*lines, NO_CHANGE, ""))
    lines += [gate_outcome(report), ""]
    room = LONGEST - sum(len(line) + 1 for line in lines)
    return "\n".join((*lines, *_sections(report, room)))


def _sections(report: Report, room: int) -> Iterator[str]:
    """Yield the sections; none is cut within a change, and folds are closed whatever is left out."""
    left_out = 0
    for verdict, changes in report.groups():
        is_open = verdict in _UNFOLDED_VERDICTS and len(changes) <= _MOST_OPEN
        heading = f"{_VERDICT_MARKS[verdict]} {verdict.capitalize()} ({len(changes):,})"
        head, foot = (
            ((f"### {heading}", "", VERDICT_MEANINGS[verdict], ""), ("",))
            if is_open
            else (
                (f"<details><summary><b>{heading}</b> {VERDICT_MEANINGS[verdict]}</summary>", ""),
                ("", "</details>", ""),
            )
        )
        room -= sum(len(line) + 1 for line in (*head, *foot))
        items: list[str] = []
        for change in changes:
            item = _change_item(change, report)
            room -= len(item) + 1
            if room < _LAST_LINE:
                left_out += len(changes) - len(items)
                break
            items.append(item)
        if items:
            yield from (*head, *items, *foot)
    if left_out:
        yield f"… and {count_with_noun(left_out, 'more change')}: see the other formats for all of them."
        yield ""


_LAST_LINE = 200
"""Room for the line that counts what is left out."""


def _change_item(change: Change, report: Report) -> str:
    lines = [f"- {_change_heading(change)}: {_escape_text(escape_for_terminal(change.message))}"]
    if told := format_old_and_new(change):
        lines.append(code_span(told))
    if change.hint:
        lines.append(f"**What to do:** {_escape_text(escape_for_terminal(change.hint))}")
    if change.acknowledged is not None:
        accepted = change.acknowledged
        lines.append(f"**Accepted on {accepted.date}:** {_escape_text(escape_for_terminal(accepted.reason))}")
    place = code_span(escape_for_terminal(str(report.sides.place(change))))
    lines.append(f"<sub>{place} · {code_span(change.rule)} · {code_span(change.fingerprint)}</sub>")
    return "  \n  ".join((*lines, *_used_by(change)))


def _change_heading(change: Change) -> str:
    name = _format_subject(change)
    parts = [
        f"**{name}**",
        code_span(escape_for_terminal(change.field)) if change.field else "",
        direction_text(change),
    ]
    return ", ".join(filter(None, parts))


def _format_subject(change: Change) -> str:
    if change.subject.kind is SubjectKind.DOCUMENT:
        return str(change.subject)
    kind = str(change.subject).removesuffix(change.subject.name).strip()
    return f"{_escape_text(escape_for_terminal(kind))} {code_span(escape_for_terminal(change.subject.name))}".strip()


def _used_by(change: Change) -> Iterator[str]:
    """Yield who is reached by a change: on the line if they are few, folded if they are more."""
    reached = affected_uses(change, _MOST_USERS)
    if 0 < reached.count <= _FEW_USERS:
        yield f"<sub>used by {reached.listed(code_span)}</sub>"
    elif reached.count:
        yield f"<details><summary>used by {reached.count:,} operations and events</summary>"
        yield ""
        yield reached.listed(code_span)
        yield "</details>"


def _escape_text(text: str) -> str:
    """Return text in which nothing is markup, a mention or a link."""
    return _ACTIVE_MARKUP.sub(_escape_match, escape_markdown(text))


def _escape_match(match: re.Match[str]) -> str:
    found = match.group()
    if found == "|":
        return "\\|"
    if found == "://":
        return "&#58;//"
    return f"{found[:-1]}&#46;" if found.endswith(".") else f"{found}&#8203;"
