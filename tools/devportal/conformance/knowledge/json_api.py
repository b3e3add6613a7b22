"""Resources of JSON:API 1.1 (§5.2) as plain objects: their `attributes` are members like any others."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from devportal.contract import Api, Schema
from devportal.contract.path_templates import last_segment, parent_path
from devportal.contract.resources import Resource, object_properties, unwrapped_schema

ATTRIBUTES = "attributes"
"""The member that holds what describes a resource (§7.2.2)."""

Identity = tuple[str, str]
"""The type and the identifier of a resource."""


def resource_identity(value: Any) -> Identity | None:
    """Return the identity of a resource or a resource identifier object (§7.3), None for other values."""
    match value:
        case {"type": str() as kind, "id": str() as key}:
            return kind, key
        case _:
            return None


def linked_resources(resource: Any) -> dict[str, tuple[Identity, ...]]:
    """Return what the relationships of a resource name by their `data` (§7.2.2.1), by the names of relationships."""
    relationships = resource.get("relationships") if isinstance(resource, dict) else None
    linked = {}
    for name, relationship in relationships.items() if isinstance(relationships, dict) else ():
        data = relationship.get("data") if isinstance(relationship, dict) else None
        found = map(resource_identity, data if isinstance(data, list) else [data])
        linked[name] = tuple(identity for identity in found if identity is not None)
    return linked


def resource_of_type(resources: Iterable[Resource], kind: str) -> Resource | None:
    """Return the resource type whose collection has the name of a type: `/authors/{id}` for `authors`."""
    named = (each for each in resources if last_segment(parent_path(each.path)) == kind)
    return next((each for each in named if each.read is not None), None)


def has_attributes(value: Any) -> bool:
    """Return whether a JSON value is a resource of JSON:API with attributes."""
    return isinstance(value, dict) and "type" in value and isinstance(value.get(ATTRIBUTES), dict)


def with_attributes_as_members(value: Any) -> Any:
    """Return a JSON value, with its attributes beside its other members if it is a resource of JSON:API."""
    if not has_attributes(value):
        return value
    return {**value[ATTRIBUTES], **{name: item for name, item in value.items() if name != ATTRIBUTES}}


def attributes_schema(api: Api, schema: Schema) -> Schema | None:
    """Return the schema of the attributes of a resource of JSON:API, None for other schemas."""
    members = {property_.name: property_.schema for property_ in object_properties(api, schema)}
    inner = members.get(ATTRIBUTES) if "type" in members else None
    return api.resolve(inner) if inner is not None else None


def relationship_names(api: Api, schema: Schema) -> tuple[str, ...]:
    """Return the names of the relationships of a resource of JSON:API, none for other schemas."""
    members = {property_.name: property_.schema for property_ in object_properties(api, schema)}
    inner = members.get("relationships") if {"type", "id"} <= members.keys() else None
    return tuple(property_.name for property_ in object_properties(api, inner)) if inner is not None else ()


def members_schema(api: Api, schema: Schema, envelope: str) -> Schema:
    """Return the schema of the representation in a body without its envelope, with the attributes of JSON:API as
    members.
    """
    unwrapped = api.resolve(unwrapped_schema(api, schema, envelope))
    attributes = attributes_schema(api, unwrapped)
    if attributes is None:
        return unwrapped
    others = tuple(
        property_ for property_ in object_properties(api, unwrapped) if property_.name != ATTRIBUTES
    )
    return replace(unwrapped, properties=others, all_of=(attributes,))


def replace_attributes(value: Mapping[str, Any], members: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a resource with other attributes: those of the members that are not beside them."""
    attributes = {name: member for name, member in members.items() if name not in value or name == ATTRIBUTES}
    return {**value, ATTRIBUTES: attributes}
