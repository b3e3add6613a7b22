"""Finds the operations that cause the events of a contract, and why each operation must cause its event."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.webhooks.discovery.event_subjects import (
    created_resource,
    event_words,
    id_member,
    relation,
    state_pointer,
    subject_pointer,
)
from devportal.conformance.webhooks.discovery.receiver_addresses import (
    AddressPlace,
    callback_address,
    named_address,
    request_with_address,
)
from devportal.conformance.webhooks.event_matching import EventKind, callback_key, event_kinds
from devportal.conformance.webhooks.plan import Certainty
from devportal.conformance.webhooks.receiver_words import is_subscription
from devportal.contract import Operation

CREATION_WORDS = frozenset(
    {
        "added",
        "booked",
        "created",
        "creation",
        "new",
        "opened",
        "ordered",
        "placed",
        "registered",
        "requested",
    }
    | {"submitted", "uploaded"}
)
"""Words for what happens when something is created."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """An event that an operation may cause, and where it names the resource."""

    event: EventKind
    subject: str
    certainty: Certainty


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTrigger:
    """An operation that causes events. `place` is where its request takes the address of the receiver, None if
    it takes none.
    """

    operation: Operation
    place: AddressPlace | None = None
    causes: tuple[Cause, ...]

    @property
    def description(self) -> str:
        """What the trigger causes, in words."""
        events = ", ".join(
            f"{cause.event.key} (about `{cause.subject}`)" if cause.subject else cause.event.key
            for cause in self.causes
        )
        to = f", sent to {self.place.description}" if self.place is not None else ""
        return f"{operation_label(self.operation)} causes {events}{to}"


def callback_triggers(subject: Subject, subscription: Operation | None) -> Iterator[FoundTrigger]:
    """Yield the operations whose own callbacks are sent to an address in their request."""
    kinds = {event_kind.key: event_kind for event_kind in event_kinds(subject.api)}
    for operation in subject.operations:
        places = {callback_address(callback.expression) for callback in operation.callbacks}
        places.discard(None)
        if operation is subscription or len(places) != 1:
            continue
        place = places.pop()
        events = [
            kinds.get(callback_key(kinds, operation, callback.name))
            for callback in operation.callbacks
            if callback.operations
        ]
        causes = [_callback_cause(subject, operation, event, events) for event in events if event is not None]
        if causes:
            yield FoundTrigger(operation=operation, place=place, causes=tuple(causes))


def _callback_cause(
    subject: Subject, operation: Operation, event: EventKind, events: list[EventKind | None]
) -> Cause:
    found = subject_pointer(subject, operation, event)
    is_creation = bool(event_words(event) & CREATION_WORDS)
    resource = created_resource(subject, operation)
    is_unseen = len(events) == 1 and (resource is None or resource.read is None)
    certain = is_creation or is_unseen
    return Cause(
        event=event,
        subject=found[0] if found is not None and found[1] else "",
        certainty=Certainty.CREATION if certain else Certainty.POSSIBLE,
    )


def related_triggers(
    subject: Subject, events: tuple[EventKind, ...], subscription: Operation
) -> Iterator[FoundTrigger]:
    """Yield the operations that create what events are about."""
    causes: dict[str, list[Cause]] = {}
    for event in events:
        related = [
            (relation(subject, operation, event), operation_label(operation), cause)
            for operation in _creations(subject, subscription)
            if (cause := _related_cause(subject, operation, event)) is not None
        ]
        if related:
            _, label, cause = max(related, key=lambda item: item[0])
            causes.setdefault(label, []).append(cause)
    for operation in subject.operations:
        found = causes.get(operation_label(operation))
        if found:
            yield FoundTrigger(operation=operation, causes=tuple(found))


def addressed_triggers(subject: Subject, events: tuple[EventKind, ...]) -> Iterator[FoundTrigger]:
    """Yield the operations that take an address themselves, with the events about what they create."""
    for operation in _creations(subject, None):
        place = named_address(subject, operation)
        if place is None:
            continue
        causes = tuple(
            cause for event in events if (cause := _related_cause(subject, operation, event)) is not None
        )
        if causes:
            yield FoundTrigger(operation=operation, place=place, causes=causes)


def _creations(subject: Subject, subscription: Operation | None) -> Iterator[Operation]:
    for operation in subject.operations:
        if operation.method == "POST" and operation is not subscription and not is_subscription(operation):
            yield operation


def _related_cause(subject: Subject, operation: Operation, event: EventKind) -> Cause | None:
    found = subject_pointer(subject, operation, event)
    if found is None or not relation(subject, operation, event):
        return None
    pointer, is_sure = found
    is_creation = is_sure and bool(event_words(event) & CREATION_WORDS)
    return Cause(
        event=event,
        subject=pointer,
        certainty=Certainty.CREATION if is_creation else Certainty.POSSIBLE,
    )


def trigger_settings(subject: Subject, trigger: FoundTrigger) -> dict[str, Any]:
    """Return a trigger in the words of the settings."""
    operation, place = trigger.operation, trigger.place
    return {
        "operation": operation_label(operation),
        **(request_with_address(subject, operation, place) if place is not None else {}),
        "subject": id_member(subject, operation),
        "events": {cause.event.key: _event_settings(subject, cause) for cause in trigger.causes},
    }


def _event_settings(subject: Subject, cause: Cause) -> dict[str, str]:
    """Return the pointers of an event: its subject, and the state beside it."""
    state = state_pointer(subject, cause.event, cause.subject)
    return {"subject": cause.subject, **({"state": state} if state else {})}
