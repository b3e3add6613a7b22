"""Lists of the resources of one parent show these, all of them and no others."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import lost_items_title, unwanted_items_title
from devportal.conformance.families.lists.listed_resources import may_be_hidden, may_be_partial
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    first_request,
    item_keys,
    page_size_limits,
    walk_pages,
)
from devportal.conformance.knowledge.resources.child_resources import (
    Child,
    ChildList,
    ChildType,
    child_lists,
    child_types,
    create_child,
)
from devportal.conformance.knowledge.resources.created_resources import (
    create_resource,
    poll_until,
    resource_json,
)
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract.path_templates import parent_path
from devportal.documents import member_at

CHILDREN = 2
"""How many resources one parent gets: a list that shows the last one alone loses the others."""
OTHERS_TITLE = "a list shows resources of another parent"
LOST_TITLE = "a list does not show what was created for its parent"


def parent_list_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list of the resources of one parent, except those that other probes read as lists of
    their resource type.
    """
    for child in child_types(subject):
        is_addressed = child.resource is not None and child.resource.read is not None
        for child_list in child_lists(subject, child):
            path = child_list.listing.operation.path
            is_own = is_addressed and child.resource and parent_path(child.resource.path) == path.rstrip("/")
            if child_list.parameter is None and is_own:
                continue
            run = partial(_check_list, subject, child, child_list)
            yield Probe(operation=operation_label(child_list.listing.operation), run=run)


def _check_list(
    subject: Subject, child: ChildType, child_list: ChildList, send: Send
) -> Iterator[CheckFailure]:
    """Create two parents, two resources for the first and one for the second, and list those of each."""
    first, second = (create_resource(subject, child.parent, send) for _ in range(2))
    if first.id == second.id:
        raise Unsendable("two parents with different identifiers")
    own = [
        create_child(subject, child, first.id, send, is_varied=number > 0)
        for number in range(CHILDREN)
    ]  # fmt: skip
    other = create_child(subject, child, second.id, send, is_varied=True)
    if other.item_key in {item.item_key for item in own}:
        raise Unsendable("resources of two parents with different identifiers")
    evidence = (first.exchange, second.exchange, *(item.exchange for item in own), other.exchange)
    read = partial(_read_list, subject, child, child_list, own[0].key, send=send)
    walk = poll_until(
        partial(read, first.id),
        send,
        lambda observed: not _listed_children(observed, (other,)) and not _missing_children(observed, own),
    )
    foreign = _listed_children(walk, (other,))
    if foreign:
        message = f"the list of {first.id!r} shows {foreign[0].id!r}, which belongs to {second.id!r}"
        yield _failure(child_list, _unwanted_title(child_list), message, walk, evidence)
        return
    lost = _missing_children(walk, own)
    if walk.items and not any(member_at(item, own[0].key) is not None for item in walk.items):
        raise Unsendable("list items with an identifier (`conventions.identifier` in the settings)")
    if not walk.is_complete or may_be_partial(subject, child_list.listing, _known_parameters(child_list)):
        raise Unsendable(
            "a list of the resources of one parent that is short, and without other filters by default"
        )
    if lost and not _may_hide(subject, child, child_list, lost[0], walk, send):
        message = f"{lost[0].id!r} was created for {first.id!r}, whose list does not show it"
        yield _failure(child_list, _lost_title(child_list), message, walk, evidence)
        return
    last = poll_until(
        partial(read, second.id), send, lambda observed: not _missing_children(observed, [other])
    )
    if mixed := _listed_children(last, own):
        message = f"the list of {second.id!r} shows {mixed[0].id!r}, which belongs to {first.id!r}"
        yield _failure(child_list, _unwanted_title(child_list), message, last, evidence)
        return
    is_lost = last.is_complete and bool(_missing_children(last, [other]))
    if is_lost and not _may_hide(subject, child, child_list, other, last, send):
        message = f"{other.id!r} was created for {second.id!r}, whose list does not show it"
        yield _failure(child_list, _lost_title(child_list), message, last, evidence)


def _may_hide(
    subject: Subject, child: ChildType, child_list: ChildList, lost: Child, walk: PageWalk, send: Send
) -> bool:
    """Return whether a list may hide a resource by its state: it shows none in that state, and without the name of the
    parent none either.
    """
    shown = resource_json(child.resource or child.parent, lost.exchange)
    if not may_be_hidden(subject, shown, walk):
        return False
    if child_list.parameter is None:
        return True
    target = ListTarget(subject=subject, listing=child_list.listing, key=lost.key)
    whole = walk_pages(target, send, first_request(target, page_size_limits(child_list.listing)[1]))
    return not _listed_children(whole, (lost,))


def _read_list(
    subject: Subject,
    child: ChildType,
    child_list: ChildList,
    key: tuple[str, ...],
    parent_id: str,
    send: Send,
) -> PageWalk:
    below = with_resource_id(subject, child.parent, parent_id)
    target = ListTarget(subject=below, listing=child_list.listing, key=key)
    query = {child_list.parameter.name: parent_id} if child_list.parameter is not None else {}
    return walk_pages(target, send, first_request(target, page_size_limits(child_list.listing)[1], query))


def _listed_children(walk: PageWalk, children: tuple[Child, ...] | list[Child]) -> list[Child]:
    return [child for child in children if child.item_key in set(item_keys(walk.items, child.key))]


def _missing_children(walk: PageWalk, children: list[Child]) -> list[Child]:
    shown = _listed_children(walk, children)
    return [child for child in children if child not in shown]


def _known_parameters(child_list: ChildList) -> tuple[str, ...]:
    return (child_list.parameter.name,) if child_list.parameter is not None else ()


def _unwanted_title(child_list: ChildList) -> str:
    return (
        unwanted_items_title(child_list.parameter.name) if child_list.parameter is not None else OTHERS_TITLE
    )


def _lost_title(child_list: ChildList) -> str:
    return lost_items_title(child_list.parameter.name) if child_list.parameter is not None else LOST_TITLE


def _failure(
    child_list: ChildList, title: str, message: str, walk: PageWalk, evidence: tuple[Exchange, ...]
) -> CheckFailure:
    page = walk.pages[-1].exchange
    return response_failure(child_list.listing.operation, page, title, message, *evidence, page)
