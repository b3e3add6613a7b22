"""Two resources that were created from different requests have different identifiers."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from devportal.conformance.deployment.exchange import Exchange, parse_json
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.resources.representation_match import leaf_members
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import json_response_type
from devportal.contract.path_templates import address_segments
from devportal.contract.resources import LINK_PREFIX

CREATED_STATUSES = (201, 202)
REPLAY_ROUNDS = 5
"""How often two requests are repeated: an identifier may repeat only sometimes."""


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for each identifier that two different requests for an operation got."""
    for operation in subject.operations:
        if operation.method != "POST":
            continue
        name = operation_label(operation)
        created = [
            exchange
            for exchange in exchanges
            if exchange.operation == name and is_creation(subject, exchange)
        ]
        for member in sorted(_id_members(subject, operation)):
            yield from _repeated_id_failures(subject, operation, name, member, created)


def is_creation(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a response is one to a creation, with an identifier that the server made."""
    operation = subject.operation(exchange.operation)
    if operation is None or operation.method != "POST" or exchange.status not in CREATED_STATUSES:
        return False
    keys = (_member_text(exchange, member) for member in _id_members(subject, operation))
    return any(key is not None and not _is_sent(subject, exchange, key) for key in keys)


def _repeated_id_failures(
    subject: Subject, operation: Operation, name: str, member: str, created: list[Exchange]
) -> Iterator[CheckFailure]:
    owners: dict[str, Exchange] = {}
    reported: set[str] = set()
    for exchange in created:
        key = _member_text(exchange, member)
        if key is None or key in reported or _is_sent(subject, exchange, key):
            continue
        first = owners.setdefault(key, exchange)
        if _request_value(first) != _request_value(exchange) and not _is_repetition(subject, first, exchange):
            reported.add(key)
            response = documented_response(operation, exchange.status)
            yield CheckFailure(
                title=f"two resources have the same {member!r}",
                member=member,
                message=f"two different requests both got {key!r}",
                operation=name,
                promise=response.location if response is not None else operation.location,
                evidence=(first, exchange),
            )


def _id_members(subject: Subject, operation: Operation) -> set[str]:
    """Return the members that identify a created resource: those that links use, and the first by convention
    that every response must have.
    """
    api, members = subject.api, set()
    for response in operation.successes:
        for link in response.links:
            for _, value in link.parameters:
                if isinstance(value, str) and value.startswith(LINK_PREFIX):
                    members.add(value.removeprefix(LINK_PREFIX))
        media_type = json_response_type(response.content)
        if media_type is not None and media_type.schema is not None:
            schema = api.resolve(media_type.schema)
            required = {property_.name for property_ in schema.properties if property_.required}
            required_members = required | set(schema.required)
            usual = subject.conventions.identifier[:1]
            members |= {name for name in required_members if matches_any_name(name, usual)}
    return {member for member in members if "/" not in member}


def _member_text(exchange: Exchange, member: str) -> str | None:
    value = _json_or_bytes(exchange.answer.body) if exchange.answer is not None else None
    found = value.get(member) if isinstance(value, dict) else None
    return str(found) if isinstance(found, str | int) else None


def _is_repetition(subject: Subject, first: Exchange, exchange: Exchange) -> bool:
    """Return whether a request repeats the first one, by its idempotency key."""
    return bool(_idempotency_keys(subject, first) & _idempotency_keys(subject, exchange))


def _idempotency_keys(subject: Subject, exchange: Exchange) -> set[str]:
    names = subject.conventions.idempotency_key
    return {value for name, value in exchange.request.headers if matches_any_name(name, names)}


def _is_sent(subject: Subject, exchange: Exchange, key: str) -> bool:
    """Return whether the request contains the identifier, in its body or path: then it is not generated. A number may
    be equal by chance, so it counts only in a member that may identify something.
    """
    in_body = any(
        str(leaf) == key and (not isinstance(leaf, int) or _may_identify(subject, path[-1]))
        for path, leaf in leaf_members(_request_value(exchange)).items()
    )
    return in_body or key in map(unquote, address_segments(urlsplit(exchange.request.url).path))


def _may_identify(subject: Subject, name: str) -> bool:
    """Return whether a member may hold an identifier by its name: `id`, `number`, `parcel_id` and `parcel`."""
    references = subject.reference_names
    return matches_any_name(name, (*subject.conventions.identifier, *references)) or matches_any_name(
        f"{name}_id", references
    )


def _request_value(exchange: Exchange) -> Any:
    """Return the JSON value of the request's body, or its bytes."""
    return _json_or_bytes(exchange.request.body or b"")


def _json_or_bytes(body: bytes) -> Any:
    try:
        return parse_json(body)
    except ValueError:
        return body


FAMILY = Family(
    name="unique-ids",
    summary="identifiers are unique",
    words=CheckDescription(
        promise="Two resources created by different requests have different identifiers.",
        test="Identifiers used by links, and those recognized by name, are compared across all "
        "responses that created something. Requests that got the same one are sent again, up to "
        f"{REPLAY_ROUNDS} times, with separate idempotency keys.",
        remedy="Generate identifiers that never repeat: UUIDs or a database sequence.",
        sources=("OAS 3.0.3 §4.7.20",),
    ),
    needs="two resources that different requests create, with an identifier in the response",
    sees=find_failures,
    compares=is_creation,
    about_state=True,
    rounds=REPLAY_ROUNDS,
)
