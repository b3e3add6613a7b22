"""Witnesses of changes that are easily missed: null beside unions, overlapping branches, limited names."""

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
import pytest

from devportal.differ import Change, compare
from devportal.differ.rule import Verdict
from devportal.differ.witness import Witness
from tests.differ.exchanges import api_of, body, response

_NULL = {"type": "null"}
_TEXT = {"type": "string"}
_NAMED = {"type": "object", "required": ["name"], "properties": {"name": _TEXT}}
_LIST = {"type": "array", "items": _TEXT}


def _closed_object(**properties: Any) -> dict[str, Any]:
    """Return a closed object with these required properties."""
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


def _kind(*values: str) -> dict[str, Any]:
    return {"oneOf": [_LIST, {"oneOf": [{"type": "object"}, _closed_object(kind={"enum": list(values)})]}]}


def _limited_object(schema: Any) -> dict[str, Any]:
    return {"type": "object", "propertyNames": {"enum": ["id", "name"]}, "additionalProperties": schema}


BREAKING: Mapping[str, tuple[Any, Any]] = {
    "a union beside null refuses it": (_NULL, {**_NULL, "anyOf": [_LIST]}),
    "a union beside a type refuses null": (
        {"type": ["string", "null"]},
        {"type": ["string", "null"], "anyOf": [_TEXT]},
    ),
    "a null branch beside a type is removed": (
        {"type": ["string", "null"], "anyOf": [_TEXT, _NULL]},
        {"type": ["string", "null"], "anyOf": [_TEXT]},
    ),
    "a null branch beside an enum is removed": (
        {"enum": ["a", None], "oneOf": [_TEXT, _NULL]},
        {"enum": ["a", None], "oneOf": [_TEXT]},
    ),
    "one of two unions loses its null": (
        {"oneOf": [_NAMED, _NULL], "anyOf": [_NAMED, _NULL]},
        {"oneOf": [_NAMED, _NULL], "anyOf": [_NAMED]},
    ),
    "what is forbidden was impossible": (
        {"not": {**_NULL, "anyOf": [_LIST]}},
        {"not": _NULL},
    ),
    "a value added to a branch of a nested union matches a free-form one": (_kind("a"), _kind("a", "b")),
    "numbers beside integers": ({"oneOf": [{"type": "integer"}]}, {"oneOf": [{"type": "integer"}, {"type": "number"}]}),
    "an enum beside any text": ({"oneOf": [_TEXT, _LIST]}, {"oneOf": [_TEXT, _LIST, {"enum": ["a"]}]}),
    "properties whose names are limited": (_limited_object(_TEXT), _limited_object({"type": "number"})),
}  # fmt: skip


def _changes(old: Any, new: Any) -> tuple[Change, ...]:
    """Return what changes if this is the schema of a request."""
    before, after = (api_of(body({"application/json": {"schema": schema}})) for schema in (old, new))
    return compare(before, after).changes


def _witnesses(changes: tuple[Change, ...]) -> Iterator[Any]:
    for change in changes:
        yield from (witness.body for witness in _witnesses_of(change))


def _witnesses_of(change: Change) -> Iterator[Witness]:
    search = change.witness_search
    if change.verdict is Verdict.BREAKING and search is not None and search.witness is not None:
        yield search.witness


@pytest.mark.parametrize("name", BREAKING)
def test_each_break_has_a_witness_that_validators_agree_with(name: str) -> None:
    """The schemas as they are written allow the value before the change, and refuse it after."""
    old, new = BREAKING[name]

    found = list(_witnesses(_changes(old, new)))

    assert found
    for value in found:
        assert jsonschema_rs.is_valid(old, value)
        assert not jsonschema_rs.is_valid(new, value)


def test_null_beside_null_in_a_union_stays_valid() -> None:
    """A type that is null is no branch of the union beside it, so null matches one branch alone."""
    changes = _changes(_NULL, {**_NULL, "oneOf": [{"type": ["boolean", "null"]}]})

    assert not [change for change in changes if change.verdict.is_at_least(Verdict.RISKY)]


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
@pytest.mark.parametrize("branches", [(_NAMED,), (_NAMED, _TEXT)])
@pytest.mark.parametrize(
    ("version", "null"), [("3.1.0", _NULL), ("3.1.0", {"const": None}), ("3.0.3", {"nullable": True, "enum": [None]})]
)  # fmt: skip
def test_a_text_of_a_null_branch_is_documentation(
    keyword: str, branches: tuple[Any, ...], version: str, null: Any
) -> None:
    """Whether a branch that only says null has a text decides nothing, in either direction."""
    old, new = (
        api_of(
            body({"application/json": {"schema": {keyword: [*branches, item]}}}), version=version
        )
        for item in (null, {**null, "description": "Nothing."})
    )  # fmt: skip

    for changes in (compare(old, new).changes, compare(new, old).changes):
        assert [(change.rule, change.verdict) for change in changes] == [
            ("schema.text.changed", Verdict.DOCUMENTATION)
        ]


def test_the_witness_of_a_removed_property_has_that_property() -> None:
    """A message that is refused for another removed property shows nothing about this one."""
    old = _closed_object(a=_TEXT, b=_TEXT, c=_TEXT) | {"required": []}
    new = {**old, "properties": {"c": _TEXT}}

    assert {
        change.field: witness.refusal
        for change in _changes(old, new)
        for witness in _witnesses_of(change)
    } == {
        "request.a": '"a" is not allowed in this object',
        "request.b": '"b" is not allowed in this object',
    }  # fmt: skip


def test_the_witness_of_a_removed_property_has_it_if_no_property_is_left() -> None:
    """Validators refuse members of an object without properties one by one."""
    old = _closed_object(a=_TEXT, b=_TEXT) | {"required": []}

    found = _witnesses(_changes(old, {**old, "properties": {}}))

    assert [list(value) for value in found] == [["a"], ["b"]]


def test_the_witness_of_a_property_that_is_no_longer_sent_names_that_property() -> None:
    """Of two properties that responses no longer have, each is missing in its own witness."""
    old, new = (
        api_of(response(content={"application/json": {"schema": schema}}))
        for schema in (_closed_object(a=_TEXT, b=_TEXT), {"type": "object"})
    )

    assert {
        change.field: witness.refusal
        for change in compare(old, new).changes
        if change.rule == "schema.property.removed.required"
        for witness in _witnesses_of(change)
    } == {"response.200.a": '"a" is missing', "response.200.b": '"b" is missing'}


def test_each_branch_added_to_a_long_union_is_shown_by_a_value_of_that_branch() -> None:
    """A value of the new branch is tried before those that match two of the many others."""
    names = [f"kind{number}" for number in range(16)]
    branches = [
        _closed_object(kind={"enum": [name]}, number=_TEXT, note=_TEXT, bank=_NAMED) for name in names
    ]
    kept = branches[:6] + branches[8:]
    old, new = (
        api_of(response(content={"application/json": {"schema": {"oneOf": schemas}}}))
        for schemas in (kept, branches)
    )

    changes = compare(old, new).changes

    assert [(change.rule, change.verdict) for change in changes] == [
        ("schema.one-of.added", Verdict.BREAKING)
    ] * 2
    assert [value["kind"] for value in _witnesses(changes)] == ["kind6", "kind7"]


def test_a_change_breaks_although_the_contract_contradicts_itself_elsewhere_in_the_message() -> None:
    """No text has the length and the pattern of the id: that the other property may be longer shows without it."""
    impossible = {"type": "string", "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}$", "maxLength": 12}
    old, new = (
        api_of(
            response(
                content={
                    "application/json": {
                        "schema": {
                            "type": "object",
                            "required": ["id"],
                            "properties": {"id": impossible, "name": {"type": "string", "maxLength": length}},
                        }
                    }
                }
            )
        )
        for length in (5, 9)
    )

    assert [(change.rule, change.verdict) for change in compare(old, new).changes] == [
        ("schema.max-length.raised", Verdict.BREAKING)
    ]


@pytest.mark.parametrize(
    ("old", "new", "rule", "refusal"),
    [
        (
            {"type": "number"},
            {"type": "integer", "minimum": 0},
            "schema.type.narrowed",
            "0.5 must be an integer",
        ),
        (
            {"type": "object"},
            {**_NAMED, "additionalProperties": False},
            "schema.additional.closed",
            '"key" is not allowed in this object',
        ),
        (
            {"type": "object"},
            {**_NAMED, "propertyNames": {"pattern": "^[a-z]+$"}},
            "schema.property-names.set",
            '"" does not match "^[a-z]+$"',
        ),
        (
            {"type": "object"},
            {**_NAMED, "patternProperties": {"^x": _TEXT}},
            "schema.pattern-property.added",
            "1 must be a string",
        ),
        (
            {"type": "array"},
            {"type": "array", "minItems": 1, "prefixItems": [_TEXT, _TEXT], "items": False},
            "schema.items.set",
            "true is not allowed here",
        ),
    ],
)
def test_the_message_for_a_change_shows_that_change_and_no_other(
    old: Any, new: Any, rule: str, refusal: str
) -> None:
    """Several keywords change at once: the message for each is refused by that keyword."""
    (change,) = (change for change in _changes(old, new) if change.rule == rule)
    (witness,) = _witnesses_of(change)

    assert witness.refusal == refusal


def test_the_reason_is_about_what_changed_within_a_branch() -> None:
    """A validator only knows that a value matches no branch, or takes it for another one."""
    letter = _closed_object(kind={"enum": ["letter"]}, code={"type": "string", "maxLength": 3})

    def any_kind(weight: Any) -> dict[str, Any]:
        return _closed_object(
            kind={"enum": ["letter", "crate"]},
            code={"type": "string", "minLength": 5},
            inner=_closed_object(weight=weight),
        )

    old, new = (
        api_of(response(content={"application/json": {"schema": {"oneOf": [letter, any_kind(weight)]}}}))
        for weight in ({"type": "number"}, {"type": ["number", "null"]})
    )

    (change,) = compare(old, new).changes
    (witness,) = _witnesses_of(change)

    assert (witness.pointer, witness.refusal) == ("/inner/weight", "null must be a number")
