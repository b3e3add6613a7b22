"""Finds where deliveries hold the type and the identifier of an event, how they are signed, and their log."""

from collections.abc import Iterator, Mapping
from typing import Any

from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.webhooks.event_matching import EventKind
from devportal.conformance.webhooks.payload_members import BodyMember, body_members
from devportal.conformance.webhooks.receiver_words import EVENT_ID_NAMES
from devportal.contract import Operation, ParameterLocation
from devportal.contract.body_schemas import request_schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import placeholder_names
from devportal.contract.resources import Listing
from devportal.contract.validate.schema_rules import constraint_value
from devportal.contract.wording import name_words
from devportal.documents import format_pointer

STANDARD_HEADERS = frozenset({"webhook-id", "webhook-timestamp", "webhook-signature"})
"""The headers of Standard Webhooks 1.0.0."""
EVENT_ID_HEADERS = ("webhook-id", "ce-id", "x-event-id", "x-webhook-id", "x-delivery-id", "event-id")
ENDPOINT_WORDS = frozenset({"endpoint", "hook", "subscription", "webhook"})
LOG_WORDS = frozenset(
    ["attempts", "deliveries", "delivery", "event", "events", "log", "logs", "notifications"]
)
SUBJECT_WORDS = frozenset({"about", "object", "resource", "subject"})
FILTER_WORDS = ENDPOINT_WORDS | SUBJECT_WORDS | {"id"}
OUTCOME_NAMES = ("status", "state", "result", "outcome")
LONGEST_PAGE = 100
DELIVERED_WORDS = frozenset(
    ["accepted", "completed", "delivered", "ok", "sent", "succeeded", "success", "successful"]
)
FAILED_WORDS = frozenset(["dead", "error", "exhausted", "failed", "failure"])


def delivery_settings(
    subject: Subject, kinds: list[EventKind], subscription: Mapping[str, Any]
) -> dict[str, Any]:
    """Return where deliveries hold the type and identifier of the event, and how they are signed."""
    headers = {name.lower() for kind in kinds for name in _header_names(kind.operation)}
    settings: dict[str, Any] = {}
    paths = [path for kind in kinds for path in kind.types]
    if paths:
        settings["type"] = format_pointer(paths[0])
    event_id = next(
        (event_id_header for event_id_header in EVENT_ID_HEADERS if event_id_header in headers), ""
    ) or _event_id_pointer(subject, kinds)
    if headers >= STANDARD_HEADERS and "secret" in subscription:
        return {**settings, "signature": "standard-webhooks"}
    return {**settings, "signature": {"id": event_id}} if event_id else settings


def _header_names(operation: Operation) -> Iterator[str]:
    for parameter in operation.parameters:
        if parameter.location_in is ParameterLocation.HEADER:
            yield parameter.name


def _event_id_pointer(subject: Subject, kinds: list[EventKind]) -> str:
    """Return the outermost member that all events have for their identifier, beside what they are about."""
    common: set[str] | None = None
    for kind in kinds:
        members = body_members(subject.api, request_schema(kind.operation))
        is_envelope = any(len(member.path) > 1 for member in members)
        names = EVENT_ID_NAMES if is_envelope and kind.types else EVENT_ID_NAMES[:1]
        # `{"event": {"id": …, "type": …}, "order": …}`: the identifier is beside the type.
        holders = {(), *(path[:-1] for path in kind.types)}
        found = {
            member.pointer
            for member in members
            if member.path[:-1] in holders
            and matches_any_name(member.name, names if len(member.path) == 1 else EVENT_ID_NAMES)
        }
        common = found if common is None else common & found
    ranked = sorted(common or (), key=lambda item: ("event" not in item, item))
    return ranked[0] if ranked else ""


def log_settings(subject: Subject, subscription: Operation | None) -> dict[str, Any] | None:
    """Return how the log of deliveries is read, None if the contract has none. Parameters in the path of the
    subscription, such as an account, may be in that of the log too.

    A log of several endpoints must show which one a row is about.
    """
    has_endpoints = subscription is not None
    shared = set(placeholder_names(subscription.path)) if subscription is not None else set()
    created = {operation.path for operation in subject.operations if operation.method == "POST"}
    for listing in subject.listings:
        path = listing.operation.path
        if path in created:
            continue  # a log is written by the deployment: these are the events of a calendar
        own = [
            placeholder_name for placeholder_name in placeholder_names(path) if placeholder_name not in shared
        ]
        fixed = [part for part in path.split("/") if part and "{" not in part]
        words = {word for part in fixed for word in name_words(part)}
        is_log = bool(fixed) and bool(LOG_WORDS & set(name_words(fixed[-1])))
        members = [
            body_member
            for body_member in body_members(subject.api, listing.item)
            if len(body_member.path) == 1
        ]
        event_id = next((member for member in members if _is_logged_event_id(member, words)), None)
        if not is_log or event_id is None or len(own) > has_endpoints:
            continue
        endpoint = next((member for member in members if ENDPOINT_WORDS & set(name_words(member.name))), None)
        if endpoint is not None or own or not has_endpoints or "events" in words:
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
        "items": format_pointer(listing.items),
        "id": event_id.pointer,
    }
    if endpoint is not None:
        words["endpoint"] = endpoint.pointer
    state = next((member for member in members if matches_any_name(member.name, OUTCOME_NAMES)), None)
    states = _outcome_states(state) if state is not None else {}
    if state is not None and states:
        words.update(state=state.pointer, states=states)
    attempts = next(
        (
            member
            for member in members
            if matches_any_name(member.name, ("attempts", "attempt_count", "tries"))
        ),
        None,
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
        name: sorted(text for text in state.allowed_texts if words & set(name_words(text)))
        for name, words in outcomes.items()
    }
    return {name: texts for name, texts in found.items() if texts} if found["delivered"] else {}
