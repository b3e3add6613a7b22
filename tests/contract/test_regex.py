"""Texts that match the regular expressions of contracts."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract.regex import is_readable, matches, sample


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
    assert matches(pattern, sample(pattern))


@pytest.mark.parametrize("length", [1, 5, 26, 200])
def test_a_sample_is_as_long_as_asked(length: int) -> None:
    """An unbounded repetition goes on until the text is long enough."""
    assert len(sample("^x[a-z]+$", at_least=length)) >= length


@pytest.mark.parametrize("pattern", ["[", "(", "(?P<", "a{99999999999}", "\\", "(?<!a"])
def test_what_nobody_can_read_has_no_sample(pattern: str) -> None:
    """A pattern that is broken gives the empty text and matches nothing."""
    assert sample(pattern) == ""
    assert not matches(pattern, "a")
    assert not is_readable(pattern)


def test_no_pattern_holds_us_up() -> None:
    """Nested repetitions that backtrack for ever elsewhere are given up in time."""
    before = time.monotonic()

    assert not matches("^(a+)+$", "a" * 5000 + "!")
    assert not matches("^(?=a)(a|aa)+$", "a" * 40 + "!")
    assert isinstance(sample(r"^(?!x)(\w+\s?)+!(?<=z)$", at_least=300), str)
    assert time.monotonic() - before < 5


@given(st.text(alphabet="ab(){}[]|*+?^$.\\d-1,", max_size=12))
def test_any_text_is_safe_as_a_pattern(pattern: str) -> None:
    """Whatever a contract writes as a pattern, the sample matches or is empty."""
    text = sample(pattern)

    assert text == "" or matches(pattern, text)
