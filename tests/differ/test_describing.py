"""A schema in a few words, as findings show it."""

from typing import Any

import pytest

from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.schemas.schema_descriptions import describe_schema
from tests.differ.building import api_with, schema_in

COMPONENTS = {"Message": {"type": "object"}}


def _words(schema: Any) -> str:
    api = api_with({"properties": {"value": schema}}, COMPONENTS)
    return str(describe_schema(SchemaNormaliser(api), (schema_in(api).properties[0].schema,)))


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "anything"),
        (False, "nothing"),
        ({"type": "string"}, "string"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"type": ["string", "integer"]}, "integer or string"),
        ({"type": "string", "format": "uuid"}, "string, format uuid"),
        ({"type": "string", "enum": ["a", "b"]}, "string, one of a, b"),
        ({"enum": ["", "a"]}, "string, one of '', a"),
        ({"type": "boolean", "enum": [True]}, "boolean, one of true"),
        ({"enum": [1, 2, 3, 4, 5]}, "integer, one of 1, 2, 3, 4, 5"),
        ({"enum": [1, 2, 3, 4, 5, 6]}, "integer, one of 1, 2, 3, 4, 5…"),
        ({"type": "array"}, "array"),
        ({"type": "array", "items": {"type": "integer"}}, "array of integer"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}, "array of array"),
        ({"$ref": "#/components/schemas/Message"}, "Message"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Message"}}, "array of Message"),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "one of 2 schemas"),
        ({"type": "null"}, "null"),
        ({"title": "A", "default": 1}, "anything"),
        ({"required": ["id"]}, "anything with required"),
        ({"minLength": 1, "pattern": "^a"}, "anything with minLength, pattern"),
        ({"not": {"type": "string"}}, "anything with not"),
    ],
)
def test_a_schema_is_told_in_a_few_words(schema: Any, words: str) -> None:
    """Its name says all; without one types, format and the first values do."""
    assert _words(schema) == words
