"""Media types and what clients accept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecom.sandbox.api.request_reading import MediaRange, accepts, accepts_any, parse_media_range


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("application/json", "application/json", {}),
        (" Text/HTML ; Charset=UTF-8 ", "text/html", {"charset": "UTF-8"}),
        ('a/b; x="1;2\\""; y=3', "a/b", {"x": '1;2"', "y": "3"}),
        ("a/b;", "a/b", {}),
    ],
)
def test_media_type_is_read(text: str, name: str, parameters: dict[str, str]) -> None:
    """Name and parameter names in lower case, quotes taken off."""
    media = parse_media_range(text)

    assert media is not None
    assert (media.name, media.parameters) == (name, parameters)


@pytest.mark.parametrize("text", ["", "json", "a/", "/b", "a/b c", "a/b; x", "a/b, c/d", "a/b; x=é"])
def test_malformed_media_type_is_none(text: str) -> None:
    """What is no media type is not guessed at."""
    assert parse_media_range(text) is None


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("application/json", True),
        ("application/json;q=0.001", True),
        ("application/json;q=0", False),
        ("*/*, application/json;q=0", False),
        ("application/*;q=0, */*", False),
        ("application/*;q=0, application/json", True),
        ("text/html", False),
        ("text/html, garbage", False),
        ("garbage", True),
        ("application/json;q=nonsense", False),
    ],
)
def test_most_specific_range_decides(header: str, expected: bool) -> None:  # noqa: FBT001
    """RFC 9110 §12.5.1; malformed ranges are passed over."""
    assert accepts(header, "application/json") is expected


def test_operation_without_content_is_always_acceptable() -> None:
    """Nothing can be unacceptable where nothing is sent."""
    assert accepts_any("text/html", ())


@given(st.text(max_size=60) | st.text('a/b;=",*q01. \\é', max_size=30))
def test_no_header_breaks_the_reader(text: str) -> None:
    """Any text is answered at once, and alike with spaces around it; a name that is read is read again."""
    media = parse_media_range(text)

    assert accepts(f" {text} ", "a/b") is accepts(text, "a/b")
    assert media is None or parse_media_range(media.name) == MediaRange(name=media.name)
