"""Rules of schemas for formats: each with what it says to senders and to receivers."""

import pytest

from devportal.differ.policy import Policy
from tests.differ.building import both_ways, rules_and_verdicts

NARROWER = ("breaking", "compatible")
WIDER = ("compatible", "breaking")


@pytest.mark.parametrize(
    ("old", "new", "rule", "verdicts"),
    [
        ("", "uuid", "schema.format.set", NARROWER),
        ("", "order-number", "schema.format.set", ("risky", "compatible")),
        ("uuid", "", "schema.format.unset", WIDER),
        ("email", "", "schema.format.unset", ("compatible", "risky")),
        ("uri", "uri-reference", "schema.format.widened", WIDER),
        ("idn-email", "email", "schema.format.narrowed", NARROWER),
        ("date", "date-time", "schema.format.changed", ("breaking", "breaking")),
    ],
)
def test_a_change_of_format_has_one_verdict_each_way(
    old: str, new: str, rule: str, verdicts: tuple[str, str]
) -> None:
    """A format that comes breaks senders; one that goes breaks who read it into a type."""
    before, after = ({"type": "string", **({"format": written} if written else {})} for written in (old, new))

    sent, received = both_ways(before, after)

    assert sent == [(rule, verdicts[0])]
    assert received == [(rule, verdicts[1])]


def test_a_date_is_a_date_time_where_the_policy_says_so() -> None:
    """The knob makes of an unrelated format a wider one."""
    policy = Policy(date_time_accepts_date=True)
    old, new = {"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}

    assert rules_and_verdicts(old, new, policy=policy) == [("schema.format.widened", "compatible")]
    assert rules_and_verdicts(new, old, policy=policy) == [("schema.format.narrowed", "breaking")]


def test_which_formats_are_enforced_is_for_the_policy_to_say() -> None:
    """A format that validators look at is breaking, another one a risk."""
    old, new = {"type": "string"}, {"type": "string", "format": "order-number"}
    policy = Policy(format_enforced=frozenset({"order-number"}))

    assert rules_and_verdicts(old, new, policy=policy) == [("schema.format.set", "breaking")]


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        (["aGk=", "aaaa"], "schema.without-effect.changed"),
        (["aaaa="], "schema.format.set"),
        (["aaaa\n"], "schema.format.set"),
    ],
)
def test_listed_values_are_base64_in_whole_groups(values: list[str], rule: str) -> None:
    """A format that all listed values have changes nothing; padding after a whole group is none of `byte`."""
    old = {"type": "string", "enum": values}

    sent, _ = both_ways(old, {**old, "format": "byte"})

    assert [text for text, _ in sent] == [rule]
