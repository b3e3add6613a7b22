"""JSON Pointers (RFC 6901) to text and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.documents import child, format_pointer, parse_pointer
from devportal.documents import pointer as pointers
from devportal.documents.pointer import LineIndex


@pytest.mark.parametrize(
    ("written", "pointer"),
    [
        ("", ()),
        ("#", ()),
        ("/", ("",)),
        ("/a//b", ("a", "", "b")),
        ("/a~1b", ("a/b",)),
        ("/m~0n", ("m~n",)),
        ("/~01", ("~1",)),
        ("/c%d", ("c%d",)),
        ("#/paths/~1v1~1%7Bid%7D/get", ("paths", "/v1/{id}", "get")),
        ("#/c%25d", ("c%d",)),
        ("#/k%22l", ('k"l',)),
        ("#/%C3%A9", ("é",)),
    ],
)
def test_pointers_of_the_standard(written: str, pointer: tuple[str, ...]) -> None:
    """Escapes of §3, and the percent-encoding of fragments (§6) only behind a hash."""
    found = parse_pointer(written)

    assert found == pointer


@pytest.mark.parametrize("written", ["a", "#a", "#Message"])
def test_what_is_no_pointer_is_refused(written: str) -> None:
    """A pointer that is not empty starts with a slash."""
    with pytest.raises(ValueError, match="starts with '/'"):
        parse_pointer(written)


@given(st.lists(st.text()).map(tuple))
def test_format_and_parse_are_inverse(pointer: tuple[str, ...]) -> None:
    """Whatever the tokens hold, the text leads back to them."""
    written = format_pointer(pointer)

    assert parse_pointer(written) == pointer


def test_child_writes_positions_as_text() -> None:
    """Positions of a list are decimal digits."""
    found = child(("a",), "b", 0)

    assert found == ("a", "b", "0")


@given(st.text(alphabet="ab\n", max_size=40), st.integers(0, 40), st.integers(1, 9))
def test_lines_and_columns_are_counted_from_the_start(text: str, offset: int, block_length: int) -> None:
    """However long the blocks are in which a text is searched for the ends of lines."""
    before = text[:offset].split("\n")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pointers, "_BLOCK_LENGTH", block_length)
        place = LineIndex(text).at(min(offset, len(text)))

    assert place == (len(before), len(before[-1]) + 1)
