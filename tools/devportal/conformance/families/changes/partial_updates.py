"""Changes of one member at a time: the member changes, the response shows it, and the rest stays."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.changes.ignored_updates import may_stay
from devportal.conformance.families.creations.lost_members import create_whole
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.json_api import has_attributes, members_schema, replace_attributes
from devportal.conformance.knowledge.requests.request_variants import (
    request_json,
    request_variants,
    varied_texts_request,
    with_json,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CreatedResource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    resource_json,
    sent_representation,
    with_if_match,
)
from devportal.conformance.knowledge.resources.neighbours import copied_member_failures, create_neighbour
from devportal.conformance.knowledge.resources.operation_resources import checkable_changes
from devportal.conformance.knowledge.resources.representation_match import (
    echoed_members,
    is_certainly_different,
    is_equivalent,
    leaf_members,
    resource_schema,
)
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation, Property
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource, object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.instants import parse_instant
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.wording import quote_value

TICK_S = 1.1
"""A time in whole seconds is another one after this pause."""
MOST_MEMBERS = 6
"""How many members are changed one after another, beside those of another kind."""
RESET_VALUES: tuple[Any, ...] = (*EMPTY_VALUES, False, 0)
"""The values of a member that nobody has set; those of the contract's `default` come in addition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _MemberChange:
    """An accepted change of the member `name` to `value`: the read before it, its exchange, the read after.
    `earlier` has the members that were changed before, with the values that were sent: they may show that only now.
    """

    name: str
    value: Any
    earlier: Mapping[str, Any] = field(default_factory=dict)
    before: Exchange
    update: Exchange
    after: Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChangedResource:
    """A new resource, the operation that changes it, and the members that only the client sets."""

    subject: Subject
    created: CreatedResource
    change: Operation
    client_members: Mapping[str, Any]

    def representation(self, exchange: Exchange) -> Mapping[str, Any]:
        """Return the representation in a response, empty if there is none."""
        shown = resource_json(self.created.resource, exchange)
        return shown if isinstance(shown, dict) else {}

    def sent_members(self, request: Request) -> Any:
        """Return the members that a request sends, without their envelope."""
        return sent_representation(self.created.resource, request)

    def with_members(self, request: Request, members: Mapping[str, Any]) -> Request:
        """Return the request with these members, in the envelope that the request has."""
        envelope, body = self.created.resource.envelope, request_json(request)
        has_envelope = bool(envelope) and isinstance(body, dict) and envelope in body
        inner = body[envelope] if has_envelope else body
        if has_attributes(inner):
            members = replace_attributes(inner, members)
        return with_json(request, {**body, envelope: members} if has_envelope else members)

    def body_members(self) -> tuple[Property, ...]:
        """Return the members that the contract describes in the body of a change, without the envelope."""
        schema, api = body_schema(self.change), self.subject.api
        if schema is None:
            return ()
        return tuple(object_properties(api, members_schema(api, schema, self.created.resource.envelope)))

    def enumerated_members(self) -> set[str]:
        """Return the names of the members of the body that have a fixed set of values."""
        return {
            body_member.name
            for body_member in self.body_members()
            if self.subject.api.resolve(body_member.schema).enum
        }

    def read(self, send: Send) -> Exchange:
        """Read the resource."""
        return read_resource(self.subject, self.created.resource, self.created.id, send)

    def failure(self, title: str, message: str, member_change: _MemberChange) -> CheckFailure:
        """Return a failure of the change of a member."""
        return CheckFailure(
            title=title,
            message=message,
            operation=operation_label(self.change),
            promise=response_location(self.change, member_change.update),
            evidence=(self.created.exchange, member_change.before, member_change.update, member_change.after),
        )


def partial_update_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that changes a resource that can be created and read."""
    for resource, change in checkable_changes(subject):
        run = partial(_check_member_changes, subject, resource, change)
        yield Probe(operation=operation_label(change), run=run)


def _check_member_changes(
    subject: Subject, resource: Resource, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    created = create_whole(subject, resource, send)
    neighbour = create_neighbour(subject, created, send)
    before = read_created(subject, created, send)
    changed = _ChangedResource(
        subject=subject,
        created=created,
        change=change,
        client_members=_client_members(subject, created, before),
    )
    changes = tuple(_change_members(changed, before, send))
    if not changes:
        raise Unsendable("a change of one member that the deployment accepts")
    # What an object holds may be rewritten: its change shows only what happens to the other members.
    scalars = tuple(each for each in changes if not isinstance(each.value, dict))
    for check in (_lost_members, _moved_members):
        yield from _first(failure for each in changes for failure in check(changed, each))
    for check in (_other_values_in_response, _replaced_values):
        yield from _first(failure for each in scalars for failure in check(changed, each))
    updates = {each.name: (each.value, each.update) for each in scalars}
    yield from copied_member_failures(subject, neighbour, change, updates, send)
    yield from _first(_ignored_members(changed, scalars, send))
    yield from _first(_unmoved_times(changed, changes[-1], send))


def _first(failures: Iterator[CheckFailure]) -> Iterator[CheckFailure]:
    """Yield the first of several failures that have one cause."""
    failure = next(failures, None)
    if failure is not None:
        yield failure


def _client_members(subject: Subject, created: CreatedResource, before: Exchange) -> dict[str, Any]:
    """Return the members that the client set at creation, with their values when read."""
    shown = resource_json(created.resource, before)
    if not isinstance(shown, dict) or not isinstance(created.sent_json, dict):
        return {}
    schema = resource_schema(subject, created.resource, created.resource.read, before.status)
    paths = echoed_members(subject, created.sent_json, shown, schema)
    return {path[0]: shown[path[0]] for path in paths}


def _change_members(changed: _ChangedResource, before: Exchange, send: Send) -> Iterator[_MemberChange]:
    """Change one member of each kind, one after another; yield the accepted changes."""
    earlier: dict[str, Any] = {}
    for name, request in _member_requests(changed):
        with suppress(Unsendable):
            update = send(changed.change, with_if_match(changed.change, request, before))
            if not is_success(update) or update.status == ACCEPTED:
                continue
            after = changed.read(send)
            if not is_success(after) or is_from_cache(after):
                return
            value = changed.sent_members(update.request)[name]
            yield _MemberChange(
                name=name, value=value, earlier=earlier, before=before, update=update, after=after
            )
            before, earlier = after, {**earlier, name: value}


def _member_requests(changed: _ChangedResource) -> Iterator[tuple[str, Request]]:
    """Yield a request for one member of each kind: a boolean, a number, a text of an enumeration or of a format,
    another text, an object; and for some more of them.

    PATCH names this member and what is required; PUT sends all that the client knows.
    """
    whole_schema, valid = body_schema(changed.change), _valid_request(changed)
    if whole_schema is None or not isinstance(changed.sent_members(valid), dict):
        return
    members = {body_member.name: body_member for body_member in changed.body_members()}
    known = {name: value for name, value in changed.client_members.items() if name in members}
    kinds, names = set[object](), set[str]()
    whole = changed.with_members(valid, {**_required_members(changed, valid), **known})
    # Members of objects are varied only if no other one is.
    all_varied = varied_texts_request(changed.subject, changed.change, whole)
    for variant in chain(request_variants(changed.subject, changed.change, whole), (all_varied,)):
        body = changed.sent_members(variant)
        differing = [text for text in known if body[text] != known[text]]
        objects = [text for text in differing if isinstance(body[text], dict)]
        name = next(iter(objects if variant is all_varied else differing), None)
        if name is None:
            continue  # another version, say, which a client does not set
        request = _request_with(changed, valid, name, body)
        meaning = changed.subject.api.resolve(members[name].schema)
        kind = (type(body[name]), bool(meaning.enum), meaning.format)
        is_wanted = kind not in kinds or (name not in names and len(names) < MOST_MEMBERS)
        if is_wanted and changed.subject.validator.is_valid(
            whole_schema, request_json(request), Direction.REQUEST
        ):
            kinds.add(kind)
            names.add(name)
            yield name, request


def _required_members(changed: _ChangedResource, valid: Request) -> dict[str, Any]:
    """Return the members that each change has to have, from a valid one: such as the version that it changes."""
    sent = changed.sent_members(valid)
    required = {member.name for member in changed.body_members() if member.required}
    return {name: value for name, value in sent.items() if name in required}


def _valid_request(changed: _ChangedResource) -> Request:
    """Return the default request. Raises Unsendable if there is none."""
    subject = with_resource_id(changed.subject, changed.created.resource, changed.created.id)
    valid = subject.valid(changed.change)
    if valid is None:
        raise Unsendable(NO_VALID_REQUEST)
    return valid


def _request_with(changed: _ChangedResource, valid: Request, name: str, values: Mapping[str, Any]) -> Request:
    """Return the valid request with a member of `values`, and with those that must be sent, as its body."""
    members = changed.body_members()
    needed = {name} | {member.name for member in members if member.required or changed.change.method == "PUT"}
    request = changed.with_members(valid, {value: values[value] for value in values if value in needed})
    return with_new_idempotency_key(changed.subject, changed.change, request)


def _lost_members(changed: _ChangedResource, member_change: _MemberChange) -> Iterator[CheckFailure]:
    """Yield a failure for members that a PATCH does not name and takes away or resets (RFC 5789 §2)."""
    before, after = changed.representation(member_change.before), changed.representation(member_change.after)
    sent, earlier = changed.sent_members(member_change.update.request), member_change.earlier
    lost = [
        name
        for name in changed.client_members
        if name not in sent
        and not (name in earlier and is_equivalent(after.get(name), earlier[name]))
        and before.get(name) not in EMPTY_VALUES
        and _is_reset(changed, name, before.get(name), after.get(name))
    ]
    if lost and changed.change.method == "PATCH":
        message = f"the change names {member_change.name!r} only and takes away: {', '.join(lost)}"
        yield changed.failure("a change loses what it does not name", message, member_change)


def _is_reset(changed: _ChangedResource, name: str, before: Any, after: Any) -> bool:
    schema = resource_schema(
        changed.subject,
        changed.created.resource,
        changed.created.resource.create,
        changed.created.exchange.status,
    )
    request_schema = body_schema(changed.created.resource.create) if changed.created.resource.create else None
    if request_schema is not None:
        request_schema = members_schema(
            changed.subject.api, request_schema, changed.created.resource.envelope
        )
    defaults = [
        changed.subject.api.resolve(member.schema).default
        for subschema in (schema, request_schema)
        if subschema is not None
        for member in object_properties(changed.subject.api, subschema)
        if member.name == name
    ]
    return is_certainly_different(before, after) and any(
        type(after) is type(value) and after == value for value in (*RESET_VALUES, *defaults)
    )


def _moved_members(changed: _ChangedResource, member_change: _MemberChange) -> Iterator[CheckFailure]:
    """Yield a failure if a change gives a resource another identifier or creation time, or an earlier time of
    its last change.
    """
    before, after = changed.representation(member_change.before), changed.representation(member_change.after)
    key, conventions = changed.created.resource.key, changed.subject.conventions
    sent = changed.sent_members(member_change.update.request)
    for name in before.keys() & after.keys() - sent.keys():
        first, second = before[name], after[name]
        if key == (name,) and first != second:
            message = f"{name!r} was {quote_value(first)}, and is {quote_value(second)} after the change"
            yield changed.failure("a change gives another identifier", message, member_change)
        if matches_any_name(name, conventions.created) and _is_other_time(first, second):
            message = f"{name!r} was {quote_value(first)}, and is {quote_value(second)} after the change"
            yield changed.failure("a change moves the creation time", message, member_change)
        if matches_any_name(name, conventions.updated) and _is_before(second, first):
            message = f"{name!r} was {quote_value(first)}, and is {quote_value(second)} after the change"
            yield changed.failure(f"a change turns {name!r} back", message, member_change)


def _is_other_instant(first: Any, second: Any) -> bool:
    is_time = parse_instant(first) is not None and parse_instant(second) is not None
    return is_time and not is_equivalent(first, second)


def _is_other_time(first: Any, second: Any) -> bool:
    """Return whether a stored time is another one. Texts of one length have the same precision: any difference
    counts. Else one may be rounded.
    """
    instants = (parse_instant(first), parse_instant(second))
    has_same_precision = isinstance(first, str) and isinstance(second, str) and len(first) == len(second)
    if has_same_precision and None not in instants:
        return instants[0] != instants[1]
    return _is_other_instant(first, second)


def _is_before(first: Any, second: Any) -> bool:
    return _is_other_instant(first, second) and parse_instant(first) < parse_instant(second)  # type: ignore[operator]


def _other_values_in_response(
    changed: _ChangedResource, member_change: _MemberChange
) -> Iterator[CheckFailure]:
    """Yield a failure if a response shows another value than the one that was sent and is read at once."""
    shown, after = changed.representation(member_change.update), changed.representation(member_change.after)
    if (
        member_change.name in shown
        and is_certainly_different(shown[member_change.name], member_change.value)
        and is_equivalent(after.get(member_change.name), member_change.value)
    ):
        message = (
            f"it shows {quote_value(shown[member_change.name])} in {member_change.name!r}; "
            f"{quote_value(member_change.value)} was sent, and is read"
        )
        yield changed.failure("the response to a change shows another value", message, member_change)


def _replaced_values(changed: _ChangedResource, member_change: _MemberChange) -> Iterator[CheckFailure]:
    """Yield a failure if a member is read with neither its earlier value nor the one that was sent. A server
    may have its own form of a text.
    """
    earlier, read = (
        changed.representation(each).get(member_change.name)
        for each in (member_change.before, member_change.after)
    )
    is_plain = (
        isinstance(member_change.value, bool | int | float)
        or member_change.name in changed.enumerated_members()
    )
    if (
        is_plain
        and type(read) is type(member_change.value)
        and not is_equivalent(read, earlier)
        and not is_equivalent(read, member_change.value)
    ):
        message = (
            f"{member_change.name!r} was sent as {quote_value(member_change.value)} and is read as "
            f"{quote_value(read)}"
        )
        yield changed.failure("a change stores another value", message, member_change)


def _ignored_members(
    changed: _ChangedResource, changes: tuple[_MemberChange, ...], send: Send
) -> Iterator[CheckFailure]:
    """Yield a failure for a member that the client set at creation and that an accepted change of it leaves
    as it was, while another can be changed. Texts that somebody may confirm first, such as addresses, are excluded.
    """
    if not any(_has_changed(changed, change) for change in changes):
        return  # the whole operation has no effect, which is reported as such
    # The first text has a separate check.
    first_text = next((each for each in changes if isinstance(each.value, str)), None)
    others = (each for each in changes if each is not first_text or each.name in changed.enumerated_members())
    for member_change in (each for each in others if _is_ignored(changed, each, each.after)):
        after = _settled_read(changed, member_change, send)
        if is_success(after) and _is_ignored(changed, member_change, after):
            message = (
                f"{member_change.name!r} was sent as {quote_value(member_change.value)} and is still read as "
                "before"
            )
            yield changed.failure("a change ignores a member", message, replace(member_change, after=after))


def _settled_read(changed: _ChangedResource, member_change: _MemberChange, send: Send) -> Exchange:
    """Read until a change shows, or for as long as a deployment may take."""
    return poll_until(
        partial(changed.read, send), send, lambda read: not _is_ignored(changed, member_change, read)
    )


def _has_changed(changed: _ChangedResource, member_change: _MemberChange) -> bool:
    before, after = (
        changed.representation(each).get(member_change.name)
        for each in (member_change.before, member_change.after)
    )
    return is_certainly_different(before, after)


def _is_ignored(changed: _ChangedResource, member_change: _MemberChange, after: Exchange) -> bool:
    is_plain = (
        isinstance(member_change.value, bool | int | float)
        or member_change.name in changed.enumerated_members()
        or _is_lost_text(changed, member_change, after)
    )
    before_value = changed.representation(member_change.before).get(member_change.name)
    shown = changed.representation(member_change.update).get(member_change.name, before_value)
    values = (shown, changed.representation(after).get(member_change.name))
    return (
        is_plain
        and is_certainly_different(before_value, member_change.value)
        and all(is_equivalent(before_value, value) for value in values)
    )


def _is_lost_text(changed: _ChangedResource, member_change: _MemberChange, after: Exchange) -> bool:
    """Return whether the text of a change is nowhere in its response and in what is read."""
    described = next((each for each in changed.body_members() if each.name == member_change.name), None)
    shown = (changed.representation(each) for each in (member_change.update, after))
    return (
        described is not None
        and isinstance(member_change.value, str)
        and not may_stay(changed.subject, changed.change, described)
        and not any(member_change.value.strip() in leaf_members(each).values() for each in shown)
    )


def _unmoved_times(
    changed: _ChangedResource, member_change: _MemberChange, send: Send
) -> Iterator[CheckFailure]:
    """Yield a failure if a change leaves the time of the last change as it was, though it was made later."""
    before, after = changed.representation(member_change.before), changed.representation(member_change.after)
    names = [
        name
        for name in before
        if matches_any_name(name, changed.subject.conventions.updated)
        and parse_instant(before[name]) is not None
        and before[name] == after.get(name)
        and name not in changed.sent_members(member_change.update.request)
    ]
    if not names or is_equivalent(before.get(member_change.name), after.get(member_change.name)):
        return
    send.wait(TICK_S)
    again = _change_back(changed, member_change, send)
    if again is not None and changed.representation(again.after).get(names[0]) == before[names[0]]:
        message = f"{names[0]!r} is {quote_value(before[names[0]])} before and after {member_change.name!r} has changed"
        yield changed.failure(f"a change does not move {names[0]!r}", message, again)


def _change_back(changed: _ChangedResource, member_change: _MemberChange, send: Send) -> _MemberChange | None:
    """Change a member back to its earlier value; return the change, None if it has no effect."""
    earlier = changed.representation(member_change.before)[member_change.name]
    valid = _valid_request(changed)
    values = {**_required_members(changed, valid), **changed.client_members, member_change.name: earlier}
    request = _request_with(changed, valid, member_change.name, values)
    update = send(changed.change, with_if_match(changed.change, request, member_change.after))
    after = changed.read(send)
    if not is_success(update) or not is_equivalent(
        changed.representation(after).get(member_change.name), earlier
    ):
        return None
    return _MemberChange(
        name=member_change.name, value=earlier, before=member_change.after, update=update, after=after
    )
