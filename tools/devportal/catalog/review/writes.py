"""The commands that write: each takes chosen versions through one step of the review."""

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
from devportal.catalog.review.queries import print_nothing_found, public_terms, utc_now
from devportal.catalog.review.selection import Denied, apply_to_each
from devportal.catalog.review.showing import print_differences, print_summary
from devportal.catalog.review.steps import ReviewSession, due_versions, lateness_warnings, print_warnings
from devportal.errors import InvalidSettings, RefusedWrite
from devportal.findings import Finding
from devportal.reporting.printable import escape_unprintable


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRequest:
    """Who asks for what, and where."""

    selection: Selection
    records: Path
    actor: str
    reason: str
    dry_run: bool


ReviewStep = Callable[[ReviewSession, AnyVersion], object]


def take_step(asked: WriteRequest, action: Action, step: ReviewStep, *, due: bool = False) -> None:
    """Take versions, all or those that are due, through a step, in one write; print what was written."""
    written = apply_step(asked, action, step, save=not asked.dry_run, due=due)
    if written is not None:
        _print_result(written, dry_run=asked.dry_run)


def draft(asked: WriteRequest) -> None:
    """Put drafts that were written or changed by hand on the audit log. For editors."""
    take_step(asked, Action.CREATE, lambda review, version: review.draft(version))


def submit(asked: WriteRequest) -> None:
    """Hand drafts in for approval. For editors.

    A draft that the log does not know is put on it first. A first day that leaves no time for an approval is
    warned of.
    """
    late: list[str] = []

    def step(review: ReviewSession, version: AnyVersion) -> None:
        review.submit(version)
        late.extend(lateness_warnings(version, review.opened.at.date()))

    take_step(asked, Action.SUBMIT, step)
    print_warnings(late)


def reject(asked: WriteRequest) -> None:
    """Send submitted versions back to their editors. For approvers."""
    take_step(asked, Action.REJECT, lambda review, version: review.reject(version))


def revise(asked: WriteRequest) -> None:
    """Make rejected versions drafts again. For editors."""
    take_step(asked, Action.REVISE, lambda review, version: review.revise(version))


def activate(asked: WriteRequest, *, due: bool) -> None:
    """Make approved versions active: public from their first day on, each in place of the one before it.

    For publishers. What is replaced is superseded in the same write, so it can be activated from its first
    day on, not before. With --due, versions whose day has not come are left out, so that the command can run
    by itself each day.
    """
    take_step(asked, Action.ACTIVATE, lambda review, version: review.activate(version), due=due)


def withdraw(asked: WriteRequest) -> None:
    """End approved or active versions: they are not public any more. For publishers."""
    take_step(asked, Action.WITHDRAW, lambda review, version: review.withdraw(version))


def import_versions(asked: WriteRequest, *, file: Path) -> None:
    """Take versions over from a CSV file, as 'export' writes it: new ones become drafts, drafts change.

    For editors. Rows that say what is there already change nothing, whatever its state. A row without a
    status says nothing of it, and one without a note leaves the note. Anything else is refused, and then
    nothing is imported.
    """
    with _hold_folder(asked) as review:
        review.opened.refuse_unsound(except_for=drafts_unknown_to_log(review.opened))
        rows = read_csv_versions(file, asked.selection.kind, review.opened.catalog.records.book)
        changed = import_rows(review, asked.selection.kind, rows)
        late = [line for row in changed for line in lateness_warnings(row, review.opened.at.date())]
        written = _save_or_preview(review, save=not asked.dry_run)
    if same := len(rows) - len(changed):
        click.echo(f"{same:,} of {len(rows):,} rows change nothing.", err=True)
    _print_result(written, dry_run=asked.dry_run)
    print_warnings(late)


def recover(records: Path) -> None:
    """Finish a write that was interrupted: records and audit log then hold all of it.

    Whoever only reads, as 'check' and 'build' do, reports such a write and changes nothing; the other
    commands that write finish it too. A file that somebody has changed since, or that is a link, is refused.
    """
    with write_lock(records) as finished:
        for path in finished:
            click.echo(escape_unprintable((records / path).as_posix()))
    if not finished:
        click.echo(f"No write was interrupted in {records.as_posix()}: there is nothing to finish.", err=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteResult:
    """What the steps of a command come to: lines to print, and the change as a patch."""

    lines: Sequence[str]
    patch: Sequence[str]


def apply_step(
    asked: WriteRequest, action: Action, step: ReviewStep, *, save: bool, due: bool = False
) -> WriteResult | None:
    """Take the versions through a step, and save that or not; None where there was no version."""
    with _hold_folder(asked) as review:
        versions = _select_versions(asked.selection, review.opened, action)
        if due and versions:
            versions = due_versions(versions, review.opened.at.date())
        review.opened.refuse_unsound(except_for=_tolerated_findings(review.opened, action, versions))
        if not versions:
            return None
        review.require_role(action, versions)
        apply_to_each(versions, lambda version: step(review, version))
        return _save_or_preview(review, save=save)


@contextmanager
def _hold_folder(asked: WriteRequest) -> Iterator[ReviewSession]:
    """Hold the folder, alone unless it is a dry run; what somebody may not do goes on the log as such."""
    hold = open_for_reading if asked.dry_run else open_for_writing
    with hold(asked.records, utc_now) as folder:
        review = ReviewSession(folder, actor=asked.actor, reason=asked.reason)
        try:
            yield review
        except Denied as denied:
            if not asked.dry_run:
                folder.write((), [review.denial(denied)])
            raise


def _save_or_preview(review: ReviewSession, *, save: bool) -> WriteResult:
    """Return what the steps come to, written or only to be looked at."""
    if not save:
        return WriteResult(lines=tuple(_transition_lines(review)), patch=tuple(_patch_lines(review)))
    if review.entries:
        review.save()
    return WriteResult(lines=tuple(_transition_lines(review)), patch=())


def _select_versions(selection: Selection, opened: OpenFolder, action: Action) -> Sequence[AnyVersion]:
    """Return the versions to write to; a choice without a state takes those where the step can start."""
    if not selection.names and not selection.choice:
        raise InvalidSettings(
            "no version is named or chosen",
            help="name versions, such as no-parcel@2, or choose them with --state or --market",
        )
    choice = selection.choice
    if choice and not choice.states:
        starts = frozenset(state for state in TRANSITIONS[action].sources if state is not None)
        selection = replace(selection, choice=replace(choice, states=starts or frozenset({State.DRAFT})))
    versions = selection.of(opened.catalog.records)
    if not versions:
        print_nothing_found(selection)
    return versions


def _tolerated_findings(
    opened: OpenFolder, action: Action, versions: Sequence[AnyVersion]
) -> frozenset[Finding]:
    """Return what is no reason to refuse: drafts that are new, and what a revision is about to allow."""
    tolerated = drafts_unknown_to_log(opened)
    if action is Action.REVISE:
        changed = (one.source.place("id") for one in versions if one.status is State.REJECTED)
        tolerated |= findings_at(opened, "catalog-content", changed)
    return tolerated


def _transition_lines(review: ReviewSession) -> Iterator[str]:
    for entry in review.entries:
        yield f"{entry.record}: {entry.from_state or 'nothing'} → {entry.to_state}"


def _patch_lines(review: ReviewSession) -> Iterator[str]:
    """Yield the lines of a patch that would write what the steps come to."""
    for change in review.changes():
        name = f"{review.opened.name}/{change.path}"
        before = (change.before or b"").decode().splitlines()
        yield from difflib.unified_diff(before, change.after.decode().splitlines(), name, name, lineterm="")
    if review.entries:
        name = f"{review.opened.name}/audit.jsonl"
        yield from (f"--- {name}", f"+++ {name}", "@@ at the end @@")
        yield from (f"+{entry.line()}" for entry in review.entries)


def _print_result(written: WriteResult, *, dry_run: bool) -> None:
    if not written.lines:
        click.echo("There is nothing to write: the audit log knows all of it.", err=True)
    for line in written.patch if dry_run else written.lines:
        click.echo(escape_unprintable(line))
    if dry_run:
        click.echo("This was a dry run: nothing was written.", err=True)


_MIN_HASH_DIGITS = 12
"""How many digits of a hash are shown to be repeated."""


def approve(asked: WriteRequest, *, contents: Sequence[str]) -> None:
    """Approve versions that somebody else submitted, after reading them. For approvers.

    It shows how they differ from the public versions, and wants their content hash, or a yes on a terminal.
    Nobody approves what they wrote, and nothing whose first day is over.
    """
    found: dict[RecordRef, str] = {}
    public: dict[str, Terms] = {}
    looked_at: list[AnyVersion] = []
    book: Book | None = None

    def look(review: ReviewSession, version: AnyVersion) -> None:
        nonlocal book
        if book is None:
            book = review.opened.catalog.records.book
            catalog, today = review.opened.catalog, review.opened.at.date()
            public.update(public_terms(catalog, asked.selection.kind, today))
        sha256 = content_sha256(version.terms)
        review.approve(version, read_sha256=sha256)
        found[version.ref] = sha256
        looked_at.append(version)

    if apply_step(asked, Action.APPROVE, look, save=False) is None or book is None:
        return
    _print_versions(looked_at, found, public, book)
    read = found if asked.dry_run and not contents else _contents_read(found, contents)
    take_step(
        asked, Action.APPROVE, lambda review, one: review.approve(one, read_sha256=read.get(one.ref, ""))
    )


def _print_versions(
    looked_at: Sequence[AnyVersion],
    found: Mapping[RecordRef, str],
    public: Mapping[str, Terms],
    book: Book,
) -> None:
    """Show on standard error what an approval approves: one version whole, several in a line each."""
    if len(looked_at) > 1:
        lines = [
            (
                summary_cells(public.get(version.terms.id), version.terms, book),
                found[version.ref][:_MIN_HASH_DIGITS],
            )
            for version in looked_at
        ]
        print_summary([(*short, sha256) for short, sha256 in lines])
        return
    for version in looked_at:
        before = public.get(version.terms.id)
        click.echo(f"{version.ref}, content {found[version.ref]}:", err=True)
        print_differences(
            differences(before, version.terms, book),
            before=f"public: {before.ref}" if before else "nothing is public",
            after="to approve",
            is_result=False,
        )


def _contents_read(found: Mapping[RecordRef, str], contents: Sequence[str]) -> Mapping[RecordRef, str]:
    """Return the content that was read of each version; what was named and is not found is nobody's."""
    whole = _contents_digest(found)
    if not contents:
        _confirm(len(found), whole)
        return found
    if any(whole.startswith(each) for each in contents):
        return found
    return {ref: sha256 for ref, sha256 in found.items() if any(sha256.startswith(each) for each in contents)}


def _contents_digest(found: Mapping[RecordRef, str]) -> str:
    """Return what names the content of all versions: their hash, or that of a line for each of them."""
    if len(found) == 1:
        return next(iter(found.values()))
    lines = "".join(f"{ref} {sha256}\n" for ref, sha256 in sorted(found.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def _confirm(count: int, digest: str) -> None:
    """Ask on a terminal; raise InvalidSettings elsewhere, RefusedWrite for a no."""
    what = "this version" if count == 1 else f"these {count:,} versions"
    if not sys.stdin.isatty():
        raise InvalidSettings(
            f"nothing says that you have read {what}",
            help=f"read the above, then repeat this with --content {digest[:_MIN_HASH_DIGITS]}",
        )
    if not click.confirm(f"Approve {what}?", err=True):
        raise RefusedWrite("nothing was approved")
