"""The steps of the review on an open folder. Each adds an entry to the log and changes a file."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

import click

from devportal.catalog import content_sha256
from devportal.catalog.audit.journal import Journal, Write
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, State
from devportal.catalog.audit.log import AuditEntry
from devportal.catalog.audit.roles import join_actors
from devportal.catalog.audit.rules import (
    Objection,
    Rule,
    approval_objection,
    step_objection,
    versions_to_supersede,
)
from devportal.catalog.book.book import Book
from devportal.catalog.records.text import AnyVersion
from devportal.catalog.records.window import Terms, terms_key
from devportal.catalog.review.folder import OpenFolder
from devportal.catalog.review.record_files import RecordFiles
from devportal.catalog.review.selection import Denied, next_step_command, reason_with_count, versions_of
from devportal.catalog.review.write_ahead import RecordChange
from devportal.errors import RefusedWrite

_EXAMPLE = """\
    roles:
      - actor: {actor}
        roles: [{role}]"""


class ReviewSession:
    """An actor, and the changes of the steps taken so far."""

    def __init__(self, opened: OpenFolder, *, actor: str, reason: str = "") -> None:
        """Start with nothing changed."""
        self.opened = opened
        self._actor = actor
        self._at = opened.at
        self._book = opened.catalog.records.book
        self._reason = reason
        self._journal = Journal(opened.catalog.audit, name=f"{opened.name}/audit.jsonl")
        self._files = RecordFiles(opened.folder, opened.catalog.records.book, name=opened.name)
        self._active: _ActiveVersions | None = None

    @property
    def entries(self) -> tuple[AuditEntry, ...]:
        """Return the entries that the steps make."""
        return self._journal.added_entries

    def changes(self) -> tuple[RecordChange, ...]:
        """Return the changes of record files."""
        return self._files.changes()

    def save(self) -> None:
        """Write all files and entries, or none."""
        self.opened.write(self.changes(), self.entries)

    def denial(self, denied: Denied) -> AuditEntry:
        """Return the entry for a denied attempt: one entry for all its versions."""
        denials = Journal(self.opened.catalog.audit, name=f"{self.opened.name}/audit.jsonl")
        reason = reason_with_count(denied.attempt.reason, denied.others)
        return denials.deny(replace(denied.attempt, reason=reason))

    def require_role(self, action: Action, versions: Sequence[AnyVersion]) -> None:
        """Raise Denied if the actor lacks the role of an action, RefusedWrite if there are no roles."""
        role = TRANSITIONS[action].role
        roles = self.opened.catalog.audit.roles
        if roles is None:
            example = _EXAMPLE.format(actor=self._actor, role=role)
            raise RefusedWrite(
                f"nobody may write to {self.opened.name}: there is no roles.yaml in it",
                help=f"write who holds which role into {self.opened.name}/roles.yaml:\n{example}",
            )
        if not roles.holds(self._actor, role, self._at):
            raise Denied(
                f"{self._actor!r} does not hold the role '{role}', which {action} needs",
                help=f"have {join_actors(roles.actors(role, self._at))} do it, or have it entered in roles.yaml",
                attempt=self._write(versions[0], action),
                others=len(versions) - 1,
            )

    def draft(self, version: AnyVersion) -> bool:
        """Add a draft that was written or changed by hand to the log; return whether it was new there."""
        history = self._journal.history(version.ref)
        if history.content_sha256 == content_sha256(version.terms) and history.state is State.DRAFT:
            return False
        action = Action.CREATE if history.state is None else Action.EDIT
        if version.status is not State.DRAFT:
            self._require_start(version, version.status, Action.EDIT)
        self._record(version, action)
        return True

    def add(self, version: AnyVersion) -> None:
        """Add a version that no file holds yet, as a draft."""
        self._files.add(version)
        self._record(version, Action.CREATE)

    def edit(self, version: AnyVersion, replacement: AnyVersion) -> None:
        """Give a draft the terms and the note of another version."""
        self._require_start(version, version.status, Action.EDIT)
        self._files.replace(version, replacement)
        is_known = self._journal.history(version.ref).state is not None
        self._record(replacement, Action.EDIT if is_known else Action.CREATE)

    def submit(self, version: AnyVersion) -> None:
        """Submit a draft. If it is not in the log yet, add it first."""
        if version.status is State.DRAFT and self._journal.history(version.ref).state is None:
            self.draft(version)
        self._apply(version, Action.SUBMIT)

    def approve(self, version: AnyVersion, *, read_sha256: str) -> None:
        """Approve content that the actor has read and somebody else wrote, on its first day or before."""
        self._require_start(version, version.status, Action.APPROVE)
        history = self._journal.history(version.ref)
        objection = approval_objection(
            version.terms, history, actor=self._actor, read_sha256=read_sha256, today=self._at.date()
        )
        if objection is not None and objection.rule is Rule.FOUR_EYES:
            raise Denied(
                f"{objection.message} [{objection.rule}]",
                place=version.source.place("id"),
                help=objection.help,
                attempt=self._write(version, Action.APPROVE),
            )
        self._raise_objection(version, objection)
        self._apply(version, Action.APPROVE)

    def reject(self, version: AnyVersion) -> None:
        """Send a submitted version back."""
        self._apply(version, Action.REJECT)

    def revise(self, version: AnyVersion) -> None:
        """Make a rejected version a draft again."""
        self._apply(version, Action.REVISE)

    def activate(self, version: AnyVersion) -> None:
        """Make an approved version public, in place of the active version of its record."""
        self._require_start(version, version.status, Action.ACTIVATE)
        if self._active is None:
            self._active = _ActiveVersions(
                versions_of(self.opened.catalog.records, version.terms.kind), self._book
            )
        rivals = self._active.rivals_of(version.terms)
        replaced, objection = versions_to_supersede(
            version.terms, rivals, book=self._book, today=self._at.date()
        )
        self._raise_objection(version, objection)
        for terms in replaced:
            self._apply(self._active.pop(terms), Action.SUPERSEDE, f"Replaced by {version.ref}.")
        self._apply(version, Action.ACTIVATE)
        self._active.add(version)

    def withdraw(self, version: AnyVersion) -> None:
        """End an approved or active version."""
        self._apply(version, Action.WITHDRAW)

    def _apply(self, version: AnyVersion, action: Action, reason: str = "") -> None:
        history = self._journal.history(version.ref)
        self._require_start(version, history.state, action)
        self._record(version, action, reason)
        self._files.set_status(version, TRANSITIONS[action].target)

    def _record(self, version: AnyVersion, action: Action, reason: str = "") -> None:
        self._journal.record(self._write(version, action, reason))

    def _write(self, version: AnyVersion, action: Action, reason: str = "") -> Write:
        return Write(
            at=self._at,
            actor=self._actor,
            action=action,
            record=version.ref,
            content_sha256=content_sha256(version.terms),
            reason=reason or self._reason,
        )

    def _require_start(self, version: AnyVersion, state: State | None, action: Action) -> None:
        """Raise RefusedWrite if a step may not start, with the command that leads on."""
        objection = step_objection(version.ref, state, action)
        if objection is not None:
            help_ = next_step_command(version.ref, state, action)
            self._raise_objection(version, replace(objection, help=help_))

    def _raise_objection(self, version: AnyVersion, objection: Objection | None) -> None:
        if objection is not None:
            text = f"{objection.message} [{objection.rule}]"
            message = text if str(version.ref) in text else f"{version.ref}: {text}"
            raise RefusedWrite(message, place=version.source.place("id"), help=objection.help)


class _ActiveVersions:
    """The active versions of a kind, by record and by key."""

    def __init__(self, versions: Sequence[AnyVersion], book: Book) -> None:
        self._book = book
        self._by_key: defaultdict[object, dict[object, AnyVersion]] = defaultdict(dict)
        for version in versions:
            if version.status is State.ACTIVE:
                self.add(version)

    def add(self, version: AnyVersion) -> None:
        for key in (version.terms.id, terms_key(self._book, version.terms)):
            self._by_key[key][version.ref] = version

    def pop(self, terms: Terms) -> AnyVersion:
        version = self._by_key[terms.id][terms.ref]
        for key in (terms.id, terms_key(self._book, terms)):
            del self._by_key[key][terms.ref]
        return version

    def rivals_of(self, terms: Terms) -> list[Terms]:
        """Return the active terms with the same key or of the same record."""
        rivals = {**self._by_key[terms.id], **self._by_key[terms_key(self._book, terms)]}
        return [version.terms for version in rivals.values()]


_MAX_WARNINGS = 50
"""How many warnings are printed at most."""


def due_versions(versions: Sequence[AnyVersion], today: date) -> Sequence[AnyVersion]:
    """Return the versions whose first day has come and whose last has not passed; print how many are left
    out.
    """
    started = [version for version in versions if version.terms.effective_from <= today]
    ended = [version for version in started if _has_ended(version, today)]
    print_warnings(
        [
            f"{version.source.place('id')}: {version.ref} is over, and was never active: withdraw it"
            for version in ended
        ]
    )
    if len(started) < len(versions):
        click.echo(
            f"{len(versions) - len(started):,} of {len(versions):,} versions are not due yet.", err=True
        )
    return [version for version in started if not _has_ended(version, today)]


def _has_ended(version: AnyVersion, today: date) -> bool:
    return version.terms.effective_to is not None and version.terms.effective_to <= today


def lateness_warnings(version: AnyVersion, today: date) -> Iterator[str]:
    """Yield a warning if a version can no longer be approved, or only today."""
    first_day = version.terms.effective_from
    place = version.source.place("effective_from")
    if first_day < today:
        yield f"{place}: {version.ref} takes effect on {first_day}, before today: nobody can approve it any more"
    elif first_day == today:
        yield f"{place}: {version.ref} takes effect today: nobody can approve it from tomorrow on"


def print_warnings(warnings: Sequence[str]) -> None:
    """Print warnings to standard error: the first ones, and how many more there are."""
    for warning in warnings[:_MAX_WARNINGS]:
        click.echo(f"warning: {warning}", err=True)
    if len(warnings) > _MAX_WARNINGS:
        click.echo(f"warning: and {len(warnings) - _MAX_WARNINGS:,} more", err=True)
