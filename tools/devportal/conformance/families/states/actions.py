"""Actions on a resource move its state: the response shows it, it is read back, and the times agree."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.state_filters import state_filter_failures
from devportal.conformance.families.states.action_values import action_value_probes
from devportal.conformance.families.states.described_actions import effect_probes
from devportal.conformance.families.states.kept_members import kept_member_probes
from devportal.conformance.families.states.state_rules import StateRule, changes_with_states, rule_probes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import CONFLICT, SHORTEST_VERB
from devportal.conformance.knowledge.descriptions.described_states import FINAL_STATE, allowed_states
from devportal.conformance.knowledge.failures import first_response_failure
from devportal.conformance.knowledge.requests.request_variants import with_new_idempotency_key
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    SETTLING_S,
    CreatedResource,
    create_resource,
    is_success,
    poll_until,
    read_created,
    read_resource,
    resource_json,
)
from devportal.conformance.knowledge.resources.operation_resources import resource_uploads, send_to
from devportal.conformance.knowledge.resources.representation_match import is_equivalent
from devportal.conformance.knowledge.resources.state_actions import (
    enumerated_members,
    reached_state,
    resource_actions,
)
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import action_name
from devportal.contract.resources import Resource
from devportal.contract.values.instants import PRECISION, parse_instant
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.wording import plain_letters, quote_value
from devportal.documents import member_at

READS = 3
"""How often a resource is read after an action: its state has to stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Action:
    """An operation that moves a resource to the state `target`; the state is in the member `state`."""

    resource: Resource
    operation: Operation
    state: str
    target: str

    def representation(self, exchange: Exchange) -> Mapping[str, Any]:
        """Return the representation in a response, empty if there is none."""
        shown = resource_json(self.resource, exchange)
        return shown if is_success(exchange) and isinstance(shown, dict) else {}

    def state_in(self, exchange: Exchange) -> Any:
        """Return the state that a response shows, None if it shows none."""
        return self.representation(exchange).get(self.state)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each resource type with actions that name a state."""
    for resource in subject.resources:
        actions = tuple(_state_actions(subject, resource))
        if actions:
            run = partial(_check_actions, subject, resource, actions)
            yield Probe(operation=operation_label(actions[0].operation), run=run)
            yield from rule_probes(
                subject, resource, _state_rules(subject, resource, actions), actions[0].state
            )
        yield from effect_probes(subject, resource)
        yield from action_value_probes(subject, resource)
        yield from kept_member_probes(subject, resource)


def _state_rules(subject: Subject, resource: Resource, actions: tuple[_Action, ...]) -> tuple[StateRule, ...]:
    """Return the rules of the descriptions about the states in which actions and changes are allowed."""
    members = {
        enumerated_member.name: enumerated_member
        for enumerated_member in enumerated_members(subject, resource)
    }
    values = subject.api.resolve(members[actions[0].state].schema).enum
    states = tuple(value for value in values if isinstance(value, str))
    own = (
        StateRule(
            operation=action.operation,
            allowed=allowed_states(action.operation, states, action.target),
            target=action.target,
        )
        for action in actions
        if action.state == actions[0].state
    )
    return (*own, *changes_with_states(subject, resource, states))


def _state_actions(subject: Subject, resource: Resource) -> Iterator[_Action]:
    """Yield the actions of a resource whose target state is known: by the name of the action, or by its
    description.
    """
    if resource.create is None or resource.read is None:
        return
    for operation in resource_actions(subject, resource):
        reached = reached_state(subject, resource, operation)
        if reached is not None:
            yield _Action(resource=resource, operation=operation, state=reached.member, target=reached.value)


def _check_actions(
    subject: Subject, resource: Resource, actions: tuple[_Action, ...], send: Send
) -> Iterator[CheckFailure]:
    """Execute the actions of a resource in the order of the contract, and check each accepted one."""
    created = create_resource(subject, resource, send)
    read = partial(read_resource, subject, resource, created.id, send)
    before = read_created(subject, created, send)
    resource_subject = with_resource_id(subject, resource, created.id)
    is_any_accepted = False
    for action in actions:
        old = action.state_in(before)
        request = resource_subject.valid(action.operation)
        if request is None or action.state_in(before) in (None, action.target):
            continue
        acted = send(action.operation, with_new_idempotency_key(subject, action.operation, request))
        uploads = resource_uploads(subject, resource) if acted.status == CONFLICT else ()
        for upload in uploads:  # what is published, for example, needs a file
            if is_success(send_to(subject, created, upload, before, send) or acted):
                before = read()
                acted = send(action.operation, with_new_idempotency_key(subject, action.operation, request))
        if not is_success(acted) or acted.status == ACCEPTED:
            continue
        readings = [read() for _ in range(READS)]
        failure = next(
            chain(
                _state_failures(created, action, before, acted, readings, send, read),
                _time_failures(subject, created, action, before, acted, readings[-1]),
            ),
            None,
        )
        if failure is not None:
            yield failure
            return  # later actions would show the same failure
        if not is_any_accepted and action.state_in(readings[-1]) == action.target:
            values = (str(old), action.target)
            yield from state_filter_failures(subject, created, action.state, values, send)
        is_any_accepted = True
        before = readings[-1]
    if not is_any_accepted:
        raise Unsendable("an action that the deployment accepts")


def _state_failures(
    created: CreatedResource,
    action: _Action,
    before: Exchange,
    acted: Exchange,
    readings: list[Exchange],
    send: Send,
    read: Callable[[], Exchange],
) -> Iterator[CheckFailure]:
    """Yield a failure if an action does not move the state, moves it back, or shows the old one."""
    old, shown = action.state_in(before), action.state_in(acted)
    shown_id = member_at(action.representation(acted), action.resource.key)
    if shown_id is not None and str(shown_id) != created.id:
        return  # the response is about something else
    states = [action.state_in(reading) for reading in readings]
    if all(state == old for state in states):
        last = poll_until(read, send, lambda exchange: action.state_in(exchange) != old)
        # What was said to have ended has not gone on, such as a job that was cancelled and is done.
        is_ended = shown == action.target and FINAL_STATE.match(action.target) is not None
        if action.state_in(last) == old or (is_ended and action.state_in(last) not in (None, shown)):
            is_shown = shown not in (None, old)
            title = "an action is not read back" if is_shown else "an action leaves the state as it was"
            later = "" if action.state_in(last) == old else f", then {quote_value(action.state_in(last))}"
            message = f"{acted.status}; {action.state!r} is {quote_value(old)} before and after{later}" + (
                f", and {quote_value(shown)} in the response" if is_shown else f", and not {action.target!r}"
            )
            yield first_response_failure(
                action.operation, title, message, created.exchange, before, acted, last
            )
    elif old in states[states.index(next(state for state in states if state != old)) :]:
        send.wait(SETTLING_S)
        states.append(action.state_in(read()))
        if states[-1] == old and not action.target.endswith("ing"):
            message = (
                f"{action.state!r} is {', then '.join(map(repr, states))}; it was {quote_value(old)} before "
                "the action"
            )
            yield first_response_failure(
                action.operation,
                "the state goes back after an action",
                message,
                created.exchange,
                acted,
                *readings,
            )
    elif shown == old and states[0] == action.target:
        message = (
            f"{action.state!r} is {quote_value(shown)} in the response, and is read as "
            f"{quote_value(states[0])} at once"
        )
        yield first_response_failure(
            action.operation,
            "the response to an action shows the old state",
            message,
            created.exchange,
            acted,
            readings[0],
        )


def _time_failures(
    subject: Subject,
    created: CreatedResource,
    action: _Action,
    before: Exchange,
    acted: Exchange,
    after: Exchange,
) -> Iterator[CheckFailure]:
    """Yield a failure if the time of the new state is before earlier ones, or the creation time moves."""
    earlier, later = action.representation(before), action.representation(after)
    names = subject.conventions.created
    for name in earlier.keys() & later.keys():
        is_moved = matches_any_name(name, names) and parse_instant(earlier[name]) is not None
        if is_moved and not is_equivalent(earlier[name], later[name]):
            message = f"{name!r} was {quote_value(earlier[name])}, and is {quote_value(later[name])} after the action"
            yield first_response_failure(
                action.operation, "an action moves the creation time", message, created.exchange, acted, after
            )
            return
    reached_at = next(
        (text for text in later if _is_time_of(action, text) and earlier.get(text) in EMPTY_VALUES), None
    )
    instant = parse_instant(later[reached_at]) if reached_at is not None else None
    if instant is None or reached_at is None:
        return
    for name, value in earlier.items():
        known = parse_instant(value)
        is_earlier_step = matches_any_name(name, names) or _is_time_of_state(subject, action, name)
        if known is not None and is_earlier_step and known - instant > PRECISION:
            message = (
                f"{reached_at!r} is {quote_value(later[reached_at])}, before {name!r}, {quote_value(value)}"
            )
            yield first_response_failure(
                action.operation,
                "the time of a state is before an earlier one",
                message,
                created.exchange,
                acted,
                after,
            )
            return


def _is_time_of(action: _Action, name: str) -> bool:
    """Return whether a member is the time of the state that an action leads to: `cancelled_at`."""
    verb = plain_letters(action_name(action.operation.path))
    return plain_letters(name).startswith((plain_letters(action.target), verb)) and len(verb) >= SHORTEST_VERB


def _is_time_of_state(subject: Subject, action: _Action, name: str) -> bool:
    """Return whether a member is the time of another action of the resource."""
    others = resource_actions(subject, action.resource)
    verbs = [
        plain_letters(action_name(operation.path))
        for operation in others
        if operation is not action.operation
    ]
    return any(plain_letters(name).startswith(verb) for verb in verbs if len(verb) >= SHORTEST_VERB)


FAMILY = Family(
    name="actions",
    summary="actions move the state",
    words=CheckDescription(
        promise="A successful action moves the resource to its state. The response and the next readings show "
        "that state. The time of a state is not before that of an earlier one. What the description of an operation "
        "says about states is true: where it is allowed, what it sets, and what it forbids afterwards.",
        test="Resources are created, and their actions are executed in the order of the contract: each `POST` "
        "to a fixed segment below a resource whose name or description names a value of its state, such as "
        "`/cancel` and `cancelled`. The resource is read before, and three times after. Actions that return 202 "
        'are skipped. A state that ends in `ing` may pass by itself. Plain sentences are rules: "from `draft` to '
        '`placed`", "only orders in `draft`", "sets `placedAt`", "archived samples cannot be changed", '
        '"archived samples are left out", "`archivedAt` is null again". Each operation with a documented 409, also a '
        "creation below the resource, is tried in the states that do not allow it: it is rejected, and changes "
        "nothing. Members that only the client sets, and those that are kept by the description of the action, keep "
        "their values, and other resources theirs. Lists that can be filtered by the state show the resource in its "
        "new state only. "
        "What a response shows, and a value that its request sets, is read back, an action such as `/change_plan` "
        "changes `plan_id`, and a boolean or a time with the name "
        "of the action is set.",
        remedy="Write the state in the transaction of the action, and respond with what was written.",
        sources=("RFC 9110 §9.3.3", "RFC 9110 §15.3.1"),
    ),
    needs="an action such as `POST /orders/{id}/cancel` whose name or description names a value of the state, "
    "such as `cancelled`",
    probes=probes,
    about_state=True,
)
