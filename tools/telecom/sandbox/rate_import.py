"""The price list of the project's records, with which a database starts.

Versions come in every state of review and with their entries of the audit log, so that they can be approved,
superseded and withdrawn like what is drafted here. From then on the database goes its own way: a rate that it
knows is not read again, and new records under `data/` for such a rate need a new database.
"""

from collections.abc import Iterator, Mapping

import sqlalchemy as sa

from devportal.catalog import AuditEntry, Catalog, RateVersion, content_sha256
from devportal.catalog.history import History, trusted_histories
from devportal.catalog.lifecycle import Action
from telecom.rates import terms_json
from telecom.sandbox.audit_trail import add_entries
from telecom.sandbox.rate_versions import RATE_VERSIONS, NewVersion, add_versions, derived_id, fields_of


def import_rates(connection: sa.Connection, catalog: Catalog) -> None:
    """Add the rates that the database does not know, as far as the log of the records explains them."""
    known = set(connection.execute(sa.select(RATE_VERSIONS.c.rate_id).distinct()).scalars())
    versions = {one.ref: one for one in _explained(catalog) if one.terms.id not in known}
    entries = [entry for entry in catalog.audit.entries if entry.record in versions and not entry.denied]
    steps = {ref: dict[Action, AuditEntry]() for ref in versions}
    for entry in add_entries(connection, entries):
        steps[entry.record][entry.action] = entry
    add_versions(connection, (_imported(version, steps[ref]) for ref, version in versions.items()))


def _explained(catalog: Catalog) -> Iterator[RateVersion]:
    """Yield the versions whose state and content are those of a sound log, each written down once."""
    known = trusted_histories(catalog.records, catalog.audit)
    for version in catalog.records.rates:
        history = known.get(version.ref, History())
        is_told = (history.state, history.content_sha256) == (version.status, content_sha256(version.terms))
        if is_told and not history.faults:
            yield version


def _imported(version: RateVersion, steps: Mapping[Action, AuditEntry]) -> NewVersion:
    """Return a version with the latest entry of each action on it."""
    terms = version.terms
    created, approved = steps[Action.CREATE], steps.get(Action.APPROVE)
    return NewVersion(
        id=derived_id(version.ref),
        status=version.status,
        terms=terms,
        record=fields_of(terms.id, terms.version, terms_json(terms), sample=terms.sample),
        created_at=created.at,
        created_by=created.actor,
        approved_at=approved.at if approved is not None else None,
        approved_by=approved.actor if approved is not None else None,
    )
