"""Texts that match the regular expressions of contracts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract.regex import (
    MAX_SAMPLE_LENGTH,
    is_supported_pattern,
    matches_pattern,
    sample_for_pattern,
)


@pytest.mark.parametrize(
    "pattern",
    [
        "^msg_[a-z0-9]{26}$",
        r"^\+[1-9]\d{1,14}$",
        r"^\d{4}-\d{2}-\d{2}$",
        "^(sms|mms)$",
        "^[^a-z]+$",
        "^[A-Z]{3}|x$",
        "a.c",
        r"^\w+@\w+\.\w+$",
        r"^[\w.-]+$",
        r"^\S+\s\S+$",
        "^(?<year>[0-9]{4})$",
        r"^\p{Lu}\p{L}+$",
        r"^[\p{L}\d ]{3,}$",
        "^(?:a|b)*c$",
        "^$",
        "",
        r"^\/v1\/[^\/]+$",
        "^(?=a)a+$",
        "[\\s\\S]",
    ],
)
def test_a_sample_matches_its_pattern(pattern: str) -> None:
    """The engine of the validators finds the pattern in the sample."""
    assert matches_pattern(pattern, sample_for_pattern(pattern))


@pytest.mark.parametrize("length", [1, 5, 26, 200])
def test_a_sample_is_as_long_as_asked(length: int) -> None:
    """An unbounded repetition goes on until the text is long enough."""
    assert len(sample_for_pattern("^x[a-z]+$", at_least=length)) >= length


@pytest.mark.parametrize("pattern", ["[", "(", "(?P<", "a{99999999999}", "\\", "(?<!a"])
def test_what_nobody_can_read_has_no_sample(pattern: str) -> None:
    """A pattern that is broken gives the empty text and matches nothing."""
    assert sample_for_pattern(pattern) == ""
    assert not matches_pattern(pattern, "a")
    assert not is_supported_pattern(pattern)


def test_no_pattern_holds_us_up() -> None:
    """Nested repetitions that backtrack for ever elsewhere are given up: this test ends."""
    assert not matches_pattern("^(a+)+$", "a" * 5000 + "!")
    assert not matches_pattern("^(?=a)(a|aa)+$", "a" * 40 + "!")
    assert isinstance(sample_for_pattern(r"^(?!x)(\w+\s?)+!(?<=z)$", at_least=300), str)


@given(st.text(alphabet="ab(){}[]|*+?^$.\\d-1,", max_size=12))
def test_any_text_is_safe_as_a_pattern(pattern: str) -> None:
    """Whatever a contract writes as a pattern, the sample matches or is empty."""
    text = sample_for_pattern(pattern)

    assert text == "" or matches_pattern(pattern, text)


@pytest.mark.parametrize(
    "pattern",
    [
        "((((a{300}){300}){300}){300})",
        "(" * 60 + "a" + "){9999}" * 60,
        "(a{4000}b{4000}){4000}",
        "a{4000}" * 900,
    ],
)
def test_no_sample_is_longer_than_can_be_held(pattern: str) -> None:
    """Repetitions within repetitions share one length."""
    assert len(sample_for_pattern(pattern)) <= MAX_SAMPLE_LENGTH


def test_a_sample_has_as_many_repetitions_as_asked() -> None:
    """A count in the hundreds is no reason to give up."""
    assert sample_for_pattern("^a{1000}$") == "a" * 1000


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[A-Za-z\d]{8,}$",
        r"^(?=.*[A-Z])(?=.*[!@#$%^&*]).{8,20}$",
        r"^(?!1+$)\d{4}$",
        r"^(?!a)[a-c]+$",
    ],
)
def test_patterns_with_look_around_have_a_sample(pattern: str) -> None:
    """Characters of a class and lengths are varied until one text matches."""
    assert matches_pattern(pattern, sample_for_pattern(pattern))


@pytest.mark.parametrize(
    ("pattern", "shortest", "longest"),
    [
        ("^[a-z]+(-[a-z]+)?-[a-z]+-[0-9]$", 9, 14),
        ("^(ab)+-(cd)+$", 12, 13),
        ("^a{0,3}b*$", 9, 9),
        ("^x(y{1,4}z)*$", 8, 9),
    ],
)
def test_a_sample_is_between_two_lengths(pattern: str, shortest: int, longest: int) -> None:
    """Repetitions go on until the text is long enough, and no longer."""
    text = sample_for_pattern(pattern, at_least=shortest, at_most=longest)

    assert shortest <= len(text) <= longest
    assert matches_pattern(pattern, text)


def test_no_sample_is_longer_than_it_may_be() -> None:
    """A text of 13 characters cannot have 12."""
    assert sample_for_pattern("^[0-9a-f]{8}-[0-9a-f]{4}$", at_least=12, at_most=12) == ""
