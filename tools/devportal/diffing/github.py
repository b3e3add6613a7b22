"""A comparison as workflow commands of GitHub Actions: each change becomes an annotation at its line."""

from collections.abc import Iterator

from devportal.differ import Change, Verdict
from devportal.diffing.report import Report
from devportal.diffing.wording import NO_CHANGE, plain, totals, travels
from devportal.forges import workflow_command

_LEVELS = {Verdict.BREAKING: "error", Verdict.RISKY: "warning"}


def to_workflow_commands(report: Report) -> str:
    """Return one command for each change, then a line with the counts, which is none."""
    told = ", ".join(totals(report)) or NO_CHANGE
    return "".join(f"{line}\n" for line in (*_commands(report), told))


def _commands(report: Report) -> Iterator[str]:
    for change in report.listed:
        yield workflow_command(
            _level(change),
            report.sides.forge_place(change),
            title=plain(f"{change.verdict}: {change.rule}"),
            message=_message(change, report),
        )


def _level(change: Change) -> str:
    return _LEVELS.get(change.verdict, "notice") if change.counts else "notice"


def _message(change: Change, report: Report) -> str:
    where = ", ".join(filter(None, (str(change.subject), change.field, travels(change))))
    lines = [f"{plain(where)}: {plain(change.message)}"]
    if change.hint:
        lines.append(f"What to do: {plain(change.hint)}")
    if change.acknowledged is not None:
        lines.append(f"Accepted on {change.acknowledged.date}: {plain(change.acknowledged.reason)}")
    old = report.sides.old_place(change)
    if old is not None:
        lines.append(f"Old place: {plain(str(old))}")
    lines.append(f"Fingerprint: {change.fingerprint}")
    return "\n".join(lines)
