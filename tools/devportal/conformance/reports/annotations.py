"""A result as workflow commands of GitHub Actions: one annotation for each fault, at the promise's line."""

from collections.abc import Callable, Iterator

from devportal.conformance.reports.curl import curl
from devportal.conformance.reports.grouping import Group, grouped, name_of
from devportal.conformance.reports.places import place_of
from devportal.conformance.reports.standings import uncounted_text
from devportal.conformance.reports.text import shown, status_text
from devportal.conformance.result import QUIET, Result, Standing
from devportal.forges import workflow_command

_MOST_OPERATIONS = 20


def to_annotations(result: Result, checkout: Callable[[str], str] = str) -> str:
    """Return a command for each fault and each warning."""
    return "".join(f"{line}\n" for line in _commands(result, checkout))


def _commands(result: Result, checkout: Callable[[str], str]) -> Iterator[str]:
    for is_red in (True, False):
        for group in grouped(one for one in result.failures if one.fails is is_red):
            yield workflow_command(
                _level(group),
                place_of(group.shown, result, checkout),
                title=shown(name_of(group.shown)),
                message=shown(_message(group, result), 4000),
            )
    for one in result.warnings:
        yield workflow_command(
            "error" if one.gates else "warning",
            place_of(None, result, checkout),
            title=one.kind,
            message=shown(f"{one.message} ({', '.join(one.subjects)})", 4000),
        )


def _level(group: Group) -> str:
    if group.shown.fails:
        return "error"
    quiet = (*QUIET, Standing.KNOWN)
    return "notice" if group.shown.standing in quiet else "warning"


def _message(group: Group, result: Result) -> str:
    first = group.shown
    named, more = group.operations[:_MOST_OPERATIONS], len(group.operations) - _MOST_OPERATIONS
    where = ", ".join(named) or "the whole run"
    lines = [f"{where}{f' and {more} more operations' if more > 0 else ''}: {first.message}"]
    if first.exchange is not None:
        lines.append(f"Came back: {status_text(first.exchange.status)}")
    lines += [f"Reproduce: {curl(one.request)}" for one in first.evidence]
    if not first.fails:
        lines.append(f"Not counted: {uncounted_text(first)}")
    return "\n".join([*lines, f"Seed {result.seed}, fingerprint {first.fingerprint}"])
