"""Rate versions in the database, in every state of review.

They belong to the platform, not to an account: there is one price list (decision 0024). Terms are stored as
the fields of a record, and read by the reader of records.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from devportal.catalog import RateVersion, content_sha256
from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.fields import Fields
from devportal.catalog.records.parsing import rate_terms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.text import Source, Version
from devportal.catalog.records.version_ref import RecordRef
from devportal.documents import parse_document
from devportal.findings import Finding
from telecom.rates import rate_book, record_fields, terms_json
from telecom.sandbox.database.tables import METADATA, UtcTime
from telecom.times import format_rfc3339

RATE_VERSIONS = sa.Table(
    "rate_versions",
    METADATA,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("record", sa.String(100), nullable=False, unique=True),
    sa.Column("rate_id", sa.String(80), nullable=False, index=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("country", sa.String(2), nullable=False),
    sa.Column("status", sa.String(16), nullable=False, index=True),
    sa.Column("terms", sa.Text, nullable=False),
    sa.Column("content_sha256", sa.String(64), nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("created_by", sa.String(80), nullable=False),
    sa.Column("approved_at", UtcTime),
    sa.Column("approved_by", sa.String(80)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVersion:
    """A version as the database holds it; its `findings` keep it from being submitted."""

    id: str
    status: State
    terms: RateTerms
    source: Source
    findings: tuple[Finding, ...]

    @property
    def ref(self) -> RecordRef:
        """Return the reference of the version in the audit log."""
        return self.terms.ref

    @property
    def record(self) -> RateVersion:
        """Return the version as the publication gate takes it."""
        return Version(terms=self.terms, status=self.status, source=self.source)


def make_stored_version(id: str, status: State, record: Mapping[str, Any]) -> StoredVersion:  # noqa: A002 - the column
    """Return a version of the fields of its record, `id` and `version` of the rate included."""
    name = f"{record['id']}@{record['version']}.json"
    source = Source(document=parse_document(json.dumps(record), name=name), pointer=())
    fields = Fields(data=dict(record), source=source)
    terms = rate_terms(fields, rate_book())
    return StoredVersion(id=id, status=status, terms=terms, source=source, findings=tuple(fields.findings))


def fields_from_body(
    rate_id: str, version: int, body: Mapping[str, Any], *, sample: bool = True
) -> dict[str, Any]:
    """Return the fields of the record that a body describes. By default it is a sample, as everything made in
    a sandbox."""
    sample_field = "yes" if sample else "no"
    return {"id": rate_id, "version": str(version), "sample": sample_field, **record_fields(body)}


def derived_id(ref: RecordRef) -> str:
    """Return the identifier of a version that got none when it was drafted: the same at every start."""
    return f"rv_{hashlib.sha256(str(ref).encode()).hexdigest()[:26]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """A version to be stored, with the fields of its record and who wrote and approved it."""

    id: str
    status: State
    terms: RateTerms
    record: Mapping[str, Any]
    created_at: datetime
    created_by: str
    approved_at: datetime | None = None
    approved_by: str | None = None

    def row(self) -> dict[str, Any]:
        """Return the columns."""
        terms = self.terms
        return {
            "id": self.id,
            "record": str(terms.ref),
            "rate_id": terms.id,
            "version": terms.version,
            "country": terms.market,
            "status": self.status.value,
            "terms": json.dumps(self.record),
            "content_sha256": content_sha256(terms),
            "created_at": self.created_at,
            "created_by": self.created_by,
            "approved_at": self.approved_at,
            "approved_by": self.approved_by,
        }


def add_versions(connection: sa.Connection, versions: Iterable[NewVersion]) -> None:
    """Store versions, in one statement for all."""
    if rows := [version.row() for version in versions]:
        connection.execute(sa.insert(RATE_VERSIONS), rows)


def change_version(connection: sa.Connection, version_id: str, **changes: Any) -> None:
    """Change columns of a version."""
    connection.execute(sa.update(RATE_VERSIONS).where(RATE_VERSIONS.c.id == version_id).values(**changes))


def find_version(connection: sa.Connection, version_id: str) -> StoredVersion | None:
    """Return a version, None if there is none."""
    query = sa.select(RATE_VERSIONS).where(RATE_VERSIONS.c.id == version_id)
    row = connection.execute(query).mappings().first()
    return _version_from_row(row) if row is not None else None


def active_versions(connection: sa.Connection, *, country: str | None = None) -> Sequence[StoredVersion]:
    """Return the active versions, only those of a country if one is given."""
    query = sa.select(RATE_VERSIONS).where(RATE_VERSIONS.c.status == State.ACTIVE.value)
    if country is not None:
        query = query.where(RATE_VERSIONS.c.country == country)
    return [_version_from_row(row) for row in connection.execute(query).mappings()]


def highest_version(connection: sa.Connection, rate_id: str) -> int:
    """Return the highest number of a version of a rate, 0 if it has none."""
    query = sa.select(sa.func.max(RATE_VERSIONS.c.version)).where(RATE_VERSIONS.c.rate_id == rate_id)
    return connection.execute(query).scalar() or 0


def version_json(row: sa.RowMapping) -> dict[str, Any]:
    """Return a row as the schema `RateVersion` has it."""
    terms = _version_from_row(row).terms
    return {
        "id": row["id"],
        "rate_id": terms.id,
        "version": terms.version,
        "status": row["status"],
        **terms_json(terms),
        "sample": terms.sample,
        "content_sha256": row["content_sha256"],
        "created_at": format_rfc3339(row["created_at"]),
        "created_by": row["created_by"],
        "approved_at": format_rfc3339(row["approved_at"]) if row["approved_at"] is not None else None,
        "approved_by": row["approved_by"],
    }


def read_version_json(connection: sa.Connection, version_id: str) -> dict[str, Any]:
    """Return a version that exists as the schema `RateVersion` has it."""
    query = sa.select(RATE_VERSIONS).where(RATE_VERSIONS.c.id == version_id)
    return version_json(connection.execute(query).mappings().one())


def _version_from_row(row: sa.RowMapping) -> StoredVersion:
    return make_stored_version(row["id"], State(row["status"]), json.loads(row["terms"]))
