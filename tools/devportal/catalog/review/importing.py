"""`import`: versions of a CSV file become drafts. A spreadsheet does not change submitted or approved
versions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from devportal.catalog import content_sha256
from devportal.catalog.audit.lifecycle import Action, State
from devportal.catalog.book.book import Book
from devportal.catalog.records.text import AnyVersion
from devportal.catalog.records.version_ref import Kind, RecordRef
from devportal.catalog.review.selection import apply_to_each, combine_refusals, step_command, versions_of
from devportal.catalog.review.steps import ReviewSession
from devportal.catalog.spreadsheet import read_csv, read_csv_text
from devportal.command_line import print_findings
from devportal.errors import Place, RefusedWrite


def read_csv_versions(file: Path, kind: Kind, book: Book) -> Sequence[AnyVersion]:
    """Return the versions of a CSV file. If it has findings, prints them and raises RefusedWrite."""
    name = str(file)
    records, findings = read_csv(read_csv_text(file, name=name), name=name, kind=kind, book=book)
    print_findings(findings, err=False)
    if findings:
        raise RefusedWrite(f"nothing was imported from {name}", help="fix the problems listed above")
    versions = versions_of(records, kind)
    duplicates = [other for first, other in pairwise(versions) if first.ref == other.ref]
    if duplicates:
        refusals = [
            _import_refusal(duplicate, "it is in the file twice", "keep one of the two")
            for duplicate in duplicates
        ]
        raise combine_refusals(refusals, count=len(versions))
    return versions


class CsvImport:
    """Imports rows, one after the other, into the records of a folder."""

    def __init__(self, review: ReviewSession, kind: Kind) -> None:
        """Index the versions of a kind in the folder."""
        versions = versions_of(review.opened.catalog.records, kind)
        self._review = review
        self._existing: Mapping[RecordRef, AnyVersion] = {version.ref: version for version in versions}
        self._latest = {version.terms.id: version.terms.version for version in versions}

    def import_row(self, row: AnyVersion) -> bool:
        """Import a row, and return whether it changes anything. Raises RefusedWrite if it may not.

        A row that is a draft, or has no status, does not change the status of an existing version. An empty
        note does not change its note.
        """
        existing = self._existing.get(row.ref)
        if existing is None:
            self._add(row)
            return True
        is_same = content_sha256(row.terms) == content_sha256(existing.terms)
        if is_same and row.status in {State.DRAFT, existing.status} and row.note in {"", existing.note}:
            return False
        if objection := self._objection(row, existing, is_same=is_same):
            raise _import_refusal(row, *objection)
        self._review.edit(existing, replace(row, note=row.note or existing.note))
        return True

    def _add(self, row: AnyVersion) -> None:
        if row.status is not State.DRAFT:
            raise _import_refusal(row, f"its status is '{row.status}'", "a new version starts as a draft")
        latest = self._latest.get(row.terms.id, 0)
        if row.terms.version < latest:
            raise _import_refusal(
                row, f"version {latest} is there already", f"write it as version {latest + 1}"
            )
        self._latest[row.terms.id] = row.terms.version
        self._review.add(row)

    def _objection(self, row: AnyVersion, existing: AnyVersion, *, is_same: bool) -> tuple[str, str] | None:
        """Return why a row may not change a version, and what to do; None if the version is a draft."""
        if row.status not in {State.DRAFT, existing.status}:
            message = f"its status is '{row.status}', but it is '{existing.status}'"
            return message, "leave the status empty: it changes by the commands of the review"
        if existing.status is State.DRAFT:
            return None
        message = f"its {'note' if is_same else 'content'} differs, but it is '{existing.status}'"
        following = f"write version {self._latest[row.terms.id] + 1}"
        match existing.status:
            case State.REJECTED:
                help_ = f"revise it first: {step_command('revise', row.ref)}"
            case State.SUBMITTED:
                reject = f"{step_command('reject', row.ref)} --reason …"
                help_ = f"{following}, or have an approver take it back: {reject}"
            case _:
                help_ = following
        return message, help_


def import_rows(review: ReviewSession, kind: Kind, rows: Sequence[AnyVersion]) -> Sequence[AnyVersion]:
    """Import all rows and return those that change something. Checks the role first."""
    review.require_role(Action.CREATE, rows)
    importing = CsvImport(review, kind)
    return apply_to_each(rows, importing.import_row)


def _import_refusal(row: AnyVersion, message: str, help_: str) -> RefusedWrite:
    place: Place = row.source.place("id")
    return RefusedWrite(f"{row.ref} cannot be imported: {message}", place=place, help=help_)
