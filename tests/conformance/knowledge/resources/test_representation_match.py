"""Two showings of one thing: what means the same, and what has to."""

import pytest

from devportal.conformance.knowledge.resources.representation_match import (
    changed_members,
    echoed_members,
    is_certainly_different,
    is_equivalent,
    is_masked,
    leaf_members,
)
from devportal.contract.values.instants import parse_instant
from tests.conformance.families.lending import library


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (1, 1.0),
        ("0.10", "0.1"),
        ("2026-11-21T09:30:00Z", "2026-11-21T10:30:00.250+01:00"),
        (["a", "b"], ["b", "a"]),
        (None, None),
    ],
)
def test_values_that_mean_the_same_are_the_same(first: object, other: object) -> None:
    """Numbers by value, times by instant, lists in any order."""
    assert is_equivalent(first, other)
    assert is_equivalent(other, first)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (1, True),
        (0, False),
        ("1", 1),
        ("a", "A"),
        ("2026-11-21T09:30:00Z", "2026-11-21T09:31:00Z"),
        (None, ""),
    ],
)
def test_other_values_are_not(first: object, other: object) -> None:
    """A switch is no number, and a minute is a minute."""
    assert not is_equivalent(first, other)
    assert not is_equivalent(other, first)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (" Grüße, Ada ", "GRÜSSE ADA"),
        ("+1 (202) 555-0123", "+12025550123"),
        ("\ufb01n", "fin"),
        ("0.10", "0.1"),
        (None, ""),
        (7, 7.0),
    ],
)
def test_one_value_written_in_two_ways_is_not_surely_another(first: object, other: object) -> None:
    """Servers trim, put into order and write out as they like."""
    assert not is_certainly_different(first, other)


@pytest.mark.parametrize(
    ("first", "other"), [("Emma", "Emma 2"), ("Emma", None), (1, 2), (True, False), (["a"], ["a", "b"])]
)
def test_more_than_the_writing_makes_another_value(first: object, other: object) -> None:
    """Other letters and digits, other numbers, and nothing instead of something."""
    assert is_certainly_different(first, other)
    assert is_certainly_different(other, first)


def test_members_are_found_by_the_way_to_them() -> None:
    """Objects are gone into, lists are one value, and only what both have is compared."""
    before = leaf_members({"a": {"b": 1, "c": [1, 2]}, "d": 2})
    after = leaf_members({"a": {"b": 2, "c": [2, 1]}, "e": 3})

    assert before == {("a", "b"): 1, ("a", "c"): [1, 2], ("d",): 2}
    assert changed_members(before, after, iter(before)) == ["a.b"]


def test_what_was_sent_and_shown_alike_is_the_clients() -> None:
    """Another form of it, what was not shown, and a state are not."""
    sent = {"title": "Emma", "genre": "novel", "note": "x", "status": "draft"}
    shown = {"title": "Emma", "genre": "NOVEL", "status": "draft"}

    assert list(echoed_members(library(), sent, shown, None)) == [("title",)]


def test_times_are_read_in_the_forms_that_are_in_use() -> None:
    """RFC 3339, seconds and thousandths since 1970; a date alone and a time without offset are none."""
    now = parse_instant("2026-11-21T09:30:00Z")

    assert (
        now
        == parse_instant(1795253400)
        == parse_instant(1795253400000)
        == parse_instant("2026-11-21t10:30:00+01:00")
    )
    assert [parse_instant(item) for item in ("2026-11-21", "2026-11-21T09:30:00", "soon", True, None)] == [
        None
    ] * 5


def test_secrets_that_are_shown_once_are_covered_afterwards() -> None:
    """Stars and dots stand in place of them."""
    assert is_masked("whsec_****")
    assert not is_masked("whsec_4711")
