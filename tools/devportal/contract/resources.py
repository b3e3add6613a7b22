"""Finds the resource types of an API in its paths: how one is created, read, changed, deleted and listed.

A path that ends in one parameter identifies a resource; the path before it is its collection (RFC 3986 §3.3:
a hierarchy). Links of the contract are the best source for the member that identifies it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.identifier_members import (
    IdentifierForm,
    assigned_member,
    identifier_names,
    member_with_pattern,
    path_parameter_form,
)
from devportal.contract.media_types import json_response_type
from devportal.contract.model import Api, Operation, Parameter, ParameterLocation, Response
from devportal.contract.path_templates import last_segment, parent_path, reference_names
from devportal.contract.read.references import merge_ref_siblings
from devportal.contract.schemas import Location, Property, Schema, are_alike
from devportal.contract.validate.schema_rules import constraint_value
from devportal.contract.values.per_contract import PerContract

METADATA_NAMES = ("metadata", "meta", "sys", "audit", "audit_info", "timestamps", "system_data")
"""Members with what the server keeps about a resource, such as its times."""
LINK_PREFIX = "$response.body#/"
CHANGE_METHODS = ("PUT", "PATCH")
CREATED = "201"
JSON_API_MEMBERS = frozenset({"type", "id", "attributes"})
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
STARTED = ("201", "202")
"""The statuses of a response that has the address of what was created or started."""


PAGE_SIZE = ("size",)
"""The parameter of Spring Data and others for the size of pages; elsewhere it may be a filter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """An operation that returns items. `items` leads to them in its response, empty if the response is the
    list itself. `next` leads to the cursor or address of the next page. Parameters that it does not have are
    None. `has_link` tells whether its response has a `Link` header (RFC 8288), which can lead to the next
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One resource type. `path` identifies one resource, `parameter` is the last one in it, `key` leads to
    its value in a representation (empty if no member is known). `is_key_sure` if the contract states that, by
    a link or by names; else it follows a common convention. `envelope` is the member of a response that holds
    the representation, empty if the response is the representation. `calls` are all operations that name it in
    their bodies, where these do and no path does (`contract.procedures`).
    """

    path: str
    parameter: str
    key: tuple[str, ...] = ()
    is_key_sure: bool = False
    envelope: str = ""
    create: Operation | None = None
    read: Operation | None = None
    changes: tuple[Operation, ...] = ()
    delete: Operation | None = None
    listing: Listing | None = None
    calls: tuple[Operation, ...] = ()

    @property
    def value_key(self) -> str:
        """Return the key of its identifier among the known values: the path up to the parameter."""
        return self.path.rstrip("/")

    @property
    def reference_names(self) -> tuple[str, ...]:
        """Return the names of members that hold its identifier: `author_id` too for `/authors/{id}`."""
        return reference_names(self.path)

    @property
    def is_started(self) -> bool:
        """Return whether a request of another path creates a resource, as one that starts a job does."""
        known = (self.value_key, parent_path(self.path))
        return self.create is not None and not self.calls and self.create.path.rstrip("/") not in known

    @property
    def is_created_by_put(self) -> bool:
        """Return whether the client chooses the address of a new resource."""
        return self.create is not None and self.create.path == self.path


def find_resources(api: Api, conventions: Conventions) -> tuple[Resource, ...]:
    """Return the resource types of an API, parents before children."""
    operations = _OperationsByPath(api)
    paths = [  # in the contract's order
        path
        for path in operations.by_path
        if _last_parameter(path) and not _is_collection(api, conventions, operations, path)
    ]
    ordered = sorted(paths, key=lambda path: path.count("/"))
    return tuple(_resource_at(api, conventions, operations, path) for path in ordered)


def nested_creation(api: Api, resource: Resource) -> Operation | None:
    """Return the POST that creates resources of a type below another one, if no other operation does:
    `/lists/{list_id}/tasks` for `/tasks/{task_id}` (shallow nesting). Its success has the schema of the reading, or
    the same one in its envelope. None if there is none, or several.
    """
    if resource.create is not None or resource.read is None:
        return None
    collection = last_segment(parent_path(resource.path))

    def representations(operation: Operation) -> Iterator[Location]:
        for schema in success_schemas(operation):
            yield api.resolve(schema).location
            yield api.resolve(unwrapped_schema(api, schema, resource.envelope)).location

    shown = frozenset(representations(resource.read))
    found = [
        operation
        for operation in api.operations
        if operation.method == "POST"
        and last_segment(operation.path) == collection
        and _last_parameter(parent_path(operation.path))
        and not collection.startswith("{")
        and not shown.isdisjoint(representations(operation))
    ]
    return found[0] if len(found) == 1 else None


def with_nested_collection(api: Api, resource: Resource, listings: Iterable[Listing]) -> Resource:
    """Return the resource type with its creation and list below another one: those of `/lists/{list_id}/tasks` for
    `/tasks/{task_id}` (`nested_creation`).
    """
    create = resource.create or nested_creation(api, resource)
    if create is None or last_segment(create.path) != last_segment(parent_path(resource.path)):
        return replace(resource, create=create)
    lists = (listing for listing in listings if listing.operation.path == create.path)
    return replace(resource, create=create, listing=resource.listing or next(lists, None))


def find_listings(api: Api, conventions: Conventions) -> tuple[Listing, ...]:
    """Return the operations that response with items, in the order of the contract."""
    found = (
        listing_of(api, conventions, operation) for operation in api.operations if operation.method == "GET"
    )
    return tuple(listing for listing in found if listing is not None)


class _OperationsByPath:
    """The operations of an API by their paths and methods. A slash at the end of a collection's path is left
    out.
    """

    def __init__(self, api: Api) -> None:
        self.by_path: dict[str, dict[str, Operation]] = {}
        self.by_collection: dict[str, dict[str, Operation]] = {}
        for operation in api.operations:
            self.by_path.setdefault(operation.path, {})[operation.method] = operation
            self.by_collection.setdefault(operation.path.rstrip("/"), {})[operation.method] = operation
        self._api = api

    @cached_property
    def parents(self) -> frozenset[str]:
        """The paths before those that end in a parameter."""
        return frozenset(parent_path(path) for path in self.by_path if _last_parameter(path))

    @cached_property
    def starts(self) -> tuple[tuple[Operation, Location], ...]:
        """The POST requests that respond with the address of what they start, each with the schema of its
        response. Those without parameters in their paths come first: they need no other resource.
        """
        posts = [operation for operation in self._api.operations if operation.method == "POST"]
        posts.sort(key=lambda operation: operation.path.count("{"))
        return tuple((post, schema) for post in posts for schema in _started_schemas(self._api, post))


def _is_collection(api: Api, conventions: Conventions, operations: _OperationsByPath, path: str) -> bool:
    """Return whether a path that ends in a parameter lists what the paths below it identify, as
    `/messages/{log_id}` beside `/messages/{log_id}/{id}` does, while nothing lists or creates it.
    """
    read = operations.by_path[path].get("GET")
    return (
        read is not None
        and parent_path(path) not in operations.by_collection
        and path in operations.parents
        and listing_of(api, conventions, read) is not None
    )


def _resource_at(api: Api, conventions: Conventions, operations: _OperationsByPath, path: str) -> Resource:
    collection, parameter = parent_path(path), _last_parameter(path)
    by_method = operations.by_path[path]
    collection_operations = operations.by_collection.get(collection, {})
    read = by_method.get("GET")
    create = (
        collection_operations.get("POST")
        or _creation_by_put(by_method.get("PUT"))
        or _creation_elsewhere(api, operations, path, read)
    )
    form = path_parameter_form(api, parameter, by_method.values())
    names = identifier_names(path)
    envelope = _envelope_of(api, conventions, names, form, read or create)
    listing = (
        listing_of(api, conventions, collection_operations["GET"]) if "GET" in collection_operations else None
    )
    item = listing.item if listing is not None and create is None else None
    key, is_sure = _id_member(api, conventions, names, form, envelope, create, read, item)
    return Resource(
        path=path,
        parameter=parameter,
        key=key,
        is_key_sure=is_sure,
        envelope=envelope,
        create=create,
        read=read,
        changes=tuple(by_method[method] for method in CHANGE_METHODS if method in by_method)
        or _changes_by_post(api, by_method),
        delete=by_method.get("DELETE"),
        listing=listing,
    )


def _changes_by_post(api: Api, by_method: Mapping[str, Operation]) -> tuple[Operation, ...]:
    """Return a POST to a resource that changes it, if the API has no other change: it takes a body, and
    responds with what reading does.
    """
    post, read = by_method.get("POST"), by_method.get("GET")
    if post is None or read is None or post.request_body is None:
        return ()
    shown, changed = (
        [api.resolve(schema).location for schema in success_schemas(operation)] for operation in (read, post)
    )
    return (post,) if shown and shown == changed else ()


def _creation_by_put(put: Operation | None) -> Operation | None:
    """Return a PUT that creates a resource at an address that the client chooses: it documents 201 (RFC 9110
    §9.3.4).
    """
    statuses = (response.status for response in put.responses) if put is not None else ()
    return put if CREATED in statuses else None


def _creation_elsewhere(
    api: Api, operations: _OperationsByPath, path: str, read: Operation | None
) -> Operation | None:
    """Return the POST of another path that starts a resource such as a job: it responds 201 or 202 with the same
    schema as the reading, and with its address in `Location` (RFC 9110 §15.3.3).
    """
    schemas = (
        {api.resolve(success_schema).location for success_schema in success_schemas(read)}
        if read is not None
        else set()
    )
    starts = operations.starts if schemas else ()
    return next(
        (
            operation
            for operation, schema in starts
            if schema in schemas and not f"{operation.path}/".startswith(f"{path}/")
        ),
        None,
    )


def _started_schemas(api: Api, operation: Operation) -> Iterator[Location]:
    for response in operation.successes:
        media_type = json_response_type(response.content)
        has_address = any(header.name.lower() == "location" for header in response.headers)
        schema = media_type.schema if media_type is not None else None
        if response.status in STARTED and has_address and schema is not None:
            yield api.resolve(schema).location


def _last_parameter(path: str) -> str:
    """Return the parameter that is the whole last segment of a path, empty if none is."""
    segment = last_segment(path)
    inner = segment[1:-1]
    is_parameter = segment.startswith("{") and segment.endswith("}") and "{" not in inner
    return inner if is_parameter else ""


def _id_member(
    api: Api,
    conventions: Conventions,
    own_names: tuple[str, ...],
    form: IdentifierForm | None,
    envelope: str,
    create: Operation | None,
    read: Operation | None,
    item: Schema | None,
) -> tuple[tuple[str, ...], bool]:
    """Return the path to the value of the parameter in a representation, and whether the contract states it.
    `own_names` has the name of the parameter, and then others that its path gives it.
    """
    parameter = own_names[0]
    linked = _member_from_link(create, read, parameter) if create is not None and read is not None else ()
    if linked:
        return (linked[1:] if linked[0] == envelope else linked), True
    operations = [operation for operation in (create, read) if operation is not None]
    shown = [member for operation in operations for member in _members(api, operation, envelope)]
    found = _id_among(api, conventions, own_names, form, shown)
    if found is None and item is not None:
        found = _id_among(api, conventions, own_names, form, [*object_properties(api, item)])
    if found is None:
        return _id_in_metadata(api, own_names, shown), False
    return (found[0],), found[1]


def _id_in_metadata(api: Api, own_names: tuple[str, ...], members: Sequence[Property]) -> tuple[str, ...]:
    """Return the path to a member of the metadata with one of the names, such as `metadata.name` of Kubernetes and
    `sys.id` of Contentful; empty without.
    """
    for holder in members:
        if matches_any_name(holder.name, METADATA_NAMES):
            for member in object_properties(api, holder.schema):
                if matches_any_name(member.name, own_names):
                    return holder.name, member.name
    return ()


def _id_among(
    api: Api,
    conventions: Conventions,
    own_names: tuple[str, ...],
    form: IdentifierForm | None,
    members: Sequence[Property],
) -> tuple[str, bool] | None:
    """Return the member with the identifier, and whether names state it, None if no member has it."""
    parameter = own_names[0]
    names = [member.name for member in members]
    matching = [name for name in names if name == parameter or matches_any_name(name, (parameter,))]
    if matching:
        return (parameter if parameter in matching else matching[0]), True
    same = member_with_pattern(api, members, form)
    if same:
        return same, False
    by_path = next((name for name in names if matches_any_name(name, own_names)), "")
    if by_path:
        return by_path, True
    by_convention = (
        name for wanted in conventions.identifier for name in names if matches_any_name(name, (wanted,))
    )
    found = next(by_convention, "") or assigned_member(api, members, form)
    return (found, parameter.lower().endswith(found.lower())) if found else None


def _member_from_link(create: Operation, read: Operation, parameter: str) -> tuple[str, ...]:
    """Return where a link of a response to `create` takes the parameter of `read` from."""
    for response in create.successes:
        for link in response.links:
            if link.target == read.location or link.operation_id == read.id:
                value = dict(link.parameters).get(parameter) or dict(link.parameters).get(f"path.{parameter}")
                if isinstance(value, str) and value.startswith(LINK_PREFIX):
                    return tuple(value.removeprefix(LINK_PREFIX).split("/"))
    return ()


def _members(api: Api, operation: Operation, envelope: str) -> Iterator[Property]:
    for schema in success_schemas(operation):
        yield from object_properties(api, unwrapped_schema(api, schema, envelope))


def success_schemas(operation: Operation) -> Iterator[Schema]:
    """Yield the schemas of the JSON bodies of an operation's successes."""
    for response in operation.successes:
        media_type = json_response_type(response.content)
        if media_type is not None and media_type.schema is not None:
            yield media_type.schema


def has_page_parameter(conventions: Conventions, operation: Operation) -> bool:
    """Return whether a parameter of an operation decides which page of a list it returns, or how long that is."""
    names = (*conventions.limit, *conventions.cursor, *conventions.page, *conventions.offset)
    return any(matches_any_name(parameter.name, names) for parameter in operation.parameters)


def unwrapped_schema(api: Api, schema: Schema, envelope: str) -> Schema:
    """Return the schema of the representation in a response: that of the `envelope` if the response has it."""
    members = object_properties(api, schema) if envelope else ()
    return next((member.schema for member in members if member.name == envelope), schema)


def _envelope_of(
    api: Api,
    conventions: Conventions,
    own_names: tuple[str, ...],
    form: IdentifierForm | None,
    operation: Operation | None,
) -> str:
    """Return the member of a response that holds the representation: the response has no identifier of its
    own, and exactly one of its members is an object with one. Its name is usual, or it stands alone.
    """
    schema = next(success_schemas(operation), None) if operation is not None else None
    members = tuple(object_properties(api, schema)) if schema is not None else ()
    names = (*own_names, *conventions.identifier)

    def has_identifier(shown: tuple[Property, ...]) -> bool:
        is_named = any(matches_any_name(member.name, names) for member in shown)
        return is_named or bool(member_with_pattern(api, shown, form) or assigned_member(api, shown, form))

    if has_identifier(members):
        return ""
    holders = [
        member.name for member in members if has_identifier(tuple(object_properties(api, member.schema)))
    ]
    is_envelope = len(holders) == 1 and (
        len(members) == 1 or matches_any_name(holders[0], conventions.envelope)
    )
    return holders[0] if is_envelope else ""


def object_properties(api: Api, schema: Schema) -> Iterator[Property]:
    """Yield the members of an object that a schema describes, those of its `allOf` too, and those that all branches
    of a union describe alike. The schema of a member that only wraps another one, in an `allOf` or in a union with
    null, has the keywords of that one.

    Each schema counts once, however many branches lead to it.
    """
    return _Members(api).of(schema)


class _Members:
    """The members of one object. The branches of its unions are read once each, however many unions have them."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._branches: dict[Location, tuple[Property, ...]] = {}

    def of(self, schema: Schema) -> Iterator[Property]:
        """Yield the members that a schema describes."""
        return self._new_members(schema, set(), set())

    def _new_members(
        self, schema: Schema, seen: set[Location], found: set[tuple[str, Location]]
    ) -> Iterator[Property]:
        """Yield the members of a schema, of its `allOf` and its unions, but for those of schemas that were seen, and
        those of unions that were found.
        """
        schema = self._api.resolve(schema)
        if schema.location in seen:
            return
        seen.add(schema.location)
        for property_ in schema.properties:
            inner = _unwrapped_member(self._api, property_.schema)
            found.add((property_.name, inner.location))
            yield property_ if inner is property_.schema else replace(property_, schema=inner)
        for branch in schema.all_of:
            yield from self._new_members(branch, seen, found)
        for union in (schema.one_of, schema.any_of):
            for property_ in self._shared_members(union, seen):
                key = property_.name, property_.schema.location
                if key not in found:
                    found.add(key)
                    yield property_

    def _shared_members(self, union: Sequence[Schema], seen: set[Location]) -> Iterator[Property]:
        """Yield the members that all branches of a union but null have with the same schema, as the `id` of each kind
        of payment. They are required if they are in all branches. A union with a schema that was seen has none.
        """
        kinds = [branch for branch in map(self._api.resolve, union) if not _is_null(branch)]
        if any(branch.location in seen for branch in kinds):
            return
        branches = [{property_.name: property_ for property_ in self._branch(branch)} for branch in kinds]
        for name, first in branches[0].items() if branches else ():
            others = [branch[name] for branch in branches[1:] if name in branch]
            if len(others) == len(branches) - 1 and all(
                are_alike(first.schema, other.schema) for other in others
            ):
                yield replace(first, required=first.required and all(other.required for other in others))

    def _branch(self, branch: Schema) -> tuple[Property, ...]:
        """Return the members of a branch of a union, none while they are being read: some unions contain themselves."""
        if branch.location not in self._branches:
            self._branches[branch.location] = ()
            self._branches[branch.location] = tuple(self._new_members(branch, set(), set()))
        return self._branches[branch.location]


def item_properties(api: Api, item: Schema) -> Iterator[Property]:
    """Yield the members of the items of a list, and those of their `attributes` if they are resources of JSON:API
    (§5.2).
    """
    members = tuple(object_properties(api, item))
    yield from members
    names = {member.name for member in members}
    if names >= JSON_API_MEMBERS:
        attributes = next(member for member in members if member.name == "attributes")
        yield from (
            member for member in object_properties(api, attributes.schema) if member.name not in names
        )


def _unwrapped_member(api: Api, schema: Schema) -> Schema:
    """Return the only schema of an `allOf`, or the only one of a union beside null, with the keywords beside it;
    any other schema itself. Contracts write `allOf` around a `$ref` to give it a description or `readOnly`, and
    a union to allow null.
    """
    if schema.types and schema.ref is None:  # most are so
        return schema
    return _unwrapped_members(api)(schema)


class _UnwrappedMembers:
    """The schemas of members without what only wraps them. Operations that return one object share them."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[int, tuple[Schema, Schema]] = {}

    def __call__(self, schema: Schema) -> Schema:
        if id(schema) not in self._known:  # a schema is kept, so that its id stays its own
            self._known[id(schema)] = schema, _unwrap_member(self._api, schema)
        return self._known[id(schema)][1]


_unwrapped_members = PerContract(_UnwrappedMembers)


def _unwrap_member(api: Api, schema: Schema) -> Schema:
    outer = api.resolve(schema)
    if outer.types or outer.enum or outer.properties:
        return schema
    union = outer.one_of or outer.any_of
    branches = outer.all_of if not union else () if outer.all_of else union
    inner = [subschema for subschema in map(api.resolve, branches) if not _is_null(subschema)]
    if len(inner) != 1:
        return schema
    merged = merge_ref_siblings(inner[0], replace(outer, all_of=(), one_of=(), any_of=()))
    return replace(merged, nullable=merged.nullable or len(branches) > 1)


def _is_null(schema: Schema) -> bool:
    """Return whether null is the only value of a schema."""
    return schema.enum == (None,) or schema.types == ("null",) or (schema.nullable and not schema.types)


def listing_of(api: Api, conventions: Conventions, operation: Operation) -> Listing | None:
    """Return how an operation lists items, None if it returns none."""
    success = next((success for success in operation.successes if json_response_type(success.content)), None)
    if success is None:
        return None
    member = _items_member(api, success, conventions)
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
        next=_next_page_member(api, success, conventions, cursor),
        page=_parameter_named(numeric, conventions.page),
        offset=_parameter_named(
            [parameter for parameter in numeric if _counts_from_zero(api, parameter, conventions.offset[:1])],
            conventions.offset,
        ),
        has_link=any(header.name.lower() == "link" for header in success.headers),
    )
    return listing if listing.limit is not None else _with_page_size(api, listing, numeric)


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
    api: Api, response: Response, conventions: Conventions
) -> tuple[tuple[str, ...], Schema | None] | None:
    """Return where the items of a response are: the response is the list, or exactly one member is, or one of an
    object around it.
    """
    media_type = json_response_type(response.content)
    if media_type is None or media_type.schema is None:
        return None
    schema = api.resolve(media_type.schema)
    if "array" in schema.types:
        return (), schema.items
    members = tuple(object_properties(api, schema))
    lists = _object_lists(api, members)
    if lists:
        return lists[0] if len(lists) == 1 else None
    holders = [member for member in members if _holds_items(api, member, conventions)]
    inner = [
        ((member.name, *names), item)
        for member in holders
        for names, item in _object_lists(api, tuple(object_properties(api, member.schema)))
    ]
    return inner[0] if len(inner) == 1 else None


def _object_lists(api: Api, members: tuple[Property, ...]) -> list[tuple[tuple[str, ...], Schema | None]]:
    """Return the names and the items of the members that are lists of objects."""
    resolved = [(member.name, api.resolve(member.schema)) for member in members]
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
    api: Api, response: Response, conventions: Conventions, cursor: Parameter | None
) -> tuple[str, ...]:
    """Return what leads to the next page: a cursor or an address, or the part of an object that the request takes as
    `cursor` or that is the address.
    """
    media_type = json_response_type(response.content)
    if media_type is None or media_type.schema is None:
        return ()
    parts = (*((cursor.name,) if cursor is not None else ()), *_ADDRESS_NAMES)
    for name in conventions.next_cursor:
        for names in dict.fromkeys(((name,), tuple(name.split(".")))):  # `@odata.nextLink` is one name
            path = _member_path(api, media_type.schema, names, parts)
            if path:
                return path
    around = [
        member
        for member in object_properties(api, media_type.schema)
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
