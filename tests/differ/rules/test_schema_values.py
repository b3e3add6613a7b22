"""Rules of schemas for values and defaults: each with what it says to senders and to receivers."""

from typing import Any

import pytest

from devportal.differ.policy import OpenSet, Policy
from devportal.differ.rule import Verdict
from tests.differ.building import OPTIONAL, RECEIVED, SENT, both_ways, rules_and_verdicts
from tests.differ.exchanges import api_of, body, changes

NARROWER = ("breaking", "compatible")


@pytest.mark.parametrize(
    ("old", "new", "rule", "verdicts"),
    [
        ({"enum": ["a", "b"]}, {"enum": ["a"]}, "schema.enum.value.removed", NARROWER),
        ({"enum": ["a"]}, {"enum": ["a", "b"]}, "schema.enum.value.added", ("compatible", "risky")),
        ({}, {"enum": ["a", "b"]}, "schema.enum.set", NARROWER),
        ({"enum": ["a", "b"]}, {}, "schema.enum.unset", ("compatible", "risky")),
        ({}, {"const": "a"}, "schema.const.set", NARROWER),
        ({"const": "a"}, {}, "schema.const.unset", ("compatible", "breaking")),
        ({"const": "a"}, {"const": "b"}, "schema.const.changed", ("breaking", "breaking")),
        ({"const": "a"}, {"enum": ["a", "b"]}, "schema.enum.value.added", ("compatible", "risky")),
        (
            {"x-extensible-enum": ["a", "b"]},
            {"x-extensible-enum": ["a"]},
            "schema.enum.extensible.removed",
            NARROWER,
        ),
        (
            {"x-extensible-enum": ["a"]},
            {"x-extensible-enum": ["a", "b"]},
            "schema.enum.value.added",
            ("compatible", "compatible"),
        ),
    ],
)
def test_a_change_of_values_has_one_verdict_each_way(
    old: dict[str, Any], new: dict[str, Any], rule: str, verdicts: tuple[str, str]
) -> None:
    """Values that go break senders; values that come are for receivers to bear."""
    sent, received = both_ways({"type": "string", **old}, {"type": "string", **new})

    assert sent == [(rule, verdicts[0])]
    assert received == [(rule, verdicts[1])]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"enum": ["a", "b"]}, {"enum": ["b", "a", "a"]}),
        ({"const": "a"}, {"enum": ["a"]}),
        ({"type": "boolean"}, {"type": "boolean", "enum": [True, False]}),
        ({"type": "number", "enum": [1]}, {"type": "number", "enum": [1.0]}),
        ({"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["a", 1]}),
        ({"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}, {"const": "b"}),
    ],
)
def test_equal_sets_of_values_are_no_change(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Two ways to list the same values are one."""
    assert both_ways(old, new) == ([], [])


@pytest.mark.parametrize(("old", "new"), [(1, True), (0, False), ([0], [False]), ({"a": 1}, {"a": True})])
def test_numbers_are_not_booleans(old: Any, new: Any) -> None:
    """What Python takes for equal is not equal in JSON."""
    assert rules_and_verdicts({"const": old}, {"const": new}) == [("schema.const.changed", "breaking")]


@pytest.mark.parametrize(
    ("openness", "verdict"),
    [(OpenSet.CLOSED, "breaking"), (OpenSet.RISKY, "risky"), (OpenSet.OPEN, "compatible")],
)
def test_how_receivers_take_new_values_is_for_the_policy_to_say(openness: OpenSet, verdict: str) -> None:
    """The knob counts for what is received, for a value as for a whole enum, and not for what is sent."""
    policy = Policy(response_enum=openness)
    enum = {"type": "string", "enum": ["a"]}
    more = {"type": "string", "enum": ["a", "b"]}

    assert rules_and_verdicts(enum, more, RECEIVED, policy=policy) == [("schema.enum.value.added", verdict)]
    assert rules_and_verdicts(enum, {"type": "string"}, RECEIVED, policy=policy) == [
        ("schema.enum.unset", verdict)
    ]
    assert rules_and_verdicts(enum, more, SENT, policy=policy) == [("schema.enum.value.added", "compatible")]


def test_a_set_that_says_it_may_grow_may() -> None:
    """The contract's own word is more exact than the policy."""
    policy = Policy(response_enum=OpenSet.CLOSED)
    old = {"type": "string", "enum": ["a"], "x-extensible-enum": True}

    assert rules_and_verdicts(old, {**old, "enum": ["a", "b"]}, RECEIVED, policy=policy) == [
        ("schema.enum.value.added", "compatible")
    ]


def test_descriptions_that_change_places_are_told_once() -> None:
    """A list of descriptions that stays while its values move means something else."""
    old = {"enum": ["a", "b"], "x-enum-descriptions": ["One.", "Two."]}

    assert rules_and_verdicts(old, {**old, "enum": ["b", "a"]}) == [
        ("schema.enum.reordered", "documentation")
    ]


def test_a_default_counts_where_a_value_may_be_left_out() -> None:
    """The default of what is always sent is never used; receivers see the value itself."""
    old, new = {"type": "integer", "default": 0}, {"type": "integer", "default": 1}

    assert rules_and_verdicts(old, new, OPTIONAL) == [("schema.default.changed", "risky")]
    assert rules_and_verdicts(old, new, SENT) == [("schema.without-effect.changed", "documentation")]
    assert rules_and_verdicts(old, new, RECEIVED) == [("schema.default.changed", "compatible")]


def test_a_change_of_default_is_what_the_policy_says() -> None:
    """The knob counts for what is sent."""
    policy = Policy(default_change=Verdict.BREAKING)

    assert rules_and_verdicts({}, {"default": None}, OPTIONAL, policy=policy) == [
        ("schema.default.changed", "breaking")
    ]


def test_values_that_not_excludes_are_shown_as_such() -> None:
    """A value that is added to what no value may match is one that clients can no longer send, and no advice about
    new values applies.
    """
    old, new = (
        api_of(body({"application/json": {"schema": {"type": "string", "not": {"enum": values}}}}))
        for values in (["x"], ["x", "y"])
    )

    (change,) = changes(old, new)

    assert (change.verdict, change.hint) == (Verdict.BREAKING, "")
    assert change.message == (
        "the value \"y\" is now allowed: in the schema under 'not', which no value may match"
    )
