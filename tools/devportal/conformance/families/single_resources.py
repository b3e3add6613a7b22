"""Changes of a resource that has an address of its own, such as the settings of an account: a change is read back,
and an earlier one stays.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.created_resources import (
    ACCEPTED,
    is_from_cache,
    is_success,
    poll_until,
    response_failure,
    response_json,
    with_if_match,
)
from devportal.conformance.knowledge.described_rules import says_that_it_merges
from devportal.conformance.knowledge.operation_resources import with_new_resource
from devportal.conformance.knowledge.representation_match import is_equivalent, response_schema
from devportal.conformance.knowledge.request_variants import (
    ObjectBody,
    object_body,
    request_variants,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.resources import CHANGE_METHODS, object_properties

CHANGES = 2
"""How many members are changed, one after another."""
MOST_ATTEMPTS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _SingleResource:
    """A resource at an address without an identifier at its end, and an operation that changes it."""

    subject: Subject
    reading: Operation
    change: Operation

    def read(self, send: Send) -> Exchange:
        """Read the resource. Raises Unsendable if that cannot be requested."""
        request = self.subject.valid(self.reading)
        if request is None:
            raise Unsendable(NO_VALID_REQUEST)
        return send(self.reading, request)

    def body(self) -> ObjectBody:
        """Return the body of the change. Raises Unsendable if it is no object."""
        request = self.subject.valid(self.change)
        body = object_body(self.subject, self.change, request) if request is not None else None
        if body is None:
            raise Unsendable("a change with an object as its body")
        return body

    def members(self, exchange: Exchange) -> Mapping[str, Any]:
        """Return the representation in a response, empty if there is none."""
        shown, envelope = response_json(exchange), self.body().envelope
        shown = shown[envelope] if envelope and isinstance(shown, dict) and envelope in shown else shown
        return shown if is_success(exchange) and isinstance(shown, dict) else {}


def single_resource_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each change of a resource that has an address of its own."""
    listed = {listing.operation.path for listing in subject.listings}
    readings = {
        operation.path: operation
        for operation in subject.operations
        if operation.method == "GET" and operation.path not in listed
    }
    for change in subject.operations:
        reading = readings.get(change.path)
        is_single = change.method in CHANGE_METHODS and not change.path.rstrip("/").endswith("}")
        if (
            is_single
            and reading is not None
            and response_schema(reading, _first_success(reading)) is not None
        ):
            run = partial(_check_change, subject, reading, change)
            yield Probe(operation=operation_label(change), run=run)


def _first_success(operation: Operation) -> int:
    return next((int(success.status) for success in operation.successes if success.status.isdigit()), 200)


def _check_change(
    subject: Subject, reading: Operation, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Change two members one after another, and restore both."""
    with with_new_resource(subject, change, send) as prepared:
        single = _SingleResource(subject=prepared, reading=reading, change=change)
        original = single.read(send)
        if not single.members(original):
            raise Unsendable("a resource of one address that can be read")
        try:
            yield from _change_failures(single, original, send)
        finally:
            _restore(single, original, send)


def _change_failures(single: _SingleResource, original: Exchange, send: Send) -> Iterator[CheckFailure]:
    start, current = single.members(original), original
    changed: dict[str, Any] = {}
    for name, value in islice(_other_values(single, start), MOST_ATTEMPTS):
        update = send(single.change, _request(single, {name: value}, current))
        if not is_success(update) or update.status == ACCEPTED:
            continue
        after = poll_until(partial(single.read, send), send, partial(_has_member, single, name, value))
        if not is_success(after) or is_from_cache(after):
            break
        shown, answered = single.members(after), single.members(update)
        if _is_kept(shown, name, start) and (not answered or _is_equal(answered, name, value)):
            message = (
                f"{name!r} was changed from {start[name]!r} to {value!r}, and is read as {shown[name]!r}"
            )
            yield _failure(single, "a change is not read back", message, original, update, after)
            return
        reset = [
            text
            for text in changed
            if _is_kept(shown, text, start) and not _is_equal(shown, text, changed[text])
        ]
        if reset:
            message = (
                f"a change of {name!r} sets these back to what they were before an earlier change: "
                f"{', '.join(reset)}"
            )
            yield _failure(single, "a change resets other members", message, original, current, update, after)
            return
        if _is_equal(shown, name, value):
            changed[name] = value
        current = after
        if len(changed) == CHANGES:
            return
    if not changed:
        raise Unsendable("a change of one member that the deployment accepts and shows")


def _other_values(single: _SingleResource, shown: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield other values of the numbers, booleans and enumerated texts that the resource shows."""
    body, api = single.body(), single.subject.api
    described = {
        property_.name: api.resolve(property_.schema) for property_ in object_properties(api, body.schema)
    }
    full = {name: shown[name] for name in described if name in shown}
    if not body.is_valid(single.subject, full):
        raise Unsendable("a representation that the contract lets a client send back")
    for variant in request_variants(single.subject, single.change, body.request(full)):
        changed = object_body(single.subject, single.change, variant)
        for name, value in changed.members.items() if changed is not None else ():
            is_certain = isinstance(value, bool | int | float) or bool(described[name].enum)
            if is_certain and not described[name].read_only and not is_equivalent(value, full[name]):
                yield name, value


def _request(single: _SingleResource, members: Mapping[str, Any], last_read: Exchange) -> Request:
    """Return a change of these members: with the others as they were read, unless it leaves what it omits."""
    body, shown = single.body(), single.members(last_read)
    names = [property_.name for property_ in object_properties(single.subject.api, body.schema)]
    full = {**{name: shown[name] for name in names if name in shown}, **members}
    is_partial = single.change.method == "PATCH" or says_that_it_merges(single.change)
    sent = members if is_partial and body.is_valid(single.subject, members) else full
    request = with_if_match(single.change, body.request(sent), last_read)
    return with_new_idempotency_key(single.subject, single.change, request)


def _restore(single: _SingleResource, original: Exchange, send: Send) -> None:
    """Set the members back. Under no operation: a rejection is no failure of it."""
    names = {property_.name for property_ in object_properties(single.subject.api, single.body().schema)}
    members = {name: value for name, value in single.members(original).items() if name in names}
    if single.body().is_valid(single.subject, members):
        send(None, _request(single, members, single.read(send)))


def _has_member(single: _SingleResource, name: str, value: Any, exchange: Exchange) -> bool:
    return _is_equal(single.members(exchange), name, value)


def _is_equal(members: Mapping[str, Any], name: str, value: Any) -> bool:
    return name in members and is_equivalent(members[name], value)


def _is_kept(members: Mapping[str, Any], name: str, start: Mapping[str, Any]) -> bool:
    return name in members and is_equivalent(members[name], start[name])


def _failure(single: _SingleResource, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    return response_failure(single.change, evidence[-2], title, message, *evidence)
