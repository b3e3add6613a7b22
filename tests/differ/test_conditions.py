"""Several conditions of one value: each stands for itself."""

from typing import Any

from tests.differ.building import both_ways


def condition(kind: str, asked: str) -> dict[str, Any]:
    """Return a condition: objects of a kind need a property."""
    test = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
    return {"if": test, "then": {"required": [asked]}}


def object_with_conditions(*conditions: dict[str, Any]) -> dict[str, Any]:
    """Return an object for which several conditions hold."""
    return {"type": "object", "allOf": list(conditions)}


def test_one_of_several_conditions_changes() -> None:
    """That no value meets all of them at once hides no change of one."""
    old = object_with_conditions(condition("card", "number"), condition("bank", "iban"))
    new = object_with_conditions(condition("cash", "number"), condition("bank", "iban"))

    assert both_ways(old, new) == ([("schema.if.changed", "breaking")], [("schema.if.changed", "breaking")])


def test_one_of_several_conditions_goes() -> None:
    """What one condition asked is asked no more; the other one stays."""
    old = object_with_conditions(condition("card", "number"), condition("bank", "iban"))
    new = object_with_conditions(condition("bank", "iban"))

    assert both_ways(old, new) == (
        [("schema.if.changed", "compatible")],
        [("schema.if.changed", "breaking")],
    )


def test_conditions_in_another_order_are_the_same() -> None:
    """All of them apply, whichever is written first."""
    one, other = condition("card", "number"), condition("bank", "iban")

    assert both_ways(object_with_conditions(one, other), object_with_conditions(other, one)) == ([], [])


def test_what_follows_is_compared_below() -> None:
    """Beside a condition that has moved, what follows from it is still told by name."""
    old = object_with_conditions(condition("card", "number"), condition("bank", "iban"))
    new = object_with_conditions(condition("bank", "iban"), condition("card", "name"))

    sent, received = both_ways(old, new)

    assert sent == [
        ("schema.property.became-optional", "compatible"),
        ("schema.required.undeclared", "breaking"),
    ]
    assert received == [
        ("schema.property.became-optional", "breaking"),
        ("schema.required.undeclared", "compatible"),
    ]


def test_a_condition_changes_with_what_it_refers_to() -> None:
    """The same reference is another condition once the shared schema has changed."""
    condition = {"if": {"$ref": "#/components/schemas/Kind"}, "then": {"required": ["a"]}}
    before = {"Kind": {"properties": {"kind": {"const": "card"}}}}
    after = {"Kind": {"properties": {"kind": {"const": "bank"}}}}

    assert both_ways(condition, condition, components=before, new_components=after) == (
        [("schema.if.changed", "breaking")],
        [("schema.if.changed", "breaking")],
    )
