"""The objects of responses whose members the contract relates by plain sentences, and the rules that they break."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckFailure
from devportal.conformance.knowledge.requests.inputs import conjunction_for_value
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.resources.created_resources import (
    is_success,
    response_json,
)
from devportal.conformance.knowledge.resources.representation_match import response_schema
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation, Schema
from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.resources import PAGE_SIZE, has_page_parameter, object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.member_rules import (
    ComputedMember,
    MemberPresence,
    MemberRule,
    has_member_rules,
    member_rules,
    member_value,
)
from devportal.contract.wording import quote_value

DEEPEST = 6
MOST_ITEMS = 20
"""How many objects of one list are checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenRule:
    """A rule that an object of a response breaks, with the path of the object, such as `data.*.lines`."""

    rule: MemberRule
    path: str
    members: Mapping[str, Any]


def shows_rules(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a successful response shows an object with members that the contract relates."""
    return any(True for _ in _ruled_objects(subject, exchange))


def broken_rules(subject: Subject, exchange: Exchange) -> Iterator[BrokenRule]:
    """Yield the rules that the objects of a response break."""
    for rules, path, members in _ruled_objects(subject, exchange):
        for rule in rules:
            if rule.is_met(members) is False:
                yield BrokenRule(rule=rule, path=path, members=members)


def _ruled_objects(
    subject: Subject, exchange: Exchange
) -> Iterator[tuple[tuple[MemberRule, ...], str, Mapping[str, Any]]]:
    """Yield the objects of a successful response for which the contract has rules that their members can break."""
    operation = subject.operation(exchange.operation)
    if operation is None or not is_success(exchange):
        return
    schema = response_schema(operation, exchange.status)
    if schema is None or not has_member_rules(subject.api, schema):
        return
    is_page = _is_paged(subject, operation)
    for path, members, inner in _objects(subject, schema, response_json(exchange), ()):
        if (is_page and len(path) < 2) or _has_next_page(subject.conventions, members):
            continue  # a page shows some of the items that it may count
        shown = _with_missing_members(exchange, path, members, inner)
        rules = tuple(
            rule
            for rule in member_rules(subject.api, inner)
            if rule.is_met(shown) is not None and not _is_too_late(subject, operation, rule)
        )
        if rules:
            yield rules, ".".join(path), shown


def _with_missing_members(
    exchange: Exchange, path: tuple[str, ...], members: Mapping[str, Any], schema: Schema
) -> Mapping[str, Any]:
    """Return the members of an object, with null for those that it lacks if its response shows one whole resource: a
    list, and a response to a query, may show some of the members.
    """
    if len(path) > 1 or "*" in path or "?" in exchange.request.url:
        return members
    return {**dict.fromkeys(property_.name for property_ in schema.properties), **members}


def _is_too_late(subject: Subject, operation: Operation, rule: MemberRule) -> bool:
    """Return whether a rule about new resources is compared with a response that need not show one."""
    is_creation = any(operation is resource.create for resource in subject.resources)
    return isinstance(rule, MemberPresence) and rule.is_new and not is_creation


def _is_paged(subject: Subject, operation: Operation) -> bool:
    """Return whether a request asks for a page: by a parameter, or by a limit and a place in the body of a search."""
    conventions = subject.conventions
    if has_page_parameter(conventions, operation):
        return True
    schema = body_schema(operation)
    names = [property_.name for property_ in object_properties(subject.api, schema)] if schema else []
    limits = [name for name in names if matches_any_name(name, (*conventions.limit, *PAGE_SIZE))]
    places = (*conventions.limit, *conventions.cursor, *conventions.page, *conventions.offset)
    return bool(limits) and any(matches_any_name(name, places) for name in names if name not in limits)


def _has_next_page(conventions: Conventions, members: Mapping[str, Any]) -> bool:
    """Return whether an object is a page of a list, such as `{"data": […], "has_more": false}`."""
    return any(matches_any_name(name, conventions.next_cursor) for name in members)


def _objects(
    subject: Subject, schema: Schema, value: Any, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any], Schema]]:
    """Yield the objects in a value of a response, with their paths and schemas."""
    if len(path) > DEEPEST or not isinstance(value, dict | list):
        return
    combined = conjunction_for_value(subject, schema, value, Direction.RESPONSE).schema
    if isinstance(value, list):
        if combined.items is not None:
            for item in value[:MOST_ITEMS]:
                yield from _objects(subject, combined.items, item, (*path, "*"))
        return
    yield path, value, combined
    for property_ in combined.properties:
        yield from _objects(subject, property_.schema, value.get(property_.name), (*path, property_.name))


def rule_failure(broken: BrokenRule, exchange: Exchange, *earlier: Exchange) -> CheckFailure:
    """Return the failure of a response that breaks a rule, with the `earlier` exchanges that led to it."""
    rule, where = broken.rule, f" of {broken.path!r}" if broken.path else ""
    shown = broken.members[rule.name]
    if isinstance(rule, MemberPresence):
        title = str(rule)
        value = f"{quote_value(shown)}" if rule.has_value or shown is not None else "missing"
        message = f"{rule.name!r}{where} is {value} while {rule.state!r} is {quote_value(broken.members[rule.state])}"
    elif isinstance(rule, ComputedMember):
        title = f"{rule.name!r} is not what its description says"
        message = (
            f"{rule.name!r}{where} is {quote_value(shown)}, but its other members give "
            f"{rule.compute(broken.members)}"
        )
    else:
        other = member_value(broken.members, rule.other)
        title = str(rule)
        message = f"{rule.name!r}{where} is {quote_value(shown)}, and {rule.other!r} is {quote_value(other)}"
    return CheckFailure(
        title=title,
        message=f'{message}. The contract says: "{rule.sentence}"',
        operation=exchange.operation,
        promise=rule.location,
        evidence=(*(each for each in earlier if each is not exchange), exchange),
        member=".".join(part for part in (broken.path, rule.name) if part),
    )
