"""Columns: what is written is read, and what lines begin with alike is there once."""

from hypothesis import given
from hypothesis import strategies as st

from devportal.site.search.columns import COLUMN_SEPARATOR, encode_number, pack_column


@given(st.integers(min_value=0, max_value=10**9))
def test_numbers_end_with_a_capital(number: int) -> None:
    """And only there, so that they can follow one another."""
    letters = encode_number(number)

    assert letters[-1].isupper()
    assert letters[:-1] == letters[:-1].lower()


def test_a_line_is_written_from_where_it_differs() -> None:
    """The length of what it shares with the one above stands before the rest."""
    made = pack_column(["charge", "charges", "", "customer"])

    assert made.split(COLUMN_SEPARATOR) == ["Acharge", "Gs", "A", "Acustomer"]


def test_lines_are_there_though_nothing_stands_in_them() -> None:
    """A column without lines is empty, one with an empty line is not."""
    assert pack_column([]) == ""
    assert pack_column([""]) == "A"


def test_what_javascript_counts_as_two_is_never_shared() -> None:
    """The lengths of texts with such characters differ between the languages."""
    made = pack_column(["a\U0001f600b", "a\U0001f600c"])

    assert made.split(COLUMN_SEPARATOR) == ["Aa\U0001f600b", "B\U0001f600c"]


def test_the_end_of_a_line_cannot_be_in_it() -> None:
    """No text opens a line of its own."""
    assert pack_column([f"a{COLUMN_SEPARATOR}b"]) == "Aa b"
