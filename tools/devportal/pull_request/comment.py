"""The comment of a pull request: the changes with their proof, the command that accepts each, and changed pages.

Whatever comes from a contract is text in it: no markup, no mention, no link.
"""

import hashlib
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace

from devportal.differ import Verdict
from devportal.differ.output import DiffResult, diff_report
from devportal.markup import code_span
from devportal.pull_request.changed_pages import ChangedPages
from devportal.pull_request.forges import Status, StatusState
from devportal.reporting.markdown import LONGEST, fold, to_markdown
from devportal.reporting.printable import count_noun, printable_line
from devportal.reporting.report import Report, ReportedResult

MOST_CHARACTERS = 65_536
"""What a comment on GitHub has room for. GitLab has room for a million."""
_MOST_PAGES = 40
_LONGEST_PATH = 120
_MOST_FINGERPRINTS = 200
"""How many fingerprints a command line has: more belong into a policy by `devportal diff --acknowledge`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptCommand:
    """The options of `devportal accept` that a reviewer needs in this repository: those that differ from defaults."""

    options: tuple[str, ...] = ()

    def line(self, fingerprints: tuple[str, ...]) -> str:
        """Return the command line that accepts changes, with a reason to fill in."""
        return shlex.join(("devportal", "accept", *fingerprints, *self.options)) + ' --reason "…"'


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedCommit:
    """The commit that a comment is about, and where to find what it has no room for."""

    sha: str = ""
    run_url: str = ""


def comment_marker(path: str) -> str:
    """Return the hidden first line by which the comment about a contract is found again."""
    digest = hashlib.sha256(path.encode("utf-8", "backslashreplace")).hexdigest()[:16]
    return f"<!-- devportal:pull-request {digest} -->"


def review_report(result: DiffResult, accept: AcceptCommand) -> Report:
    """Return the report of a comparison in which each change that is to be reviewed has its command."""
    report = diff_report(result)
    groups = tuple(
        replace(
            group, results=tuple(_with_command(reported_result, accept) for reported_result in group.results)
        )
        for group in report.groups
    )
    return replace(report, groups=groups, outcome=unreviewed_text(result), gate_option="")


def unreviewed_text(result: DiffResult) -> str:
    """Return how many changes nobody has accepted, without a full stop."""
    severity = str(result.fail_on) if result.fail_on is Verdict.BREAKING else f"{result.fail_on} or worse"
    count = sum(map(result.makes_fail, result.comparison.changes))
    if count:
        verb = "is" if count == 1 else "are"
        return f"{count_noun(count, 'change')} {verb} {severity} and not reviewed"
    accepted = (
        f"{count_noun(result.accepted, 'change')} accepted, no other" if result.accepted else "No change"
    )
    return f"{accepted} is {severity}"


def _with_command(result: ReportedResult, accept: AcceptCommand) -> ReportedResult:
    if not result.fails:
        return result
    shared = result.shared_by.fingerprints if result.shared_by is not None else (result.fingerprint,)
    if len(shared) > _MOST_FINGERPRINTS:
        return replace(result, accept_command="devportal diff OLD NEW --acknowledge")
    return replace(result, accept_command=accept.line(shared))


def review_comment(
    result: DiffResult,
    *,
    marker: str,
    accept: AcceptCommand,
    commit: ReviewedCommit,
    pages: ChangedPages | None = None,
) -> str:
    """Return the comment about a comparison, no longer than a forge takes."""
    report = review_report(result, accept)
    after = "\n".join((*_how_to_accept(result), *_changed_pages(pages, commit), *_footer(commit)))
    room = min(LONGEST, MOST_CHARACTERS - len(marker) - len(after) - 10)
    body = to_markdown(report, longest=room)
    return _as_utf8("\n".join((marker, body, after)))


def plain_comment(
    text: str, *, marker: str, commit: ReviewedCommit, pages: ChangedPages | None = None
) -> str:
    """Return a comment without changes: a sentence of ours."""
    lines = (marker, "## API changes: none", "", text, "", *_changed_pages(pages, commit), *_footer(commit))
    return _as_utf8("\n".join(lines))


def _how_to_accept(result: DiffResult) -> Iterator[str]:
    if result.fails:
        yield "**To accept a change**, run its command on this branch, with your reason, and push the policy file."
        yield "With `--until YYYY-MM-DD` it is accepted for a time, with `--commit` the file is committed too."
        yield ""


def _changed_pages(pages: ChangedPages | None, commit: ReviewedCommit) -> Iterator[str]:
    if pages is None:
        return
    if not pages.pages:
        yield "No page of the portal changes."
        yield ""
        return
    counted = count_noun(len(pages.pages), "page")
    names = ", ".join(
        f"{code_span(_short(printable_line(page.path)))} ({page.kind})" for page in pages.pages[:_MOST_PAGES]
    )
    left = len(pages.pages) - _MOST_PAGES
    yield from fold(
        f"{counted} of the portal {'changes' if len(pages.pages) == 1 else 'change'}",
        f"{names}{f' and {left:,} more' if left > 0 else ''}",
    )
    yield ""
    if commit.run_url:
        yield "The pages before and after are in the artifacts of the run."
        yield ""


def _short(path: str) -> str:
    return path if len(path) <= _LONGEST_PATH else f"{path[: _LONGEST_PATH - 1]}…"


def _footer(commit: ReviewedCommit) -> Iterator[str]:
    parts = [f"commit {commit.sha[:12]}"] if commit.sha.isalnum() else []
    if commit.run_url and not set(commit.run_url) & set(" <>()\"'\\\n"):
        parts.append(f"[run]({commit.run_url})")
    parts.append("devportal keeps this comment up to date")
    yield f"<sub>{' · '.join(parts)}</sub>"
    yield ""


def _as_utf8(text: str) -> str:
    """Return text that can be sent: half a surrogate pair is an escape."""
    return text.encode("utf-8", "backslashreplace").decode()[:MOST_CHARACTERS]


def review_status(result: DiffResult, *, name: str) -> Status:
    """Return the status of the commit: success only if nothing that fails is left to review."""
    return Status(
        state=StatusState.FAILURE if result.fails else StatusState.SUCCESS,
        name=name,
        description=unreviewed_text(result),
    )
