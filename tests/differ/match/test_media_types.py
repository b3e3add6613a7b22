"""Media types: which are the same, which cover others, and which belong together."""

import pytest

from devportal.contract import Location, MediaType
from devportal.differ.match.media_types import match_media, parse_media_name


def types(*names: str) -> tuple[MediaType, ...]:
    """Return media types without schemas."""
    return tuple(MediaType(name=name, location=Location("", ("content", name))) for name in names)


def test_names_are_read_whatever_their_spelling() -> None:
    """Case, spaces, quotes and the order of parameters say nothing."""
    assert parse_media_name('Text/HTML;level=1; CharSet="UTF-8"') == parse_media_name(
        "text/html; charset=utf-8; level=1"
    )
    assert str(parse_media_name("Text/CSV; Header=present")) == "text/csv; header=present"


@pytest.mark.parametrize(
    ("first", "other", "covers"),
    [
        ("*/*", "text/csv", True),
        ("text/*", "text/csv", True),
        ("text/*", "application/json", False),
        ("application/json", "application/vnd.x+json", True),
        ("application/vnd.x+json", "application/json", False),
        ("application/json", "model/gltf+json", False),
        ("application/json", "application/xml", False),
    ],
)
def test_what_covers_what(first: str, other: str, covers: bool) -> None:  # noqa: FBT001 - a plain fact
    """Ranges cover what is in them, JSON covers what is JSON and more."""
    assert parse_media_name(first).covers(parse_media_name(other)) is covers


def test_kinds_of_media_types() -> None:
    """Forms and plain text hold text, XML is neither, and JSON is JSON by its suffix too."""
    assert parse_media_name("multipart/form-data; boundary=x").is_form
    assert parse_media_name("text/csv").is_text
    assert not parse_media_name("text/xml").is_text
    assert parse_media_name("text/xml").is_xml
    assert parse_media_name("application/problem+json").is_json


def test_each_media_type_is_told_once() -> None:
    """What is kept, covered, gone or new is in one place only."""
    matching = match_media(
        types("application/json", "text/csv", "image/png"), types("text/*", "application/json")
    )

    assert [(old.name, new.name) for old, new in matching.kept] == [("application/json", "application/json")]
    assert [(old.name, new.name) for old, new in matching.widened] == [("text/csv", "text/*")]
    assert [media_type.name for media_type in matching.removed] == ["image/png"]
    assert matching.added == ()


def test_the_narrowest_range_stands_for_what_is_gone() -> None:
    """A consumer finds the old media type under the range that is nearest to it."""
    matching = match_media(types("text/csv", "*/*", "text/*"), types("*/*", "text/*"))

    assert [(old.name, new.name) for old, new in matching.absorbed] == [("text/csv", "text/*")]


def test_names_that_are_no_media_types_are_only_themselves() -> None:
    """Nothing is presumed of a name without a slash."""
    assert not parse_media_name("json").covers(parse_media_name("application/json"))
    assert parse_media_name("").kind == ""
