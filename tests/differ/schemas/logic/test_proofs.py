"""Proofs that schemas as a whole allow the same: never against validators, and values outside that they agree with."""

import gc
import weakref
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import ABSENT
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.rule import Direction
from devportal.differ.schemas.logic.formulas import Statement, all_of, any_of, holds, negate
from devportal.differ.schemas.logic.keyword_formulas import is_of_type
from devportal.differ.schemas.logic.proofs import Proof, prove, value_outside
from devportal.differ.schemas.logic.satisfiability import Effort, Satisfiability
from devportal.gc_pause import gc_paused
from tests.differ.building import api_with, schema_in

TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
SAME, WIDER, NARROWER, NEITHER = (True, True), (True, False), (False, True), (False, False)
OBJECT, CLOSED = {"type": "object"}, {"additionalProperties": False}
HAS_A_ALONE = {**OBJECT, "required": ["a"], "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
NAMED = {"type": "object", "properties": {"a": TEXT, "b": TEXT}}


def proof_of(old: Any, new: Any, travels: Direction = Direction.TO_PROVIDER, effort: int = 8_000) -> Proof:
    """Return what is shown of two schemas."""
    before, after = api_with(old), api_with(new)
    sides = ((schema_in(before),), SchemaNormaliser(before), (schema_in(after),), SchemaNormaliser(after))
    return prove(*sides, travels, Effort(left=effort, of_question=effort))


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ({**NUMBER, "not": {"minimum": 10}}, {**NUMBER, "exclusiveMaximum": 10}, SAME),
        ({**NUMBER, "not": {"minimum": 10}}, {**NUMBER, "exclusiveMaximum": 20}, WIDER),
        ({**WHOLE, "minimum": 0, "not": {"const": 0}}, {**WHOLE, "minimum": 1}, SAME),
        ({**WHOLE, "multipleOf": 5, "minimum": 1}, {**WHOLE, "multipleOf": 5, "minimum": 5}, SAME),
        ({**WHOLE, "multipleOf": 4}, {**WHOLE, "multipleOf": 2}, WIDER),
        ({**WHOLE, "multipleOf": 4}, {**WHOLE, "multipleOf": 6}, NEITHER),
        ({**WHOLE, "minimum": 0, "maximum": 2}, {"enum": [0, 1, 2]}, SAME),
        ({**WHOLE, "minimum": 0, "maximum": 3}, {"enum": [0, 1, 2]}, NARROWER),
        ({**NUMBER, "multipleOf": 0.1, "minimum": 0.1, "maximum": 0.2}, {"enum": [0.1, 0.2]}, SAME),
        ({**TEXT, "pattern": "^(red|blue)$"}, {"enum": ["red", "blue"]}, SAME),
        ({**TEXT, "pattern": r"^[\s\S]{2,5}$"}, {**TEXT, "minLength": 2, "maxLength": 5}, SAME),
        ({**TEXT, "pattern": "^[A-Z]{3}$"}, {**TEXT, "pattern": "^[A-Z]{3}$", "maxLength": 3}, SAME),
        ({**TEXT, "format": "uuid"}, {**TEXT, "format": "uuid", "minLength": 36, "maxLength": 36}, SAME),
        ({**TEXT, "anyOf": [{"enum": ["a"]}, {"not": {"enum": ["a"]}}]}, TEXT, SAME),
        ({"oneOf": [TEXT, TEXT, WHOLE]}, WHOLE, SAME),
        ({"anyOf": [True, TEXT]}, {}, SAME),
        ({"type": ["string", "null"], "not": {"type": "null"}}, TEXT, SAME),
        ({"type": "array", "contains": True}, {"type": "array", "minItems": 1}, SAME),
        ({"type": "array", "not": {"contains": {"const": 1}}}, {"type": "array", "items": {"not": {"const": 1}}}, SAME),
        ({"type": "array", "maxItems": 0, "items": TEXT}, {"type": "array", "maxItems": 0, "items": WHOLE}, SAME),
        ({"const": [1]}, {"enum": [[1]]}, SAME),
        ({"allOf": [NAMED], "unevaluatedProperties": False}, {**NAMED, **CLOSED}, SAME),
        ({"oneOf": [NAMED, WHOLE], "unevaluatedProperties": False}, {"oneOf": [{**NAMED, **CLOSED}, WHOLE]}, SAME),
        ({"anyOf": [NAMED, HAS_A_ALONE], "unevaluatedProperties": False}, {**NAMED, **CLOSED}, SAME),
        ({"prefixItems": [TEXT], "unevaluatedItems": WHOLE}, {"prefixItems": [TEXT], "items": WHOLE}, SAME),
        ({**TEXT, "pattern": "^a+$"}, {**TEXT, "pattern": "^a+$", "maxLength": 30}, NARROWER),
        (HAS_A_ALONE, {**OBJECT, "required": ["a"], "not": {"required": ["b"]}}, SAME),
        (HAS_A_ALONE, {**OBJECT, "required": ["a"]}, WIDER),
        ({**OBJECT, "propertyNames": {"pattern": "^x"}}, {**OBJECT, **CLOSED, "patternProperties": {"^x": {}}}, SAME),
        ({"const": {"a": 1}}, {**OBJECT, **CLOSED, "required": ["a"], "properties": {"a": {"const": 1}}}, SAME),
        ({**TEXT, "format": "date"}, {**TEXT, "format": "time"}, NEITHER),
    ],
)  # fmt: skip
def test_what_schemas_allow_is_shown_whatever_they_say_it_with(
    old: Any, new: Any, shown: tuple[bool, bool]
) -> None:
    """Bounds, patterns, formats, lists of values and conditions imply each other; so is the reverse."""
    proof, reverse = proof_of(old, new), proof_of(new, old)

    assert (proof.is_old_in_new, proof.is_new_in_old) == shown
    assert (reverse.is_new_in_old, reverse.is_old_in_new) == shown


def test_what_formulas_cannot_say_is_not_shown() -> None:
    """A set that may grow, a discriminator and what is left unevaluated are no matter of values alone."""
    for schema in (
        {**TEXT, "x-extensible-enum": ["a"]},
        {"oneOf": [NAMED, WHOLE], "discriminator": {"propertyName": "a"}},
        {"type": "array", "contains": TEXT, "unevaluatedItems": False},
    ):
        assert proof_of(schema, schema) == Proof()


def test_a_schema_that_allows_nothing_is_no_proof() -> None:
    """It is an oversight: that all of its values are those of any other schema helps nobody."""
    nothing = {**NAMED, "required": ["c"], "additionalProperties": False}

    assert proof_of(nothing, NAMED) == Proof()
    assert proof_of(nothing, {"not": {}}).is_old_in_new


def test_too_much_effort_is_not_made() -> None:
    """What takes more choices than allowed is not shown, and later questions are not either."""
    old = {"anyOf": [{**WHOLE, "minimum": number * 10, "maximum": number * 10 + 9} for number in range(9)]}

    assert proof_of(old, {**WHOLE, "minimum": 0, "maximum": 89}).is_new_in_old
    assert not proof_of(old, {**WHOLE, "minimum": 0, "maximum": 89}, effort=3).is_new_in_old


def test_a_search_leaves_no_garbage() -> None:
    """Comparisons put off the search for garbage: what a proof made has to go with the proof."""
    gc.collect()
    with gc_paused():
        search = Satisfiability(Effort(left=100, of_question=100))
        search.is_shown_impossible(all_of((is_of_type((), "object"), holds((), Statement.HAS_PROPERTIES, 2))))
        gone = weakref.ref(search)
        del search

        assert gone() is None


def test_what_is_said_of_one_value_later_on_is_held_against_what_was_said_before() -> None:
    """Only values of which something more is said are looked at again."""
    is_text, is_number = is_of_type(("a",), "string"), is_of_type(("a",), "number")
    other = any_of((is_of_type(("b",), "string"), is_of_type(("b",), "array")))
    at_least_2, at_least_5 = (holds(("a",), Statement.HAS_LENGTH, count) for count in (2, 5))
    search = Satisfiability(Effort(left=100, of_question=100))

    assert search.is_shown_impossible(
        all_of((is_text, at_least_5, other, any_of((is_number, negate(at_least_2)))))
    )
    assert not search.is_shown_impossible(
        all_of((is_text, at_least_2, other, any_of((is_number, negate(at_least_5)))))
    )


def test_properties_that_messages_do_not_have_do_not_count() -> None:
    """An identifier that the provider sets is required in responses only."""
    old = {"type": "object", "required": ["id"], "properties": {"id": {**TEXT, "readOnly": True}}}
    new = {"type": "object", "properties": {"id": {**TEXT, "readOnly": True}}}

    assert proof_of(old, new, Direction.TO_PROVIDER).is_new_in_old
    assert not proof_of(old, new, Direction.TO_CONSUMER).is_new_in_old


def test_properties_that_one_side_alone_describes_are_known() -> None:
    """A rule for all properties of an object describes them as well; what holds on a condition does not."""
    described, condition = (
        {"type": "object", "properties": {"a": TEXT}},
        {"if": {"minProperties": 2}, "then": NAMED},
    )

    assert not proof_of(described, {"type": "object"}).keeps_properties
    assert proof_of(described, {"type": "object", "additionalProperties": TEXT}).keeps_properties
    assert not proof_of(described, {"type": "object", **condition}).keeps_properties
    assert not proof_of({"type": "object"}, described).adds_no_properties


LEAVES = st.sampled_from(
    [TEXT, WHOLE, NUMBER, True, False, {"const": 1}, {"enum": ["a", "ab", None]}, {"minimum": 2}, {"maxLength": 1},
     {"exclusiveMaximum": 2}, {"multipleOf": 0.5}, {"pattern": "^a"}, {"pattern": "b$"}, {"type": ["array", "null"]},
     {"minItems": 1}, {"maxItems": 1}, {"uniqueItems": True}, {"required": ["a"]}, {"minProperties": 1},
     {"maxProperties": 1}, {"dependentRequired": {"a": ["b"]}}, {"propertyNames": {"enum": ["a", "b"]}},
     {"unevaluatedProperties": False}]
)  # fmt: skip


def _within(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    union = st.lists(inner, min_size=1, max_size=3)
    single = st.sampled_from(["not", "items", "contains", "additionalProperties"])
    return st.one_of(
        st.builds(
            lambda keyword, branches: {keyword: branches}, st.sampled_from(["allOf", "anyOf", "oneOf"]), union
        ),
        st.builds(lambda keyword, schema: {keyword: schema}, single, inner),
        st.builds(lambda schema: {"properties": {"a": schema}}, inner),
        st.builds(lambda schema: {"patternProperties": {"^a": schema}}, inner),
        st.builds(lambda first, rest: {"prefixItems": [first], "items": rest}, inner, inner),
        st.builds(lambda test, then, other: {"if": test, "then": then, "else": other}, inner, inner, inner),
        st.builds(lambda *parts: {"allOf": list(parts)}, inner, inner),
    )


SCHEMAS = st.recursive(LEAVES, _within, max_leaves=5).filter(lambda schema: isinstance(schema, dict))
VALUES: tuple[Any, ...] = (
    None, True, 0, 1, 2, 3, 0.5, 1.5, -1, "", "a", "b", "ab", "abb", "c", [], [1], ["a"], [None], ["a", "b"], [1, 1],
    [2, "a", None], [[]], {}, {"a": 1}, {"a": "a"}, {"b": None}, {"a": 2, "b": "ab"}, {"ab": "c"}, {"c": 1, "d": 2},
    {"a": {}}, {"a": ["a"]},
)  # fmt: skip


@given(SCHEMAS, SCHEMAS)
def test_no_proof_is_refuted_by_a_validator(old: Any, new: Any) -> None:
    """No value of a schema that is shown to be within another one is refused by that one. A value that is found
    outside is one that validators take on the one side, and not on the other, unless it is a mere candidate.
    """
    proof = proof_of(old, new)
    validators = jsonschema_rs.Draft202012Validator(old), jsonschema_rs.Draft202012Validator(new)
    before, after = api_with(old), api_with(new)
    sides = ((schema_in(before),), SchemaNormaliser(before), (schema_in(after),), SchemaNormaliser(after))
    outside = value_outside(*sides, Direction.TO_PROVIDER)
    values = VALUES if outside is ABSENT else (*VALUES, outside)

    for value in values:
        is_old, is_new = (validator.is_valid(value) for validator in validators)
        assert is_new or not (is_old and proof.is_old_in_new), value
        assert is_old or not (is_new and proof.is_new_in_old), value


@pytest.mark.parametrize(
    ("allowing", "refusing"),
    [
        ({**TEXT, "pattern": "^(red|green|blue)$"}, {"enum": ["red", "green"]}),
        ({**WHOLE, "multipleOf": 4}, {**WHOLE, "multipleOf": 8}),
        ({"type": "array", "items": {"enum": [1, 2]}}, {"type": "array", "items": {"enum": [1]}}),
        ({"type": "array", "contains": {"const": 1}}, {"type": "array", "contains": {"const": 1}, "maxItems": 3}),
        ({"type": "array"}, {"type": "array", "uniqueItems": True}),
        ({"oneOf": [{"maximum": 5}, TEXT]}, {"oneOf": [{"maximum": 4}, TEXT]}),
        ({**OBJECT, "patternProperties": {"^x": TEXT}}, {**OBJECT, "patternProperties": {"^x": {"const": "a"}}}),
        ({**OBJECT, "additionalProperties": {"items": WHOLE}}, {"additionalProperties": {"items": {"minimum": 5}}}),
        ({**NAMED, "minProperties": 1}, {**NAMED, "required": ["a"]}),
    ],
)  # fmt: skip
def test_a_value_outside_is_found(allowing: Any, refusing: Any) -> None:
    """It is made of what both schemas say, down to items and properties."""
    before, after = api_with(allowing), api_with(refusing)
    sides = ((schema_in(before),), SchemaNormaliser(before), (schema_in(after),), SchemaNormaliser(after))

    value = value_outside(*sides, Direction.TO_PROVIDER)

    assert jsonschema_rs.Draft202012Validator(allowing).is_valid(value)
    assert not jsonschema_rs.Draft202012Validator(refusing).is_valid(value)
