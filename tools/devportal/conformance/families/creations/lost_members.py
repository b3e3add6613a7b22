"""Finds members of a creation that are not read afterwards, or are read with another value."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.json_api import members_schema
from devportal.conformance.knowledge.requests.request_variants import valid_body
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.resources.created_resources import (
    CreatedResource,
    create_resource,
    resource_json,
)
from devportal.conformance.knowledge.resources.representation_match import (
    is_certainly_different,
    is_equivalent,
    is_masked,
    is_number,
    normalized_text,
    resource_schema,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import ABSENT, Operation, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import names_resource, singular
from devportal.contract.resources import Resource, object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.values.synthesis import synthesise
from devportal.documents import member_at

MemberPath = tuple[str, ...]
ENTRY_NAMES = ("firstEntry", "second")
"""Names of entries of a map. A name in two cases shows whether a server changes it."""


def lost_members(subject: Subject, created: CreatedResource, exchange: Exchange) -> list[str]:
    """Return the members that were sent with a value and are read without one, or as a list without some of
    its items.
    """
    shown = resource_json(created.resource, exchange)
    return [
        ".".join(path)
        for path, value, _ in _sent_leaves(subject, created, exchange)
        if value not in EMPTY_VALUES and is_lost(value, member_at(shown, path))
    ]


def replaced_members(subject: Subject, created: CreatedResource, exchange: Exchange) -> list[str]:
    """Return the numbers, booleans, days, enumerated texts and plain texts that are read with another value
    than was sent, in lists of objects and in maps too. States are excluded, because a server moves them.
    """
    shown = resource_json(created.resource, exchange)
    maps = {name for name, value in map_members(subject, created.resource) if value is not None}
    return [
        ".".join(path)
        for path, value, schema in _sent_leaves(subject, created, exchange)
        if _is_replaced(schema, value, member_at(shown, path))
        or (path[0] in maps and _is_replaced_entry(value, member_at(shown, path)))
        or _is_replaced_text(schema, value, member_at(shown, path))
        or are_items_replaced(value, member_at(shown, path))
    ]


def _is_replaced(schema: Schema, sent: Any, shown: Any) -> bool:
    is_certain = isinstance(sent, bool | int | float) or (
        isinstance(sent, str) and (bool(schema.enum) or schema.format == "date")
    )
    return is_certain and shown not in EMPTY_VALUES and not is_equivalent(sent, shown)


def are_items_replaced(sent: Any, shown: Any) -> bool:
    """Return whether the numbers of an object in a list are read with other values: no object that is read has
    them all.
    """
    is_list = isinstance(sent, list) and isinstance(shown, list) and len(sent) == len(shown)
    if not is_list or not all(isinstance(item, dict) for item in (*sent, *shown)):
        return False
    return any(not any(_has_numbers(item, other) for other in shown) for item in sent)


def _has_numbers(sent: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    """Return whether an object shows the numbers and the decimal texts that were sent, if it has them."""
    return all(
        is_equivalent(value, shown[name])
        for name, value in sent.items()
        if name in shown
        and (is_number(value) or isinstance(value, bool))
        and type(shown[name]) is type(value)
    )


def _is_replaced_text(schema: Schema, sent: Any, shown: Any) -> bool:
    """Return whether a text of letters and spaces is read with other letters. A shorter one may be an
    abbreviation, and a schema with a form, such as a pattern, lets a server normalize what it gets.
    """
    is_plain = isinstance(sent, str) and sent.replace(" ", "").isalpha()
    if not is_plain or not isinstance(shown, str) or schema.format or schema.enum:
        return False
    first, second = normalized_text(sent), normalized_text(shown)
    has_form = any(constraint.keyword == "pattern" for constraint in schema.constraints)
    return not has_form and len(first) <= len(second) and first not in second


def _is_replaced_entry(sent: Any, shown: Any) -> bool:
    """Return whether an entry of a map, whose names and values only clients know, is read with another value. The
    number of a free map may not become a text; one of a map of texts cannot be sent.
    """
    is_plain = isinstance(shown, str | int | float) and shown not in EMPTY_VALUES
    return is_plain and is_certainly_different(sent, shown)


def map_values(subject: Subject, schema: Schema) -> Schema | None:
    """Return the schema of the values of a map: an object that declares no members, whose names clients choose;
    None for others.
    """
    resolved = subject.api.resolve(schema)
    if (
        "object" not in resolved.types
        or resolved.all_of
        or any(True for _ in object_properties(subject.api, resolved))
    ):
        return None
    values = resolved.additional_properties
    return subject.api.resolve(values) if values is not None and values.verdict is not False else None


def map_members(subject: Subject, resource: Resource) -> Iterator[tuple[str, Schema | None]]:
    """Yield the members of a creation, each with the schema of its values if it is a map, else None."""
    schema = body_schema(resource.create) if resource.create is not None else None
    if schema is not None:
        for property_ in object_properties(
            subject.api, members_schema(subject.api, schema, resource.envelope)
        ):
            yield property_.name, map_values(subject, property_.schema)


def map_entries(subject: Subject, values: Schema) -> dict[str, Any]:
    """Return entries of a map with names that differ in their letters and case, and different values."""
    if not values.types and not values.enum and values.const is ABSENT:
        return {ENTRY_NAMES[0]: "text", ENTRY_NAMES[1]: 7}
    value = synthesise(subject.api, values, Direction.REQUEST)
    others = [other for other in _distinctive_values(subject, values, value) if other is not ABSENT]
    texts = [f"{value} b", f"{value}b"] if isinstance(value, str) and not values.enum else []
    other = next(iter((*texts, *others)), value)
    return {} if value is ABSENT else {ENTRY_NAMES[0]: value, ENTRY_NAMES[1]: other}


def whole_request(
    subject: Subject, create: Operation, *, is_zero: bool = False, has_entries: bool = True
) -> Request | None:
    """Return a request with every member that the contract describes, with values that no server sets by
    itself, or with zero and false where the contract allows them; None if there is none. With `has_entries`, maps
    have two more entries, and empty lists of texts have some.
    """
    body = valid_body(subject, create)
    if body is None:
        return None
    whole = dict(body.members)
    values_of = _zero_values if is_zero else partial(_distinctive_values, subject)
    references = subject.reference_names
    for property_ in object_properties(subject.api, body.schema):
        member = subject.api.resolve(property_.schema)
        if property_.name not in whole and names_resource(property_.name, references):
            continue  # an identifier that does not exist may be rejected
        value = whole.get(property_.name, synthesise(subject.api, property_.schema, Direction.REQUEST))
        candidates = [*values_of(member, value), value]
        if has_entries and not is_zero and not names_resource(singular(property_.name), references):
            candidates[-1:-1] = _filled_lists(subject, member, value)
        is_settable = not member.read_only and value is not ABSENT
        for candidate in candidates if is_settable else ():
            if body.is_valid(subject, {**whole, property_.name: candidate}):
                whole[property_.name] = candidate
                break
        entries = map_values(subject, member) if has_entries and not member.read_only else None
        if entries is not None and isinstance(whole.get(property_.name, {}), dict):
            with_entries = {**whole.get(property_.name, {}), **map_entries(subject, entries)}
            if body.is_valid(subject, {**whole, property_.name: with_entries}):
                whole[property_.name] = with_entries
    return body.request(whole)


def create_whole(
    subject: Subject, resource: Resource, send: Send, *, is_zero: bool = False
) -> CreatedResource:
    """Create a resource with all members, without new entries of maps and empty lists if these are rejected: a
    deployment may use its own names for them. Raises Unsendable if none can be created.
    """
    create = resource.create
    wholes = [
        whole_request(subject, create, is_zero=is_zero, has_entries=has_entries)
        for has_entries in (True, False)
        if create is not None
    ]
    different = [request for number, request in enumerate(wholes) if request not in wholes[:number]]
    for request in different:
        with suppress(Unsendable):
            return create_resource(subject, resource, send, request=request)
    return create_resource(subject, resource, send)


def _distinctive_values(subject: Subject, schema: Schema, value: Any) -> Iterator[Any]:
    """Yield values that differ from defaults: a fraction, another value of an enumeration, a second item."""
    if schema.enum:
        yield from (item for item in reversed(schema.enum) if item is not None and item != schema.default)
    elif isinstance(value, bool):
        yield not schema.default if isinstance(schema.default, bool) else True
    elif isinstance(value, int | float) and "number" in schema.types:
        yield value + 0.5 if value == int(value) else value
    elif isinstance(value, int) and value in (0, schema.default):
        yield from (number for number in (10, value + 1) if number != schema.default)
    elif isinstance(value, list) and len(value) < 2:
        yield from _longer_lists(subject, schema, value)
    elif value is None and "string" in schema.types:
        yield "text"


def _longer_lists(subject: Subject, schema: Schema, value: list[Any]) -> Iterator[list[Any]]:
    """Yield a list with one item more than one or none: of an enumeration the last two, of texts another one."""
    items = subject.api.resolve(schema.items) if schema.items is not None else None
    choices = [item for item in items.enum if item is not None] if items is not None else []
    if len(choices) > 1:
        yield choices[-2:]
    elif value and isinstance(value[0], str):
        yield [*value, f"{value[0]}b"]


def _filled_lists(subject: Subject, schema: Schema, value: Any) -> Iterator[list[Any]]:
    """Yield lists of texts for a list that is empty, often by its default: what resets it would not be seen."""
    if value != []:
        return
    items = subject.api.resolve(schema.items) if schema.items is not None else None
    text = synthesise(subject.api, items, Direction.REQUEST) if items is not None and not items.enum else None
    if isinstance(text, str):
        yield from ([text, f"{text}b"], [text])


def _zero_values(schema: Schema, value: Any) -> Iterator[Any]:
    """Yield the value that careless programs take for none."""
    if isinstance(value, bool):
        yield False
    elif isinstance(value, int | float) and not schema.enum:
        yield 0


def is_lost(sent: Any, shown: Any) -> bool:
    """Return whether a value is gone, or a list has some of its items only."""
    if shown in EMPTY_VALUES:
        return True
    if not (isinstance(sent, list) and isinstance(shown, list)):
        return False
    texts = {json.dumps(item, sort_keys=True) for item in shown}
    sent_texts = {json.dumps(item, sort_keys=True) for item in sent}
    return texts < sent_texts


def _sent_leaves(
    subject: Subject, created: CreatedResource, exchange: Exchange
) -> Iterator[tuple[MemberPath, Any, Schema]]:
    """Yield the members that were sent and that the contract describes in the response too."""
    create = created.resource.create
    sent_schema = body_schema(create) if create is not None else None
    shown_schema = resource_schema(subject, created.resource, created.resource.read, exchange.status)
    if sent_schema is not None and shown_schema is not None:
        sent_schema = members_schema(subject.api, sent_schema, created.resource.envelope)
        shown = resource_json(created.resource, exchange)
        for path, value, schema in _leaves(subject, created.sent_json, sent_schema, shown_schema, ()):
            if not is_masked(member_at(shown, path)):
                yield path, value, schema


def _leaves(
    subject: Subject, sent: Any, sent_schema: Schema, shown_schema: Schema, path: MemberPath
) -> Iterator[tuple[MemberPath, Any, Schema]]:
    sent_members, shown_members = (
        {
            property_.name: subject.api.resolve(property_.schema)
            for property_ in object_properties(subject.api, each)
        }
        for each in (sent_schema, shown_schema)
    )
    for name, value in sent.items() if isinstance(sent, dict) else ():
        sent_member, shown_member = sent_members.get(name), shown_members.get(name)
        if (
            sent_member is None
            or shown_member is None
            or not _is_kept(subject, name, sent_member, shown_member)
        ):
            continue
        is_map = map_values(subject, sent_member) is not None
        entries = map_values(subject, shown_member) if is_map else None
        if isinstance(value, dict) and entries is not None:
            yield from (((*path, name, key), item, entries) for key, item in value.items())
        elif isinstance(value, dict):
            yield from _leaves(subject, value, sent_member, shown_member, (*path, name))
        else:
            yield (*path, name), value, shown_member


def _is_kept(subject: Subject, name: str, sent: Schema, shown: Schema) -> bool:
    """Return whether a response shows a member as it was sent: neither schema hides it, both have one type,
    and it is not a state.
    """
    is_hidden = sent.write_only or shown.write_only or sent.format == "password"
    is_state = matches_any_name(name, subject.conventions.state) or shown.state_machine is not None
    return not is_hidden and not is_state and sent.types == shown.types
