"""Resources that other accounts must not see: those the first account creates, and those derived from them."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.paging import LARGE_PAGE, Page, first_request, list_target, parse_page
from devportal.conformance.knowledge.resources.created_resources import (
    CreatedResource,
    is_allowed_id,
    poll_until,
)
from devportal.conformance.knowledge.resources.operation_resources import current_id, temporary_resource
from devportal.conformance.knowledge.resources.other_account import (
    contains_text,
    is_private,
    is_unique_id,
    private_resources,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Api, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Listing, Resource, object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.schema_rules import constraint_value
from devportal.documents import member_at

DEPTH = 3
"""How deep the items of a list are searched for identifiers."""


def derived_resources(subject: Subject) -> Iterator[Resource]:
    """Yield the resource types that are created as a side effect of others, such as events."""
    private = tuple(private_resources(subject))
    for resource in subject.resources:
        if resource in private or resource.read is None or resource.listing is None or not resource.key:
            continue
        is_own = is_private(subject, resource.read) and is_private(subject, resource.listing.operation)
        if is_own and mentions_private_resources(subject, resource.listing):
            yield resource


def mentions_private_resources(subject: Subject, listing: Listing) -> bool:
    """Return whether the items of a list can name private resources: a member has the name of their
    parameter, or a pattern that their identifiers match.
    """
    if listing.item is None:
        return False
    resources_with_ids = [
        (private_resource, current_id(subject, private_resource))
        for private_resource in private_resources(subject)
    ]
    return any(
        matches_any_name(name, (resource.parameter,)) or _matches_pattern(subject, schema, value)
        for name, schema in _nested_members(subject.api, listing.item, DEPTH)
        for resource, value in resources_with_ids
    )


@contextmanager
def findable_resource(subject: Subject, resource: Resource, send: Send) -> Iterator[CreatedResource]:
    """Create a resource whose identifier can be searched for. Raises Unsendable if none can be created."""
    with temporary_resource(subject, resource, send) as created:
        if not is_unique_id(created.id):
            raise Unsendable("identifiers that are unique across accounts")
        yield created


@contextmanager
def resources_of_each_kind(subject: Subject, send: Send) -> Iterator[tuple[CreatedResource, ...]]:
    """Create resources of all types, twice: some events come only if a subscriber exists before."""
    with ExitStack() as stack:
        created_resources: list[CreatedResource] = []
        for resource in (*private_resources(subject),) * 2:
            with suppress(Unsendable):
                created_resources.append(stack.enter_context(findable_resource(subject, resource, send)))
        yield tuple(created_resources)


@contextmanager
def derived_resource(subject: Subject, resource: Resource, send: Send) -> Iterator[CreatedResource]:
    """Yield a resource that was created as a side effect of others. Raises Unsendable if none is found."""
    listing = resource.listing
    if listing is None:
        raise Unsendable("a list of these resources")
    with resources_of_each_kind(subject, send) as causes:
        page = page_showing_any(subject, listing, causes, send)
        item = next((item for item in page.items if contains_any_id(item, causes)), None)
        value = member_at(item, resource.key)
        if (
            not isinstance(value, str)
            or not is_unique_id(value)
            or not is_allowed_id(subject, resource, value)
        ):
            raise Unsendable("a list that shows what the run caused")
        yield CreatedResource(resource=resource, id=value, sent_json=None, exchange=page.exchange)


def page_showing_any(
    subject: Subject, listing: Listing, created_resources: Sequence[CreatedResource], send: Send
) -> Page:
    """Wait until the first account has one of the resources in its list, and return the page: a list may lag
    behind.

    A list that is longer than a page, and does not show the newest first, is not read for that. Raises
    Unsendable if the list of the first account shows none of them at all.
    """
    target = list_target(subject, listing)
    request = first_request(target, largest_page_size(listing))

    def shows_any(exchange: Exchange) -> bool:
        page = parse_page(target, request, exchange)
        return page is None or page.next_request is not None or contains_any_id(page.items, created_resources)

    exchange = poll_until(lambda: send(listing.operation, request), send, shows_any)
    page = parse_page(target, request, exchange)
    if page is None or not shows_any(exchange):
        raise Unsendable("a list that shows what its own account created")
    return page


def contains_any_id(document: object, created_resources: Sequence[CreatedResource]) -> bool:
    """Return whether a JSON value names one of several resources."""
    return any(contains_text(document, created_resource.id) for created_resource in created_resources)


def largest_page_size(listing: Listing) -> int | None:
    """Return the largest page that the contract allows, None if it does not say."""
    schema = listing.limit.schema if listing.limit is not None else None
    most = constraint_value(schema, "maximum") if schema is not None else None
    return min(int(most), LARGE_PAGE) if most is not None else None


def _matches_pattern(subject: Subject, schema: Schema, value: str) -> bool:
    """Return whether a schema has a pattern, and identifiers like this one fit it."""
    has_pattern = any(constraint.keyword == "pattern" for constraint in schema.constraints)
    return has_pattern and bool(value) and subject.validator.is_valid(schema, value, Direction.RESPONSE)


def _nested_members(api: Api, schema: Schema, depth: int) -> Iterator[tuple[str, Schema]]:
    """Yield the members of a value with their names, nested ones down to a depth."""
    resolved = api.resolve(schema)
    within = [*resolved.one_of, *resolved.any_of, *((resolved.items,) if resolved.items is not None else ())]
    for property_ in object_properties(api, resolved):
        yield property_.name, api.resolve(property_.schema)
        within.append(property_.schema)
    for branch in within if depth else ():
        yield from _nested_members(api, branch, depth - 1)
