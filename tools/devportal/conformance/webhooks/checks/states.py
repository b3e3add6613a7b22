"""The events about a resource follow its state machine and include the final state that the API shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from devportal.conformance.deployment.exchange import parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.representation_match import response_schema, state_members
from devportal.conformance.webhooks.checks.check import WebhookCheck
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.plan import ExpectedEvent, value_at
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind
from devportal.contract.state_machine import StateMachine


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
        steps = _observed_steps(result, event)
        yield from _repeated_steps(result, steps)
        machine, final_state = _machine_and_state(result, event)
        if machine is not None and steps:
            yield from _forbidden_transitions(result, event, machine, steps)
            yield from _unreported_end(result, machine, final_state, steps)


def _observed_steps(result: ScenarioResult, event: ExpectedEvent) -> list[_Step]:
    """Return the steps of the events of one kind, in their declared order if they have one."""
    steps = []
    for group in result.event_attempts:
        body = parse_json_or_none(group[0].body)
        state = value_at(body, event.state)
        if group[0].event == event.name and isinstance(state, str):
            number = value_at(body, event.sequence) if event.sequence else None
            steps.append(_Step(state=state, number=number, delivery=group[0]))
    if event.sequence and all(isinstance(one.number, int) for one in steps):
        return sorted(steps, key=lambda one: one.number if isinstance(one.number, int) else 0)
    return steps


def _repeated_steps(result: ScenarioResult, steps: list[_Step]) -> Iterator[CheckFailure]:
    for before, after in pairwise(steps):
        if before.number is not None and before.number == after.number:
            message = f"two events are step {after.number} of {result.resource_id!r}"
            yield result.failure("two events are the same step", message, (before.delivery, after.delivery))


def _machine_and_state(result: ScenarioResult, event: ExpectedEvent) -> tuple[StateMachine | None, str]:
    """Return the state machine of the resource, and the state that the API shows at the end."""
    read_exchange = result.final_read
    if read_exchange is None or read_exchange.answer is None or not read_exchange.answer.is_success:
        return None, ""
    read = result.subject.operation(read_exchange.operation)
    name = event.state.rpartition("/")[2]
    for member in state_members(result.subject, response_schema(read, read_exchange.status)):
        if member.name == name:
            state = value_at(parse_json_or_none(read_exchange.answer.body), f"/{name}")
            machine = result.subject.api.resolve(member.schema).state_machine
            return machine, state if isinstance(state, str) else ""
    return None, ""


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
    if final_state in machine.finals and final_state not in {one.state for one in steps}:
        states_text = ", ".join(repr(one.state) for one in steps)
        message = f"{result.resource_id!r} is {final_state!r}, but the events report {states_text}"
        evidence = (steps[-1].delivery, *((result.final_read,) if result.final_read is not None else ()))
        yield result.failure("no event reports the end", message, evidence)


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
    ),
    find_failures=find_failures,
)
