"""Texts made safe to show."""

import pytest

from devportal.reporting.printable import capitalise, count_noun


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


@pytest.mark.parametrize(
    ("count", "noun", "expected"),
    [
        (1, "field that differs", "1 field that differs"),
        (1200, "entry of the log", "1,200 entries of the log"),
        (
            2,
            "query parameter that the contract does not have",
            "2 query parameters that the contract does not have",
        ),
        (0, "request without an operation", "0 requests without an operation"),
        (3, "boy", "3 boys"),
    ],
)
def test_a_number_stands_before_the_right_form_of_a_noun(count: int, noun: str, expected: str) -> None:
    """What describes the noun stays as it is."""
    assert count_noun(count, noun) == expected
