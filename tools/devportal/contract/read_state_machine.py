"""Nodes → state machines. What is wrong in one is reported at its place, and left out of the machine.

Everything is judged here, while the nodes are at hand: a machine that is read names states of its enum only.
"""

from collections.abc import Iterator
from difflib import get_close_matches

from devportal.contract.marks import is_internal
from devportal.contract.quoting import quoted
from devportal.contract.source import Node
from devportal.contract.state_machine import StateMachine, Transition

_RULE = "contract-state-machine"


def read_state_machine(node: Node) -> StateMachine | None:
    """Return the machine of a schema; None where nothing of it can be read, or nobody may read it."""
    written = node.get("x-state-machine")
    if written is None or is_internal(written):
        return None
    if not isinstance(written.value, dict):
        _report(
            written,
            f"a state machine is a mapping, found {quoted(written.value)}",
            "write 'initial' and 'transitions'",
        )
        return None
    states = _states(node)
    if not states:
        _report(
            written,
            "a state machine needs an 'enum' of texts beside it: its values are the states",
            "write the enum, or move the machine to the schema that has it",
        )
        return None
    return _machine(written, states)


def _states(schema: Node) -> tuple[str, ...]:
    enum = schema.value.get("enum")
    values = enum if isinstance(enum, list) else ()
    return tuple(dict.fromkeys(value for value in values if isinstance(value, str)))


def _machine(written: Node, states: tuple[str, ...]) -> StateMachine | None:
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
            f"list under 'initial' what something new may be: one of {_listed(states)}",
        )
    else:
        _report_unreached(written, machine)
    return machine


def _named_states(node: Node, key: str, states: tuple[str, ...]) -> tuple[str, ...]:
    """Return the states that a member names, each once, be it one or a list of them."""
    member = node.get(key)
    if member is None:
        return ()
    named = node.items(key) if isinstance(member.value, list) else (member,)
    return tuple(dict.fromkeys(state for one in named for state in _state(one, states)))


def _state(node: Node, states: tuple[str, ...]) -> Iterator[str]:
    if isinstance(node.value, str) and node.value in states:
        yield node.value
    else:
        message = f"{quoted(node.value)} is no state: the enum does not have it"
        _report(node, message, _meant(node.value, states))


def _transitions(written: Node, states: tuple[str, ...]) -> Iterator[Transition]:
    seen: set[tuple[str, str, str]] = set()
    events = _events(written)
    for item in written.items("transitions"):
        if is_internal(item):
            continue
        if not isinstance(item.value, dict):
            _report(item, f"a transition is a mapping, found {quoted(item.value)}", _FIELDS_OF_A_TRANSITION)
            continue
        for one in _read_transition(item, states, events):
            key = (one.source, one.target, one.on)
            if key in seen:
                _report(
                    item,
                    f"the transition from {quoted(one.source)} to {quoted(one.target)} is listed twice",
                    "remove one of them, or say under 'on' in what they differ",
                )
            else:
                seen.add(key)
                yield one


_FIELDS_OF_A_TRANSITION = "write 'from', 'to' and 'on'"


def _read_transition(item: Node, states: tuple[str, ...], events: tuple[str, ...]) -> Iterator[Transition]:
    for key in ("from", "to", "on"):
        if item.value.get(key) in (None, "", []):
            _report(item, f"this transition has no {key!r}", _FIELDS_OF_A_TRANSITION)
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
        message = f"the event {quoted(event)} is no webhook of this contract"
        _report(item, message, _meant(event, events), key="event")
        return ""
    return event


def _report_unreached(written: Node, machine: StateMachine) -> None:
    mentioned = {state for one in machine.transitions for state in (one.source, one.target)}
    reachable = machine.reachable
    for state in machine.states:
        if state not in reachable:
            message = (
                f"no way leads from an initial state to {quoted(state)}"
                if state in mentioned
                else f"no transition mentions the state {quoted(state)}"
            )
            _report(written, message, "add the transition that leads to it, or take it out of the enum")


def _meant(value: object, known: tuple[str, ...]) -> str:
    meant = get_close_matches(str(value), known, n=1, cutoff=0.75)
    if meant:
        return f"did you mean {meant[0]!r}?"
    return f"one of {_listed(known)}" if known else "the contract has none"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(quoted, names))


def _report(node: Node, message: str, advice: str, *, key: str | None = None) -> None:
    node.report(_RULE, message, help=advice, key=key)
