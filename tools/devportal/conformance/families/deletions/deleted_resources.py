"""A deleted resource is gone, and deleting it again is not a server error."""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.deletions.deleted_contents import content_probes
from devportal.conformance.families.deletions.deletion_rules import deletion_rule_probes
from devportal.conformance.families.deletions.kept_resources import kept_failures
from devportal.conformance.families.deletions.restored_resources import restoration_probes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import (
    deletes_below,
    hides_deleted,
    operation_sentences,
)
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.paging import first_request, list_target, page_size_limits, walk_pages
from devportal.conformance.knowledge.requests.request_variants import with_new_idempotency_key
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    GONE_STATUSES,
    PAUSES_S,
    CreatedResource,
    create_resource,
    is_among,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    response_json,
    with_if_match,
)
from devportal.conformance.knowledge.resources.neighbours import Neighbour, read_neighbour
from devportal.conformance.knowledge.resources.operation_resources import change_request, delete_created
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.path_templates import last_segment, parent_path
from devportal.contract.resources import Resource

NOT_FOUND, GONE = 404, 410
_WRONG_AFTER_DELETION = (400, 409, 422)
"""Statuses about a wrong request: the same one was accepted before the deletion."""
_AGAIN = re.compile(
    r"\b(?:delet|remov)\w*\b.*\b(?:again|twice|once more|a second time)\b|\balready (?:been )?(?:deleted|removed)\b|"
    r"\bsecond (?:deletion|delete)\b",
    re.IGNORECASE,
)
_STATUS = re.compile(r"\b[24]\d\d\b")
_IS_DELETED = re.compile(r"\b(?:is|was|has been)\s+(?:\w+\s+)?(?:deleted|removed)\b", re.IGNORECASE)
_AT_TIMES = re.compile(r"\b(?:days?|hours?|expir\w*|ago|until|after|retention|permanently)\b", re.IGNORECASE)
_MARKS_ONLY = re.compile(
    r"\b(?:archiv|deactivat|inactiv|disabl|suspend|cancel|terminat|withdraw|soft|schedul|mark|flag|hid|revok|request|"
    r"asynchron|queue|eventual|later|pending|approv|confirm|expir|retention|grace|trash|recycl|detach|unlink|reset|"
    r"background)\w*|\b(?:days|hours|minutes)\b",
    re.IGNORECASE,
)
_MOST_CREATED = 3
"""How many resources are made, of which one is deleted."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield probes for each resource type that can be made and deleted."""
    for resource in subject.resources:
        if resource.create is not None and resource.delete is not None:
            run = partial(_check_second_delete, subject, resource, resource.delete)
            yield Probe(operation=operation_label(resource.delete), run=run)
            yield from deletion_rule_probes(subject, resource, resource.delete)
            yield from restoration_probes(subject, resource, resource.delete)
            yield from content_probes(subject, resource, resource.delete)
            for child in _children(subject, resource, resource.delete):
                run = partial(_check_children, subject, resource, resource.delete, child)
                yield Probe(operation=operation_label(resource.delete), run=run)
            if resource.read is not None:
                gone = partial(_check_gone, subject, resource, resource.delete, resource.read)
                yield Probe(operation=operation_label(resource.delete), run=gone)


def _check_second_delete(
    subject: Subject, resource: Resource, delete: Operation, send: Send
) -> Iterator[CheckFailure]:
    made = _create_several(subject, resource, send)
    created = made[len(made) // 2]
    others = [read_neighbour(subject, other, send) for other in made if other is not created]
    first, second = (delete_created(subject, created, delete, send) for _ in range(2))
    if not is_success(first):
        raise Unsendable("a deletion that the deployment accepts")
    removed = (
        failure
        for neighbour in others
        if neighbour is not None
        for failure in _neighbour_failures(subject, created, neighbour, (delete, first), send)
    )
    yield from islice(removed, 1)
    stated = _described_repetition(delete)
    if second.answer is not None and stated is not None and second.status != stated[0]:
        yield CheckFailure(
            title="deleting once more gets another status than described",
            message=f'the second DELETE of {created.id!r} gets {second.status}. The contract says: "{stated[1]}"',
            operation=operation_label(delete),
            promise=delete.location,
            evidence=(created.exchange, first, second),
        )
    elif second.answer is None or second.status >= 500:
        yield CheckFailure(
            title="deleting once more is a server error",
            message=f"the second DELETE of {created.id!r} gets {second.outcome}",
            operation=operation_label(delete),
            promise=delete.location,
            evidence=(created.exchange, first, second),
        )


def _described_repetition(delete: Operation) -> tuple[int, str] | None:
    """Return the status of a second deletion and the sentence that states it: "Deleting it again is 204 as well". None
    if no sentence of the description states exactly one.
    """
    for sentence in operation_sentences(delete):
        statuses = set(_STATUS.findall(sentence))
        if _AGAIN.search(sentence) and len(statuses) == 1:
            return int(statuses.pop()), sentence
    return None


def _create_several(subject: Subject, resource: Resource, send: Send) -> list[CreatedResource]:
    """Return three new resources, or as many as there can be: some accounts have one of a type. Of resources that
    cannot be read, only one is made.

    The one in the middle has an older and a newer neighbour.
    """
    made = [create_resource(subject, resource, send)]
    with suppress(Unsendable):
        while resource.read is not None and len(made) < _MOST_CREATED:
            created = create_resource(subject, resource, send)
            if created.id in {other.id for other in made}:
                break
            made.append(created)
    return made


def _neighbour_failures(
    subject: Subject,
    created: CreatedResource,
    neighbour: Neighbour,
    deletion: tuple[Operation, Exchange],
    send: Send,
) -> Iterator[CheckFailure]:
    """Yield the failure of a deletion after which another resource cannot be read."""
    other, (delete, deleted) = neighbour.created, deletion
    after = poll_until(
        partial(read_resource, subject, other.resource, other.id, send),
        send,
        lambda exchange: exchange.status not in GONE_STATUSES,
    )
    if after.status in GONE_STATUSES:
        message = f"{created.id!r} was deleted, and {other.id!r}, which was read before, gets {after.status}"
        yield CheckFailure(
            title="a deletion removes another resource",
            message=message,
            operation=operation_label(delete),
            promise=response_location(delete, deleted),
            evidence=(created.exchange, other.exchange, neighbour.before, deleted, after),
        )


def _check_gone(
    subject: Subject, resource: Resource, delete: Operation, reading: Operation, send: Send
) -> Iterator[CheckFailure]:
    created = create_resource(subject, resource, send)
    before = read_created(subject, created, send)
    deleted = delete_created(subject, created, delete, send, before)
    if not is_success(before) or not is_success(deleted) or deleted.status == ACCEPTED:
        raise Unsendable("a created resource that can be read, and is deleted at once")
    after = poll_until(
        partial(read_resource, subject, resource, created.id, send),
        send,
        lambda exchange: exchange.status in GONE_STATUSES,
    )
    evidence = (created.exchange, before, deleted, after)
    # A resource that shows that it is deleted may be kept; an unchanged one has not been deleted.
    is_as_before = (
        is_success(after) and response_json(after) == response_json(before) and not is_from_cache(after)
    )
    if is_as_before and _documents_absence(reading):
        yield CheckFailure(
            title="what was deleted can still be read",
            message=f"{created.id!r} is read as before, {after.status}, after DELETE got {deleted.status}",
            operation=operation_label(delete),
            promise=response_location(delete, deleted),
            evidence=evidence,
        )
    elif (
        is_as_before
        and _removes_at_once(delete)
        and (page := _page_with_deleted(subject, created, send)) is not None
    ):
        yield CheckFailure(
            title="a deletion has no effect",
            message=f"after DELETE got {deleted.status}, {created.id!r} is read as before, {after.status}, and "
            "its list shows it",
            operation=operation_label(delete),
            promise=response_location(delete, deleted),
            evidence=(*evidence, page),
        )
    if after.status == NOT_FOUND and (gone := _described_gone(reading)):
        yield CheckFailure(
            title="what was deleted gets another status than described",
            message=f"{created.id!r} gets {after.status} after DELETE got {deleted.status}. The contract says of 410: "
            f'"{gone}"',
            operation=operation_label(reading),
            promise=response_location(reading, after),
            evidence=evidence,
        )
    if after.status in _WRONG_AFTER_DELETION and documents_exact_status(reading, NOT_FOUND):
        yield CheckFailure(
            title="what was deleted gets another status than described",
            message=f"{created.id!r} was read before DELETE got {deleted.status}, and gets {after.status} now; "
            f"{NOT_FOUND} is documented",
            operation=operation_label(reading),
            promise=response_location(reading, after),
            evidence=evidence,
        )
    listing = resource.listing
    is_hidden = (
        is_success(after) and not is_as_before and listing and hides_deleted(listing.operation, delete)
    )
    is_gone = after.status in GONE_STATUSES
    if (is_hidden or is_gone) and (page := _page_with_deleted(subject, created, send)) is not None:
        read = "not found any more" if is_gone else "read as deleted"
        shown = "shows it" if is_gone else "shows it, which leaves out such ones"
        yield CheckFailure(
            title="what was deleted is still listed",
            message=f"{created.id!r} is {read}, and its list {shown}",
            operation=operation_label(delete),
            promise=response_location(delete, deleted),
            evidence=(*evidence, page),
        )
    if not is_as_before and not is_from_cache(after):
        yield from kept_failures(subject, created, (delete, reading), evidence, send)
    if is_gone:
        yield from _change_failures(subject, created, before, evidence, send)


def _described_gone(reading: Operation) -> str:
    """Return the description of a 410 that is for what was deleted, empty if there is none."""
    response = documented_response(reading, GONE)
    text = response.description if response is not None and documents_exact_status(reading, GONE) else ""
    return text if _IS_DELETED.search(text) and not _AT_TIMES.search(text) else ""


def _change_failures(
    subject: Subject, created: CreatedResource, before: Exchange, evidence: tuple[Exchange, ...], send: Send
) -> Iterator[CheckFailure]:
    """Yield the failure of a change of a deleted resource that is accepted although 404 or 410 is documented. A
    `PUT` that creates resources may create it again.
    """
    changes = [change for change in created.resource.changes if _documents_absence(change)]
    change = next((change for change in changes if change is not created.resource.create), None)
    request = change_request(subject, created, change) if change is not None else None
    if change is None or request is None:
        return
    request = with_if_match(change, with_new_idempotency_key(subject, change, request), before)
    attempt = send(change, request)
    if is_success(attempt) and attempt.status != ACCEPTED:
        yield CheckFailure(
            title="what was deleted can be changed",
            message=f"{created.id!r} gets {evidence[-1].status} when it is read, and its change {attempt.status}",
            operation=operation_label(change),
            promise=response_location(change, attempt),
            evidence=(*evidence, attempt),
        )


def _children(subject: Subject, parent: Resource, delete: Operation) -> Iterator[Resource]:
    """Yield the resource types directly below another one that can be created and read, and those that are created
    below it and go with it by the words of its deletion.
    """
    for child in subject.resources:
        path = child.create.path if child.create is not None else ""
        is_created_below = parent_path(path) == parent.path and deletes_below(delete, last_segment(path))
        is_below = is_created_below or (
            child.path.startswith(f"{parent.path}/") and child.path.count("{") == parent.path.count("{") + 1
        )
        if (
            is_below
            and child.create is not None
            and child.read is not None
            and _documents_absence(child.read)
        ):
            yield child


def _check_children(
    subject: Subject, parent: Resource, delete: Operation, child: Resource, send: Send
) -> Iterator[CheckFailure]:
    """Create a resource below another one, delete that one, and look for the first."""
    owner = create_resource(subject, parent, send)
    below = with_resource_id(subject, parent, owner.id)
    created = create_resource(below, child, send)
    before = read_created(below, created, send)
    deleted = delete_created(subject, owner, delete, send)
    if not is_success(before) or not is_success(deleted) or deleted.status == ACCEPTED:
        raise Unsendable("a nested resource that can be read, whose parent is deleted at once")
    after = poll_until(
        partial(read_resource, below, child, created.id, send),
        send,
        lambda exchange: exchange.status in GONE_STATUSES,
    )
    if parent.read is not None and is_success(read_resource(subject, parent, owner.id, send)):
        raise Unsendable("a deleted resource that is not found any more")
    if is_success(after) and not is_from_cache(after):
        yield CheckFailure(
            title="a nested resource is read after its parent was deleted",
            message=f"{created.id!r} is read below {owner.id!r}, which DELETE got {deleted.status} for",
            operation=operation_label(delete),
            promise=response_location(delete, deleted),
            evidence=(owner.exchange, created.exchange, before, deleted, after),
        )


def _removes_at_once(delete: Operation) -> bool:
    """Return whether no word of a deletion says that it only marks a resource, or removes it later."""
    return not any(_MARKS_ONLY.search(text) for text in (delete.summary, delete.description))


def _documents_absence(reading: Operation) -> bool:
    return any(documents_exact_status(reading, status) for status in GONE_STATUSES)


def _page_with_deleted(subject: Subject, created: CreatedResource, send: Send) -> Exchange | None:
    """Return a page that lists the resource for longer than a deployment may take, None if none does."""
    listing = created.resource.listing
    if listing is None or not created.resource.key:
        return None
    target = list_target(subject, listing)

    def find_page() -> Exchange | None:
        for page in walk_pages(target, send, first_request(target, page_size_limits(listing)[1])).pages:
            if is_among(created, page.items):
                return page.exchange
        return None

    page_exchange = find_page()
    for pause_s in PAUSES_S if page_exchange is not None else ():
        send.wait(pause_s)
        page_exchange = find_page()
        if page_exchange is None:
            break
    return page_exchange


FAMILY = Family(
    name="deleted-things",
    summary="deleted resources are gone",
    words=CheckDescription(
        promise="A deleted resource returns 404 or 410 if the contract documents it, and appears in no list. "
        "If the contract documents neither, it is not both read and listed as before. "
        "Deleting it again causes no server error, and changing it gets 404 or 410 if that is documented. "
        "A restored one is what it was.",
        test="A resource is created, read, deleted, read, listed and changed again, and deleted twice: if the "
        "description states a status for that, or 410 for what was deleted, it must be that. The "
        "deployment has three seconds to remove it. A resource that remains and is marked as deleted "
        "passes, unless its list leaves out such ones by the words of the contract, and still shows it. A resource "
        "below a deleted one, and a content that a `PUT` stored there or that was uploaded with it, must be gone "
        "as well, if its reading documents 404 or 410; another one of the type must stay. A number that counts "
        "what is below a resource by its description must fall when "
        "one of them is deleted. “A client with orders cannot be deleted” is a rule if 409 is documented. "
        "An action that restores what was deleted is executed after a deletion: the resource is read as before. If its "
        "409 is for what is not deleted, it is tried before as well.",
        remedy="Delete from every store that reads and lists use.",
        sources=("RFC 9110 §9.3.5", "RFC 9110 §9.2.2"),
    ),
    needs="a resource that can be created and deleted",
    probes=probes,
    about_state=True,
)
