"""Callbacks and webhooks of a mock: which of them report a change, to which receivers, with what payload."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from devportal.conformance.deployment.exchange import Headers
from devportal.conformance.webhooks.event_matching import TYPE_WORDS
from devportal.conformance.webhooks.receiver_words import URL_FORMATS, URL_WORDS, is_subscription
from devportal.conformance.webhooks.signature import STANDARD_WEBHOOKS, HeaderPart, SignatureScheme
from devportal.contract import ABSENT, Callback, Operation, ParameterLocation, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import json_media_type
from devportal.contract.path_templates import action_name
from devportal.contract.resources import object_properties
from devportal.contract.values.instants import time_value
from devportal.contract.wording import name_words
from devportal.documents import value_at as pointed_value
from devportal.errors import InvalidSettings
from devportal.mock.http.exchange import MockRequest, MockResponse
from devportal.mock.http.requests import ReadRequest
from devportal.mock.json_values import value_at, walk_members, with_value_at, write_json
from devportal.mock.mock import Mock
from devportal.mock.operations.outcome import Happening
from devportal.mock.resources.body_schemas import sent_schema
from devportal.mock.resources.nested_members import nest_members, resource_members
from devportal.mock.resources.plan import Plan, ResourceType, Role
from devportal.mock.resources.store import Record, Scope, State

_VERBS: Mapping[Role, frozenset[str]] = {
    Role.CREATE: frozenset(
        {"created", "create", "new", "added", "received", "placed", "submitted", "started", "registered"}
    ),
    Role.REPLACE: frozenset({"updated", "update", "changed", "modified", "edited"}),
    Role.UPDATE: frozenset({"updated", "update", "changed", "modified", "edited"}),
    Role.DELETE: frozenset({"deleted", "delete", "removed", "cancelled", "canceled"}),
}
"""Words of events for what operations do."""
_TIME_NAMES = ("created", "created_at", "timestamp", "occurred_at", "time", "sent_at")
_SEQUENCE_NAMES = ("step", "sequence", "seq", "sequence_number", "event_number", "revision", "attempt_number")
"""Members that number the events about a resource."""
_SECRET_NAMES = ("secret", "signing_secret", "webhook_secret", "signing_key", "shared_secret", "key")
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
class _Receiver:
    url: str
    secret: str = ""
    events: tuple[str, ...] = ()
    subscription: Scope | None = None

    def wants(self, event: str) -> bool:
        """Say whether it subscribed to an event: to all if it names none."""
        return not self.events or event in self.events or "*" in self.events


@dataclass(frozen=True, slots=True, kw_only=True)
class _WaitingCallback:
    """A callback that is sent when its resource reaches a state."""

    state: str
    name: str
    request: Operation
    receiver: _Receiver


class Events:
    """The callbacks and webhooks of one contract."""

    def __init__(self, mock: Mock, webhook_urls: Sequence[str] = (), secret: str = "") -> None:
        """Take the mock, and receivers of all webhooks with the secret that signs for them."""
        self._mock = mock
        self._plan: Plan = mock.plan
        self._names = frozenset(webhook.name for webhook in mock.plan.api.webhooks)
        self._fixed = tuple(_Receiver(url=webhook_url, secret=secret) for webhook_url in webhook_urls)
        self._counts: Counter[tuple[str, Scope, str]] = Counter()
        self._waiting: dict[tuple[str, Scope, str], list[_WaitingCallback]] = {}
        self._subscriptions = {
            type_.path: place
            for type_ in mock.plan.types
            if type_.create is not None and (place := self._address_member(type_)) is not None
        }

    def _address_member(self, kind: ResourceType) -> str | None:
        """Return the member of a subscription that holds the address of its receiver, None for other resources."""
        if kind.create is None or not is_subscription(kind.create):
            return None
        api = self._plan.api
        shown = (kind.schema, sent_schema(api, kind.create, kind.envelope))
        members = [member for schema in shown for member in resource_members(api, schema, kind.nested)]
        schemas = {member.name: api.resolve(member.schema) for member in members}
        named = [name for name in schemas if URL_WORDS & set(name_words(name))]
        return next(iter(named), None) or next(
            (n for n, schema in schemas.items() if schema.format in URL_FORMATS), None
        )

    def deliveries(
        self, happening: Happening, state: State, at: EventTime, serial: int
    ) -> tuple[Delivery, ...]:
        """Return what is sent because of something that happened."""
        if not 200 <= happening.response.status < 300:
            return ()
        return (*self._callbacks(happening, at, serial), *self._webhooks(happening, state, at, serial))

    def _callbacks(self, happening: Happening, at: EventTime, serial: int) -> Iterator[Delivery]:
        yield from self._due_callbacks(happening, at, serial)
        if happening.is_step or (is_subscription(happening.operation) and happening.role is Role.CREATE):
            return  # the callbacks of a subscription report what happens later
        for number, callback in enumerate(happening.operation.callbacks):
            url = callback_url(callback, happening.request, happening.read, happening.response)
            for request in callback.operations if url else ():
                secret = str(pointed_value(happening.read.body, "/secret") or "")
                receiver = _Receiver(url=url, secret=secret)
                if self._waits(callback.name, request, receiver, happening):
                    continue
                yield self._delivery(callback.name, request, receiver, happening, at, f"{serial}{number}")

    def _waits(self, name: str, request: Operation, receiver: _Receiver, happening: Happening) -> bool:
        """Keep a callback that is named like a state for when its resource reaches it; return whether it is kept."""
        kind, record = self._kind_of(happening), happening.record
        if kind is None or record is None or kind.machine is None:
            return False
        words = set(name_words(name))
        current = str(record.members.get(kind.state))
        named = [state for state in kind.machine.states if set(name_words(state)) <= words]
        if not named or current in named or named[-1] not in kind.machine.reachable_from(current):
            return False
        waiting = _WaitingCallback(state=named[-1], name=name, request=request, receiver=receiver)
        self._waiting.setdefault((record.type, record.scope, record.id), []).append(waiting)
        return True

    def _due_callbacks(self, happening: Happening, at: EventTime, serial: int) -> Iterator[Delivery]:
        """Yield the callbacks that waited for the state in which a resource is at."""
        kind, record = self._kind_of(happening), happening.record
        if kind is None or record is None:
            return
        key = record.type, record.scope, record.id
        waiting, state = self._waiting.get(key, ()), record.members.get(kind.state)
        for number, waiting_callback in enumerate(waiting):
            if waiting_callback.state == state:
                yield self._delivery(
                    waiting_callback.name,
                    waiting_callback.request,
                    waiting_callback.receiver,
                    happening,
                    at,
                    f"{serial}9{number}",
                )
        if waiting:
            self._waiting[key] = [
                waiting_callback for waiting_callback in waiting if waiting_callback.state != state
            ]

    def _webhooks(self, happening: Happening, state: State, at: EventTime, serial: int) -> Iterator[Delivery]:
        events = [*self._reporting_events(happening)]
        receivers = [*self._fixed, *self._subscribed_receivers(state)] if events else []
        record = happening.record
        if events and record is not None:
            key = record.type, record.scope, record.id
            self._counts[key] += 1
            at = replace(at, sequence=self._counts[key])
        for number, (name, request) in enumerate(events):
            for place, receiver in enumerate(receivers):
                if receiver.wants(name):
                    event_id = f"{serial}{number}{place}"
                    yield self._delivery(name, request, receiver, happening, at, event_id)

    def _subscribed_receivers(self, state: State) -> Iterator[_Receiver]:
        for record in state.all_records():
            member = self._subscriptions.get(record.type)
            url = record.members.get(member) if member is not None else None
            if isinstance(url, str) and is_web_address(url):
                secrets = (
                    member for name, member in record.members.items() if matches_any_name(name, _SECRET_NAMES)
                )
                yield _Receiver(
                    url=url,
                    secret=str(next(secrets, "")),
                    events=_listed_events(record, self._names),
                    subscription=(*record.scope, record.id),
                )

    def _reporting_events(self, happening: Happening) -> Iterator[tuple[str, Operation]]:
        """Yield the events that report what happened: by the words of their names and the schema of their payload."""
        kind = self._kind_of(happening)
        if kind is None or kind.path in self._subscriptions:
            return
        named: dict[str, Operation] = {}
        for webhook in self._plan.api.webhooks:
            for request in webhook.operations[:1]:
                named[webhook.name] = request
        for operation in self._plan.api.operations:
            if is_subscription(operation):
                for callback in operation.callbacks:
                    for request in callback.operations[:1]:
                        named.setdefault(callback.name, request)
        reporting = [
            (name, operation)
            for name, operation in named.items()
            if self._reports(name, operation, kind, happening)
        ]
        if (
            not reporting and happening.role is Role.CREATE
        ):  # something new is a change, if no event is for it alone
            change = replace(happening, role=Role.UPDATE)
            reporting = [
                (name, operation)
                for name, operation in named.items()
                if self._reports(name, operation, kind, change)
            ]
        yield from reporting

    def _kind_of(self, happening: Happening) -> ResourceType | None:
        path = happening.record.type if happening.record is not None else ""
        return self._plan.type_at(path)

    def _reports(self, name: str, request: Operation, kind: ResourceType, happening: Happening) -> bool:
        words = set(name_words(name))
        nouns = {*_nouns(kind)}
        is_about = bool(nouns & {_singular(word) for word in words}) or self._shows(request, kind)
        if not is_about:
            return False
        if happening.event:
            return name == happening.event
        record, before = happening.record, happening.previous
        if record is not None and not self._shows_state(request, kind, record):
            return False
        reached = str(record.members.get(kind.state, "")) if record is not None and kind.state else ""
        named = [state for state in self._mock.states_of(kind) if set(name_words(state)) <= words]
        if named and happening.role is not Role.DELETE:
            left = str(before.members.get(kind.state, "")) if before is not None else ""
            return reached in named and reached != left
        if happening.role is Role.ACTION:
            verb = action_name(happening.operation.path).lower().rstrip("e")
            return any(word.startswith(verb) for word in words) or bool(_VERBS[Role.UPDATE] & words)
        return bool(_VERBS.get(happening.role, frozenset()) & words)

    def _shows_state(self, request: Operation, kind: ResourceType, record: Record) -> bool:
        """Say whether a payload can have the state that a resource is in: one that lists others reports those."""
        schema = _payload_schema(request)
        if schema is None or not kind.state:
            return True
        members = [*object_properties(self._plan.api, schema)]
        inner = [
            property_ for member in members for property_ in object_properties(self._plan.api, member.schema)
        ]
        states = [member.schema for member in (*members, *inner) if member.name == kind.state]
        current = record.members.get(kind.state)
        return not states or any(self._mock.representations.is_valid(state, current) for state in states)

    def _shows(self, request: Operation, kind: ResourceType) -> bool:
        schema = _payload_schema(request)
        if schema is None or kind.schema is None:
            return False
        api = self._plan.api
        wanted = api.resolve(kind.schema).location
        members = [property_.schema for property_ in object_properties(api, schema)]
        inner = [property_.schema for member in members for property_ in object_properties(api, member)]
        return any(api.resolve(subschema).location == wanted for subschema in (schema, *members, *inner))

    # Payloads

    def _delivery(
        self,
        name: str,
        request: Operation,
        receiver: _Receiver,
        happening: Happening,
        at: EventTime,
        serial: str,
    ) -> Delivery:
        event_id = f"evt_{int(serial):016x}"
        schema = _payload_schema(request)
        value = self._payload(name, request, schema, happening, at, event_id) if schema is not None else None
        body = write_json(value) if schema is not None else b""
        media_type = (
            json_media_type(request.request_body.content) if request.request_body is not None else None
        )
        content = (("Content-Type", media_type.name),) if media_type is not None else ()
        headers = (*content, *self._headers(name, request, event_id, at))
        return Delivery(
            event=name,
            event_id=event_id,
            url=receiver.url,
            subscription=receiver.subscription,
            method=request.method,
            headers=(*headers, *signature_headers(request, headers, body, receiver.secret)),
            body=body,
        )

    def _payload(
        self,
        name: str,
        request: Operation,
        schema: Schema,
        happening: Happening,
        at: EventTime,
        event_id: str,
    ) -> Any:
        representations = self._mock.representations
        base = self._example(request, schema)
        kind, record = self._kind_of(happening), happening.record
        if not isinstance(base, dict):
            return base
        value: Any = base
        if kind is not None and record is not None:
            value = self._with_record(schema, value, kind, record)
        for path, member in [*walk_members(value)]:
            is_number = isinstance(member, int) and matches_any_name(path[-1], _SEQUENCE_NAMES)
            is_of_resource = record is not None and path[-1] in record.members
            fact = (
                at.sequence
                if is_number and not is_of_resource
                else self._fact(path, member, name, at, event_id)
            )
            if fact is not ABSENT and len(path) <= 2:
                changed = with_value_at(value, path, fact)
                value = changed if representations.is_valid(schema, changed) else value
        return representations.fill(schema, value)

    def _example(self, request: Operation, schema: Schema) -> Any:
        media_type = (
            json_media_type(request.request_body.content) if request.request_body is not None else None
        )
        for example in media_type.examples if media_type is not None else ():
            if example.has_value and self._mock.representations.is_valid(schema, example.value):
                return example.value
        return self._mock.representations.sample(schema)

    def _with_record(self, schema: Schema, value: Any, kind: ResourceType, record: Record) -> Any:
        """Return a payload with the representation of a record in the member that is for it, or with its members."""
        api, representations = self._plan.api, self._mock.representations
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
                if shared is not None and isinstance(value_at(value, path), dict):
                    return with_value_at(
                        value, path, representations.overlay(subschema, value_at(value, path), shared)
                    )
                if api.resolve(subschema).location == wanted or self._is_part_of(subschema, kind, record):
                    return with_value_at(value, path, representations.fill(subschema, shown))
        known = {member: shown[member] for member in shown if member in value and member not in kind.key[:1]}
        noun = "_".join(_nouns(kind))
        ids = {item: record.id for item in value if matches_any_name(item, (f"{noun}_id", kind.parameter))}
        return representations.overlay(schema, value, {**known, **ids})

    def _is_part_of(self, schema: Schema, kind: ResourceType, record: Record) -> bool:
        """Say whether a schema describes some members of a resource, its identifier among them, and no others."""
        names = {property_.name for property_ in object_properties(self._plan.api, schema)}
        return bool(kind.key) and kind.key[0] in names and len(names) > 1 and names <= set(record.members)

    def _shared_members(self, schema: Schema, kind: ResourceType, record: Record) -> dict[str, Any] | None:
        """Return the members of a resource that a schema describes too, its identifier among them; None if it is
        that of other things, or describes nothing else.
        """
        names = {property_.name for property_ in object_properties(self._plan.api, schema)}
        if not kind.key or kind.key[0] not in names or names <= set(record.members):
            return None
        return {name: record.members[name] for name in record.members if name in names}

    def _fact(self, path: tuple[str, ...], member: Any, name: str, at: EventTime, event_id: str) -> Any:
        """Return what a member of a payload says of the event itself, ABSENT for others."""
        last = path[-1]
        is_of_event = len(path) == 1 or matches_any_name(path[-2], ("event", "meta", "metadata", "header"))
        if not is_of_event or isinstance(member, dict | list):
            return ABSENT
        if set(name_words(last)) & TYPE_WORDS and isinstance(member, str):
            return name
        if matches_any_name(last, ("id", "event_id", "delivery_id", "notification_id")):
            return event_id
        if matches_any_name(last, _TIME_NAMES):
            schema = Schema(location=self._plan.api.operations[0].location)
            return time_value(schema, member, at.now, lambda _: True)
        return ABSENT

    def _headers(
        self, name: str, request: Operation, event_id: str, at: EventTime
    ) -> Iterator[tuple[str, str]]:
        for parameter in request.parameters:
            if parameter.location_in is not ParameterLocation.HEADER:
                continue
            words = set(name_words(parameter.name))
            if words & _SIGNATURE_WORDS:
                continue
            if words & {"timestamp", "time"}:
                yield parameter.name, str(int(at.sent.timestamp()))
            elif "id" in words:
                yield parameter.name, event_id
            elif words & {"event", "topic", "type"}:
                yield parameter.name, name
            elif parameter.required and parameter.schema is not None:
                yield parameter.name, str(self._mock.representations.sample(parameter.schema))


def signature_headers(
    request: Operation, headers: Headers, body: bytes, secret: str
) -> Iterator[tuple[str, str]]:
    """Yield the header that signs a delivery, if the contract has one: by Standard Webhooks if its headers are
    documented, else a keyed SHA-256 of the body in hexadecimal.
    """
    if not secret:
        return
    for parameter in request.parameters:
        if (
            parameter.location_in is not ParameterLocation.HEADER
            or not set(name_words(parameter.name)) & _SIGNATURE_WORDS
        ):
            continue
        is_standard = parameter.name.lower() == "webhook-signature"
        scheme = (
            STANDARD_WEBHOOKS if is_standard else SignatureScheme(signature=HeaderPart(header=parameter.name))
        )
        try:
            signed = scheme.expected_signature(headers, body, secret)
        except InvalidSettings:  # a secret in another form signs as text
            scheme = SignatureScheme(
                signature=scheme.signature,
                id=scheme.id,
                timestamp=scheme.timestamp,
                signed=scheme.signed,
                encoding=scheme.encoding,
            )
            signed = scheme.expected_signature(headers, body, secret)
        yield parameter.name, f"v1,{signed}" if is_standard else f"sha256={signed}"


def callback_url(callback: Callback, request: MockRequest, read: ReadRequest, response: MockResponse) -> str:
    """Return the address that a runtime expression leads to (OAS 3.0.3 §4.7.20.3), empty if it leads nowhere."""
    parts: list[str] = []
    position = 0
    for found in re.finditer(r"\{(\$[^{}]+)\}", callback.expression):
        parts.append(callback.expression[position : found.start()])
        value = runtime_value(found[1], request, read, response)
        if value is None:
            return ""
        parts.append(value if isinstance(value, str) else str(value))
        position = found.end()
    url = "".join([*parts, callback.expression[position:]])
    if url.startswith("$"):
        value = runtime_value(url, request, read, response)
        url = value if isinstance(value, str) else ""
    return url if is_web_address(url) else ""


def runtime_value(expression: str, request: MockRequest, read: ReadRequest, response: MockResponse) -> Any:
    """Return the value of a runtime expression, None if there is none (OAS 3.0.3 §4.7.20.3)."""
    source, _, rest = expression.removeprefix("$").partition(".")
    match source:
        case "url":
            return f"{request.base_url}{request.path}"
        case "method":
            return request.method
        case "statusCode":
            return response.status
        case "request" | "response":
            kind, _, pointer = rest.partition("#")
            if kind == "body":
                body = read.body if source == "request" else response.value
                return pointed_value(body, pointer) if body is not ABSENT else None
            place, _, name = rest.partition(".")
            return _named_value(place, name, request if source == "request" else response, read)
    return None


def _named_value(place: str, name: str, message: MockRequest | MockResponse, read: ReadRequest) -> Any:
    match place:
        case "header":
            return message.header(name)
        case "query":
            value = read.query(name)
        case "path":
            value = read.path(name)
        case _:
            return None
    return None if value is ABSENT else value


def is_web_address(text: str) -> bool:
    """Say whether a text is an address that can be requested."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _payload_schema(request: Operation) -> Schema | None:
    media_type = json_media_type(request.request_body.content) if request.request_body is not None else None
    return media_type.schema if media_type is not None else None


def _listed_events(record: Record, known: frozenset[str]) -> tuple[str, ...]:
    """Return the events that a subscription names, none if it names none."""
    for name, value in record.members.items():
        is_list = isinstance(value, list) and value and all(isinstance(item, str) for item in value)
        is_named = bool(set(name_words(name)) & {"events", "types", "topics", "event", "type"})
        if is_list and (is_named or known & set(value)):
            return tuple(value)
    return ()


def _nouns(kind: ResourceType) -> tuple[str, ...]:
    """Return the words for one resource of a type: those of the last fixed segment of its path."""
    fixed = [part for part in kind.path.split("/") if part and "{" not in part]
    return tuple(_singular(name_word) for name_word in name_words(fixed[-1])) if fixed else ()


def _singular(word: str) -> str:
    return re.sub(r"ies$", "y", word) if word.endswith("ies") else word.removesuffix("s")
