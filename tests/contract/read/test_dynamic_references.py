"""Dynamic references lead to the schemas that override their anchors (JSON Schema 2020-12 core §8.2.3.2)."""

from typing import Any

from devportal.contract import Schema
from tests.reference.reading import api_from, pages_of

PAGE = {
    "$id": "https://x.example/page",
    "type": "object",
    "properties": {"items": {"type": "array", "items": {"$dynamicRef": "#item"}}},
    "$defs": {"item": {"$dynamicAnchor": "item"}},
}
USER = {"$id": "https://x.example/user", "type": "object", "properties": {"id": {"type": "string"}}}


def schemas_of(**schemas: Any) -> dict[str, Schema]:
    """Return the schemas of a contract by name."""
    document = {"openapi": "3.1.0", "paths": {}, "components": {"schemas": schemas}}
    return {schema.name: schema for schema in api_from(document).schemas.values()}


def test_items_of_a_generic_page_are_those_of_the_schema_that_uses_it() -> None:
    """The page itself keeps items of any type."""
    anchor = {"$dynamicAnchor": "item", "$ref": "https://x.example/user"}
    users = {"$id": "https://x.example/users", "$ref": "https://x.example/page", "$defs": {"item": anchor}}

    schemas = schemas_of(Page=PAGE, User=USER, Users=users)

    (page,) = schemas["Users"].all_of
    assert page.properties[0].schema.items is not None
    assert page.properties[0].schema.items.ref == schemas["User"].location
    assert schemas["Page"].properties[0].schema.items is not None
    assert schemas["Page"].properties[0].schema.items.ref == schemas["item"].location


def test_children_of_an_extended_tree_are_extended_trees() -> None:
    """The anchor is at the extending schema itself."""
    children = {"type": "array", "items": {"$dynamicRef": "#node"}}
    tree = {"$id": "https://x.example/tree", "$dynamicAnchor": "node", "properties": {"children": children}}
    strict = {"$id": "https://x.example/strict", "$dynamicAnchor": "node", "$ref": "https://x.example/tree"}

    schemas = schemas_of(Tree=tree, Strict=strict)

    (copied,) = schemas["Strict"].all_of
    assert copied.properties[0].schema.items is not None
    assert copied.properties[0].schema.items.ref == schemas["Strict"].location


def test_generic_list_that_contains_itself_ends() -> None:
    """A static reference of a copy to itself stays in the copy."""
    below = {"value": {"$dynamicRef": "#item"}, "next": {"$ref": "#"}}
    chain = {
        "$id": "https://x.example/chain",
        "properties": below,
        "$defs": {"item": {"$dynamicAnchor": "item"}},
    }
    names = {
        "$id": "https://x.example/names",
        "$ref": "https://x.example/chain",
        "$defs": {"item": {"$dynamicAnchor": "item", "type": "string"}},
    }

    (copied,) = schemas_of(Chain=chain, Names=names)["Names"].all_of

    assert copied.properties[1].schema.ref == copied.location


def test_schema_that_uses_a_generic_one_links_to_it() -> None:
    """Its own page does: with the anchors overridden, it shows a copy of the generic schema."""
    anchor = {"$dynamicAnchor": "item", "$ref": "https://x.example/user"}
    users = {"$id": "https://x.example/users", "$ref": "https://x.example/page", "$defs": {"item": anchor}}
    more = {**users, "$id": "https://x.example/more", "properties": {"more": {"type": "boolean"}}}
    schemas = {"Page": PAGE, "User": USER, "Users": users, "More": more}

    pages = pages_of(api_from({"openapi": "3.1.0", "paths": {}, "components": {"schemas": schemas}}))

    for name in ("users", "more"):
        assert "Combines [Page](page.md)." in pages[f"reference/schemas/{name}.md"].markdown
