"""Valid variants of a request: with a new idempotency key, another body, or an equivalent spelling."""

import json
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import chain, groupby
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from devportal.conformance.deployment.exchange import (
    Exchange,
    Request,
    content_type_of,
    parse_json_or_none,
)
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.json_api import (
    ATTRIBUTES,
    attributes_schema,
    has_attributes,
    replace_attributes,
)
from devportal.conformance.knowledge.requests.encoded_bodies import encode_form
from devportal.conformance.knowledge.requests.raw_bodies import is_text
from devportal.conformance.knowledge.requests.unique_members import unique_members
from devportal.conformance.knowledge.requests.update_masks import with_mask_of_changes
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Location, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.idempotency_keys import idempotency_parameter
from devportal.contract.media_types import json_media_type, media_type_essence
from devportal.contract.path_templates import names_resource
from devportal.contract.resources import object_properties, unwrapped_schema
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.instants import parse_day, parse_instant, shift_time
from devportal.documents import with_member_at

MERGE_PATCH = "application/merge-patch+json"
DEEPEST = 2
"""How many objects around a member are looked into."""
SHORT_CODE = 4
"""The longest text of which there are few: `AA`, of the pattern `[A-Z]{2,10}`, becomes longer."""
RANDOM_END = 6
"""How many characters at the end of a text are replaced by random ones."""
TIME_FORMATS = ("date-time", "date", "time", "duration")
FREE_TEXT = 0
"""The strictness of a text that the contract does not restrict; other values are changed later."""


def idempotency_key_parameter(subject: Subject, operation: Operation) -> Parameter | None:
    """Return the parameter that takes the idempotency key of an operation, None if it has none."""
    return idempotency_parameter(subject.conventions, operation)


def new_idempotency_key(subject: Subject, parameter: Parameter) -> str | None:
    """Return a key that was never used; None if the contract allows none that can be generated."""
    whole = str(uuid.uuid4())
    tries = [whole, whole.replace("-", ""), whole.replace("-", "")[:16], whole.upper(), whole[:8]]
    return next((candidate for candidate in tries if is_allowed_value(subject, parameter, candidate)), None)


def is_allowed_value(subject: Subject, parameter: Parameter, value: Any) -> bool:
    """Return whether the contract allows a value for a parameter."""
    schema = parameter.schema
    return schema is None or subject.validator.is_valid(schema, value, Direction.REQUEST)


def with_header(request: Request, name: str, value: str) -> Request:
    """Return the request with one header of this name."""
    other_headers = tuple(pair for pair in request.headers if pair[0].lower() != name.lower())
    return replace(request, headers=(*other_headers, (name, value)))


def with_idempotency_key(request: Request, parameter: Parameter, key: str) -> Request:
    """Return the request with one key, in its header or its query."""
    if parameter.location_in is ParameterLocation.HEADER:
        return with_header(request, parameter.name, key)
    address, _, query = request.url.partition("?")
    others = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] != parameter.name]
    return replace(request, url=f"{address}?{urlencode([*others, (parameter.name, key)])}")


def idempotency_key_of(request: Request, parameter: Parameter) -> str | None:
    """Return the key that a request has, None if it has none."""
    if parameter.location_in is ParameterLocation.HEADER:
        pairs = [(name.lower(), value) for name, value in request.headers]
        return next((value for name, value in pairs if name == parameter.name.lower()), None)
    query = parse_qsl(urlsplit(request.url).query, keep_blank_values=True)
    return next((value for name, value in query if name == parameter.name), None)


def with_new_idempotency_key(subject: Subject, operation: Operation, request: Request) -> Request:
    """Return the request with a new key if the operation takes one: a used key would return the earlier
    response.
    """
    parameter = idempotency_key_parameter(subject, operation)
    key = new_idempotency_key(subject, parameter) if parameter is not None else None
    return request if parameter is None or key is None else with_idempotency_key(request, parameter, key)


def with_json(request: Request, value: Any) -> Request:
    """Return the request with a JSON value as its body, or with an object as its form. An update mask names the
    members that differ from those before. Raises Unsendable for a form that is not an object.
    """
    if isinstance(value, Mapping):
        request = with_mask_of_changes(request, request_json(request), value)
    if request.form is not None and not isinstance(value, Mapping):
        raise Unsendable("a body that can be written in its media type")
    if request.form is not None:
        fields = replace(request.form, values=value)
        return replace(request, body=encode_form(fields), form=fields)
    return replace(request, body=json.dumps(value).encode())


def request_json(request: Request) -> Any:
    """Return the JSON value of a request's body, or the fields of its form; None if it has neither."""
    if request.form is not None:
        return dict(request.form.values)
    is_raw = is_text(content_type_of(request.headers))
    return parse_json_or_none(request.body) if request.body is not None and not is_raw else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectBody:
    """The members of a request's JSON body and their schema, without the envelope that holds them, if one
    does. Those of a `holder`, a resource of JSON:API, are its attributes.
    """

    members: Mapping[str, Any]
    schema: Schema
    envelope: str
    holder: Mapping[str, Any]
    whole_schema: Schema
    plain: Request

    def is_valid(self, subject: Subject, members: Mapping[str, Any]) -> bool:
        """Return whether the contract allows a body with these members."""
        return subject.validator.is_valid(self.whole_schema, self._in_envelope(members), Direction.REQUEST)

    def request(self, members: Mapping[str, Any]) -> Request:
        """Return the request with these members, in the same envelope."""
        return with_json(self.plain, self._in_envelope(members))

    def with_linkage(self, relationship: str, resource_id: str) -> "ObjectBody":
        """Return the body with another resource of the same type in a relationship of JSON:API, which has one."""
        relationships = self.holder["relationships"]
        linkage = relationships[relationship]
        data = linkage["data"]
        changed = [{**data[0], "id": resource_id}] if isinstance(data, list) else {**data, "id": resource_id}
        others = {**relationships, relationship: {**linkage, "data": changed}}
        return replace(self, holder={**self.holder, "relationships": others})

    def _in_envelope(self, members: Mapping[str, Any]) -> Mapping[str, Any]:
        whole = replace_attributes(self.holder, members) if self.holder else members
        return {self.envelope: whole} if self.envelope else whole


def request_variants(subject: Subject, operation: Operation, request: Request) -> Iterator[Request]:
    """Yield variants of the request, each with another valid value of one member. The least restricted texts
    come first. Members of inner objects are varied if no other one can be.
    """
    body = object_body(subject, operation, request)
    if body is None:
        return
    leaves = _described_leaves(subject, body.schema, body.members, ())
    for _, group in groupby(sorted(leaves, key=_variation_order), key=lambda leaf: len(leaf.path) > 1):
        variants = (
            _varied_members(subject, body, body.members, leaf, _other_values(leaf.value, leaf.schema))
            for leaf in group
        )
        requests = [body.request(members) for members in variants if members is not None]
        yield from requests
        if requests:
            return


def varied_texts_request(subject: Subject, operation: Operation, request: Request) -> Request:
    """Return the request with another valid value of each text that has no `enum`, names no other resource and is not a
    time: several may be unique. Two times may have an order. Integers have others if they are unique by the words of
    the contract. A text that is also in a list of the body, such as the key of a default variation, may name that item.
    """
    body = object_body(subject, operation, request)
    if body is None:
        return request
    varied, listed = body.members, frozenset(_listed_texts(body.members))
    unique = unique_members(subject.api, operation, body.envelope, subject.names_of_others(operation))
    unique_paths = {(member.name,) for member in unique}
    for leaf in _described_leaves(subject, body.schema, body.members, ()):
        if leaf.path in unique_paths and type(leaf.value) is int:
            varied = _varied_members(subject, body, varied, leaf, _unused_integers(leaf.value)) or varied
        is_reference = (
            names_resource(leaf.path[-1], subject.reference_names) and leaf.path not in unique_paths
        )
        is_fixed = is_reference or (leaf.schema is not None and _is_choice_or_time(leaf.schema))
        if isinstance(leaf.value, str) and not is_fixed and leaf.value not in listed:
            others = (
                *_other_texts(leaf.value),
                *_longer_codes(leaf.value),
                _random_end(leaf.value),
                *_longer_words(leaf.value),
                _change_last_character(leaf.value),
            )
            varied = _varied_members(subject, body, varied, leaf, others) or varied
    return body.request(varied)


def _listed_texts(value: Any, *, is_listed: bool = False) -> Iterator[str]:
    """Yield the texts in the lists of a JSON value."""
    match value:
        case dict():
            yield from chain.from_iterable(
                _listed_texts(item, is_listed=is_listed) for item in value.values()
            )
        case list():
            yield from chain.from_iterable(_listed_texts(item, is_listed=True) for item in value)
        case str() if is_listed:
            yield value


def later_times_request(subject: Subject, operation: Operation, request: Request) -> Request:
    """Return the request with all of its times some hours later and all of its days a day later: their order stays."""
    body = object_body(subject, operation, request)
    if body is None:
        return request
    return shifted_times_request(subject, body, timedelta(hours=6), days=timedelta(days=1))


def shifted_times_request(
    subject: Subject, body: ObjectBody, shift: timedelta, *, days: timedelta = timedelta()
) -> Request:
    """Return the request of a body with all of its times moved by one time and its days by another, unchanged if the
    contract does not allow it.
    """
    moved = body.members
    for leaf in _described_leaves(subject, body.schema, body.members, ()):
        format_ = leaf.schema.format if leaf.schema is not None else ""
        later: date | None = None
        if format_ == "date-time" and isinstance(leaf.value, str):
            time = parse_instant(leaf.value)
            later = shift_time(time, shift) if time is not None else None
        elif format_ == "date":
            day = parse_day(leaf.value)
            later = shift_time(day, days) if day is not None else None
        if later is not None:
            moved = with_member_at(moved, leaf.path, later.isoformat())
    return body.request(moved) if body.is_valid(subject, moved) else body.plain


def _is_choice_or_time(schema: Schema) -> bool:
    return bool(schema.enum) or schema.format in TIME_FORMATS


@dataclass(frozen=True, slots=True, kw_only=True)
class _Leaf:
    """A member of a body that is not an object, its value, and its schema if the contract describes it."""

    path: tuple[str, ...]
    value: Any
    schema: Schema | None


def _described_leaves(
    subject: Subject, schema: Schema | None, members: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[_Leaf]:
    """Yield the members of an object and of those in it, without identifiers of inner ones: they name others."""
    described = (
        {property_.name: property_.schema for property_ in object_properties(subject.api, schema)}
        if schema is not None
        else {}
    )
    for name, value in members.items():
        inner, inner_path = described.get(name), (*path, name)
        if isinstance(value, dict) and len(path) < DEEPEST:
            yield from _described_leaves(subject, inner, value, inner_path)
        elif not (path and matches_any_name(name, subject.conventions.identifier[:1])):
            resolved = subject.api.resolve(inner) if inner is not None else None
            yield _Leaf(path=inner_path, value=value, schema=resolved)


def _variation_order(leaf: _Leaf) -> tuple[bool, int]:
    return len(leaf.path) > 1, _strictness(leaf.schema)


def _varied_members(
    subject: Subject, body: ObjectBody, members: Mapping[str, Any], leaf: _Leaf, others: Iterable[Any]
) -> Mapping[str, Any] | None:
    """Return members with the first valid one of other values at a leaf, None if none is."""
    for other in others:
        changed: Mapping[str, Any] = with_member_at(members, leaf.path, other)
        if body.is_valid(subject, changed):
            return changed
    return None


def object_body(subject: Subject, operation: Operation, request: Request) -> ObjectBody | None:
    """Return the members of a request's body, None if it is not an object. A body whose only member is an object
    is an envelope. The members of a resource of JSON:API are its attributes.
    """
    schema, body = body_schema(operation), request_json(request)
    if schema is None or not isinstance(body, dict):
        return None
    is_envelope = len(body) == 1 and all(isinstance(item, dict) for item in body.values())
    envelope = next(iter(body)) if is_envelope else ""
    whole = body[envelope] if envelope else body
    described = unwrapped_schema(subject.api, schema, envelope)
    attributes = attributes_schema(subject.api, described) if has_attributes(whole) else None
    return ObjectBody(
        members=whole[ATTRIBUTES] if attributes is not None else whole,
        schema=attributes if attributes is not None else described,
        envelope=envelope,
        holder=whole if attributes is not None else {},
        whole_schema=schema,
        plain=request,
    )


def valid_body(subject: Subject, operation: Operation | None) -> ObjectBody | None:
    """Return the body of a valid request of an operation, None if there is no such request or its body is not an
    object.
    """
    request = (
        subject.valid(operation) if operation is not None and operation.request_body is not None else None
    )
    return object_body(subject, operation, request) if operation is not None and request is not None else None


def takes_merge_patch(change: Operation) -> bool:
    """Return whether a change is a JSON Merge Patch (RFC 7396)."""
    media_type = json_media_type(change.request_content)
    return media_type is not None and media_type_essence(media_type.name) == MERGE_PATCH


def _strictness(schema: Schema | None) -> int:
    if schema is None:
        return FREE_TEXT + 3
    if schema.enum or "string" not in schema.types:
        return FREE_TEXT + 2
    is_free = not schema.format and not any(
        constraint.keyword == "pattern" for constraint in schema.constraints
    )
    return FREE_TEXT if is_free else FREE_TEXT + 1


def _other_values(value: Any, schema: Schema | None) -> Iterator[Any]:
    """Yield values near one, those of the enum if the contract has one."""
    if schema is not None and schema.enum:
        yield from (item for item in schema.enum if item != value and item is not None)
        return
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from (value + 1, value - 1)
        case str():
            yield from (*_other_texts(value), *_longer_words(value), _change_last_character(value))


def _unused_integers(number: int) -> Iterator[int]:
    """Yield integers above and below one that no other request has: the nearest ones may be used up."""
    for most in (10**9, 10**5, 10**3):
        offset = 2 + uuid.uuid4().int % most
        yield from (number + offset, number - offset)


def _other_texts(text: str) -> tuple[str, ...]:
    """Return texts that contain one."""
    suffix = _suffix()
    return (f"{text} {suffix}", f"{text}-{suffix}", f"{suffix}{text}")


def _longer_codes(text: str) -> Iterator[str]:
    """Yield a code of few letters with more of them: there are few as short as it is."""
    if len(text) <= SHORT_CODE and text.isalpha():
        letters = "".join(chr(ord("a") + int(digit, 16)) for digit in uuid.uuid4().hex[:5])
        yield text + (letters.upper() if text.isupper() else letters)


def _longer_words(text: str) -> Iterator[str]:
    """Yield texts with one longer word, the first one first: `shopb4e1.example` may be the name of another domain."""
    suffix = _suffix()
    for word in re.finditer(r"[^\W_]+", text):
        ending = suffix.upper() if word[0].isupper() else suffix
        yield f"{text[: word.end()]}{ending}{text[word.end() :]}"


def _suffix() -> str:
    """Return letters and digits that no other text has, and that begin as a name does."""
    return f"x{uuid.uuid4().hex[:5]}"


def _random_end(text: str) -> str:
    """Return a text with other digits and letters of the same kinds at its end: it may be unique, and have a form
    that allows no suffix.
    """
    characters, digits = list(text), iter(str(uuid.uuid4().int))
    for place in range(max(0, len(text) - RANDOM_END), len(text)):
        if text[place].isascii() and text[place].isdigit():
            characters[place] = next(digits)
        elif text[place].isascii() and text[place].isalpha():
            characters[place] = chr(ord("a" if text[place].islower() else "A") + int(next(digits)) % 6)
    return "".join(characters)


def _change_last_character(text: str) -> str:
    """Return a text with its last digit, or else its last letter, replaced by the next one."""
    last = text[-1:]
    if last.isascii() and last.isdigit():
        return text[:-1] + str((int(last) + 1) % 10)
    return text[:-1] + ("b" if last == "a" else "a")


UNREADABLE_STATUSES = (400, 406, 415, 422)
"""The statuses of a request that a server cannot read; others may have other reasons."""
_NOT_UNDERSTOOD = "is not understood"
ACCEPTED_REQUEST = (
    "an ordinary request that the deployment accepts: give the identifiers of existing resources under "
    "`values` in the settings"
)
"""What a test needs that compares other requests with an accepted one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalentRequest:
    """A request and how it differs from the plain one, in words that begin a sentence.

    A rejection of one that `is_unusual`, which HTTP allows and no client in wide use sends, is a note.
    """

    title: str
    request: Request
    is_unusual: bool = False


def compare_equivalent_requests(
    operation: Operation, plain: Request, other: EquivalentRequest, promise: Location, send: Send
) -> CheckFailure | None:
    """Return the failure of a server that accepts a request and rejects, or fails on, an equivalent one.

    The plain request is sent only after such a failure, before and after the other is sent again: what a
    server accepts only once, or only later, proves nothing. Raises Unsendable if neither is accepted.
    """
    first = send(operation, other.request)
    if not _rejection_text(first):
        if not first.is_success:
            raise Unsendable(ACCEPTED_REQUEST)
        return None
    before = send(operation, plain)
    if not before.is_success:
        raise Unsendable(ACCEPTED_REQUEST)
    exchange = send(operation, other.request)
    outcome = _rejection_text(exchange)
    if not outcome or not send(operation, plain).is_success:
        return None
    return CheckFailure(
        title=f"{other.title} {outcome}",
        message=f"{other.title} gets {exchange.outcome}; the same plainly gets {before.status}",
        operation=operation_label(operation),
        promise=promise,
        evidence=(exchange,),
        is_note=other.is_unusual and outcome == _NOT_UNDERSTOOD,
    )


def _rejection_text(exchange: Exchange) -> str:
    if exchange.answer is None:
        return "gets no response"
    if exchange.status >= 500:
        return "is a server error"
    return _NOT_UNDERSTOOD if exchange.status in UNREADABLE_STATUSES else ""
