"""How the parts of form and multipart bodies are written, and what is read in them as text."""

from typing import Any

import pytest

from tests.differ.exchanges import body, found_in_event, operation_changes

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
PARTS = {
    "file": {"type": "string"},
    "tags": {"type": "array", "items": {"type": "string"}},
    "owner": {"type": "object", "properties": {"age": {"type": "integer"}}},
}


def form(encoding: Any = None, *, name: str = MULTIPART, parts: Any = None) -> dict[str, Any]:
    """Return an operation with a form."""
    schema = {"type": "object", "properties": parts or PARTS}
    return body({name: {"schema": schema, **({"encoding": encoding} if encoding else {})}})


def of_file(**told: Any) -> dict[str, Any]:
    """Return an operation with a multipart form in which this is said of the file."""
    return form({"file": told})


def with_header(*, required: bool, **more: Any) -> dict[str, Any]:
    """Return an operation with a multipart form whose file comes with a header."""
    return of_file(headers={"X-Sum": {"required": required, "schema": {"type": "string"}, **more}})


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("image/png, image/jpeg", "image/png", [("body.encoding.content-type.narrowed", "breaking")]),
        ("image/png", "image/jpeg,image/png", [("body.encoding.content-type.widened", "compatible")]),
        ("image/*", "image/png", [("body.encoding.content-type.narrowed", "breaking")]),
        ("image/png", "image/*", [("body.encoding.content-type.widened", "compatible")]),
        ("image/png", "image/gif", [("body.encoding.content-type.narrowed", "breaking")]),
        ("image/png,image/gif", "image/gif, image/png", []),
    ],
)
def test_media_types_of_a_part(old: str, new: str, expected: list[tuple[str, str]]) -> None:
    """A list of media types is judged by what it covers."""
    assert operation_changes(of_file(contentType=old), of_file(contentType=new)) == expected


def test_the_default_media_type_may_be_written_out() -> None:
    """A text is plain text, a list of texts too, an object JSON."""
    written = {
        "file": {"contentType": "text/plain"},
        "tags": {"contentType": "text/plain"},
        "owner": {"contentType": "application/json"},
    }

    assert operation_changes(form(), form(written)) == []


def test_lists_in_a_form_that_are_written_differently() -> None:
    """Style and explode count in URL-encoded forms, for lists; the defaults may be written out."""
    old = form(name=URLENCODED)

    assert operation_changes(old, form({"tags": {"explode": False}}, name=URLENCODED)) == [
        ("body.encoding.explode.changed", "breaking")
    ]
    assert operation_changes(old, form({"tags": {"style": "pipeDelimited"}}, name=URLENCODED)) == [
        ("body.encoding.style.changed", "breaking")
    ]
    assert operation_changes(old, form({"tags": {"style": "form", "explode": True}}, name=URLENCODED)) == []
    assert operation_changes(old, form({"file": {"explode": False}}, name=URLENCODED)) == []


def test_reserved_characters_in_a_form() -> None:
    """They may be sent as they are, or may no longer."""
    old, new = form(name=URLENCODED), form({"file": {"allowReserved": True}}, name=URLENCODED)

    assert operation_changes(old, new) == [("body.encoding.allow-reserved.on", "compatible")]
    assert operation_changes(new, old) == [("body.encoding.allow-reserved.off", "breaking")]


def test_headers_of_a_part() -> None:
    """A header that has to come breaks who sends none."""
    needed, free = with_header(required=True), with_header(required=False)

    assert operation_changes(form(), needed) == [("body.encoding.header.required-added", "breaking")]
    assert operation_changes(free, needed) == [("body.encoding.header.required-added", "breaking")]
    assert operation_changes(form(), free) == [("body.encoding.header.optional-added", "compatible")]
    assert operation_changes(needed, free) == [("body.encoding.header.became-optional", "compatible")]
    assert operation_changes(needed, form()) == [("body.encoding.header.removed", "risky")]
    assert operation_changes(free, with_header(required=False, description="New.")) == [
        ("body.encoding.header.text.changed", "documentation")
    ]
    assert found_in_event(needed, form()) == [("body.encoding.header.removed", "breaking")]


def test_a_part_that_goes_takes_its_encoding_along() -> None:
    """The property is the change, not how it was written."""
    left = {name: part for name, part in PARTS.items() if name != "file"}

    assert operation_changes(of_file(contentType="image/png"), form(parts=left)) == [
        ("schema.property.removed", "risky")
    ]


def test_fields_are_text_and_objects_in_fields_are_json() -> None:
    """A number in a field is a text already; within an object that is written as JSON it is none."""
    texts = {**PARTS, "count": {"type": "string"}}
    numbers = {**PARTS, "count": {"type": "integer"}}
    aged = {**PARTS, "owner": {"type": "object", "properties": {"age": {"type": "string"}}}}

    assert operation_changes(form(parts=numbers), form(parts=texts)) == [("schema.type.text", "compatible")]
    assert operation_changes(form(), form(parts=aged)) == [("schema.type.changed", "breaking")]
