"""Compares two representations of one resource: which members must agree, and whether they do."""

import json
import unicodedata
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.json_api import members_schema
from devportal.conformance.knowledge.resources.created_resources import resource_json
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Api, Location, Operation, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import json_response_type
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.instants import PRECISION, parse_instant
from devportal.contract.values.member_rules import EMPTY_VALUES

Members = Mapping[tuple[str, ...], Any]
MASK_MARKS = ("*", "•", "…", "...")
"""What replaces a secret that is shown once."""


def leaf_members(value: Any, path: tuple[str, ...] = ()) -> Members:
    """Return the members of an object and of nested objects, by their paths; a list is one value."""
    if not isinstance(value, dict):
        return {path: value} if path else {}
    return {
        member_path: leaf
        for name, item in value.items()
        for member_path, leaf in leaf_members(item, (*path, str(name))).items()
    }


def is_equivalent(first: Any, second: Any) -> bool:
    """Return whether two values mean the same: numbers by value, times by instant, lists in any order."""
    if isinstance(first, list) and isinstance(second, list):
        return sorted(map(_canonical_json, first)) == sorted(map(_canonical_json, second))
    if isinstance(first, bool) or isinstance(second, bool) or type(first) is not type(second):
        return (
            type(first) in (int, float) and type(second) in (int, float) and first == second
        ) or first is second
    if isinstance(first, str):
        return first == second or _is_same_instant(first, second) or _is_same_number(first, second)
    return bool(first == second)


def is_json_number(value: Any) -> bool:
    """Return whether a value is a number in JSON, which a boolean is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Return whether a value is a number, or a text that is one, such as an amount."""
    if isinstance(value, str):
        try:
            return Decimal(value).is_finite()
        except InvalidOperation:
            return False
    return is_json_number(value)


def normalized_text(text: str) -> str:
    """Return the letters and digits of a text without regard to case, which trimming, punctuation and
    normalisation leave unchanged (Unicode Standard Annex #15).
    """
    return "".join(
        character for character in unicodedata.normalize("NFKC", text).casefold() if character.isalnum()
    )


def is_certainly_different(first: Any, second: Any) -> bool:
    """Return whether two values differ in more than their notation."""
    if (
        isinstance(first, str)
        and isinstance(second, str)
        and normalized_text(first) == normalized_text(second)
    ):
        return False
    is_nothing = all(value in EMPTY_VALUES for value in (first, second))
    return not is_nothing and not is_equivalent(first, second)


def changed_members(before: Members, after: Members, paths: Iterator[tuple[str, ...]]) -> list[str]:
    """Return the names of the members that both have with different meanings, in their order."""
    both = (path for path in paths if path in before and path in after)
    return [".".join(path) for path in both if not is_equivalent(before[path], after[path])]


def echoed_members(
    subject: Subject, sent: Any, representation: Any, schema: Schema | None
) -> Iterator[tuple[str, ...]]:
    """Yield the paths of members that the response shows as they were sent: only the client changes them. A
    state is excluded, whoever set it first.
    """
    sent_members, shown_members = leaf_members(sent), leaf_members(representation)
    states = {state_member.name for state_member in state_members(subject, schema)}
    for path in sent_members:
        is_state = path[0] in states or matches_any_name(path[-1], subject.conventions.state)
        if path in shown_members and not is_state and is_equivalent(sent_members[path], shown_members[path]):
            yield path


def state_members(subject: Subject, schema: Schema | None) -> list[Any]:
    """Return the members of an object that the contract gives a state machine."""
    if schema is None:
        return []
    found = object_properties(subject.api, schema)
    return [
        property_ for property_ in found if subject.api.resolve(property_.schema).state_machine is not None
    ]


def response_schema(operation: Operation | None, status: int) -> Schema | None:
    """Return the schema of the JSON body that an operation promises for a status."""
    response = documented_response(operation, status) if operation is not None else None
    media_type = json_response_type(response.content) if response is not None else None
    return media_type.schema if media_type is not None else None


def resource_schema(
    subject: Subject, resource: Resource, operation: Operation | None, status: int
) -> Schema | None:
    """Return the schema of a representation in the response that an operation promises for a status."""
    schema = response_schema(operation, status)
    return members_schema(subject.api, schema, resource.envelope) if schema is not None else None


def schema_of_reading(subject: Subject, resource: Resource) -> Schema | None:
    """Return the schema of a representation in the first success of reading a resource, None if it cannot be read."""
    return resource_schema(subject, resource, resource.read, success_status(resource.read))


def success_status(operation: Operation | None) -> int:
    """Return the first success status that an operation documents, 200 if it names none."""
    successes = operation.successes if operation is not None else ()
    return next((int(success.status) for success in successes if success.status.isdigit()), 200)


def stable_members(
    subject: Subject, created_schema: Schema | None, read_schema: Schema | None
) -> Iterator[tuple[str, ...]]:
    """Yield the paths of members that two responses describe alike and that do not change by themselves:
    numbers, booleans, and texts of a certain form. Only for resources whose processing has not begun.
    """
    if created_schema is None or read_schema is None:
        return
    locations = {
        property_.name: _schema_location(subject, property_.schema)
        for property_ in object_properties(subject.api, created_schema)
    }
    for property_ in object_properties(subject.api, read_schema):
        schema = subject.api.resolve(property_.schema)
        is_alike = locations.get(property_.name) == schema.location
        if (
            is_alike
            and _is_stable(schema)
            and not matches_any_name(property_.name, subject.conventions.state)
        ):
            yield (property_.name,)


def differing_after_rejection(
    subject: Subject, resource: Resource, before: Exchange, after: Exchange
) -> list[str]:
    """Return the members that are read with other values after a rejected request. States and the time of the
    last change are left out: a server may move them by itself.
    """
    first, second = (leaf_members(resource_json(resource, exchange)) for exchange in (before, after))
    names = (*subject.conventions.state, *subject.conventions.updated)
    paths = (path for path in first if not matches_any_name(path[-1], names))
    is_read = all(exchange.is_success for exchange in (before, after))
    return changed_members(first, second, paths) if is_read else []


def is_masked(value: Any) -> bool:
    """Return whether a text is shown in part, as secrets are."""
    return isinstance(value, str) and any(mask_mark in value for mask_mark in MASK_MARKS)


def _schema_location(subject: Subject, schema: Schema) -> Location:
    return subject.api.resolve(schema).location


def _is_stable(schema: Schema) -> bool:
    if schema.state_machine is not None or schema.write_only:
        return False
    if "string" in schema.types:
        is_formatted = bool(schema.enum) or any(
            constraint.keyword == "pattern" for constraint in schema.constraints
        )
        return is_formatted and not schema.format
    return bool({"integer", "number", "boolean"} & set(schema.types))


def _is_same_instant(text: str, other: str) -> bool:
    first, second = parse_instant(text), parse_instant(other)
    return first is not None and second is not None and abs(first - second) <= PRECISION


def _is_same_number(first: str, second: str) -> bool:
    try:
        return Decimal(first) == Decimal(second)
    except InvalidOperation:
        return False


def _canonical_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def member_location(api: Api, operation: Operation, status: int, member: str) -> Location | None:
    """Return where the contract describes a member of a JSON response, by its path such as `address.city`; None
    if it does not.
    """
    schema = response_schema(operation, status)
    for name in member.split("."):
        if schema is None:
            return None
        members = (property_.schema for property_ in object_properties(api, schema) if property_.name == name)
        schema = next(members, None)
    return schema.location if schema is not None else None
