"""The lifecycle of a record: its states, what moves it between them, and who may.

    draft → submitted → approved → active → superseded | withdrawn
      ↑         ↓
      └──── rejected

An approved version that never became active can be withdrawn too: otherwise nothing could end it.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from devportal.findings import Finding


class State(StrEnum):
    """The state of a version in its review."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    REJECTED = "rejected"
    APPROVED = "approved"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


class Action(StrEnum):
    """An action on a version. Each is one entry of the audit log."""

    CREATE = "create"
    EDIT = "edit"
    SUBMIT = "submit"
    APPROVE = "approve"
    REJECT = "reject"
    REVISE = "revise"
    ACTIVATE = "activate"
    SUPERSEDE = "supersede"
    WITHDRAW = "withdraw"


class Role(StrEnum):
    """The roles of the review."""

    EDITOR = "editor"
    APPROVER = "approver"
    PUBLISHER = "publisher"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """One action: its source states (None: there is no record yet), its target state, and the role it needs."""

    action: Action
    sources: frozenset[State | None]
    target: State
    role: Role
    writes: bool = False
    """Whether the action changes content; every other action must name the content it found."""


def _transition(
    action: Action, sources: set[State | None], target: State, role: Role, *, writes: bool = False
) -> tuple[Action, Transition]:
    transition = Transition(
        action=action, sources=frozenset(sources), target=target, role=role, writes=writes
    )
    return action, transition


TRANSITIONS = dict(
    (
        _transition(Action.CREATE, {None}, State.DRAFT, Role.EDITOR, writes=True),
        _transition(Action.EDIT, {State.DRAFT}, State.DRAFT, Role.EDITOR, writes=True),
        _transition(Action.SUBMIT, {State.DRAFT}, State.SUBMITTED, Role.EDITOR, writes=True),
        _transition(Action.APPROVE, {State.SUBMITTED}, State.APPROVED, Role.APPROVER),
        _transition(Action.REJECT, {State.SUBMITTED}, State.REJECTED, Role.APPROVER),
        _transition(Action.REVISE, {State.REJECTED}, State.DRAFT, Role.EDITOR, writes=True),
        _transition(Action.ACTIVATE, {State.APPROVED}, State.ACTIVE, Role.PUBLISHER),
        _transition(Action.SUPERSEDE, {State.ACTIVE}, State.SUPERSEDED, Role.PUBLISHER),
        _transition(Action.WITHDRAW, {State.APPROVED, State.ACTIVE}, State.WITHDRAWN, Role.PUBLISHER),
    )
)
"""The effect of each action. `SUBMIT` writes: it names the content that the file holds at that time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The result of the entries of one version. A history with `findings` cannot be trusted."""

    state: State | None = None
    content_sha256: str = ""
    """The content named by the latest entry."""
    pinned_sha256: str = ""
    """The content that was approved; empty if none was."""
    approved_at: datetime | None = None
    activated_at: datetime | None = None
    ended_at: datetime | None = None
    """When the version was superseded or withdrawn."""
    writers: frozenset[str] = frozenset()
    """Who wrote or submitted the version: they may not approve it."""
    findings: tuple[Finding, ...] = field(default=())
