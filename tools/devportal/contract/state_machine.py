"""A state machine: how what a schema describes goes from one value of its enum to the next.

The OAS has no words for it. We write it beside the enum, as `x-state-machine` (decision 0026), so that
pages draw, a sandbox obeys and a conformance run checks the same few lines.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """One step from a state to another, or back to the same. `on` is its cause, in a few words of plain text;
    `event` names the webhook that reports it.
    """

    source: str
    target: str
    on: str = ""
    description: str = ""
    event: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateMachine:
    """States in the order of the enum, those that something new may be in, and the steps between them.

    Every state that is named here is one of `states`, and there is at least one transition.
    """

    states: tuple[str, ...]
    initial: tuple[str, ...]
    transitions: tuple[Transition, ...]

    @property
    def finals(self) -> tuple[str, ...]:
        """The states that nothing leaves; a step back to the same state leaves nothing."""
        sources = {
            transition.source for transition in self.transitions if transition.source != transition.target
        }
        return tuple(state for state in self.states if state not in sources)

    def allows(self, source: str, target: str) -> bool:
        """Say whether one step may lead from a state to another."""
        return any(
            transition.source == source and transition.target == target for transition in self.transitions
        )

    def reachable_from(self, state: str) -> tuple[str, ...]:
        """Return the states reachable from a state in one step or more; the state itself only if a path leads
        back to it.
        """
        return self._in_order(set(self._reachable_from((state,))))

    def without(self, states: Set[str]) -> "StateMachine | None":
        """Return the machine without some states and their transitions; None if no transition is left."""
        transitions = tuple(
            transition
            for transition in self.transitions
            if transition.source not in states and transition.target not in states
        )
        return (
            StateMachine(
                states=tuple(state for state in self.states if state not in states),
                initial=tuple(state for state in self.initial if state not in states),
                transitions=transitions,
            )
            if transitions
            else None
        )

    @property
    def reachable(self) -> tuple[str, ...]:
        """The initial states and all that may follow them."""
        return self._in_order({*self.initial, *self._reachable_from(self.initial)})

    def _in_order(self, names: set[str]) -> tuple[str, ...]:
        return tuple(state for state in self.states if state in names)

    def _reachable_from(self, start: tuple[str, ...]) -> Iterator[str]:
        """Yield each state that steps lead to from these, once."""
        seen: set[str] = set()
        pending = list(start)
        while pending:
            state = pending.pop()
            below = {
                transition.target for transition in self.transitions if transition.source == state
            } - seen
            seen |= below
            pending += below
            yield from below
