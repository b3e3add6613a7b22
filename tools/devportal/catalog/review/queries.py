"""The commands that only read: list, show, diff, export, log."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeGuard

import click

from devportal.catalog import (
    AuditEntry,
    Catalog,
    CoverageVersion,
    RateVersion,
    published,
)
from devportal.catalog.book.book import Book
from devportal.catalog.book.file import BOOK
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.text import AnyVersion
from devportal.catalog.records.version_ref import Kind, RecordRef
from devportal.catalog.records.window import Terms
from devportal.catalog.review.differences import differences
from devportal.catalog.review.folder import OpenFolder, check_command, open_for_reading
from devportal.catalog.review.options import Selection
from devportal.catalog.review.selection import find_versions
from devportal.catalog.review.showing import (
    difference_json,
    entry_json,
    print_differences,
    print_entries,
    print_json,
    print_version,
    print_versions,
    version_json,
)
from devportal.catalog.review.write_ahead import LOG
from devportal.catalog.spreadsheet import coverage_versions_csv, rate_versions_csv
from devportal.errors import EnvironmentProblem, InvalidSettings, UnreadableInput
from devportal.findings import Level
from devportal.reporting.printable import count_noun


def utc_now() -> datetime:
    """Return the time in UTC, in whole seconds, as in the audit log."""
    return datetime.now(UTC).replace(microsecond=0)


def read_folder(folder: Path, kind: Kind) -> OpenFolder:
    """Return the content of a folder, and print the number of its problems to standard error.

    Raises UnreadableInput if its log, its rate book, or its folder of that kind of record exists and cannot be
    read: it would be shown as empty.
    """
    with open_for_reading(folder, utc_now) as opened:
        if opened.catalog.audit.is_unread:
            raise _unreadable_error(opened, LOG)
        if kind in opened.catalog.unread_kinds:
            raise _unreadable_error(opened, kind, BOOK)
        if opened.findings:
            count = count_noun(len(opened.findings), "problem")
            click.echo(f"{opened.name} has {count}: to list them, run {check_command(opened.name)}", err=True)
        return opened


def _unreadable_error(opened: OpenFolder, *paths: str) -> UnreadableInput:
    """Return the first error about one of these files as the error of the query, which cannot read it."""
    files = [f"{opened.name}/{path}" for path in paths]
    cause = next(
        finding for finding in opened.findings if finding.level is Level.ERROR and finding.place.file in files
    )
    return UnreadableInput(cause.message, place=cause.place, help=cause.help)


def list_versions(selection: Selection, *, records: Path, as_json: bool) -> None:
    """List versions in every state of review, and which ones are public today."""
    opened = read_folder(records, selection.kind)
    versions, book = selection.select(opened.catalog.records), opened.catalog.records.book
    public = public_refs(opened.catalog, opened.at.date())
    if as_json:
        print_json([version_json(version, book, public=public) for version in versions])
    elif versions:
        print_versions(versions, selection.kind, book, public)
    if not versions:
        print_no_match(selection)


def show(selection: Selection, *, records: Path, as_json: bool) -> None:
    """Show versions with all their fields, their content hash and their history."""
    opened = read_folder(records, selection.kind)
    public, book = public_refs(opened.catalog, opened.at.date()), opened.catalog.records.book
    versions_json = []
    for version in selection.select(opened.catalog.records):
        entries = [entry for entry in opened.catalog.audit.entries if entry.record == version.ref]
        if as_json:
            history = [entry_json(entry) for entry in entries]
            versions_json.append({**version_json(version, book, public=public), "history": history})
        else:
            print_version(version, book, public=public)
            print_entries(entries) if entries else click.echo(
                "The audit log does not know this version.", err=True
            )
    if as_json:
        print_json(versions_json)


def diff(selection: Selection, *, records: Path, as_json: bool) -> None:
    """Compare two versions, or the public version of a record with the named one."""
    opened = read_folder(records, selection.kind)
    *earlier, later = (
        find_versions(opened.catalog.records, selection.kind, [name])[0] for name in selection.names[:2]
    )
    public = public_terms(opened.catalog, selection.kind, opened.at.date())
    before = earlier[0].terms if earlier else public.get(later.terms.id)
    changes = differences(before, later.terms, opened.catalog.records.book)
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
        print_differences(changes, before=_terms_name(before), after=str(later.ref))
    else:
        click.echo(f"{_terms_name(before)} and {later.ref} say the same.", err=True)


def export(selection: Selection, *, records: Path, output: Path | None, excel: bool) -> None:
    """Export versions as CSV for 'import'. For internal use only.

    Includes versions in every state, with their notes.
    """
    records_in_folder = read_folder(records, selection.kind).catalog.records
    versions = selection.select(records_in_folder)
    text = versions_csv(versions, selection.kind, records_in_folder.book).encode(
        "utf-8-sig" if excel else "utf-8"
    )
    if not versions:
        print_no_match(selection)
    if output is None:
        sys.stdout.buffer.write(text)
        return
    try:
        output.write_bytes(text)
    except OSError as error:
        message = f"{output}: this file cannot be written: {error.strerror or error}"
        raise EnvironmentProblem(message, help="check the path and its permissions") from error
    click.echo(f"{len(versions):,} {selection.kind} in {output}", err=True)


def versions_csv(versions: Iterable[AnyVersion], kind: Kind, book: Book) -> str:
    """Return versions of a kind as CSV."""
    if kind is Kind.RATE:
        return rate_versions_csv((version for version in versions if is_rate(version)), book)
    return coverage_versions_csv((version for version in versions if is_coverage(version)), book)


def is_rate(version: AnyVersion) -> TypeGuard[RateVersion]:
    """Say whether a version belongs to a rate."""
    return isinstance(version.terms, RateTerms)


def is_coverage(version: AnyVersion) -> TypeGuard[CoverageVersion]:
    """Say whether a version belongs to a coverage record."""
    return isinstance(version.terms, CoverageTerms)


def print_no_match(selection: Selection) -> None:
    """Print that no version matches."""
    click.echo(f"No {selection.kind} fit{'s' if selection.kind is Kind.COVERAGE else ''}.", err=True)


def public_refs(catalog: Catalog, today: date) -> frozenset[RecordRef]:
    """Return the versions that are public on a day."""
    public = published(catalog.records, catalog.audit, today)
    rates, coverage = (
        (rate.terms.ref for rate in public.rates),
        (covered.terms.ref for covered in public.coverage),
    )
    return frozenset([*rates, *coverage])


def public_terms(catalog: Catalog, kind: Kind, today: date) -> Mapping[str, Terms]:
    """Return the public version of each record of a kind on a day, by the record's id."""
    public = published(catalog.records, catalog.audit, today)
    if kind is Kind.RATE:
        return {rate.terms.id: rate.terms for rate in public.rates}
    return {covered.terms.id: covered.terms for covered in public.coverage}


def _terms_name(terms: Terms | None) -> str:
    return str(terms.ref) if terms else "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFilter:
    """Which entries to list. An empty value matches all. Both days are included, in UTC."""

    kind: Kind
    names: Sequence[str] = ()
    actors: Sequence[str] = ()
    since: date = date.min
    until: date = date.max

    def matches(self, entry: AuditEntry) -> bool:
        """Say whether an entry matches."""
        return (
            entry.record.kind is self.kind
            and (not self.actors or entry.actor in self.actors)
            and self.since <= entry.at.date() <= self.until
            and (not self.names or any(name in _names(entry.record) for name in self.names))
        )


def list_entries(log_filter: LogFilter, *, records: Path, as_json: bool) -> None:
    """Show the audit log, oldest first, including denied attempts."""
    catalog = read_folder(records, log_filter.kind).catalog
    refs = {entry.record for entry in catalog.audit.entries} | {
        version.ref for version in catalog.records.all()
    }
    _refuse_unknown(log_filter, frozenset(refs))
    entries = [entry for entry in catalog.audit.entries if log_filter.matches(entry)]
    if as_json:
        print_json([entry_json(entry) for entry in entries])
    elif entries:
        print_entries(entries, with_records=True)
    if not entries:
        click.echo("No entries fit.", err=True)


def _refuse_unknown(log_filter: LogFilter, refs: frozenset[RecordRef]) -> None:
    """Raise InvalidSettings for a name that neither a record nor the log has."""
    names = {name for ref in refs if ref.kind is log_filter.kind for name in _names(ref)}
    for name in log_filter.names:
        if name not in names:
            raise InvalidSettings(
                f"{name!r} names nothing on the log or in the records",
                help=f"write an id, or id, @ and number; devportal {log_filter.kind} list shows what there is",
            )


def _names(ref: RecordRef) -> tuple[str, str, str]:
    return ref.id, f"{ref.id}@{ref.version}", str(ref)
