"""Finds the resource types of an API in its paths: how one is created, read, changed, deleted and listed.

A path that ends in one parameter identifies a resource; the path before it is its collection (RFC 3986 §3.3:
a hierarchy). Links of the contract are the best source for the member that identifies it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from devportal.contract.body_schemas import success_schemas
from devportal.contract.conventions import Conventions
from devportal.contract.media_types import json_response_type
from devportal.contract.model import Api, Operation
from devportal.contract.path_templates import is_below, last_segment, parent_path, reference_names
from devportal.contract.resources.identifiers import (
    find_envelope,
    find_identifier,
    identifier_names,
    path_parameter_form,
)
from devportal.contract.resources.listings import Listing, listing_of
from devportal.contract.resources.object_properties import unwrapped_schema
from devportal.contract.schemas import Location

CHANGE_METHODS = ("PUT", "PATCH")
CREATED = "201"
STARTED = ("201", "202")
"""The statuses of a response that has the address of what was created or started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One resource type. `path` identifies one resource, `parameter` is the last one in it, `key` leads to
    its value in a representation (empty if no member is known). `is_key_sure` if the contract states that, by
    a link or by names; else it follows a common convention. `envelope` is the member of a response that holds
    the representation, empty if the response is the representation. `calls` are all operations that name it in
    their bodies, where these do and no path does (`contract.resources.procedures`).
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
        or _creation_of_unread(operations, path, read)
    )
    form = path_parameter_form(api, parameter, by_method.values())
    names = identifier_names(path)
    envelope = find_envelope(api, conventions, names, form, read or create)
    listing = (
        listing_of(api, conventions, collection_operations["GET"]) if "GET" in collection_operations else None
    )
    item = listing.item if listing is not None and create is None else None
    key, is_sure = find_identifier(api, conventions, path, form, envelope, create, read, item)
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
            if schema in schemas
            and operation.path.rstrip("/") != path.rstrip("/")
            and not is_below(operation.path, path)
        ),
        None,
    )


def _creation_of_unread(operations: _OperationsByPath, path: str, read: Operation | None) -> Operation | None:
    """Return the POST that creates resources below another one, such as `/posts/{post_id}/comments` for
    `/comments/{comment_id}`, which nothing reads: no schema shows what belongs together, so that there must be only
    one.
    """
    collection = parent_path(path)
    if read is not None or "{" in collection or collection in operations.by_collection:
        return None
    found = [
        by_method["POST"]
        for other_path, by_method in operations.by_collection.items()
        if "POST" in by_method
        and last_segment(other_path) == last_segment(collection)
        and _last_parameter(parent_path(other_path))
    ]
    return found[0] if len(found) == 1 else None


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
