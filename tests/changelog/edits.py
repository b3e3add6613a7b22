"""Edits of the small contract that make several changes each: old and new, by what was done."""

from typing import Any

from tests.changelog.history import contract, put

SCHEMAS = ("components", "schemas")
STATE = (*SCHEMAS, "Parcel", "properties", "state")
OWNER = (*SCHEMAS, "Parcel", "properties", "owner")
BODY = ("paths", "/parcels", "post", "requestBody", "content", "application/json", "schema")
LISTED = {"type": "string", "enum": ["open", "lost"]}


def used_in_both_directions(version: str = "1.0.0") -> dict[str, Any]:
    """Return a contract whose clients send and receive the same schema."""
    return put(contract(version), *BODY, value={"$ref": "#/components/schemas/Parcel"})


def with_owner(data: dict[str, Any], owner: str) -> dict[str, Any]:
    """Return a contract whose parcels have an owner of a schema."""
    data = put(data, *SCHEMAS, "Person", value={"type": "object", "properties": {"name": {"type": "string"}}})
    company = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}, "vat": {}}}
    data = put(data, *SCHEMAS, "Company", value=company)
    return put(data, *OWNER, value={"$ref": f"#/components/schemas/{owner}"})


def with_branch(data: dict[str, Any], branch: str) -> dict[str, Any]:
    """Return a contract whose parcels have an owner of one of two kinds."""
    for name in ("cat", "dog", "cow"):
        schema = {
            "type": "object",
            "required": ["kind"],
            "properties": {"kind": {"type": "string", "enum": [name]}},
        }
        data = put(data, *SCHEMAS, name.capitalize(), value=schema)
    branches = [{"$ref": "#/components/schemas/Cat"}, {"$ref": f"#/components/schemas/{branch}"}]
    return put(data, *OWNER, value={"oneOf": branches})


def with_region(data: dict[str, Any], *values: str) -> dict[str, Any]:
    """Return a contract with a parameter that all operations of a path share."""
    region = {"name": "region", "in": "query", "schema": {"type": "string", "enum": list(values)}}
    return put(data, "paths", "/parcels", "parameters", value=[region])


def with_copies(data: dict[str, Any], *values: str) -> dict[str, Any]:
    """Return a contract with an enum that is written twice: for what clients send and for what they receive."""
    listed = {"type": "string", "enum": list(values)}
    data = put(data, *SCHEMAS, "NewParcel", "properties", "state", value=listed)
    return put(data, *STATE, value=listed)


BOTH = used_in_both_directions()
NEXT = used_in_both_directions("2.0.0")
EDITS = {
    "a removed value": (
        put(BOTH, *STATE, value=LISTED),
        put(NEXT, *STATE, value=LISTED | {"enum": ["open"]}),
    ),
    "a value in place of another": (
        put(BOTH, *STATE, value=LISTED),
        put(NEXT, *STATE, value=LISTED | {"enum": ["open", "gone"]}),
    ),
    "two bounds of one property": (
        BOTH,
        put(NEXT, *STATE, value={"type": "string", "minLength": 1, "maxLength": 5}),
    ),
    "a removed property": (
        put(BOTH, *SCHEMAS, "Parcel", "required", value=["state"]),
        put(NEXT, *STATE, value=None),
    ),
    "a property with another name": (
        put(BOTH, *SCHEMAS, "Parcel", "required", value=["state"]),
        put(
            put(put(NEXT, *STATE, value=None), *SCHEMAS, "Parcel", "required", value=["states"]),
            *SCHEMAS,
            "Parcel",
            "properties",
            "states",
            value={"type": "string"},
        ),
    ),
    "a reference to another schema": (with_owner(BOTH, "Person"), with_owner(NEXT, "Company")),
    "a branch in place of another": (with_branch(BOTH, "Dog"), with_branch(NEXT, "Cow")),
    "a value that is removed from two copies": (
        with_copies(contract(), "open", "lost"),
        with_copies(contract("2.0.0"), "open"),
    ),
    "a parameter that operations share": (with_region(BOTH, "eu", "us"), with_region(NEXT, "eu")),
}
