"""What is public in a sandbox: the records of the project, and the rate versions that were activated here.

Both come through the publication gate, each with its own audit log, and by no other way.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

import sqlalchemy as sa

from devportal.catalog import (
    Catalog,
    Published,
    PublishedCoverage,
    PublishedRate,
    Records,
    published,
)
from telecom.rates import coverage_key, rate_key
from telecom.sandbox.audit_trail import audit_log, last_entry_id
from telecom.sandbox.rate_versions import active_versions


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicLists:
    """What anybody may see on one day, in the order of the lists."""

    rates: Sequence[PublishedRate] = field(default=())
    coverage: Sequence[PublishedCoverage] = field(default=())


class PublicRecords:
    """Answers what is public, and computes it only when the day or the audit log has changed."""

    def __init__(self, catalog: Catalog) -> None:
        """Take the records of the project with their log."""
        self.catalog = catalog
        self._of_project: Published | None = None
        self._kept: tuple[tuple[date, str | None], PublicLists] | None = None

    def on(self, connection: sa.Connection, today: date) -> PublicLists:
        """Return what is public on the day `today` (UTC), as the transaction sees it."""
        state = (today, last_entry_id(connection))
        kept = self._kept
        if kept is None or kept[0] != state:
            kept = (state, self._lists(connection, today))
            self._kept = kept
        return kept[1]

    def _lists(self, connection: sa.Connection, today: date) -> PublicLists:
        project, here = self._project(today), _activated_here(connection, today)
        return PublicLists(
            rates=sorted((*project.rates, *here.rates), key=rate_key),
            coverage=sorted(project.coverage, key=coverage_key),
        )

    def _project(self, today: date) -> Published:
        found = self._of_project
        if found is None or found.on != today:
            found = published(self.catalog.records, self.catalog.audit, today)
            self._of_project = found
        return found


def _activated_here(connection: sa.Connection, today: date) -> Published:
    """Return what the database makes public; the whole log is replayed, for it has to be sound as a whole."""
    records = Records(rates=tuple(version.record for version in active_versions(connection)))
    return published(records, audit_log(connection), today)
