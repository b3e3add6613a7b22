"""The fields of files that people write: from the schemas that check them."""

from typing import Any

import pytest

from devportal.manual.files import FILES, FileField, field_anchor, fields_of, file_fields
from devportal.markup.page import InsertProblem

from .test_rules import EMPTY

SCHEMA: dict[str, Any] = {
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "description": "The name of the authority.", "maxLength": 1000},
        "size": {"title": "How big it is.", "description": "write a number", "type": "integer", "minimum": 1},
        "kind": {"title": "Which one.", "description": "use box or bag", "enum": ["box", "bag"]},
        "owner": {"description": "Whose.", "$ref": "#/$defs/owner"},
        "lines": {
            "type": "array",
            "description": "What is in it.",
            "items": {"type": "object", "properties": {"day": {"type": "string", "format": "date"}}},
        },
        "marks": {"type": "object", "additionalProperties": {"description": "A mark.", "type": "boolean"}},
        "way": {"anyOf": [{"const": "air"}, {"properties": {"port": {"type": "string"}}}]},
    },
    "$defs": {"owner": {"description": "not this", "properties": {"id": {"type": "string"}}}},
}


def fields_by_name(schema: dict[str, Any]) -> dict[str, FileField]:
    return {field.name: field for field in fields_of(schema)}


def test_every_field_is_told_with_its_way() -> None:
    """Through references, lists, keys of any name, and the forms that a value may have."""
    assert list(fields_by_name(SCHEMA)) == [
        "name", "size", "kind", "owner", "owner.id", "lines", "lines[].day", "marks", "marks.…", "way",
        "way.port",
    ]  # fmt: skip


def test_what_is_known_of_a_value_is_told() -> None:
    """Whether it has to be there, its type, its values and its bounds; a reference's own words come first."""
    fields = fields_by_name(SCHEMA)

    assert fields["name"].facts == ("Has to be there.", "Text.", "At most 1,000 characters.")
    assert fields["size"].facts == ("A whole number.", "At least `1`.")
    assert fields["size"].text == "How big it is.\n\nwrite a number"
    assert (fields["kind"].text, fields["kind"].facts) == ("Which one.", ("One of `box`, `bag`.",))
    assert fields["owner"].text == "Whose."
    assert fields["lines"].facts == ("A list of mappings.",)
    assert fields["lines[].day"].facts == ("A day.",)


def test_a_file_that_is_one_list_is_told_by_its_items() -> None:
    """What holds them goes without saying."""
    schema = {"properties": {"boxes": {"type": "array", "items": {"properties": {"id": {"type": "string"}}}}}}

    assert list(fields_by_name(schema)) == ["id"]


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_field_of_ours_says_what_it_is(name: str) -> None:
    """No row without a word."""
    fields = list(fields_of(FILES[name]()))

    assert fields
    assert [field.name for field in fields if not field.text] == []


def test_fields_with_others_inside_can_have_headings() -> None:
    """Plain ones come first."""
    flat, headed = file_fields(EMPTY, ("redirects",)), file_fields(EMPTY, ("conformance-settings", "3"))

    assert isinstance(flat, str)
    assert isinstance(headed, str)
    assert "#" not in [line[:1] for line in flat.splitlines()]
    assert "\n### `webhooks` { #conformance-settings-webhooks }\n" in headed
    assert headed.index("[`site`]") < headed.index("### ")


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_field_has_a_place_of_its_own(name: str) -> None:
    """Keys of any name are part of it."""
    anchors = [field_anchor(name, field) for field in fields_of(FILES[name]())]

    assert len(anchors) == len(set(anchors))


@pytest.mark.parametrize("words", [(), ("nothing",), ("roles", "9"), ("roles", "2", "3")])
def test_a_file_that_is_not_there(words: tuple[str, ...]) -> None:
    """The answer lists those that are."""
    wrong = file_fields(EMPTY, words)

    assert isinstance(wrong, InsertProblem)
    assert "'roles'" in wrong.help
