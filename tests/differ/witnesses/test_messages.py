"""Tests of the messages that show changes: what is sent or received, why it is refused, and where."""

from collections.abc import Mapping
from typing import Any

import pytest

from devportal.contract import ABSENT, Api
from devportal.differ import Change, Verdict, compare, read_policy
from devportal.differ.rule import Direction
from devportal.differ.witness import Witness
from tests.differ.exchanges import api_of, body, event_of, parameter, response

JSON = "application/json"


def content(schema: Any) -> dict[str, Any]:
    """Return a body of JSON with a schema."""
    return {JSON: {"schema": schema}}


def change_of(old: Api, new: Api, rule: str) -> Change:
    """Return the first change of a rule between two contracts."""
    return next(change for change in compare(old, new).changes if change.rule == rule)


def witness_of(old: Mapping[str, Any], new: Mapping[str, Any], rule: str, **contract: Any) -> Witness:
    """Return the witness of a breaking change between two versions of an operation."""
    change = change_of(api_of(old, **contract), api_of(new, **contract), rule)
    assert change.verdict is Verdict.BREAKING
    assert change.witness_search is not None
    assert change.witness_search.witness is not None
    return change.witness_search.witness


def test_a_query_parameter_beyond_its_new_maximum() -> None:
    """The request has the first value that is too large, and says which parameter it is."""
    witness = witness_of(
        parameter({"type": "integer", "maximum": 1000}),
        parameter({"type": "integer", "maximum": 100}),
        "schema.maximum.lowered",
    )

    assert witness.direction is Direction.TO_PROVIDER
    assert witness.start_line == "POST /things?limit=101"
    assert witness.body is ABSENT
    assert witness.refusal == "the query parameter limit: 101 is greater than the maximum of 100"


@pytest.mark.parametrize(
    "new", [{"format": "uuid"}, {"pattern": "^[0-9]+$"}, {"minLength": 3}], ids=lambda new: next(iter(new))
)
def test_a_path_parameter_is_never_empty(new: dict[str, Any]) -> None:
    """The request has a text in the segment: without one it would not reach the operation."""
    place = {"name": "id", "in": "path", "required": True}
    old, refusing = (
        api_of(parameter({"type": "string", **keywords}, **place), path="/a/{id}") for keywords in ({}, new)
    )

    changes = compare(old, refusing).changes

    witnesses = [change.witness_search.witness for change in changes if change.witness_search is not None]
    assert [witness is not None and len(witness.start_line) > len("POST /a/") for witness in witnesses] == [
        True
    ]


def test_a_body_with_nothing_but_what_is_required() -> None:
    """The body has the member that is refused, those that are required, and no others."""
    members = {"id": {"type": "string"}, "note": {"type": "string"}, "more": {"type": "string"}}
    old = {"type": "object", "required": ["id"], "properties": members}
    new = {**old, "properties": {**members, "note": {"type": "string", "maxLength": 3}}}

    witness = witness_of(body(content(old)), body(content(new)), "schema.max-length.lowered")

    assert witness.start_line == "POST /things"
    assert witness.media_type == JSON
    assert set(witness.body) == {"id", "note"}
    assert len(witness.body["note"]) == 4
    assert witness.pointer == "/note"


def test_a_response_without_a_property_that_was_required() -> None:
    """The new contract allows the response, and the old one does not."""
    old = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
    new = {"type": "object", "properties": {"id": {"type": "string"}}}

    witness = witness_of(
        response(content=content(old)), response(content=content(new)), "schema.property.became-optional"
    )

    assert witness.direction is Direction.TO_CONSUMER
    assert witness.start_line == "200 OK"
    assert witness.body == {}
    assert witness.refusal == '"id" is missing'


def test_properties_with_the_names_that_are_tried() -> None:
    """A contract may list every name that the search would take for an unknown property."""
    names = ["key", *(f"key{number}" for number in range(2, 101))]
    old = {"type": "object", "properties": {name: {"type": "string"} for name in names}}

    witness = witness_of(
        body(content(old)),
        body(content({**old, "additionalProperties": False})),
        "schema.additional.closed",
    )

    assert "key101" in witness.body


def test_the_rest_of_the_request_is_valid() -> None:
    """Required parameters and headers come with the part that is refused."""

    def operation(largest: int) -> dict[str, Any]:
        schema = {"type": "integer", "maximum": largest}
        return {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                {"name": "X-Key", "in": "header", "required": True, "schema": {"enum": ["k"]}},
                {"name": "skip", "in": "query", "schema": {"type": "integer"}},
            ],
            **body(content(schema)),
        }

    witness = witness_of(operation(9), operation(8), "schema.maximum.lowered", path="/things/{id}")

    assert witness.start_line == "POST /things/1"
    assert witness.headers == (("X-Key", "k"),)
    assert witness.body == 9


def test_a_word_that_only_the_old_pattern_matches() -> None:
    """The text is taken from the difference of the two languages."""
    witness = witness_of(
        parameter({"type": "string", "pattern": "^[a-z]{2,4}$"}),
        parameter({"type": "string", "pattern": "^[a-z]{3,4}$"}),
        "schema.pattern.changed",
    )

    assert witness.start_line == "POST /things?limit=aa"


def test_an_object_in_a_response_header() -> None:
    """A header is written in style `simple`, its members one after the other."""

    def headers(largest: int) -> dict[str, Any]:
        part = {"type": "integer", "minimum": 5, "maximum": largest}
        schema = {"type": "object", "required": ["part"], "properties": {"part": part}}
        return {"X-Range": {"required": True, "schema": schema}}

    witness = witness_of(response(headers=headers(5)), response(headers=headers(6)), "schema.maximum.raised")

    assert witness.headers == (("X-Range", "part,6"),)


def test_the_reason_is_about_the_text_as_the_contract_reads_it() -> None:
    """A number in a query is a text as well: it is refused for its length, not for being a number."""
    witness = witness_of(
        parameter({"type": "integer"}),
        parameter({"type": "string", "maxLength": 4}),
        "schema.max-length.lowered",
    )

    assert witness.start_line == "POST /things?limit=10000"
    assert witness.refusal == 'the query parameter limit: "10000" is longer than 4 characters'


def test_a_change_of_one_operation_is_shown_by_a_message_of_it() -> None:
    """Both operations now refer to another component: each has the change, although the schemas are shared."""
    old, new = (
        api_of(
            {},
            components={"schemas": {name: {"type": "string", "enum": values}}},
            paths={
                path: {"get": {"responses": {}, **parameter({"$ref": f"#/components/schemas/{name}"})}}
                for path in ("/a", "/b", "/c", "/d", "/e", "/f")
            },
        )
        for name, values in (("State", ["on", "off"]), ("Switch", ["on"]))
    )

    found = [change for change in compare(old, new).changes if change.rule == "schema.enum.value.removed"]
    lines = {
        str(change.subject): change.witness_search.witness.start_line
        for change in found
        if change.witness_search is not None and change.witness_search.witness is not None
    }

    assert lines == {f"GET /{name}": f"GET /{name}?limit=off" for name in "abcdef"}


def test_an_event_that_is_renamed() -> None:
    """The new contract sends it, so the message has the new name."""
    old, new = (
        api_of(
            {},
            webhooks={name: {"post": {"operationId": "ordered", "responses": {}, **body(content(schema))}}},
        )
        for name, schema in (("order.created", {"maximum": 5}), ("orderCreated", {"maximum": 6}))
    )

    change = change_of(old, new, "schema.maximum.raised")

    assert str(change.subject) == "order.created"
    assert change.witness_search is not None
    assert change.witness_search.witness is not None
    assert change.witness_search.witness.start_line == "orderCreated"


def test_an_event() -> None:
    """An event is named, and its body is what receivers do not expect."""
    old, new = ({"type": "integer", "maximum": largest} for largest in (5, 6))

    change = change_of(event_of(body(content(old))), event_of(body(content(new))), "schema.maximum.raised")

    assert change.witness_search is not None
    assert change.witness_search.witness is not None
    assert change.witness_search.witness.start_line == "thing.made"
    assert change.witness_search.witness.body == 6


@pytest.mark.parametrize(
    ("old", "new", "rule", "start_line", "refusal"),
    [
        ({}, parameter(required=True), "param.added.required", "POST /things", "is missing"),
        ({}, body(content({})), "body.added.required", "POST /things", "the body is missing"),
        (response("200"), response("202"), "response.success.replaced", "202 Accepted", "the status 202"),
        (response(content=content({})), response(), "response.body.removed", "200 OK", "the body is missing"),
    ],
)
def test_facts_that_need_no_schema(
    old: Mapping[str, Any], new: Mapping[str, Any], rule: str, start_line: str, refusal: str
) -> None:
    """What is missing, or has a status that nobody described, is shown from what both contracts list."""
    witness = witness_of(old, new, rule)

    assert witness.start_line == start_line
    assert refusal in witness.refusal


def test_body_of_a_replaced_status_is_shown_with_the_new_status() -> None:
    """The old one is never sent with it."""
    bodies = [content({"type": kind}) for kind in ("integer", "string")]

    witness = witness_of(
        response("200", content=bodies[0]), response("202", content=bodies[1]), "schema.type.changed"
    )

    assert witness.start_line == "202 Accepted"


def test_a_media_type_that_is_gone_is_asked_for() -> None:
    """A response cannot show that a media type is gone, but a request for it can."""
    csv = {"text/csv": {"schema": {"type": "string"}}}

    witness = witness_of(
        response(content={**content({}), **csv}), response(content=content({})), "response.media.removed"
    )

    assert witness.headers == (("Accept", "text/csv"),)
    assert witness.refusal == "no response comes as text/csv"


def test_a_change_that_nothing_shows_is_risky() -> None:
    """Branches that together allow all texts refuse none, which a pattern that looks ahead at each character hides.
    The message says what was tried.
    """
    old = {"type": "string"}
    new = {**old, "anyOf": [{"pattern": "ab"}, {"pattern": "^((?!ab)[\\s\\S])*$"}]}

    found = compare(api_of(body(content(old))), api_of(body(content(new)))).changes
    unions = [change for change in found if change.rule == "schema.union.set"]

    assert unions
    assert {change.verdict for change in unions} == {Verdict.RISKY}
    assert all(
        change.witness_search is not None and change.witness_search.witness is None for change in unions
    )
    assert all(change.softened_from is Verdict.BREAKING for change in unions)


def test_a_policy_that_raises_a_rule_needs_no_witness() -> None:
    """What the policy calls breaking stays so."""
    policy = read_policy({"unknown_input": "rejected"})
    old = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}
    new = {"type": "object", "properties": {"b": {"type": "integer"}}}

    found = compare(api_of(body(content(old))), api_of(body(content(new))), policy).changes

    assert [change.verdict for change in found if change.rule == "schema.property.removed"] == [
        Verdict.BREAKING
    ]


def test_the_same_contracts_have_the_same_witnesses() -> None:
    """The search depends on nothing but the contracts."""
    old, new = ({"type": "array", "items": {"enum": values}} for values in (["a", "b"], ["a"]))

    first, second = (
        compare(api_of(body(content(old))), api_of(body(content(new)))).changes for _ in range(2)
    )

    assert [change.witness_search for change in first] == [item.witness_search for item in second]


def test_a_text_goes_beyond_a_pattern_that_only_says_how_it_begins() -> None:
    """The text matches the pattern and is as long as it takes to be refused."""
    new = {"type": "string", "pattern": "^x-"}

    witness = witness_of(
        response(content=content({**new, "maxLength": 5})),
        response(content=content(new)),
        "schema.max-length.raised",
    )

    assert witness.body.startswith("x-")
    assert len(witness.body) == 6
