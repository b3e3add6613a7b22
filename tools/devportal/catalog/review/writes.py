"""The commands that write: each takes the selected versions through one step of the review."""

import difflib
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import click

from devportal.catalog import content_sha256
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, State
from devportal.catalog.book.book import Book
from devportal.catalog.records.text import AnyVersion
from devportal.catalog.records.version_ref import RecordRef
from devportal.catalog.records.window import Terms
from devportal.catalog.review.differences import differences, summary_cells
from devportal.catalog.review.folder import (
    OpenFolder,
    drafts_unknown_to_log,
    findings_at,
    open_for_reading,
    open_for_writing,
)
from devportal.catalog.review.importing import import_rows, read_csv_versions
from devportal.catalog.review.lock import write_lock
from devportal.catalog.review.options import Selection
from devportal.catalog.review.queries import print_no_match, public_terms, utc_now
from devportal.catalog.review.selection import Denied, apply_to_each
from devportal.catalog.review.showing import print_differences, print_summary
from devportal.catalog.review.steps import ReviewSession, due_versions, lateness_warnings, print_warnings
from devportal.errors import InvalidSettings, RefusedWrite
from devportal.findings import Finding
from devportal.reporting.printable import escape_unprintable


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRequest:
    """A write: the selected versions, the folder, and the actor."""

    selection: Selection
    records: Path
    actor: str
    reason: str
    dry_run: bool


ReviewStep = Callable[[ReviewSession, AnyVersion], object]


def take_step(request: WriteRequest, action: Action, step: ReviewStep, *, due: bool = False) -> None:
    """Apply a step to versions, all or those that are due, in one write, and print the result."""
    result = apply_step(request, action, step, save=not request.dry_run, due=due)
    if result is not None:
        _print_result(result, dry_run=request.dry_run)


def draft(request: WriteRequest) -> None:
    """Record hand-written or changed drafts in the audit log. For editors."""
    take_step(request, Action.CREATE, lambda review, version: review.draft(version))


def submit(request: WriteRequest) -> None:
    """Submit drafts for approval. For editors.

    Unrecorded drafts are recorded first. Warns if the first day leaves no time for an approval.
    """
    late: list[str] = []

    def step(review: ReviewSession, version: AnyVersion) -> None:
        review.submit(version)
        late.extend(lateness_warnings(version, review.opened.at.date()))

    take_step(request, Action.SUBMIT, step)
    print_warnings(late)


def reject(request: WriteRequest) -> None:
    """Send submitted versions back to their editors. For approvers."""
    take_step(request, Action.REJECT, lambda review, version: review.reject(version))


def revise(request: WriteRequest) -> None:
    """Make rejected versions drafts again. For editors."""
    take_step(request, Action.REVISE, lambda review, version: review.revise(version))


def activate(request: WriteRequest, *, due: bool) -> None:
    """Activate approved versions: public from their first day on, replacing the previous version.

    For publishers. The previous version is superseded in the same write, so a version can be activated
    from its first day on, not before. With --due, versions whose day has not come are skipped, so you
    can run the command every day.
    """
    take_step(request, Action.ACTIVATE, lambda review, version: review.activate(version), due=due)


def withdraw(request: WriteRequest) -> None:
    """Withdraw approved or active versions: they are no longer public. For publishers."""
    take_step(request, Action.WITHDRAW, lambda review, version: review.withdraw(version))


def import_versions(request: WriteRequest, *, file: Path) -> None:
    """Import versions from a CSV file written by 'export': new ones become drafts, drafts change.

    For editors. Unchanged rows have no effect. A row without a status or note leaves them as they are.
    Anything else is rejected, and then nothing is imported.
    """
    with _hold_folder(request) as review:
        review.opened.require_sound(except_for=drafts_unknown_to_log(review.opened))
        rows = read_csv_versions(file, request.selection.kind, review.opened.catalog.records.book)
        changed = import_rows(review, request.selection.kind, rows)
        late = [line for row in changed for line in lateness_warnings(row, review.opened.at.date())]
        result = _save_or_preview(review, save=not request.dry_run)
    if unchanged_count := len(rows) - len(changed):
        click.echo(f"{unchanged_count:,} of {len(rows):,} rows change nothing.", err=True)
    _print_result(result, dry_run=request.dry_run)
    print_warnings(late)


def recover(records: Path) -> None:
    """Finish an interrupted write, so that records and audit log agree.

    Commands that only read, such as 'check' and 'build', report an interrupted write and change
    nothing; other commands that write finish it too. Files that were changed since, and links, are
    rejected.
    """
    with write_lock(records) as finished:
        for path in finished:
            click.echo(escape_unprintable((records / path).as_posix()))
    if not finished:
        click.echo(f"No write was interrupted in {records.as_posix()}: there is nothing to finish.", err=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteResult:
    """The result of a command's steps: lines to print, and the change as a patch."""

    lines: Sequence[str]
    patch: Sequence[str]


def apply_step(
    request: WriteRequest, action: Action, step: ReviewStep, *, save: bool, due: bool = False
) -> WriteResult | None:
    """Apply a step to the versions, and save it or not; None if there was no version."""
    with _hold_folder(request) as review:
        versions = _select_versions(request.selection, review.opened, action)
        if due and versions:
            versions = due_versions(versions, review.opened.at.date())
        review.opened.require_sound(except_for=_tolerated_findings(review.opened, action, versions))
        if not versions:
            return None
        review.require_role(action, versions)
        apply_to_each(versions, lambda version: step(review, version))
        return _save_or_preview(review, save=save)


@contextmanager
def _hold_folder(request: WriteRequest) -> Iterator[ReviewSession]:
    """Hold the folder, exclusively unless it is a dry run. A denied attempt is added to the log."""
    hold = open_for_reading if request.dry_run else open_for_writing
    with hold(request.records, utc_now) as folder:
        review = ReviewSession(folder, actor=request.actor, reason=request.reason)
        try:
            yield review
        except Denied as denied:
            if not request.dry_run:
                folder.write((), [review.denial(denied)])
            raise


def _save_or_preview(review: ReviewSession, *, save: bool) -> WriteResult:
    """Return the result of the steps, saved or as a preview."""
    if not save:
        return WriteResult(lines=tuple(_transition_lines(review)), patch=tuple(_patch_lines(review)))
    if review.entries:
        review.save()
    return WriteResult(lines=tuple(_transition_lines(review)), patch=())


def _select_versions(selection: Selection, opened: OpenFolder, action: Action) -> Sequence[AnyVersion]:
    """Return the versions to write to. A choice without a state selects the versions that the step can start
    from.
    """
    if not selection.names and not selection.choice:
        raise InvalidSettings(
            "no version is named or chosen",
            help="name versions, such as no-parcel@2, or choose them with --state or --market",
        )
    choice = selection.choice
    if choice and not choice.states:
        starts = frozenset(state for state in TRANSITIONS[action].sources if state is not None)
        selection = replace(selection, choice=replace(choice, states=starts or frozenset({State.DRAFT})))
    versions = selection.select(opened.catalog.records)
    if not versions:
        print_no_match(selection)
    return versions


def _tolerated_findings(
    opened: OpenFolder, action: Action, versions: Sequence[AnyVersion]
) -> frozenset[Finding]:
    """Return the findings that do not prevent a write: new drafts, and changes that a revision is about to
    allow.
    """
    tolerated = drafts_unknown_to_log(opened)
    if action is Action.REVISE:
        changed = (version.source.place("id") for version in versions if version.status is State.REJECTED)
        tolerated |= findings_at(opened, "catalog-content", changed)
    return tolerated


def _transition_lines(review: ReviewSession) -> Iterator[str]:
    for entry in review.entries:
        yield f"{entry.record}: {entry.from_state or 'nothing'} → {entry.to_state}"


def _patch_lines(review: ReviewSession) -> Iterator[str]:
    """Yield the lines of a patch with all changes."""
    for change in review.changes():
        name = f"{review.opened.name}/{change.path}"
        before = (change.before or b"").decode().splitlines()
        yield from difflib.unified_diff(before, change.after.decode().splitlines(), name, name, lineterm="")
    if review.entries:
        name = f"{review.opened.name}/audit.jsonl"
        yield from (f"--- {name}", f"+++ {name}", "@@ at the end @@")
        yield from (f"+{entry.line()}" for entry in review.entries)


def _print_result(result: WriteResult, *, dry_run: bool) -> None:
    if not result.lines:
        click.echo("There is nothing to write: the audit log knows all of it.", err=True)
    for line in result.patch if dry_run else result.lines:
        click.echo(escape_unprintable(line))
    if dry_run:
        click.echo("This was a dry run: nothing was written.", err=True)


_MIN_HASH_DIGITS = 12
"""How many digits of a hash the user has to repeat."""


def approve(request: WriteRequest, *, contents: Sequence[str]) -> None:
    """Approve versions that somebody else submitted, after reading them. For approvers.

    Shows how they differ from the public versions, and asks for their content hash, or for a yes on a
    terminal. You cannot approve your own versions, or versions whose first day has passed.
    """
    digests: dict[RecordRef, str] = {}
    public: dict[str, Terms] = {}
    versions: list[AnyVersion] = []
    book: Book | None = None

    def collect_version(review: ReviewSession, version: AnyVersion) -> None:
        nonlocal book
        if book is None:
            book = review.opened.catalog.records.book
            catalog, today = review.opened.catalog, review.opened.at.date()
            public.update(public_terms(catalog, request.selection.kind, today))
        sha256 = content_sha256(version.terms)
        review.approve(version, read_sha256=sha256)
        digests[version.ref] = sha256
        versions.append(version)

    if apply_step(request, Action.APPROVE, collect_version, save=False) is None or book is None:
        return
    _print_versions(versions, digests, public, book)
    read_digests = digests if request.dry_run and not contents else _confirmed_digests(digests, contents)
    take_step(
        request,
        Action.APPROVE,
        lambda review, version: review.approve(version, read_sha256=read_digests.get(version.ref, "")),
    )


def _print_versions(
    versions: Sequence[AnyVersion],
    digests: Mapping[RecordRef, str],
    public: Mapping[str, Terms],
    book: Book,
) -> None:
    """Print what an approval approves to standard error: one version in full, several in a line each."""
    if len(versions) > 1:
        lines = [
            (
                summary_cells(public.get(version.terms.id), version.terms, book),
                digests[version.ref][:_MIN_HASH_DIGITS],
            )
            for version in versions
        ]
        print_summary([(*short, sha256) for short, sha256 in lines])
        return
    for version in versions:
        before = public.get(version.terms.id)
        click.echo(f"{version.ref}, content {digests[version.ref]}:", err=True)
        print_differences(
            differences(before, version.terms, book),
            before=f"public: {before.ref}" if before else "nothing is public",
            after="to approve",
            is_result=False,
        )


def _confirmed_digests(digests: Mapping[RecordRef, str], contents: Sequence[str]) -> Mapping[RecordRef, str]:
    """Return the digests of the versions that were read. A digest that matches no version is ignored."""
    combined = _combined_digest(digests)
    if not contents:
        _confirm(len(digests), combined)
        return digests
    if any(combined.startswith(each) for each in contents):
        return digests
    return {
        ref: sha256 for ref, sha256 in digests.items() if any(sha256.startswith(each) for each in contents)
    }


def _combined_digest(digests: Mapping[RecordRef, str]) -> str:
    """Return the digest of all versions: their content hash, or the hash of a line for each of them."""
    if len(digests) == 1:
        return next(iter(digests.values()))
    lines = "".join(f"{ref} {sha256}\n" for ref, sha256 in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def _confirm(count: int, digest: str) -> None:
    """Ask on a terminal. Raises InvalidSettings without a terminal, RefusedWrite for a no."""
    subject = "this version" if count == 1 else f"these {count:,} versions"
    if not sys.stdin.isatty():
        raise InvalidSettings(
            f"nothing says that you have read {subject}",
            help=f"read the above, then repeat this with --content {digest[:_MIN_HASH_DIGITS]}",
        )
    if not click.confirm(f"Approve {subject}?", err=True):
        raise RefusedWrite("nothing was approved")
