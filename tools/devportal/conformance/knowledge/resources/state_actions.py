"""The actions of a resource, the states that they lead to, and those that a creation asks for by its words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.descriptions.described_states import (
    allowed_states,
    missing_states,
    states_in,
    target_state,
)
from devportal.conformance.knowledge.json_api import members_schema
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation, Property
from devportal.contract.body_schemas import success_schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import action_target
from devportal.contract.resources import Resource, object_properties
from devportal.contract.wording import sentences_of

_NEGATIVE = re.compile(
    r"\b(?:no|not|none|never|cannot|can't|without|unless|except|reject\w*|refuse\w*|fail\w*|conflicts?|4\d\d)\b",
    re.IGNORECASE,
)
REJECTIONS = (409, 422)
"""The statuses whose descriptions name the states without which a creation is rejected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedState:
    """The state that an action leads to, and the member that holds it."""

    member: str
    value: str


def resource_actions(subject: Subject, resource: Resource) -> Iterator[Operation]:
    """Yield the actions of a resource, in the order of the contract: a POST to a fixed segment below it, or to its
    path with a verb after a colon (AIP-136), or any other procedure that names it.
    """
    others = (resource.read, resource.delete, *resource.changes)
    for operation in subject.operations:
        is_call = operation in resource.calls and operation not in others
        is_below_it = operation.method == "POST" and action_target(operation.path) == resource.value_key
        if is_call or is_below_it:
            yield operation


def enumerated_members(subject: Subject, resource: Resource) -> Iterator[Property]:
    """Yield the enumerated members of a resource that a client cannot set at creation, states first."""
    schema = success_schema(resource.read) if resource.read is not None else None
    shown = members_schema(subject.api, schema, resource.envelope) if schema is not None else None
    members = object_properties(subject.api, shown) if shown is not None else ()
    enumerated = [member for member in members if subject.api.resolve(member.schema).enum]
    yield from sorted(enumerated, key=lambda item: not matches_any_name(item.name, subject.conventions.state))


def reached_state(subject: Subject, resource: Resource, action: Operation) -> ReachedState | None:
    """Return the state that an action leads to by its name or its description, None if the contract names none."""
    for member in enumerated_members(subject, resource):
        target = target_state(action, _texts(subject.api.resolve(member.schema).enum))
        if target:
            return ReachedState(member=member.name, value=target)
    return None


def preparing_actions(subject: Subject, create: Operation, named: Resource) -> Iterator[Operation]:
    """Yield the actions of a resource that lead to a state which a creation that names it asks for, by its description
    or those of its rejections: "The event must be `on_sale`", "The order is not paid".
    """
    for action in resource_actions(subject, named) if named.read is not None else ():
        reached = reached_state(subject, named, action)
        if action is create or reached is None:
            continue
        members = (each for each in enumerated_members(subject, named) if each.name == reached.member)
        states = tuple(state for each in members for state in _texts(subject.api.resolve(each.schema).enum))
        if reached.value in _demanded_states(create, states):
            yield action


def _demanded_states(create: Operation, states: tuple[str, ...]) -> tuple[str, ...]:
    """Return the states that a creation asks for, without those in which it is rejected: "Cancelled events take no
    bookings".
    """
    rejections = (documented_response(create, status) for status in REJECTIONS)
    reasons = (
        sentence for each in rejections if each is not None for sentence in sentences_of(each.description)
    )
    positive = (sentence for sentence in operation_sentences(create) if not _NEGATIVE.search(sentence))
    return allowed_states(create, states) or (
        *(state for sentence in positive for state in states_in(sentence, states)),
        *(state for sentence in reasons for state in missing_states(sentence, states)),
    )


def _texts(values: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(value for value in values if isinstance(value, str))
