"""`log`: the entries of the audit log, all of one kind of record or those that are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import click

from devportal.catalog import AuditEntry
from devportal.catalog.ref import Kind, RecordRef
from devportal.errors import InvalidSettings
from devportal.review.queries import read
from devportal.review.showing import entry_json, print_entries, print_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which entries are asked for: what is empty asks for all. Both days count, in UTC."""

    kind: Kind
    names: Sequence[str] = ()
    actors: Sequence[str] = ()
    since: date = date.min
    until: date = date.max

    def takes(self, entry: AuditEntry) -> bool:
        """Say whether an entry is asked for."""
        return (
            entry.record.kind is self.kind
            and (not self.actors or entry.actor in self.actors)
            and self.since <= entry.at.date() <= self.until
            and (not self.names or any(name in _names(entry.record) for name in self.names))
        )


def list_entries(wanted: Wanted, *, records: Path, as_json: bool) -> None:
    """Show the entries of the audit log, the oldest first, with what was denied."""
    catalog = read(records, wanted.kind).catalog
    known = {one.record for one in catalog.audit.entries} | {one.ref for one in catalog.records.all()}
    _refuse_unknown(wanted, frozenset(known))
    entries = [entry for entry in catalog.audit.entries if wanted.takes(entry)]
    if as_json:
        print_json([entry_json(entry) for entry in entries])
    elif entries:
        print_entries(entries, with_records=True)
    if not entries:
        click.echo("No entries fit.", err=True)


def _refuse_unknown(wanted: Wanted, known: frozenset[RecordRef]) -> None:
    """Raise InvalidSettings for a name that neither a record nor the log has."""
    names = {name for ref in known if ref.kind is wanted.kind for name in _names(ref)}
    for name in wanted.names:
        if name not in names:
            raise InvalidSettings(
                f"{name!r} names nothing on the log or in the records",
                help=f"write an id, or id, @ and number; devportal {wanted.kind} list shows what there is",
            )


def _names(ref: RecordRef) -> tuple[str, str, str]:
    return ref.id, f"{ref.id}@{ref.version}", str(ref)
