"""A fingerprint holds all that a change allows and refuses, not only the words that it is shown in."""

from typing import Any

import pytest

from devportal.contract import read_contract
from devportal.differ import compare
from devportal.differ.normalise.digest import SchemaEquality
from devportal.documents import parse_document, to_json


def _fingerprints(old: Any, new: Any, components: Any = None) -> dict[str, str]:
    """Return the fingerprints by rule between two schemas of a request body."""
    apis = []
    for schema in (old, new):
        body = {"required": True, "content": {"application/json": {"schema": schema}}}
        post = {"requestBody": body, "responses": {"204": {"description": "Made."}}}
        document = {
            "openapi": "3.1.0",
            "info": {"title": "T", "version": "1"},
            "paths": {"/things": {"post": post}},
            "components": {"schemas": components if schema is new and components else {}},
        }
        apis.append(read_contract(parse_document(to_json(document), name="api.json")).api)
    return {change.rule: change.fingerprint for change in compare(apis[0], apis[1]).changes}


def _with_code(code: Any) -> dict[str, Any]:
    return {"type": "object", "required": ["code"], "properties": {"code": code}}


@pytest.mark.parametrize(
    ("rule", "first", "other"),
    [
        (
            "schema.property.added.required",
            _with_code({"type": "string"}),
            _with_code({"type": "string", "maxLength": 1}),
        ),
        (
            "schema.not.set",
            {"type": "object", "not": {"required": ["a", "b"]}},
            {"type": "object", "not": {"required": ["a"]}},
        ),
        (
            "schema.property-names.set",
            {"type": "object", "propertyNames": {"pattern": "^a"}},
            {"type": "object", "propertyNames": {"pattern": "^ab"}},
        ),
    ],
)
def test_changes_that_read_alike_are_told_apart(rule: str, first: Any, other: Any) -> None:
    """What is pinned as one change is not the graver one that is shown in the same words."""
    old = {"type": "object"}

    assert _fingerprints(old, first)[rule] != _fingerprints(old, other)[rule]


def test_words_do_not_count() -> None:
    """A property that is described differently is the same change."""
    plain = _with_code({"type": "string"})
    told = _with_code({"type": "string", "description": "What was sent by text."})

    assert _fingerprints({"type": "object"}, plain) == _fingerprints({"type": "object"}, told)


def test_a_shared_schema_that_is_new_counts_with_all_it_says() -> None:
    """What a new property refers to is nowhere else told, if it is new as well."""
    new = _with_code({"$ref": "#/components/schemas/Code"})
    loose = {"Code": {"type": "string"}}
    tight = {"Code": {"type": "string", "pattern": "^[0-9]{6}$"}}
    rule = "schema.property.added.required"

    assert (
        _fingerprints({"type": "object"}, new, loose)[rule]
        != _fingerprints({"type": "object"}, new, tight)[rule]
    )


def test_the_order_of_properties_does_not_count() -> None:
    """A change keeps its fingerprint if properties that refer to shared schemas are written in another order."""
    components = {"Name": {"type": "string"}, "Count": {"type": "integer"}}
    references = {name: {"$ref": f"#/components/schemas/{name}"} for name in components}
    new = {"type": "object", "properties": references}
    reordered = {"type": "object", "properties": dict(reversed(references.items()))}

    first, second = (_fingerprints({"type": "string"}, item, components) for item in (new, reordered))

    assert first["schema.type.changed"] == second["schema.type.changed"]


def test_what_each_name_refers_to_counts() -> None:
    """Two shared schemas that trade their contents make another change of what refers to them."""
    names = ("One", "Other")
    contents = {"type": "string"}, {"type": "integer"}
    new = {"type": "object", "properties": {name: {"$ref": f"#/components/schemas/{name}"} for name in names}}

    first, second = (
        _fingerprints({"type": "string"}, new, dict(zip(names, order, strict=True)))
        for order in (contents, contents[::-1])
    )

    assert first["schema.type.changed"] != second["schema.type.changed"]


def test_the_order_of_keys_without_effect_does_not_count() -> None:
    """Properties of a text decide nothing, in whatever order they are written."""
    properties = {"a": {"type": "string"}, "b": {"type": "integer"}}
    old, new = (
        {"type": "string", "minLength": 1, "properties": dict(order)}
        for order in (properties.items(), reversed(properties.items()))
    )

    assert _fingerprints(old, new) == {}


def _equality(old: dict[str, Any], new: dict[str, Any], size: tuple[int, int]) -> bool:
    """Say whether a parameter is the same in two contracts that have a schema with other limits."""
    apis = []
    for parameter, most in zip((old, new), size, strict=True):
        document = {
            "openapi": "3.1.0",
            "info": {"title": "T", "version": "1"},
            "paths": {"/things": {"get": {"parameters": [parameter], "responses": {}}}},
            "components": {"schemas": {"Size": {"type": "integer", "maximum": most}}},
        }
        apis.append(read_contract(parse_document(to_json(document), name="api.json")).api)
    parameters = [api.operations[0].parameters[0] for api in apis]
    return SchemaEquality(*apis).are_parts_equal(*parameters)


@pytest.mark.parametrize(
    ("members", "other", "size", "is_equal"),
    [
        ({"schema": {"type": "string"}}, {"schema": {"type": "string"}}, (1, 2), True),
        ({"schema": {"type": "string"}}, {"schema": {"type": "integer"}}, (1, 1), False),
        ({"description": "One"}, {"description": "Other"}, (1, 1), False),
        ({"example": {"is": [1]}}, {"example": {"is": [True]}}, (1, 1), False),
        ({"schema": {"enum": [1]}}, {"schema": {"enum": [True]}}, (1, 1), False),
        ({"schema": {"items": {"enum": [1]}}}, {"schema": {"items": {"enum": [True]}}}, (1, 1), False),
        ({"schema": {"$ref": "#/components/schemas/Size"}}, {}, (1, 1), True),
        ({"schema": {"$ref": "#/components/schemas/Size"}}, {}, (1, 2), False),
    ],
)
def test_parts_are_equal_with_all_that_they_refer_to(
    members: dict[str, Any],
    other: dict[str, Any],
    size: tuple[int, int],
    is_equal: bool,  # noqa: FBT001
) -> None:
    """Texts count, `true` is not 1, and a reference leads to what may have changed."""
    head = {"name": "p", "in": "query"}

    assert _equality({**head, **members}, {**head, **members, **other}, size) is is_equal
