"""The commands that only read: list, show, diff, export."""

import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeGuard

import click

from devportal.catalog import (
    Catalog,
    CoverageVersion,
    RateVersion,
    published,
)
from devportal.catalog.book import Book
from devportal.catalog.coverage import CoverageTerms
from devportal.catalog.rate import RateTerms
from devportal.catalog.ref import Kind, RecordRef
from devportal.catalog.spreadsheet import coverage_versions_csv, rate_versions_csv
from devportal.catalog.version import AnyVersion
from devportal.catalog.window import Terms
from devportal.errors import EnvironmentProblem, UnreadableInput
from devportal.review.differences import differences
from devportal.review.folder import Opened, check_of, opened
from devportal.review.options import Selection
from devportal.review.pending import LOG
from devportal.review.selection import named
from devportal.review.showing import (
    difference_json,
    entry_json,
    print_differences,
    print_entries,
    print_json,
    print_version,
    print_versions,
    version_json,
)


def now() -> datetime:
    """Return the time in UTC, in whole seconds, as the audit log has it."""
    return datetime.now(UTC).replace(microsecond=0)


def read(folder: Path, kind: Kind) -> Opened:
    """Return what a folder holds now, and say on standard error how much is wrong in it.

    Raises UnreadableInput if its log, or its folder of that kind of record, is there and cannot be read: it
    would be shown as an empty one.
    """
    with opened(folder, now) as found:
        if found.catalog.audit.is_unread:
            raise _unread(found, LOG)
        if kind in found.catalog.unread_kinds:
            raise _unread(found, kind)
        if found.findings:
            count = f"{len(found.findings):,} finding{'' if len(found.findings) == 1 else 's'}"
            click.echo(f"{found.name} has {count}; run {check_of(found.name)}", err=True)
        return found


def _unread(found: Opened, path: str) -> UnreadableInput:
    """Return the finding about what cannot be read as the error that it is for a query."""
    cause = next(one for one in found.findings if one.place.file == f"{found.name}/{path}")
    return UnreadableInput(cause.message, place=cause.place, help=cause.help)


def list_versions(selection: Selection, *, records: Path, as_json: bool) -> None:
    """List versions, in every state of review, and say which are public today."""
    found = read(records, selection.kind)
    versions, book = selection.of(found.catalog.records), found.catalog.records.book
    public = public_refs(found.catalog, found.at.date())
    if as_json:
        print_json([version_json(version, book, public=public) for version in versions])
    elif versions:
        print_versions(versions, selection.kind, book, public)
    if not versions:
        nothing(selection)


def show(selection: Selection, *, records: Path, as_json: bool) -> None:
    """Show versions with all their fields, their content hash and their history."""
    found = read(records, selection.kind)
    public, book = public_refs(found.catalog, found.at.date()), found.catalog.records.book
    shown = []
    for version in selection.of(found.catalog.records):
        entries = [entry for entry in found.catalog.audit.entries if entry.record == version.ref]
        if as_json:
            history = [entry_json(entry) for entry in entries]
            shown.append({**version_json(version, book, public=public), "history": history})
        else:
            print_version(version, book, public=public)
            print_entries(entries) if entries else click.echo(
                "The audit log does not know this version.", err=True
            )
    if as_json:
        print_json(shown)


def diff(selection: Selection, *, records: Path, as_json: bool) -> None:
    """Show what differs between two versions, or between the public version of a record and the one named."""
    found = read(records, selection.kind)
    *earlier, later = (
        named(found.catalog.records, selection.kind, [name])[0] for name in selection.names[:2]
    )
    public = public_terms(found.catalog, selection.kind, found.at.date())
    before = earlier[0].terms if earlier else public.get(later.terms.id)
    changes = differences(before, later.terms, found.catalog.records.book)
    if as_json:
        print_json(
            {
                "from": str(before.ref) if before else None,
                "to": str(later.ref),
                "changes": [difference_json(change) for change in changes],
            }
        )
        return
    if before is None:
        click.echo(f"{later.ref} has no public version: all of it is new.", err=True)
    if changes:
        print_differences(changes, before=_name(before), after=str(later.ref))
    else:
        click.echo(f"{_name(before)} and {later.ref} say the same.", err=True)


def export(selection: Selection, *, records: Path, output: Path | None, excel: bool) -> None:
    """Write versions as CSV, as 'import' reads it: for your own people only.

    Versions in every state are written, with their notes.
    """
    found = read(records, selection.kind).catalog.records
    versions = selection.of(found)
    text = csv_of(versions, selection.kind, found.book).encode("utf-8-sig" if excel else "utf-8")
    if not versions:
        nothing(selection)
    if output is None:
        sys.stdout.buffer.write(text)
        return
    try:
        output.write_bytes(text)
    except OSError as error:
        message = f"{output}: this file cannot be written: {error.strerror or error}"
        raise EnvironmentProblem(message, help="check the path and its permissions") from error
    click.echo(f"{len(versions):,} {selection.kind} in {output}", err=True)


def csv_of(versions: Iterable[AnyVersion], kind: Kind, book: Book) -> str:
    """Return versions of a kind as CSV."""
    if kind is Kind.RATE:
        return rate_versions_csv((one for one in versions if is_rate(one)), book)
    return coverage_versions_csv((one for one in versions if is_coverage(one)), book)


def is_rate(version: AnyVersion) -> TypeGuard[RateVersion]:
    """Say whether a version is one of a rate."""
    return isinstance(version.terms, RateTerms)


def is_coverage(version: AnyVersion) -> TypeGuard[CoverageVersion]:
    """Say whether a version is one of a coverage record."""
    return isinstance(version.terms, CoverageTerms)


def nothing(selection: Selection) -> None:
    """Say that nothing fits."""
    click.echo(f"No {selection.kind} fit{'s' if selection.kind is Kind.COVERAGE else ''}.", err=True)


def public_refs(catalog: Catalog, today: date) -> frozenset[RecordRef]:
    """Return what is public on a day."""
    public = published(catalog.records, catalog.audit, today)
    rates, coverage = (one.terms.ref for one in public.rates), (one.terms.ref for one in public.coverage)
    return frozenset([*rates, *coverage])


def public_terms(catalog: Catalog, kind: Kind, today: date) -> Mapping[str, Terms]:
    """Return the public version of each record of a kind on a day, by the record's id."""
    public = published(catalog.records, catalog.audit, today)
    if kind is Kind.RATE:
        return {one.terms.id: one.terms for one in public.rates}
    return {one.terms.id: one.terms for one in public.coverage}


def _name(terms: Terms | None) -> str:
    return str(terms.ref) if terms else "nothing"
