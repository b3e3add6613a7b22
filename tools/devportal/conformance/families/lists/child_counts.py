"""A number of a resource that counts what belongs to it, or adds up a member of that, follows creations and deletions:
`invoiceCount`, or `totalBytes` with the description "The sum of the `bytes` of its files".
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.deletions.deletion_rules import counts_all_ever
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import last_response_failure
from devportal.conformance.knowledge.requests.request_variants import valid_body, with_new_idempotency_key
from devportal.conformance.knowledge.resources.child_resources import (
    Child,
    ChildType,
    child_types,
    count_names,
    create_child,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    response_json,
    shown_members,
    with_if_match,
)
from devportal.conformance.knowledge.resources.representation_match import schema_of_reading
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract.conventions import matches_any_name, normalize_name
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.member_rules import ROUNDING, is_whole, parse_number, summed_below

Counts = Mapping[str, Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tally:
    """A number of a parent that counts its children or adds up their member `summed`, empty if it counts."""

    name: str
    summed: str = ""

    @property
    def amount(self) -> str:
        """By how much a child changes the number, as titles show it."""
        return f"its {self.summed!r}" if self.summed else "one"

    def share(self, child: Child) -> Decimal | None:
        """Return how much a child adds to the number, None if its creation does not show that."""
        if not self.summed:
            return Decimal(1)
        return parse_number(child.members.get(self.summed))


_NOT_YET = re.compile(
    r"pending|draft|propos|request|submit|wait|review|queue|unconfirm|unpublish|unapprov|inactive|invit|new|created",
    re.IGNORECASE,
)
"""States of what does not count yet."""


def child_count_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each type of resources whose parent counts them, by its name, or adds up one of their members,
    by its description.
    """
    for child in child_types(subject):
        tallies = tuple(_tallies(subject, child)) if child.parent.read is not None else ()
        if tallies:
            run = partial(_check_tallies, subject, child, tallies)
            yield Probe(operation=operation_label(child.create), run=run)


def _tallies(subject: Subject, child: ChildType) -> Iterator[_Tally]:
    """Yield the numbers of a parent that follow its children: `plantCount`, `number_of_plants`, or a described sum."""
    names = count_names(child.collection)
    schema = schema_of_reading(subject, child.parent)
    if schema is None:
        return
    for property_ in object_properties(subject.api, schema):
        meaning = subject.api.resolve(property_.schema)
        is_count = normalize_name(property_.name) in names and "integer" in meaning.types
        if is_count and not counts_all_ever(meaning.description):
            yield _Tally(name=property_.name)
    body = valid_body(subject, child.create)
    numbers = (
        [name for name, value in body.members.items() if parse_number(value)] if body is not None else []
    )
    for name, summed in summed_below(subject.api, schema, child.collection, numbers).items():
        yield _Tally(name=name, summed=summed)


def _counts(parent: Resource, tallies: Iterable[_Tally], exchange: Exchange) -> Counts:
    shown = shown_members(parent, exchange)
    values = {tally.name: parse_number(shown.get(tally.name)) for tally in tallies}
    return {name: value for name, value in values.items() if value is not None}


def _is_reached(counts: Counts, expected: Counts, name: str) -> bool:
    """Return whether a number is the expected one, or is not shown; an amount with decimals may be rounded, or hold
    the error of a binary fraction.
    """
    shown = counts.get(name, expected[name])
    is_exact = is_whole(shown) and is_whole(expected[name])
    return shown == expected[name] if is_exact else abs(shown - expected[name]) <= ROUNDING


def _check_tallies(
    subject: Subject, child: ChildType, tallies: tuple[_Tally, ...], send: Send
) -> Iterator[CheckFailure]:
    """Create something for a new parent and for another one, and delete the first again: the numbers of its parent are
    higher in between.
    """
    parent = child.parent
    owner, other = (create_resource(subject, parent, send) for _ in range(2))
    start = read_created(subject, owner, send)
    before = _counts(parent, tallies, start)
    if not before or owner.id == other.id:
        raise Unsendable("a new resource that shows the number of what belongs to it")
    times = 2 if any(tally.summed for tally in tallies) else 1
    created = [create_child(subject, child, owner.id, send, is_varied=True) for _ in range(times)]
    beside = create_child(subject, child, other.id, send)
    shares = {
        tally: [share for each in created if (share := tally.share(each)) is not None]
        for tally in tallies
        if tally.name in before
    }
    compared = {tally: sum(found, Decimal(0)) for tally, found in shares.items() if len(found) == times}
    if not compared:
        raise Unsendable("a creation that shows what its parent adds up")
    expected = {tally.name: before[tally.name] + share for tally, share in compared.items()}
    raised = poll_until(
        partial(read_resource, subject, parent, owner.id, send),
        send,
        lambda exchange: all(
            _is_reached(_counts(parent, compared, exchange), expected, name) for name in expected
        ),
    )
    if not is_success(raised) or is_from_cache(raised):
        raise Unsendable("a parent that can be read")
    exchanges = tuple(each.exchange for each in created)
    evidence = (owner.exchange, other.exchange, start, *exchanges, beside.exchange, raised)
    after = _counts(parent, compared, raised)
    if all(after.get(name) == before[name] for name in expected) and _may_count_later(subject, created[0]):
        raise Unsendable(
            "something that counts from its creation on: what is created has to be approved first"
        )
    for tally in compared:
        if not _is_reached(after, expected, tally.name):
            number = "one was" if times == 1 else f"{times} were"
            message = (
                f"{tally.name!r} was {before[tally.name]}, and is {after[tally.name]} after {number} created, and one "
                f"for {other.id!r}, not {expected[tally.name]}"
            )
            title = f"a creation does not raise {tally.name!r} by {tally.amount}"
            yield last_response_failure(child.create, title, message, *evidence)
            return
    yield from _deletion_failures(
        subject, child, created[0], owner.id, tuple(compared), expected, evidence, send
    )


def _may_count_later(subject: Subject, created: Child) -> bool:
    """Return whether what was created may count only in a later state, such as a comment that is `pending`."""
    shown = response_json(created.exchange)
    inner = [item for item in shown.values() if isinstance(item, dict)] if isinstance(shown, dict) else []
    states = (
        value
        for members in (shown, *inner)
        if isinstance(members, dict)
        for name, value in members.items()
        if matches_any_name(name, subject.conventions.state)
    )
    return any(isinstance(state, str) and _NOT_YET.search(state) for state in states)


def _deletion_failures(
    subject: Subject,
    child: ChildType,
    created: Child,
    parent_id: str,
    tallies: tuple[_Tally, ...],
    before: Counts,
    evidence: tuple[Exchange, ...],
    send: Send,
) -> Iterator[CheckFailure]:
    resource = child.resource
    delete = resource.delete if resource is not None else None
    below = with_resource_id(subject, child.parent, parent_id)
    request = with_resource_id(below, resource, created.id).valid(delete) if resource and delete else None
    if delete is None or request is None:
        return
    request = with_if_match(delete, request, created.exchange)
    deleted = send(delete, with_new_idempotency_key(subject, delete, request))
    if not is_success(deleted) or deleted.status == ACCEPTED:
        return
    expected = {tally.name: before[tally.name] - (tally.share(created) or 0) for tally in tallies}
    after = poll_until(
        partial(read_resource, subject, child.parent, parent_id, send),
        send,
        lambda exchange: all(
            _is_reached(_counts(child.parent, tallies, exchange), expected, name) for name in expected
        ),
    )
    last = _counts(child.parent, tallies, after)
    for tally in tallies:
        name = tally.name
        if not _is_reached(last, expected, name) and not is_from_cache(after):
            message = (
                f"{name!r} was {before[name]}, and is {last[name]} after the deletion, not {expected[name]}"
            )
            title = f"a deletion does not lower {name!r} by {tally.amount}"
            yield last_response_failure(delete, title, message, *evidence, deleted, after)
