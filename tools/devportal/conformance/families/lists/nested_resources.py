"""A nested resource belongs to its parent: it is neither read below another one nor in its list."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.lists.memberships import membership_probes
from devportal.conformance.families.lists.parent_lists import parent_list_probes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import status_failure
from devportal.conformance.knowledge.paging import first_request, list_target, page_size_limits, walk_pages
from devportal.conformance.knowledge.resources.created_resources import (
    create_resource,
    is_among,
    is_success,
    read_created,
    read_resource,
)
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.path_templates import is_below, parent_path
from devportal.contract.resources import Resource

NOT_FOUND = 404


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each resource type below another one that can be created too."""
    for parent, child in _nested_resources(subject):
        if child.read is not None:
            run = partial(_check_other_parent, subject, parent, child, child.read)
            yield Probe(operation=operation_label(child.read), run=run)
    yield from parent_list_probes(subject)
    yield from membership_probes(subject)


def _nested_resources(subject: Subject) -> Iterator[tuple[Resource, Resource]]:
    for child in subject.resources:
        collection = parent_path(child.path)
        parents = [
            resource
            for resource in subject.resources
            if resource.create and is_below(collection, resource.path)
        ]
        parent = max(parents, key=lambda parent: len(parent.path), default=None)
        is_tested = child.create is not None and child.read is not None
        if parent is not None and is_tested and child.read and documents_exact_status(child.read, NOT_FOUND):
            yield parent, child


def _check_other_parent(
    subject: Subject, parent: Resource, child: Resource, reading: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Create two parents and a resource below the first, and look for it below the second."""
    first, second = (create_resource(subject, parent, send) for _ in range(2))
    if first.id == second.id:
        raise Unsendable("two parents with different identifiers")
    below_first, below_second = (
        with_resource_id(subject, parent, created_resource.id) for created_resource in (first, second)
    )
    created = create_resource(below_first, child, send)
    own = read_created(below_first, created, send)
    if not is_success(own):
        raise Unsendable("a nested resource that can be read below its parent")
    other = read_resource(below_second, child, created.id, send)
    if is_success(other):
        message = f"{created.id!r} of {first.id!r} is read below {second.id!r}"
        title = "a nested resource is read below another parent"
        yield _failure(reading, title, message, first.exchange, second.exchange, created.exchange, other)
    elif child.listing is not None and child.key:
        target = list_target(below_second, child.listing)
        walk = walk_pages(target, send, first_request(target, page_size_limits(child.listing)[1]))
        page = next((page for page in walk.pages if is_among(created, page.items)), None)
        if page is not None:
            message = f"the list below {second.id!r} shows {created.id!r}, which belongs to {first.id!r}"
            title = "a list shows resources of another parent"
            listing = child.listing.operation
            yield _failure(
                listing, title, message, first.exchange, second.exchange, created.exchange, page.exchange
            )


def _failure(operation: Operation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    return status_failure(operation, NOT_FOUND, title, message, *evidence)


FAMILY = Family(
    name="nested-resources",
    summary="nested resources belong to their parent",
    words=CheckDescription(
        promise="A resource below another one is found below its parent only, by its identifier and in lists. "
        "A list below a resource has what a PUT puts into it, once, until a DELETE takes it out.",
        test="Two parents are created, and a resource below the first. It is read and listed below the second: "
        "the reading must not succeed, and the list must not show it. Where a list shows the resources of one parent, "
        "by its path or by a query parameter, resources are created for two parents: each list "
        "shows its own, and no others. Two resources are put into a list such as "
        "`/teams/{team_id}/members`, one of them twice, and that one is taken out again.",
        remedy="Look up nested resources by the identifiers of all their parents.",
        sources=("RFC 3986 §3.3", "RFC 9110 §15.5.5"),
    ),
    needs="a resource below another one, such as `/lists/{list_id}/tasks/{task_id}`, whose reading documents 404, or a "
    "list of the resources of one parent",
    probes=probes,
    about_state=True,
)
