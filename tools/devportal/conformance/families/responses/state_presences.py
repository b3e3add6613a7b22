"""Resources are taken through their states if a member has a value in some of them only: "Null unless `closed`"."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.responses.ruled_objects import broken_rules, rule_failure
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_states import FINAL_STATE
from devportal.conformance.knowledge.resources.created_resources import (
    CreatedResource,
    create_resource,
    is_success,
    read_created,
    read_resource,
)
from devportal.conformance.knowledge.resources.operation_resources import send_members, send_to
from devportal.conformance.knowledge.resources.representation_match import schema_of_reading
from devportal.conformance.knowledge.resources.state_actions import reached_state, resource_actions
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.member_rules import MemberPresence, member_rules


def presence_probes(subject: Subject, resource: Resource) -> Iterator[Probe]:
    """Yield a probe for each enumerated member of a resource in whose values another one has a value, or none."""
    schema = schema_of_reading(subject, resource)
    if resource.create is None or resource.read is None or schema is None:
        return
    rules = [rule for rule in member_rules(subject.api, schema) if isinstance(rule, MemberPresence)]
    for name in dict.fromkeys(rule.state for rule in rules):
        member = next(each for each in object_properties(subject.api, schema) if each.name == name)
        states = tuple(value for value in subject.api.resolve(member.schema).enum if isinstance(value, str))
        steps = (*resource.changes[:1], *resource_actions(subject, resource))
        run = partial(_check_states, subject, resource, name, states)
        if steps:
            yield Probe(operation=operation_label(steps[0]), run=run)


def _check_states(
    subject: Subject, resource: Resource, name: str, states: tuple[str, ...], send: Send
) -> Iterator[CheckFailure]:
    """Take a new resource through its states, and compare what is read in each."""
    created = create_resource(subject, resource, send)
    before = read_created(subject, created, send)
    moves: list[Exchange] = []
    for moved in _moves(subject, created, name, states, before, send):
        if not is_success(moved):
            continue
        moves.append(moved)
        after = read_resource(subject, resource, created.id, send)
        for exchange in (moved, after):
            for broken in broken_rules(subject, exchange):
                if isinstance(broken.rule, MemberPresence) and broken.rule.state == name:
                    yield rule_failure(broken, exchange, created.exchange, *moves)
                    return
    if not moves:
        raise Unsendable(f"a change or an action that moves {name!r}, which the deployment accepts")


def _moves(
    subject: Subject,
    created: CreatedResource,
    name: str,
    states: tuple[str, ...],
    before: Exchange,
    send: Send,
) -> Iterator[Exchange]:
    """Yield the exchanges that move a resource: a change to each of its states and back to the first ones, then its
    actions, those last after which no other is allowed.
    """
    for change in created.resource.changes[:1]:
        for value in (*states, *reversed(states[:-1])):
            last_read = read_resource(subject, created.resource, created.id, send)
            with suppress(Unsendable):
                moved = send_members(subject, created, change, {name: value}, last_read, send)
                if moved is not None:
                    yield moved
    for action in sorted(resource_actions(subject, created.resource), key=partial(_ends, subject, created)):
        moved = send_to(subject, created, action, before, send)
        if moved is not None:
            yield moved


def _ends(subject: Subject, created: CreatedResource, action: Operation) -> bool:
    """Return whether an action leads to a state that is usually the last one, such as `cancelled`."""
    reached = reached_state(subject, created.resource, action)
    return reached is not None and FINAL_STATE.match(reached.value) is not None
