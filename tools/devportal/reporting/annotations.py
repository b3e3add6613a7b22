"""A report as workflow commands of GitHub Actions: each result is an annotation at its line."""

from collections.abc import Iterator

from devportal.errors import Place
from devportal.findings import Level
from devportal.reporting.report import Report, ReportedResult

_IN_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = _IN_MESSAGE | {":": "%3A", ",": "%2C"}
"""Characters with a meaning in workflow commands (github.com/actions/toolkit, `command.ts`)."""


def to_annotations(report: Report) -> str:
    """Return a command for each result, the most severe group first, then a plain line with the counts."""
    last = ", ".join(report.total_texts()) or report.empty_message
    return "".join(f"{line}\n" for line in (*annotation_commands(report), *([last] if last else [])))


def annotation_commands(report: Report) -> Iterator[str]:
    """Yield a workflow command for each result."""
    for group in report.result_groups():
        for result in group.results:
            yield workflow_command(
                _annotation_level(result),
                result.forge_place,
                title=result.title or result.rule,
                message=result.details or result.message,
            )


def _annotation_level(result: ReportedResult) -> str:
    return "notice" if result.is_accepted or result.level is Level.NOTE else str(result.level)


def workflow_command(level: str, place: Place, *, title: str, message: str) -> str:
    """Return the command; `level` is `error`, `warning` or `notice`."""
    properties = {"file": place.file}
    if place.line:
        properties |= {"line": str(place.line), "col": str(place.column)}
    properties["title"] = title
    written = ",".join(f"{name}={_escape(text, _IN_PROPERTY)}" for name, text in properties.items())
    return f"::{level} {written}::{_escape(message, _IN_MESSAGE)}"


def _escape(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(each, each) for each in text)
