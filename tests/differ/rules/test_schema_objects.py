"""Rules of schemas for objects: properties, who sees them, what is not listed, and what depends on what."""

from typing import Any

import pytest

from devportal.differ.policy import Policy, UnknownInput
from devportal.differ.rule import Verdict
from tests.differ.building import RECEIVED, SENT, both_ways, rules_and_verdicts

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def object_schema(*required: str, **said: Any) -> dict[str, Any]:
    """Return an object with properties `a`, a text, and those given; keywords are given in capitals."""
    keywords = {name.lower(): value for name, value in said.items() if name.isupper()}
    properties = {name: value for name, value in said.items() if not name.isupper()}
    made = {"type": "object", "required": list(required), "properties": {"a": TEXT, **properties}}
    return {**made, **{_KEYWORDS[name]: value for name, value in keywords.items()}}


_KEYWORDS = {"rest": "additionalProperties", "left": "unevaluatedProperties"}


@pytest.mark.parametrize(
    ("old", "new", "rule", "sent", "received"),
    [
        (
            object_schema(),
            object_schema(b=WHOLE),
            "schema.property.added.optional",
            "compatible",
            "compatible",
        ),
        (
            object_schema(),
            object_schema("b", b=WHOLE),
            "schema.property.added.required",
            "breaking",
            "compatible",
        ),
        (object_schema(), object_schema("a"), "schema.property.became-required", "breaking", "compatible"),
        (object_schema("a"), object_schema(), "schema.property.became-optional", "compatible", "breaking"),
        (object_schema(), object_schema("z"), "schema.required.undeclared", "breaking", "compatible"),
        (object_schema("z"), object_schema(), "schema.property.became-optional", "compatible", "breaking"),
        (object_schema(), object_schema(REST=False), "schema.additional.closed", "breaking", "compatible"),
        (object_schema(REST=False), object_schema(), "schema.additional.opened", "compatible", "risky"),
        (
            object_schema(),
            object_schema(REST=TEXT),
            "schema.additional.constrained",
            "breaking",
            "compatible",
        ),
        (object_schema(REST=TEXT), object_schema(), "schema.additional.freed", "compatible", "risky"),
        (object_schema(), object_schema(LEFT=False), "schema.unevaluated.set", "breaking", "compatible"),
        (object_schema(LEFT=False), object_schema(), "schema.unevaluated.unset", "compatible", "breaking"),
    ],
)
def test_a_change_of_properties_has_one_verdict_each_way(
    old: Any, new: Any, rule: str, sent: str, received: str
) -> None:
    """What must be sent in addition breaks senders, what may be missing breaks receivers."""
    assert both_ways(old, new) == ([(rule, sent)], [(rule, received)])


@pytest.mark.parametrize(
    ("old", "new", "stem", "added"),
    [
        ({}, {"minProperties": 1}, "schema.min-properties", ("raised", "lowered")),
        ({}, {"maxProperties": 3}, "schema.max-properties", ("lowered", "raised")),
        ({}, {"propertyNames": {"maxLength": 3}}, "schema.property-names", ("set", "unset")),
        ({}, {"patternProperties": {"^x": TEXT}}, "schema.pattern-property", ("added", "removed")),
        ({}, {"dependentRequired": {"a": ["b"]}}, "schema.dependent-required", ("added", "removed")),
        (
            {},
            {"dependentSchemas": {"a": {"required": ["b"], "minProperties": 3}}},
            "schema.dependent-schema",
            ("added", "removed"),
        ),
    ],
)
def test_a_limit_of_objects_and_its_end(old: Any, new: Any, stem: str, added: tuple[str, str]) -> None:
    """A limit that comes breaks senders, one that goes breaks receivers."""
    left, right = {"type": "object", **old}, {"type": "object", **new}

    assert both_ways(left, right) == (
        [(f"{stem}.{added[0]}", "breaking")],
        [(f"{stem}.{added[0]}", "compatible")],
    )
    assert both_ways(right, left) == (
        [(f"{stem}.{added[1]}", "compatible")],
        [(f"{stem}.{added[1]}", "breaking")],
    )


def test_a_property_that_goes() -> None:
    """Senders may not notice; who is refused does, and readers miss what they relied on."""
    strict = Policy(unknown_input=UnknownInput.REJECTED, response_optional_removed=Verdict.BREAKING)
    kept, closed = object_schema(), object_schema(REST=False)

    assert rules_and_verdicts(object_schema(b=WHOLE), kept, SENT) == [("schema.property.removed", "risky")]
    assert rules_and_verdicts(object_schema(b=WHOLE), kept, SENT, policy=strict) == [
        ("schema.property.removed", "breaking")
    ]
    assert rules_and_verdicts(object_schema(b=WHOLE, REST=False), closed, SENT) == [
        ("schema.property.removed", "breaking")
    ]
    assert rules_and_verdicts(object_schema("b", b=WHOLE), kept, RECEIVED) == [
        ("schema.property.removed.required", "breaking")
    ]
    assert rules_and_verdicts(object_schema(b=WHOLE), kept, RECEIVED) == [
        ("schema.property.removed.optional", "risky")
    ]
    assert rules_and_verdicts(object_schema(b=WHOLE), kept, RECEIVED, policy=strict) == [
        ("schema.property.removed.optional", "breaking")
    ]


def test_a_property_that_a_closed_object_gets_is_risky_for_readers() -> None:
    """Readers that refuse what they do not know meet something new."""
    assert rules_and_verdicts(object_schema(REST=False), object_schema(b=WHOLE, REST=False), RECEIVED) == [
        ("schema.property.added.optional", "risky")
    ]


def test_a_property_that_only_read_only_hides_is_not_required_of_senders() -> None:
    """A required read-only property is nothing that callers send."""
    hidden = object_schema("b", b={**WHOLE, "readOnly": True})

    assert rules_and_verdicts(object_schema(), hidden, SENT) == [
        ("schema.property.added.required", "compatible")
    ]
    assert rules_and_verdicts(object_schema(b={**WHOLE, "readOnly": True}), hidden, SENT) == [
        ("schema.property.hidden.changed", "documentation")
    ]


@pytest.mark.parametrize(
    ("keyword", "rule", "sent", "received"),
    [
        ("readOnly", "schema.read-only.set", "risky", "compatible"),
        ("writeOnly", "schema.write-only.set", "compatible", "risky"),
    ],
)
def test_a_property_that_travels_one_way_from_now_on(
    keyword: str, rule: str, sent: str, received: str
) -> None:
    """It is gone from what is sent, or from what is received."""
    old, new = object_schema(b=WHOLE), object_schema(b={**WHOLE, keyword: True})

    assert both_ways(old, new) == ([(rule, sent)], [(rule, received)])


def test_a_property_that_travels_both_ways_again() -> None:
    """Senders have to send what is required, readers may see a secret."""
    read_only, secret = {**WHOLE, "readOnly": True}, {**TEXT, "writeOnly": True}

    assert rules_and_verdicts(object_schema(b=read_only), object_schema(b=WHOLE)) == [
        ("schema.read-only.unset", "compatible")
    ]
    assert rules_and_verdicts(object_schema("b", b=read_only), object_schema("b", b=WHOLE)) == [
        ("schema.read-only.unset", "breaking")
    ]
    assert rules_and_verdicts(object_schema(b=secret), object_schema(b=TEXT), RECEIVED) == [
        ("schema.write-only.unset", "compatible")
    ]
    assert rules_and_verdicts(object_schema(password=secret), object_schema(password=TEXT), RECEIVED) == [
        ("schema.write-only.unset", "risky")
    ]


def test_a_required_property_that_loses_its_declaration_is_hidden_no_longer() -> None:
    """Without its schema, nothing hides a required property: requests need it, responses have it."""
    undeclared = object_schema("b")

    read_only = object_schema("b", b={**WHOLE, "readOnly": True})
    assert rules_and_verdicts(read_only, undeclared) == [("schema.read-only.unset", "breaking")]
    assert rules_and_verdicts(undeclared, read_only) == [("schema.read-only.set", "risky")]

    write_only = object_schema("b", b={**WHOLE, "writeOnly": True})
    assert rules_and_verdicts(write_only, undeclared, RECEIVED) == [("schema.write-only.unset", "compatible")]
    assert rules_and_verdicts(undeclared, write_only, RECEIVED) == [("schema.write-only.set", "breaking")]


def test_a_hidden_property_that_is_required_without_its_declaration_is_one_change() -> None:
    """Requests need a property that they could not have: that is reported once."""
    read_only = object_schema(b={**WHOLE, "readOnly": True})

    assert rules_and_verdicts(read_only, object_schema("b")) == [("schema.read-only.unset", "breaking")]


def test_a_property_that_responses_of_a_closed_object_have_again_is_risky_for_readers() -> None:
    """It is as new to readers as a property that was added."""
    secret = object_schema(b={**TEXT, "writeOnly": True}, REST=False)

    assert both_ways(secret, object_schema(b=TEXT, REST=False)) == (
        [("schema.write-only.unset", "compatible")],
        [("schema.write-only.unset", "risky")],
    )


def test_a_closed_part_refuses_what_its_neighbours_list() -> None:
    """`additionalProperties: false` looks at its own properties only, so what a sibling lists is refused."""
    own = {"properties": {"a": TEXT}, "additionalProperties": False}
    apart = {"type": "object", "allOf": [own, {"properties": {"b": WHOLE}}]}

    assert rules_and_verdicts(apart, object_schema(b=WHOLE, REST=False)) == [
        ("schema.property.added.optional", "compatible")
    ]
    assert rules_and_verdicts(object_schema(b=WHOLE, REST=False), apart) == [
        ("schema.property.removed", "breaking")
    ]


def test_a_listed_property_is_compared_with_what_was_said_of_all() -> None:
    """A map of texts that gets a number among its values refuses what was sent under that name."""
    assert rules_and_verdicts(object_schema(REST=TEXT), object_schema(b=WHOLE, REST=TEXT)) == [
        ("schema.property.added.optional", "compatible"),
        ("schema.type.changed", "breaking"),
    ]


def test_a_pattern_that_opens_a_closed_object_widens_it() -> None:
    """Names that were refused are allowed where they match."""
    closed = object_schema(REST=False)

    assert both_ways(closed, {**closed, "patternProperties": {"^x": TEXT}}) == (
        [("schema.pattern-property.added", "compatible")],
        [("schema.pattern-property.added", "risky")],
    )


@pytest.mark.parametrize(
    ("old", "new", "rule", "sent", "received"),
    [
        ({}, {"not": {"required": ["b"]}}, "schema.not.set", "breaking", "compatible"),
        ({"not": {"required": ["b"]}}, {}, "schema.not.unset", "compatible", "breaking"),
        (
            {},
            {"if": {"required": ["b"]}},
            "schema.without-effect.changed",
            "documentation",
            "documentation",
        ),
        (
            {},
            {"if": {"required": ["b"]}, "then": {"required": ["a"]}},
            "schema.dependent-required.added",
            "breaking",
            "compatible",
        ),
        (
            {"if": {"required": ["b"]}, "then": {"required": ["a"]}},
            {},
            "schema.dependent-required.removed",
            "compatible",
            "breaking",
        ),
        (
            {"if": {"properties": {"b": {"const": 1}}}, "then": {"required": ["a"]}},
            {"if": {"properties": {"b": {"const": 2}}}, "then": {"required": ["a"]}},
            "schema.if.changed",
            "breaking",
            "breaking",
        ),
        (
            {"not": {"properties": {"a": {"maxLength": 9}}}},
            {"not": {"properties": {"a": {"maxLength": 5}}}},
            "schema.max-length.lowered",
            "compatible",
            "breaking",
        ),
        (
            {"allOf": [{"not": {"required": ["b"]}}, {"not": {"required": ["c"]}}]},
            {"allOf": [{"not": {"required": ["c"]}}, {"not": {"required": ["b"]}}]},
            "",
            "",
            "",
        ),
    ],
)
def test_what_is_said_in_a_roundabout_way(old: Any, new: Any, rule: str, sent: str, received: str) -> None:
    """What is forbidden, or asked for on a condition, narrows; within `not` directions are swapped."""
    left, right = {"type": "object", **old}, {"type": "object", **new}

    assert both_ways(left, right) == (([(rule, sent)], [(rule, received)]) if rule else ([], []))


def test_a_value_that_gets_a_type_tells_no_more() -> None:
    """From anything to an object with properties is one change, not one for each property."""
    assert rules_and_verdicts({}, object_schema("a", REST=False)) == [("schema.type.set", "breaking")]


def test_items_are_not_free_where_what_is_not_described_is_limited() -> None:
    """Once items are dropped, unevaluatedItems limits them; once they are set, it limits none."""
    limited = {"type": "array", "unevaluatedItems": False}
    described = {**limited, "items": TEXT}

    assert both_ways(described, limited) == (
        [("schema.items.unset", "compatible"), ("schema.unevaluated.set", "breaking")],
        [("schema.items.unset", "compatible"), ("schema.unevaluated.set", "compatible")],
    )
    assert both_ways(limited, described) == (
        [("schema.items.set", "compatible"), ("schema.unevaluated.unset", "compatible")],
        [("schema.items.set", "compatible"), ("schema.unevaluated.unset", "breaking")],
    )


def test_properties_are_not_free_where_what_is_not_described_is_limited() -> None:
    """Once further properties are no longer taken in, unevaluatedProperties limits them."""
    limited = {"type": "object", "unevaluatedProperties": TEXT}

    assert both_ways({**limited, "additionalProperties": {}}, limited) == (
        [("schema.unevaluated.set", "breaking")],
        [("schema.unevaluated.set", "compatible")],
    )


def test_where_further_properties_are_taken_in_none_is_left_to_refuse() -> None:
    """An object that takes further properties is open, whatever unevaluatedProperties says."""
    closed = {"type": "object", "additionalProperties": False, "unevaluatedProperties": False}

    assert both_ways(closed, {**closed, "additionalProperties": {}}) == (
        [("schema.additional.opened", "compatible")],
        [("schema.additional.opened", "risky")],
    )
