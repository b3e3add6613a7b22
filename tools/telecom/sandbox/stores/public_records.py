"""The public records of a sandbox: the active rate versions, and the project's coverage records.

Both come only through the publication gate, each with its own audit log. Rates start as imported from the
records (`rate_seeds`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

import sqlalchemy as sa

from devportal.catalog import (
    Catalog,
    PublishedCoverage,
    PublishedRate,
    Records,
    published,
)
from telecom.rates import coverage_sort_key, rate_book, rate_sort_key
from telecom.sandbox.stores.audit_trail import audit_log, last_entry_id
from telecom.sandbox.stores.rate_versions import active_versions


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicLists:
    """The public records of one day, in the order of the lists."""

    rates: Sequence[PublishedRate] = field(default=())
    coverage: Sequence[PublishedCoverage] = field(default=())


class PublicRecords:
    """Returns the public records, and computes them only when the day or the audit log has changed."""

    def __init__(self, catalog: Catalog) -> None:
        """Take the records of the project with their log."""
        self._coverage = Catalog(
            records=Records(book=catalog.records.book, coverage=catalog.records.coverage), audit=catalog.audit
        )
        self._cached: tuple[tuple[date, str | None], PublicLists] | None = None

    def on(self, connection: sa.Connection, today: date) -> PublicLists:
        """Return the public records of the day `today` (UTC), as the transaction sees them."""
        state = (today, last_entry_id(connection))
        cached = self._cached
        if cached is None or cached[0] != state:
            cached = (state, self._read_lists(connection, today))
            self._cached = cached
        return cached[1]

    def _read_lists(self, connection: sa.Connection, today: date) -> PublicLists:
        coverage = published(self._coverage.records, self._coverage.audit, today).coverage
        return PublicLists(
            rates=sorted(_public_rates(connection, today), key=rate_sort_key),
            coverage=sorted(coverage, key=coverage_sort_key),
        )


def _public_rates(connection: sa.Connection, today: date) -> Sequence[PublishedRate]:
    """Return the public rates; the whole log is replayed, because it must be valid as a whole."""
    records = Records(
        book=rate_book(), rates=tuple(version.record for version in active_versions(connection))
    )
    return published(records, audit_log(connection), today).rates
