"""The commands that write: each takes versions that are named or chosen through one step of the review."""

import difflib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import click

from devportal.catalog.lifecycle import TRANSITIONS, Action, State
from devportal.catalog.version import AnyVersion
from devportal.errors import InvalidSettings
from devportal.findings import Finding
from devportal.review.days import lateness, those_due, warn
from devportal.review.folder import Opened, drafts_unknown_to_log, findings_of, opened, opened_alone
from devportal.review.importing import take_over, versions_in
from devportal.review.lock import writing
from devportal.review.options import Selection
from devportal.review.queries import nothing, now
from devportal.review.refusing import Denied, take_each
from devportal.review.showing import plain
from devportal.review.steps import Review


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who asks for what, and where."""

    selection: Selection
    records: Path
    actor: str
    reason: str
    dry_run: bool


Step = Callable[[Review, AnyVersion], object]


def take(asked: Asked, action: Action, step: Step, *, due: bool = False) -> None:
    """Take versions, all or those that are due, through a step, in one write; print what was written."""
    written = reviewed(asked, action, step, save=not asked.dry_run, due=due)
    if written is not None:
        _print(written, dry_run=asked.dry_run)


def draft(asked: Asked) -> None:
    """Put drafts that were written or changed by hand on the audit log. For editors."""
    take(asked, Action.CREATE, lambda review, version: review.draft(version))


def submit(asked: Asked) -> None:
    """Hand drafts in for approval. For editors.

    A draft that the log does not know is put on it first. A first day that leaves no time for an approval is
    warned of.
    """
    late: list[str] = []

    def step(review: Review, version: AnyVersion) -> None:
        review.submit(version)
        late.extend(lateness(version, review.opened.at.date()))

    take(asked, Action.SUBMIT, step)
    warn(late)


def reject(asked: Asked) -> None:
    """Send submitted versions back to their editors. For approvers."""
    take(asked, Action.REJECT, lambda review, version: review.reject(version))


def revise(asked: Asked) -> None:
    """Make rejected versions drafts again. For editors."""
    take(asked, Action.REVISE, lambda review, version: review.revise(version))


def activate(asked: Asked, *, due: bool) -> None:
    """Make approved versions active: public from their first day on, each in place of the one before it.

    For publishers. What is replaced is superseded in the same write, so it can be activated from its first
    day on, not before. With --due, versions whose day has not come are left out, so that the command can run
    by itself each day.
    """
    take(asked, Action.ACTIVATE, lambda review, version: review.activate(version), due=due)


def withdraw(asked: Asked) -> None:
    """End approved or active versions: they are not public any more. For publishers."""
    take(asked, Action.WITHDRAW, lambda review, version: review.withdraw(version))


def import_versions(asked: Asked, *, file: Path) -> None:
    """Take versions over from a CSV file, as 'export' writes it: new ones become drafts, drafts change.

    For editors. Rows that say what is there already change nothing, whatever its state. A row without a
    status says nothing of it, and one without a note leaves the note. Anything else is refused, and then
    nothing is imported.
    """
    with _held(asked) as review:
        review.opened.refuse_unsound(except_for=drafts_unknown_to_log(review.opened))
        rows = versions_in(file, asked.selection.kind, review.opened.catalog.records.book)
        changed = take_over(review, asked.selection.kind, rows)
        late = [line for row in changed for line in lateness(row, review.opened.at.date())]
        written = _settled(review, save=not asked.dry_run)
    if same := len(rows) - len(changed):
        click.echo(f"{same:,} of {len(rows):,} rows change nothing.", err=True)
    _print(written, dry_run=asked.dry_run)
    warn(late)


def recover(records: Path) -> None:
    """Finish a write that was interrupted: records and audit log then hold all of it.

    Whoever only reads, as 'check' and 'build' do, reports such a write and changes nothing; the other
    commands that write finish it too. A file that somebody has changed since, or that is a link, is refused.
    """
    with writing(records) as finished:
        for path in finished:
            click.echo(plain((records / path).as_posix()))
    if not finished:
        click.echo(f"No write was interrupted in {records.as_posix()}: there is nothing to finish.", err=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What the steps of a command come to: lines to print, and the change as a patch."""

    lines: Sequence[str]
    patch: Sequence[str]


def reviewed(asked: Asked, action: Action, step: Step, *, save: bool, due: bool = False) -> Written | None:
    """Take the versions through a step, and save that or not; None where there was no version."""
    with _held(asked) as review:
        versions = _selected(asked.selection, review.opened, action)
        if due and versions:
            versions = those_due(versions, review.opened.at.date())
        review.opened.refuse_unsound(except_for=_tolerated(review.opened, action, versions))
        if not versions:
            return None
        review.require_role(action, versions)
        take_each(versions, lambda version: step(review, version))
        return _settled(review, save=save)


@contextmanager
def _held(asked: Asked) -> Iterator[Review]:
    """Hold the folder, alone unless it is a dry run; what somebody may not do goes on the log as such."""
    hold = opened if asked.dry_run else opened_alone
    with hold(asked.records, now) as folder:
        review = Review(folder, actor=asked.actor, reason=asked.reason)
        try:
            yield review
        except Denied as denied:
            if not asked.dry_run:
                folder.write((), [review.denial(denied)])
            raise


def _settled(review: Review, *, save: bool) -> Written:
    """Return what the steps come to, written or only to be looked at."""
    if not save:
        return Written(lines=tuple(_lines(review)), patch=tuple(_patch(review)))
    if review.entries:
        review.save()
    return Written(lines=tuple(_lines(review)), patch=())


def _selected(selection: Selection, opened: Opened, action: Action) -> Sequence[AnyVersion]:
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
        nothing(selection)
    return versions


def _tolerated(opened: Opened, action: Action, versions: Sequence[AnyVersion]) -> frozenset[Finding]:
    """Return what is no reason to refuse: drafts that are new, and what a revision is about to allow."""
    tolerated = drafts_unknown_to_log(opened)
    if action is Action.REVISE:
        changed = (one.source.place("id") for one in versions if one.status is State.REJECTED)
        tolerated |= findings_of(opened, "catalog-content", changed)
    return tolerated


def _lines(review: Review) -> Iterator[str]:
    for entry in review.entries:
        yield f"{entry.record}: {entry.from_state or 'nothing'} → {entry.to_state}"


def _patch(review: Review) -> Iterator[str]:
    """Yield the lines of a patch that would write what the steps come to."""
    for change in review.changes():
        name = f"{review.opened.name}/{change.path}"
        before = (change.before or b"").decode().splitlines()
        yield from difflib.unified_diff(before, change.after.decode().splitlines(), name, name, lineterm="")
    if review.entries:
        name = f"{review.opened.name}/audit.jsonl"
        yield from (f"--- {name}", f"+++ {name}", "@@ at the end @@")
        yield from (f"+{entry.line()}" for entry in review.entries)


def _print(written: Written, *, dry_run: bool) -> None:
    if not written.lines:
        click.echo("There is nothing to write: the audit log knows all of it.", err=True)
    for line in written.patch if dry_run else written.lines:
        click.echo(plain(line))
    if dry_run:
        click.echo("This was a dry run: nothing was written.", err=True)
