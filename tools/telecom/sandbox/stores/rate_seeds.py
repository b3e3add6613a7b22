"""The rate versions of a new database: the project's records, and those that examples name."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import sqlalchemy as sa

from devportal.catalog import AuditEntry, Catalog, RateVersion, content_sha256
from devportal.catalog.audit.history import trusted_histories
from devportal.catalog.audit.lifecycle import Action, History, State
from telecom.rates import terms_json
from telecom.sandbox.api.operations import SeedContext
from telecom.sandbox.stores.audit_trail import add_entries
from telecom.sandbox.stores.rate_review import RateReview
from telecom.sandbox.stores.rate_versions import (
    RATE_VERSIONS,
    NewVersion,
    StoredVersion,
    add_versions,
    change_version,
    derived_id,
    fields_from_body,
    find_version,
    read_version_json,
)


def import_rates(connection: sa.Connection, catalog: Catalog) -> None:
    """Add the rates that the database does not have, if the log of the records explains them."""
    stored_rate_ids = set(connection.execute(sa.select(RATE_VERSIONS.c.rate_id).distinct()).scalars())
    versions = {
        version.ref: version
        for version in _versions_in_log(catalog)
        if version.terms.id not in stored_rate_ids
    }
    entries = [entry for entry in catalog.audit.entries if entry.record in versions and not entry.denied]
    steps = {ref: dict[Action, AuditEntry]() for ref in versions}
    for entry in add_entries(connection, entries):
        steps[entry.record][entry.action] = entry
    add_versions(connection, (_new_version(version, steps[ref]) for ref, version in versions.items()))


def _versions_in_log(catalog: Catalog) -> Iterator[RateVersion]:
    """Yield the versions whose state and content agree with a valid log."""
    trusted = trusted_histories(catalog.records, catalog.audit)
    for version in catalog.records.rates:
        history = trusted.get(version.ref, History())
        matches_log = (history.state, history.content_sha256) == (
            version.status,
            content_sha256(version.terms),
        )
        if matches_log and not history.findings:
            yield version


def _new_version(version: RateVersion, steps: Mapping[Action, AuditEntry]) -> NewVersion:
    """Return a version with the latest entry of each action on it."""
    terms = version.terms
    created, approved = steps[Action.CREATE], steps.get(Action.APPROVE)
    return NewVersion(
        id=derived_id(version.ref),
        status=version.status,
        terms=terms,
        record=fields_from_body(terms.id, terms.version, terms_json(terms), sample=terms.sample),
        created_at=created.at,
        created_by=created.actor,
        approved_at=approved.at if approved is not None else None,
        approved_by=approved.actor if approved is not None else None,
    )


_STATE_BY_OPERATION = {
    "retrieveRateVersion": State.SUBMITTED,
    "reviseRateVersion": State.DRAFT,
    "submitRateVersion": State.DRAFT,
    "approveRateVersion": State.SUBMITTED,
    "rejectRateVersion": State.SUBMITTED,
    "activateRateVersion": State.APPROVED,
    "withdrawRateVersion": State.ACTIVE,
}
"""The state of the sample of each operation."""


def make_rate_samples(connection: sa.Connection, context: SeedContext) -> None:
    """Make the samples that are missing or were used."""
    for example, state in _examples(context):
        sample = find_version(connection, example["id"])
        if sample is not None and _is_fresh(sample, state, context.now.date()):
            continue
        if sample is not None:
            change_version(connection, sample.id, id=derived_id(sample.ref))
        _make_sample(connection, context, example, state)


def _examples(context: SeedContext) -> Iterator[tuple[Mapping[str, Any], State]]:
    for operation_id, state in _STATE_BY_OPERATION.items():
        for example in context.example_bodies(operation_id):
            yield example, state


def _is_fresh(version: StoredVersion, state: State, today: date) -> bool:
    """Return whether a sample is unused: nobody may approve a version whose first day is over."""
    return version.status is state and (state is not State.SUBMITTED or version.terms.effective_from >= today)


def _make_sample(
    connection: sa.Connection, context: SeedContext, example: Mapping[str, Any], state: State
) -> None:
    """Make a sample with the example's terms, effective today at the earliest, and bring it to its state."""

    def review(role: str) -> RateReview:
        return RateReview(
            connection=connection,
            machines=context.machines,
            actor=f"sample.{role}",
            now=context.now,
        )

    effective_from = max(example["effective_from"], context.now.date().isoformat())
    body = {**example, "effective_from": effective_from}
    review("editor").draft(example["id"], example["rate_id"], body)
    if state in {State.SUBMITTED, State.APPROVED, State.ACTIVE}:
        review("editor").submit(example["id"])
    if state in {State.APPROVED, State.ACTIVE}:
        digest = read_version_json(connection, example["id"])["content_sha256"]
        review("approver").approve(example["id"], "Sample record", read_sha256=digest)
    if state is State.ACTIVE:
        review("publisher").activate(example["id"])
