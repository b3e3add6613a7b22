"""Rules of schemas for types and null: each with what it says to senders and to receivers."""

from typing import Any

import pytest

from devportal.differ import Verdict
from tests.differ.building import AS_TEXT, RECEIVED, SENT, both_ways, rules_and_verdicts
from tests.differ.exchanges import api_of, body, changes, parameter

NARROWER = ("breaking", "compatible")
WIDER = ("compatible", "breaking")
EITHER = ("breaking", "breaking")


@pytest.mark.parametrize(
    ("old", "new", "rule", "verdicts"),
    [
        ({"type": "number"}, {"type": "integer"}, "schema.type.narrowed", NARROWER),
        ({"type": "integer"}, {"type": "number"}, "schema.type.widened", WIDER),
        ({"type": "integer"}, {"type": "string"}, "schema.type.changed", EITHER),
        ({"type": "string"}, {"type": "null"}, "schema.type.changed", EITHER),
        ({"type": ["string", "null"]}, {"type": "null"}, "schema.type.narrowed", NARROWER),
        ({}, {"type": ["string", "null"]}, "schema.type.set", NARROWER),
        ({"type": "object"}, {}, "schema.type.unset", WIDER),
        ({"type": "string"}, {"type": ["string", "null"]}, "schema.nullable.added", WIDER),
        ({"type": ["string", "null"]}, {"type": "string"}, "schema.nullable.removed", NARROWER),
        ({"type": "string"}, False, "schema.boolean.false", NARROWER),
        ({"allOf": [{"type": "string"}, {"type": "object"}]}, True, "schema.boolean.false", WIDER),
    ],
)
def test_a_change_of_types_has_one_verdict_each_way(
    old: Any, new: Any, rule: str, verdicts: tuple[str, str]
) -> None:
    """Fewer types break senders, more types break receivers, other types both."""
    sent, received = both_ways(old, new)

    assert sent == [(rule, verdicts[0])]
    assert received == [(rule, verdicts[1])]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": ["integer", "number"]}, {"type": "number"}),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"type": "string", "enum": ["a"]}, {"enum": ["a"]}),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]},
         {"type": ["string", "integer"], "oneOf": [{"type": "string"}, {"type": "integer"}]}),
        ({"oneOf": [{"type": ["string", "null"]}, {"type": "integer"}]},
         {"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}),
        (True, {}),
    ],
)  # fmt: skip
def test_equal_types_are_no_change(old: Any, new: Any) -> None:
    """Two spellings of the same types, null among them, are one."""
    assert both_ways(old, new) == ([], [])


@pytest.mark.parametrize(
    ("old", "new", "sent", "received"),
    [
        ("integer", "string", "compatible", "breaking"),
        ("string", "boolean", "breaking", "compatible"),
        ("integer", ["integer", "string"], "compatible", "breaking"),
    ],
)
def test_plain_values_are_strings_where_they_travel_as_text(
    old: Any, new: Any, sent: str, received: str
) -> None:
    """A parameter `5` was written as it now is, whichever type it had."""
    before, after = {"type": old}, {"type": new}

    assert rules_and_verdicts(before, after, AS_TEXT) == [("schema.type.text", sent)]
    assert rules_and_verdicts(before, after, RECEIVED._replace(is_text=True)) == [
        ("schema.type.text", received)
    ]


def test_a_boolean_is_no_number_even_as_text() -> None:
    """Texts of one plain type are not those of another."""
    assert rules_and_verdicts({"type": "boolean"}, {"type": "integer"}, AS_TEXT) == [
        ("schema.type.changed", "breaking")
    ]


def test_a_number_that_becomes_text_keeps_its_length_bounds() -> None:
    """Bounds of texts count for what was a number, since it was a text already."""
    new = {"type": "string", "maxLength": 3}

    assert rules_and_verdicts({"type": "integer"}, new, AS_TEXT) == [
        ("schema.max-length.lowered", "breaking"),
        ("schema.type.text", "compatible"),
    ]


def test_nothing_else_is_told_of_values_of_another_type() -> None:
    """A change of type says it all: formats and patterns of the former type are gone with it."""
    old = {"type": "string", "pattern": "^a", "format": "uuid"}

    assert rules_and_verdicts(old, {"type": "integer", "format": "int64"}) == [
        ("schema.type.changed", "breaking")
    ]


def test_nullable_of_3_0_counts_beside_a_type_only() -> None:
    """Without a type `nullable` allows nothing, so that only its text changes (OAS 3.0.3 §4.7.24.1)."""
    typed, untyped = {"type": "string"}, {"maxLength": 3}

    assert rules_and_verdicts(typed, {**typed, "nullable": True}, version="3.0.3") == [
        ("schema.nullable.added", "compatible")
    ]
    assert rules_and_verdicts(untyped, {**untyped, "nullable": True}, version="3.0.3") == [
        ("schema.without-effect.changed", "documentation")
    ]


def test_null_that_an_enum_does_not_list_is_refused() -> None:
    """Type and enum both have to let null through."""
    enum = {"type": "string", "enum": ["a"]}

    assert rules_and_verdicts(enum, {**enum, "type": ["string", "null"]}) == []
    assert rules_and_verdicts(enum, {"type": ["string", "null"], "enum": ["a", None]}, SENT) == [
        ("schema.nullable.added", "compatible")
    ]


def test_schemas_that_refer_to_each_other_have_types() -> None:
    """Branches that lead back to themselves leave their types open, and nothing runs forever."""
    components = {
        "A": {"oneOf": [{"$ref": "#/components/schemas/B"}, {"type": "string"}]},
        "B": {"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "integer"}]},
    }
    circle = {"$ref": "#/components/schemas/A"}

    assert rules_and_verdicts(circle, {"type": "object"}, components=components)
    assert rules_and_verdicts({"type": "object"}, circle, components=components)


def test_null_beside_types_that_refuse_it_is_refused() -> None:
    """A branch of null helps nobody where the type beside it lets no null through."""
    union = {"anyOf": [{"type": "string"}, {"type": "null"}]}

    assert rules_and_verdicts(union, {**union, "type": "string"}) == [("schema.nullable.removed", "breaking")]


def test_types_that_exclude_each_other_leave_null_at_most() -> None:
    """What two parts ask for that have no type in common is null, if both allow it, or nothing."""
    both = {"allOf": [{"type": ["string", "null"]}, {"type": ["integer", "null"]}]}

    assert rules_and_verdicts(both, {"type": "null"}) == []
    assert rules_and_verdicts({"type": "null"}, {"type": "null", "const": "a"}) == [
        ("schema.boolean.false", "breaking")
    ]


def test_whole_numbers_are_whole_beside_other_types() -> None:
    """More than 4 is at least 5 for integers, whatever other types there are."""
    old = {"type": ["integer", "string"], "exclusiveMinimum": 4, "multipleOf": 1}

    assert rules_and_verdicts(old, {"type": ["integer", "string"], "minimum": 5}) == []


def test_a_list_of_both_booleans_is_the_type() -> None:
    """Beside a union of other types, it says that nothing else may be."""
    union = {"anyOf": [{"type": "number"}, {"type": "object"}]}

    assert both_ways(union, {**union, "enum": [True, False]}) == (
        [("schema.type.changed", "breaking")],
        [("schema.type.changed", "breaking")],
    )


NOTHING_ELSE = {"Nothing": {"type": "null"}, "Wrapped": {"oneOf": [{"type": "null"}]}}


@pytest.mark.parametrize("name", NOTHING_ELSE)
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_null_behind_a_reference_is_null(name: str, keyword: str) -> None:
    """A union that loses its reference to null refuses null, however null is written there."""
    old = {keyword: [{"$ref": f"#/components/schemas/{name}"}, {"type": "string"}]}

    sent, received = both_ways(old, {"type": "string"}, components=NOTHING_ELSE)

    assert ("schema.nullable.removed", "breaking") in sent
    assert {verdict for _, verdict in received} == {"compatible"}


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (
            {"allOf": [{"type": "object"}]},
            "'nullable' allows null only beside a 'type' in the same schema (OAS 3.0.3 §4.7.24.1)",
        ),
        (
            {"type": "string", "enum": ["a"]},
            "its enum does not list null, though many tools allow it all the same",
        ),
        (
            {"type": "object", "allOf": [{"type": "object", "minProperties": 1}]},
            "another part of the schema, such as one under 'allOf', refuses null",
        ),
    ],
)
def test_a_nullable_without_effect_is_shown_with_its_reason(schema: Any, reason: str) -> None:
    """Readers learn what they have to add."""
    old, new = (
        api_of(body({"application/json": {"schema": value}}), version="3.0.3")
        for value in (schema, {**schema, "nullable": True})
    )

    (change,) = changes(old, new)

    assert change.message == f"nullable is added, which has no effect here: {reason}"


def test_null_that_a_nullable_did_not_allow_before_is_shown_with_its_reason() -> None:
    """Those who wrote it thought that null was allowed."""
    old, new = (
        api_of(
            body({"application/json": {"schema": {"type": "string", "nullable": True, "enum": values}}}),
            version="3.0.3",
        )
        for values in (["a"], ["a", None])
    )

    (change,) = changes(old, new)

    assert change.message == (
        "null is now allowed: 'nullable' did not allow it before, though many tools read it so"
    )


def test_a_type_that_fewer_texts_are_values_of_is_shown_with_the_reason() -> None:
    """That both types are written as text sounds harmless otherwise."""
    old, new = (api_of(parameter({"type": kind})) for kind in ("string", "boolean"))

    (message,) = (change.message for change in changes(old, new) if change.rule == "schema.type.text")

    assert message.endswith(
        ', which are both written as text here: not every text is a value of the type "boolean"'
    )


def test_texts_that_are_all_whole_numbers_are_not_said_to_be_others() -> None:
    """They are out of the range of the new format at most."""
    kinds = {"type": ["integer", "string"], "pattern": "^-?(?:0|[1-9]\\d*)$", "format": "int32"}
    old, new = (api_of(parameter(schema)) for schema in (kinds, {"type": "integer", "format": "int32"}))

    (change,) = (change for change in changes(old, new) if change.rule == "schema.type.text")

    assert change.verdict is Verdict.BREAKING
    assert change.message.endswith(", which are both written as text here")


def test_nullable_that_stays_as_the_contract_becomes_3_1_is_the_reason() -> None:
    """Whoever only changes the number of the version sees why null is lost, and what listing it in the type changes."""
    schema = {"type": "string", "nullable": True}
    old, kept = (
        api_of(body({"application/json": {"schema": schema}}), version=version)
        for version in ("3.0.3", "3.1.0")
    )
    new = api_of(body({"application/json": {"schema": {"type": ["string", "null"]}}}))

    lost, listed = (
        next(change.message for change in changes(*pair) if change.rule.startswith("schema.nullable."))
        for pair in ((old, kept), (kept, new))
    )

    assert lost.endswith(": from OpenAPI 3.1 on, the type lists null, and 'nullable' says nothing")
    assert listed.endswith(": 'nullable' did not allow it before, though many tools read it so")
