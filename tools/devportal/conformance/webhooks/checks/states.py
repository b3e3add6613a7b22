"""The events about a resource follow its state machine and include the final state that the API shows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from devportal.conformance.deployment.exchange import parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.resources.representation_match import response_schema, state_members
from devportal.conformance.webhooks.checks.check import DELIVERY, EVENTS, STATE_IN_EVENTS, WebhookCheck
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.event_matching import value_at_place
from devportal.conformance.webhooks.plan import ExpectedEvent, WebhookPlan
from devportal.conformance.webhooks.resource_states import observed_states
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind
from devportal.contract.state_machine import StateMachine
from devportal.contract.wording import name_words
from devportal.documents import value_at


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    state: str
    number: object
    delivery: Delivery


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield forbidden transitions, repeated steps, and a final state without an event."""
    if result.scenario.kind is not ScenarioKind.ACCEPTED:
        return
    for event in result.scenario.trigger.events:
        if not event.state:
            continue
        steps = _observed_steps(result, (event,))
        yield from _repeated_steps(result, steps)
        yield from _late_steps(result, event, steps)
    for events in _events_in_one_order(result):
        steps = _observed_steps(result, events)
        machine, final_state = machine_and_state(result, events[0])
        if machine is not None and steps:
            yield from _forbidden_transitions(result, events[0], machine, steps)
            yield from _unreported_end(result, machine, final_state, steps)
            yield from _unread_states(result, machine, final_state, steps)
            yield from _early_types(result, machine, steps)


def _events_in_one_order(result: ScenarioResult) -> Iterator[tuple[ExpectedEvent, ...]]:
    """Yield the events of the trigger that report states, those with the same order of states together: each
    state may have a separate event. Events that report the same state, such as a status and a receipt, are
    separate accounts of the same steps.
    """
    groups: dict[tuple[object, ...], list[ExpectedEvent]] = {}
    for event in result.scenario.trigger.events:
        if event.state:
            key = (event.order, event.state.rpartition("/")[2], event.sequence)
            groups.setdefault(key, []).append(event)
    for events in groups.values():
        reported = [{step.state for step in _observed_steps(result, (event,))} for event in events]
        if sum(map(len, reported)) == len(set().union(*reported)):
            yield tuple(events)
        else:
            yield from ((event,) for event in events)


def has_ordered_states(result: ScenarioResult) -> bool:
    """Return whether events show states or steps that something orders."""
    if result.scenario.kind is not ScenarioKind.ACCEPTED:
        return False
    for event in result.scenario.trigger.events:
        steps = _observed_steps(result, (event,)) if event.state else []
        if steps and (event.sequence or machine_and_state(result, event)[0] is not None):
            return True
    return False


def missing_part(plan: WebhookPlan, results: tuple[ScenarioResult, ...]) -> str:
    """Return what settings, contract or deployment lack."""
    events = [event for trigger in plan.triggers for event in trigger.events if event.state]
    if not events:
        return STATE_IN_EVENTS
    if not any(_observed_steps(result, (event,)) for result in results for event in events):
        return DELIVERY
    return (
        "the order of the states: write `order: [first, …, last]` for the event under `webhooks.triggers`, or "
        "`x-state-machine` into the contract"
    )


def _observed_steps(result: ScenarioResult, events: tuple[ExpectedEvent, ...]) -> list[_Step]:
    """Return the steps of events, in their declared order if they have one."""
    by_name = {event.name: event for event in events}
    steps = []
    for group in result.event_attempts:
        event = by_name.get(group[0].event)
        body = parse_json_or_none(group[0].body)
        state = value_at(body, event.state) if event is not None else None
        if event is not None and isinstance(state, str):
            number = value_at(body, event.sequence) if event.sequence else None
            steps.append(_Step(state=state, number=number, delivery=group[0]))
    if all(event.sequence for event in events) and all(isinstance(step.number, int) for step in steps):
        return sorted(steps, key=lambda step: step.number if isinstance(step.number, int) else 0)
    return steps


def _repeated_steps(result: ScenarioResult, steps: list[_Step]) -> Iterator[CheckFailure]:
    for before, after in pairwise(steps):
        if before.number is not None and before.number == after.number:
            message = f"two events are step {after.number} of {result.resource_id!r}"
            yield result.failure("two events are the same step", message, (before.delivery, after.delivery))


def _late_steps(result: ScenarioResult, event: ExpectedEvent, steps: list[_Step]) -> Iterator[CheckFailure]:
    """Yield a failure if deliveries are promised in order, and a later step arrives before an earlier one."""
    if not (event.sequence and result.plan.promises.in_order):
        return
    for before, after in pairwise(steps):
        if before.number != after.number and after.delivery.arrived_at < before.delivery.arrived_at:
            message = f"step {after.number} of {result.resource_id!r} arrives before step {before.number}"
            yield result.failure("events arrive out of order", message, (after.delivery, before.delivery))
            return


def machine_and_state(result: ScenarioResult, event: ExpectedEvent) -> tuple[StateMachine | None, str]:
    """Return the state machine of the resource, and the state that the API shows at the end. The order in the
    settings replaces the machine of the contract.
    """
    read_exchange = result.final_read
    if read_exchange is None or read_exchange.answer is None or not read_exchange.answer.is_success:
        return event.state_machine, ""
    read = result.subject.operation(read_exchange.operation)
    name = event.state.rpartition("/")[2]
    for member in state_members(result.subject, response_schema(read, read_exchange.status)):
        if member.name == name:
            state = value_at(parse_json_or_none(read_exchange.answer.body), f"/{name}")
            machine = event.state_machine or result.subject.api.resolve(member.schema).state_machine
            return machine, state if isinstance(state, str) else ""
    return event.state_machine, observed_states(result).last


def _forbidden_transitions(
    result: ScenarioResult, event: ExpectedEvent, machine: StateMachine, steps: list[_Step]
) -> Iterator[CheckFailure]:
    is_ordered = bool(event.sequence) or result.plan.promises.in_order
    for before, after in pairwise(steps):
        states = {before.state, after.state}
        if not states <= set(machine.states):
            continue
        is_allowed = after.state in machine.reachable_from(before.state)
        if is_allowed or (not is_ordered and before.state in machine.reachable_from(after.state)):
            continue
        message = f"{after.state!r} follows {before.state!r}, which the state machine does not allow"
        yield result.failure(
            "events report a forbidden transition", message, (before.delivery, after.delivery)
        )
        return


def _unreported_end(
    result: ScenarioResult, machine: StateMachine, final_state: str, steps: list[_Step]
) -> Iterator[CheckFailure]:
    """Yield a failure if the resource is in a final state that no event reports."""
    if final_state in machine.finals and final_state not in {step.state for step in steps}:
        states_text = ", ".join(repr(step.state) for step in steps)
        message = f"{result.resource_id!r} is {final_state!r}, but the events report {states_text}"
        evidence = (steps[-1].delivery, *((result.final_read,) if result.final_read is not None else ()))
        yield result.failure("no event reports the end", message, evidence)


def _unread_states(
    result: ScenarioResult, machine: StateMachine, final_state: str, steps: list[_Step]
) -> Iterator[CheckFailure]:
    """Yield a failure if the API still shows a state that comes before one that an event reported."""
    for step in steps:
        is_ahead = step.state != final_state and step.state in machine.reachable_from(final_state)
        if final_state and is_ahead and final_state not in machine.reachable_from(step.state):
            message = (
                f"{step.delivery.event!r} reports {step.state!r} for {result.resource_id!r}, and the API still "
                f"says {final_state!r}"
            )
            evidence = (step.delivery, *((result.final_read,) if result.final_read is not None else ()))
            yield result.failure("an event reports a state that the API does not show", message, evidence)
            return


def _early_types(result: ScenarioResult, machine: StateMachine, steps: list[_Step]) -> Iterator[CheckFailure]:
    """Yield a failure if the type of an event names a state that comes after the one in the event. An event
    may show a later state: that of the moment in which it was sent. Only types count that all name a state.
    """
    for step in steps:
        named = _state_of_type(result, machine, step.delivery)
        is_ahead = named in machine.reachable_from(step.state)
        if named and is_ahead and step.state not in machine.reachable_from(named):
            message = f"an event of the state {named!r} about {result.resource_id!r} says {step.state!r}"
            yield result.failure("type and state of an event disagree", message, (step.delivery,))
            return


def _state_of_type(result: ScenarioResult, machine: StateMachine, delivery: Delivery) -> str:
    """Return the state that the type of a delivery names, empty if its types do not name states."""
    kind = result.plan.matcher.kind(delivery.event)
    states = {name_words(state): state for state in machine.states}
    named = (
        {type_value: states.get(_last_words(type_value), "") for type_value in kind.type_values}
        if kind is not None
        else {}
    )
    body = parse_json_or_none(delivery.body)
    declared = value_at_place(delivery.headers, body, result.plan.type)
    return named.get(declared, "") if isinstance(declared, str) and all(named.values()) else ""


def _last_words(event_type: str) -> tuple[str, ...]:
    """Return the words after the last dot, slash or colon: `order.in_transit` → in, transit."""
    return name_words(re.split(r"[.:/]", event_type)[-1])


CHECK = WebhookCheck(
    family=Family(
        name="webhook-states",
        summary="events follow the state machine to its end",
        words=CheckDescription(
            promise="The states in events follow the state machine of the resource, and an event reports the "
            "final state that the API shows.",
            test="The events about a resource are ordered by the declared sequence number or, if "
            "deliveries are promised in order, by arrival; then the resource is read.",
            remedy="Write the event in the transaction that changes the state, with an increasing number.",
            sources=("x-state-machine",),
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=has_ordered_states,
    needs=missing_part,
)
