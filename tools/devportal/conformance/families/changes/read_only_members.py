"""What the contract calls `readOnly` is chosen by the server: a value that a client sends is not stored."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    object_body,
    request_json,
    valid_body,
    varied_texts_request,
    with_json,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    REFUSED_STATUSES,
    CreatedResource,
    at_new_address,
    create_resource,
    identify_created,
    is_success,
    read_created,
    read_resource,
    resource_json,
    with_if_match,
)
from devportal.conformance.knowledge.resources.foreign_values import foreign_value
from devportal.conformance.knowledge.resources.operation_resources import change_request
from devportal.conformance.knowledge.resources.representation_match import is_equivalent, resource_schema
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import ABSENT, Operation, Property, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource, object_properties
from devportal.contract.wording import quote_value
from devportal.documents import member_at, with_member_at

MOST_SINGLE = 6
"""How many members are sent one by one if a deployment rejects all of them at once."""
DEEPEST = 3
"""The maximum depth of a member."""
SETS_FORBIDDEN = "a client sets members that a request cannot have"
UNKNOWN_MEMBER = "x-no-member-of-this-contract"
NOTHING_TO_SEND = "a valid value of a `readOnly` member that the deployment has not chosen itself"

MemberPath = tuple[str, ...]
Values = Mapping[MemberPath, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReadOnlyMember:
    """A member that only the server sets: its path in a representation, and its schema. Clients may not send one that
    is `forbidden`: it is not `readOnly`, and the closed schema of the request does not have it.
    """

    path: MemberPath
    schema: Schema
    is_forbidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    """Values of a client for members that only the server sets, and the exchanges of a request with them: its own,
    and the reading if it succeeds.
    """

    values: Values
    exchanges: tuple[Exchange, ...]

    def stored_values(self, resource: Resource) -> Values:
        """Return the values of the client that a representation shows."""
        representations = _representations(resource, self.exchanges)
        return {
            path: value
            for path, value in self.values.items()
            if any(_has_value(shown, path, value) for shown in representations)
        }


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each creation and each change of a resource that has members which only a server sets."""
    for resource in subject.resources:
        create = resource.create
        if create is None:
            continue
        if _body_members(subject, resource, create):
            yield Probe(operation=operation_label(create), run=partial(_check_creation, subject, resource))
        for change in resource.changes if resource.read is not None else ():
            if _body_members(subject, resource, change) and change is not create:
                run = partial(_check_change, subject, resource, change)
                yield Probe(operation=operation_label(change), run=run)


def _body_members(subject: Subject, resource: Resource, operation: Operation) -> tuple[_ReadOnlyMember, ...]:
    body = valid_body(subject, operation)
    return read_only_members(subject, resource, operation, body) if body is not None else ()


def read_only_members(
    subject: Subject, resource: Resource, operation: Operation, body: ObjectBody
) -> tuple[_ReadOnlyMember, ...]:
    """Return the members that only a server sets by the schema of a request, and those of the response that this schema
    does not name: the `readOnly` ones if it allows any member, and all if it allows no others.
    """
    described = tuple(object_properties(subject.api, body.schema))
    members = [*_read_only_leaves(subject, described, body.members, ())]
    names = {property_.name for property_ in described}
    shown = [
        property_
        for property_ in _response_members(subject, resource, operation)
        if property_.name not in names
    ]
    if body.is_valid(subject, {**body.members, UNKNOWN_MEMBER: "text"}):
        members += _read_only_leaves(subject, shown, {}, ())
    elif names and body.is_valid(subject, body.members):
        members += _forbidden_members(subject, resource, body, shown)
    return tuple(members)


def _forbidden_members(
    subject: Subject, resource: Resource, body: ObjectBody, shown: Iterable[Property]
) -> Iterator[_ReadOnlyMember]:
    """Yield the members of a response that a closed request cannot have, without those that hold others. Identifiers
    and times come last: hardly any server takes them over.
    """
    conventions = subject.conventions
    usual = (*resource.key[:1], *conventions.identifier, *conventions.created, *conventions.updated)
    for property_ in sorted(shown, key=lambda property_: matches_any_name(property_.name, usual)):
        schema = subject.api.resolve(property_.schema)
        value = foreign_value(subject, schema, [])
        is_allowed = value is ABSENT or body.is_valid(subject, {**body.members, property_.name: value})
        if not (is_allowed or schema.write_only or tuple(object_properties(subject.api, schema))):
            yield _ReadOnlyMember(path=(property_.name,), schema=schema, is_forbidden=True)


def _response_members(subject: Subject, resource: Resource, operation: Operation) -> tuple[Property, ...]:
    for each in (resource.read, operation):
        for success in each.successes if each is not None else ():
            status = int(success.status) if success.status.isdigit() else 200
            schema = resource_schema(subject, resource, each, status)
            if schema is not None:
                return tuple(object_properties(subject.api, schema))
    return ()


def _read_only_leaves(
    subject: Subject,
    members: Iterable[Property],
    sent: Mapping[str, Any],
    path: MemberPath,
    *,
    is_read_only: bool = False,
) -> Iterator[_ReadOnlyMember]:
    """Yield the members that are `readOnly`, or part of one that is, without those that the request has anyway."""
    for property_ in members if len(path) < DEEPEST else ():
        schema, inner_path = subject.api.resolve(property_.schema), (*path, property_.name)
        is_inner = is_read_only or property_.schema.read_only or schema.read_only
        inner = tuple(object_properties(subject.api, property_.schema))
        inner_sent = sent.get(property_.name)
        if inner and (is_inner or isinstance(inner_sent, dict)):
            values = inner_sent if isinstance(inner_sent, dict) else {}
            yield from _read_only_leaves(subject, inner, values, inner_path, is_read_only=is_inner)
        elif is_inner and not schema.write_only and property_.name not in sent:
            yield _ReadOnlyMember(path=inner_path, schema=schema)


def _check_creation(subject: Subject, resource: Resource, send: Send) -> Iterator[CheckFailure]:
    """Create a resource, and another with values for what only the server sets."""
    create = resource.create
    request = subject.valid(create) if create is not None else None
    if create is None or request is None:
        raise Unsendable(NO_VALID_REQUEST)
    plain = create_resource(subject, resource, send)
    # The exchange has no credential; its body was accepted.
    body = object_body(subject, create, with_json(request, request_json(plain.exchange.request)))
    if body is None:
        raise Unsendable(NO_VALID_REQUEST)
    known = _creation_exchanges(subject, resource, plain.exchange, send)
    members = read_only_members(subject, resource, create, body)
    attempts = _attempts(
        _foreign_values(subject, members, _representations(resource, known)),
        lambda values: _create_with(subject, resource, body, values, send),
    )
    for attempt in attempts:
        if attempt.exchanges[0].status >= 500:
            yield _server_error(create, members, attempt, plain.exchange)
            return
        if not (stored := attempt.stored_values(resource)):
            continue
        again = create_resource(subject, resource, send)
        control = _creation_exchanges(subject, resource, again.exchange, send)
        if stored := _without_chosen(stored, _representations(resource, control)):
            yield _failure(create, members, stored, plain.exchange, *attempt.exchanges)
            return


def _create_with(
    subject: Subject, resource: Resource, body: ObjectBody, values: Values, send: Send
) -> tuple[Exchange, ...]:
    """Create a resource with values; return the creation, and the reading if it succeeds. A rejected creation is
    tried once with other texts: some may be unique.
    """
    create = resource.create
    if create is None:
        raise Unsendable(NO_VALID_REQUEST)
    varied = object_body(subject, create, varied_texts_request(subject, create, body.request(body.members)))

    def create_from(members: Mapping[str, Any]) -> Exchange:
        request = at_new_address(subject, resource, body.request(_with_values(members, values)))
        return send(create, with_new_idempotency_key(subject, create, request))

    exchange = create_from(body.members)
    if exchange.status in REFUSED_STATUSES and varied is not None:
        exchange = create_from(varied.members)
    return _creation_exchanges(subject, resource, exchange, send) if is_success(exchange) else (exchange,)


def _creation_exchanges(
    subject: Subject, resource: Resource, creation: Exchange, send: Send
) -> tuple[Exchange, ...]:
    """Return a creation, and the reading of its resource if it can be read."""
    exchanges = [creation]
    with suppress(Unsendable):
        created = identify_created(subject, resource, creation.request, creation)
        exchanges.append(read_created(subject, created, send))
    return tuple(exchanges)


def _check_change(
    subject: Subject, resource: Resource, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Change a resource, and again with values for what only the server sets."""
    created = create_resource(subject, resource, send)
    before = read_created(subject, created, send)
    request = change_request(subject, created, change)
    body = object_body(subject, change, request) if request is not None else None
    if body is None or not is_success(before):
        raise Unsendable("a created resource that can be read, and a valid change of it")
    plain = _change_with(subject, created, change, body, {}, send)
    if not is_success(plain[0]):
        raise Unsendable("a change that the deployment accepts")
    members = read_only_members(subject, resource, change, body)
    known = (created.exchange, before, *plain)
    attempts = _attempts(
        _foreign_values(subject, members, _representations(resource, known)),
        lambda values: _change_with(subject, created, change, body, values, send),
    )
    for attempt in attempts:
        if attempt.exchanges[0].status >= 500:
            yield _server_error(change, members, attempt, created.exchange)
            return
        if not (stored := attempt.stored_values(resource)):
            continue
        control = _control_changes(subject, resource, change, send)
        if stored := _without_chosen(stored, _representations(resource, control)):
            yield _failure(change, members, stored, created.exchange, before, *attempt.exchanges)
            return


def _control_changes(
    subject: Subject, resource: Resource, change: Operation, send: Send
) -> tuple[Exchange, ...]:
    """Change another resource as often, without values for what only the server sets."""
    created = create_resource(subject, resource, send)
    exchanges = [created.exchange, read_created(subject, created, send)]
    request = change_request(subject, created, change)
    body = object_body(subject, change, request) if request is not None else None
    for _ in range(2) if body is not None else ():
        exchanges += _change_with(subject, created, change, body, {}, send) if body is not None else ()
    return tuple(exchanges)


def _change_with(
    subject: Subject,
    created: CreatedResource,
    change: Operation,
    body: ObjectBody,
    values: Values,
    send: Send,
) -> tuple[Exchange, ...]:
    """Change a resource with values; return the change, and the reading if it succeeds."""
    request = body.request(_with_values(body.members, values))
    request = with_new_idempotency_key(subject, change, request)
    last_read = read_resource(subject, created.resource, created.id, send)
    exchange = send(change, with_if_match(change, request, last_read))
    if not is_success(exchange):
        return (exchange,)
    return (exchange, read_resource(subject, created.resource, created.id, send))


def _attempts(values: Values, attempt: Callable[[Values], tuple[Exchange, ...]]) -> Iterator[_Attempt]:
    """Yield the attempt with all values at once, and if that is rejected, one for each of the first values.

    Raises Unsendable if there is no value.
    """
    if not values:
        raise Unsendable(NOTHING_TO_SEND)
    exchanges = attempt(values)
    yield _Attempt(values=values, exchanges=exchanges)
    if exchanges[0].status in REFUSED_STATUSES and len(values) > 1:
        for path, value in islice(values.items(), MOST_SINGLE):
            single = {path: value}
            yield _Attempt(values=single, exchanges=attempt(single))
    elif not is_success(exchanges[0]) and exchanges[0].status not in REFUSED_STATUSES:
        raise Unsendable(
            "a request with `readOnly` members that the deployment accepts, or rejects for its data"
        )


def _foreign_values(subject: Subject, members: tuple[_ReadOnlyMember, ...], shown: list[Any]) -> Values:
    """Return a valid value of each member that no representation shows, if there is one."""
    values: dict[MemberPath, Any] = {}
    for member in members:
        known = [item for item in (member_at(each, member.path) for each in shown) if item is not None]
        value = foreign_value(subject, member.schema, known)
        if value is not ABSENT:
            values[member.path] = value
    return values


def _representations(resource: Resource, exchanges: tuple[Exchange, ...]) -> list[Any]:
    return [resource_json(resource, exchange) for exchange in exchanges if is_success(exchange)]


def _has_value(shown: Any, path: MemberPath, value: Any) -> bool:
    read = member_at(shown, path)
    return type(read) is type(value) and is_equivalent(read, value)


def _without_chosen(stored: Values, shown: list[Any]) -> Values:
    """Return the values that a deployment does not choose by itself for a resource like this."""
    return {
        path: value
        for path, value in stored.items()
        if not any(_has_value(each, path, value) for each in shown)
    }


def _with_values(members: Mapping[str, Any], values: Values) -> Mapping[str, Any]:
    """Return members with values at paths, in new objects where there are none."""
    for path, value in values.items():
        members = with_member_at(members, path, value)
    return members


def _failure(
    operation: Operation, members: tuple[_ReadOnlyMember, ...], stored: Values, *evidence: Exchange
) -> CheckFailure:
    listed = ", ".join(f"{'.'.join(path)!r} ({quote_value(value)})" for path, value in stored.items())
    is_forbidden = all(member.is_forbidden for member in members if member.path in stored)
    reason = "the schema of the request allows no such member" if is_forbidden else "only the server sets it"
    return CheckFailure(
        title=SETS_FORBIDDEN if is_forbidden else "a client sets members that are read-only",
        message=f"sent although {reason}, and shown afterwards: {listed}",
        operation=operation_label(operation),
        promise=next(member.schema.location for member in members if member.path in stored),
        evidence=evidence,
    )


def _server_error(
    operation: Operation, members: tuple[_ReadOnlyMember, ...], attempt: _Attempt, *evidence: Exchange
) -> CheckFailure:
    named = ", ".join(".".join(path) for path in attempt.values)
    return CheckFailure(
        title="members that are read-only cause a server error",
        message=f"a request with {named} gets {attempt.exchanges[0].outcome}; without, it is accepted",
        operation=operation_label(operation),
        promise=next(member.schema.location for member in members if member.path in attempt.values),
        evidence=(*evidence, attempt.exchanges[0]),
    )


FAMILY = Family(
    name="read-only-members",
    summary="a client cannot set what is read-only",
    words=CheckDescription(
        promise="The server alone chooses the value of a `readOnly` member. If a client sends one in a creation or a "
        "change, the request is rejected or the value is ignored. So is a member of the response that the closed "
        "schema of the request (`additionalProperties: false`) does not have.",
        test="A resource is created, and another with a valid value for each `readOnly` member that the first one "
        "does not have. No such value is shown, in the response or when it is read. A change is sent without and "
        "with such values. If all are rejected together, up to six are sent one by one. Members of responses are "
        "sent if the schema of the request allows members that it does not name. If it allows none, all members of "
        "the response that it does not name are sent. Before a failure is reported, the same is done without the "
        "values: what the server chooses by itself is not a failure.",
        remedy="Copy only the members that a client may set from a request, by a list of their names. Or remove "
        "`readOnly` if clients may set them.",
        sources=("OAS 3.0.3 §4.7.24.2", "JSON Schema 2020-12 Validation §9.4", "OWASP API3:2023"),
    ),
    needs="a member of a resource that can be created which is `readOnly`, or which the closed schema of the request "
    "does not have",
    probes=probes,
    about_state=True,
)
