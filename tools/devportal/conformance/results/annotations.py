"""A result as workflow commands of GitHub Actions: one annotation for each fault, at the promise's line."""

from collections.abc import Callable, Iterator

from devportal.conformance.results.curl import curl_command
from devportal.conformance.results.result import QUIET_STANDINGS, Result, Standing
from devportal.conformance.results.wording import (
    FailureGroup,
    failure_name,
    failure_place,
    group_failures,
    printable_text,
    status_text,
    uncounted_text,
)
from devportal.reporting import workflow_command

_MOST_OPERATIONS = 20


def to_annotations(result: Result, checkout: Callable[[str], str] = str) -> str:
    """Return a command for each fault and each warning."""
    return "".join(f"{line}\n" for line in _workflow_commands(result, checkout))


def _workflow_commands(result: Result, checkout: Callable[[str], str]) -> Iterator[str]:
    for is_red in (True, False):
        for group in group_failures(one for one in result.failures if one.fails is is_red):
            yield workflow_command(
                _annotation_level(group),
                failure_place(group.shown, result, checkout),
                title=printable_text(failure_name(group.shown)),
                message=printable_text(_annotation_message(group, result), 4000),
            )
    for one in result.warnings:
        yield workflow_command(
            "error" if one.gates else "warning",
            failure_place(None, result, checkout),
            title=one.kind,
            message=printable_text(f"{one.message} ({', '.join(one.subjects)})", 4000),
        )


def _annotation_level(group: FailureGroup) -> str:
    if group.shown.fails:
        return "error"
    quiet = (*QUIET_STANDINGS, Standing.KNOWN)
    return "notice" if group.shown.standing in quiet else "warning"


def _annotation_message(group: FailureGroup, result: Result) -> str:
    first = group.shown
    named, more = group.operations[:_MOST_OPERATIONS], len(group.operations) - _MOST_OPERATIONS
    where = ", ".join(named) or "the whole run"
    lines = [f"{where}{f' and {more} more operations' if more > 0 else ''}: {first.message}"]
    if first.exchange is not None:
        lines.append(f"Came back: {status_text(first.exchange.status)}")
    lines += [f"Reproduce: {curl_command(one.request)}" for one in first.evidence]
    if not first.fails:
        lines.append(f"Not counted: {uncounted_text(first)}")
    return "\n".join([*lines, f"Seed {result.seed}, fingerprint {first.fingerprint}"])
