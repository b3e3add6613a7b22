"""Types and constraints in words."""

from typing import Any

import pytest

from devportal.contract import Schema
from devportal.reference.markup import inline_code
from devportal.reference.wording import constraint_facts, says_the_same, type_words
from devportal.translation import interface_of
from devportal.translation.catalogues import find_catalogue, load_interface

from .reading import api_from


def schema_of(schema: Any) -> tuple[Any, Schema]:
    """Return a contract with a schema, and the schema."""
    shared = {
        "Card": {"type": "object", "properties": {"a": {}}},
        "Bank": {"type": "object", "properties": {"a": {}}},
        "Code": {"type": "string", "format": "uuid"},
        "Loop": {"$ref": "#/components/schemas/Loop"},
        "Nested": {"type": "array", "items": {"$ref": "#/components/schemas/Nested"}},
        "Tree": {"additionalProperties": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}},
    }
    content = {"application/json": {"schema": schema}}
    paths = {"/a": {"get": {"responses": {"200": {"description": "x", "content": content}}}}}
    api = api_from({"paths": paths, "components": {"schemas": shared}})
    found = api.operations[0].responses[0].content[0].schema
    assert found is not None
    return api, found


CARD, BANK = {"$ref": "#/components/schemas/Card"}, {"$ref": "#/components/schemas/Bank"}


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "date-time"}, "string (date-time)"),
        ({"type": "string", "format": "string"}, "string"),
        ({"type": "boolean", "format": "Boolean"}, "boolean"),
        ({"type": "number", "format": "integer"}, "number (integer)"),
        ({"type": ["string", "null"], "format": "string"}, "string or null"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"type": ["string", "integer"]}, "string or integer"),
        (CARD, "Card"),
        ({"$ref": "#/components/schemas/Code"}, "string (uuid)"),
        ({"type": "array", "items": CARD}, "array of Card"),
        ({"type": "array"}, "array"),
        ({"type": ["array", "string"], "items": CARD}, "string or array of Card"),
        ({"type": ["array", "null"], "items": CARD}, "array of Card or null"),
        ({"type": "string", "items": CARD}, "string"),
        ({"items": CARD, "oneOf": [{"type": "array"}, {"type": "string"}]}, "array or string"),
        ({"type": ["object", "string", "integer"], "additionalProperties": CARD},
         "string or integer or map of Card"),
        ({"type": "string", "additionalProperties": CARD}, "string"),
        ({"prefixItems": [{"type": "string"}]}, "array"),
        ({"additionalProperties": {"type": "array", "items": BANK}}, "map of array of Bank"),
        ({"$ref": "#/components/schemas/Nested"}, "array of Nested"),
        ({"$ref": "#/components/schemas/Tree"}, "map of array of Tree"),
        ({"additionalProperties": {"$ref": "#/components/schemas/Nested"}}, "map of Nested"),
        ({"enum": ["a", 1, "b", None]}, "string or integer or null"),
        ({"enum": ["a", 1, True, [1]]}, "any"),
        ({"oneOf": [CARD, BANK]}, "Card or Bank"),
        ({"oneOf": [{"oneOf": [{"type": "string"}, {"type": "object"}]}, {"type": "string"}, CARD]},
         "string or object or Card"),
        ({"anyOf": [CARD, {"type": "null"}]}, "Card or null"),
        ({"oneOf": [{"type": item} for item in ("string", "integer", "boolean", "number", "object")]},
         "string, integer, boolean or 2 more"),
        ({"allOf": [CARD]}, "Card"),
        ({"allOf": [CARD, BANK]}, "object"),
        ({"allOf": [{"type": "string"}, {"maxLength": 3}]}, "string"),
        ({"enum": ["a", "b"]}, "string"),
        ({"const": 3}, "integer"),
        ({"enum": [1, "a"]}, "integer or string"),
        ({}, "any"),
        (True, "anything"),
        (False, "nothing"),
        ({"$ref": "#/components/schemas/Loop"}, "Loop (unresolved)"),
        ({"$ref": "#/components/schemas/Gone"}, "Gone (unresolved)"),
    ],
)  # fmt: skip
def test_type_in_words(schema: Any, words: str) -> None:
    """As people say it, by the names of shared schemas where they have some."""
    assert type_words(*schema_of(schema)) == words


@pytest.mark.parametrize(
    ("schema", "facts"),
    [
        ({"minLength": 1, "maxLength": 1600}, ["1 to 1,600 characters"]),
        ({"minLength": 3, "maxLength": 3}, ["exactly 3 characters"]),
        ({"maxLength": 1}, ["at most 1 character"]),
        ({"minItems": 1}, ["at least 1 item"]),
        ({"minLength": 0}, []),
        ({"maxProperties": 0}, ["at most 0 properties"]),
        ({"minimum": 0, "exclusiveMaximum": 10}, ["≥ 0 and < 10"]),
        ({"multipleOf": 0.5}, ["a multiple of 0.5"]),
        ({"pattern": "^a$"}, ["matches ^a$"]),
        ({"uniqueItems": True}, ["no duplicate items"]),
        ({"uniqueItems": False}, []),
        ({"additionalProperties": False}, ["no other properties"]),
        ({"contentEncoding": "base64"}, ["encoded as base64"]),
        ({"x-unit": "seconds"}, ["in seconds"]),
        ({"x-extensible-enum": ["sms", "mms"]}, ['open list; known values "sms", "mms"']),
        ({"x-extensible-enum": True}, ["open list: expect other values"]),
        ({"type": "array", "items": {"type": "string"}, "format": "csv"}, ["format csv"]),
        ({"additionalProperties": {"type": "string"}, "format": "labels"}, ["format labels"]),
        ({"type": "string", "format": "uuid"}, []),
        ({"type": "array", "format": "csv"}, []),
        ({"dependentRequired": {"a": ["b"]}}, ["some fields require others: a → b"]),
    ],
)
def test_rules_in_words(schema: dict[str, Any], facts: list[str]) -> None:
    """Bounds in one sentence, in the singular where it is one."""
    found = constraint_facts(schema_of(schema)[1])

    assert [constraint_fact.text for constraint_fact in found] == facts


def test_rules_that_are_beta_themselves_are_told_apart() -> None:
    """A pair of bounds of which one is beta is two rules."""
    schema = {
        "minLength": 1,
        "maxLength": 9,
        "minimum": 1,
        "maximum": 2,
        "minItems": 1,
        "maxItems": 2,
        "x-beta-keywords": ["maxLength", "maximum", "minItems", "maxItems"],
    }

    found = constraint_facts(schema_of(schema)[1])

    assert [(constraint_fact.label, constraint_fact.is_beta) for constraint_fact in found] == [
        ("at least 1 character", False),
        ("at most 9 characters", True),
        ("1 to 2 items", True),
        ("≥ 1", False),
        ("≤ 2", True),
    ]


def test_rules_of_items_are_marked() -> None:
    """What holds for each item says so."""
    (fact,) = constraint_facts(schema_of({"maxLength": 2})[1], of="item")

    assert fact.label == "each item: at most 2 characters"


@pytest.mark.parametrize(
    ("title", "name", "same"),
    [("Created At", "created_at", True), ("createdAt", "created_at", True), ("When", "created_at", False)],
)
def test_title_that_repeats_a_name(title: str, name: str, *, same: bool) -> None:
    """Only letters and digits count."""
    assert says_the_same(title, name) is same


def test_value_stands_where_the_language_has_it() -> None:
    """Verbs of some languages stand behind their objects."""
    _, schema = schema_of({"type": "string", "pattern": "^a$"})
    with interface_of(load_interface(find_catalogue("ja"))):
        (fact,) = constraint_facts(schema)

    assert fact.text == "^a$に一致"
    assert fact.with_values(fact.label, inline_code) == "<code>^a$</code>に一致"


@pytest.mark.parametrize(
    ("xml", "words"),
    [
        ({"attribute": True}, "Attribut in XML"),
        ({"name": "hund"}, "Element hund in XML"),
        ({"nodeType": "cdata"}, "cdata in XML"),
    ],
)
def test_kinds_of_nodes_have_words_of_the_language(xml: dict[str, Any], words: str) -> None:
    """Those that have some; German nouns have a capital."""
    _, schema = schema_of({"type": "string", "xml": xml})
    with interface_of(load_interface(find_catalogue("de"))):
        (fact,) = constraint_facts(schema)

    assert fact.text == words


def test_keyword_that_is_beta_is_said_even_where_it_makes_no_rule() -> None:
    """A limit bears the mark itself; the format stands in the type, which has no room for one."""
    _, schema = schema_of(
        {"type": "string", "format": "date", "maxLength": 9, "x-beta-keywords": ["maxLength", "format"]}
    )

    assert [
        (constraint_fact.label, constraint_fact.code)
        for constraint_fact in constraint_facts(schema)
        if constraint_fact.is_beta
    ] == [
        ("at most 9 characters", ""),
        ("keyword %(value)s", "format"),
    ]
