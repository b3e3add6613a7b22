"""Checks records against an earlier revision: the log only grew, and published versions are unchanged.

Each line of a log names the line before it, so a change shows unless all later lines are recomputed.
Recomputing them is caught here, by comparison with a log that the author cannot change.
"""

from collections.abc import Iterator

from devportal.catalog.audit.history import trusted_histories
from devportal.catalog.audit.lifecycle import History
from devportal.catalog.records.content import content_sha256
from devportal.catalog.records.loading import Catalog
from devportal.catalog.records.text import AnyVersion
from devportal.errors import Place
from devportal.findings import Finding, error_finding


def check_log_grew(before: bytes, now: bytes, *, name: str, base: str) -> Iterator[Finding]:
    """Yield the first line of a log that differs from the log of the revision `base`.

    `before` and `now` are the bytes of both logs, `name` is the name in messages.
    """
    base_lines, current_lines = _lines(before), _lines(now)
    index = next(
        (index for index, line in enumerate(base_lines) if current_lines[index : index + 1] != [line]), None
    )
    if index is None:
        return
    if index == len(current_lines):
        message = f"this log ends here, and {base} has {len(base_lines) - index:,} more lines"
    else:
        message = f"this line of the log is not the one that {base} has here"
    yield error_finding(
        "since-log",
        Place(file=name, line=max(min(index + 1, len(current_lines)), 1), column=1),
        message,
        f"restore the log as {base} has it, and add to it by the commands of the review only; if {base} is "
        "newer than this branch, merge it first",
    )


def _lines(log: bytes) -> list[bytes]:
    lines = log.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def published_versions(before: Catalog) -> tuple[AnyVersion, ...]:
    """Return the versions that were active with their present content, according to the log, whatever their
    state is now.
    """
    trusted = trusted_histories(before.records, before.audit)
    return tuple(
        version for version in before.records.all() if _was_published(version, trusted.get(version.ref))
    )


def _was_published(version: AnyVersion, history: History | None) -> bool:
    return (
        history is not None
        and not history.findings
        and history.activated_at is not None
        and history.pinned_sha256 == content_sha256(version.terms)
    )


def check_published_versions(before: Catalog, now: Catalog, *, name: str, base: str) -> Iterator[Finding]:
    """Yield the versions that were published in the revision `base`, and are gone or have other content."""
    current_versions = {version.ref: version for version in now.records.all()}
    for version in published_versions(before):
        current = current_versions.get(version.ref)
        if current is None:
            yield error_finding(
                "since-version",
                Place(file=name),
                f"{version.ref} was published in {base}, and no file holds it in a readable form",
                f"restore it as {base} has it: withdraw a version instead of deleting it",
            )
        elif content_sha256(current.terms) != content_sha256(version.terms):
            yield error_finding(
                "since-version",
                current.source.place("id"),
                f"the content of {version.ref}, which was published in {base}, is not the same here",
                f"restore it as {base} has it, and make the change as a new version",
            )
