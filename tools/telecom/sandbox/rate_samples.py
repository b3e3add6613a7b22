"""The rate versions that the contract's examples name, made at each start in the state that their operation
takes them in, so that each sample of the reference does what it shows.

They go through the review like any other version. A sample that was used is no longer in that state: it gets
an identifier of its own and stays on the audit log, and a new version takes its place. That one has another
content hash, so the sample of the approval can be copied word by word once in each database.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import sqlalchemy as sa

from devportal.catalog.lifecycle import State
from telecom.sandbox.rate_review import Review
from telecom.sandbox.rate_versions import (
    StoredVersion,
    change_version,
    derived_id,
    find_version,
    shown_version,
)
from telecom.sandbox.resource import Seeding

_TAKES = {
    "retrieveRateVersion": State.SUBMITTED,
    "reviseRateVersion": State.DRAFT,
    "submitRateVersion": State.DRAFT,
    "approveRateVersion": State.SUBMITTED,
    "rejectRateVersion": State.SUBMITTED,
    "activateRateVersion": State.APPROVED,
    "withdrawRateVersion": State.ACTIVE,
}
"""The state of the sample of each operation."""


def make_samples(connection: sa.Connection, seeding: Seeding) -> None:
    """Make the samples that are missing or were used."""
    for example, state in _examples(seeding):
        kept = find_version(connection, example["id"])
        if kept is not None and _is_fresh(kept, state, seeding.now.date()):
            continue
        if kept is not None:
            change_version(connection, kept.id, id=derived_id(kept.ref))
        _make(connection, seeding, example, state)


def _examples(seeding: Seeding) -> Iterator[tuple[Mapping[str, Any], State]]:
    for operation_id, state in _TAKES.items():
        for example in seeding.shown(operation_id):
            yield example, state


def _is_fresh(version: StoredVersion, state: State, today: date) -> bool:
    """Say whether a sample is as it was made: nobody may approve a version whose first day is over."""
    return version.status is state and (state is not State.SUBMITTED or version.terms.effective_from >= today)


def _make(connection: sa.Connection, seeding: Seeding, example: Mapping[str, Any], state: State) -> None:
    """Make a sample with the terms that are shown, or from today on, and bring it to its state."""

    def review(role: str) -> Review:
        return Review(
            connection=connection,
            machines=seeding.machines,
            actor=f"sample.{role}",
            now=seeding.now,
        )

    begins = max(example["effective_from"], seeding.now.date().isoformat())
    body = {**example, "effective_from": begins}
    review("editor").draft(example["id"], example["rate_id"], body)
    if state in {State.SUBMITTED, State.APPROVED, State.ACTIVE}:
        review("editor").submit(example["id"])
    if state in {State.APPROVED, State.ACTIVE}:
        read = shown_version(connection, example["id"])["content_sha256"]
        review("approver").approve(example["id"], "Sample record", read_sha256=read)
    if state is State.ACTIVE:
        review("publisher").activate(example["id"])
