"""The steps of a rate version from draft to public, as the lifecycle of `devportal.catalog` has them.

Each step is one write to the version and one entry of the audit log, in the transaction it is given. What
forbids a step is refused with a problem of its own; the log would refuse the rest.
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
    """Who acts when, in which transaction."""

    connection: sa.Connection
    machines: StateMachines
    actor: str
    now: datetime

    def draft(self, version_id: str, rate_id: str, body: Mapping[str, Any]) -> None:
        """Write the next version of a rate, with the terms of a body."""
        number = 1 + highest_version(self.connection, rate_id)
        record = fields_from_body(rate_id, number, body)
        version = make_stored_version(version_id, State.DRAFT, record)
        new = NewVersion(
            id=version.id,
            status=version.status,
            terms=version.terms,
            record=record,
            created_at=self.now,
            created_by=self.actor,
        )
        add_versions(self.connection, (new,))
        self._log(version, Action.CREATE)

    def revise(self, version_id: str, body: Mapping[str, Any]) -> None:
        """Give a draft, or a rejected version, other terms."""
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
        """Hand a draft in; raises Refused where what it says makes no sense."""
        version = self._at(version_id, Action.SUBMIT)
        if version.faults:
            raise _faulty_draft(version)
        self._move(version, Action.SUBMIT)

    def approve(self, version_id: str, reason: str, *, read_sha256: str) -> None:
        """Approve content that was read and that somebody else wrote, before its first day or on it."""
        version = self._at(version_id, Action.APPROVE)
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
        """Send a submitted version back."""
        self._move(self._at(version_id, Action.REJECT), Action.REJECT, reason)

    def activate(self, version_id: str) -> None:
        """Make an approved version public, in place of the version of its rate that holds until now."""
        version = self._at(version_id, Action.ACTIVATE)
        for predecessor in self._predecessors(version):
            self._move(predecessor, Action.SUPERSEDE, f"Replaced by {version.ref}.")
        self._move(version, Action.ACTIVATE)

    def withdraw(self, version_id: str, reason: str) -> None:
        """End an approved or active version."""
        self._move(self._at(version_id, Action.WITHDRAW), Action.WITHDRAW, reason)

    def _predecessors(self, version: StoredVersion) -> Iterable[StoredVersion]:
        """Return what an activation replaces; raises Refused where there would be two prices on one day."""
        active = {
            one.terms.ref: one for one in active_versions(self.connection, country=version.terms.market)
        }
        terms = (one.terms for one in active.values())
        replaced, objection = versions_to_supersede(
            version.terms, terms, book=rate_book(), today=self.now.date()
        )
        if objection is not None:
            raise _objection_problem(objection, version)
        return [active[one.ref] for one in replaced]

    def _at(self, version_id: str, action: Action) -> StoredVersion:
        """Return a version that is where an action starts; raises Refused (404, 409)."""
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
    """Return the problem that says what the catalog objects to, in whole sentences."""
    if objection.rule is Rule.CONTENT:
        return _content_changed(version, content_sha256(version.terms))
    what = f"The version {objection.message}" if objection.rule is Rule.STATE else objection.message
    cure = f" {objection.help[:1].upper()}{objection.help[1:]}." if objection.help else ""
    return RequestRefused(_KINDS[objection.rule], f"{what}.{cure}")


def _wrong_state(version: StoredVersion, action: str, sources: Iterable[State]) -> RequestRefused:
    needed = " or ".join(sorted(f"'{state}'" for state in sources))
    return RequestRefused(
        ProblemKind.STATE_CONFLICT,
        f"The version {version.ref} is '{version.status}'; {action} needs {needed}.",
    )


def _content_changed(version: StoredVersion, found: str) -> RequestRefused:
    return RequestRefused(
        ProblemKind.CONTENT_CHANGED,
        f"The content of {version.ref} is not the one that you name. "
        "Read the version again, and name what you have read.",
        faults=(ErrorDetail(detail=f"The content is {found}.", pointer="#/content_sha256"),),
    )


def _faulty_draft(version: StoredVersion) -> RequestRefused:
    faults = "; ".join(f"{fault.message} ({fault.help})" for fault in version.faults)
    count = f"{len(version.faults)} faults" if len(version.faults) > 1 else "1 fault"
    return RequestRefused(ProblemKind.FAULTY_DRAFT, f"The draft has {count}: {faults}.")
