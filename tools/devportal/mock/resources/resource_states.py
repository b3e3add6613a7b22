"""The states of resources: those that something new begins in, and what actions and changes lead to.

The rules are `x-state-machine`, and plain sentences of descriptions as a conformance run reads them
(`conformance.knowledge.descriptions.described_rules`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from devportal.conformance.knowledge.descriptions.described_rules import (
    forbids_repetition,
    members_with_verb,
    operation_sentences,
)
from devportal.conformance.knowledge.descriptions.described_states import (
    allowed_states,
    initial_state,
    target_state,
)
from devportal.contract import Api, Operation, Schema
from devportal.contract.path_templates import action_name
from devportal.mock.http.exchange import Refused
from devportal.mock.resources.nested_members import resource_members
from devportal.mock.resources.plan import Plan, ResourceType

CONFLICT = (409, 422, 400)
_FIRST_STATES = (
    "draft", "new", "created", "pending", "queued", "open", "submitted", "requested", "received", "placed", "accepted",
    "registered", "scheduled", "todo", "initialized", "started", "active", "enabled",
)  # fmt: skip
"""Names of states that something new is in, if no state machine says it; the earliest first."""
SETTING_VERBS, CLEARING_VERBS = "sets?|fills?", "clears?|removes?|resets?|empties"


class StateRules:
    """The states of the resources of one type."""

    def __init__(self, api: Api, kind: ResourceType, schema: Schema | None) -> None:
        """Take the contract, the type, and the schema of its state, None if it has none."""
        self.kind = kind
        resolved = api.resolve(schema) if schema is not None else None
        values = resolved.enum if resolved is not None else ()
        self.states: tuple[str, ...] = tuple(value for value in values if isinstance(value, str))
        self._machine = kind.machine

    def initial(self, sample: Any) -> Any:
        """Return the state of something new; that of the sample if nothing says it."""
        if self._machine is not None and self._machine.initial:
            return sample if sample in self._machine.initial else self._machine.initial[0]
        sentences = operation_sentences(self.kind.create) if self.kind.create is not None else ()
        if described := initial_state(sentences, self.states):
            return described
        by_name = {state.lower(): state for state in self.states}
        return next((by_name[state] for state in _FIRST_STATES if state in by_name), sample)

    def later_states(self, initial: Any) -> tuple[str, ...]:
        """Return the states that something in its initial one is not in."""
        return tuple(state for state in self.states if state != initial) if initial in self.states else ()

    def refuse_change(
        self, before: Mapping[str, Any], after: Mapping[str, Any], operation: Operation
    ) -> None:
        """Raise Refused if a change is not allowed in the state of a resource, or leads to one that is not."""
        source, target = before.get(self.kind.state), after.get(self.kind.state)
        self.refuse_in_state(source, operation)
        is_step = source in self.states and target in self.states and source != target
        if self._machine is not None and is_step and not self._machine.allows(str(source), str(target)):
            raise Refused(
                *CONFLICT, detail=f"The {self.kind.state} cannot change from {source!r} to {target!r}."
            )

    def refuse_in_state(self, source: Any, operation: Operation) -> None:
        """Raise Refused if the description of an operation names states that allow it, and this is none."""
        allowed = allowed_states(operation, self.states) if self.states else ()
        if allowed and source in self.states and source not in allowed:
            raise Refused(
                *CONFLICT,
                detail=f"This is only allowed while the {self.kind.state} is {' or '.join(allowed)}, not {source}.",
            )

    def action_target(self, operation: Operation) -> str:
        """Return the state that an action leads to, empty if the contract names none."""
        return target_state(operation, list(self.states))

    def after_action(self, operation: Operation, source: Any) -> str:
        """Return the state after an action, empty if it leaves the state. Raises Refused if the state of the resource
        does not allow it.
        """
        target = self.action_target(operation)
        if not target:
            self.refuse_in_state(source, operation)
            return ""
        allowed = allowed_states(operation, self.states, target)
        if allowed and source in self.states and source not in allowed:
            raise Refused(
                *CONFLICT,
                detail=f"This needs the {self.kind.state} {' or '.join(allowed)}, and it is {source}.",
            )
        if source == target and forbids_repetition(operation, action_verb(operation)):
            raise Refused(*CONFLICT, detail=f"The {self.kind.state} is {source!r} already.")
        if self._machine is not None and not self._machine.allows(str(source), target):
            raise Refused(
                *CONFLICT, detail=f"The {self.kind.state} cannot change from {source!r} to {target!r}."
            )
        return target

    def next_automatic(self, source: Any, taken_by_actions: Sequence[str]) -> str:
        """Return the next state that no action leads to, empty if there is none: the first step of the machine."""
        if self._machine is None:
            return ""
        steps = (
            transition.target
            for transition in self._machine.transitions
            if transition.source == source and transition.target != source
        )
        return next((step for step in steps if step not in taken_by_actions), "")

    def event_of(self, source: Any, target: str) -> str:
        """Return the event that reports a step, empty if none does."""
        transitions = self._machine.transitions if self._machine is not None else ()
        return next(
            (
                transition.event
                for transition in transitions
                if transition.source == source and transition.target == target
            ),
            "",
        )


def action_verb(operation: Operation) -> str:
    """Return the verb of an action: the last segment of its path."""
    return action_name(operation.path).partition(".")[0].lower()


def set_members(operation: Operation, names: Sequence[str]) -> tuple[str, ...]:
    """Return the members that an action sets, by its description."""
    return tuple(members_with_verb(operation, SETTING_VERBS, names))


def cleared_members(operation: Operation, names: Sequence[str]) -> tuple[str, ...]:
    """Return the members that an action clears, by its description."""
    return tuple(members_with_verb(operation, CLEARING_VERBS, names))


def state_rules(plan: Plan) -> Mapping[str, StateRules]:
    """Return the rules of each type of resource, by its path."""
    return {type_.path: StateRules(plan.api, type_, _state_schema(plan.api, type_)) for type_ in plan.types}


def _state_schema(api: Api, kind: ResourceType) -> Schema | None:
    members = resource_members(api, kind.schema, kind.nested) if kind.state else ()
    return next((member.schema for member in members if member.name == kind.state), None)
