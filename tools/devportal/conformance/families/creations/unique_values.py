"""A value that is unique by the words of a contract belongs to one resource."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from devportal.conformance.deployment.credentials import Role
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.bulk.bulk_creations import (
    bulk_creations,
    different_items,
    send_items,
    shown_items,
)
from devportal.conformance.families.creations.lost_members import whole_request
from devportal.conformance.families.creations.overlaps import overlap_probes
from devportal.conformance.families.references.unknown_ids import random_character_like
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import CONFLICT
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.requests.request_variants import (
    object_body,
    request_variants,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.requests.unique_members import (
    UniqueMember,
    conflicts_over,
    unique_members,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CREATED,
    GONE_STATUSES,
    REFUSED_STATUSES,
    CreatedResource,
    create_resource,
    identify_created,
    is_success,
    read_created,
    read_resource,
    resource_json,
    with_if_match,
)
from devportal.conformance.knowledge.resources.operation_resources import (
    change_request,
    changed_after_rejection,
)
from devportal.conformance.knowledge.resources.other_account import as_other_account, private_resources
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.resources import Resource, object_properties
from devportal.contract.resources.bulk_creations import BulkOperation
from devportal.contract.wording import quote_value
from devportal.documents import member_at

MOST_RANDOM_VALUES = 8
"""How many random texts are made until the contract allows one."""
NEW_VALUE = "a new value of a unique member that the contract allows"


@dataclass(frozen=True, slots=True, kw_only=True)
class _UniqueValue:
    """A unique member of a resource type, and the operation that creates one."""

    resource: Resource
    create: Operation
    member: UniqueMember
    names: tuple[str, ...]
    """All unique members of the resource type."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each unique member: of the creation, the changes, and another account."""
    private = {private_resource.path for private_resource in private_resources(subject)}
    for value in _unique_values(subject):
        name = operation_label(value.create)
        yield Probe(operation=name, run=partial(_check_creation, subject, value))
        if value.member.is_alone and len(value.names) > 1:
            yield Probe(operation=name, run=partial(_check_alone, subject, value))
        if value.member.ignores_case:
            yield Probe(operation=name, run=partial(_check_other_case, subject, value))
        for change in value.resource.changes:
            if documents_exact_status(change, CONFLICT) and (
                value.member.is_always or conflicts_over(change, value.member.name)
            ):
                checks = (
                    (_check_change,) if _refuses_same_value(change) else (_check_change, _check_own_value)
                )
                for check in checks:
                    yield Probe(operation=operation_label(change), run=partial(check, subject, value, change))
        is_private = value.resource.path in private and subject.other(Role.OTHER_TENANT) is not None
        if value.member.is_per_account and is_private:
            yield Probe(operation=name, run=partial(_check_other_account, subject, value))
        for bulk in bulk_creations(subject) if value.member.is_always else ():
            if bulk.resource.path == value.resource.path and documents_exact_status(bulk.operation, CONFLICT):
                run = partial(_check_bulk, subject, value, bulk)
                yield Probe(operation=operation_label(bulk.operation), run=run)
    yield from overlap_probes(subject)


def _unique_values(subject: Subject) -> Iterator[_UniqueValue]:
    for resource in subject.resources:
        if resource.create is None or resource.read is None or resource.is_created_by_put:
            continue
        members = unique_members(
            subject.api, resource.create, resource.envelope, subject.names_of_others(resource.create)
        )
        names = tuple(member.name for member in members)
        for member in members:
            yield _UniqueValue(resource=resource, create=resource.create, member=member, names=names)


def _plain_request(subject: Subject, value: _UniqueValue) -> Request:
    """Return a creation that sends the unique member."""
    for request in (subject.valid(value.create), whole_request(subject, value.create)):
        body = object_body(subject, value.create, request) if request is not None else None
        if request is not None and body is not None and body.members.get(value.member.name) is not None:
            return request
    raise Unsendable(f"a valid creation with {value.member.name!r}")


def _new_requests(subject: Subject, value: _UniqueValue) -> tuple[Request, Request]:
    """Return two creations whose unique members have values that nothing has. Raises Unsendable if the contract
    restricts them too much.
    """
    first, second = (_new_request(subject, value) for _ in range(2))
    if _values(subject, value, first) & _values(subject, value, second):
        second = _with_random_values(subject, value, second)
    if _values(subject, value, first) & _values(subject, value, second):
        raise Unsendable(NEW_VALUE)
    return first, second


def _with_random_values(subject: Subject, value: _UniqueValue, request: Request) -> Request:
    """Return a creation whose unique texts have other characters of the same kinds, as a telephone number has digits;
    those that the contract does not allow stay as they are.
    """
    body = object_body(subject, value.create, request)
    if body is None:
        return request
    members = dict(body.members)
    for name in value.names:
        text = members.get(name)
        if isinstance(text, str):
            others = (_random_text(text, number) for number in range(MOST_RANDOM_VALUES))
            allowed = (other for other in others if body.is_valid(subject, {**members, name: other}))
            members[name] = next((other for other in allowed if other != text), text)
    return body.request(members)


def _random_text(text: str, number: int) -> str:
    """Return a text with other characters of the same kinds; every second one has other digits alone, since letters may
    be fixed, as in `P123456`.
    """
    return "".join(
        random_character_like(character) if character.isdigit() or number % 2 == 0 else character
        for character in text
    )


def _new_request(subject: Subject, value: _UniqueValue) -> Request:
    """Return a creation with another value of each unique member that it sends."""
    request = _plain_request(subject, value)
    body = object_body(subject, value.create, request)
    for name in value.names:
        for variant in request_variants(subject, value.create, request) if body is not None else ():
            changed = object_body(subject, value.create, variant)
            if (
                changed is not None
                and body is not None
                and changed.members.get(name) != body.members.get(name)
            ):
                request, body = variant, changed
                break
    return request


def _values(subject: Subject, value: _UniqueValue, request: Request) -> set[str]:
    body = object_body(subject, value.create, request)
    return {
        f"{name} {body.members[name]}" for name in value.names if body is not None and name in body.members
    }


def _value_read(value: _UniqueValue, exchange: Exchange) -> Any:
    """Return the unique member in a representation, None if there is none."""
    return member_at(resource_json(value.resource, exchange), (value.member.name,))


def _is_shared(value: _UniqueValue, first: Exchange, second: Exchange) -> bool:
    """Return whether two resources are read with one value."""
    is_read = is_success(first) and is_success(second)
    return (
        is_read
        and _value_read(value, first) is not None
        and _value_read(value, first) == _value_read(value, second)
    )


def _check_creation(subject: Subject, value: _UniqueValue, send: Send) -> Iterator[CheckFailure]:
    """Create a resource, then another one with its value: with another member that differs, then without."""
    first = create_resource(subject, value.resource, send, request=_new_request(subject, value))
    before = read_created(subject, first, send)
    if not is_success(before) or first.exchange.status == ACCEPTED:
        raise Unsendable("a resource that is created at once, and can be read")
    attempt = send(value.create, _repeat_request(subject, value, first, is_same=False))
    if attempt.status == CONFLICT:
        after = read_resource(subject, value.resource, first.id, send)
        if differing := changed_after_rejection(subject, first, before, after, send):
            message = (
                f"a second resource with its {value.member.name!r} is refused, and {first.id!r} is read with other "
                f"values in: {', '.join(differing)}"
            )
            title = "a rejected creation changes the resource that has its value"
            yield _failure(value.create, title, message, first.exchange, before, attempt, after)
    if not is_success(attempt):
        if attempt.status not in REFUSED_STATUSES:
            raise Unsendable("a second creation that the deployment judges")
        return
    # Two members may be unique together: a resource that is the same in all members has their values as well.
    repeated = send(value.create, _repeat_request(subject, value, first, is_same=True))
    if not is_success(repeated) or repeated.status == ACCEPTED:
        return
    second = identify_created(subject, value.resource, repeated.request, repeated)
    readings = [
        read_resource(subject, value.resource, created_resource.id, send)
        for created_resource in (first, second)
    ]
    if second.id == first.id and attempt.status == repeated.status == CREATED:
        message = f"{attempt.status} for {value.member.name!r} {first.id!r}, which the resource before has"
        title = f"a creation takes the {value.member.name!r} of another resource"
        yield _failure(value.create, title, message, first.exchange, before, attempt, readings[0])
    elif second.id != first.id and _is_shared(value, readings[0], readings[1]):
        shown = _value_read(value, readings[0])
        message = f"{first.id!r} and {second.id!r} both have the {value.member.name!r} {quote_value(shown)}"
        yield _failure(
            value.create,
            f"two resources have one {value.member.name!r}",
            message,
            first.exchange,
            repeated,
            *readings,
        )


def _repeat_request(
    subject: Subject, value: _UniqueValue, first: CreatedResource, *, is_same: bool
) -> Request:
    """Return the creation of a resource again, with another value of a member that is not unique unless
    `is_same`.
    """
    body = object_body(subject, value.create, _plain_request(subject, value))
    if body is None:
        raise Unsendable(NO_VALID_REQUEST)
    plain = body.request(first.sent_members)  # the one in the exchange has a masked credential
    for variant in request_variants(subject, value.create, plain) if not is_same else ():
        changed = object_body(subject, value.create, variant)
        members = changed.members if changed is not None else {}
        moved = {name for name, member in members.items() if member != first.sent_members.get(name)}
        if changed is not None and not moved & set(value.names):
            return with_new_idempotency_key(subject, value.create, variant)
    return with_new_idempotency_key(subject, value.create, plain)


def _check_other_case(subject: Subject, value: _UniqueValue, send: Send) -> Iterator[CheckFailure]:
    """Create a resource, then one with its value in another case, and other values of other unique members."""
    title = f"two resources have one {value.member.name!r} in another case"
    yield from _check_beside_others(subject, value, title, str.swapcase, send)


def _check_alone(subject: Subject, value: _UniqueValue, send: Send) -> Iterator[CheckFailure]:
    """Create a resource, then one with its value and other values of other unique members: these could be the reason
    why one that is the same in all of them is rejected.
    """
    title = f"two resources have one {value.member.name!r}"
    yield from _check_beside_others(subject, value, title, str, send)


def _check_beside_others(
    subject: Subject, value: _UniqueValue, title: str, spell: Callable[[str], str], send: Send
) -> Iterator[CheckFailure]:
    """Create a resource, then one with its value as it is spelled, and other values of other unique members."""
    request, other_request = _new_requests(subject, value)
    first = create_resource(subject, value.resource, send, request=request)
    text, body = first.sent_members.get(value.member.name), object_body(subject, value.create, other_request)
    if body is None or not isinstance(text, str) or (spell is str.swapcase and text.swapcase() == text):
        raise Unsendable(f"a text in {value.member.name!r} that can be sent again")
    others = {name: body.members[name] for name in value.names if name in body.members}
    members = {**first.sent_members, **others, value.member.name: spell(text)}
    if not body.is_valid(subject, members):
        raise Unsendable(f"a schema that allows {value.member.name!r} beside other unique values")
    attempt = send(value.create, with_new_idempotency_key(subject, value.create, body.request(members)))
    if not is_success(attempt) or attempt.status == ACCEPTED or first.exchange.status == ACCEPTED:
        return
    second = identify_created(subject, value.resource, attempt.request, attempt)
    readings = [read_resource(subject, value.resource, each.id, send) for each in (first, second)]
    shown = [_value_read(value, reading) for reading in readings if is_success(reading)]
    spellings = {str(each).casefold() if spell is str.swapcase else str(each) for each in shown}
    if second.id != first.id and len(shown) == 2 and len(spellings) == 1 and None not in shown:
        message = f"{first.id!r} has {quote_value(shown[0])}, and {second.id!r} has {quote_value(shown[1])}"
        yield _failure(value.create, title, message, first.exchange, attempt, *readings)


_WITHOUT_EFFECT = re.compile(
    r"\bunchanged\b|\bno changes?\b|\bnothing\s+(?:would\s+|to\s+)?changes?\b|\b(?:has|have)\s+no\s+effect\b",
    re.IGNORECASE,
)


def _refuses_same_value(change: Operation) -> bool:
    """Return whether a change that changes nothing is refused too, by the description of its 409."""
    response = documented_response(change, CONFLICT)
    return response is not None and _WITHOUT_EFFECT.search(response.description) is not None


def _check_own_value(
    subject: Subject, value: _UniqueValue, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Change a resource to a new value, and then to the same one, which only the resource itself has."""
    first, other = _new_requests(subject, value)
    created = create_resource(subject, value.resource, send, request=first)
    body = object_body(subject, value.create, other)
    new_value = body.members.get(value.member.name) if body is not None else None
    updates = [_send_value(subject, value, change, created, new_value, send) for _ in range(2)]
    if not is_success(updates[0]) or updates[0].status == ACCEPTED:
        raise Unsendable("a change of a unique member that the deployment accepts")
    if updates[1].status == CONFLICT:
        title = f"a resource cannot keep its {value.member.name!r}"
        message = (
            f"{created.id!r} was changed to {quote_value(new_value)}; the same change again gets {CONFLICT}"
        )
        yield _failure(change, title, message, created.exchange, *updates)


def _check_change(
    subject: Subject, value: _UniqueValue, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Change one of two resources to the value of the other."""
    first, second = (
        create_resource(subject, value.resource, send, request=request)
        for request in _new_requests(subject, value)
    )
    taken = first.sent_members.get(value.member.name)
    update = _send_value(subject, value, change, second, taken, send)
    if not is_success(update) or update.status == ACCEPTED:
        if update.status not in REFUSED_STATUSES:
            raise Unsendable("a change that the deployment judges")
        return
    readings = [
        read_resource(subject, value.resource, created_resource.id, send)
        for created_resource in (first, second)
    ]
    if first.id != second.id and _is_shared(value, readings[0], readings[1]):
        message = f"{second.id!r} was changed, and {first.id!r} has its {value.member.name!r} as well"
        title = f"a change takes the {value.member.name!r} of another resource"
        yield _failure(change, title, message, first.exchange, second.exchange, update, *readings)


def _send_value(
    subject: Subject, value: _UniqueValue, change: Operation, created: CreatedResource, taken: Any, send: Send
) -> Exchange:
    """Change the unique member of a resource to a value, and return the exchange. Raises Unsendable if the contract
    does not allow it.
    """
    request = change_request(subject, created, change)
    body = object_body(subject, change, request) if request is not None else None
    names = (
        [property_.name for property_ in object_properties(subject.api, body.schema)]
        if body is not None
        else []
    )
    if body is None or value.member.name not in names:
        raise Unsendable(f"a change of {value.member.name!r}")
    members = {**(body.members if change.method == "PUT" else {}), value.member.name: taken}
    if not body.is_valid(subject, members):
        raise Unsendable(f"a valid change of {value.member.name!r}")
    before = read_created(subject, created, send)
    request = with_if_match(change, body.request(members), before)
    return send(change, with_new_idempotency_key(subject, change, request))


def _check_other_account(subject: Subject, value: _UniqueValue, send: Send) -> Iterator[CheckFailure]:
    """Let another account create a resource with the value of this one, and one with a new value."""
    other_subject = as_other_account(subject)
    request, other_request = _new_requests(subject, value)
    created = create_resource(subject, value.resource, send, request=request)
    foreign = read_resource(other_subject, value.resource, created.id, send)
    if foreign.status not in GONE_STATUSES:
        raise Unsendable("a resource that another account does not see")
    plain = _plain_request(other_subject, value)
    bodies = [object_body(subject, value.create, sent) for sent in (plain, request, other_request)]
    own, taken, free = (dict(body.members) if body is not None else {} for body in bodies)
    taken |= created.sent_members
    body = bodies[0]
    if body is None or not all(name in taken for name in value.names if name in own):
        raise Unsendable(NEW_VALUE)
    attempts = []
    for members in (taken, free):
        mine = {**own, **{name: members[name] for name in value.names if name in members}}
        attempt = with_new_idempotency_key(other_subject, value.create, body.request(mine))
        attempts.append(send(value.create, attempt))
        if attempts[0].status != CONFLICT:
            break
    if attempts[0].status == CONFLICT and is_success(attempts[-1]):
        message = (
            f"the first account made {created.id!r}; another account gets {CONFLICT} for its "
            f"{value.member.name!r}, and {attempts[-1].status} for another value"
        )
        title = f"{value.member.name!r} is unique across accounts"
        yield _failure(value.create, title, message, created.exchange, *attempts)
    elif not is_success(attempts[0]):
        raise Unsendable("a creation by another account that the deployment accepts")


def _check_bulk(
    subject: Subject, value: _UniqueValue, bulk: BulkOperation, send: Send
) -> Iterator[CheckFailure]:
    """Create several resources with one request, the second with the value of the first."""
    first, *others = islice(different_items(subject, bulk), 2)
    name = value.member.name
    if not others or first.get(name) is None or first[name] == others[0].get(name):
        raise Unsendable(f"two items with another {name!r} each")
    exchange = send_items(subject, bulk, ({**first}, {**others[0], name: first[name]}), send)
    shown = shown_items(bulk, exchange)
    if not is_success(exchange) or exchange.status == ACCEPTED:
        if exchange.status not in REFUSED_STATUSES:
            raise Unsendable("a bulk creation that the deployment judges")
        return
    ids = {str(member_at(item, bulk.resource.key)) for item in shown if isinstance(item, dict)}
    readings = [read_resource(subject, value.resource, id_, send) for id_ in sorted(ids)]
    if len(readings) == 2 and _is_shared(value, readings[0], readings[1]):
        message = (
            f"two items of the request have the {name!r} {quote_value(first[name])}, and both are created"
        )
        title = f"two items of a bulk creation have one {name!r}"
        yield _failure(bulk.operation, title, message, exchange, *readings)


def _failure(operation: Operation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    attempt = next(
        exchange for exchange in reversed(evidence) if exchange.operation == operation_label(operation)
    )
    refusal = next((response for response in operation.responses if response.status == str(CONFLICT)), None)
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=refusal.location if refusal is not None else response_location(operation, attempt),
        evidence=evidence,
    )


FAMILY = Family(
    name="unique-values",
    summary="unique values belong to one resource",
    words=CheckDescription(
        promise="If the contract says that a member is unique, two resources cannot have one value: a creation, a "
        "bulk creation and a change that would are rejected, and change nothing. What is unique within an account "
        "is free in others. If it says that overlapping periods of one thing, or a second one, are rejected, they are.",
        test="A resource is created, and a second one with its value. Of two resources, one is changed to the value "
        "of the other, and twice to a new one, which it may keep; two items of a bulk creation have one value; another "
        "account sends the value of the first; a value that is unique whatever its case is sent in another case. "
        "Words of the contract count, of operations that document 409: “unique” in the description of a member, "
        "“`email` is unique” in that of the creation, “the same `email`” or “already exists” where 409 is "
        "described, and `x-unique`. Sentences with an exception or a state, such as “unique among active users”, "
        "do not. A creation that rejects overlapping periods by its description, such as bookings of a room, is sent "
        "again for the same period, for one that begins in it, and for one around it. If one that is “not "
        "`cancelled`” is meant, the period of a cancelled one must be free.",
        remedy="Add a unique constraint to the database, over the account and the member, and return 409 if it is "
        "violated.",
        sources=("RFC 9110 §15.5.10",),
    ),
    needs="a member that is unique, or periods that must not overlap, by the words of its description or of a creation "
    "that documents 409",
    probes=probes,
    about_state=True,
)
