"""What is told of a state machine: its states with what is said of them, and its steps with their events."""

from dataclasses import dataclass, replace

from devportal.contract import Api, Schema, StateMachine, Transition
from devportal.pages import plain_text
from devportal.reference.addresses import Addresses


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Transitions that differ in the state they leave only. `uri` is the page of the event that reports them,
    if that has one.
    """

    sources: tuple[str, ...]
    target: str
    on: str
    description: str
    event: str
    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatesView:
    """The state machine of a schema; `about` is what is said of each state, as plain text."""

    name: str
    machine: StateMachine
    about: dict[str, str]
    steps: tuple[Step, ...]

    @property
    def has_events(self) -> bool:
        """Say whether any event reports a step."""
        return any(one.event for one in self.steps)


def states_of(api: Api, addresses: Addresses, schema: Schema) -> StatesView | None:
    """Return the view of the machine of a schema, None where it has none."""
    machine = schema.state_machine
    if machine is None:
        return None
    events = {one.name: addresses.event(one.operations[0]) for one in api.webhooks if one.operations}
    steps: list[Step] = []
    for one in machine.transitions:
        step = _step(one, events.get(one.event, ""))
        if steps and replace(steps[-1], sources=step.sources) == step:
            step = replace(step, sources=(*steps.pop().sources, *step.sources))
        steps.append(step)
    about = {state: plain_text(text) for state, text in schema.enum_descriptions}
    return StatesView(name=schema.name, machine=machine, about=about, steps=tuple(steps))


def _step(one: Transition, uri: str) -> Step:
    return Step(
        sources=(one.source,),
        target=one.target,
        on=one.on,
        description=one.description,
        event=one.event,
        uri=uri,
    )
