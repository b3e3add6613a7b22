"""Finds where an event names the resource that an operation creates."""

from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.webhooks.event_matching import EventKind
from devportal.conformance.webhooks.payload_members import BodyMember, body_members
from devportal.contract import Location, Operation
from devportal.contract.body_schemas import request_schema, success_schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource
from devportal.contract.titles.nouns import make_singular
from devportal.contract.wording import name_words
from devportal.documents import format_pointer

GENERAL_SUBJECTS = ("id", "object_id", "resource_id", "entity_id", "subject_id")
"""Members below the top that may name the resource of any event."""


def created_resource(subject: Subject, operation: Operation) -> Resource | None:
    """Return the resource type that an operation creates, None if it is not known to create one."""
    return next((resource for resource in subject.resources if resource.create is operation), None)


def _resource_names(subject: Subject, operation: Operation) -> set[str]:
    """Return the words for what an operation creates: those of its path and of the parameter that names it."""
    fixed = [part for part in operation.path.split("/") if part and "{" not in part]
    words = {make_singular(word) for word in (name_words(fixed[-1]) if fixed else ())}
    resource = created_resource(subject, operation)
    parameter = name_words(resource.parameter)[:-1] if resource is not None else ()
    return words | {make_singular(word) for word in parameter}


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
    return bool(owner) and {make_singular(word) for word in owner} <= names


def subject_pointer(subject: Subject, operation: Operation, event: EventKind) -> tuple[str, bool] | None:
    """Return where an event names what an operation creates, and whether that is sure; None without a place."""
    members = body_members(subject.api, request_schema(event.operation))
    names, schema = _resource_names(subject, operation), _resource_schema(subject, operation)
    key = id_member(subject, operation)
    for member in members:
        if key and schema is not None and member.schema.location == schema:
            return f"{member.pointer}{key}", True
    whole = request_schema(event.operation)
    if key and whole is not None and subject.api.resolve(whole).location == schema:
        return key, True
    named = [member for member in members if _is_id_of(member, names)]
    # A resource may have several identifiers: a number beside an id. Only one of the same kind is the same.
    alike = [
        body_member
        for body_member in named
        if key and name_words(body_member.name)[-1:] == name_words(key)[-1:]
    ]
    if alike:
        return alike[0].pointer, True
    deeper = [
        member
        for member in members
        if len(member.path) > 1 and matches_any_name(member.name, GENERAL_SUBJECTS)
    ]
    return next(((body_member.pointer, False) for body_member in (*named, *deeper)), None)


def id_member(subject: Subject, operation: Operation) -> str:
    """Return the pointer to the identifier in the response of a creation, empty if none is known."""
    resource = created_resource(subject, operation)
    if resource is not None and resource.key:
        return format_pointer(resource.key)
    members = body_members(subject.api, success_schema(operation))
    names = _resource_names(subject, operation)
    found = [member for member in members if _is_id_of(member, names)] or [
        member
        for member in members
        if len(member.path) == 1 and matches_any_name(member.name, ("id", "uuid"))
    ]
    return found[0].pointer if found else ""


def relation(subject: Subject, operation: Operation, event: EventKind) -> int:
    """Return how much an event has to do with what an operation creates; 0 if nothing shows it."""
    schema, names = _resource_schema(subject, operation), _resource_names(subject, operation)
    members = body_members(subject.api, request_schema(event.operation))
    is_same_schema = schema is not None and any(member.schema.location == schema for member in members)
    is_named = bool(names & {make_singular(word) for word in event_words(event)})
    has_id = any(_is_id_of(member, names) for member in members)
    is_tagged = bool(set(event.operation.tags) & set(operation.tags))
    score = 4 * is_same_schema + 3 * is_named + 2 * has_id
    return score + is_tagged if score else 0


def event_words(event: EventKind) -> set[str]:
    """Return the words in the key and the types of an event."""
    texts = (event.key, *event.type_values)
    return {word for text in texts for word in name_words(text)}


def state_pointer(subject: Subject, event: EventKind, id_pointer: str) -> str:
    """Return the pointer to the state beside the identifier of the resource, empty if there is none."""
    holder = id_pointer.rpartition("/")[0]
    members = body_members(subject.api, request_schema(event.operation))
    found = (
        member.pointer
        for member in members
        if member.pointer.rpartition("/")[0] == holder
        and member.is_text
        and matches_any_name(member.name, subject.conventions.state)
    )
    return next(found, "") if id_pointer else ""
