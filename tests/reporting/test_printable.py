"""Texts made safe to show."""

import pytest

from devportal.reporting.printable import capitalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the type is changed", "The type is changed"),
        ("maxLength is set to 5", "maxLength is set to 5"),
        ("oneOf is now anyOf", "oneOf is now anyOf"),
        ("", ""),
    ],
)
def test_a_sentence_begins_with_a_capital_letter_unless_a_keyword_does(text: str, expected: str) -> None:
    """A keyword is written as contracts write it."""
    assert capitalise(text) == expected
