"""`import`: versions of a CSV file become drafts. What is settled already is not changed by a spreadsheet."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import click

from devportal.catalog import content_sha256
from devportal.catalog.audit.lifecycle import Action, State
from devportal.catalog.book.book import Book
from devportal.catalog.records.text import AnyVersion
from devportal.catalog.records.version_ref import Kind, RecordRef
from devportal.catalog.review.selection import apply_to_each, combine_refusals, step_command, versions_of
from devportal.catalog.review.steps import ReviewSession
from devportal.catalog.spreadsheet import read_csv, read_csv_text
from devportal.errors import Place, RefusedWrite


def read_csv_versions(file: Path, kind: Kind, book: Book) -> Sequence[AnyVersion]:
    """Return the versions of a CSV file; raises RefusedWrite, all findings printed, where any is wrong."""
    name = str(file)
    records, findings = read_csv(read_csv_text(file, name=name), name=name, kind=kind, book=book)
    for finding in findings:
        click.echo(str(finding))
    if findings:
        raise RefusedWrite(f"nothing was imported from {name}", help="mend what is listed above")
    versions = versions_of(records, kind)
    twice = [other for one, other in pairwise(versions) if one.ref == other.ref]
    if twice:
        refused = [
            _import_refusal(one, "it stands in the file twice", "keep one of the two") for one in twice
        ]
        raise combine_refusals(refused, count=len(versions))
    return versions


class CsvImport:
    """Takes rows over, one after the other, into what a folder holds."""

    def __init__(self, review: ReviewSession, kind: Kind) -> None:
        """Look at what the folder holds of a kind."""
        known = versions_of(review.opened.catalog.records, kind)
        self._review = review
        self._known: Mapping[RecordRef, AnyVersion] = {version.ref: version for version in known}
        self._latest = {version.terms.id: version.terms.version for version in known}

    def take(self, row: AnyVersion) -> bool:
        """Take a row over, and say whether it changes anything; raises RefusedWrite where it may not.

        A row that is a draft, or names no status, says nothing of the status of a version that is there; an
        empty note says nothing of its note.
        """
        known = self._known.get(row.ref)
        if known is None:
            self._add(row)
            return True
        is_same = content_sha256(row.terms) == content_sha256(known.terms)
        if is_same and row.status in {State.DRAFT, known.status} and row.note in {"", known.note}:
            return False
        if objection := self._against(row, known, is_same=is_same):
            raise _import_refusal(row, *objection)
        self._review.edit(known, replace(row, note=row.note or known.note))
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

    def _against(self, row: AnyVersion, known: AnyVersion, *, is_same: bool) -> tuple[str, str] | None:
        """Return why a row may not change a version, and what to do; None where the version is a draft."""
        if row.status not in {State.DRAFT, known.status}:
            message = f"its status is '{row.status}', but it is '{known.status}'"
            return message, "leave the status empty: it changes by the commands of the review"
        if known.status is State.DRAFT:
            return None
        message = f"its {'note' if is_same else 'content'} differs, but it is '{known.status}'"
        following = f"write version {self._latest[row.terms.id] + 1}"
        match known.status:
            case State.REJECTED:
                cure = f"revise it first: {step_command('revise', row.ref)}"
            case State.SUBMITTED:
                reject = f"{step_command('reject', row.ref)} --reason …"
                cure = f"{following}, or have an approver take it back: {reject}"
            case _:
                cure = following
        return message, cure


def import_rows(review: ReviewSession, kind: Kind, rows: Sequence[AnyVersion]) -> Sequence[AnyVersion]:
    """Take all rows over and return those that change something; asks first who may write."""
    review.require_role(Action.CREATE, rows)
    importing = CsvImport(review, kind)
    return apply_to_each(rows, importing.take)


def _import_refusal(row: AnyVersion, message: str, cure: str) -> RefusedWrite:
    place: Place = row.source.place("id")
    return RefusedWrite(f"{row.ref} cannot be imported: {message}", place=place, help=cure)
