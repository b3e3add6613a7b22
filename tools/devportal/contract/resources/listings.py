"""Finds the operations of an API that list items, and how each is read page by page."""

from dataclasses import dataclass, replace

from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.media_types import json_response_type
from devportal.contract.model import Api, MediaType, Operation, Parameter, ParameterLocation
from devportal.contract.path_templates import last_segment
from devportal.contract.resources.object_properties import object_properties
from devportal.contract.schemas import Property, Schema
from devportal.contract.validate.schema_rules import constraint_value

HAL_EMBEDDED = "_embedded"
_PAGE_OBJECTS = (
    "meta",
    "metadata",
    "pagination",
    "paging",
    "page",
    "page_info",
    "links",
    "_links",
    "cursors",
)
"""Members of a list that hold what describes the page."""
_ADDRESS_NAMES = ("href", "url", "uri", "link")
"""What the address of a page is called in an object."""
_ITEMS_NAMES = ("data", "items", "results", "records", "value")
"""What the list of the items is called in a response that has other lists, such as facets or warnings."""
_JSON_API_INCLUDED = "included"
"""The member of a document of JSON:API with the resources that its `data` refers to (JSON:API 1.1 §7.1)."""
_LINKS = "links"
PAGE_SIZE = ("size",)
"""The parameter of Spring Data and others for the size of pages; elsewhere it may be a filter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """An operation that returns items. `items` leads to them in its response, empty if the response is the
    list itself. `next` leads to the cursor or address of the next page. Parameters that it does not have are
    None. `has_link` holds if its response has a `Link` header (RFC 8288), which can lead to the next
    page.
    """

    operation: Operation
    items: tuple[str, ...]
    item: Schema | None
    limit: Parameter | None = None
    cursor: Parameter | None = None
    next: tuple[str, ...] = ()
    page: Parameter | None = None
    offset: Parameter | None = None
    has_link: bool = False

    @property
    def has_pages(self) -> bool:
        """Return whether it can return more than one page."""
        by_cursor = self.cursor is not None and bool(self.next)
        by_link = self.has_link and self.limit is not None
        return by_cursor or by_link or self.page is not None or self.offset is not None


def find_listings(api: Api, conventions: Conventions) -> tuple[Listing, ...]:
    """Return the operations that response with items, in the order of the contract."""
    found = (
        listing_of(api, conventions, operation) for operation in api.operations if operation.method == "GET"
    )
    return tuple(listing for listing in found if listing is not None)


def has_page_parameter(conventions: Conventions, operation: Operation) -> bool:
    """Return whether a parameter of an operation decides which page of a list it returns, or how long that is."""
    names = (*conventions.limit, *conventions.cursor, *conventions.page, *conventions.offset)
    return any(matches_any_name(parameter.name, names) for parameter in operation.parameters)


def listing_of(api: Api, conventions: Conventions, operation: Operation) -> Listing | None:
    """Return how an operation lists items, None if it returns none."""
    success = next((success for success in operation.successes if json_response_type(success.content)), None)
    if success is None:
        return None
    media_type = json_response_type(success.content)
    schema = media_type.schema if media_type is not None else None
    member = _items_member(api, operation, schema, conventions)
    if member is None:
        return None
    items, item = member
    query = [
        parameter for parameter in operation.parameters if parameter.location_in is ParameterLocation.QUERY
    ]
    numeric = [parameter for parameter in query if _takes_number(api, parameter)]
    cursor = _parameter_named(
        [parameter for parameter in query if not _is_time(api, parameter)], conventions.cursor
    )
    listing = Listing(
        operation=operation,
        items=items,
        item=item,
        limit=_parameter_named(numeric, conventions.limit),
        cursor=cursor,
        next=_next_page_member(api, schema, conventions, cursor),
        page=_parameter_named(numeric, conventions.page),
        offset=_parameter_named(
            [parameter for parameter in numeric if _counts_from_zero(api, parameter, conventions.offset[:1])],
            conventions.offset,
        ),
        has_link=any(header.name.lower() == "link" for header in success.headers),
    )
    return listing if listing.limit is not None else _with_page_size(api, listing, numeric)


def listing_in(api: Api, conventions: Conventions, listing: Listing, media_type: MediaType) -> Listing:
    """Return a list as one media type of its response has it: an API may have a plain list beside one with links
    (JSON-LD, HAL, JSON:API). It is the same where the items are not found.
    """
    member = _items_member(api, listing.operation, media_type.schema, conventions)
    if member is None:
        return listing
    items, item = member
    next_page = _next_page_member(api, media_type.schema, conventions, listing.cursor)
    return replace(listing, items=items, item=item, next=next_page)


def _with_page_size(api: Api, listing: Listing, numeric: list[Parameter]) -> Listing:
    """Return a list whose pages have the size of the parameter `size`, as in Spring Data: it has pages, no other
    parameter for that, and no member of its items is a size.
    """
    members = object_properties(api, listing.item) if listing.item is not None else ()
    is_paged = listing.cursor is not None or listing.page is not None or listing.has_link
    if not is_paged or any(matches_any_name(member.name, PAGE_SIZE) for member in members):
        return listing
    return replace(listing, limit=_parameter_named(numeric, PAGE_SIZE))


def _items_member(
    api: Api, operation: Operation, written: Schema | None, conventions: Conventions
) -> tuple[tuple[str, ...], Schema | None] | None:
    """Return where the items of a response are: the response is the list, or exactly one member is, or one of an
    object around it. Of several lists, the one is meant that has the name of the path or a common name for items.
    """
    if written is None:
        return None
    schema = api.resolve(written)
    if "array" in schema.types:
        return (), schema.items
    members = tuple(object_properties(api, schema))
    lists = _object_lists(api, members)
    if len(lists) > 1 and last_segment(operation.path).lower() != _LINKS:
        lists = [found for found in lists if not _are_links(api, *found)]
    if len(lists) > 1:
        named = (last_segment(operation.path), *_ITEMS_NAMES)
        lists_of_items = [found for found in lists if matches_any_name(found[0][0], named)]
        return lists_of_items[0] if len(lists_of_items) == 1 else None
    if lists:
        return lists[0]
    holders = [member for member in members if _holds_items(api, member, conventions)]
    inner = [
        ((member.name, *names), item)
        for member in holders
        for names, item in _object_lists(api, tuple(object_properties(api, member.schema)))
    ]
    return inner[0] if len(inner) == 1 else None


def _are_links(api: Api, path: tuple[str, ...], item: Schema | None) -> bool:
    """Return whether a list has links to pages and other resources, as documents of GeoJSON have them (RFC 8288)."""
    members = object_properties(api, item) if item is not None else ()
    return path[-1].lower() == _LINKS and any(member.name == "href" for member in members)


def _object_lists(api: Api, members: tuple[Property, ...]) -> list[tuple[tuple[str, ...], Schema | None]]:
    """Return the names and the items of the members that are lists of objects, but for what a document of JSON:API
    includes.
    """
    is_document = any(member.name == "data" for member in members)
    resolved = [
        (member.name, api.resolve(member.schema))
        for member in members
        if not (is_document and member.name == _JSON_API_INCLUDED)
    ]
    return [
        ((name,), schema.items)
        for name, schema in resolved
        if "array" in schema.types and _is_object(api, schema.items)
    ]


def _holds_items(api: Api, member: Property, conventions: Conventions) -> bool:
    """Return whether a member is an object around the items of a list: `_embedded` of HAL (draft-kelly-json-hal-11
    §4.1.2), or an envelope that has nothing else than what describes the page.
    """
    if member.name == HAL_EMBEDDED:
        return True
    around = (
        *conventions.total, *conventions.page_count, *conventions.next_cursor, *conventions.limit, *PAGE_SIZE,
        *conventions.offset, *conventions.page,
    )  # fmt: skip
    return matches_any_name(member.name, conventions.envelope) and all(
        matches_any_name(inner.name, around) or "array" in api.resolve(inner.schema).types
        for inner in object_properties(api, member.schema)
    )


def _is_object(api: Api, schema: Schema | None) -> bool:
    if schema is None:
        return False
    schema = api.resolve(schema)
    return "object" in schema.types or bool(schema.properties or schema.all_of or schema.one_of)


def _parameter_named(parameters: list[Parameter], names: tuple[str, ...]) -> Parameter | None:
    """Return the parameter with the likeliest of several names."""
    for name in names:
        for parameter in parameters:
            if matches_any_name(parameter.name, (name,)):
                return parameter
    return None


def _takes_number(api: Api, parameter: Parameter) -> bool:
    types = api.resolve(parameter.schema).types if parameter.schema is not None else ()
    return not types or bool({"integer", "number"} & set(types))


def _is_time(api: Api, parameter: Parameter) -> bool:
    """Return whether a parameter takes a time, as some parameters with the name of a cursor do."""
    return parameter.schema is not None and api.resolve(parameter.schema).format.startswith("date")


def _counts_from_zero(api: Api, parameter: Parameter, first: tuple[str, ...]) -> bool:
    """Return whether a parameter counts from 0, by its schema or by the likeliest name: else it may be a time
    to start from.
    """
    if parameter.schema is None:
        return True
    schema = api.resolve(parameter.schema)
    return (
        schema.default == 0
        or constraint_value(schema, "minimum") == 0
        or matches_any_name(parameter.name, first)
    )


def _next_page_member(
    api: Api, schema: Schema | None, conventions: Conventions, cursor: Parameter | None
) -> tuple[str, ...]:
    """Return what leads to the next page: a cursor or an address, or the part of an object that the request takes as
    `cursor` or that is the address.
    """
    if schema is None:
        return ()
    parts = (*((cursor.name,) if cursor is not None else ()), *_ADDRESS_NAMES)
    for name in conventions.next_cursor:
        for names in dict.fromkeys(((name,), tuple(name.split(".")))):  # `@odata.nextLink` is one name
            path = _member_path(api, schema, names, parts)
            if path:
                return path
    around = [
        member
        for member in object_properties(api, schema)
        if matches_any_name(member.name, (*_PAGE_OBJECTS, *conventions.envelope))
    ]
    for member in around:
        for name in conventions.next_cursor:
            path = _member_path(api, member.schema, (name,), parts) if "." not in name else ()
            if path:
                return (member.name, *path)
    return ()


def _member_path(api: Api, schema: Schema, names: tuple[str, ...], parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path to a member, in the contract's spelling of its names; empty if there is none. One that is an
    object is left for the first of the `parts` that it has.
    """
    for property_ in object_properties(api, schema):
        if matches_any_name(property_.name, names[:1]):
            below = _member_path(api, property_.schema, names[1:], parts) if len(names) > 1 else ()
            if len(names) == 1:
                return (property_.name, *_part_of_object(api, property_.schema, parts))
            return (property_.name, *below) if below else ()
    return ()


def _part_of_object(api: Api, schema: Schema, parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path to the first of some parts that an object has, such as the address of a link of HAL; empty for
    other members.
    """
    is_text = "string" in api.resolve(schema).types
    names = () if is_text else tuple(member.name for member in object_properties(api, schema))
    return next(((name,) for part in parts for name in names if name == part), ())
