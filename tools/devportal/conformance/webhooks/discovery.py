"""Finds in the contract alone how its events are received: who causes them, how a receiver subscribes, where
the events name their resource, and where the log of deliveries is.

The result is in the words of the settings, so that it can be shown, corrected and declared.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from devportal.conformance.conventions import matches_any_name
from devportal.conformance.knowledge.resources import Listing, Resource
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.conformance.webhooks.event_matching import EventKind, event_kinds
from devportal.conformance.webhooks.payload_members import (
    BodyMember,
    body_members,
    name_words,
    request_schema,
    singular,
    success_schema,
)
from devportal.conformance.webhooks.plan import Certainty
from devportal.conformance.webhooks.receiver_addresses import (
    AddressPlace,
    callback_address,
    is_subscription,
    named_address,
    request_with_address,
)
from devportal.contract import Location, Operation, ParameterLocation
from devportal.contract.validate.schema_rules import constraint_value

CREATION_WORDS = frozenset(
    [
        "accepted",
        "added",
        "booked",
        "created",
        "creation",
        "issued",
        "new",
        "opened",
        "ordered",
        "placed",
        "queued",
        "received",
        "registered",
        "sent",
        "started",
        "submitted",
        "uploaded",
    ]
)
"""Words for what happens when something is created."""
PATIENCE_S = 10.0
"""How long a run waits for events that nobody declared."""
SECRET_NAMES = ("secret", "signing_secret", "webhook_secret", "signing_key", "shared_secret", "key")
STANDARD_HEADERS = frozenset({"webhook-id", "webhook-timestamp", "webhook-signature"})
EVENT_ID_HEADERS = ("webhook-id", "ce-id", "x-event-id", "x-webhook-id", "x-delivery-id", "event-id")
EVENT_ID_MEMBERS = ("event_id", "id", "delivery_id", "notification_id")
GENERAL_SUBJECTS = ("id", "object_id", "resource_id", "entity_id", "subject_id")
ENDPOINT_WORDS = frozenset({"endpoint", "hook", "subscription", "webhook"})
LOG_WORDS = frozenset(["deliveries", "delivery", "event", "events", "log", "logs", "notifications"])
SUBJECT_WORDS = frozenset({"about", "object", "resource", "subject"})
FILTER_WORDS = ENDPOINT_WORDS | SUBJECT_WORDS | {"id"}
LONGEST_PAGE = 100
DELIVERED_WORDS = frozenset(
    ["accepted", "completed", "delivered", "ok", "sent", "succeeded", "success", "successful"]
)
FAILED_WORDS = frozenset(["dead", "error", "exhausted", "failed", "failure"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """What a contract says about receiving its events.

    `settings` are in the words of `webhooks` in the settings file, without `triggers` if nothing was found:
    then `missing` is what the settings must say. `certainties` tell, by trigger and event, why the event
    must come. `assumptions` say what was assumed, in sentences.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    certainties: Mapping[tuple[str, str], Certainty] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    missing: str = ""

    @property
    def is_found(self) -> bool:
        """Return whether a trigger was found."""
        return bool(self.settings.get("triggers"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cause:
    """An event that an operation may cause, and where it names the resource."""

    event: EventKind
    subject: str
    certainty: Certainty


def discover_webhooks(subject: Subject) -> Discovery:
    """Return how the events of a contract are received, as far as the tested operations show it."""
    events = event_kinds(subject.api)
    subscription = _subscription(subject)
    triggers = dict(_callback_triggers(subject, subscription[0] if subscription is not None else None))
    if triggers:
        return _discovery(subject, None, triggers)
    if subscription is not None:
        return _discovery(subject, subscription, dict(_related_triggers(subject, events, subscription[0])))
    addressed = dict(_addressed_triggers(subject, events))
    return _discovery(subject, None, addressed)


def _discovery(
    subject: Subject,
    subscription: tuple[Operation, AddressPlace] | None,
    triggers: Mapping[str, tuple[Operation, AddressPlace | None, list[_Cause]]],
) -> Discovery:
    if not triggers:
        return Discovery(missing=_missing_text(subject, subscription))
    # Retries are a promise that no contract has words for.
    settings: dict[str, Any] = {
        "patience_s": PATIENCE_S,
        "promises": {"retried": [], "retries_closed": False},
    }
    assumptions, certainties = [], {}
    if subscription is not None:
        settings["subscribe"] = _subscription_settings(subject, *subscription)
        assumptions.append(
            f"{operation_label(subscription[0])} subscribes the address in {subscription[1].description}"
        )
    settings["triggers"] = []
    for name, (operation, place, causes) in triggers.items():
        settings["triggers"].append(_trigger_settings(subject, operation, place, causes))
        certainties.update({(name, one.event.key): one.certainty for one in causes})
        assumptions.append(_cause_text(operation, place, causes))
    kinds = [one.event for _, _, causes in triggers.values() for one in causes]
    settings.update(_delivery_settings(subject, kinds, settings.get("subscribe", {})))
    log = _log_settings(subject, has_endpoints=subscription is not None) if settings.get("id") else None
    if log is not None:
        settings["log"] = log
        assumptions.append(f"{log['operation']} is the log of deliveries")
    return Discovery(settings=settings, certainties=certainties, assumptions=tuple(assumptions))


def _cause_text(operation: Operation, place: AddressPlace | None, causes: list[_Cause]) -> str:
    events = ", ".join(
        f"{one.event.key} (about `{one.subject}`)" if one.subject else one.event.key for one in causes
    )
    to = f", sent to {place.description}" if place is not None else ""
    return f"{operation_label(operation)} causes {events}{to}"


def _missing_text(subject: Subject, subscription: tuple[Operation, AddressPlace] | None) -> str:
    if not subject.operations or all(one.method == "GET" for one in subject.operations):
        return "a run that may create resources: it is read only"
    if subscription is None:
        return (
            "`webhooks` in the settings, with `triggers` and `subscribe` or `receiver`: no selected operation "
            "takes the address of a receiver"
        )
    return (
        "`webhooks.triggers` in the settings: no selected operation creates what the payloads of the events "
        "are about"
    )


# --- triggers ---------------------------------------------------------------------------------------------


def _callback_triggers(
    subject: Subject, subscription: Operation | None
) -> Iterator[tuple[str, tuple[Operation, AddressPlace | None, list[_Cause]]]]:
    """Yield the operations whose own callbacks are sent to an address in their request."""
    kinds = {one.operation.key: one for one in event_kinds(subject.api)}
    for operation in subject.operations:
        places = {callback_address(one.expression) for one in operation.callbacks}
        places.discard(None)
        if operation is subscription or len(places) != 1:
            continue
        place = places.pop()
        events = [kinds.get(request.key) for one in operation.callbacks for request in one.operations[:1]]
        causes = [_callback_cause(subject, operation, one, events) for one in events if one is not None]
        if causes:
            yield operation_label(operation), (operation, place, causes)


def _callback_cause(
    subject: Subject, operation: Operation, event: EventKind, events: list[EventKind | None]
) -> _Cause:
    found = _subject_pointer(subject, operation, event)
    is_creation = bool(_event_words(event) & CREATION_WORDS)
    resource = _created_resource(subject, operation)
    is_unseen = len(events) == 1 and (resource is None or resource.read is None)
    certain = is_creation or is_unseen
    return _Cause(
        event=event,
        subject=found[0] if found is not None and found[1] else "",
        certainty=Certainty.CREATION if certain else Certainty.POSSIBLE,
    )


def _related_triggers(
    subject: Subject, events: tuple[EventKind, ...], subscription: Operation
) -> Iterator[tuple[str, tuple[Operation, AddressPlace | None, list[_Cause]]]]:
    """Yield the operations that create what events are about."""
    by_operation: dict[str, tuple[Operation, AddressPlace | None, list[_Cause]]] = {}
    for event in events:
        operation, cause = max(
            ((one, _related_cause(subject, one, event)) for one in _creations(subject, subscription)),
            key=lambda pair: _relation(subject, pair[0], event) if pair[1] is not None else 0,
            default=(None, None),
        )
        if operation is not None and cause is not None:
            by_operation.setdefault(operation_label(operation), (operation, None, []))[2].append(cause)
    yield from by_operation.items()


def _addressed_triggers(
    subject: Subject, events: tuple[EventKind, ...]
) -> Iterator[tuple[str, tuple[Operation, AddressPlace | None, list[_Cause]]]]:
    """Yield the operations that take an address themselves, with the events about what they create."""
    for operation in _creations(subject, None):
        place = named_address(subject, operation)
        causes = (
            []
            if place is None
            else [cause for one in events if (cause := _related_cause(subject, operation, one)) is not None]
        )
        if causes:
            yield operation_label(operation), (operation, place, causes)


def _creations(subject: Subject, subscription: Operation | None) -> Iterator[Operation]:
    for one in subject.operations:
        if one.method == "POST" and one is not subscription and not is_subscription(one):
            yield one


def _related_cause(subject: Subject, operation: Operation, event: EventKind) -> _Cause | None:
    found = _subject_pointer(subject, operation, event)
    if found is None or not _relation(subject, operation, event):
        return None
    pointer, is_sure = found
    is_creation = is_sure and bool(_event_words(event) & CREATION_WORDS)
    return _Cause(
        event=event,
        subject=pointer,
        certainty=Certainty.CREATION if is_creation else Certainty.POSSIBLE,
    )


def _relation(subject: Subject, operation: Operation, event: EventKind) -> int:
    """Return how much an event has to do with what an operation creates; 0 if nothing shows it."""
    schema, names = _resource_schema(subject, operation), _resource_names(subject, operation)
    members = body_members(subject.api, request_schema(event.operation))
    is_same_schema = schema is not None and any(one.schema.location == schema for one in members)
    is_named = bool(names & {singular(word) for word in _event_words(event)})
    has_id = any(_is_id_of(one, names) for one in members)
    is_tagged = bool(set(event.operation.tags) & set(operation.tags))
    score = 4 * is_same_schema + 3 * is_named + 2 * has_id
    return score + is_tagged if score else 0


def _event_words(event: EventKind) -> set[str]:
    texts = (event.key, *event.type_values)
    return {word for text in texts for word in name_words(text)}


# --- what an event is about -------------------------------------------------------------------------------


def _created_resource(subject: Subject, operation: Operation) -> Resource | None:
    return next((one for one in subject.resources if one.create is operation), None)


def _resource_names(subject: Subject, operation: Operation) -> set[str]:
    """Return the words for what an operation creates: those of its path and of the parameter that names it."""
    fixed = [one for one in operation.path.split("/") if one and "{" not in one]
    words = {singular(word) for word in (name_words(fixed[-1]) if fixed else ())}
    resource = _created_resource(subject, operation)
    parameter = name_words(resource.parameter)[:-1] if resource is not None else ()
    return words | {singular(word) for word in parameter}


def _resource_schema(subject: Subject, operation: Operation) -> Location | None:
    schema = success_schema(operation)
    return subject.api.resolve(schema).location if schema is not None else None


def _is_id_of(member: BodyMember, names: set[str]) -> bool:
    """Return whether a member is called like the identifier of a resource: `order_id`, `order.id`, `order`."""
    *before, last = name_words(member.name) or ("",)
    if not before and last in names and {"string", "integer"} & set(member.schema.types):
        return True
    if last not in ("id", "uuid", "number", "reference", "ref"):
        return False
    owner = before or (list(name_words(member.path[-2])) if len(member.path) > 1 else [])
    return bool(owner) and {singular(word) for word in owner} <= names


def _subject_pointer(subject: Subject, operation: Operation, event: EventKind) -> tuple[str, bool] | None:
    """Return where an event names what an operation creates, and whether that is sure; None without a place."""
    members = body_members(subject.api, request_schema(event.operation))
    names, schema = _resource_names(subject, operation), _resource_schema(subject, operation)
    key = _id_member(subject, operation)
    for one in members:
        if key and schema is not None and one.schema.location == schema:
            return f"{one.pointer}{key}", True
    whole = request_schema(event.operation)
    if key and whole is not None and subject.api.resolve(whole).location == schema:
        return key, True
    for one in members:
        if _is_id_of(one, names) or (key.count("/") == 1 and key != "/id" and one.name == key[1:]):
            return one.pointer, True
    deeper = [one for one in members if len(one.path) > 1 and matches_any_name(one.name, GENERAL_SUBJECTS)]
    return (deeper[0].pointer, False) if deeper else None


def _id_member(subject: Subject, operation: Operation) -> str:
    """Return the pointer to the identifier in the response of a creation, empty if none is known."""
    resource = _created_resource(subject, operation)
    if resource is not None and resource.key:
        return "".join(f"/{one}" for one in resource.key)
    members = body_members(subject.api, success_schema(operation))
    names = _resource_names(subject, operation)
    found = [one for one in members if _is_id_of(one, names)] or [
        one for one in members if len(one.path) == 1 and matches_any_name(one.name, ("id", "uuid"))
    ]
    return found[0].pointer if found else ""


def _trigger_settings(
    subject: Subject, operation: Operation, place: AddressPlace | None, causes: list[_Cause]
) -> dict[str, Any]:
    addressed = request_with_address(subject, operation, place).parts if place is not None else {}
    events = {one.event.key: _event_settings(subject, one) for one in causes}
    return {
        "operation": operation_label(operation),
        **addressed,
        "subject": _id_member(subject, operation),
        "events": events,
    }


def _event_settings(subject: Subject, cause: _Cause) -> dict[str, str]:
    """Return the pointers of an event: its subject, and the state beside it."""
    state = _state_pointer(subject, cause)
    return {"subject": cause.subject, **({"state": state} if state else {})}


def _state_pointer(subject: Subject, cause: _Cause) -> str:
    holder = cause.subject.rpartition("/")[0]
    members = body_members(subject.api, request_schema(cause.event.operation))
    found = (
        one.pointer
        for one in members
        if one.pointer.rpartition("/")[0] == holder
        and one.is_text
        and matches_any_name(one.name, subject.conventions.state)
    )
    return next(found, "") if cause.subject else ""


# --- subscription -----------------------------------------------------------------------------------------


def _subscription(subject: Subject) -> tuple[Operation, AddressPlace] | None:
    """Return the operation that registers a receiver, and where it takes the address."""
    found = []
    for operation in subject.operations:
        if operation.method in ("POST", "PUT") and is_subscription(operation):
            places = [callback_address(one.expression) for one in operation.callbacks]
            place = next((one for one in places if one is not None), None) or named_address(
                subject, operation
            )
            if place is not None:
                found.append((operation, place))
    return min(found, key=lambda pair: (pair[0].path.count("{"), pair[0].method != "POST"), default=None)


def _subscription_settings(subject: Subject, operation: Operation, place: AddressPlace) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "operation": operation_label(operation),
        **request_with_address(subject, operation, place).parts,
        "id": _id_member(subject, operation),
    }
    types = _type_list(subject, operation)
    if types is not None and "body" in settings:
        # Not only the events of the example are wanted.
        settings["body"] = {**settings["body"], types.name: sorted(_listed_types(subject, types))}
        settings["types"] = types.pointer
    secrets = body_members(subject.api, success_schema(operation))
    secret = next((one for one in secrets if matches_any_name(one.name, SECRET_NAMES) and one.is_text), None)
    if secret is not None:
        settings["secret"] = secret.pointer
    resource = _created_resource(subject, operation)
    if resource is not None and resource.delete is not None:
        settings["delete"] = operation_label(resource.delete)
    return settings


def _type_list(subject: Subject, operation: Operation) -> BodyMember | None:
    """Return the member of a subscription that lists the wanted events, None if it has none."""
    return next(
        (
            one
            for one in body_members(subject.api, request_schema(operation))
            if len(one.path) == 1 and "array" in one.schema.types and _listed_types(subject, one)
        ),
        None,
    )


def _listed_types(subject: Subject, member: BodyMember) -> frozenset[str]:
    """Return the events of the contract that a list of texts may hold."""
    items = subject.api.resolve(member.schema.items) if member.schema.items is not None else None
    names = {name for one in event_kinds(subject.api) for name in (one.key, *one.type_values)}
    if items is not None and items.enum:
        return frozenset(names & {one for one in items.enum if isinstance(one, str)})
    examples = [one for one in member.schema.examples if isinstance(one, list)]
    is_named = any(isinstance(value, str) and value in names for one in examples for value in one)
    return frozenset(names) if is_named else frozenset()


# --- deliveries and their log -----------------------------------------------------------------------------


def _delivery_settings(
    subject: Subject, kinds: list[EventKind], subscription: Mapping[str, Any]
) -> dict[str, Any]:
    """Return where deliveries hold the type and identifier of the event, and how they are signed."""
    headers = {name.lower() for one in kinds for name in _header_names(one.operation)}
    settings: dict[str, Any] = {}
    paths = [path for one in kinds for path in one.types]
    if paths:
        settings["type"] = "/" + "/".join(paths[0])
    event_id = next((one for one in EVENT_ID_HEADERS if one in headers), "") or _event_id_pointer(
        subject, kinds
    )
    if event_id:
        settings["id"] = event_id
    if headers >= STANDARD_HEADERS and "secret" in subscription:
        settings["signature"] = "standard-webhooks"
    return settings


def _header_names(operation: Operation) -> Iterator[str]:
    for one in operation.parameters:
        if one.location_in is ParameterLocation.HEADER:
            yield one.name


def _event_id_pointer(subject: Subject, kinds: list[EventKind]) -> str:
    """Return the outermost member that all events have for their identifier, beside what they are about."""
    common: set[str] | None = None
    for kind in kinds:
        members = body_members(subject.api, request_schema(kind.operation))
        is_envelope = any(len(one.path) > 1 for one in members)
        names = EVENT_ID_MEMBERS if is_envelope and kind.types else EVENT_ID_MEMBERS[:1]
        found = {one.pointer for one in members if len(one.path) == 1 and matches_any_name(one.name, names)}
        common = found if common is None else common & found
    ranked = sorted(common or (), key=lambda one: "event" not in one)
    return ranked[0] if ranked else ""


def _log_settings(subject: Subject, *, has_endpoints: bool) -> dict[str, Any] | None:
    """Return how the log of deliveries is read, None if the contract has none.

    A log of several endpoints must show which one a row is about.
    """
    for listing in subject.listings:
        path = listing.operation.path
        fixed = [one for one in path.split("/") if one and "{" not in one]
        words = {word for part in fixed for word in name_words(part)}
        is_log = bool(fixed) and bool(LOG_WORDS & set(name_words(fixed[-1])))
        members = [one for one in body_members(subject.api, listing.item) if len(one.path) == 1]
        event_id = next((one for one in members if _is_logged_event_id(one, words)), None)
        if not is_log or event_id is None or path.count("{") > has_endpoints:
            continue
        endpoint = next((one for one in members if ENDPOINT_WORDS & set(name_words(one.name))), None)
        if endpoint is not None or "{" in path or not has_endpoints or "events" in words:
            return _log_words(listing, members, event_id, endpoint)
    return None


def _is_logged_event_id(member: BodyMember, path_words: set[str]) -> bool:
    if matches_any_name(member.name, ("event_id", "event")):
        return member.is_text
    return "events" in path_words and matches_any_name(member.name, ("id",))


def _log_words(
    listing: Listing, members: list[BodyMember], event_id: BodyMember, endpoint: BodyMember | None
) -> dict[str, Any]:
    words: dict[str, Any] = {
        "operation": operation_label(listing.operation),
        "items": "".join(f"/{one}" for one in listing.items),
        "id": event_id.pointer,
    }
    if endpoint is not None:
        words["endpoint"] = endpoint.pointer
    state = next((one for one in members if matches_any_name(one.name, ("status", "state"))), None)
    states = _outcome_states(state) if state is not None else {}
    if state is not None and states:
        words.update(state=state.pointer, states=states)
    attempts = next(
        (one for one in members if matches_any_name(one.name, ("attempts", "attempt_count", "tries"))), None
    )
    if attempts is not None and {"integer", "array"} & set(attempts.schema.types):
        words["attempts"] = attempts.pointer
    query = dict(_log_query(listing))
    return {**words, "query": query} if query else words


def _log_query(listing: Listing) -> Iterator[tuple[str, str]]:
    """Yield the parameters that lead to the rows of one endpoint, or one resource, on one page."""
    if listing.limit is not None:
        schema = listing.limit.schema
        most = constraint_value(schema, "maximum") if schema is not None else None
        yield (
            listing.limit.name,
            str(min(LONGEST_PAGE, int(most)) if isinstance(most, int | float) else LONGEST_PAGE),
        )
    for parameter in listing.operation.parameters:
        words = set(name_words(parameter.name))
        if parameter.location_in is not ParameterLocation.QUERY or not words <= FILTER_WORDS:
            continue
        if words & ENDPOINT_WORDS:
            yield parameter.name, "{endpoint}"
        elif words & SUBJECT_WORDS:
            yield parameter.name, "{subject}"


def _outcome_states(state: BodyMember) -> dict[str, list[str]]:
    outcomes = {"delivered": DELIVERED_WORDS, "failed": FAILED_WORDS}
    found = {
        name: sorted(one for one in state.allowed_texts if words & set(name_words(one)))
        for name, words in outcomes.items()
    }
    return {name: texts for name, texts in found.items() if texts} if found["delivered"] else {}
