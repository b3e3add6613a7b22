"""Rules of schemas for numbers: each with what it says to senders and to receivers."""

from typing import Any

import pytest

from devportal.differ.policy import Policy
from devportal.differ.rule import Verdict
from tests.differ.building import both_ways, rules_and_verdicts

NARROWER = ("breaking", "compatible")
WIDER = ("compatible", "breaking")


@pytest.mark.parametrize(
    ("old", "new", "rule", "verdicts"),
    [
        ({"minimum": 1}, {"minimum": 2}, "schema.minimum.raised", NARROWER),
        ({}, {"minimum": 2}, "schema.minimum.raised", NARROWER),
        ({"minimum": 2}, {"minimum": 1.5}, "schema.minimum.lowered", WIDER),
        ({"minimum": 2}, {}, "schema.minimum.lowered", WIDER),
        ({"maximum": 2}, {"maximum": 1}, "schema.maximum.lowered", NARROWER),
        ({"maximum": 1}, {"exclusiveMaximum": 2}, "schema.maximum.raised", WIDER),
        ({"maximum": 1}, {}, "schema.maximum.raised", WIDER),
        ({"minimum": 1}, {"exclusiveMinimum": 1}, "schema.exclusive.on", NARROWER),
        ({"exclusiveMaximum": 1}, {"maximum": 1}, "schema.exclusive.off", WIDER),
        ({}, {"multipleOf": 0.5}, "schema.multiple-of.set", NARROWER),
        ({"multipleOf": 0.5}, {}, "schema.multiple-of.unset", WIDER),
        ({"multipleOf": 0.3}, {"multipleOf": 0.1}, "schema.multiple-of.changed", WIDER),
        ({"multipleOf": 0.1}, {"multipleOf": 0.3}, "schema.multiple-of.changed", NARROWER),
        ({"multipleOf": 4}, {"multipleOf": 6}, "schema.multiple-of.changed", ("breaking", "breaking")),
    ],
)
def test_a_change_of_a_range_has_one_verdict_each_way(
    old: dict[str, Any], new: dict[str, Any], rule: str, verdicts: tuple[str, str]
) -> None:
    """What narrows a range breaks senders, what widens it breaks receivers."""
    sent, received = both_ways({"type": "number", **old}, {"type": "number", **new})

    assert sent == [(rule, verdicts[0])]
    assert received == [(rule, verdicts[1])]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "integer", "exclusiveMinimum": 4}, {"type": "integer", "minimum": 5}),
        ({"type": "number", "minimum": 5, "exclusiveMinimum": 3}, {"type": "number", "minimum": 5}),
        ({"type": "integer"}, {"type": "integer", "multipleOf": 1}),
        ({"type": "number", "maximum": 5}, {"type": "number", "maximum": 5.0}),
        ({"type": "number"}, {"allOf": [{"type": "number"}, {}]}),
    ],
)
def test_equal_ranges_are_no_change(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Two spellings of one range are one range."""
    assert both_ways(old, new) == ([], [])


def test_a_first_bound_is_what_the_policy_says() -> None:
    """The knob speaks of bounds where there were none, in what is sent."""
    policy = Policy(first_bound=Verdict.RISKY)

    assert rules_and_verdicts({"type": "number"}, {"type": "number", "maximum": 1}, policy=policy) == [
        ("schema.maximum.lowered", "risky")
    ]
    assert rules_and_verdicts(
        {"type": "number", "maximum": 2}, {"type": "number", "maximum": 1}, policy=policy
    ) == [("schema.maximum.lowered", "breaking")]


def test_a_bound_that_every_listed_value_keeps_decides_nothing() -> None:
    """Beside an enum, a bound only matters if it cuts off values of it."""
    old = {"type": "integer", "enum": [1, 5]}

    assert rules_and_verdicts(old, {**old, "maximum": 9}) == [
        ("schema.without-effect.changed", "documentation")
    ]
    assert rules_and_verdicts(old, {**old, "maximum": 3}) == [("schema.maximum.lowered", "breaking")]
    assert rules_and_verdicts({"type": "integer", "maximum": 9}, old) == [("schema.enum.set", "breaking")]


@pytest.mark.parametrize(
    ("kept", "cutting", "rule"),
    [
        ({"minimum": 1}, {"exclusiveMinimum": 1}, "schema.minimum.raised"),
        ({"maximum": 5}, {"exclusiveMaximum": 5}, "schema.maximum.lowered"),
    ],
)
def test_an_exclusive_bound_cuts_off_the_listed_value_at_its_end(
    kept: dict[str, Any], cutting: dict[str, Any], rule: str
) -> None:
    """At least 1 is kept by 1 and 5, more than 1 is not."""
    old = {"type": "number", "enum": [1, 5]}

    assert rules_and_verdicts(old, {**old, **kept}) == [("schema.without-effect.changed", "documentation")]
    assert rules_and_verdicts(old, {**old, **cutting}) == [(rule, "breaking")]


def test_a_bound_beside_a_text_has_no_effect() -> None:
    """A keyword of numbers says nothing of texts."""
    assert rules_and_verdicts({"type": "string"}, {"type": "string", "minimum": 3}) == [
        ("schema.without-effect.changed", "documentation")
    ]


def test_bounds_of_a_type_that_comes_come_with_it() -> None:
    """Values of a type that was refused are not narrowed by bounds."""
    new = {"type": ["string", "integer"], "minimum": 3}

    assert rules_and_verdicts({"type": "string"}, new) == [("schema.type.widened", "compatible")]
