"""Finds the event of the contract that a delivery is: by the values of its type, then by its schema, then by
its name.

The key of a callback is a name for people; what a delivery says is the value of its `type`, as the schema of
its payload lists it.
"""

from collections.abc import Container, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

from devportal.conformance.webhooks.payload_members import body_members
from devportal.contract import Api, Location, Operation
from devportal.contract.body_schemas import request_schema
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.contract.wording import name_words
from devportal.documents import value_at

TYPE_WORDS = frozenset({"type", "event", "kind", "topic", "action", "name"})
"""Last words in the name of a member that says what an event is."""
EVENT_WORDS = frozenset({"event", "hook", "notification", "webhook"})
"""Words that may come before: `event_type` is the type of the event, `channel_type` of something else."""
_DEEPEST_TYPE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _PromisedEvent:
    """An event of the contract: what the contract calls it, and its request."""

    name: str
    request: Operation


def promised_events(api: Api) -> dict[str, Operation]:
    """Return the request of each event of a contract, from webhooks and callbacks, by its key: its name, and
    the operation if callbacks of several operations have one name and other payloads.
    """
    return {key: event.request for key, event in _events_by_key(api).items()}


def _events_by_key(api: Api) -> dict[str, _PromisedEvent]:
    declared = (
        _PromisedEvent(name=webhook.name, request=webhook.operations[0])
        for webhook in api.webhooks
        if webhook.operations
    )
    events = {promised_event.name: promised_event for promised_event in declared}
    for operation in api.operations:
        for callback in operation.callbacks:
            if callback.operations:
                event = _PromisedEvent(name=callback.name, request=callback.operations[0])
                first = events.setdefault(callback.name, event)
                if _payload_location(api, first.request) != _payload_location(api, event.request):
                    events.setdefault(_own_key(operation, callback.name), event)
    return events


def _payload_location(api: Api, request: Operation) -> Location | None:
    schema = request_schema(request)
    return api.resolve(schema).location if schema is not None else None


def _own_key(operation: Operation, name: str) -> str:
    return f"{name} of {operation.method} {operation.path}"


def callback_key(events: Container[str], operation: Operation, name: str) -> str:
    """Return the key of an event that settings or the contract name in an operation."""
    own = _own_key(operation, name)
    return own if own in events else name


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKind:
    """An event of the contract. `name` is what the contract calls it, which several may share. `types` are the
    values of its type that its payload lists, by the path of the member; `is_named_by_key` if its key can
    identify deliveries.
    """

    key: str
    name: str
    operation: Operation
    types: Mapping[tuple[str, ...], frozenset[str]]
    is_named_by_key: bool

    @property
    def type_values(self) -> frozenset[str]:
        """All values of its type."""
        return frozenset().union(*self.types.values())


def event_kinds(api: Api) -> tuple[EventKind, ...]:
    """Return the events of a contract."""
    webhook_keys = {webhook.name for webhook in api.webhooks}
    events = _events_by_key(api)
    names = {name_words(event.name) for event in events.values()}
    return tuple(
        EventKind(
            key=key,
            name=event.name,
            operation=event.request,
            types=_own_types(_type_members(api, event.request), names - {name_words(event.name)}),
            is_named_by_key=key in webhook_keys and not key.isidentifier(),
        )
        for key, event in events.items()
    )


def _own_types(
    types: Mapping[tuple[str, ...], frozenset[str]], other_names: Set[tuple[str, ...]]
) -> dict[tuple[str, ...], frozenset[str]]:
    """Return the types of an event without those that are the names of others: one schema may be the payload of
    several events, and lists the types of all.
    """
    own = {
        path: frozenset(text for text in texts if name_words(text) not in other_names)
        for path, texts in types.items()
    }
    return {path: texts or types[path] for path, texts in own.items()}


def _type_members(api: Api, operation: Operation) -> dict[tuple[str, ...], frozenset[str]]:
    """Return the outermost members that list what an event can be."""
    found = [
        body_member
        for body_member in body_members(api, request_schema(operation))
        if len(body_member.path) <= _DEEPEST_TYPE
        and body_member.allowed_texts
        and _is_type_name(body_member.name)
    ]
    outermost = min((len(body_member.path) for body_member in found), default=0)
    return {
        body_member.path: body_member.allowed_texts
        for body_member in found
        if len(body_member.path) == outermost
    }


def _is_type_name(name: str) -> bool:
    *before, last = name_words(name) or ("",)
    return last in TYPE_WORDS and set(before) <= EVENT_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMatcher:
    """Finds events. `names` are those that the plan expects: keys, or values of a type."""

    kinds: tuple[EventKind, ...]
    validator: Validator
    names: frozenset[str] = frozenset()

    def operation(self, name: str) -> Operation | None:
        """Return the request of an event by its key or by a value of its type, None if there is none."""
        kind = self.kind(name)
        return kind.operation if kind is not None else None

    def kind(self, name: str) -> EventKind | None:
        """Return an event by its key or by a value of its type, None if there is none."""
        by_key = next((kind for kind in self.kinds if kind.key == name), None)
        return by_key or next((kind for kind in self.kinds if name in kind.type_values), None)

    @property
    def all_names(self) -> tuple[str, ...]:
        """The keys of all events and the values of their types."""
        keys = dict.fromkeys(kind.key for kind in self.kinds)
        return (*keys, *(value for kind in self.kinds for value in sorted(kind.type_values - set(keys))))

    def listed_names(self, name: str, listed: Any) -> list[str]:
        """Return what an event is called in the list of a subscription, which may use the values of its type
        if the plan has its key: the name itself if the list has none of them.
        """
        texts = [item for item in listed if isinstance(item, str)] if isinstance(listed, list) else []
        kind = next((kind for kind in self.kinds if kind.key == name), None)
        others = [text for text in texts if kind is not None and text in kind.type_values]
        return [name] if name in texts or not others else others

    def contract_name(self, name: str) -> str:
        """Return what the contract calls an event, by its key or by a value of its type."""
        operation = self.operation(name)
        return next((kind.name for kind in self.kinds if kind.operation is operation), name)

    def event_name(self, body: Any, declared: Any, expected: Set[str] = frozenset()) -> str:
        """Return the name of the event that a body is; `declared` is its type as the plan reads it. Of several
        that it may be, it is one of those that are `expected` at its address.

        The name is the key of the event, or the value of its type if the plan expects that. An event that the
        contract does not have keeps its declared name, which is empty if it has none.
        """
        text = declared if isinstance(declared, str) else ""
        kind = self._kind_of(body, text, expected)
        if kind is None:
            return text
        candidates = [text, *(_text_at(body, path) for path in kind.types)]
        known = self.names & {kind.key, *kind.type_values}
        return next((text for text in candidates if text in known), kind.key)

    def _kind_of(self, body: Any, declared: str, expected: Set[str]) -> EventKind | None:
        ranked = sorted(self.kinds, key=lambda kind: not expected & {kind.key, *kind.type_values})
        by_type = [event_kind for event_kind in ranked if _is_of_type(event_kind, body, declared)]
        if by_type:
            return next((event_kind for event_kind in by_type if self._fits(event_kind, body)), by_type[0])
        by_key = next((event_kind for event_kind in ranked if event_kind.name == declared), None)
        if by_key is not None or self._is_foreign(declared):
            return by_key
        fitting = (
            ranked
            if len(ranked) == 1
            else [event_kind for event_kind in ranked if self._fits(event_kind, body)]
        )
        # At the address of one callback, what fits no event is that one with a wrong payload.
        here = [event_kind for event_kind in fitting or ranked if event_kind.key in expected] or fitting
        return here[0] if len(here) == 1 else None

    def _is_foreign(self, declared: str) -> bool:
        """Return whether a declared name would be known if it were that of an event."""
        is_known_otherwise = len(self.kinds) > 1 and all(
            kind.is_named_by_key or kind.types for kind in self.kinds
        )
        return bool(declared) and is_known_otherwise

    def _fits(self, kind: EventKind, body: Any) -> bool:
        schema = request_schema(kind.operation)
        return schema is not None and any(
            self.validator.is_valid(schema, body, item) for item in (Direction.REQUEST, Direction.RESPONSE)
        )


def event_matcher(api: Api, names: Iterable[str] = ()) -> EventMatcher:
    """Return the matcher of a contract's events."""
    return EventMatcher(kinds=event_kinds(api), validator=Validator(api), names=frozenset(names))


def _is_of_type(kind: EventKind, body: Any, declared: str) -> bool:
    values = {_text_at(body, path) for path in kind.types} | {declared}
    return any(values & texts for texts in kind.types.values())


def _text_at(body: Any, path: Iterable[str]) -> str:
    for name in path:
        body = body.get(name) if isinstance(body, dict) else None
    return body if isinstance(body, str) else ""


def value_at_place(headers: Iterable[tuple[str, str]], body: Any, place: str) -> Any:
    """Return the value at a JSON Pointer into a body, or of the header of a name; None if there is none."""
    if not place.startswith("/"):
        return next((value for name, value in headers if name.lower() == place.lower()), None)
    return value_at(body, place)
