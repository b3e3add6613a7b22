"""Callbacks and webhooks of a mock: which of them report a change, to which receivers, with what payload."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from devportal.conformance.webhooks.receiver_words import (
    SECRET_NAMES,
    URL_FORMATS,
    URL_WORDS,
    is_subscription,
)
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import action_name, singular
from devportal.contract.resources import object_properties
from devportal.contract.wording import name_words
from devportal.documents import value_at
from devportal.mock.events.delivery_writer import (
    Delivery,
    DeliveryWriter,
    Event,
    EventTime,
    Receiver,
    payload_schema,
)
from devportal.mock.events.runtime_expressions import callback_url
from devportal.mock.mock import Mock
from devportal.mock.operations.outcome import Happening
from devportal.mock.resources.body_schemas import sent_schema
from devportal.mock.resources.nested_members import resource_members
from devportal.mock.resources.plan import Plan, ResourceType, Role
from devportal.mock.resources.store import Record, Scope, State
from devportal.project.site_url import is_web_address

_VERBS: Mapping[Role, frozenset[str]] = {
    Role.CREATE: frozenset(
        {"created", "create", "new", "added", "received", "placed", "submitted", "started", "registered"}
    ),
    Role.REPLACE: frozenset({"updated", "update", "changed", "modified", "edited"}),
    Role.UPDATE: frozenset({"updated", "update", "changed", "modified", "edited"}),
    Role.DELETE: frozenset({"deleted", "delete", "removed", "cancelled", "canceled"}),
}
"""Words of events for what operations do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _WaitingCallback:
    """A callback that is sent when its resource reaches a state."""

    state: str
    name: str
    request: Operation
    receiver: Receiver


class Events:
    """The callbacks and webhooks of one contract."""

    def __init__(self, mock: Mock, webhook_urls: Sequence[str] = (), secret: str = "") -> None:
        """Take the mock, receivers of all webhooks, and the secret that signs for them, and for all others whose
        request or resource has no secret.
        """
        self._mock = mock
        self._plan: Plan = mock.plan
        self._writer = DeliveryWriter(mock.plan.api, mock.representations)
        self._names = frozenset(webhook.name for webhook in mock.plan.api.webhooks)
        self._fixed = tuple(Receiver(url=webhook_url, secret=secret) for webhook_url in webhook_urls)
        self._secret = secret
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
                secret = str(value_at(happening.read.body, "/secret") or self._secret)
                receiver = Receiver(url=url, secret=secret)
                if self._waits(callback.name, request, receiver, happening):
                    continue
                event = self._event(callback.name, request, happening, at, f"{serial}{number}")
                yield self._writer.write(event, receiver)

    def _waits(self, name: str, request: Operation, receiver: Receiver, happening: Happening) -> bool:
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
                name, request = waiting_callback.name, waiting_callback.request
                event = self._event(name, request, happening, at, f"{serial}9{number}")
                yield self._writer.write(event, waiting_callback.receiver)
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
                    event = self._event(name, request, happening, at, f"{serial}{number}{place}")
                    yield self._writer.write(event, receiver)

    def _subscribed_receivers(self, state: State) -> Iterator[Receiver]:
        for record in state.all_records():
            member = self._subscriptions.get(record.type)
            url = record.members.get(member) if member is not None else None
            if isinstance(url, str) and is_web_address(url):
                secrets = (
                    member for name, member in record.members.items() if matches_any_name(name, SECRET_NAMES)
                )
                yield Receiver(
                    url=url,
                    secret=str(next(secrets, self._secret)),
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

    def _event(
        self, name: str, request: Operation, happening: Happening, at: EventTime, serial: str
    ) -> Event:
        kind = self._kind_of(happening)
        return Event(name=name, request=request, happening=happening, type=kind, at=at, serial=serial)

    def _kind_of(self, happening: Happening) -> ResourceType | None:
        path = happening.record.type if happening.record is not None else ""
        return self._plan.type_at(path)

    def _reports(self, name: str, request: Operation, kind: ResourceType, happening: Happening) -> bool:
        words = set(name_words(name))
        is_about = bool({*kind.nouns} & {singular(word) for word in words}) or self._shows(request, kind)
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
        schema = payload_schema(request)
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
        schema = payload_schema(request)
        if schema is None or kind.schema is None:
            return False
        api = self._plan.api
        wanted = api.resolve(kind.schema).location
        members = [property_.schema for property_ in object_properties(api, schema)]
        inner = [property_.schema for member in members for property_ in object_properties(api, member)]
        return any(api.resolve(subschema).location == wanted for subschema in (schema, *members, *inner))


def _listed_events(record: Record, known: frozenset[str]) -> tuple[str, ...]:
    """Return the events that a subscription names, none if it names none."""
    for name, value in record.members.items():
        is_list = isinstance(value, list) and value and all(isinstance(item, str) for item in value)
        is_named = bool(set(name_words(name)) & {"events", "types", "topics", "event", "type"})
        if is_list and (is_named or known & set(value)):
            return tuple(value)
    return ()
