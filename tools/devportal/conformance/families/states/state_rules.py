"""Operations are accepted in the states that their descriptions name, and in no others."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.states.resource_walk import ResourceWalk, effect_failure
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import CONFLICT
from devportal.conformance.knowledge.descriptions.described_states import allowed_states
from devportal.conformance.knowledge.resources.child_resources import child_types
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    create_resource,
    is_success,
    read_created,
)
from devportal.conformance.knowledge.resources.operation_resources import (
    changed_after_rejection,
    resource_uploads,
)
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.path_templates import action_target
from devportal.contract.resources import Resource
from devportal.contract.wording import quote_value


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRule:
    """An operation on a resource, the states in which its description allows it, and the state to which it
    leads, empty if it leaves the state.
    """

    operation: Operation
    allowed: tuple[str, ...]
    target: str = ""

    def excludes(self, state: str) -> bool:
        """Return whether the operation must be rejected in a state."""
        return (
            bool(self.allowed)
            and state not in self.allowed
            and documents_exact_status(self.operation, CONFLICT)
        )


def rule_probes(
    subject: Subject, resource: Resource, rules: tuple[StateRule, ...], state: str
) -> Iterator[Probe]:
    """Yield a probe for the operations of a resource whose descriptions name the states that allow them."""
    restricted = [rule for rule in rules if rule.allowed and documents_exact_status(rule.operation, CONFLICT)]
    if restricted:
        run = partial(_check_states, subject, resource, rules, state)
        yield Probe(operation=operation_label(restricted[0].operation), run=run)


def changes_with_states(subject: Subject, resource: Resource, states: tuple[str, ...]) -> Iterator[StateRule]:
    """Yield a rule for each change and deletion of a resource, and each creation and reading below it, that only some
    states allow.
    """
    creations = (child.create for child in child_types(subject, (resource,)) if not child.member)
    deletions = (resource.delete,) if resource.delete is not None else ()
    readings = (
        operation
        for operation in subject.operations
        if operation.method == "GET" and action_target(operation.path) == resource.value_key
    )
    for operation in (*resource.changes, *deletions, *creations, *readings):
        allowed = allowed_states(operation, states)
        if allowed:
            yield StateRule(operation=operation, allowed=allowed)


def _check_states(
    subject: Subject, resource: Resource, rules: tuple[StateRule, ...], state: str, send: Send
) -> Iterator[CheckFailure]:
    """Take a resource from state to state by its actions, and another one by the last of several actions first, and try
    in each state what it does not allow.
    """
    has_compared = False
    has_choice = len([rule for rule in rules if rule.target]) > 1
    for ordered in (rules, rules[::-1]) if has_choice else (rules,):
        failure, compared = _walk_states(subject, resource, ordered, state, send)
        has_compared |= compared
        if failure is not None:
            yield failure
            return
    if not has_compared:
        raise Unsendable("a state in which an operation is not allowed, and which the run can reach")


def _walk_states(
    subject: Subject, resource: Resource, rules: tuple[StateRule, ...], state: str, send: Send
) -> tuple[CheckFailure | None, bool]:
    """Take a new resource from state to state by the first action that each allows; return the first failure, and
    whether anything was not allowed.
    """
    created = create_resource(subject, resource, send)
    walk = ResourceWalk(subject=subject, created=created, state=state)
    current = read_created(subject, created, send)
    visited: list[str] = []
    has_compared = False
    while (name := walk.members(current).get(state)) is not None and name not in visited:
        visited.append(name)
        excluding = [rule for rule in rules if rule.excludes(name)]
        has_compared |= bool(excluding)
        failures = (_allowed_failure(walk, rule, current, send) for rule in excluding)
        failure = next((each for each in failures if each is not None), None)
        if failure is not None:
            return failure, True
        for rule in rules:
            if rule.operation.method == "GET" and name in rule.allowed:
                walk.send(rule.operation, current, send)  # the only state in which it can succeed
        steps = (
            rule for rule in rules if rule.target and name in rule.allowed and rule.target not in visited
        )
        step = next(steps, None)
        acted = walk.send(step.operation, current, send) if step is not None else None
        if step is None:
            uploads = resource_uploads(subject, resource) if len(visited) == 1 else ()
            if not any(is_success(each) for each in (walk.send(up, current, send) for up in uploads) if each):
                break
            current = walk.read(send)
            continue
        if acted is None or not is_success(acted) or acted.status == ACCEPTED:
            break
        after = walk.read(send)
        reached = walk.members(after).get(state)
        if reached != step.target and reached in visited[:-1]:
            message = (
                f"{state!r} was {name!r}, is {quote_value(reached)} after the action, and not {step.target!r}"
            )
            title = "an action leads back to an earlier state"
            failure = effect_failure(step.operation, title, message, created.exchange, current, acted, after)
            return failure, True
        current = after
    return None, has_compared


def _allowed_failure(
    walk: ResourceWalk, rule: StateRule, before: Exchange, send: Send
) -> CheckFailure | None:
    """Return the failure of an operation that is accepted in a state that does not allow it, or that is rejected
    and changes the resource all the same.
    """
    exchange = walk.attempt(rule.operation, before, send)
    if exchange is None:
        return None
    state = walk.members(before).get(walk.state)
    evidence = (walk.created.exchange, before, exchange)
    if is_success(exchange):
        message = (
            f"{exchange.status} while {walk.state!r} is {quote_value(state)}; allowed are: "
            f"{', '.join(rule.allowed)}"
        )
        return effect_failure(rule.operation, "an operation is accepted in another state", message, *evidence)
    after = walk.read(send)
    differing = changed_after_rejection(walk.subject, walk.created, before, after, send)
    shown = walk.members(after).get(walk.state)
    if exchange.status == CONFLICT and shown is not None and shown != state and shown == rule.target:
        differing = [walk.state, *differing]
    if exchange.status == CONFLICT and differing:
        message = f"{exchange.status}, and other values are read afterwards in: {', '.join(differing)}"
        return effect_failure(
            rule.operation, "a rejected request changes a resource", message, *evidence, after
        )
    return None
