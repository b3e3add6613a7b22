"""Where the required inputs of operations come from: `campaign_id` is the `id` in the response of
`POST /v1/campaigns`.

A link of the contract states it (OAS 3.1 §4.8.20). Else the paths do: the last parameter of a path identifies
what its collection creates and lists (RFC 3986 §3.3). Else names and shared schemas do: `campaign_id` in a body
is what `/campaigns/{id}` takes, and so is a value with the same schema.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from devportal.contract.body_schemas import request_schema, success_schema
from devportal.contract.conventions import default_conventions, normalize_name, normalized_names
from devportal.contract.model import Api, Link, Operation, ParameterLocation
from devportal.contract.path_templates import last_segment, parent_path, placeholder_names, without_names
from devportal.contract.resources import (
    LINK_PREFIX,
    Listing,
    Resource,
    find_listings,
    find_resources,
    object_properties,
    unwrapped_schema,
)
from devportal.contract.schemas import ABSENT, Location, Schema
from devportal.contract.titles.nouns import make_singular
from devportal.contract.values.name_words import words_of_name
from devportal.contract.values.per_contract import PerContract

_LINK_TO_HEADER = "$response.header."
"""How the expression of a link to a header begins (OAS 3.1 §4.8.20.4)."""
BODY = "body"
MAX_SAME_NAMES = 3
"""How many responses with a member of one name are taken for its sources."""
_TYPES = frozenset({"string", "integer", "number"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueSource:
    """An operation whose response has a value: `member` leads to it in the body, `id`, `data[].id` or `[].id`,
    or else it is in the `header`.
    """

    operation: Operation
    member: str = ""
    header: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedInput:
    """A required input of an operation and its sources, the best first. `location` is that of a parameter
    (`path`, `query`), or `body`. `is_dead_end` if no response has a value, and the caller does not choose it,
    as that of a `PUT` which creates what it names.
    """

    name: str
    location: str
    sources: tuple[ValueSource, ...] = ()
    is_dead_end: bool = False


class ValueSources:
    """The sources of the inputs of one contract."""

    def __init__(self, api: Api) -> None:
        """Find links and resource types once."""
        self._api = api
        self._of: dict[Location, tuple[SourcedInput, ...]] = {}
        self._links: dict[Location, list[tuple[str, ValueSource]]] = {}
        self._resources: dict[str, Resource] = {}
        self._by_name: dict[str, list[Resource]] = {}
        self._by_schema: dict[Location, Resource] = {}
        targets = {
            name: operation.key for operation in api.operations for name in (operation.id, operation.location)
        }
        for operation in api.operations:
            for link, name, source in _linked_values(operation):
                target = targets.get(link.target or link.operation_id)
                if target is not None:
                    self._links.setdefault(target, []).append((name, source))
        lists = {listing.operation.key: listing for listing in find_listings(api, default_conventions())}
        for found in find_resources(api, default_conventions()):
            if found.read is not None and _is_part_of_list(api, found, lists.get(found.read.key)):
                continue
            resource = self._with_named_key(found)
            self._resources[without_names(resource.path)] = resource
            if not resource.key or (resource.create is None and resource.listing is None):
                continue
            for name in self._names_elsewhere(resource):
                self._by_name.setdefault(name, []).append(resource)
            identifier = self._identifier(resource, self._created_schema(resource))
            if identifier is not None and identifier.ref is not None:
                self._by_schema.setdefault(identifier.ref, resource)

    def of(self, operation: Operation) -> tuple[SourcedInput, ...]:
        """Return the inputs of an operation that have a source, in the order of the contract: found once."""
        known = self._of.get(operation.key)
        if known is None:
            known = tuple(input_ for input_ in self._inputs(operation) if input_.sources)
            self._of[operation.key] = known
        return known

    def dead_ends(self) -> Mapping[str, tuple[Operation, ...]]:
        """Return the names of path parameters that no operation returns a value for, each with its operations.

        Those with a list of values, a default or a constant need no source.
        """
        found: dict[str, list[Operation]] = {}
        for operation in self._api.operations:
            open_values = {
                parameter.name
                for parameter in operation.parameters
                if parameter.location_in is ParameterLocation.PATH and not self._is_known(parameter.schema)
            }
            for input_ in self._inputs(operation):
                if input_.is_dead_end and input_.location == "path" and input_.name in open_values:
                    found.setdefault(input_.name, []).append(operation)
        return {name: tuple(operations) for name, operations in found.items()}

    def _inputs(self, operation: Operation) -> Iterator[SourcedInput]:
        schemas = {
            parameter.name: parameter.schema
            for parameter in operation.parameters
            if parameter.location_in is ParameterLocation.PATH
        }
        for name in placeholder_names(operation.path):
            resource = self._resources.get(without_names(_path_to(operation.path, name)))
            derived = (
                self._sources_by_resource(resource, operation, schemas.get(name))
                or self._sources_by_resource(self._resource_named(name), operation, schemas.get(name))
                or self._sources_by_list(name, operation, schemas.get(name))
            )
            path_input = self._input(operation, name, "path", schemas.get(name), derived)
            is_chosen = resource is not None and resource.is_created_by_put
            yield replace(path_input, is_dead_end=False) if is_chosen else path_input
        for name, location, schema in self._required_values(operation):
            resource = self._by_schema.get(schema.ref) if schema is not None and schema.ref else None
            derived = self._sources_by_resource(
                resource or self._resource_named(name), operation, schema
            ) or self._sources_by_list(name, operation, schema)
            yield self._input(operation, name, location, schema, derived)

    def _input(
        self,
        operation: Operation,
        name: str,
        location: str,
        schema: Schema | None,
        derived: tuple[ValueSource, ...],
    ) -> SourcedInput:
        """Return an input with the sources that links state and those that are derived; without any, those that
        have a member with its name. If many have it, none of these is where the value comes from.
        """
        linked = self._links.get(operation.key, ())
        stated = [source for text, source in linked if text in (name, f"{location}.{name}")]
        sources = _independent((*stated, *derived), name)
        same_name = () if sources else self._with_same_name(operation, name, schema)
        return SourcedInput(
            name=name,
            location=location,
            sources=sources or (same_name if len(same_name) <= MAX_SAME_NAMES else ()),
            is_dead_end=not (sources or same_name),
        )

    def _required_values(self, operation: Operation) -> Iterator[tuple[str, str, Schema | None]]:
        """Yield name, location and schema of each required query parameter and member of a JSON body."""
        for parameter in operation.parameters:
            if parameter.required and parameter.location_in is ParameterLocation.QUERY:
                yield parameter.name, "query", parameter.schema
        body = request_schema(operation)
        if body is None:
            return
        required = _required_names(self._api, body)
        for member in object_properties(self._api, body):
            if member.name in required:
                yield member.name, BODY, member.schema

    def _names_elsewhere(self, resource: Resource) -> Iterator[str]:
        """Yield what the identifier of a resource is called in other requests, without separators: the parameter
        of its path, unless that is only `id`, and its collection with the member, such as `campaignid`.
        """
        key = normalize_name(resource.key[-1])
        parameter = normalize_name(resource.parameter)
        if parameter not in normalized_names(default_conventions().identifier):
            yield parameter
        segment = last_segment(parent_path(resource.path))
        whole = normalize_name(make_singular(segment)) + key
        if not segment.startswith("{") and whole != parameter:
            yield whole

    def _resource_named(self, name: str) -> Resource | None:
        """Return the one resource type that a name speaks of, the one with the shortest path of several."""
        found = sorted(self._by_name.get(normalize_name(name), ()), key=lambda item: item.path.count("/"))
        is_clear = len(found) == 1 or (len(found) > 1 and found[0].path.count("/") < found[1].path.count("/"))
        return found[0] if is_clear else None

    def _with_named_key(self, resource: Resource) -> Resource:
        """Return a resource type with the member as its key that its parameter is called after: `number` for
        `space_number`, `hostname` for `hostname`. Without such a member it has no key.
        """
        parameter = normalize_name(resource.parameter)
        words = normalized_names(default_conventions().identifier)
        is_compound = parameter not in words and parameter.endswith(tuple(words))
        wanted = _identifier_word(resource.parameter) or (parameter if is_compound else "")
        if not resource.key or not wanted or normalize_name(resource.key[-1]).endswith(wanted):
            return resource
        created = self._created_schema(resource)
        shown = created if created is not None else resource.listing.item if resource.listing else None
        members = object_properties(self._api, shown) if shown is not None else ()
        named = next((member.name for member in members if normalize_name(member.name) == wanted), "")
        return replace(resource, key=(named,) if named else ())

    def _with_same_name(
        self, operation: Operation, name: str, schema: Schema | None
    ) -> tuple[ValueSource, ...]:
        """Return the responses that have a member with the name and type of an input, if the name says what it
        identifies.
        """
        same_name = self._members.get(normalize_name(name), ())
        fitting = (source for source, member in same_name if self._types(schema) & self._types(member))
        created = [
            resource.value_key
            for resource in self._resources.values()
            if resource.create is not None and resource.create.key == operation.key
        ]
        return _independent(
            tuple(
                source
                for source in fitting
                if not _shows_what_is_created(source.operation, operation, created)
            ),
            name,
        )

    def _sources_by_list(
        self, name: str, operation: Operation, schema: Schema | None
    ) -> tuple[ValueSource, ...]:
        """Return the list whose items a name speaks of, if no path identifies one of them: `berth_id` is the `id` of
        an item of `GET /harbours/{id}/berths`. Of several lists, the one with the shortest path is meant.
        """
        found = sorted(
            (
                (source, member)
                for source, member in self._list_identifiers.get(normalize_name(name), ())
                if source.operation.key != operation.key and self._types(schema) & self._types(member)
            ),
            key=lambda item: item[0].operation.path.count("/"),
        )
        depths = [source.operation.path.count("/") for source, _ in found[:2]]
        is_clear = len(depths) == 1 or (len(depths) == 2 and depths[0] < depths[1])
        return (found[0][0],) if is_clear else ()

    @cached_property
    def _listings(self) -> tuple[Listing, ...]:
        return find_listings(self._api, default_conventions())

    @cached_property
    def _list_identifiers(self) -> Mapping[str, list[tuple[ValueSource, Schema]]]:
        """The identifiers of the items of lists, by the name of an item and the member without separators:
        `berthid`.
        """
        listed: dict[str, list[tuple[ValueSource, Schema]]] = {}
        identifiers = normalized_names(default_conventions().identifier)
        for listing in self._listings:
            segment = last_segment(listing.operation.path)
            members = object_properties(self._api, listing.item) if listing.item is not None else ()
            key = next((member for member in members if normalize_name(member.name) in identifiers), None)
            if key is None or segment.startswith("{"):
                continue
            source = ValueSource(
                operation=listing.operation, member=f"{'.'.join(listing.items)}[].{key.name}"
            )
            name = normalize_name(make_singular(segment)) + normalize_name(key.name)
            listed.setdefault(name, []).append((source, key.schema))
        return listed

    @cached_property
    def _members(self) -> Mapping[str, list[tuple[ValueSource, Schema]]]:
        """The members of all responses, and of the items of lists, by their names without separators: what
        creates something first.
        """
        members: dict[str, list[tuple[ValueSource, Schema]]] = {}
        lists = {listing.operation.key: listing for listing in self._listings}
        for operation in sorted(self._api.operations, key=lambda operation: operation.method != "POST"):
            listing = lists.get(operation.key)
            schema = listing.item if listing is not None else success_schema(operation)
            prefix = f"{'.'.join(listing.items)}[]." if listing is not None else ""
            for property_ in object_properties(self._api, schema) if schema is not None else ():
                if _identifier_word(property_.name):
                    source = ValueSource(operation=operation, member=f"{prefix}{property_.name}")
                    members.setdefault(normalize_name(property_.name), []).append((source, property_.schema))
        return members

    def _sources_by_resource(
        self, resource: Resource | None, operation: Operation, schema: Schema | None
    ) -> tuple[ValueSource, ...]:
        """Return what creates a resource and what lists it, if the identifier there has the type of the
        input; without the operation itself.
        """
        if resource is None or not resource.key:
            return ()
        types = self._types(schema)
        sources = []
        create, listing = resource.create, resource.listing
        if create is not None and create.key != operation.key and not resource.is_created_by_put:
            member = self._identifier(resource, self._created_schema(resource))
            if member is not None and types & self._types(member):
                names = (*((resource.envelope,) if resource.envelope else ()), *resource.key)
                sources.append(ValueSource(operation=create, member=".".join(names)))
        if listing is not None and listing.operation.key != operation.key:
            member = self._identifier(resource, listing.item)
            if member is not None and types & self._types(member):
                names = (f"{'.'.join(listing.items)}[]", *resource.key)
                sources.append(ValueSource(operation=listing.operation, member=".".join(names)))
        return tuple(sources)

    def _created_schema(self, resource: Resource) -> Schema | None:
        """Return the schema of the representation in the response of a creation."""
        schema = success_schema(resource.create) if resource.create is not None else None
        return unwrapped_schema(self._api, schema, resource.envelope) if schema is not None else None

    def _identifier(self, resource: Resource, schema: Schema | None) -> Schema | None:
        """Return the schema of the identifier in a representation, None if that has none."""
        for name in resource.key:
            members = object_properties(self._api, schema) if schema is not None else ()
            schema = next((member.schema for member in members if member.name == name), None)
        return schema

    def _types(self, schema: Schema | None) -> frozenset[str]:
        """Return the types that a schema allows, all that identifiers have if it says none."""
        types = self._api.resolve(schema).types if schema is not None else ()
        return frozenset(types) - {"null"} or _TYPES

    def _is_known(self, schema: Schema | None) -> bool:
        resolved = self._api.resolve(schema) if schema is not None else None
        return resolved is not None and bool(
            resolved.enum or resolved.default is not ABSENT or resolved.format.startswith(("date", "time"))
        )


value_sources_of = PerContract(ValueSources)
"""Returns the sources of the inputs of a contract, which are found once."""


def _identifier_word(name: str) -> str:
    """Return the word at the end of a name that says what it identifies: `id` of `ticketId` and `ticketid`, `name` of
    `user_name`. Empty for other names, such as `username`, and for `id` alone.
    """
    words = normalized_names(default_conventions().identifier)
    *before, last = words_of_name(name) or ("",)
    if last in words:
        return last if before else ""
    endings = (word for word in words if word.endswith("id") and last.endswith(word))
    return max(endings, key=len, default="")


def _is_part_of_list(api: Api, resource: Resource, read: Listing | None) -> bool:
    """Say whether what is at the path of a resource is a part of the list of its collection, with the same items: the
    parameter of `/repositories/{owner}` beside `/repositories` identifies none of them.
    """
    whole = resource.listing
    if read is None or whole is None or read.item is None or whole.item is None:
        return False
    is_same = api.resolve(read.item).location == api.resolve(whole.item).location
    return is_same and read.items == whole.items


def _linked_values(operation: Operation) -> Iterator[tuple[Link, str, ValueSource]]:
    """Yield each value that the links of an operation take from its responses: link, parameter and source."""
    for response in operation.successes:
        for link in response.links:
            for name, value in link.parameters:
                if isinstance(value, str) and value.startswith((LINK_PREFIX, _LINK_TO_HEADER)):
                    is_header = value.startswith(_LINK_TO_HEADER)
                    header = value.removeprefix(_LINK_TO_HEADER) if is_header else ""
                    member = "" if is_header else _member_name(value.removeprefix(LINK_PREFIX))
                    source = ValueSource(operation=operation, member=member, header=header)
                    yield link, name, source


def _shows_what_is_created(source: Operation, operation: Operation, created: list[str]) -> bool:
    """Return whether a source only shows what an operation creates: there, the value is the one that was sent."""
    path = source.path.rstrip("/")
    return source.key == operation.key or any(
        path in (parent_path(key).rstrip("/"), key) or path.startswith(f"{key}/") for key in created
    )


def _independent(sources: tuple[ValueSource, ...], name: str) -> tuple[ValueSource, ...]:
    """Return the sources that do not need the value themselves, each once: one that is stated stays."""
    first: dict[tuple[Location, str, str], ValueSource] = {}
    for source in sources:
        if normalize_name(name) not in map(normalize_name, placeholder_names(source.operation.path)):
            first.setdefault((source.operation.key, source.member, source.header), source)
    return tuple(first.values())


def _member_name(pointer: str) -> str:
    """Return what the end of a JSON pointer leads to: `data[].id` for `data/0/id`."""
    return re.sub(r"(?:^|\.)\d+(?=\.|$)", "[]", pointer.replace("/", "."))


def _path_to(path: str, name: str) -> str:
    """Return a path up to a parameter: `/a/{id}` of `/a/{id}/b`."""
    placeholder = f"{{{name}}}"
    return path[: path.index(placeholder) + len(placeholder)]


def _required_names(api: Api, schema: Schema) -> frozenset[str]:
    """Return the members that an object needs, by its own words and those of its `allOf`."""
    resolved = api.resolve(schema)
    names = set(resolved.required)
    for branch in resolved.all_of:
        names |= set(api.resolve(branch).required)
    return frozenset(names)
