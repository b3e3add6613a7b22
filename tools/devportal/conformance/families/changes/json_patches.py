"""Changes by JSON Patch (RFC 6902): each operation has its effect, a `test` that fails stops all of them, and a list
keeps the items beside an added one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.changes.masked_changes import other_value
from devportal.conformance.families.creations.lost_members import create_whole
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.requests.request_variants import with_json, with_new_idempotency_key
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CreatedResource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    shown_members,
    with_if_match,
)
from devportal.conformance.knowledge.resources.operation_resources import checkable_changes
from devportal.conformance.knowledge.resources.representation_match import (
    echoed_members,
    is_certainly_different,
    is_equivalent,
    schema_of_reading,
)
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation, Schema
from devportal.contract.media_types import JSON_PATCH
from devportal.contract.path_templates import names_resource
from devportal.contract.resources import Resource, object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.wording import quote_value

MOST_MEMBERS = 4
"""How many members are tried until a patch of one is accepted."""
Patch = Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Patched:
    """A new resource, the operation that patches it, and the schema of the patches that the contract allows."""

    subject: Subject
    created: CreatedResource
    change: Operation
    schema: Schema | None

    def patch(self, before: Exchange, patch: Patch, send: Send) -> Exchange:
        """Send a patch. Raises Unsendable if the contract does not allow it."""
        about = with_resource_id(self.subject, self.created.resource, self.created.id)
        request = about.valid(self.change)
        validator = self.subject.validator
        is_allowed = self.schema is None or validator.is_valid(self.schema, list(patch), Direction.REQUEST)
        if request is None or not is_allowed:
            raise Unsendable("a JSON Patch that the contract allows")
        changed: Request = with_if_match(self.change, with_json(request, list(patch)), before)
        return send(self.change, with_new_idempotency_key(about, self.change, changed))

    def read(self, send: Send) -> Exchange:
        """Read the resource. Raises Unsendable if that says nothing."""
        exchange = read_resource(self.subject, self.created.resource, self.created.id, send)
        if not is_success(exchange) or is_from_cache(exchange):
            raise Unsendable("a created resource that can be read")
        return exchange

    def read_until(self, send: Send, is_done: Callable[[Exchange], bool]) -> Exchange:
        """Read the resource until it is as wanted, or for as long as a deployment may take."""
        return poll_until(partial(self.read, send), send, is_done)

    def member(self, exchange: Exchange, name: str) -> Any:
        """Return the value of a member in a reading, None if it shows none."""
        return shown_members(self.created.resource, exchange).get(name)

    def meaning(self, name: str) -> Schema:
        """Return the resolved schema of a member."""
        schema = schema_of_reading(self.subject, self.created.resource)
        members = object_properties(self.subject.api, schema) if schema is not None else ()
        return next(self.subject.api.resolve(each.schema) for each in members if each.name == name)

    def failure(self, title: str, message: str, *evidence: Exchange) -> CheckFailure:
        """Return a failure of the patch, which is the one but last of the evidence."""
        return response_failure(self.change, evidence[-2], title, message, self.created.exchange, *evidence)


def json_patch_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each change that takes a JSON Patch first."""
    for resource, change in checkable_changes(subject):
        if change.request_content and change.request_content[0].name == JSON_PATCH:
            run = partial(_check_patches, subject, resource, change)
            yield Probe(operation=operation_label(change), run=run)


def _check_patches(
    subject: Subject, resource: Resource, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Patch a resource member by member, then a list, then with a `test` that fails and with a member removed."""
    created = create_whole(subject, resource, send)
    patched = _Patched(
        subject=subject, created=created, change=change, schema=change.request_content[0].schema
    )
    before = read_created(subject, created, send)
    members = dict(_client_members(patched, before))
    attempts = chain.from_iterable(
        _check_replacing(patched, name, value, send) for name, value in members.items()
    )
    accepted = tuple(islice(attempts, MOST_MEMBERS))
    if not accepted:
        raise Unsendable("a JSON Patch that the deployment accepts")
    is_any_made = any(failure is None for _, failure in accepted)
    for name, failure in accepted:
        if failure is not None and not (is_any_made and _may_need_approval(patched, name)):
            yield failure
            return
    made = next(name for name, failure in accepted if failure is None)
    yield from _check_failing_tests(patched, made, send)
    yield from (failure for name in members for failure in _lost_items(patched, name, send))
    yield from (failure for name in members for failure in _not_removed(patched, name, send))


def _may_need_approval(patched: _Patched, name: str) -> bool:
    """Return whether a member is a free text: somebody may have to approve another one first."""
    meaning = patched.meaning(name)
    return "string" in meaning.types and not meaning.enum


def _client_members(patched: _Patched, before: Exchange) -> Iterator[tuple[str, Any]]:
    """Yield the members that only the client sets, without identifiers, each with another valid value."""
    subject, created = patched.subject, patched.created
    schema = schema_of_reading(subject, created.resource)
    shown = shown_members(created.resource, before)
    described = {each.name: each.schema for each in object_properties(subject.api, schema)} if schema else {}
    echoed = {path[0] for path in echoed_members(subject, created.sent_json, dict(shown), schema)}
    names = (*created.resource.key[-1:], *subject.reference_names)
    for name in created.sent_members:
        is_list = isinstance(shown.get(name), list) and is_equivalent(shown[name], created.sent_members[name])
        if name not in described or not (name in echoed or is_list) or names_resource(name, names):
            continue
        value = other_value(subject.api.resolve(described[name]), shown[name])
        if is_certainly_different(value, shown[name]):
            yield name, value


def _check_replacing(
    patched: _Patched, name: str, value: Any, send: Send
) -> Iterator[tuple[str, CheckFailure | None]]:
    """Yield the member if a `replace` of it is accepted, with the failure if it has no effect."""
    before = patched.read(send)
    try:
        update = patched.patch(before, [{"op": "replace", "path": f"/{name}", "value": value}], send)
    except Unsendable:
        return
    if not is_success(update) or update.status == ACCEPTED:
        return

    def is_unchanged(exchange: Exchange) -> bool:
        return is_equivalent(patched.member(exchange, name), patched.member(before, name))

    after = patched.read_until(send, lambda exchange: not is_unchanged(exchange))
    if is_unchanged(after):
        message = (
            f"{name!r} is {quote_value(patched.member(after, name), 100)} before and after a `replace` with "
            f"{quote_value(value, 100)}"
        )
        yield name, patched.failure("a JSON Patch does not replace a member", message, before, update, after)
    else:
        yield name, None


def _check_failing_tests(patched: _Patched, name: str, send: Send) -> Iterator[CheckFailure]:
    """Yield a failure if a patch with a `test` that fails changes anything (RFC 6902 §5, RFC 5789 §2)."""
    before = patched.read(send)
    old = patched.member(before, name)
    new = other_value(patched.meaning(name), old)
    replacing = {"op": "replace", "path": f"/{name}", "value": new}
    failing = {"op": "test", "path": f"/{name}", "value": other_value(patched.meaning(name), new)}
    for patch in ([failing, replacing], [replacing, failing]):
        try:
            update = patched.patch(before, patch, send)
        except Unsendable:
            return
        after = patched.read(send)
        is_applied = is_equivalent(patched.member(after, name), new) and not is_equivalent(old, new)
        if not is_applied or update.status == ACCEPTED:
            continue
        title = (
            "a JSON Patch is applied although its `test` fails"
            if is_success(update)
            else "a rejected JSON Patch is applied in part"
        )
        message = (
            f"{update.status}, and {name!r} is {quote_value(new, 100)} afterwards; it was "
            f"{quote_value(old, 100)}, and the patch tests for "
            f"{quote_value(failing['value'], 100)}"
        )
        yield patched.failure(title, message, before, update, after)
        return


def _lost_items(patched: _Patched, name: str, send: Send) -> Iterator[CheckFailure]:
    """Yield a failure if an `add` to a list takes an item away, or has no effect (RFC 6902 §4.1)."""
    for position in ("-", "0"):
        before = patched.read(send)
        items = patched.member(before, name)
        if not isinstance(items, list) or not items or not all(isinstance(item, str) for item in items):
            return
        added = other_value(patched.meaning(name), items)[0]
        patch = [{"op": "add", "path": f"/{name}/{position}", "value": added}]
        try:
            update = patched.patch(before, patch, send)
        except Unsendable:
            continue
        if not is_success(update) or update.status == ACCEPTED:
            continue

        def has_all(exchange: Exchange, expected: Sequence[str] = (*items, added)) -> bool:
            shown = patched.member(exchange, name)
            return isinstance(shown, list) and all(_has_item(shown, item) for item in expected)

        after = patched.read_until(send, has_all)
        if not has_all(after):
            shown = patched.member(after, name)
            message = (
                f"{name!r} was {quote_value(items, 100)}, and is {quote_value(shown, 100)} after an `add` of "
                f"{quote_value(added)} at {position!r}"
            )
            yield patched.failure("a JSON Patch adds an item wrongly", message, before, update, after)
            return


def _has_item(shown: Sequence[Any], item: str) -> bool:
    """Return whether a list has an item, perhaps in another notation: tags are often stored in lower case."""
    return any(not is_certainly_different(item, each) for each in shown)


def _not_removed(patched: _Patched, name: str, send: Send) -> Iterator[CheckFailure]:
    """Yield a failure if a `remove` that is accepted leaves a member as it was (RFC 6902 §4.2). The first value may be
    the one that the deployment sets by default, so that another one is removed.
    """
    first = patched.member(patched.read(send), name)
    if first in EMPTY_VALUES or isinstance(first, bool):
        return
    other = other_value(patched.meaning(name), first)
    with suppress(Unsendable):
        patched.patch(patched.read(send), [{"op": "replace", "path": f"/{name}", "value": other}], send)
    before = patched.read(send)
    old = patched.member(before, name)
    if is_certainly_different(other, first) and is_equivalent(old, first):
        return
    try:
        update = patched.patch(before, [{"op": "remove", "path": f"/{name}"}], send)
    except Unsendable:
        return
    if not is_success(update) or update.status == ACCEPTED or old in EMPTY_VALUES:
        return

    def is_kept(exchange: Exchange) -> bool:
        return is_equivalent(patched.member(exchange, name), old)

    after = patched.read_until(send, lambda exchange: not is_kept(exchange))
    if is_kept(after) and not is_equivalent(old, patched.meaning(name).default):
        message = f"{name!r} is {quote_value(old, 100)} before and after a `remove`"
        yield patched.failure("a JSON Patch does not remove a member", message, before, update, after)
