"""The review steps of a rate version from draft to public, by the lifecycle of `devportal.catalog`.

Each step is one write to the version and one entry of the audit log, in the given transaction. Each rule that
forbids a step has its own problem; the log would refuse the rest.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa

from devportal.catalog import content_sha256
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, State
from devportal.catalog.audit.rules import (
    Objection,
    Rule,
    approval_objection,
    step_objection,
    versions_to_supersede,
)
from devportal.catalog.records.rate import RateTerms
from telecom.problems import ErrorDetail, ProblemKind
from telecom.rates import rate_book
from telecom.sandbox.api.exchange import RequestRefused
from telecom.sandbox.stores.audit_trail import append_entry, history_of
from telecom.sandbox.stores.rate_versions import (
    NewVersion,
    StoredVersion,
    active_versions,
    add_versions,
    change_version,
    fields_from_body,
    find_version,
    highest_version,
    make_stored_version,
)
from telecom.states import StateMachines

_MACHINE = "RateVersionStatus"


@dataclass(frozen=True, slots=True, kw_only=True)
class RateReview:
    """A review by an actor at a time, in a transaction."""

    connection: sa.Connection
    machines: StateMachines
    actor: str
    now: datetime

    def draft(self, version_id: str, rate_id: str, body: Mapping[str, Any]) -> None:
        """Create the next version of a rate, with the terms of a body."""
        number = 1 + highest_version(self.connection, rate_id)
        record = fields_from_body(rate_id, number, body)
        version = make_stored_version(version_id, State.DRAFT, record)
        new_version = NewVersion(
            id=version.id,
            status=version.status,
            terms=version.terms,
            record=record,
            created_at=self.now,
            created_by=self.actor,
        )
        add_versions(self.connection, (new_version,))
        self._log(version, Action.CREATE)

    def revise(self, version_id: str, body: Mapping[str, Any]) -> None:
        """Change the terms of a draft or a rejected version."""
        version = self._find(version_id)
        action = Action.REVISE if version.status is State.REJECTED else Action.EDIT
        if version.status not in {State.DRAFT, State.REJECTED}:
            raise _wrong_state(version, "a change", {State.DRAFT, State.REJECTED})
        record = fields_from_body(version.terms.id, version.terms.version, body)
        revised = make_stored_version(version_id, State.DRAFT, record)
        change_version(
            self.connection,
            version_id,
            terms=json.dumps(record),
            country=revised.terms.market,
            content_sha256=content_sha256(revised.terms),
        )
        self._move(version, action, terms=revised.terms)

    def submit(self, version_id: str) -> None:
        """Submit a draft; raises RequestRefused if its terms are not valid."""
        version = self._require_state(version_id, Action.SUBMIT)
        if version.findings:
            raise _faulty_draft(version)
        self._move(version, Action.SUBMIT)

    def approve(self, version_id: str, reason: str, *, read_sha256: str) -> None:
        """Approve content that the actor has read and somebody else wrote, on or before its first day."""
        version = self._require_state(version_id, Action.APPROVE)
        objection = approval_objection(
            version.terms,
            history_of(self.connection, version.ref),
            actor=self.actor,
            read_sha256=read_sha256,
            today=self.now.date(),
        )
        if objection is not None:
            raise _objection_problem(objection, version)
        self._move(version, Action.APPROVE, reason)
        change_version(self.connection, version_id, approved_at=self.now, approved_by=self.actor)

    def reject(self, version_id: str, reason: str) -> None:
        """Reject a submitted version."""
        self._move(self._require_state(version_id, Action.REJECT), Action.REJECT, reason)

    def activate(self, version_id: str) -> None:
        """Publish an approved version, in place of the active version of its rate."""
        version = self._require_state(version_id, Action.ACTIVATE)
        for predecessor in self._predecessors(version):
            self._move(predecessor, Action.SUPERSEDE, f"Replaced by {version.ref}.")
        self._move(version, Action.ACTIVATE)

    def withdraw(self, version_id: str, reason: str) -> None:
        """End an approved or active version."""
        self._move(self._require_state(version_id, Action.WITHDRAW), Action.WITHDRAW, reason)

    def _predecessors(self, version: StoredVersion) -> Iterable[StoredVersion]:
        """Return the versions that an activation replaces; raises RequestRefused if there would be two prices
        on one day."""
        active = {
            active_version.terms.ref: active_version
            for active_version in active_versions(self.connection, country=version.terms.market)
        }
        terms = (stored_version.terms for stored_version in active.values())
        replaced, objection = versions_to_supersede(
            version.terms, terms, book=rate_book(), today=self.now.date()
        )
        if objection is not None:
            raise _objection_problem(objection, version)
        return [active[rate_terms.ref] for rate_terms in replaced]

    def _require_state(self, version_id: str, action: Action) -> StoredVersion:
        """Return a version in the state that an action needs; raises RequestRefused (404, 409)."""
        version = self._find(version_id)
        objection = step_objection(version.ref, version.status, action)
        if objection is not None:
            raise _objection_problem(objection, version)
        return version

    def _find(self, version_id: str) -> StoredVersion:
        version = find_version(self.connection, version_id)
        if version is None:
            raise RequestRefused(ProblemKind.NOT_FOUND, f"There is no rate version {version_id!r}.")
        return version

    def _move(
        self, version: StoredVersion, action: Action, reason: str = "", *, terms: RateTerms | None = None
    ) -> None:
        status = self.machines.step(_MACHINE, version.status, TRANSITIONS[action].target)
        change_version(self.connection, version.id, status=status)
        self._log(version, action, reason, terms=terms)

    def _log(
        self, version: StoredVersion, action: Action, reason: str = "", *, terms: RateTerms | None = None
    ) -> None:
        append_entry(
            self.connection,
            at=self.now,
            actor=self.actor,
            action=action,
            record=version.ref,
            content_sha256=content_sha256(terms or version.terms),
            reason=reason,
        )


_KINDS = MappingProxyType(
    {
        Rule.STATE: ProblemKind.STATE_CONFLICT,
        Rule.FOUR_EYES: ProblemKind.FOUR_EYES,
        Rule.CONTENT: ProblemKind.CONTENT_CHANGED,
        Rule.BACKDATED: ProblemKind.WINDOW_CONFLICT,
        Rule.OVERLAP: ProblemKind.WINDOW_CONFLICT,
        Rule.EXPIRED: ProblemKind.WINDOW_CONFLICT,
    }
)
"""The problem type of each rule."""


def _objection_problem(objection: Objection, version: StoredVersion) -> RequestRefused:
    """Return the refusal for an objection of the catalog, in whole sentences."""
    if objection.rule is Rule.CONTENT:
        return _content_changed(version, content_sha256(version.terms))
    sentence = f"The version {objection.message}" if objection.rule is Rule.STATE else objection.message
    advice = f" {objection.help[:1].upper()}{objection.help[1:]}." if objection.help else ""
    return RequestRefused(_KINDS[objection.rule], f"{sentence}.{advice}")


def _wrong_state(version: StoredVersion, action: str, sources: Iterable[State]) -> RequestRefused:
    needed = " or ".join(sorted(f"'{state}'" for state in sources))
    return RequestRefused(
        ProblemKind.STATE_CONFLICT,
        f"The version {version.ref} is '{version.status}'; {action} needs {needed}.",
    )


def _content_changed(version: StoredVersion, digest: str) -> RequestRefused:
    return RequestRefused(
        ProblemKind.CONTENT_CHANGED,
        f"The content of {version.ref} is not the one that you name. "
        "Read the version again, and name what you have read.",
        errors=(ErrorDetail(detail=f"The content is {digest}.", pointer="#/content_sha256"),),
    )


def _faulty_draft(version: StoredVersion) -> RequestRefused:
    problems = "; ".join(f"{finding.message} ({finding.help})" for finding in version.findings)
    count = f"{len(version.findings)} problems" if len(version.findings) > 1 else "1 problem"
    return RequestRefused(ProblemKind.FAULTY_DRAFT, f"The draft has {count}: {problems}.")
