"""Lists × account: no list, filter or cursor shows another account what the first has created."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.security.tenant_resources import (
    findable_resource,
    largest_page_size,
    mentions_private_resources,
    page_showing_any,
    resources_of_each_kind,
)
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.paging import (
    first_request,
    list_target,
    page_size_limits,
    parse_page,
    walk_pages,
)
from devportal.conformance.knowledge.resources.created_resources import (
    GONE_STATUSES,
    CreatedResource,
    is_among,
    read_resource,
)
from devportal.conformance.knowledge.resources.operation_resources import temporary_resource
from devportal.conformance.knowledge.resources.other_account import (
    as_other_account,
    contains_text,
    is_private,
    is_unique_id,
    private_resources,
    require_authenticated,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Parameter, ParameterLocation
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Listing, Resource

RESOURCES = 3
"""How many resources are created for a cursor that leads to some of them."""


def list_probes(subject: Subject) -> Iterator[Probe]:
    """Yield probes for each list that shows or mentions private resources."""
    resources = tuple(private_resources(subject))
    for listing in subject.listings:
        if "{" in listing.operation.path or not is_private(subject, listing.operation):
            continue
        name = operation_label(listing.operation)
        own_resource = next((resource for resource in resources if _is_list_of(listing, resource)), None)
        if own_resource is not None:
            yield Probe(operation=name, run=partial(_check_whole_list, subject, listing, own_resource))
        elif mentions_private_resources(subject, listing):
            yield Probe(operation=name, run=partial(_check_whole_list, subject, listing, None))
        if own_resource is not None and listing.cursor is not None:
            yield Probe(operation=name, run=partial(_check_cursor, subject, listing, own_resource))
        for resource, parameter in _id_parameters(listing, resources):
            yield Probe(operation=name, run=partial(_check_search, subject, listing, resource, parameter))


def _is_list_of(listing: Listing, resource: Resource) -> bool:
    return resource.listing is not None and resource.listing.operation is listing.operation


def _id_parameters(listing: Listing, resources: tuple[Resource, ...]) -> Iterator[tuple[Resource, Parameter]]:
    """Yield the parameters of a list that select one resource."""
    for resource in resources:
        for parameter in listing.operation.parameters:
            if parameter.location_in is ParameterLocation.QUERY and matches_any_name(
                parameter.name, (resource.parameter,)
            ):
                yield resource, parameter


def _check_whole_list(
    subject: Subject, listing: Listing, own_resource: Resource | None, send: Send
) -> Iterator[CheckFailure]:
    """Read the whole list as the other account, for its own resource type, or else for all types."""
    with ExitStack() as stack:
        created_resources: tuple[CreatedResource, ...] = (
            stack.enter_context(resources_of_each_kind(subject, send))
            if own_resource is None
            else (stack.enter_context(_hidden_resource(subject, own_resource, send)),)
        )
        page_showing_any(subject, listing, created_resources, send)
        target = list_target(as_other_account(subject), listing)
        for page in walk_pages(target, send, first_request(target, largest_page_size(listing))).pages:
            for created in created_resources:
                is_shown = contains_text(page.items, created.id)
                if is_shown and (is_unique_id(created.id) or is_among(created, page.items)):
                    message = f"the first account created {created.id!r}, and the list of another shows it"
                    title = "a list shows things of another account"
                    yield _failure(listing, title, message, created, page.exchange)
                    return


@contextmanager
def _hidden_resource(subject: Subject, resource: Resource, send: Send) -> Iterator[CreatedResource]:
    """Create a resource whose identifier is not that of one of the other account as well: it is unique, or the other
    account does not find a resource by it. Raises Unsendable if there is none.
    """
    with temporary_resource(subject, resource, send) as created:
        if not is_unique_id(created.id):
            reading = read_resource(as_other_account(subject), resource, created.id, send)
            if reading.status not in GONE_STATUSES:
                raise Unsendable("identifiers that are unique across accounts")
        yield created


def _check_search(
    subject: Subject, listing: Listing, resource: Resource, parameter: Parameter, send: Send
) -> Iterator[CheckFailure]:
    """Search the list for the resource of the first account, as the other account."""
    with findable_resource(subject, resource, send) as created:
        page_showing_any(subject, listing, (created,), send)
        target = list_target(as_other_account(subject), listing)
        exchange = send(listing.operation, first_request(target, query={parameter.name: created.id}))
        page = parse_page(target, exchange.request, require_authenticated(exchange))
        if page is not None and any(contains_text(item, created.id) for item in page.items):
            message = f"{parameter.name}={created.id} finds for one account what another has made"
            yield _failure(listing, "a list finds things of another account", message, created, exchange)


def _check_cursor(
    subject: Subject, listing: Listing, resource: Resource, send: Send
) -> Iterator[CheckFailure]:
    """Follow the cursors of the first account as the other account: any page may have its resources."""
    with ExitStack() as stack:
        created_resources = [
            stack.enter_context(findable_resource(subject, resource, send)) for _ in range(RESOURCES)
        ]
        page_showing_any(subject, listing, created_resources, send)
        target, other_subject = list_target(subject, listing), as_other_account(subject)
        walk = walk_pages(target, send, first_request(target, page_size_limits(listing)[0]))
        following = [page.next_request for page in walk.pages if page.next_request is not None]
        if not following:
            raise Unsendable("a list with more than one page")
        for following_request in following:
            request = other_subject.reading(listing.operation, following_request.url)
            exchange = send(listing.operation, request)
            page = parse_page(list_target(other_subject, listing), request, require_authenticated(exchange))
            items = page.items if page is not None else []
            revealed = next((created for created in created_resources if is_among(created, items)), None)
            if revealed is not None:
                message = f"with a cursor of the first account, another sees {revealed.id!r} of the first"
                title = "a cursor shows things of another account"
                yield _failure(listing, title, message, revealed, exchange)
                return


def _failure(
    listing: Listing, title: str, message: str, created: CreatedResource, exchange: Exchange
) -> CheckFailure:
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(listing.operation),
        promise=listing.operation.location,
        evidence=(created.exchange, exchange),
    )
