"""Keywords of a schema that contradict each other are found where they stand."""

import json
from typing import Any

import pytest

from devportal.contract import read_contract
from devportal.contract.validate.schema_rules import check_schemas
from devportal.documents import parse_document
from devportal.findings import Level
from tests.contract.inline import contract, reading_findings


def findings_of(text: str, *, version: str = "3.1.0") -> list[tuple[int, str, str]]:
    """Return column, rule and message of each finding in a schema."""
    found = list(check_schemas(contract(f"components:\n  schemas:\n    S:\n      {text}\n", version=version)))
    assert all(
        finding.level is Level.WARNING and finding.place.line == 12 and finding.help for finding in found
    )
    return [(finding.place.column - 6, finding.rule, finding.message) for finding in found]


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("{minimum: 2, maximum: 1}", "'minimum' 2 and 'maximum' 1"),
        ("{minimum: 1, exclusiveMaximum: 1}", "'minimum' 1 and 'exclusiveMaximum' 1"),
        ("{exclusiveMinimum: 1.5, maximum: 1.5}", "'exclusiveMinimum' 1.5 and 'maximum' 1.5"),
        ("{exclusiveMinimum: 2, exclusiveMaximum: 2}", "'exclusiveMinimum' 2 and 'exclusiveMaximum' 2"),
        ("{minLength: 2, maxLength: 1}", "'minLength' 2 and 'maxLength' 1"),
        ("{minItems: 2, maxItems: 1}", "'minItems' 2 and 'maxItems' 1"),
        ("{minContains: 2, maxContains: 1}", "'minContains' 2 and 'maxContains' 1"),
        ("{minProperties: 2, maxProperties: 1}", "'minProperties' 2 and 'maxProperties' 1"),
    ],
)
def test_bounds_that_cross_are_found(text: str, bounds: str) -> None:
    """No value fits between them, which is told at the lower one."""
    assert findings_of(text) == [(2, "contract-bounds", f"no value fits between {bounds}")]


def test_exclusive_bounds_of_the_first_version_cross_too() -> None:
    """They are numbers in the model."""
    rows = findings_of("{exclusiveMinimum: true, minimum: 1, maximum: 1}", version="3.0.3")

    assert [rule for _, rule, _ in rows] == ["contract-bounds"]


@pytest.mark.parametrize("text", ["{minimum: 1, maximum: 1}", "{minLength: 0, maxLength: 0}", "{minimum: 9}"])
def test_bounds_that_leave_one_value_are_good(text: str) -> None:
    """A length of exactly three is written so."""
    assert findings_of(text) == []


def test_values_of_an_enum_that_are_there_twice_are_found() -> None:
    """One, true and the text of one are three values; the order of members makes no other."""
    rows = findings_of("{enum: [1, true, '1', 1, {a: 1, b: 2}, {b: 2, a: 1}, 1]}")

    assert rows == [
        (23, "contract-enum", "this enum holds 1 more than once"),
        (40, "contract-enum", "this enum holds {'b': 2, 'a': 1} more than once"),
        (54, "contract-enum", "this enum holds 1 more than once"),
    ]


@pytest.mark.parametrize(
    ("text", "version"),
    [("{type: string, enum: [bake, null]}", "3.1.0"), ("{type: string, enum: [bake, null]}", "3.0.3")],
)
def test_a_null_that_no_type_allows_is_found(text: str, version: str) -> None:
    """Pages do not list it, since no valid value is null."""
    rows = findings_of(text, version=version)

    assert rows == [
        (29, "contract-enum", "this enum lists null, but the 'type' string does not allow it"),
    ]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("{type: [string, 'null'], enum: [bake, null]}", "3.1.0"),
        ("{type: string, nullable: true, enum: [bake, null]}", "3.0.3"),
        ("{enum: [bake, null]}", "3.1.0"),
    ],
)
def test_a_null_that_the_types_allow_is_good(text: str, version: str) -> None:
    """So is one without a type."""
    assert findings_of(text, version=version) == []


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (
            "{type: string, enum: [a, 12]}",
            (26, "this enum lists 12, but the 'type' string does not allow it"),
        ),
        ("{type: string, enum: [a, true, 1.5]}", (26, "this enum lists True and 1 more, but")),
        ("{type: integer, enum: ['1', '2']}", (24, "this enum lists '1' and 1 more, but the 'type' integer")),
        ("{type: integer, enum: [1, 1.5]}", (27, "this enum lists 1.5, but the 'type' integer")),
        ("{type: [string, 'null'], enum: [a, {b: 1}, null]}", (36, "this enum lists {'b': 1}, but")),
        ("{type: boolean, const: 'yes'}", (17, "this const is 'yes', but the 'type' boolean")),
        ("{type: [object, array], const: 1}", (25, "this const is 1, but the 'type' object or array")),
    ],
)
def test_values_that_no_type_allows_are_found(text: str, row: tuple[int, str]) -> None:
    """YAML reads numbers and booleans without quotes, so texts among them are easily no texts."""
    ((column, rule, message),) = findings_of(text)

    assert (column, rule) == (row[0], "contract-enum")
    assert message.startswith(row[1].replace("True", "true"))


@pytest.mark.parametrize(
    "text",
    [
        "{type: integer, enum: [1, 2.0]}",
        "{type: number, enum: [1, 2.5]}",
        "{type: [string, integer], enum: [a, 1]}",
        "{type: array, const: []}",
        "{type: object, enum: [{}]}",
        "{type: boolean, enum: [true]}",
        "{enum: [a, 1, true]}",
    ],
)
def test_values_that_a_type_allows_are_good(text: str) -> None:
    """A number without a fraction is an integer, however it is written."""
    assert findings_of(text) == []


def test_beta_values_are_among_the_values() -> None:
    """A mark at a value that is not there would be seen nowhere; JSON says which values are the same."""
    rows = findings_of("{enum: [sms, 1, rcs], x-beta-values: [rcs, 1.0, rsc, true]}")

    assert [(rule, message) for _, rule, message in rows] == [
        ("contract-stability", f"{value} is marked as beta, but this schema lists no such value")
        for value in ("'rsc'", "true")
    ]
    assert findings_of("{const: 1, x-beta-values: [1]}") == []


def test_numbers_in_an_enum_are_compared_as_json_does() -> None:
    """How they are written makes no other value, at any depth."""
    rows = findings_of("{enum: [1, 1.0, true, {a: [1]}, {a: [1.0]}, {a: [true]}]}")

    assert [(column, message) for column, _, message in rows] == [
        (12, "this enum holds 1.0 more than once"),
        (33, "this enum holds {'a': [1.0]} more than once"),
    ]


@pytest.mark.parametrize(("version", "level"), [("3.0.3", Level.ERROR), ("3.1.0", Level.WARNING)])
def test_an_empty_enum_is_found(version: str, level: Level) -> None:
    """Reading reports it, since the model of one is that of none."""
    (found,) = contract("components: {schemas: {S: {enum: []}}}\n", version=version).findings

    assert (found.rule, found.level, found.place.column) == ("contract-enum", level, 28)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{required: [a], additionalProperties: false}", "'a' is required, but"),
        ("{required: [a, b], properties: {b: {}}, additionalProperties: false}", "'a' is required, but"),
        (
            "{required: [a, x-b, c], patternProperties: {'^x-': {}}, additionalProperties: false}",
            "'a', 'c' are required, but",
        ),
        (
            "{required: [a, b, c, d, e, f], additionalProperties: false}",
            "'a', 'b', 'c', 'd', 'e' and 1",
        ),
        (
            "{additionalProperties: false, required: [a], allOf: [{properties: {a: {}}}]}",
            "'a' is required, but",
        ),
    ],
)
def test_a_required_property_that_cannot_be_there_is_found(text: str, message: str) -> None:
    """`additionalProperties: false` forbids what is not declared beside it."""
    ((_, rule, found),) = findings_of(text)

    assert (rule, found[: len(message)]) == ("contract-required", message)


@pytest.mark.parametrize(
    "text",
    [
        "{required: [a], properties: {a: {}}, additionalProperties: false}",
        "{required: [a], additionalProperties: {}}",
        "{required: [a]}",
        "{required: [id], properties: {name: {}}}",
        "{required: [x-a], patternProperties: {'^x-': {}}, additionalProperties: false}",
        "{required: [nmae], properties: {name: {}}, allOf: [{properties: {nmae: {}}}]}",
    ],
)
def test_a_required_property_that_may_be_there_is_good(text: str) -> None:
    """It may be declared elsewhere, or nowhere."""
    assert findings_of(text) == []


def test_a_required_name_that_is_misspelt_is_found() -> None:
    """A property that is nearly called so, and not required itself, is what was meant."""
    rows = findings_of("{required: [custmer_id, name], properties: {customer_id: {}, nam: {}, name: {}}}")

    assert rows == [
        (2, "contract-required", "'custmer_id' is required, but is not a property of this schema"),
    ]


def test_schemas_at_any_depth_are_looked_at_once() -> None:
    """Within operations, within others, and where two operations share one."""
    bad = "{minimum: 2, maximum: 1}"
    media = f"{{a/b: {{schema: {{items: {{properties: {{a: {bad}}}}}}}}}}}"
    read = contract(
        f"""\
        paths:
          /a: {{get: {{responses: {{'200': {{$ref: '#/components/responses/R'}}}}}}}}
          /b: {{get: {{parameters: [{{name: a, in: query, schema: {bad}}}],
                responses: {{'200': {{$ref: '#/components/responses/R'}}}}}}}}
        components: {{responses: {{R: {{description: R, content: {media}}}}}}}
        """
    )

    assert sorted(schema.place.line for schema in check_schemas(read)) == [5, 7]


def test_a_parameter_that_is_there_twice_is_found() -> None:
    """In one list; that an operation has one of its path again is how it changes it."""
    again = "{name: a, in: query, schema: {}}"
    text = f"paths: {{/a: {{parameters: [{again}], get: {{parameters: [{again}, {again}]}}}}}}\n"

    assert reading_findings(text) == [
        ("contract-parameter", "3:115", "this list has the query parameter 'a' already")
    ]


def test_a_tag_that_is_there_twice_is_found() -> None:
    """Names of tags are unique (OAS 3.0.3 §4.7.1)."""
    assert reading_findings("tags: [{name: a}, {name: b}, {name: a}]\n") == [
        ("contract-tag", "9:31", "the tag 'a' is declared more than once; the last one counts")
    ]


@pytest.mark.parametrize(
    ("text", "where", "names"),
    [
        ("{S: {allOf: [{$ref: '#/components/schemas/S'}]}}", "10:25", "'S' → 'S'"),
        (
            (
                "{A: {allOf: [{type: object}, {$ref: '#/components/schemas/B'}]}, "
                "B: {allOf: [{$ref: '#/components/schemas/A'}]}}"
            ),
            "10:41",
            "'A' → 'B' → 'A'",
        ),
        (
            (
                "{S: {allOf: [{$ref: '#/components/schemas/A'}]}, "
                "A: {allOf: [{allOf: [{$ref: '#/components/schemas/A'}]}]}}"
            ),
            "10:73",
            "'A' → 'A'",
        ),
    ],
)
def test_schemas_that_are_made_of_themselves_are_found(text: str, where: str, names: str) -> None:
    """Each circle once, at its first step; no value has an end under such a schema."""
    (finding,) = check_schemas(contract(f"components:\n  schemas: {text}\n"))

    assert (finding.rule, finding.level) == ("contract-endless", Level.ERROR)
    assert finding.message == f"this schema is made of itself: {names}"
    assert f"{finding.place.line}:{finding.place.column}" == where


def test_recursion_through_members_is_no_circle() -> None:
    """A value that has parts of its own kind ends somewhere."""
    text = """\
        components:
          schemas:
            A: {allOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}]}
            B: {allOf: [{$ref: '#/components/schemas/C'}], properties: {a: {$ref: '#/components/schemas/A'}}}
            C: {items: {allOf: [{$ref: '#/components/schemas/C'}]}, anyOf: [{type: array}]}
        """

    assert list(check_schemas(contract(text))) == []


def test_a_state_machine_that_no_page_shows_is_told() -> None:
    """It stands in a schema of its own, or nobody sees it."""
    machine = "{enum: [a, b], x-state-machine: {initial: [a], transitions: [{from: a, to: b, on: x}]}}"
    read = contract(
        f"components: {{schemas: {{Shared: {machine}, S: {{type: object, properties: {{s: {machine}}}}}}}}}"
    )

    found = [schema for schema in check_schemas(read) if schema.rule == "contract-state-machine"]
    assert [finding.message for finding in found] == [
        "this state machine is in a schema without a page, so it is not shown"
    ]


@pytest.mark.parametrize(
    ("schema", "count"),
    [
        ({"nullable": True, "oneOf": [{"type": "string"}, {"type": "integer"}]}, 1),
        ({"nullable": True, "allOf": [{"type": "object"}]}, 1),
        ({"nullable": True, "type": "string"}, 0),
        ({"nullable": True}, 0),
    ],
)
def test_a_nullable_without_a_type_is_explained(schema: dict[str, Any], count: int) -> None:
    """What stands beside it refuses null; with nothing beside it, null is allowed anyway."""
    written = {
        "openapi": "3.0.3",
        "info": {"title": "T", "version": "1"},
        "paths": {},
        "components": {"schemas": {"A": schema}},
    }
    read = read_contract(parse_document(json.dumps(written), name="api.json"))

    found = [finding for finding in check_schemas(read) if finding.rule == "contract-nullable"]

    assert [finding.level for finding in found] == [Level.NOTE] * count
    assert all("there is no 'type' beside it" in finding.message for finding in found)
