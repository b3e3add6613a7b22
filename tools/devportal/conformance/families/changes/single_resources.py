"""Changes of a resource that has its own address, such as the settings of an account: a change is read back,
and an earlier one stays.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.changes.ignored_updates import is_kept_by_words, may_stay
from devportal.conformance.families.creations.lost_members import are_items_replaced, is_lost
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import says_that_it_replaces
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.requests.inputs import authorised_request, valid_request_values
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    object_body,
    request_variants,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    is_from_cache,
    is_success,
    poll_until,
)
from devportal.conformance.knowledge.resources.operation_resources import resource_of, with_new_resource
from devportal.conformance.knowledge.resources.representation_match import (
    is_certainly_different,
    is_equivalent,
)
from devportal.conformance.knowledge.resources.single_resources import SingleResource, single_resources
from devportal.conformance.knowledge.resources.versions import VERSION_NAMES
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import object_properties
from devportal.contract.wording import quote_value

CHANGES = 2
"""How many members are changed, one after another."""
MOST_ATTEMPTS = 4
FindFailures = Callable[[SingleResource, Exchange, Send], Iterator[CheckFailure]]
"""Finds the failures of a resource, given what is read of it at first."""


def single_resource_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each change of a resource that has its own address, and one for each replacement."""
    for single in single_resources(subject):
        run = partial(_check_single, single, _change_failures)
        yield Probe(operation=operation_label(single.change), run=run)
        if resource_of(subject, single.change) is not None:
            yield Probe(operation=operation_label(single.change), run=partial(_check_neighbour, single))
        if single.change.method == "PUT":
            storage = partial(_check_single, single, _stored_failures)
            yield Probe(operation=operation_label(single.change), run=storage)
        if single.change.method == "PUT" and says_that_it_replaces(single.change):
            replacement = partial(_check_single, single, _replacement_failures)
            yield Probe(operation=operation_label(single.change), run=replacement)


def _check_single(single: SingleResource, find_failures: FindFailures, send: Send) -> Iterator[CheckFailure]:
    """Change a resource, and set it back."""
    with with_new_resource(single.subject, single.change, send) as prepared:
        own = replace(single, subject=prepared)
        original = own.read(send)
        if not own.members(original):
            raise Unsendable("a resource of one address that can be read")
        try:
            yield from find_failures(own, original, send)
        finally:
            own.restore(original, send)


def _check_neighbour(single: SingleResource, send: Send) -> Iterator[CheckFailure]:
    """Change a resource below a new one, and read the same below another: it stays as it was."""
    prepare = partial(with_new_resource, single.subject, single.change, send)
    with prepare() as first, prepare() as second:
        own, other = replace(single, subject=first), replace(single, subject=second)
        current, before = own.read(send), other.read(send)
        if current.request.url == before.request.url or not (own.members(current) and other.members(before)):
            raise Unsendable("two resources that can be created, and what is below each of them")
        for name, value in islice(_other_values(own, own.members(current)), MOST_ATTEMPTS):
            update = send(own.change, own.change_request({name: value}, current))
            after = other.read(send)
            if is_success(update) and update.status != ACCEPTED and is_success(after):
                shown = other.members(after)
                if _is_equal(shown, name, value) and not _is_equal(other.members(before), name, value):
                    message = f"{name!r} was set to {quote_value(value)} below another resource, and is that here too"
                    title = "a change of one resource changes others"
                    yield _failure(single, title, message, before, update, after)
                return


def _replacement_failures(single: SingleResource, _original: Exchange, send: Send) -> Iterator[CheckFailure]:
    """Yield the failure of a replacement that keeps both of two values of a member that it leaves out: a default can
    only be one of them.
    """
    whole = _whole_body(single)
    kept, evidence = _kept_members(single, whole, whole.members, send)
    kept_twice = []
    for variant in request_variants(single.subject, single.change, whole.request(whole.members)):
        other = object_body(single.subject, single.change, variant)
        changed = [name for name in kept if other and other.members.get(name) != whole.members[name]]
        if other is not None and changed:
            again, _ = _kept_members(single, whole, other.members, send)
            kept_twice += [name for name in changed if name in again]
    if kept_twice:
        message = f"it leaves these out, and they keep their values: {', '.join(sorted(kept_twice))}"
        yield _failure(single, "a replacement keeps what it leaves out", message, *evidence)


def _stored_failures(single: SingleResource, original: Exchange, send: Send) -> Iterator[CheckFailure]:
    """Yield the failure of lists that are read without some of their items, or with other numbers, and of numbers,
    booleans and enumerated texts that are read with other values than were sent.
    """
    body = single.body()
    sent = _with_distinct_values(single, body, original)
    certain = _certain_names(single, body)
    lists = [name for name, value in sent.items() if isinstance(value, list) and value]
    compared = [*lists, *(name for name in sent if name in certain)]
    if not compared:
        raise Unsendable("a change with a list, a number, a boolean, or a text of an enumeration")
    update = send(single.change, single.exact_request(body, sent, original))
    if not is_success(update) or update.status == ACCEPTED:
        raise Unsendable("a change that the deployment accepts")

    def differing(exchange: Exchange) -> list[str]:
        shown = single.members(exchange)
        return [name for name in compared if _is_stored_differently(sent[name], shown.get(name))]

    after = poll_until(partial(single.read, send), send, lambda exchange: not differing(exchange))
    if is_success(after) and not is_from_cache(after) and differing(after):
        name = differing(after)[0]
        kind = "a change of a list" if isinstance(sent[name], list) else "a change"
        message = (
            f"{name!r} was sent as {quote_value(sent[name], 150)}, and is read as "
            f"{quote_value(single.members(after)[name], 150)}"
        )
        yield _failure(single, f"{kind} is not read back", message, original, update, after)


def _is_stored_differently(sent: Any, shown: Any) -> bool:
    """Return whether a member is read as another list, number, boolean or enumerated text than was sent."""
    if isinstance(sent, list):
        return isinstance(shown, list) and (are_items_replaced(sent, shown) or is_lost(sent, shown))
    return type(shown) in (bool, int, float, str) and is_certainly_different(sent, shown)


def _certain_names(single: SingleResource, body: ObjectBody) -> set[str]:
    """Return the numbers, booleans and enumerated texts of a change that no server sets itself, such as a version, or
    keeps, such as a currency.
    """
    conventions, api = single.subject.conventions, single.subject.api
    managed = (*conventions.state, *conventions.updated, *VERSION_NAMES)
    found = set()
    for member in object_properties(api, body.schema):
        meaning = api.resolve(member.schema)
        if meaning.enum:
            is_certain = not may_stay(single.subject, single.change, member)
        else:
            is_certain = not {"boolean", "integer", "number"}.isdisjoint(meaning.types)
        is_kept = any(map(is_kept_by_words, (member.schema.description, meaning.description)))
        if (
            is_certain
            and not is_kept
            and not meaning.read_only
            and not matches_any_name(member.name, managed)
        ):
            found.add(member.name)
    return found


def _with_distinct_values(single: SingleResource, body: ObjectBody, original: Exchange) -> Mapping[str, Any]:
    """Return the members of a valid change, whose numbers differ from each other and from what is there: a server that
    mixes two of them up, or stores none, shows that.
    """
    sent, shown = dict(body.members), single.members(original)
    numbers = [name for name, value in sent.items() if isinstance(value, int) and not isinstance(value, bool)]
    for position, name in enumerate(numbers, start=1):
        base = shown.get(name, sent[name])
        changed = base + position if isinstance(base, int) else sent[name]
        if body.is_valid(single.subject, {**sent, name: changed}):
            sent[name] = changed
    return sent


def _whole_body(single: SingleResource) -> ObjectBody:
    """Return the body of the change with its optional members. Raises Unsendable if it has none."""
    subject, change = single.subject, single.change
    requests = (authorised_request(subject, values) for values in valid_request_values(subject, change))
    bodies = [body for request in requests if (body := object_body(subject, change, request)) is not None]
    whole = max(bodies, key=lambda body: len(body.members), default=None)
    if whole is None or not _optional_members(single, whole):
        raise Unsendable("a change of one address with optional members")
    return whole


def _optional_members(single: SingleResource, whole: ObjectBody) -> list[str]:
    described = object_properties(single.subject.api, whole.schema)
    return [member.name for member in described if member.name in whole.members and not member.required]


def _kept_members(
    single: SingleResource, whole: ObjectBody, members: Mapping[str, Any], send: Send
) -> tuple[list[str], tuple[Exchange, ...]]:
    """Return the optional members that have their values still after a replacement without them, and the exchanges.
    Raises Unsendable if the deployment rejects it.
    """
    optional = _optional_members(single, whole)
    first = send(single.change, single.exact_request(whole, members, single.read(send)))
    before = single.read(send)
    required = {name: value for name, value in members.items() if name not in optional}
    update = send(single.change, single.exact_request(whole, required, before))
    after = single.read(send)
    exchanges = (first, before, update, after)
    if (
        not all(map(is_success, exchanges))
        or ACCEPTED in {first.status, update.status}
        or is_from_cache(after)
    ):
        raise Unsendable("a replacement without optional members that the deployment accepts")
    shown, left = single.members(before), single.members(after)
    kept = [
        name
        for name in optional
        if name in left and _is_equal(shown, name, members[name]) and _is_kept(left, name, shown)
    ]
    return kept, exchanges


def _change_failures(single: SingleResource, original: Exchange, send: Send) -> Iterator[CheckFailure]:
    start, current = single.members(original), original
    changed: dict[str, Any] = {}
    for name, value in islice(_other_values(single, start), MOST_ATTEMPTS):
        update = send(single.change, single.change_request({name: value}, current))
        if not is_success(update) or update.status == ACCEPTED:
            continue
        after = poll_until(partial(single.read, send), send, partial(_has_member, single, name, value))
        if not is_success(after) or is_from_cache(after):
            break
        shown, answered = single.members(after), single.members(update)
        if _is_kept(shown, name, start) and (not answered or _is_equal(answered, name, value)):
            message = (
                f"{name!r} was changed from {quote_value(start[name])} to {quote_value(value)}, and is read as "
                f"{quote_value(shown[name])}"
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


def _other_values(single: SingleResource, shown: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
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


def _has_member(single: SingleResource, name: str, value: Any, exchange: Exchange) -> bool:
    return _is_equal(single.members(exchange), name, value)


def _is_equal(members: Mapping[str, Any], name: str, value: Any) -> bool:
    return name in members and is_equivalent(members[name], value)


def _is_kept(members: Mapping[str, Any], name: str, start: Mapping[str, Any]) -> bool:
    return name in members and is_equivalent(members[name], start[name])


def _failure(single: SingleResource, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    return response_failure(single.change, evidence[-2], title, message, *evidence)
