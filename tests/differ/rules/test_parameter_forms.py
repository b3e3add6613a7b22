"""Parameters that both contracts have: whether they are needed, and how they are written."""

from typing import Any

import pytest

from devportal.differ import Policy, Verdict
from tests.differ.exchanges import found_in_event, operation_changes, parameter

LIST = {"type": "array", "items": {"type": "string"}}
TEXT = {"type": "string"}
RECORD = {"type": "object", "properties": {"r": {"type": "integer"}}}
JSON = {"application/json": {"schema": RECORD}}


def text(**more: Any) -> dict[str, Any]:
    """Return a schema of texts."""
    return {"type": "string", **more}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (parameter(), parameter(required=True), [("param.became-required", "breaking")]),
        (parameter(required=True), parameter(), [("param.became-optional", "compatible")]),
        (parameter(), parameter(required=False), []),
        (parameter(), parameter(allowReserved=True), [("param.allow-reserved.on", "compatible")]),
        (parameter(allowReserved=True), parameter(), [("param.allow-reserved.off", "breaking")]),
        (parameter(), parameter(allowEmptyValue=True), [("param.allow-empty.on", "compatible")]),
        (parameter(allowEmptyValue=True), parameter(), [("param.allow-empty.off", "breaking")]),
        (parameter(RECORD), parameter(content=JSON), [("param.schema-to-content", "breaking")]),
        (parameter(content=JSON), parameter(content=JSON), []),
        (
            parameter(content={"application/json": {}}),
            parameter(content={"Application/JSON": {}}),
            [],
        ),
        (parameter(), parameter(description="New."), [("param.text.changed", "documentation")]),
        (parameter(), parameter(example="a"), [("param.text.changed", "documentation")]),
    ],
)
def test_one_change_is_one_finding(
    old: dict[str, Any], new: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    """Each rule finds its change, and nothing where only the spelling differs."""
    assert operation_changes(old, new) == expected


@pytest.mark.parametrize(
    ("schema", "old", "new", "expected"),
    [
        (LIST, {"explode": False}, {"style": "pipeDelimited"}, ["param.style.changed"]),
        (TEXT, {"explode": False}, {"style": "pipeDelimited", "explode": False}, []),
        (LIST, {}, {"style": "pipeDelimited", "explode": True}, []),
        (RECORD, {}, {"style": "deepObject"}, ["param.style.changed"]),
        (LIST, {}, {"explode": False}, ["param.explode.changed"]),
        (TEXT, {}, {"explode": False}, []),
        ({**LIST, "maxItems": 1}, {}, {"explode": False}, []),
        ({}, {}, {"explode": False}, ["param.explode.changed"]),
    ],
)
def test_style_and_explode_count_where_values_are_written_differently(
    schema: Any, old: dict[str, Any], new: dict[str, Any], expected: list[str]
) -> None:
    """A style is no change for values that it writes as before."""
    assert [rule for rule, _ in operation_changes(_with(schema, old), _with(schema, new))] == expected


def _with(schema: Any, more: dict[str, Any]) -> dict[str, Any]:
    return {"parameters": [{"name": "limit", "in": "query", "schema": schema, **more}]}


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        (TEXT, LIST, "compatible"),
        ({"type": "integer"}, LIST, "compatible"),
        (TEXT, {**LIST, "minItems": 1}, "compatible"),
        (TEXT, {**LIST, "minItems": 2}, "breaking"),
        (TEXT, {"type": "array", "items": text(maxLength=3)}, "breaking"),
        (text(maxLength=3), {"type": "array", "items": text(maxLength=3)}, "compatible"),
        (TEXT, {"type": "array", "items": {"type": "integer"}}, "breaking"),
    ],
)
def test_a_single_value_may_be_a_list_of_one(old: Any, new: Any, verdict: str) -> None:
    """Callers who sent one value go on where the list takes it as its only item."""
    assert operation_changes(parameter(old), parameter(new)) == [("param.scalar-to-array", verdict)]


def test_a_list_is_no_single_value_in_other_styles_and_places() -> None:
    """Only in an exploded form is the value itself the list of one."""
    broken = [("param.scalar-to-array", "breaking")]

    assert operation_changes(parameter(TEXT), parameter(LIST, explode=False)) == broken
    assert (
        operation_changes(parameter(TEXT, **{"in": "header"}), parameter(LIST, **{"in": "header"})) == broken
    )


def test_a_list_that_becomes_a_single_value_breaks() -> None:
    """Two values have no place any more."""
    assert operation_changes(parameter(LIST), parameter(TEXT)) == [("param.array-to-scalar", "breaking")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"type": "integer", "minimum": 1, "format": "int32"}, TEXT, []),
        ({"type": "boolean"}, text(enum=["true", "false"]), []),
        ({"type": "integer", "enum": [1, 2]}, text(enum=["1", "2", "3"]), []),
        ({"type": "integer"}, text(enum=["1"]), [("schema.enum.set", "breaking")]),
        ({"type": "integer"}, text(maxLength=3), [("schema.max-length.lowered", "breaking")]),
        ({"type": "integer", "default": 1}, text(default="1"), []),
    ],
)
def test_numbers_in_texts_go_on_where_any_text_is_taken(
    old: Any, new: Any, expected: list[tuple[str, str]]
) -> None:
    """What is said of numbers alone is no finding, what refuses their texts is."""
    assert operation_changes(parameter(old), parameter(new)) == sorted(
        [*expected, ("param.text-widened", "compatible")]
    )


def test_in_json_a_number_is_no_text() -> None:
    """The type of a value in JSON is part of what is sent."""
    old, new = ({"application/json": {"schema": {"type": kind}}} for kind in ("integer", "string"))

    assert operation_changes(parameter(content=old), parameter(content=new)) == [
        ("schema.type.changed", "breaking")
    ]


def test_defaults_count_where_the_parameter_may_be_left_out() -> None:
    """Who sends nothing gets another default: risky, or what the policy says. Who has to send does not use it."""
    old, new = text(default="a"), text(default="b")
    strict = Policy(default_change=Verdict.BREAKING)

    assert operation_changes(parameter(old), parameter(new)) == [("param.default.changed", "risky")]
    assert operation_changes(parameter(old), parameter(new), strict) == [
        ("param.default.changed", "breaking")
    ]
    assert operation_changes(parameter(TEXT), parameter(new)) == [("param.default.changed", "risky")]
    assert operation_changes(parameter(old, required=True), parameter(new, required=True)) == [
        ("param.default.changed", "documentation")
    ]


def test_in_events_the_verdicts_are_the_other_way_round() -> None:
    """What the provider sends more surely harms nobody, what it may leave out does."""
    assert found_in_event(parameter(), parameter(required=True)) == [("param.became-required", "compatible")]
    assert found_in_event(parameter(required=True), parameter()) == [("param.became-optional", "breaking")]
    assert found_in_event(parameter(), {}) == [("param.removed", "breaking")]
