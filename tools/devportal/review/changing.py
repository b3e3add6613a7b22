"""The commands that write: each takes versions that are named or chosen through one step of the review."""

import difflib
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import click

from devportal.catalog import content_sha256
from devportal.catalog.lifecycle import TRANSITIONS, Action, State
from devportal.catalog.ref import RecordRef
from devportal.catalog.window import Terms
from devportal.errors import InvalidSettings, RefusedWrite
from devportal.findings import Finding
from devportal.review.differences import differences
from devportal.review.folder import Opened, drafts_unknown_to_log, findings_of, opened_alone
from devportal.review.importing import take_over, versions_in
from devportal.review.options import Selection
from devportal.review.queries import nothing, now, public_terms
from devportal.review.refusing import Denied, take_each
from devportal.review.selection import AnyVersion
from devportal.review.showing import plain, print_differences
from devportal.review.steps import Review

_ENOUGH = 12
"""How many digits of a hash are shown to be repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who asks for what, and where."""

    selection: Selection
    records: Path
    actor: str
    reason: str
    dry_run: bool


Step = Callable[[Review, AnyVersion], object]


def take(asked: Asked, action: Action, step: Step) -> None:
    """Take versions through a step, in one write, and print what was written."""
    written = _reviewed(asked, action, step, save=not asked.dry_run)
    if written is not None:
        _print(written, dry_run=asked.dry_run)


def draft(asked: Asked) -> None:
    """Put drafts that were written or changed by hand on the audit log."""
    take(asked, Action.CREATE, lambda review, version: review.draft(version))


def submit(asked: Asked) -> None:
    """Hand drafts in for approval."""
    take(asked, Action.SUBMIT, lambda review, version: review.submit(version))


def reject(asked: Asked) -> None:
    """Send submitted versions back to their editors."""
    take(asked, Action.REJECT, lambda review, version: review.reject(version))


def revise(asked: Asked) -> None:
    """Make rejected versions drafts again."""
    take(asked, Action.REVISE, lambda review, version: review.revise(version))


def activate(asked: Asked) -> None:
    """Make approved versions public from their first day on; each supersedes the one before it."""
    take(asked, Action.ACTIVATE, lambda review, version: review.activate(version))


def withdraw(asked: Asked) -> None:
    """End approved or active versions: they are not public any more."""
    take(asked, Action.WITHDRAW, lambda review, version: review.withdraw(version))


def approve(asked: Asked, *, contents: Sequence[str]) -> None:
    """Approve versions that somebody else submitted, after reading them."""
    found: dict[RecordRef, str] = {}
    public: dict[str, Terms] = {}

    def look(review: Review, version: AnyVersion) -> None:
        if not found:
            catalog, today = review.opened.catalog, review.opened.at.date()
            public.update(public_terms(catalog, asked.selection.kind, today))
        sha256 = content_sha256(version.terms)
        review.approve(version, read_sha256=sha256)
        _show(version, sha256, public.get(version.terms.id))
        found[version.ref] = sha256

    if _reviewed(asked, Action.APPROVE, look, save=False) is None:
        return
    read = found if asked.dry_run and not contents else _read(found, contents)
    take(asked, Action.APPROVE, lambda review, one: review.approve(one, read_sha256=read.get(one.ref, "")))


def _show(version: AnyVersion, sha256: str, before: Terms | None) -> None:
    """Show on standard error what an approval approves."""
    click.echo(f"{version.ref}, content {sha256}:", err=True)
    print_differences(
        differences(before, version.terms),
        before=f"public: {before.ref}" if before else "nothing is public",
        after="to approve",
        is_result=False,
    )


def _read(found: Mapping[RecordRef, str], contents: Sequence[str]) -> Mapping[RecordRef, str]:
    """Return the content that was read of each version; what was named and is not found is nobody's."""
    whole = _digest(found)
    if not contents:
        _ask(len(found), whole)
        return found
    if any(whole.startswith(each) for each in contents):
        return found
    return {ref: sha256 for ref, sha256 in found.items() if any(sha256.startswith(each) for each in contents)}


def _digest(found: Mapping[RecordRef, str]) -> str:
    """Return what names the content of all versions: their hash, or that of a line for each of them."""
    if len(found) == 1:
        return next(iter(found.values()))
    lines = "".join(f"{ref} {sha256}\n" for ref, sha256 in sorted(found.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def _ask(count: int, digest: str) -> None:
    """Ask on a terminal; raise InvalidSettings elsewhere, RefusedWrite for a no."""
    what = "this version" if count == 1 else f"these {count:,} versions"
    if not sys.stdin.isatty():
        raise InvalidSettings(
            f"nothing says that you have read {what}",
            help=f"read the above, then repeat this with --content {digest[:_ENOUGH]}",
        )
    if not click.confirm(f"Approve {what}?", err=True):
        raise RefusedWrite("nothing was approved")


def import_versions(asked: Asked, *, file: Path) -> None:
    """Take versions over from a CSV file: new ones, and changes of drafts. FILE is as 'export' writes it."""
    rows = versions_in(file, asked.selection.kind)
    with _alone(asked) as review:
        review.opened.refuse_unsound(except_for=drafts_unknown_to_log(review.opened))
        changed = take_over(review, asked.selection.kind, rows)
        written = _settled(review, save=not asked.dry_run)
    if same := len(rows) - len(changed):
        click.echo(f"{same:,} of {len(rows):,} rows change nothing.", err=True)
    _print(written, dry_run=asked.dry_run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What the steps of a command come to: lines to print, and the change as a patch."""

    lines: Sequence[str]
    patch: Sequence[str]


def _reviewed(asked: Asked, action: Action, step: Step, *, save: bool) -> Written | None:
    """Take the versions through a step, and save that or not; None where there was no version."""
    with _alone(asked) as review:
        versions = _selected(asked.selection, review.opened, action)
        review.opened.refuse_unsound(except_for=_tolerated(review.opened, action, versions))
        if not versions:
            return None
        review.require_role(action, versions)
        take_each(versions, lambda version: step(review, version))
        return _settled(review, save=save)


@contextmanager
def _alone(asked: Asked) -> Iterator[Review]:
    """Hold the folder alone; what somebody may not do goes on the log as such, unless it is a rehearsal."""
    with opened_alone(asked.records, now) as opened:
        review = Review(opened, actor=asked.actor, reason=asked.reason)
        try:
            yield review
        except Denied as denied:
            if not asked.dry_run:
                opened.write((), [review.denial(denied)])
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
            help="name versions, such as no-sms@2, or choose them with --state or --country",
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
