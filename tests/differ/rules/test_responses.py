"""Responses: their statuses, their bodies and media types, headers and links."""

from typing import Any

import pytest

from devportal.differ import Policy, Verdict
from tests.differ.exchanges import (
    api_of,
    changes,
    event_of,
    found_in_event,
    operation_changes,
    response,
    statuses,
)

JSON = "application/json"
THING = {"schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}}
PROBLEM = {"schema": {"type": "object", "properties": {"title": {"type": "string"}}}}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (["200", "202"], ["200"], [("response.success.removed", "breaking")]),
        (["200", "2XX"], ["2XX"], []),
        (["200"], ["200", "202"], [("response.success.added", "risky")]),
        (["200", "201"], ["200", "201", "202"], [("response.success.added", "compatible")]),
        (["202"], ["200"], [("response.success.replaced", "breaking")]),
        (["200", "404"], ["200"], [("response.error.removed", "compatible")]),
        (["200"], ["200", "404"], [("response.error.added", "compatible")]),
        (["200"], ["200", "401"], [("response.error.added", "risky")]),
        (["200"], ["200", "403"], [("response.error.added", "risky")]),
        (["200"], ["200", "307"], [("response.error.added", "risky")]),
        (["200"], ["200", "default"], [("response.default.added", "compatible")]),
        (["200", "default"], ["200"], [("response.default.removed", "risky")]),
        (["200", "4XX"], ["200", "400", "404"], [("response.range.narrowed", "compatible")]),
        (["200", "400", "404"], ["200", "4XX"], [("response.range.widened", "compatible")]),
        (["200", "201"], ["2XX"], [("response.range.widened", "risky")]),
        (["200", "201"], ["2XX", "201"], [("response.range.widened", "risky")]),
        (["2XX"], ["200", "201"], [("response.range.narrowed", "compatible")]),
        (["200", "4xx"], ["200", "4XX"], []),
        (["200", "4XX"], ["200", "4XX", "401"], []),
        (["200", "4XX", "404"], ["200", "404"], [("response.error.removed", "compatible")]),
        (["200", "404"], ["200", "4XX", "404"], [("response.error.added", "compatible")]),
        (["200", "default"], ["default"], [("response.success.removed", "compatible")]),
        (["default"], ["200", "default"], [("response.success.added", "compatible")]),
        (["200"], ["2XX"], [("response.range.widened", "risky")]),
        (["202"], ["2XX"], [("response.range.widened", "risky")]),
        (["2XX"], ["200"], [("response.range.narrowed", "compatible")]),
        (["200", "404"], ["200", "4XX"], [("response.range.widened", "compatible")]),
        (["200", "4XX"], ["200", "422"], [("response.range.narrowed", "compatible")]),
    ],
)
def test_statuses(old: list[str], new: list[str], expected: list[tuple[str, str]]) -> None:
    """A range stands for its statuses, the default for a success of the same body."""
    content = {JSON: THING}

    assert operation_changes(statuses(*old, content=content), statuses(*new, content=content)) == expected


def test_a_range_names_all_statuses_listed_in_it() -> None:
    """A client has to expect more statuses than it knows; which it knows is said."""
    listed, ranged = api_of(statuses("200", "201")), api_of(statuses("2XX"))

    widened, narrowed = (changes(*pair)[0] for pair in ((listed, ranged), (ranged, listed)))

    assert widened.message == 'the status can be any of "2XX", not only "200, 201"'
    assert narrowed.message == 'the status can only be "200, 201", not any of "2XX"'


def test_a_change_between_a_range_and_a_status_is_about_the_status() -> None:
    """The rest of the range did not change."""
    without_body, with_body = {"description": "x"}, {"description": "x", "content": {JSON: THING}}
    old = api_of({"responses": {"200": without_body, "201": without_body}})
    new = api_of({"responses": {"200": without_body, "2XX": with_body}})

    messages = [change.message for change in changes(old, new) if change.rule == "response.body.added"]

    assert messages == ['the response 201 now has a body, "application/json"']


def test_a_default_of_another_body_stands_for_no_success() -> None:
    """A caller that reads the success finds a problem instead."""
    problem = {"default": {"description": "x", "content": {JSON: PROBLEM}}}
    both = {"200": {"description": "x", "content": {JSON: THING}}, **problem}

    assert operation_changes({"responses": both}, {"responses": problem}) == [
        ("response.success.removed", "breaking")
    ]


def test_the_overlap_of_a_range_is_compared() -> None:
    """A status that was of a range keeps its schema, or that is a change of the schema."""
    old = {"responses": {"200": {"description": "x"}, "4XX": {"description": "x", "content": {JSON: THING}}}}
    new = {
        "responses": {"200": {"description": "x"}, "404": {"description": "x", "content": {JSON: PROBLEM}}}
    }

    assert operation_changes(old, new) == [
        ("response.range.narrowed", "compatible"),
        ("schema.property.added.optional", "compatible"),
        ("schema.property.removed.required", "breaking"),
    ]


def test_a_further_success_is_what_the_policy_says() -> None:
    """Some callers never test for the one status there was."""
    policy = Policy(success_status_added=Verdict.COMPATIBLE)

    assert operation_changes(statuses("200"), statuses("200", "202"), policy) == [
        ("response.success.added", "compatible")
    ]


def test_the_place_of_a_status_is_the_status() -> None:
    """A reader finds the response in the contract."""
    (change,) = changes(api_of(statuses("200")), api_of(statuses("200", "404")))

    assert (change.field, change.new) == ("response.404", "404")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"content": {JSON: THING}}, {}, [("response.body.removed", "breaking")]),
        ({}, {"content": {JSON: THING}}, [("response.body.added", "compatible")]),
        ({}, {"description": "New."}, [("response.text.changed", "documentation")]),
        (
            {"content": {JSON: THING}},
            {"content": {JSON: {**THING, "example": {"id": "1"}}}},
            [("response.text.changed", "documentation")],
        ),
        (
            {"content": {JSON: THING, "text/csv": {}}},
            {"content": {JSON: THING}},
            [("response.media.removed", "breaking")],
        ),
        (
            {"content": {JSON: THING}},
            {"content": {JSON: THING, "text/csv": {}}},
            [("response.media.added", "compatible")],
        ),
        (
            {"content": {JSON: THING}},
            {"content": {"text/csv": {}, JSON: THING}},
            [("response.media.added", "risky")],
        ),
        (
            {"content": {JSON: THING}},
            {"content": {"application/vnd.x+json": THING}},
            [("response.media.narrowed", "compatible")],
        ),
        (
            {"content": {"application/vnd.x+json": THING}},
            {"content": {"application/*": THING}},
            [("response.media.widened", "breaking")],
        ),
        (
            {"content": {JSON: THING}},
            {"content": {f"{JSON};charset=utf-8": THING}},
            [("response.media.param.changed", "documentation")],
        ),
        (
            {"content": {f"{JSON};version=1": THING}},
            {"content": {f"{JSON};version=2": THING}},
            [("response.media.param.changed", "risky")],
        ),
        (
            {"content": {JSON: THING}},
            {"content": {JSON: {}}},
            [("response.media.schema.removed", "risky")],
        ),
        (
            {"content": {JSON: {}}},
            {"content": {JSON: THING}},
            [("response.media.schema.added", "compatible")],
        ),
    ],
)
def test_the_body_of_a_response(old: Any, new: Any, expected: list[tuple[str, str]]) -> None:
    """Each change of a body or its media types is one finding."""
    assert operation_changes(response(**old), response(**new)) == expected


def test_a_body_where_the_status_has_none_is_risky() -> None:
    """Clients do not read a body with 204."""
    old, new = response("204"), response("204", content={JSON: THING})

    assert operation_changes(old, new) == [("response.body.added", "risky")]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("303", "callers may have to follow a redirect"),
        ("304", "callers that send a precondition may get a response without a body"),
    ],
)
def test_a_new_status_says_what_callers_have_to_do(status: str, reason: str) -> None:
    """304 is no redirect: it is for those who asked whether what they have is current (RFC 9110 §15.4.5)."""
    (change,) = changes(api_of(statuses("200")), api_of(statuses("200", status)))

    assert change.message == f'the status "{status}" is added: {reason}'


def test_a_response_behind_a_broken_reference_is_risky() -> None:
    """What may come cannot be known."""
    broken = {"responses": {"200": {"$ref": "#/components/responses/Gone"}}}

    assert operation_changes(response(), broken) == [("response.unreadable", "risky")]


def with_header(name: str = "X-Rate", **told: Any) -> dict[str, Any]:
    """Return an operation whose response has a header."""
    return response(headers={name: {"schema": {"type": "integer"}, **told}})


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (response(), with_header(), [("response.header.added", "compatible")]),
        (with_header(), response(), [("response.header.removed", "risky")]),
        (with_header(required=True), response(), [("response.header.removed", "breaking")]),
        (
            with_header(required=True),
            with_header(),
            [("response.header.became-optional", "breaking")],
        ),
        (with_header(), with_header(required=True), [("response.header.became-required", "compatible")]),
        (with_header(), with_header(name="x-rate"), []),
        (with_header(), with_header(description="New."), [("response.header.text.changed", "documentation")]),
        (with_header(), with_header(schema={"type": "string"}), [("schema.type.text", "breaking")]),
        (with_header("Content-Type"), response(), []),
        (with_header(), with_header(deprecated=True), [("deprecated.set", "lifecycle")]),
        (
            with_header(schema={"type": "string"}),
            response(headers={"X-Rate": {"content": {JSON: {"schema": {"type": "string"}}}}}),
            [("response.header.schema-to-content", "breaking")],
        ),
        (
            with_header(schema={"type": "integer"}),
            response(headers={"X-Rate": {"content": {JSON: {"schema": {"type": "integer"}}}}}),
            [],
        ),
        (
            with_header(schema={"type": "object"}),
            with_header(schema={"type": "object"}, explode=True),
            [("response.header.explode.changed", "breaking")],
        ),
        (with_header(), with_header(explode=True), []),
    ],
)
def test_headers_of_a_response(old: Any, new: Any, expected: list[tuple[str, str]]) -> None:
    """Each change of a header is one finding; names have no case, and media types stand for Content-Type."""
    assert operation_changes(old, new) == expected


def test_a_header_that_is_gone_from_a_shared_response_is_told_there() -> None:
    """The response is a component, the header a place in it, and the operation one that feels it."""
    refers = {"responses": {"200": {"$ref": "#/components/responses/Fine"}}}
    old, new = (
        api_of(refers, components={"responses": {"Fine": item["responses"]["200"]}})
        for item in (with_header(), response())
    )

    (change,) = changes(old, new)

    assert (str(change.subject), change.field) == ("response Fine", "header.X-Rate")
    assert [use.field for use in change.used_by] == ["response.200.header.X-Rate"]


def test_links_of_a_response() -> None:
    """A link that goes or leads elsewhere may be missed."""
    one = response(links={"next": {"operationId": "getNext"}})
    other = response(links={"next": {"operationId": "getLast"}})

    assert operation_changes(response(), one) == [("response.link.added", "compatible")]
    assert operation_changes(one, response()) == [("response.link.removed", "risky")]
    assert operation_changes(one, other) == [("response.link.changed", "risky")]
    assert operation_changes(one, one) == []


@pytest.mark.parametrize("field", [{"requestBody": "x"}, {"server": {"url": "https://a.example"}}])
def test_a_changed_link_shows_what_differs(field: dict[str, Any]) -> None:
    """A body and a server of the link, too: old and new value are never the same."""
    one, other = ({"operationId": "getNext", **more} for more in ({}, field))
    old, new = (api_of(response(links={"next": link})) for link in (one, other))

    (change,) = changes(old, new)

    assert change.old == {"operation": "getNext"}
    assert change.new == {"operation": "getNext", **{name: _address(value) for name, value in field.items()}}


def _address(value: Any) -> Any:
    return value["url"] if isinstance(value, dict) else value


def test_in_events_the_provider_reads_the_answer() -> None:
    """A success that receivers returned and that is no longer taken breaks them, a further one does not."""
    assert found_in_event(statuses("200", "204"), statuses("200")) == [
        ("response.success.removed", "breaking")
    ]
    assert found_in_event(statuses("200"), statuses("200", "204")) == [
        ("response.success.added", "compatible")
    ]
    assert found_in_event(statuses("2XX"), statuses("200")) == [("response.range.narrowed", "breaking")]
    assert found_in_event(statuses("200"), statuses("2XX")) == [("response.range.widened", "compatible")]
    assert found_in_event(response(), with_header(required=True)) == [("response.header.added", "breaking")]
    assert [
        change.direction for change in changes(event_of(statuses("200")), event_of(statuses("200", "204")))
    ] == ["to provider"]


def test_receivers_of_an_event_return_the_new_status() -> None:
    """They respond, so they expect nothing."""
    old, new = (event_of({"responses": {status: {"description": "OK"}}}) for status in ("200", "204"))

    (change,) = changes(old, new)

    assert (change.rule, change.hint) == ("response.success.replaced", "return 204 instead of 200")
