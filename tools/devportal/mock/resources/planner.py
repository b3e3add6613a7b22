"""Makes the plan of a mock: finds the types of resources of a contract, and what each operation does with one.

Types are found as a conformance run finds them: by paths, links and schemas (`contract.resources`).
What a contract does not say is not guessed: such operations answer examples, and the start-up says which.
"""

from collections.abc import Iterator
from dataclasses import replace

from devportal.conformance.knowledge.requests.raw_bodies import content_download
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.conformance.webhooks.receiver_words import is_subscription
from devportal.contract import (
    Api,
    Operation,
)
from devportal.contract.conventions import Conventions, default_conventions, matches_any_name
from devportal.contract.media_types import is_json, is_xml
from devportal.contract.path_templates import last_segment, parent_path, placeholder_names, without_names
from devportal.contract.resources import (
    Listing,
    Resource,
    find_listings,
    find_resources,
    listing_of,
    nested_creation,
    object_properties,
)
from devportal.contract.resources.bulk_creations import BulkOperation, creation_of_item, find_bulk_operations
from devportal.contract.resources.flat_parameters import flat_parameters
from devportal.contract.resources.procedures import find_called_resources
from devportal.contract.wording import name_words
from devportal.mock.resources.body_schemas import (
    file_parts,
    first_request_schema,
    identifiers_member,
    identifiers_parameter,
    streamed_item,
)
from devportal.mock.resources.list_owners import owner_member, type_above
from devportal.mock.resources.plain_paths import bulk_method, plain_path, with_plain_paths
from devportal.mock.resources.plan import Assignment, OperationKey, Plan, ResourceType, Role
from devportal.mock.resources.postgrest_lists import takes_operators
from devportal.mock.resources.resource_types import ResourceTypes, representation_schema

_DELETE_WORDS = frozenset({"delete", "remove", "destroy"})
_UPDATE_WORDS = frozenset({"update", "updates", "edit", "edits", "modify", "modifies", "change", "changes"})
_FIND_WORDS = frozenset({"search", "query", "find", "filter", "lookup", "get", "fetch"})
_CHANGES = ("PUT", "PATCH")
_SAFE_OR_POST = ("GET", "POST", "QUERY")
_CREATED = ("201", "202")
_MATCHING = {"PATCH": Role.CHANGE_MATCHING, "DELETE": Role.DELETE_MATCHING}
_DELIVERY_WORDS = frozenset({"delivery", "deliveries", "attempt", "attempts"})


def make_plan(api: Api) -> Plan:
    """Return what each operation of a contract does."""
    return _Planner(api, default_conventions()).plan()


class _Planner:
    def __init__(self, api: Api, conventions: Conventions) -> None:
        self._original = api
        self._conventions = conventions
        self._api = replace(api, operations=tuple(with_plain_paths(api.operations)))
        self._originals = {
            _key(plain): original
            for original, plain in reversed([*zip(api.operations, self._api.operations, strict=True)])
        }
        flat = tuple(
            replace(operation, parameters=tuple(flat_parameters(api, operation)))
            for operation in self._api.operations
        )
        self._listings = {
            (listing.operation.method, listing.operation.path): listing
            for listing in find_listings(replace(self._api, operations=flat), conventions)
        }
        self._listings |= {
            key: listing for key, listing in self._stream_listings() if key not in self._listings
        }
        self._resource_types = ResourceTypes(self._api, conventions)
        self._types: dict[str, ResourceType] = {}
        self._roles: dict[OperationKey, tuple[Role, ResourceType]] = {}
        self._bulk: dict[OperationKey, BulkOperation] = {}
        self._owners: dict[OperationKey, tuple[str, ResourceType]] = {}

    def plan(self) -> Plan:
        for resource in find_resources(self._api, self._conventions):
            create = resource.create or nested_creation(self._api, resource)
            self._take_resource(replace(resource, create=create))
        for resource in find_called_resources(self._api):
            self._take_resource(resource)
        self._take_bulk_creations()
        self._take_bulk_deletions()
        self._take_searches()
        self._take_nested_lists()
        self._take_unaddressed()
        self._take_singles()
        self._take_matching()
        self._take_aliases()
        self._take_actions()
        self._take_formats()
        self._take_downloads()
        types = {path: self._with_original_paths(type_) for path, type_ in self._types.items()}
        self._types = types
        self._roles = {key: (role, types[type_.path]) for key, (role, type_) in self._roles.items()}
        assignments = dict(self._assignments())
        return Plan(
            api=self._original,
            conventions=self._conventions,
            types=tuple(self._types.values()),
            assignments=assignments,
        )

    def _stream_listings(self) -> Iterator[tuple[OperationKey, Listing]]:
        """Yield the lists that are streams of what a POST of their path creates."""
        created = {operation.path for operation in self._api.operations if operation.method == "POST"}
        for operation in self._api.operations:
            item = streamed_item(self._api, operation)
            if operation.method == "GET" and operation.path in created and item is not None:
                yield _key(operation), Listing(operation=operation, items=(), item=item)

    def _with_original_paths(self, kind: ResourceType) -> ResourceType:
        """Return a type whose operations have the paths of the contract, with the names of formats in them."""
        create, read = (
            self._originals[_key(operation)] if operation is not None else None
            for operation in (kind.create, kind.read)
        )
        return replace(kind, create=self._creation_of_one(create), read=read)

    def _assignments(self) -> Iterator[tuple[OperationKey, Assignment]]:
        for original, plain in zip(self._original.operations, self._api.operations, strict=True):
            role, kind = self._roles.get(_key(plain), (Role.EXAMPLE, None))
            is_list = role in (Role.LIST, Role.EXAMPLE, *_MATCHING.values())
            listing = self._listings.get(_key(plain)) if is_list else None
            own = kind.path if kind is not None and role not in (Role.LIST, Role.CREATE) else ""
            ancestors = tuple(
                type_
                for type_ in self._types.values()
                if type_.parameter
                and without_names(type_.path) != without_names(own)
                and _is_through(plain.path, type_.path)
            )
            yield (
                _key(original),
                Assignment(
                    operation=original,
                    role=role,
                    type=kind,
                    listing=listing,
                    bulk=self._bulk.get(_key(plain)),
                    owner=self._owners.get(_key(plain)),
                    ancestors=ancestors,
                ),
            )

    def _assign(self, operation: Operation | None, role: Role, kind: ResourceType) -> None:
        if operation is not None:
            self._roles.setdefault(_key(operation), (role, kind))

    def _take_resource(self, resource: Resource) -> None:
        listing = resource.listing or self._listings.get(("GET", parent_path(resource.path)))
        if resource.read is not None and self._is_list(resource.read):
            resource = replace(resource, read=None)
        if resource.read is None and resource.create is None and resource.delete is None and listing is None:
            return
        create = resource.create
        resource = replace(resource, create=self._creation_of_one(create))
        put = next((change for change in resource.changes if change.method == "PUT"), None)
        if put is not None and resource.create is None and resource.delete is not None:
            # A tag of a contact cannot be read, so the 404 of its PUT is about the contact, unless that updates it.
            verbs = {*name_words(put.id)[:1], *name_words(put.summary)[:1]}
            is_below = resource.read is None and len(placeholder_names(resource.path)) > 1
            is_of_parent = is_below and verbs.isdisjoint(_UPDATE_WORDS)
            is_refused = any(response.status == "404" for response in put.responses) and not is_of_parent
            resource = resource if is_refused else replace(resource, create=put)
        if resource.create is None and (post := self._creation_at(resource.path)) is not None:
            resource, create = replace(resource, create=post), post
        kind = self._resource_types.make(resource)
        self._types[kind.path] = kind
        self._assign(resource.read, Role.READ, kind)
        if not kind.is_created_by_put:
            self._assign_creation(create, kind)
        for change in resource.changes:
            self._assign(change, Role.REPLACE if change.method == "PUT" else Role.UPDATE, kind)
        self._assign(resource.delete, Role.DELETE, kind)
        if listing is not None:
            self._assign(listing.operation, Role.LIST, kind)
        for call in resource.calls:
            self._assign(call, Role.ACTION, kind)
        if resource.calls:
            self._take_called_list(kind)

    def _creation_at(self, path: str) -> Operation | None:
        """Return the POST that creates a resource at its own address, None without: `POST /buckets/{name}`."""
        posts = (item for item in self._api.operations if item.method == "POST" and item.path == path)
        return next((post for post in posts if documents_exact_status(post, 201)), None)

    def _creation_of_one(self, create: Operation | None) -> Operation | None:
        """Return a creation as that of one resource, if it takes a list of them."""
        return (creation_of_item(self._api, create) or create) if create is not None else None

    def _assign_creation(self, create: Operation | None, kind: ResourceType) -> None:
        is_of_several = create is not None and creation_of_item(self._api, create) is not None
        self._assign(create, Role.CREATE_MANY if is_of_several else Role.CREATE, kind)

    def _take_called_list(self, kind: ResourceType) -> None:
        """Take the procedure that lists what other procedures create: its items have the schema of the type."""
        for operation in self._api.operations:
            is_procedure = operation.method == "POST" and _key(operation) not in self._roles
            if is_procedure and parent_path(operation.path) == parent_path(kind.path):
                listing = listing_of(self._api, self._conventions, operation)
                if listing is not None and self._is_listed(listing, kind):
                    self._listings[_key(operation)] = listing
                    self._assign(operation, Role.LIST, kind)

    def _take_bulk_creations(self) -> None:
        resources = find_resources(self._api, self._conventions)
        for bulk in find_bulk_operations(self._api, self._api.operations, resources, first_request_schema):
            kind = self._types.get(bulk.resource.path.rstrip("/"))
            if kind is not None and kind.create is not None:
                self._bulk[_key(bulk.operation)] = bulk
                self._assign(bulk.operation, Role.CREATE_MANY, kind)

    def _take_bulk_deletions(self) -> None:
        """Take a POST that deletes several resources of a collection: `/things:batchDelete` or `/things/delete`, with
        identifiers in its body. So does a DELETE of the collection, with identifiers in its query or body.
        """
        for operation in self._api.operations:
            collection, name = bulk_method(operation.path)
            is_deletion = bool(set(name_words(name)) & _DELETE_WORDS) and operation.method == "POST"
            kind = self._type_in(collection if operation.method == "POST" else operation.path.rstrip("/"))
            has_names = (
                identifiers_member(self._api, operation) is not None
                or identifiers_parameter(self._api, operation) is not None
            )
            if kind is not None and has_names and (is_deletion or operation.method == "DELETE"):
                self._assign(operation, Role.DELETE_MANY, kind)

    def _take_searches(self) -> None:
        """Take what returns resources of a collection: `/things:search`, `/things:batchGet` or `/things/query`, or the
        method QUERY of the collection.
        """
        for operation in self._api.operations:
            collection, name = bulk_method(operation.path)
            if operation.method == "QUERY" and self._type_in(operation.path.rstrip("/")) is not None:
                collection = operation.path.rstrip("/")
            elif not set(name_words(name)) & _FIND_WORDS or operation.method not in _SAFE_OR_POST:
                continue
            kind = self._type_in(collection)
            listing = listing_of(self._api, self._conventions, operation)
            if kind is None or listing is None or not self._is_listed(listing, kind):
                continue
            self._listings[_key(operation)] = listing
            self._assign(operation, Role.LIST, kind)

    def _take_matching(self) -> None:
        """Take changes and deletions of all that fits the filters of a list with operators, as PostgREST has them."""
        for operation in self._api.operations:
            role = _MATCHING.get(operation.method)
            listing = self._listings.get(("GET", operation.path))
            listed = self._roles.get(("GET", operation.path))
            if role is None or listing is None or listed is None or not takes_operators(listing.operation):
                continue
            if listed[0] is Role.LIST:
                self._listings[_key(operation)] = listing
                self._assign(operation, role, listed[1])

    def _take_nested_lists(self) -> None:
        """Take what lists resources where they are created, below another one: `/sites/{site_id}/meters`."""
        nested = {
            without_names(kind.create.path): kind
            for kind in self._types.values()
            if kind.create is not None and kind.origin_names
        }
        for listing in self._listings.values():
            kind = nested.get(without_names(listing.operation.path))
            if kind is not None and self._is_listed(listing, kind):
                self._assign(listing.operation, Role.LIST, kind)

    def _is_listed(self, listing: Listing, kind: ResourceType) -> bool:
        """Say whether the items of a list have the schema of a type."""
        return (
            listing.item is not None
            and kind.schema is not None
            and self._api.resolve(listing.item).location == self._api.resolve(kind.schema).location
        )

    def _type_in(self, collection: str) -> ResourceType | None:
        """Return the type of the resources of a collection."""
        types = (
            type_
            for type_ in self._types.values()
            if type_.parameter and parent_path(type_.path) == collection
        )
        return next(types, None)

    def _take_formats(self) -> None:
        """Take a resource in another format, if it is at a path beside that of the resource: `/reports/{id}.pdf`."""
        for operation in self._api.operations:
            path = plain_path(operation.path)
            kind = self._types.get(path)
            if operation.method == "GET" and path != operation.path and kind is not None and kind.parameter:
                self._assign(operation, Role.READ, kind)

    def _take_downloads(self) -> None:
        """Take the reading of the content of a resource below it: `/files/{id}/content`, and of files of a form that
        created it: `/tracks/{id}/audio` of the part `audio`.
        """
        for kind in self._types.values():
            if not kind.parameter or kind.create is None:
                continue
            self._assign(content_download(self._api, kind.path), Role.READ, kind)
            parts = file_parts(self._api, kind.create)
            for operation in self._api.operations if parts else ():
                is_below = operation.method == "GET" and parent_path(operation.path) == kind.path
                if is_below and last_segment(operation.path) in parts and _returns_file(operation):
                    self._assign(operation, Role.READ, kind)

    def _is_list(self, read: Operation) -> bool:
        """Say whether what a path with a parameter at its end returns is a list: `/repositories/{user}`."""
        listing = self._listings.get(_key(read))
        return listing is not None and not listing.items

    def _take_unaddressed(self) -> None:
        """Take lists whose items have no path, and creations of what cannot be read by a path."""
        by_path: dict[str, dict[str, Operation]] = {}
        for operation in self._api.operations:
            by_path.setdefault(operation.path, {})[operation.method] = operation
        for path, operations in by_path.items():
            get, post = operations.get("GET"), operations.get("POST")
            listing = self._listings.get(_key(get)) if get is not None else None
            is_listed = listing is not None and _key(listing.operation) not in self._roles
            is_created = post is not None and _key(post) not in self._roles and "{" not in last_segment(path)
            if not is_listed and not (is_created and self._makes_something(post)):
                continue
            if is_created and not is_listed and self._is_below_resource(path):
                continue  # an action, rather
            self._take_collection(path, listing if is_listed else None, post if is_created else None)

    def _take_collection(self, path: str, listing: Listing | None, post: Operation | None) -> None:
        item = listing.item if listing is not None else None
        if (item is None or self._is_alias(listing)) and post is None:
            return
        create = self._creation_of_one(post)
        schema = item or representation_schema(self._api, create, "")
        names = (
            [property_.name for property_ in object_properties(self._api, schema)]
            if schema is not None
            else []
        )
        wanted = self._conventions.identifier
        key = next((name for text in wanted for name in names if matches_any_name(name, (text,))), "")
        kind = self._resource_types.complete(
            ResourceType(
                path=f"{path.rstrip('/')}/{{}}",
                key=(key,) if key else (),
                schema=schema,
                create=create,
                scope_names=placeholder_names(path),
                is_delivery_log=post is None and self._lists_deliveries(path),
            )
        )
        self._types[kind.path] = kind
        if listing is not None:
            self._assign(listing.operation, Role.LIST, kind)
        self._assign_creation(post, kind)

    def _lists_deliveries(self, path: str) -> bool:
        """Say whether a list is that of the deliveries to a subscribed receiver, or to all of them: by the words of its
        path.
        """
        if not set(name_words(last_segment(path))) & _DELIVERY_WORDS:
            return False
        subscribed = [
            operation.path
            for operation in self._api.operations
            if operation.method == "POST" and is_subscription(operation)
        ]
        return ("{" not in path and bool(subscribed)) or parent_path(parent_path(path)) in subscribed

    def _makes_something(self, post: Operation | None) -> bool:
        """Say whether a POST creates something: by its status, or since its response has an identifier that its
        request has not.
        """
        if post is None:
            return False
        if any(response.status in _CREATED for response in post.responses):
            return True
        schema = representation_schema(self._api, post, "")
        names = (
            [property_.name for property_ in object_properties(self._api, schema)]
            if schema is not None
            else []
        )
        return any(matches_any_name(name, self._conventions.identifier[:4]) for name in names)

    def _is_below_resource(self, path: str) -> bool:
        return parent_path(path) in self._types

    def _is_alias(self, listing: Listing | None) -> bool:
        return listing is not None and self._listed_type(listing) is not None

    def _listed_type(self, listing: Listing) -> ResourceType | None:
        """Return the type that another list shows too: by the schema of its items."""
        if listing.item is None:
            return None
        shown = self._api.resolve(listing.item).location
        return next(
            (
                type_
                for type_ in self._types.values()
                if type_.schema is not None
                and type_.parameter
                and not type_.scope_names
                and self._api.resolve(type_.schema).location == shown
            ),
            None,
        )

    def _take_aliases(self) -> None:
        """Take other lists of a type: of all, or of what belongs to a resource, such as `/customers/{id}/orders`. What
        nobody creates, and refers to none, may belong to any, if the list has no example.
        """
        for key, listing in self._listings.items():
            kind = self._listed_type(listing) if key not in self._roles else None
            if kind is None:
                continue
            if "{" not in listing.operation.path:
                self._roles[key] = Role.LIST, kind
                continue
            above = type_above(self._types.values(), listing.operation.path)
            name = owner_member(self._api, kind, listing.operation.path, above) if above is not None else ""
            is_of_any = kind.create is None and not _has_example(listing.operation)
            if above is not None and (name or is_of_any):
                self._roles[key] = Role.LIST, kind
            if above is not None and name:
                self._owners[key] = name, above

    def _take_singles(self) -> None:
        """Take what there is one of: a fixed path that is read, and changed by PUT or PATCH."""
        by_path: dict[str, dict[str, Operation]] = {}
        for operation in self._api.operations:
            by_path.setdefault(operation.path, {})[operation.method] = operation
        for path, operations in by_path.items():
            get = operations.get("GET")
            changes = [operations[method] for method in _CHANGES if method in operations]
            if get is None or not changes or _key(get) in self._roles or last_segment(path).startswith("{"):
                continue
            schema = representation_schema(self._api, get, "")
            kind = self._resource_types.complete(
                ResourceType(
                    path=path.rstrip("/"),
                    schema=schema,
                    is_single=True,
                    read=get,
                    scope_names=placeholder_names(path),
                )
            )
            self._types[kind.path] = kind
            self._assign(get, Role.READ, kind)
            for change in changes:
                self._assign(change, Role.REPLACE if change.method == "PUT" else Role.UPDATE, kind)
            self._assign(operations.get("DELETE"), Role.DELETE, kind)

    def _take_actions(self) -> None:
        for operation in self._api.operations:
            kind = self._types.get(parent_path(operation.path))
            is_fixed = "{" not in last_segment(operation.path)
            if (
                kind is not None
                and kind.parameter
                and is_fixed
                and operation.method in ("POST", "PUT", "PATCH")
            ):
                self._assign(operation, Role.ACTION, kind)


def _key(operation: Operation) -> OperationKey:
    return operation.method, operation.path


def _returns_file(operation: Operation) -> bool:
    """Say whether all that an operation returns are bodies that do not show members."""
    names = [media_type.name for response in operation.successes for media_type in response.content]
    return bool(names) and not any(is_json(name) or is_xml(name) for name in names)


def _is_through(path: str, resource_path: str) -> bool:
    """Say whether a path goes through a resource, or is at it. It may name the identifier otherwise."""
    bare = without_names(resource_path)
    return without_names(path) == bare or without_names(path).startswith(f"{bare}/")


def _has_example(operation: Operation) -> bool:
    """Say whether the contract gives an example of what an operation returns."""
    content = (media_type for response in operation.successes for media_type in response.content)
    return any(example.has_value for media_type in content for example in media_type.examples)
