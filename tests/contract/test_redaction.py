"""Examples without the members that their schema keeps internal."""

from typing import Any

import pytest

from devportal.contract import ABSENT
from tests.contract.inline import api, schema, schemas

HIDDEN = "properties: {h: {x-internal: true}, a: {}}"


OPEN = {"kind": "Open"}
SECRET = "oneOf: [{properties: {kind: {}}}, {x-internal: true, properties: {kind: {}, h: {}}}]"


VALUES = (
    "oneOf: [{enum: [open, both]}, {x-internal: true, enum: [hid, both, 7]}, {type: integer, maximum: 99}]"
)


def published_example(keywords: str, value: str) -> Any:
    """Return how an example of a schema is published."""
    return schema(f"{{{keywords}, examples: [{value}]}}").examples[0]


@pytest.mark.parametrize(
    ("keywords", "value", "expected"),
    [
        (HIDDEN, "{h: 1, a: 2, other: 3}", {"a": 2, "other": 3}),
        (f"items: {{{HIDDEN}}}", "[{h: 1}, {a: 1}, 2]", [{}, {"a": 1}, 2]),
        (f"prefixItems: [{{}}, {{{HIDDEN}}}]", "[{h: 1}, {h: 1}]", [{"h": 1}, {}]),
        (f"additionalProperties: {{{HIDDEN}}}", "{x: {h: 1, a: 2}}", {"x": {"a": 2}}),
        (f"properties: {{n: {{{HIDDEN}}}}}", "{n: {h: 1}, m: {h: 1}}", {"n": {}, "m": {"h": 1}}),
        (f"allOf: [{{{HIDDEN}}}]", "{h: 1}", {}),
        (f"oneOf: [{{type: string}}, {{{HIDDEN}}}]", "{h: 1}", {}),
        (f"anyOf: [{{$ref: '#/components/schemas/S'}}], {HIDDEN}", "{h: 1}", {}),
        (f"type: [object, string], {HIDDEN}", "text", "text"),
        (HIDDEN, '\'{"h": 1, "a": 2}\'', '{"a": 2}'),
        (HIDDEN, "'{\"a\":2}'", '{"a":2}'),
        ("properties: {h: {}}", "{h: 1}", {"h": 1}),
        (SECRET, "{kind: a, h: 1, other: 2}", {"kind": "a", "other": 2}),
        (f"properties: {{k: {{{VALUES}}}}}", "{k: hid, a: 1}", {"a": 1}),
        (f"properties: {{k: {{{VALUES}}}}}", "{k: open}", {"k": "open"}),
        (f"properties: {{k: {{{VALUES}}}}}", "{k: both}", {"k": "both"}),
        (f"items: {{{VALUES}}}", "[hid, open, 7, 8]", ["open", 8]),
        (f"items: {{{SECRET}}}", "[{kind: a}, {kind: s, h: 1}]", [{"kind": "a"}, {"kind": "s"}]),
    ],
)
def test_internal_members_are_taken_out_of_examples(keywords: str, value: str, expected: Any) -> None:
    """Wherever the schema of the value says so, at any depth, and nowhere else."""
    assert published_example(keywords, value) == expected


def test_an_example_as_it_is_sent_is_left_out_if_it_tells_too_much() -> None:
    """The text of a value cannot be published without a part, the value can."""
    found = api(
        f"""\
        paths:
          /a:
            post:
              requestBody:
                content:
                  application/json:
                    schema: {{{HIDDEN}}}
                    examples:
                      open: {{serializedValue: '{{"a": 1}}'}}
                      closed: {{serializedValue: '{{"a": 1, "h": 2}}'}}
              responses: {{'200': {{description: OK}}}}
        """,
        version="3.2.0",
    ).operations[0]

    assert found.request_body is not None
    assert [(example.value, example.serialised) for example in found.request_body.content[0].examples] == [
        ({"a": 1}, '{"a": 1}'),
        ({"a": 1}, None),
    ]


@pytest.mark.parametrize(
    "keywords", [HIDDEN, f"items: {{{HIDDEN}}}", f"allOf: [{{properties: {{n: {{{HIDDEN}}}}}}}]"]
)
def test_text_in_place_of_data_that_nobody_can_read_is_withheld(keywords: str) -> None:
    """There may be anything in it; nothing is there to be kept where the schema has nothing internal."""
    assert schema(f"{{{keywords}, examples: [<h>1</h>], default: <h/>}}").examples == ()
    assert schema(f"{{{keywords.replace('true', 'false')}, examples: [<h>1</h>]}}").examples == ("<h>1</h>",)


def test_values_that_are_the_same_without_what_is_internal_are_one() -> None:
    """An enum tells each of its values once."""
    found = schema(f"{{{HIDDEN}, enum: [{{h: 1}}, {{h: 2}}, {{a: 1, h: 1}}]}}")

    assert found.enum == ({}, {"a": 1})


def test_values_of_internal_branches_are_nowhere_in_a_schema() -> None:
    """Not as its default and examples, in its list of values, or in its state machine."""
    found = schema(
        "{type: string, enum: [open, hid, shut], oneOf: [{const: open}, {const: hid, x-internal: true}, {const: shut}],"
        " default: hid, examples: [hid, shut], x-state-machine: {initial: [open], transitions: ["
        "{from: open, to: hid, on: hide}, {from: [open, hid], to: shut, on: shut}]}}"
    )

    assert (found.enum, found.examples, found.default) == (("open", "shut"), ("shut",), ABSENT)
    assert found.state_machine is not None
    assert [(transition.source, transition.target) for transition in found.state_machine.transitions] == [
        ("open", "shut")
    ]


def test_the_depth_is_bounded() -> None:
    """What lies deeper than anybody looks is not published on trust."""
    value = "{h: 1, n: " * 60 + "1" + "}" * 60
    found = published_example(
        f"{HIDDEN.replace('a: {}', 'n: {$ref: ' + repr('#/components/schemas/S') + '}')}", value
    )

    assert "'h'" not in repr(found)


@pytest.mark.parametrize(
    ("keywords", "value", "expected"),
    [
        ("items: {$ref: '#/components/schemas/Any'}", "[{kind: Open}, {kind: s}, {kind: Secret}]", [OPEN]),
        ("properties: {n: {$ref: '#/components/schemas/Any'}}", "{n: {kind: s}, m: 1}", {"m": 1}),
        ("properties: {n: {$ref: '#/components/schemas/Any'}}", "{n: {kind: [s]}}", {"n": {"kind": ["s"]}}),
        ("items: {$ref: '#/components/schemas/Any'}", '\'[{"kind": "s"}]\'', "[]"),
    ],
)
def test_a_value_that_an_internal_schema_is_selected_for_is_left_out(
    keywords: str, value: str, expected: Any
) -> None:
    """The rest of the example is published; nothing is told of the kind that is internal."""
    found = schemas(
        f"""\
        S: {{{keywords}, examples: [{value}]}}
        Any:
          oneOf: [{{$ref: '#/components/schemas/Open'}}, {{$ref: '#/components/schemas/Secret'}}]
          discriminator: {{propertyName: kind, mapping: {{s: '#/components/schemas/Secret', Secret: Secret}}}}
        Open: {{type: object, properties: {{kind: {{}}}}}}
        Secret: {{x-internal: true, type: object, properties: {{kind: {{}}}}}}
        """
    )

    assert found["S"].examples == (expected,)
