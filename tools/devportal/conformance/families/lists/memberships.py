"""Lists below a resource into which a PUT puts others that exist, and out of which a DELETE takes them: the users of a
team, the devices of a group.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.deletions.deletion_rules import counting_members
from devportal.conformance.families.lists.listed_resources import may_be_partial
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    first_request,
    page_size_limits,
    walk_pages,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_resource,
    shown_members,
)
from devportal.conformance.knowledge.resources.representation_match import schema_of_reading
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import (
    last_segment,
    names_resource,
    parent_path,
    reference_names,
    singular,
)
from devportal.contract.resources import Listing, Resource, object_properties
from devportal.contract.wording import plain_letters
from devportal.documents import member_at

_COUNT = re.compile(
    r"(?:the\s+)?(?:(?:total|current)\s+)?(?:number|count)\s+of\s+(?:(?:all|the|its|current)\s+)*(?P<what>[\w-]+)"
    r"(?:\s+(?:in|of|on)\s+(?:the|this|an?|its)\s+[\w-]+)?\.?",
    re.IGNORECASE,
)
_BY_INVITATION = re.compile(r"\b(?:invit\w*|pending|approv\w*)\b", re.IGNORECASE)
"""What a list shows later, or never: others have to agree."""


_Place = Callable[[Any, Resource], set[str]]
"""Returns the identifiers of a type that an item of a list shows in a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Membership:
    """A list below `owner`, the type of what is in it, and the operations that put one in and take one out."""

    owner: Resource
    member: Resource
    listing: Listing
    put: Operation
    remove: Operation | None

    @property
    def path(self) -> str:
        """The path of the operations."""
        return self.put.path.rstrip("/")


def membership_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list into which a PUT without a body puts what is created elsewhere."""
    for put in subject.operations:
        membership = _membership(subject, put) if put.method == "PUT" else None
        if membership is not None:
            yield Probe(operation=operation_label(put), run=partial(_check_membership, subject, membership))


def _membership(subject: Subject, put: Operation) -> _Membership | None:
    path = put.path.rstrip("/")
    name = reference_names(path)[-1] if last_segment(path).startswith("{") else ""
    if not name or (put.request_body is not None and put.request_body.required):
        return None
    owner = _created_at(subject, parent_path(parent_path(path)))
    members = (
        resource
        for resource in subject.resources
        if resource.value_key != path
        and _created_at(subject, resource.value_key) is resource
        and names_resource(name, resource.reference_names[-1:])
    )
    member = next(members, None)
    listing = next((each for each in subject.listings if each.operation.path == parent_path(path)), None)
    if owner is None or member is None or listing is None or owner is member:
        return None
    texts = (put.summary, put.description, *(success.description for success in put.successes))
    if any(map(_BY_INVITATION.search, texts)):
        return None
    removals = (each for each in subject.operations if each.method == "DELETE" and each.path == put.path)
    return _Membership(owner=owner, member=member, listing=listing, put=put, remove=next(removals, None))


def _created_at(subject: Subject, path: str) -> Resource | None:
    """Return the type of resources with a path, if a POST creates them."""
    found = (resource for resource in subject.resources if resource.value_key == path)
    return next((each for each in found if each.create is not None and not each.is_created_by_put), None)


def _check_membership(subject: Subject, membership: _Membership, send: Send) -> Iterator[CheckFailure]:
    """Put two resources into a list, the first one twice, and take that out again."""
    owner = create_resource(subject, membership.owner, send)
    first, second = (create_resource(subject, membership.member, send) for _ in range(2))
    below = with_resource_id(subject, membership.owner, owner.id)
    reading = partial(_read_list, below, membership, send)
    count = partial(_counts, below, membership, owner.id, send)
    if first.id == second.id or not membership.member.key:
        raise Unsendable("two resources with different identifiers")
    counts_before = count()
    puts = [_send(below, membership, membership.put, each, send) for each in (first.id, second.id, first.id)]
    ids = (first.id, second.id)
    walk = poll_until(
        reading,
        send,
        lambda observed: any(_amounts(observed, membership, each, *ids) == [1, 1] for each in _PLACES),
    )
    place = _place_of_ids(walk, membership, *ids)
    amounts = _amounts(walk, membership, place, *ids)
    operation = membership.listing.operation
    page = walk.pages[-1].exchange
    is_named = all(place(item, membership.member) for item in walk.items)
    if not walk.is_complete or not is_named or may_be_partial(below, membership.listing, ()):
        raise Unsendable("a whole list that names what is in it, and without other filters by default")
    if 0 in amounts:
        lost, put = (first.id, puts[0]) if not amounts[0] else (second.id, puts[1])
        message = (
            f"{lost!r} was put into the list of {owner.id!r}, {put.status}, and the list does not show it"
        )
        yield response_failure(
            operation, page, "a list does not show what was put into it", message, put, page
        )
        return
    if amounts[0] > 1:
        message = f"{first.id!r} was put into the list of {owner.id!r} twice, and the list shows it {amounts[0]} times"
        yield response_failure(
            membership.put, puts[2], "a repeated PUT adds the same again", message, puts[0], puts[2], page
        )
    counts = poll_until(count, send, lambda counted: not _unmoved_counts(counts_before, counted))
    moved = {name: value for name, value in counts.items() if counts_before.get(name) != value}
    for name, value in _unmoved_counts(counts_before, counts).items():
        message = f"{name!r} is {value} before and after two were put into the list of {owner.id!r}"
        title = f"{name!r} does not count what is put into a list"
        yield response_failure(membership.put, puts[0], title, message, *puts, page)
    if membership.remove is not None:
        removal = partial(_check_removal, below, membership, membership.remove, place)
        yield from removal((owner.id, *ids), send, moved=moved)


def _check_removal(
    below: Subject,
    membership: _Membership,
    remove: Operation,
    place: _Place,
    ids: tuple[str, str, str],
    send: Send,
    *,
    moved: Mapping[str, int],
) -> Iterator[CheckFailure]:
    """Take the first of two resources out of the list of an owner; numbers that `moved` before move again."""
    owner_id, first, second = ids
    removed = _send(below, membership, remove, first, send)
    reading = partial(_read_list, below, membership, send)
    walk = poll_until(
        reading, send, lambda observed: _amounts(observed, membership, place, first, second) == [0, 1]
    )
    amounts, page = _amounts(walk, membership, place, first, second), walk.pages[-1].exchange
    if amounts[0]:
        message = (
            f"{first!r} was taken out of the list of {owner_id!r}, {removed.status}, and the list shows it"
        )
        yield response_failure(
            remove, removed, "a list shows what was taken out of it", message, removed, page
        )
    elif not amounts[1] and walk.is_complete:
        message = f"{first!r} was taken out of the list of {owner_id!r}, {removed.status}, and {second!r} is gone too"
        yield response_failure(
            remove, removed, "what is taken out of a list takes others with it", message, removed, page
        )
    else:
        count = partial(_counts, below, membership, owner_id, send)
        counts = poll_until(count, send, lambda counted: not _unmoved_counts(moved, counted))
        for name, value in _unmoved_counts(moved, counts).items():
            message = f"{name!r} is {value} before and after one was taken out of the list of {owner_id!r}"
            title = f"{name!r} does not count what is taken out of a list"
            yield response_failure(remove, removed, title, message, removed, page)


def _send(
    below: Subject, membership: _Membership, operation: Operation, member_id: str, send: Send
) -> Exchange:
    """Send an operation about a resource and its place in a list. Raises Unsendable unless that succeeds at once."""
    chosen = with_resource_id(below, membership.member, member_id)
    request = chosen.with_values({membership.path: member_id}).valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    exchange = send(operation, request)
    if not is_success(exchange) or exchange.status == ACCEPTED:
        raise Unsendable("a resource that the deployment puts into the list at once, and takes out again")
    return exchange


def _read_list(below: Subject, membership: _Membership, send: Send) -> PageWalk:
    target = ListTarget(subject=below, listing=membership.listing, key=membership.member.key)
    return walk_pages(target, send, first_request(target, page_size_limits(membership.listing)[1]))


def _named_ids(item: Any, member: Resource) -> set[str]:
    """Return what a text or a number identifies, or the members with the name of the type: `user_id`, `user`."""
    if not isinstance(item, dict):
        return {str(item).rstrip("/").rpartition("/")[2]} if isinstance(item, str | int) else set()
    word = singular(last_segment(parent_path(member.value_key)))
    named = [
        value for name, value in item.items() if matches_any_name(name, (*member.reference_names[-1:], word))
    ]
    values = (member_at(value, member.key) if isinstance(value, dict) else value for value in named)
    return {str(value) for value in values if isinstance(value, str | int)}


def _own_id(item: Any, member: Resource) -> set[str]:
    own = member_at(item, member.key)
    return {str(own)} if own is not None else set()


def _role_ids(item: Any, member: Resource) -> set[str]:
    """Return the members with the name of the type and of a role, such as `added_user_id`."""
    members = item.items() if isinstance(item, dict) else ()
    return {str(value) for name, value in members if names_resource(name, member.reference_names[-1:])}


def _inner_ids(item: Any, member: Resource) -> set[str]:
    inner = item.values() if isinstance(item, dict) else ()
    keys = (member_at(value, member.key) for value in inner if isinstance(value, dict))
    return {str(key) for key in keys if key is not None}


_PLACES: tuple[_Place, ...] = (_named_ids, _own_id, _role_ids, _inner_ids)


def _place_of_ids(walk: PageWalk, membership: _Membership, *ids: str) -> _Place:
    """Return the first place in which the items of a list show most of some identifiers: a user may have an address
    with an `id`, and the identifier of who created it.
    """
    return max(
        _PLACES, key=lambda place: sum(amount > 0 for amount in _amounts(walk, membership, place, *ids))
    )


def _amounts(walk: PageWalk, membership: _Membership, place: _Place, *ids: str) -> list[int]:
    """Return how often a list shows each of some resources in a place."""
    shown = [each for item in walk.items for each in place(item, membership.member)]
    return [shown.count(each) for each in ids]


def _counting_names(subject: Subject, membership: _Membership) -> list[str]:
    """Return the numbers of a resource that count all that is in the list, by plain sentences: "The number of active
    members" and "The number of members allowed" count something else.
    """
    schema = schema_of_reading(subject, membership.owner)
    collection = plain_letters(singular(last_segment(membership.listing.operation.path)))
    texts = {
        member.name: member.schema.description or subject.api.resolve(member.schema).description
        for member in (object_properties(subject.api, schema) if schema is not None else ())
    }
    counts = {
        name: _COUNT.fullmatch(texts[name].strip()) for name in counting_members(subject, membership.owner)
    }
    return [
        name
        for name, count in counts.items()
        if collection in plain_letters(name)
        and count is not None
        and collection == plain_letters(singular(count["what"]))
    ]


def _counts(below: Subject, membership: _Membership, owner_id: str, send: Send) -> dict[str, int]:
    """Return the numbers of a resource that count what is in the list, by their names and descriptions."""
    names = _counting_names(below, membership)
    if not names or membership.owner.read is None:
        return {}
    exchange = read_resource(below, membership.owner, owner_id, send)
    shown = {} if is_from_cache(exchange) else shown_members(membership.owner, exchange)
    return {name: value for name in names if type(value := shown.get(name)) is int}


def _unmoved_counts(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers that are the same before and after: others may count more than the list."""
    return {name: value for name, value in before.items() if after.get(name) == value}
