"""Columns: what is written is read, and what lines begin with alike is there once."""

from hypothesis import given
from hypothesis import strategies as st

from devportal.site.search.columns import COLUMN_SEPARATOR, encode_number, lines_of, pack_column


@given(st.integers(min_value=0, max_value=10**9))
def test_numbers_end_with_a_capital(number: int) -> None:
    """And only there, so that they can follow one another."""
    letters = encode_number(number)

    assert letters[-1].isupper()
    assert letters[:-1] == letters[:-1].lower()


def test_a_line_is_written_from_where_it_differs() -> None:
    """The length of what it shares with the one above stands before the rest."""
    made = pack_column(["charge", "charges", "customer"])

    assert made.split(COLUMN_SEPARATOR) == ["Acharge", "Gs", "Acustomer"]


def test_a_short_start_is_written_again() -> None:
    """It takes less than its length when the index is packed."""
    made = pack_column(["charge", "chat", "chats"])

    assert made.split(COLUMN_SEPARATOR) == ["Acharge", "Achat", "Es"]


def test_a_line_after_an_empty_one_shares_with_the_text_above() -> None:
    """Lines of another kind stand between those of operations, often without a path."""
    made = pack_column(["/charges", "", "/charges/{id}"])

    assert made.split(COLUMN_SEPARATOR) == ["A/charges", "A", "I/{id}"]
    assert list(lines_of(made)) == ["/charges", "", "/charges/{id}"]


def test_lines_are_there_though_nothing_stands_in_them() -> None:
    """A column without lines is empty, one with an empty line is not."""
    assert pack_column([]) == ""
    assert pack_column([""]) == "A"


def test_what_javascript_counts_as_two_is_never_shared() -> None:
    """The lengths of texts with such characters differ between the languages."""
    made = pack_column(["abcd\U0001f600b", "abcd\U0001f600c"])

    assert made.split(COLUMN_SEPARATOR) == ["Aabcd\U0001f600b", "E\U0001f600c"]


def test_the_end_of_a_line_cannot_be_in_it() -> None:
    """No text opens a line of its own."""
    assert pack_column([f"a{COLUMN_SEPARATOR}b"]) == "Aa b"
