"""Finds the member of a representation that holds the identifier of a path, and the member that holds the
representation.

The two need not have the same name: `/specimens/{number}` and `catalogueNumber` are one identifier if the contract
gives both the same pattern.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from devportal.contract.body_schemas import success_schema, success_schemas
from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.model import Api, Operation, ParameterLocation
from devportal.contract.path_templates import last_segment, parent_path, singular
from devportal.contract.resources.object_properties import object_properties, unwrapped_schema
from devportal.contract.schemas import Property, Schema
from devportal.contract.wording import name_words

METADATA_NAMES = ("metadata", "meta", "sys", "audit", "audit_info", "timestamps", "system_data")
"""Members with what the server keeps about a resource, such as its times."""
LINK_PREFIX = "$response.body#/"
RESOURCE_NAMES = ("name", "resource_name")
"""Members with the name of a resource in the sense of AIP-122, such as `events/42`."""
_LABELS = ("name", "number")
"""What identifies no resource that has links: Spring Data REST leaves identifiers out, and has them in the link of a
resource to itself.
"""
HAL_LINKS = "_links"
"""The member with the links of a resource (draft-kelly-json-hal-11 §4.1.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierForm:
    """What a schema says of the form of an identifier. Null is left out of `types`."""

    types: frozenset[str]
    pattern: str
    format: str


def path_parameter_form(api: Api, name: str, operations: Iterable[Operation]) -> IdentifierForm | None:
    """Return the form of a parameter of the path of some operations, None if none has a schema for it."""
    schemas = (
        parameter.schema
        for operation in operations
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.PATH and parameter.name == name
    )
    schema = next((schema for schema in schemas if schema is not None), None)
    return _form_of(api, schema) if schema is not None else None


def identifier_names(path: str) -> tuple[str, ...]:
    """Return the names that the member with the identifier of a path may have: that of the parameter, and that without
    the word for a resource of the collection: `systemSymbol` and `symbol` for `/systems/{systemSymbol}`.
    """
    parameter = last_segment(path)[1:-1]
    resource = name_words(singular(last_segment(parent_path(path))))
    words = name_words(parameter)
    is_qualified = bool(resource) and words[: len(resource)] == resource
    bare = "_".join(words[len(resource) :]) if is_qualified else ""
    return (parameter, bare) if bare else (parameter,)


def id_in_resource_name(path: str, value: object) -> str:
    """Return the identifier in the name of a resource, which is the end of its address (AIP-122): `42` for
    `/v1/events/{event}` and `events/42`. Empty if a value is not such a name.
    """
    segments = value.removeprefix("//").strip("/").split("/") if isinstance(value, str) else []
    pairs = [*zip(reversed(path.strip("/").split("/")), reversed(segments), strict=False)]
    is_name = len(pairs) > 1 and all(
        segment == step or (segment != "" and step.startswith("{")) for step, segment in pairs
    )
    return segments[-1] if is_name else ""


def resource_name_member(api: Api, members: Iterable[Property], path: str) -> str:
    """Return the member that holds the name of the resource of a path (AIP-122), by its description, pattern or
    examples; empty without.
    """
    prefixes = (f"{last_segment(parent_path(path))}/{mark}" for mark in ("{", "[", "*", "<"))
    marks = tuple(prefixes)
    for member in members:
        if matches_any_name(member.name, RESOURCE_NAMES):
            schema = api.resolve(member.schema)
            patterns = [str(item.value) for item in schema.constraints if item.keyword == "pattern"]
            texts = (member.schema.description, schema.description, *patterns)
            is_described = any(mark in text for mark in marks for text in texts)
            if is_described or any(id_in_resource_name(path, value) for value in schema.examples):
                return member.name
    return ""


def _member_with_pattern(api: Api, members: Iterable[Property], form: IdentifierForm | None) -> str:
    """Return the only member whose values have the pattern of an identifier, empty if none or several have it."""
    if form is None or not form.pattern:
        return ""
    return _only(member.name for member in members if _form_of(api, member.schema) == form)


def _assigned_member(api: Api, members: Iterable[Property], form: IdentifierForm | None) -> str:
    """Return the only whole number or UUID that the server assigns, if identifiers are such values: it is `readOnly`.
    Empty if none or several are.
    """
    if form is None or not ("integer" in form.types or form.format == "uuid"):
        return ""
    return _only(
        member.name
        for member in members
        if (member.schema.read_only or api.resolve(member.schema).read_only)
        and _form_of(api, member.schema) == form
    )


def _form_of(api: Api, schema: Schema) -> IdentifierForm:
    resolved = api.resolve(schema)
    patterns = [str(item.value) for item in resolved.constraints if item.keyword == "pattern"]
    return IdentifierForm(
        types=frozenset(resolved.types) - {"null"},
        pattern=next(iter(patterns), ""),
        format=resolved.format,
    )


def _only(names: Iterable[str]) -> str:
    several = [*dict.fromkeys(names)]
    return several[0] if len(several) == 1 else ""


def find_identifier(
    api: Api,
    conventions: Conventions,
    path: str,
    form: IdentifierForm | None,
    envelope: str,
    create: Operation | None,
    read: Operation | None,
    item: Schema | None,
) -> tuple[tuple[str, ...], bool]:
    """Return the path to the value of the last parameter of an address in a representation, and whether the contract
    states it.
    """
    own_names = identifier_names(path)
    parameter = own_names[0]
    linked = _member_from_link(create, read, parameter) if create is not None and read is not None else ()
    if linked:
        return (linked[1:] if linked[0] == envelope else linked), True
    operations = [operation for operation in (create, read) if operation is not None]
    shown = [member for operation in operations for member in _members(api, operation, envelope)]
    resource_name = resource_name_member(api, shown, path)
    found = (resource_name, True) if resource_name else _id_among(api, conventions, own_names, form, shown)
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
    same = _member_with_pattern(api, members, form)
    if same:
        return same, False
    by_path = next((name for name in names if matches_any_name(name, own_names)), "")
    if by_path:
        return by_path, True
    labels = _LABELS if HAL_LINKS in names else ()
    by_convention = (
        name
        for wanted in conventions.identifier
        for name in names
        if matches_any_name(name, (wanted,)) and not matches_any_name(name, labels)
    )
    found = next(by_convention, "") or _assigned_member(api, members, form)
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


def find_envelope(
    api: Api,
    conventions: Conventions,
    own_names: tuple[str, ...],
    form: IdentifierForm | None,
    operation: Operation | None,
) -> str:
    """Return the member of a response that holds the representation: the response has no identifier of its
    own, and exactly one of its members is an object with one. Its name is usual, or it stands alone.
    """
    schema = success_schema(operation) if operation is not None else None
    members = tuple(object_properties(api, schema)) if schema is not None else ()
    names = (*own_names, *conventions.identifier)

    def has_identifier(shown: tuple[Property, ...]) -> bool:
        is_named = any(matches_any_name(member.name, names) for member in shown)
        return is_named or bool(_member_with_pattern(api, shown, form) or _assigned_member(api, shown, form))

    if has_identifier(members):
        return ""
    holders = [
        member.name for member in members if has_identifier(tuple(object_properties(api, member.schema)))
    ]
    is_envelope = len(holders) == 1 and (
        len(members) == 1 or matches_any_name(holders[0], conventions.envelope)
    )
    return holders[0] if is_envelope else ""
