"""The sentence of a finding reads well whether a value changed, came or went."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from devportal.contract import ABSENT, read_contract
from devportal.differ import compare
from devportal.differ.output.wording import format_old_and_new
from devportal.differ.rule import Action, Area, FoundChange, Rule, change_message
from devportal.differ.rules.parameter_values import PARAMETER_VALUE_RULES
from devportal.documents import parse_document
from tests.differ.exchanges import api_of, body, changes, event_of, parameter, response

LIST, RECORD = {"type": "array"}, {"type": "object"}
CAT, DOG = {"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}
KIND = {
    "discriminator": {"propertyName": "kind", "mapping": {"cat": CAT["$ref"], "dog": DOG["$ref"]}},
}


def in_header(schema: Any, **more: Any) -> dict[str, Any]:
    """Return an operation with a header as its parameter."""
    return {"parameters": [{"name": "N", "in": "header", "schema": schema, **more}]}


def form(schema: Any, **encoding: Any) -> dict[str, Any]:
    """Return an operation with a form of one field."""
    media = {"schema": {"type": "object", "properties": {"n": schema}}, "encoding": {"n": encoding}}
    return {"requestBody": {"content": {"application/x-www-form-urlencoded": media}}}


def _find(_: object) -> Iterator[FoundChange]:
    yield FoundChange()


LENGTH = Rule(
    id="schema.max-length.lowered",
    area=Area.SCHEMA,
    action=Action.NARROWED,
    to_provider=None,
    to_consumer=None,
    says="maxLength is lowered from %(old)s to %(new)s",
    find=_find,
)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (9, 5, "maxLength is lowered from 9 to 5"),
        (ABSENT, 5, "maxLength is set to 5"),
        (9, ABSENT, "maxLength is removed (was 9)"),
    ],
)
def test_a_value_that_came_or_went_is_not_called_none(old: Any, new: Any, expected: str) -> None:
    """A first bound is told as one, not as raised from none."""
    assert change_message(LENGTH, FoundChange(old=old, new=new)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (10, 20, "the default of the query parameter limit is changed from 10 to 20"),
        (ABSENT, 10, "the default of the query parameter limit is set to 10"),
        (10, ABSENT, "the default of the query parameter limit is removed (was 10)"),
    ],
)
def test_a_first_default_of_a_parameter_replaces_none(old: Any, new: Any, expected: str) -> None:
    """A default that came is not told as a value instead of none."""
    rule = next(
        parameter_value_rule
        for parameter_value_rule in PARAMETER_VALUE_RULES
        if parameter_value_rule.id == "param.default.changed"
    )

    assert (
        change_message(rule, FoundChange(old=old, new=new, names={"place": "query", "name": "limit"}))
        == expected
    )


def _messages(old: Any, new: Any) -> list[str]:
    """Return the sentences of the changes between the schemas of two requests, with their values."""
    before, after = (
        api_of({"requestBody": {"content": {"application/json": {"schema": item}}}}) for item in (old, new)
    )
    every = (change for change in changes(before, after) if change.rule != _VERSION_RULE)
    lines = [(change.message, format_old_and_new(change)) for change in every]
    return [": ".join(filter(None, line)) for line in lines]


_VERSION_RULE = "doc.version.unchanged"


def test_a_schema_that_allows_nothing_any_more_says_whom_that_breaks() -> None:
    """A reader learns what the change means for requests, not that something is true or false."""
    values = {"type": "string", "enum": ["a", "b"]}

    assert _messages(values, {**values, "enum": []}) == [
        "values are no longer allowed here: whatever clients send here is rejected"
    ]


def test_a_removed_branch_without_effect_says_why() -> None:
    """Another branch allows all of its values, so the removal breaks nobody."""
    text, short = {"type": "string"}, {"type": "string", "maxLength": 3}

    removed = _messages({"anyOf": [text, short, {"type": "integer"}]}, {"anyOf": [text, {"type": "number"}]})

    assert any("other branches still allow all of its values" in text for text in removed)


def test_a_default_of_a_parameter_that_becomes_optional_says_that_nobody_relies_on_it() -> None:
    """A value need not be sent any more, so the message does not claim that one always is."""
    size = {"name": "size", "in": "query", "schema": {"type": "integer"}}

    found = changes(
        api_of({"parameters": [{**size, "required": True}]}),
        api_of({"parameters": [{**size, "schema": {"type": "integer", "default": 5}}]}),
    )

    assert [change.message for change in found if change.rule == "param.default.changed"] == [
        (
            "the default of the query parameter size is set to 5: "
            "a value was always sent until now, so nobody relies on the default"
        )
    ]


def test_a_method_is_told_as_it_is_written() -> None:
    """Methods have cases (RFC 9110 §9.1): one that only changes its case is not moved to where it was."""
    operation = {"operationId": "tie", "responses": {"204": {"description": "Done"}}}

    old, new = (
        api_of(
            {}, path="/a", version="3.2.0", paths={"/things": {"additionalOperations": {method: operation}}}
        )
        for method in ("LINK", "Link")
    )
    found = changes(old, new)

    assert found[0].message == 'the operation is moved from "LINK /things" to "Link /things"'


def test_nobody_checks_texts_that_are_only_received() -> None:
    """The advice on a new pattern is for whoever sends the text."""
    plain, formed = (
        {"application/json": {"schema": {"type": "string", **rules}}} for rules in ({}, {"pattern": "^a"})
    )
    sent = changes(api_of(body(plain)), api_of(body(formed)))
    received = changes(api_of(response(content=plain)), api_of(response(content=formed)))

    hints = [
        [change.hint for change in found if change.rule == "schema.pattern.set"] for found in (sent, received)
    ]

    assert hints == [["check texts before they are sent"], [""]]


JSON_BODY = {"application/json": {"schema": {"type": "string"}}}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ({}, {"description": "New."}, "the documentation of the operation is changed (description added)"),
        (
            {"summary": "Old", "description": "Old."},
            {"summary": "New"},
            "the documentation of the operation is changed (summary, description removed)",
        ),
        (
            response(),
            response(description="Done"),
            "the documentation of the response 200 is changed (description)",
        ),
        (
            response(content=JSON_BODY),
            response(content={"application/json": {"schema": {"type": "string"}, "example": "a"}}),
            "the documentation of the response 200 is changed (examples added)",
        ),
        (
            body(JSON_BODY, description="Old."),
            body(JSON_BODY),
            "the documentation of the request body is changed (description removed)",
        ),
        (
            body({"application/json": {"schema": {"type": "string", "title": "Old"}}}),
            body({"application/json": {"schema": {"type": "string", "description": "New."}}}),
            "the documentation of the value is changed (title removed, description added)",
        ),
    ],
)
def test_a_text_that_came_or_went_is_not_called_changed(old: Any, new: Any, message: str) -> None:
    """Nobody looks for a former description where there was none."""
    found = changes(api_of(old), api_of(new))

    assert [change.message for change in found if change.rule != _VERSION_RULE] == [message]


def test_a_first_list_of_servers_says_what_it_replaces() -> None:
    """Whether clients have to change depends on where they sent their requests until now."""
    found = changes(api_of({}), api_of({}, servers=[{"url": "https://api.example.com"}]))

    assert [(change.verdict, change.message) for change in found] == [
        (
            "risky",
            'the server "https://api.example.com" is added: no server was listed before, which means "/"',
        )
    ]


TUPLE = {"type": "array", "prefixItems": [{"type": "string"}]}
PICTURE = {"schema": {"type": "object", "properties": {"f": {"type": "string"}}}}


def _form(*types: str) -> dict[str, Any]:
    return body({"multipart/form-data": {**PICTURE, "encoding": {"f": {"contentType": ", ".join(types)}}}})


@pytest.mark.parametrize(
    ("old", "new", "messages"),
    [
        (TUPLE, {**TUPLE, "items": False}, ["items after item 1 are no longer allowed"]),
        ({**TUPLE, "items": False}, TUPLE, ["items after item 1 are now allowed"]),
    ],
)
def test_items_that_may_not_be_there_are_not_called_nothing(old: Any, new: Any, messages: list[str]) -> None:
    """Readers learn which items are rejected, not that a schema is `false`."""
    assert [text.partition(": ")[0] for text in _messages(old, new)] == messages


def test_a_property_that_a_map_takes_is_not_called_ignored() -> None:
    """What lists it no longer still has a rule for it."""
    old = {"type": "object", "properties": {"size": {"type": "integer"}}}
    new = {"type": "object", "additionalProperties": {"type": "string"}}

    before, after = (api_of(body({"application/json": {"schema": schema}})) for schema in (old, new))
    messages = {change.rule: change.message for change in changes(before, after)}

    assert messages["schema.property.removed"] == (
        'the property "size" is removed: the rule for unlisted properties applies to it now'
    )


def test_what_is_still_allowed_is_not_called_gone() -> None:
    """A list of content types that gets shorter names what is left and what it was."""
    found = changes(api_of(_form("image/png", "image/jpeg")), api_of(_form("image/png")))

    assert found[0].message == (
        'the content type of the part can now only be "image/png" (was "image/jpeg, image/png")'
    )


def test_the_text_of_a_path_item_is_not_called_that_of_the_operation() -> None:
    """A page shows both as one, but readers look for it where it is written."""
    old, new = (
        read_contract(parse_document(json.dumps(contract), name="api.json")).api
        for text in ("Before.", "Now.")
        for contract in (
            {
                "openapi": "3.1.0",
                "info": {"title": "T", "version": "1"},
                "paths": {
                    "/a": {
                        "description": text,
                        "get": {"description": "Own.", "responses": {"200": {"description": "OK"}}},
                    }
                },
            },
        )
    )

    assert [change.message for change in compare(old, new).changes] == [
        "the documentation of the operation is changed (description of the path item)"
    ]


@pytest.mark.parametrize(
    ("old", "new", "example"),
    [
        (parameter(LIST), parameter(LIST, explode=False), "limit=1&limit=2 becomes limit=1,2"),
        (parameter(RECORD, style="deepObject"), parameter(RECORD), "limit[a]=1&limit[b]=2 becomes a=1&b=2"),
        (in_header(RECORD), in_header(RECORD, explode=True), "a,1,b,2 becomes a=1,b=2"),
        (form(LIST), form(LIST, explode=False), "n=1&n=2 becomes n=1,2"),
        (response(headers={"N": {"schema": RECORD}}),
         response(headers={"N": {"schema": RECORD, "explode": True}}), "a,1,b,2 becomes a=1,b=2"),
    ],
)  # fmt: skip
def test_another_style_shows_how_a_value_is_written(old: Any, new: Any, example: str) -> None:
    """Nobody has to know what explode does."""
    (change,) = changes(api_of(old), api_of(new))

    assert change.message.endswith(f": for example, {example}")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (CAT, {"oneOf": [CAT, DOG]}, 'the value can now also match "Dog"'),
        ({"oneOf": [CAT, DOG]}, CAT, 'the value can no longer match "Dog"'),
        (
            {"type": "object"},
            {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            "the value must now match one of 2 schemas",
        ),
        (
            {"oneOf": [CAT, {"type": "string"}], **KIND},
            {"oneOf": [CAT, {"type": "string"}, DOG], **KIND},
            'the branch "Dog" is added to oneOf: the value "dog" of "kind" selects it',
        ),
    ],
)
def test_branches_of_a_union_are_named(old: Any, new: Any, message: str) -> None:
    """A schema that becomes a union names its further branches, and these the value that selects them."""
    schemas = {
        name: {"type": "object", "required": [member], "properties": {member: {"type": "string"}}}
        for name, member in (("Cat", "claws"), ("Dog", "bark"))
    }

    before, after = (
        api_of(body({"application/json": {"schema": schema}}), components={"schemas": schemas})
        for schema in (old, new)
    )

    found = changes(before, after)

    assert message in [change.message for change in found]


@pytest.mark.parametrize(
    ("old", "new", "hints"),
    [
        (
            {"requestBody": {"content": {"text/csv": {}}}},
            {"requestBody": {"content": {"text/html": {}}}},
            {"body.media.removed": "accept text/html", "body.media.added": ""},
        ),
        (parameter(), {}, {"param.removed": "stop reading it"}),
        ({}, parameter(required=True), {"param.added.required": ""}),
        (parameter(), parameter(required=True), {"param.became-required": ""}),
        (
            parameter({"type": "string", "default": "a"}),
            parameter({"type": "string", "default": "b"}),
            {"param.default.changed": ""},
        ),
        ({"requestBody": {"content": {"text/csv": {}}}}, {}, {"body.removed": ""}),
    ],
)
def test_receivers_of_events_are_not_told_what_to_send(old: Any, new: Any, hints: dict[str, str]) -> None:
    """What to do is that of the receiver, and each change is one."""
    found = changes(event_of(old), event_of(new))

    assert {change.rule: change.hint for change in found} == hints
    assert len(found) == len(hints)


@pytest.mark.parametrize(
    ("old", "new", "message", "values"),
    [
        (
            {"type": "number", "minimum": 3},
            {"type": "number", "exclusiveMinimum": 5},
            "minimum is raised from 3 to 5 (exclusive)",
            "",
        ),
        (
            {"type": "string"},
            {"type": "string", "contentEncoding": "base64"},
            'contentEncoding is set to "base64"',
            "",
        ),
        (
            {"type": "string", "contentMediaType": "image/png"},
            {"type": "string", "contentMediaType": "image/jpeg"},
            'contentMediaType is changed from "image/png" to "image/jpeg"',
            "",
        ),
        (
            {"type": "integer"},
            {"type": "integer", "minLength": 3},
            "minLength is added, which has no effect here",
            "none → 3",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string"}}},
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            'the property "a" is now required',
            "",
        ),
        (
            {"type": "string", "nullable": True},
            {"type": "string"},
            (
                "nullable is removed, which has no effect here: from OpenAPI 3.1 on, the type lists null, and "
                "'nullable' says nothing"
            ),
            "true → none",
        ),
    ],
)
def test_values_of_keywords_are_shown_as_contracts_write_them(
    old: Any, new: Any, message: str, values: str
) -> None:
    """Readers see the number or the text, not an object that the comparison made of it."""
    (found,) = changes(
        api_of(body({"application/json": {"schema": old}})),
        api_of(body({"application/json": {"schema": new}})),
    )

    assert (found.message, format_old_and_new(found)) == (message, values)


def test_a_way_to_authenticate_without_scopes_has_no_values() -> None:
    """An empty list of scopes says nothing."""
    schemes = {name: {"type": "http", "scheme": name} for name in ("basic", "bearer")}
    old, new = (
        api_of({"security": [{name: []} for name in names]}, components={"securitySchemes": schemes})
        for names in (("basic", "bearer"), ("bearer",))
    )

    (found,) = (change for change in changes(old, new) if change.rule.startswith("security"))

    assert (found.message, format_old_and_new(found)) == ("authentication by basic is no longer accepted", "")


def test_a_name_in_a_sentence_is_not_repeated_as_a_value() -> None:
    """A header that was added is named once."""
    (found,) = changes(api_of(response()), api_of(response(headers={"X-A": {"schema": {"type": "string"}}})))

    assert (found.message, format_old_and_new(found)) == ("the response header X-A is added", "")
