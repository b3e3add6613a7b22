"""Things go through their states as the contract's state machines say (`x-state-machine`)."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from devportal.conformance.agreement import answer_schema, state_members
from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.resources import Resource
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import Thing, about, is_success, make, read, request_for
from devportal.conformance.variation import fresh
from devportal.contract import Operation, Property
from devportal.contract.state_machine import StateMachine

PAUSES_S = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.0)
"""How long after each reading of a thing the next one is, for things that go on by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """A state, and the exchange that showed it."""

    state: str
    exchange: Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stateful:
    """A kind of thing that is made, read, and goes from state to state."""

    resource: Resource
    reading: Operation
    member: Property
    machine: StateMachine


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe that looks at things of every kind for some seconds, and one for each kind that
    something can be done to.
    """
    kinds = tuple(_kinds(subject))
    if kinds:
        yield Probe(operation=label(kinds[0].reading), run=partial(_by_themselves, subject, kinds))
    for kind in kinds:
        actions = tuple(_actions(subject, kind.resource))
        if actions:
            run = partial(_by_hand, subject, kind, actions)
            yield Probe(operation=label(kind.reading), run=run)


def _kinds(subject: Subject) -> Iterator[_Stateful]:
    for resource in subject.resources:
        reading = resource.read
        if resource.create is None or reading is None:
            continue
        for member in _stateful(subject, reading):
            machine = subject.api.resolve(member.schema).state_machine
            if machine is not None:
                yield _Stateful(resource=resource, reading=reading, member=member, machine=machine)


def _stateful(subject: Subject, operation: Operation) -> list[Property]:
    found = [
        state_members(subject, answer_schema(operation, int(status))) for status in _successes(operation)
    ]
    return found[0] if found else []


def _successes(operation: Operation) -> list[str]:
    return [one.status for one in operation.successes if one.status.isdigit()]


def _actions(subject: Subject, resource: Resource) -> Iterator[Operation]:
    """Yield what can be done to a thing: a POST to a word below it, in the order of the contract."""
    for operation in subject.operations:
        head, _, verb = operation.path.rpartition("/")
        if operation.method == "POST" and head == resource.path and not verb.startswith("{"):
            yield operation


def _by_themselves(subject: Subject, kinds: tuple[_Stateful, ...], send: Send) -> Iterator[Fault]:
    """Make a thing of each kind and look at them for some seconds."""
    watched: list[tuple[_Stateful, Thing, list[_Seen]]] = []
    for kind in kinds:
        with suppress(Unsendable):
            thing = make(subject, kind.resource, send)
            watched.append((kind, thing, [*_shown(thing.exchange, kind.member)]))
    if not watched:
        raise Unsendable("nothing can be made")
    for pause_s in PAUSES_S:
        for kind, thing, seen in watched:
            seen.extend(_shown(read(subject, kind.resource, thing.value, send), kind.member))
        send.wait(pause_s)
    for kind, thing, seen in watched:
        yield from _beginning(kind, thing, seen)
        yield from _steps(kind, seen)


def _by_hand(
    subject: Subject, kind: _Stateful, actions: tuple[Operation, ...], send: Send
) -> Iterator[Fault]:
    """Do to a thing what can be done, and look at it after each step that is accepted."""
    thing = make(subject, kind.resource, send)
    there = about(subject, kind.resource, thing.value)
    seen = [*_shown(thing.exchange, kind.member)]
    for operation in actions:
        request = request_for(there, operation)
        seen += _shown(read(subject, kind.resource, thing.value, send), kind.member)
        if request is not None and is_success(send(operation, fresh(subject, operation, request))):
            seen += _shown(read(subject, kind.resource, thing.value, send), kind.member)
    yield from _steps(kind, seen)


def _shown(exchange: Exchange, member: Property) -> Iterator[_Seen]:
    shown = body_of(exchange)
    state = shown.get(member.name) if isinstance(shown, dict) and is_success(exchange) else None
    if isinstance(state, str):
        yield _Seen(state=state, exchange=exchange)


def _beginning(kind: _Stateful, thing: Thing, seen: list[_Seen]) -> Iterator[Fault]:
    create, machine = kind.resource.create, kind.machine
    if create is None or not seen or not machine.initial or thing.exchange.status not in (201, 202):
        return
    if isinstance(thing.sent, dict) and kind.member.name in thing.sent:  # the client says what it begins as
        return
    state = seen[0].state
    if state in machine.states and state not in machine.initial:
        yield Fault(
            title=f"something new has a later {kind.member.name!r}",
            message=f"it is {state!r} as soon as it is made; it begins as {', '.join(machine.initial)}",
            operation=label(create),
            promise=kind.member.schema.location,
            evidence=(thing.exchange,),
        )


def _steps(kind: _Stateful, seen: list[_Seen]) -> Iterator[Fault]:
    """Compare each reading with the one before. States between two readings need not be seen."""
    machine, name = kind.machine, kind.member.name
    for before, after in pairwise(seen):
        is_known = before.state in machine.states and after.state in machine.states
        if before.state == after.state or not is_known or after.state in machine.reachable_from(before.state):
            continue
        is_final = before.state in machine.finals
        then = "which nothing follows" if is_final else "from which no way leads there"
        yield Fault(
            title=f"{name!r} leaves its last value" if is_final else f"{name!r} goes a forbidden way",
            message=f"{after.state!r} follows {before.state!r}, {then}",
            operation=label(kind.reading),
            promise=kind.member.schema.location,
            evidence=(seen[0].exchange, before.exchange, after.exchange),
        )
        return


FAMILY = Family(
    name="state-machines",
    summary="states follow each other as documented",
    words=Words(
        promise="Something new is in one of the initial states of its state machine, each later state can be "
        "reached from the one before, and nothing leaves a final state.",
        test="Things are made and read for some seconds, and what can be done to them is done.",
        remedy="Check the state that is there, in the transaction that writes the new one.",
        sources=("x-state-machine",),
    ),
    probes=probes,
    about_state=True,
)
