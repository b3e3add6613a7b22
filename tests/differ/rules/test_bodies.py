"""Request bodies: their presence, their media types, and how their parts are written."""

from typing import Any

import pytest

from devportal.differ import Policy
from devportal.differ.policy import UnknownInput
from tests.differ.exchanges import api_of, body, changes, found_in_event, operation_changes

JSON = "application/json"
VENDOR = "application/vnd.shop+json"
THING = {"schema": {"type": "object"}}


def media(*names: str, **more: Any) -> dict[str, Any]:
    """Return an operation whose body comes in these media types."""
    return body(dict.fromkeys(names, THING), **more)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, media(JSON), [("body.added.required", "breaking")]),
        ({}, media(JSON, required=False), [("body.added.optional", "compatible")]),
        (media(JSON), {}, [("body.removed", "breaking")]),
        (media(JSON, required=False), {}, [("body.removed", "risky")]),
        (media(JSON, required=False), media(JSON), [("body.became-required", "breaking")]),
        (media(JSON), media(JSON, required=False), [("body.became-optional", "compatible")]),
        (media(JSON), media(JSON, description="New."), [("body.text.changed", "documentation")]),
        (
            media(JSON),
            body({JSON: {**THING, "example": {}}}),
            [("body.text.changed", "documentation")],
        ),
    ],
)
def test_one_change_of_a_body_is_one_finding(
    old: dict[str, Any], new: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    """A body that comes or goes does not report its parts."""
    assert operation_changes(old, new) == expected


def test_an_optional_body_is_missed_where_unknown_input_is_refused() -> None:
    """Who still sends it is refused then."""
    strict = Policy(unknown_input=UnknownInput.REJECTED)

    assert operation_changes(media(JSON, required=False), {}, strict) == [("body.removed", "breaking")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([JSON, "text/csv"], [JSON], [("body.media.removed", "breaking")]),
        ([JSON], [JSON, "text/csv"], [("body.media.added", "compatible")]),
        ([JSON, "application/*"], ["application/*"], []),
        ([JSON, VENDOR], [JSON], [("body.media.removed", "breaking")]),
        ([VENDOR], [JSON], [("body.media.widened", "compatible")]),
        ([JSON], [VENDOR], [("body.media.narrowed", "breaking")]),
        ([JSON], ["*/*"], [("body.media.widened", "compatible")]),
        ([JSON, "*/*"], [JSON], [("body.media.narrowed", "breaking")]),
        ([JSON], [JSON, "*/*"], [("body.media.widened", "compatible")]),
        (["*/*"], ["*/*", JSON], []),
        ([JSON], ["Application/JSON"], []),
        (["text/csv; header=present"], ["text/csv;header=present"], []),
        ([JSON], [f"{JSON}; charset=utf-8"], [("body.media.param.changed", "documentation")]),
        ([JSON], [f"{JSON}; charset=utf-16"], [("body.media.param.changed", "risky")]),
        (["text/csv"], ["text/csv; charset=utf-8"], [("body.media.param.changed", "risky")]),
        ([f"{VENDOR};version=1"], [f"{VENDOR};version=2"], [("body.media.param.changed", "breaking")]),
        ([JSON], ["text/csv"], [("body.media.added", "compatible"), ("body.media.removed", "breaking")]),
    ],
)
def test_media_types_by_what_they_cover(
    old: list[str], new: list[str], expected: list[tuple[str, str]]
) -> None:
    """A range covers what is in it; a vendor's JSON is JSON when one takes the other's place."""
    assert operation_changes(media(*old), media(*new)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, THING, [("body.media.schema.added", "breaking")]),
        (THING, {}, [("body.media.schema.removed", "compatible")]),
        ({"schema": {}}, THING, [("schema.type.set", "breaking")]),
        ({}, {"schema": {}}, []),
        ({"schema": True}, {}, []),
    ],
)
def test_a_schema_where_there_was_none(old: Any, new: Any, expected: list[tuple[str, str]]) -> None:
    """What says nothing is no schema, whichever way it is written."""
    assert operation_changes(body({JSON: old}), body({JSON: new})) == expected


def test_the_place_names_the_media_type_where_there_are_several() -> None:
    """Without it nobody could tell which of the two bodies is meant."""
    old, new = (
        body({JSON: THING, "text/csv": {"schema": {"type": "string", "maxLength": length}}})
        for length in (9, 5)
    )

    (change,) = changes(api_of(old), api_of(new))

    assert change.field == "request(text/csv)"


def test_a_body_behind_a_broken_reference_is_risky() -> None:
    """What it may be now cannot be known."""
    broken = {"requestBody": {"$ref": "#/components/requestBodies/Gone"}}

    assert operation_changes(media(JSON), broken) == [("body.unreadable", "risky")]
    assert operation_changes(broken, broken) == []


def test_in_events_the_verdicts_are_the_other_way_round() -> None:
    """A payload that may be missing breaks its receivers."""
    assert found_in_event(media(JSON), media(JSON, required=False)) == [("body.became-optional", "breaking")]
    assert found_in_event({}, media(JSON)) == [("body.added.required", "compatible")]
    assert found_in_event(media(JSON, required=False), {}) == [("body.removed", "breaking")]
