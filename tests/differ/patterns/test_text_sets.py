"""Tests of sets of texts: whether there is any text with a length, patterns and values that it must not equal."""

import pytest

from devportal.differ.patterns.text_sets import Texts, shares_no_text, text_among


@pytest.mark.parametrize(
    "texts",
    [
        Texts(low=3, high=2),
        Texts(matching=("^[a-z]{2}$",), low=3),
        Texts(matching=("^a", "^b")),
        Texts(matching=("^(red|blue)$",), unequal=("red", "blue")),
        Texts(matching=("^[0-9]{4}$",), not_matching=(r"^\d+$",)),
        Texts(low=1, not_matching=(r"[\s\S]",)),
        Texts(low=2, high=5, not_matching=(r"^[\s\S]{2,5}$",)),
        Texts(high=0, unequal=("",)),
    ],
)
def test_sets_without_any_text(texts: Texts) -> None:
    """Lengths, patterns and values exclude each other."""
    assert shares_no_text(texts)
    assert text_among(texts) is None or texts.low > (texts.high or texts.low)


@pytest.mark.parametrize(
    ("texts", "example"),
    [
        (Texts(), ""),
        (Texts(low=2, high=3), "aa"),
        (Texts(matching=("^(red|blue)$",), unequal=("red",)), "blue"),
        (Texts(matching=("^[0-9]+$",), not_matching=("^[0-4]+$",)), "5"),
        (Texts(matching=("^a",), not_matching=("b",), low=3, unequal=("aaa",)), "aaA"),
    ],
)
def test_sets_with_a_text(texts: Texts, example: str) -> None:
    """A short text that is easy to read is found."""
    assert not shares_no_text(texts)
    assert text_among(texts) == example


def test_patterns_that_are_too_complex_exclude_nothing() -> None:
    """What is not known of a pattern is no proof: neither of what it matches nor of what it does not."""
    assert not shares_no_text(Texts(matching=("^(a)\\1$",)))
    assert not shares_no_text(Texts(matching=("^a$",), not_matching=("^(a)\\1?",)))


def test_answers_the_same_question_once() -> None:
    """Comparing the next release of a history asks of the same patterns again: no proof is made twice."""
    asked = [Texts(low=3, high=40, matching=("^[a-z]+$",), not_matching=("^[a-z0-9-]*$",)) for _ in range(2)]
    proofs = shares_no_text.cache_info().misses

    assert [shares_no_text(texts) for texts in asked] == [True, True]
    assert shares_no_text.cache_info().misses == proofs + 1
