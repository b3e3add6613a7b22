"""The lifecycle of a record: its states, what moves it between them, and who may.

    draft → submitted → approved → active → superseded | withdrawn
      ↑         ↓
      └──── rejected

An approved version that never became active can be withdrawn too: otherwise nothing could end it.
"""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """Where a version stands in its review."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    REJECTED = "rejected"
    APPROVED = "approved"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


class Action(StrEnum):
    """What is done to a version; each is one entry of the audit log."""

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
    """What somebody may do."""

    EDITOR = "editor"
    APPROVER = "approver"
    PUBLISHER = "publisher"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """One action: the states it may start from (None: there is no record yet), where it ends, who may."""

    action: Action
    sources: frozenset[State | None]
    target: State
    role: Role
    writes: bool = False
    """Whether the action changes content; every other action must name the content it found."""


def _transition(
    action: Action, sources: set[State | None], target: State, role: Role, *, writes: bool = False
) -> tuple[Action, Transition]:
    transition = Transition(action=action, sources=frozenset(sources), target=target, role=role, writes=writes)
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
"""What each action does. `SUBMIT` writes: it names the content as the file then holds it."""
