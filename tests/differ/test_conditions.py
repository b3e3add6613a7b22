"""Several conditions of one value: each stands for itself."""

from typing import Any

import pytest

from devportal.differ import compare
from tests.differ.building import both_ways
from tests.differ.exchanges import api_of, body


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


_TEST = {"if": {"properties": {"kind": {"const": "card"}}, "required": ["kind"]}}
_THEN, _ELSE = (
    {"then": {"properties": {"a": {"maxLength": 3}}}},
    {"else": {"properties": {"b": {"maxLength": 3}}}},
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ({}, {**_TEST, **_THEN}, 'values that match "if" must now also match "then"'),
        ({**_TEST, **_THEN}, {}, 'values that match "if" no longer have to match "then"'),
        ({}, {**_TEST, **_ELSE}, 'values that do not match "if" must now match "else"'),
        (
            {**_TEST, **_THEN, **_ELSE},
            {**_TEST, **_THEN},
            'values that do not match "if" no longer have to match "else"',
        ),
        (
            {},
            {**_TEST, **_THEN, **_ELSE},
            'values must now also match "then" if they match "if", and "else" if they do not',
        ),
    ],
)
def test_what_follows_from_a_condition_is_told_in_words(
    old: dict[str, Any], new: dict[str, Any], message: str
) -> None:
    """By the keywords that come or go; only another condition is called a changed one."""
    before, after = (
        api_of(body({"application/json": {"schema": {"type": "object", **each}}})) for each in (old, new)
    )

    assert [change.message for change in compare(before, after).changes] == [message]


def test_one_consequence_takes_the_place_of_another() -> None:
    """Each is a change with a verdict of its own."""
    old, new = (
        api_of(body({"application/json": {"schema": {"type": "object", **_TEST, **consequence}}}))
        for consequence in (_THEN, _ELSE)
    )

    assert sorted((change.verdict.value, change.message) for change in compare(old, new).changes) == [
        ("breaking", 'values that do not match "if" must now match "else"'),
        ("compatible", 'values that match "if" no longer have to match "then"'),
    ]
