"""Nodes → state machines. Errors are reported at their place and left out of the machine.

All checks happen here, while the nodes are available: a machine only names states of its enum.
"""

from collections.abc import Iterator

from devportal.contract.read.lifecycle_extensions import is_internal
from devportal.contract.read.source import Node
from devportal.contract.state_machine import StateMachine, Transition
from devportal.contract.wording import quote_value
from devportal.suggestions import suggest_name

_RULE = "contract-state-machine"


def read_state_machine(node: Node) -> StateMachine | None:
    """Return the machine of a schema; None if nothing of it can be read, or nobody may read it."""
    machine = node.get("x-state-machine")
    if machine is None or is_internal(machine):
        return None
    if not isinstance(machine.value, dict):
        _report(
            machine,
            f"a state machine is a mapping, found {quote_value(machine.value)}",
            "write 'initial' and 'transitions'",
        )
        return None
    states = _states(node)
    if not states:
        _report(
            machine,
            "a state machine needs an 'enum' of texts in the same schema: its values are the states",
            "write the enum, or move the machine to the schema that has it",
        )
        return None
    return _read_machine(machine, states)


def _states(schema: Node) -> tuple[str, ...]:
    enum = schema.value.get("enum")
    values = enum if isinstance(enum, list) else ()
    return tuple(dict.fromkeys(value for value in values if isinstance(value, str)))


def _read_machine(written: Node, states: tuple[str, ...]) -> StateMachine | None:
    initial = _named_states(written, "initial", states)
    transitions = tuple(_transitions(written, states))
    if not transitions:
        _report(
            written,
            "this state machine has no transition that can be read",
            "list at least one under 'transitions', with 'from', 'to' and 'on'",
        )
        return None
    machine = StateMachine(states=states, initial=initial, transitions=transitions)
    if not initial:
        _report(
            written,
            "this state machine has no initial state",
            f"list under 'initial' what something new may be: one of {_quote_names(states)}",
        )
    else:
        _report_unreached(written, machine)
    return machine


def _named_states(node: Node, key: str, states: tuple[str, ...]) -> tuple[str, ...]:
    """Return the states that a member lists, each once; it may be a single state or a list."""
    member = node.get(key)
    if member is None:
        return ()
    named = node.items(key) if isinstance(member.value, list) else (member,)
    return tuple(dict.fromkeys(state for child in named for state in _state(child, states)))


def _state(node: Node, states: tuple[str, ...]) -> Iterator[str]:
    if isinstance(node.value, str) and node.value in states:
        yield node.value
    else:
        message = f"{quote_value(node.value)} is not a state: the enum does not have it"
        _report(node, message, _suggestion(node.value, states))


def _transitions(written: Node, states: tuple[str, ...]) -> Iterator[Transition]:
    seen: set[tuple[str, str, str]] = set()
    events = _events(written)
    for item in written.items("transitions"):
        if is_internal(item):
            continue
        if not isinstance(item.value, dict):
            _report(item, f"a transition is a mapping, found {quote_value(item.value)}", _TRANSITION_ADVICE)
            continue
        for transition in _read_transition(item, states, events):
            key = (transition.source, transition.target, transition.on)
            if key in seen:
                _report(
                    item,
                    f"the transition from {quote_value(transition.source)} to {quote_value(transition.target)} "
                    "is listed twice",
                    "remove one of them, or say under 'on' in what they differ",
                )
            else:
                seen.add(key)
                yield transition


_TRANSITION_ADVICE = "write 'from', 'to' and 'on'"


def _read_transition(item: Node, states: tuple[str, ...], events: tuple[str, ...]) -> Iterator[Transition]:
    for key in ("from", "to", "on"):
        if item.value.get(key) in (None, "", []):
            _report(item, f"this transition has no {key!r}", _TRANSITION_ADVICE)
    on = " ".join(item.text("on").split())
    description = item.text("description")
    event = _known_event(item, events)
    to = item.get("to")
    for target in _state(to, states) if to is not None else ():
        for source in _named_states(item, "from", states):
            yield Transition(source=source, target=target, on=on, description=description, event=event)


def _events(node: Node) -> tuple[str, ...]:
    root = node.source.root()
    return tuple(name for key in ("webhooks", "x-webhooks") for name, _ in root.members(key))


def _known_event(item: Node, events: tuple[str, ...]) -> str:
    event = item.text("event")
    if event and event not in events:
        message = f"the event {quote_value(event)} is not a webhook of this contract"
        _report(item, message, _suggestion(event, events), key="event")
        return ""
    return event


def _report_unreached(written: Node, machine: StateMachine) -> None:
    mentioned = {
        state for transition in machine.transitions for state in (transition.source, transition.target)
    }
    reachable = machine.reachable
    for state in machine.states:
        if state not in reachable:
            message = (
                f"no way leads from an initial state to {quote_value(state)}"
                if state in mentioned
                else f"no transition mentions the state {quote_value(state)}"
            )
            _report(written, message, "add the transition that leads to it, or take it out of the enum")


def _suggestion(value: object, names: tuple[str, ...]) -> str:
    choices = f"one of {_quote_names(names)}" if names else "the contract has none"
    return suggest_name(value, names, choices)


def _quote_names(names: tuple[str, ...]) -> str:
    return ", ".join(map(quote_value, names))


def _report(node: Node, message: str, advice: str, *, key: str | None = None) -> None:
    node.report(_RULE, message, help=advice, key=key)
