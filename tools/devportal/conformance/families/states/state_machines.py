"""Resources pass through states as the contract's state machines allow (`x-state-machine`)."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.states.initial_states import initial_state_failures, shows_initial_state
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.request_variants import with_new_idempotency_key
from devportal.conformance.knowledge.resources.created_resources import (
    CreatedResource,
    create_resource,
    is_success,
    read_resource,
    resource_json,
)
from devportal.conformance.knowledge.resources.representation_match import resource_schema, state_members
from devportal.conformance.knowledge.resources.state_actions import resource_actions
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation, Property
from devportal.contract.resources import Resource
from devportal.contract.state_machine import StateMachine

PAUSES_S = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
"""The pauses before each read of a resource whose state changes by itself."""
SHOWN_STATE = "a created resource whose responses show its state"


@dataclass(frozen=True, slots=True, kw_only=True)
class _ObservedState:
    """A state, and the exchange that showed it."""

    state: str
    exchange: Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class _StatefulResource:
    """A resource type that is created, read, and has states."""

    resource: Resource
    reading: Operation
    member: Property
    machine: StateMachine


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe that observes resources of every type for some seconds, and one for each type that has
    actions.
    """
    stateful_resources = tuple(_stateful_resources(subject))
    if stateful_resources:
        yield Probe(
            operation=operation_label(stateful_resources[0].reading),
            run=partial(_check_automatic_steps, subject, stateful_resources),
        )
    for stateful in stateful_resources:
        actions = tuple(resource_actions(subject, stateful.resource))
        if actions:
            run = partial(_check_actions, subject, stateful, actions)
            yield Probe(operation=operation_label(stateful.reading), run=run)


def _stateful_resources(subject: Subject) -> Iterator[_StatefulResource]:
    for resource in subject.resources:
        reading = resource.read
        if resource.create is None or reading is None:
            continue
        for member in _state_properties(subject, resource, reading):
            machine = subject.api.resolve(member.schema).state_machine
            if machine is not None:
                yield _StatefulResource(resource=resource, reading=reading, member=member, machine=machine)


def _state_properties(subject: Subject, resource: Resource, operation: Operation) -> list[Property]:
    status = next((int(success.status) for success in operation.successes if success.status.isdigit()), None)
    if status is None:
        return []
    return state_members(subject, resource_schema(subject, resource, operation, status))


def _check_automatic_steps(
    subject: Subject, stateful_resources: tuple[_StatefulResource, ...], send: Send
) -> Iterator[CheckFailure]:
    """Create a resource of each type and observe them for some seconds."""
    watched: list[tuple[_StatefulResource, CreatedResource, list[_ObservedState]]] = []
    for stateful in stateful_resources:
        with suppress(Unsendable):
            created = create_resource(subject, stateful.resource, send)
            watched.append((stateful, created, [*_observed_state(stateful, created.exchange)]))
    if not watched:
        raise Unsendable("a resource that the run can create")
    for pause_s in PAUSES_S:
        send.wait(pause_s)
        for stateful, created, observed in watched:
            observed.extend(
                _observed_state(stateful, read_resource(subject, stateful.resource, created.id, send))
            )
    if not any(observed for _, _, observed in watched):
        raise Unsendable(SHOWN_STATE)
    for stateful, created, observed in watched:
        yield from _initial_state_failures(stateful, created, observed)
        yield from _transition_failures(stateful, observed)


def _check_actions(
    subject: Subject, stateful: _StatefulResource, actions: tuple[Operation, ...], send: Send
) -> Iterator[CheckFailure]:
    """Execute the actions of a resource, and read it after each accepted one."""
    created = create_resource(subject, stateful.resource, send)
    resource_subject = with_resource_id(subject, stateful.resource, created.id)
    observed = [*_observed_state(stateful, created.exchange)]
    for operation in actions:
        request = resource_subject.valid(operation)
        observed += _observed_state(stateful, read_resource(subject, stateful.resource, created.id, send))
        if request is not None and is_success(
            send(operation, with_new_idempotency_key(subject, operation, request))
        ):
            observed += _observed_state(stateful, read_resource(subject, stateful.resource, created.id, send))
    if not observed:
        raise Unsendable(SHOWN_STATE)
    yield from _transition_failures(stateful, observed)


def _observed_state(stateful: _StatefulResource, exchange: Exchange) -> Iterator[_ObservedState]:
    shown = resource_json(stateful.resource, exchange)
    state = shown.get(stateful.member.name) if isinstance(shown, dict) and is_success(exchange) else None
    if isinstance(state, str):
        yield _ObservedState(state=state, exchange=exchange)


def _initial_state_failures(
    stateful: _StatefulResource, created: CreatedResource, observed: list[_ObservedState]
) -> Iterator[CheckFailure]:
    create, machine = stateful.resource.create, stateful.machine
    if create is None or not observed or not machine.initial or created.exchange.status not in (201, 202):
        return
    if (
        isinstance(created.sent_json, dict) and stateful.member.name in created.sent_json
    ):  # the client sets the initial state
        return
    state = observed[0].state
    if state in machine.states and state not in machine.initial:
        yield CheckFailure(
            title=f"something new has a later {stateful.member.name!r}",
            message=f"it is {state!r} as soon as it is made; it begins as {', '.join(machine.initial)}",
            operation=operation_label(create),
            promise=stateful.member.schema.location,
            evidence=(created.exchange,),
        )


def _transition_failures(
    stateful: _StatefulResource, observed: list[_ObservedState]
) -> Iterator[CheckFailure]:
    """Compare each state with the previous one. States between two reads may be missed."""
    machine, name = stateful.machine, stateful.member.name
    for before, after in pairwise(observed):
        is_known = before.state in machine.states and after.state in machine.states
        if before.state == after.state or not is_known or after.state in machine.reachable_from(before.state):
            continue
        is_final = before.state in machine.finals
        explanation = "which nothing follows" if is_final else "from which no way leads there"
        yield CheckFailure(
            title=f"{name!r} leaves its last value" if is_final else f"{name!r} goes a forbidden way",
            message=f"{after.state!r} follows {before.state!r}, {explanation}",
            operation=operation_label(stateful.reading),
            promise=stateful.member.schema.location,
            evidence=(observed[0].exchange, before.exchange, after.exchange),
        )
        return


FAMILY = Family(
    name="state-machines",
    summary="states change as documented",
    words=CheckDescription(
        promise="A new resource is in an initial state of its state machine, each later state is reachable "
        "from the one before, and final states never change. Without a state machine, a new resource is in the state "
        "that the description of its creation names: “A new order is `open`”.",
        test="Resources are created, read for a few seconds, and changed by their operations. All responses to "
        "creations that do not set the state are compared with the description.",
        remedy="Check the current state in the transaction that writes the new one.",
        sources=("x-state-machine",),
    ),
    needs="a resource that can be created and read, with `x-state-machine` on its state, or a creation whose "
    "description names the state of something new, such as “A new order is `open`”",
    probes=probes,
    sees=initial_state_failures,
    compares=shows_initial_state,
    about_state=True,
)
