"""Writes the request that reports an event to a receiver: its headers, payload and signature."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

from devportal.conformance.deployment.exchange import Headers
from devportal.conformance.webhooks.event_matching import TYPE_WORDS
from devportal.conformance.webhooks.receiver_words import EVENT_ID_NAMES
from devportal.conformance.webhooks.signature import STANDARD_WEBHOOKS, HeaderPart, SignatureScheme
from devportal.contract import ABSENT, Api, MediaType, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import json_media_type
from devportal.contract.resources import object_properties
from devportal.contract.values.instants import time_value
from devportal.contract.wording import name_words
from devportal.documents import member_at, with_member_at
from devportal.errors import InvalidSettings
from devportal.mock.http.representation import Representations
from devportal.mock.json_values import walk_members, write_json
from devportal.mock.operations.outcome import Happening
from devportal.mock.resources.nested_members import nest_members
from devportal.mock.resources.plan import ResourceType
from devportal.mock.resources.store import Record, Scope

_TIME_NAMES = ("created", "created_at", "timestamp", "occurred_at", "time", "sent_at")
_SEQUENCE_NAMES = ("step", "sequence", "seq", "sequence_number", "event_number", "revision", "attempt_number")
"""Members that number the events about a resource."""
_SIGNATURE_WORDS = frozenset({"signature", "sig", "hmac"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A request to a receiver: an event, or a callback."""

    event: str
    event_id: str
    url: str
    subscription: Scope | None = None
    """The values of the path of the subscription that it is for, None if it is for none."""
    method: str = "POST"
    headers: Headers = ()
    body: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTime:
    """When something happened by the clock of the mock, and when it is sent in real time: receivers compare the
    timestamp of a signature with their own clocks.
    """

    now: datetime
    sent: datetime
    sequence: int = 1
    """How many events about the resource there were, this one included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """Who gets deliveries, and the secret that signs them. One without `events` gets all."""

    url: str
    secret: str = ""
    events: tuple[str, ...] = ()
    subscription: Scope | None = None

    def wants(self, event: str) -> bool:
        """Say whether it subscribed to an event: to all if it names none."""
        return not self.events or event in self.events or "*" in self.events


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What is reported: a callback or a webhook by its name and request, and what happened to a resource of a type."""

    name: str
    request: Operation
    happening: Happening
    type: ResourceType | None
    at: EventTime
    serial: str
    """Digits that no other delivery has."""

    @property
    def id(self) -> str:
        """The identifier in headers and payloads."""
        return f"evt_{int(self.serial):016x}"


class DeliveryWriter:
    """Writes the deliveries of one contract."""

    def __init__(self, api: Api, representations: Representations) -> None:
        """Take the contract, and what makes values of it."""
        self._api = api
        self._representations = representations

    def write(self, event: Event, receiver: Receiver) -> Delivery:
        """Return the request that reports an event to a receiver."""
        request = event.request
        media_type, schema = _payload_type(request), payload_schema(request)
        body = write_json(self._payload(event, schema)) if schema is not None else b""
        content = (("Content-Type", media_type.name),) if media_type is not None else ()
        headers = (*content, *self._headers(event))
        return Delivery(
            event=event.name,
            event_id=event.id,
            url=receiver.url,
            subscription=receiver.subscription,
            method=request.method,
            headers=(*headers, *self._signature_headers(request, headers, body, receiver.secret)),
            body=body,
        )

    def _payload(self, event: Event, schema: Schema) -> Any:
        kind, record = event.type, event.happening.record
        base = self._example(event.request, schema)
        if not isinstance(base, dict):
            return base
        value: Any = base
        if kind is not None and record is not None:
            value = self._with_record(schema, value, kind, record)
        for path, member in [*walk_members(value)]:
            is_number = isinstance(member, int) and matches_any_name(path[-1], _SEQUENCE_NAMES)
            is_of_resource = record is not None and path[-1] in record.members
            fact = event.at.sequence if is_number and not is_of_resource else self._fact(event, path, member)
            if fact is not ABSENT and len(path) <= 2:
                changed = with_member_at(value, path, fact)
                value = changed if self._representations.is_valid(schema, changed) else value
        return self._representations.fill(schema, value)

    def _example(self, request: Operation, schema: Schema) -> Any:
        media_type = _payload_type(request)
        for example in media_type.examples if media_type is not None else ():
            if example.has_value and self._representations.is_valid(schema, example.value):
                return example.value
        return self._representations.sample(schema)

    def _with_record(self, schema: Schema, value: Any, kind: ResourceType, record: Record) -> Any:
        """Return a payload with the representation of a record in the member that is for it, or with its members."""
        api, representations = self._api, self._representations
        wanted = api.resolve(kind.schema).location if kind.schema is not None else None
        shown = nest_members(record.members, kind.nested)
        if api.resolve(schema).location == wanted:
            return representations.fill(schema, shown)
        for member in object_properties(api, schema):
            places: list[tuple[tuple[str, ...], Schema]] = [((member.name,), member.schema)]
            places += [
                ((member.name, property_.name), property_.schema)
                for property_ in object_properties(api, member.schema)
            ]
            for path, subschema in places:
                shared = self._shared_members(subschema, kind, record)
                if shared is not None and isinstance(member_at(value, path), dict):
                    return with_member_at(
                        value, path, representations.overlay(subschema, member_at(value, path), shared)
                    )
                if api.resolve(subschema).location == wanted or self._is_part_of(subschema, kind, record):
                    return with_member_at(value, path, representations.fill(subschema, shown))
        known = {member: shown[member] for member in shown if member in value and member not in kind.key[:1]}
        noun = "_".join(kind.nouns)
        ids = {item: record.id for item in value if matches_any_name(item, (f"{noun}_id", kind.parameter))}
        return representations.overlay(schema, value, {**known, **ids})

    def _is_part_of(self, schema: Schema, kind: ResourceType, record: Record) -> bool:
        """Say whether a schema describes some members of a resource, its identifier among them, and no others."""
        names = {property_.name for property_ in object_properties(self._api, schema)}
        return bool(kind.key) and kind.key[0] in names and len(names) > 1 and names <= set(record.members)

    def _shared_members(self, schema: Schema, kind: ResourceType, record: Record) -> dict[str, Any] | None:
        """Return the members of a resource that a schema describes too, its identifier among them; None if it is
        that of other things, or describes nothing else.
        """
        names = {property_.name for property_ in object_properties(self._api, schema)}
        if not kind.key or kind.key[0] not in names or names <= set(record.members):
            return None
        return {name: record.members[name] for name in record.members if name in names}

    def _fact(self, event: Event, path: tuple[str, ...], member: Any) -> Any:
        """Return what a member of a payload says of the event itself, ABSENT for others."""
        last = path[-1]
        is_of_event = len(path) == 1 or matches_any_name(path[-2], ("event", "meta", "metadata", "header"))
        if not is_of_event or isinstance(member, dict | list):
            return ABSENT
        if set(name_words(last)) & TYPE_WORDS and isinstance(member, str):
            return event.name
        if matches_any_name(last, EVENT_ID_NAMES):
            return event.id
        if matches_any_name(last, _TIME_NAMES):
            schema = Schema(location=self._api.operations[0].location)
            return time_value(schema, member, event.at.now, lambda _: True)
        return ABSENT

    def _headers(self, event: Event) -> Iterator[tuple[str, str]]:
        for parameter in event.request.parameters:
            if parameter.location_in is not ParameterLocation.HEADER:
                continue
            words = set(name_words(parameter.name))
            if words & _SIGNATURE_WORDS:
                continue
            if words & {"timestamp", "time"}:
                yield parameter.name, str(int(event.at.sent.timestamp()))
            elif "id" in words:
                yield parameter.name, event.id
            elif words & {"event", "topic", "type"}:
                yield parameter.name, event.name
            elif parameter.required and parameter.schema is not None:
                yield parameter.name, str(self._representations.sample(parameter.schema))

    def _signature_headers(
        self, request: Operation, headers: Headers, body: bytes, secret: str
    ) -> Iterator[tuple[str, str]]:
        """Yield the headers that sign a delivery, if the contract has some: by Standard Webhooks if its header is
        documented, else a keyed SHA-256 of the body in the form that the contract describes.
        """
        for parameter in _signature_parameters(request) if secret else ():
            name, schema = parameter.name, parameter.schema
            if name.lower() == "webhook-signature":
                yield name, _standard_signature(headers, body, secret)
                continue
            in_base64 = "base64" in parameter.description.lower()
            forms = [*_body_signatures(name, headers, body, secret, in_base64=in_base64)]
            valid = (form for form in forms if schema is None or self._representations.is_valid(schema, form))
            yield name, next(valid, forms[0])


def _signature_parameters(request: Operation) -> tuple[Parameter, ...]:
    """Return the headers of a request that sign it, by the words of their names."""
    return tuple(
        parameter
        for parameter in request.parameters
        if parameter.location_in is ParameterLocation.HEADER
        and set(name_words(parameter.name)) & _SIGNATURE_WORDS
    )


def signature_header_names(api: Api) -> tuple[str, ...]:
    """Return the names of the headers that sign the webhooks and callbacks of a contract."""
    callbacks = chain.from_iterable(operation.callbacks for operation in api.operations)
    requests = chain.from_iterable(
        sender.operations for senders in (api.webhooks, callbacks) for sender in senders
    )
    return tuple(
        dict.fromkeys(header.name for request in requests for header in _signature_parameters(request))
    )


def _standard_signature(headers: Headers, body: bytes, secret: str) -> str:
    """Return a signature of Standard Webhooks 1.0.0. A secret in another form signs as text."""
    try:
        signed = STANDARD_WEBHOOKS.expected_signature(headers, body, secret)
    except InvalidSettings:
        scheme = replace(STANDARD_WEBHOOKS, key_encoding="text", key_prefix="")
        signed = scheme.expected_signature(headers, body, secret)
    return f"v1,{signed}"


def _body_signatures(
    name: str, headers: Headers, body: bytes, secret: str, *, in_base64: bool
) -> Iterator[str]:
    """Yield a keyed SHA-256 of a body in the forms in which contracts write it, the most usual first."""
    scheme = SignatureScheme(signature=HeaderPart(header=name))
    digest = scheme.expected_signature(headers, body, secret)
    encoded = replace(scheme, encoding="base64").expected_signature(headers, body, secret)
    for text in (encoded, digest) if in_base64 else (digest, encoded):
        yield from (f"sha256={text}", text)


def payload_schema(request: Operation) -> Schema | None:
    """Return the schema of the payload that a request carries, None if it has none in JSON."""
    media_type = _payload_type(request)
    return media_type.schema if media_type is not None else None


def _payload_type(request: Operation) -> MediaType | None:
    return json_media_type(request.request_content)
