"""Tests of which forms can differ in words alone."""

from typing import Any

import pytest

from devportal.differ.schemas.text_changes import differ_in_texts_only
from tests.differ.building import form_of


def test_what_is_told_of_a_value_is_words() -> None:
    """Two texts of one length differ in words, whatever title, description and examples say."""
    old = form_of({"type": "string", "maxLength": 5, "description": "A name."})
    new = form_of({"type": "string", "maxLength": 5, "title": "Name", "examples": ["Ada"]})

    assert differ_in_texts_only(old, new)


def test_how_null_is_spelled_is_words() -> None:
    """Null by a keyword of OAS 3.0 and by a type of OAS 3.1 make one form."""
    old = form_of({"type": "string", "nullable": True}, version="3.0.3")

    assert differ_in_texts_only(old, form_of({"type": ["string", "null"]}))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "string"}, {"type": "string", "maxLength": 5}),
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"type": "integer"}, {"type": "number"}),
        ({"type": "string", "format": "date"}, {"type": "string"}),
        ({"type": "integer", "default": 1}, {"type": "integer", "default": True}),
        ({"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["a"]}),
        ({"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "string"}}),
        ({"properties": {"a": {}}}, {"properties": {"a": {}}}),
        ({"additionalProperties": {"type": "string"}}, {"additionalProperties": {"type": "string"}}),
        ({"not": {"type": "null"}}, {"not": {"type": "null"}}),
        ({"$ref": "#/components/schemas/Gone"}, {"$ref": "#/components/schemas/Gone"}),
    ],
)
def test_what_may_decide_is_more_than_words(old: Any, new: Any) -> None:
    """What allows other values is looked at closely, and so are defaults, lists and schemas within."""
    assert not differ_in_texts_only(form_of(old), form_of(new))
