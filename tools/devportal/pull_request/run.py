"""Reviews the contract of a pull request: compares, writes reports, keeps the comment, sets the status."""

import datetime as dt
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from devportal.differ.commands.default_base import DEFAULT_BRANCHES, old_contract
from devportal.differ.commands.project_inputs import DEFAULT_POLICY, is_default_contract, project_policy
from devportal.differ.commands.run import DiffOptions, compare_inputs
from devportal.differ.output import DiffResult
from devportal.errors import InvalidSettings, PortalError
from devportal.git import run_git
from devportal.pull_request.changed_pages import ChangedPages, compare_sites, write_changed_pages
from devportal.pull_request.comment import (
    AcceptCommand,
    ReviewedCommit,
    comment_marker,
    plain_comment,
    review_comment,
    review_report,
    review_status,
)
from devportal.pull_request.forges import (
    Forge,
    PullRequest,
    Status,
    StatusState,
    forge_of_job,
    github_pull_request,
    gitlab_merge_request,
    keep_comment,
)
from devportal.reporting import checkout_path, github_workspace
from devportal.reporting.options import FormatOptions
from devportal.reporting.output import print_text, write_report
from devportal.reporting.printable import printable_line


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestOptions:
    """The options of `devportal pull-request`."""

    old: str | None
    new: str
    policy: Path | None
    fail_on: str
    formats: FormatOptions
    site_before: Path | None
    site_after: Path | None
    pages_output: Path | None
    is_dry_run: bool
    today: dt.date
    allow_outside_references: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The comment and the status of a pull request. The comment is begun only if it `is_needed`."""

    marker: str
    comment: str
    status: Status
    is_needed: bool
    exit_code: int


def run_pull_request(options: PullRequestOptions) -> int:
    """Review, print and send; return the exit code. Raises PortalError."""
    forge = None if options.is_dry_run else forge_of_job(os.environ)
    request = forge.pull_request if forge is not None else _request_if_any(os.environ)
    review = _review(options, request)
    if forge is None:
        print_text(
            f"{review.comment}\nStatus {review.status.name}: {review.status.state}, {_description(review)}\n"
        )
    else:
        _send(forge, review)
        print_text(f"Status {review.status.name}: {review.status.state}, {_description(review)}\n")
    return review.exit_code


def _description(review: Review) -> str:
    return printable_line(review.status.description)


def _request_if_any(variables: Mapping[str, str]) -> PullRequest | None:
    """Return the pull request of the job, None if there is none."""
    try:
        return (
            gitlab_merge_request(variables) if variables.get("GITLAB_CI") else github_pull_request(variables)
        )
    except PortalError:
        return None


def _send(forge: Forge, review: Review) -> None:
    """Keep the comment and set the status: also if the comment fails, as nothing unreviewed must pass."""
    try:
        comment = keep_comment(forge, review.marker, review.comment, is_needed=review.is_needed)
    except PortalError:
        forge.set_status(review.status, forge.pull_request.run_url)
        raise
    url = comment.url if comment is not None else ""
    forge.set_status(review.status, url or forge.pull_request.run_url)


def _review(options: PullRequestOptions, request: PullRequest | None) -> Review:
    path = printable_line(checkout_path(options.new, workspace=github_workspace()))
    marker, name = comment_marker(path), f"API changes: {path}"
    commit = ReviewedCommit(sha=request.sha if request else "", run_url=request.run_url if request else "")
    old = options.old if options.old is not None else _default_old(options.new, request)
    if old is None:
        text = "The contract is new: nothing can break for clients."
        return Review(
            marker=marker,
            comment=plain_comment(text, marker=marker, commit=commit),
            status=Status(state=StatusState.SUCCESS, name=name, description="The contract is new"),
            is_needed=False,
            exit_code=0,
        )
    result = _compare(options, old)
    if result is None:
        text = (
            "**The contracts could not be compared.** The log of the job lists every problem with its place."
        )
        return Review(
            marker=marker,
            comment=plain_comment(text, marker=marker, commit=commit).replace(
                "changes: none", "changes: unknown", 1
            ),
            status=Status(
                state=StatusState.ERROR, name=name, description="The contracts could not be compared"
            ),
            is_needed=True,
            exit_code=2,
        )
    accept = AcceptCommand(options=tuple(_accept_options(options, request)))
    if _prints_report(options):
        write_report(review_report(result, accept), options.formats)
    pages = _pages(options)
    return Review(
        marker=marker,
        comment=_comment(result, marker, accept, commit, pages),
        status=review_status(result, name=name),
        is_needed=bool(result.comparison.changes) or bool(pages and pages.pages),
        exit_code=1 if result.fails else 0,
    )


def _prints_report(options: PullRequestOptions) -> bool:
    """Return whether a report is wanted beside the comment: with --dry-run, the comment alone is printed."""
    return not options.is_dry_run or bool(options.formats.files) or options.formats.output is not None


def _comment(
    result: DiffResult, marker: str, accept: AcceptCommand, commit: ReviewedCommit, pages: ChangedPages | None
) -> str:
    if not result.comparison.changes:
        text = (
            "This pull request changes nothing in the parts of the contract that could be read. "
            "The log of the job names the others."
            if result.has_unread_parts
            else "This pull request does not change the contract."
        )
        return plain_comment(text, marker=marker, commit=commit, pages=pages)
    return review_comment(result, marker=marker, accept=accept, commit=commit, pages=pages)


def _default_old(new: str, request: PullRequest | None) -> str | None:
    """Return the contract as it is where the branch began, under the name that it had there; None if the branch
    added it. Raises InvalidSettings for a file that git does not know.
    """
    branches = (request.base,) if request is not None and request.base else DEFAULT_BRANCHES
    old = old_contract(new, branches=branches)
    if run_git("cat-file", "-e", old) is not None or not Path(new).exists():
        return old
    base, _, path = old.partition(":./")
    status, *names = _changed_names(base).get(os.path.normpath(path), ("",))
    if status == "A":
        return None
    if names:
        return f"{base}:./{names[0]}"
    raise InvalidSettings(
        f"git has no {new!r}, neither here nor at {base}, so nothing can be compared with it",
        help="name the contract that clients have with --old",
    )


def _changed_names(base: str) -> dict[str, tuple[str, ...]]:
    """Return what the branch did to files below the working folder, by their names now: the letter that git has
    for it, and the name before if there was another.
    """
    changes = run_git("diff", "--name-status", "--find-renames", "--relative", "-z", base, "HEAD") or b""
    fields = iter(changes.decode("utf-8", "surrogateescape").split("\0"))
    found: dict[str, tuple[str, ...]] = {}
    for status in fields:
        if status[:1] in ("R", "C"):
            before, now = next(fields), next(fields)
            found[now] = (status[:1], before)
        elif status:
            found[next(fields)] = (status,)
    return found


def _compare(options: PullRequestOptions, old: str) -> DiffResult | None:
    return compare_inputs(
        DiffOptions(
            old=old,
            new=options.new,
            fail_on=options.fail_on,
            formats=options.formats,
            verdicts=(),
            lists_all=False,
            policy=options.policy,
            today=options.today,
            allow_outside_references=options.allow_outside_references,
        )
    )


def _accept_options(options: PullRequestOptions, request: PullRequest | None) -> list[str]:
    """Return what a reviewer has to add to `devportal accept` to compare the same contracts."""
    found: list[str] = []
    if options.old is not None:
        found += ["--old", options.old]
    elif request is not None and request.target:
        found += ["--old", f"origin/{request.target}:./{options.new}"]
    if not is_default_contract(options.new):
        found += ["--new", options.new]
    if options.policy not in (None, project_policy(options.new) or DEFAULT_POLICY):
        found += ["--policy", str(options.policy)]
    return found


def _pages(options: PullRequestOptions) -> ChangedPages | None:
    if options.site_before is None or options.site_after is None:
        return None
    pages = compare_sites(options.site_before, options.site_after)
    if options.pages_output is not None:
        write_changed_pages(pages, options.site_before, options.site_after, options.pages_output)
    return pages
