"""`import`: versions of a CSV file become drafts. What is settled already is not changed by a spreadsheet."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import click

from devportal.catalog import content_sha256
from devportal.catalog.lifecycle import Action, State
from devportal.catalog.ref import Kind, RecordRef
from devportal.catalog.spreadsheet import read_csv
from devportal.documents import read_text
from devportal.errors import Place, RefusedWrite
from devportal.review.selection import AnyVersion, versions_of
from devportal.review.steps import Review


def versions_in(file: Path, kind: Kind) -> Sequence[AnyVersion]:
    """Return the versions of a CSV file; raises RefusedWrite, all findings printed, where any is wrong."""
    name = str(file)
    records, findings = read_csv(read_text(file, name=name), name=name, kind=kind)
    for finding in findings:
        click.echo(str(finding))
    if findings:
        raise RefusedWrite(f"nothing was imported from {name}", help="mend what is listed above")
    versions = versions_of(records, kind)
    for one, other in pairwise(versions):
        if one.ref == other.ref:
            raise _refused(other, "it stands in the file twice", "keep one of the two")
    return versions


class Import:
    """Takes rows over, one after the other, into what a folder holds."""

    def __init__(self, review: Review, kind: Kind) -> None:
        """Look at what the folder holds of a kind."""
        known = versions_of(review.opened.catalog.records, kind)
        self._review = review
        self._known: Mapping[RecordRef, AnyVersion] = {version.ref: version for version in known}
        self._latest = {version.terms.id: version.terms.version for version in known}

    def take(self, row: AnyVersion) -> bool:
        """Take a row over, and say whether it changes anything; raises RefusedWrite where it may not."""
        known = self._known.get(row.ref)
        if known is None:
            self._add(row)
            return True
        if known == row:
            return False
        self._compare(row, known)
        self._review.edit(known, row)
        return True

    def _add(self, row: AnyVersion) -> None:
        if row.status is not State.DRAFT:
            raise _refused(row, f"its status is '{row.status}'", "a new version starts as a draft")
        latest = self._latest.get(row.terms.id, 0)
        if row.terms.version < latest:
            cure = f"write it as version {latest + 1}"
            raise _refused(row, f"version {latest} is there already", cure)
        self._latest[row.terms.id] = row.terms.version
        self._review.add(row)

    def _compare(self, row: AnyVersion, known: AnyVersion) -> None:
        """Raise RefusedWrite where a row says something else of a version that is not a draft."""
        if row.status is not known.status:
            message = f"its status is '{row.status}', but it is '{known.status}'"
            raise _refused(row, message, "a status changes by the commands of the review: copy it as it is")
        if known.status is not State.DRAFT:
            what = "note" if content_sha256(row.terms) == content_sha256(known.terms) else "content"
            message = f"its {what} differs, but it is '{known.status}'"
            cure = (
                f"revise it first: devportal {row.ref.kind} revise {row.terms.id}@{row.terms.version}"
                if known.status is State.REJECTED
                else "import new terms as a new version"
            )
            raise _refused(row, message, cure)


def take_over(review: Review, kind: Kind, rows: Sequence[AnyVersion]) -> int:
    """Take all rows over and return how many change nothing; asks first who may write."""
    review.require_role(Action.CREATE, rows)
    importing = Import(review, kind)
    return sum(not importing.take(row) for row in rows)


def _refused(row: AnyVersion, message: str, cure: str) -> RefusedWrite:
    place: Place = row.source.place("id")
    return RefusedWrite(f"{row.ref} cannot be imported: {message}", place=place, help=cure)
