"""Verdicts about values that no rule of a single keyword decides, each with a message that shows it."""

import json
from typing import Any

import pytest

from devportal.contract import ABSENT, Api, read_contract
from devportal.differ import compare
from devportal.differ.rule import Direction, Verdict
from devportal.documents import parse_document
from tests.differ.building import RECEIVED, rules_and_verdicts

SENT, BACK = Direction.TO_PROVIDER, Direction.TO_CONSUMER
TEXT, NULL = {"type": "string"}, {"type": "null"}


def contract_with(schema: Any, direction: Direction, shared: Any = None) -> Api:
    """Return a contract of one operation that sends or receives values of a schema."""
    content = {"content": {"application/json": {"schema": schema}}}
    is_sent = direction is SENT
    operation = {
        "responses": {"200": {"description": "OK", **({} if is_sent else content)}},
        **({"requestBody": {"required": True, **content}} if is_sent else {}),
    }
    written = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": {"/things": {"post": operation}},
        "components": {"schemas": shared or {}},
    }
    return read_contract(parse_document(json.dumps(written), name="api.json")).api


def breaking_bodies(
    old: Any, new: Any, direction: Direction, old_shared: Any = None, new_shared: Any = None
) -> dict[str, Any]:
    """Return the breaking changes of schemas by rule, each with the body of its witness."""
    changes = compare(
        contract_with(old, direction, old_shared),
        contract_with(new, direction, new_shared if new_shared is not None else old_shared),
    ).changes
    searches = [
        (change.rule, change.witness_search)
        for change in changes
        if change.verdict is Verdict.BREAKING and change.rule.startswith("schema.")
    ]
    return {
        rule: search.witness.body if search is not None and search.witness is not None else ABSENT
        for rule, search in searches
    }


def test_a_required_property_that_a_closed_object_gets_makes_responses_possible() -> None:
    """Nothing was valid before: the property was required, and refused for not being listed."""
    old = {"type": "object", "required": ["kind"], "additionalProperties": False}
    new = {**old, "properties": {"kind": TEXT}}

    bodies = breaking_bodies(old, new, BACK)

    assert list(bodies) == ["schema.boolean.false"]
    assert list(bodies["schema.boolean.false"]) == ["kind"]
    assert breaking_bodies(old, new, SENT) == {}


def test_a_branch_overlaps_more_in_a_property_that_is_listed_beside_the_union() -> None:
    """The siblings of a union list a property, so requests may have it whatever their branch lists."""
    beside = {"type": "object", "properties": {"kind": TEXT}}
    by_id = {"type": "object", "properties": {"id": TEXT}, "required": ["id"]}
    short = {"type": "object", "properties": {"id": TEXT, "kind": {"maxLength": 2}}}
    long = {"type": "object", "properties": {"id": TEXT, "kind": {"minLength": 4}}}
    old = {**beside, "oneOf": [short, by_id]}
    new = {**beside, "oneOf": [{"anyOf": [short, long]}, by_id]}

    bodies = breaking_bodies(old, new, SENT)

    assert len(bodies["schema.branch.changed"]["kind"]) >= 4


def test_a_branch_that_opens_takes_what_only_a_union_beside_it_lists() -> None:
    """The properties of a nested union are those of its branches, so the opened branch matches them too."""

    def pet(kind: str) -> Any:
        return {"type": "object", "required": ["kind"], "properties": {"kind": {"const": kind}}}

    shared = {
        "Cat": pet("cat"),
        "Dog": pet("dog"),
        "Pet": {
            "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
            "discriminator": {"propertyName": "kind"},
        },
    }
    ref = {"$ref": "#/components/schemas/Pet"}
    beside = {"type": "object", "properties": {"note": TEXT}}
    closed = {"oneOf": [ref, {**beside, "additionalProperties": False}]}

    bodies = breaking_bodies(closed, {"oneOf": [ref, beside]}, SENT, shared, shared)

    assert set(bodies) == {"schema.branch.changed"}
    assert bodies["schema.branch.changed"]["kind"] in ("cat", "dog")


def test_an_overlap_is_a_change_of_the_branch_that_takes_more() -> None:
    """Of two branches that overlap now, the one that stayed the same did not change."""

    def tagged_object(**kind: Any) -> Any:
        return {"type": "object", "required": ["kind"], "properties": {"kind": {**TEXT, **kind}}}

    old = {"oneOf": [tagged_object(enum=["a"]), tagged_object(enum=["b"]), tagged_object(enum=["c"])]}
    new = {"oneOf": [tagged_object(), tagged_object(enum=["b"]), tagged_object(enum=["c"])]}

    changes = [
        compare(contract_with(first, way), contract_with(other, way)).changes
        for first, other, way in ((old, new, SENT), (new, old, BACK))
    ]

    for some in changes:
        overlaps = [change.field for change in some if change.rule == "schema.branch.changed"]
        assert [field.rpartition("|")[2] for field in overlaps] == ["0"]


def test_a_branch_overlaps_more_in_the_properties_of_a_pattern() -> None:
    """A value that only matched the open branch now matches both."""
    named = {"type": "object", "properties": {"name": TEXT}}
    old = {"oneOf": [{"type": "object"}, {**named, "patternProperties": {"^a": {"minimum": 4}}}]}
    new = {"oneOf": [{"type": "object"}, {**named, "patternProperties": {"^a": {"minimum": 2}}}]}

    bodies = breaking_bodies(old, new, SENT)

    assert set(bodies) == {"schema.branch.changed"}
    assert 2 <= bodies["schema.branch.changed"]["a"] < 4


def test_a_tag_that_becomes_write_only_is_gone_from_the_responses_of_a_union() -> None:
    """Whether unions include each other depends on the properties that responses have."""

    def branch(kind: str, **more: Any) -> Any:
        tag = {"type": "string", "enum": [kind], **more}
        return {
            "type": "object",
            "properties": {"type": tag},
            "required": ["type"],
            "additionalProperties": False,
        }

    old = {"oneOf": [branch("cat"), branch("dog")]}
    new = {"oneOf": [branch("cat"), branch("dog", writeOnly=True)]}

    assert breaking_bodies(old, new, BACK) == {"schema.write-only.set": {}}
    assert breaking_bodies(old, new, SENT) == {}


def test_a_property_that_branches_list_is_narrowed_beside_the_union() -> None:
    """It is no new property: branches already described it, and allowed more."""
    card = {"type": "object", "properties": {"name": TEXT}, "required": ["name"]}
    bank = {"type": "object", "properties": {"iban": TEXT}, "required": ["iban"]}
    old = {"type": "object", "oneOf": [card, bank]}
    new = {**old, "properties": {"name": {"type": "string", "maxLength": 3}}}

    bodies = breaking_bodies(old, new, SENT)

    assert list(bodies) == ["schema.property.added.optional"]


def test_other_properties_of_a_part_are_those_that_another_part_lists() -> None:
    """`additionalProperties` looks at its own schema only (JSON Schema 2020-12 §10.3.2.3)."""
    listed = {"type": "object", "properties": {"name": TEXT}}
    old = {"allOf": [listed, {"type": "object", "additionalProperties": TEXT}]}
    new = {"allOf": [listed, {"type": "object", "additionalProperties": {**TEXT, "maxLength": 4}}]}

    bodies = breaking_bodies(old, new, SENT)

    assert "name" in bodies["schema.max-length.lowered"] or "key" in bodies["schema.max-length.lowered"]
    changes = compare(contract_with(old, SENT), contract_with(new, SENT)).changes
    assert ".name" in {change.field.removeprefix("request") for change in changes}


def test_other_properties_of_a_part_are_those_that_match_a_pattern_of_another_part() -> None:
    """A part without the pattern has one schema for them and all others."""
    closed = {
        "type": "object",
        "patternProperties": {"^x-": {"type": "number"}},
        "additionalProperties": False,
    }
    old = {"allOf": [closed, {"type": "object"}]}
    new = {"allOf": [closed, {"type": "object", "additionalProperties": {"maximum": 4}}]}

    bodies = breaking_bodies(old, new, SENT)

    assert list(bodies) == ["schema.maximum.lowered"]
    assert bodies["schema.maximum.lowered"]["x-"] > 4


def test_an_object_that_only_one_direction_can_have_is_possible() -> None:
    """A property that responses lack does not count towards the properties that they must have."""
    old = {
        "type": "object",
        "properties": {"id": TEXT, "secret": TEXT},
        "required": ["id", "secret"],
        "maxProperties": 1,
    }
    new = {**old, "properties": {"id": TEXT, "secret": {**TEXT, "writeOnly": True}}}

    bodies = breaking_bodies(old, new, BACK)

    assert list(bodies) == ["schema.boolean.false"]
    assert list(bodies["schema.boolean.false"]) == ["id"]


def test_a_pattern_of_properties_opens_what_unevaluated_properties_closed() -> None:
    """Responses get properties that the old object refused."""
    old = {"type": "object", "properties": {"id": TEXT}, "unevaluatedProperties": False}
    new = {**old, "patternProperties": {"^x-": {"type": "number"}}}

    assert ("schema.pattern-property.added", "risky") in rules_and_verdicts(old, new, RECEIVED)


@pytest.mark.parametrize(
    ("old", "new", "body"),
    [
        (
            {"type": "integer"},
            {"type": "integer", "anyOf": [{"type": "string"}, {"type": "number", "maximum": 9}]},
            10,
        ),
        (
            {"if": {"type": "integer", "minimum": 3}, "then": {"type": "integer"}, "else": {"type": "integer"}},
            {"if": {"type": "integer", "minimum": 3}, "then": {"type": "string"}, "else": {"type": "integer"}},
            3,
        ),
        (
            {"oneOf": [{"type": "object"}, {"type": "object", "required": ["name"], "properties": {
                "name": {"oneOf": [{"type": "string", "enum": ["y"]}, {"type": "integer"}]}}}]},
            {"oneOf": [{"type": "object"}, {"type": "object", "required": ["name"], "properties": {
                "name": {"oneOf": [{"type": "string", "enum": ["y", "q"]}, {"type": "integer"}]}}}]},
            {"name": "q"},
        ),
        (
            {"type": "object", "propertyNames": {"maxLength": 5}, "required": ["name"]},
            {"type": "object", "propertyNames": {"maxLength": 3}, "required": ["name"]},
            {"name": "string"},
        ),
    ],
)  # fmt: skip
def test_a_witness_is_found(old: Any, new: Any, body: Any) -> None:
    """At the limit of a branch, where `if` holds, in the values of a branch, for the names that are required."""
    assert body in breaking_bodies(old, new, SENT).values()


def test_a_witness_is_found_on_a_way_that_values_take() -> None:
    """The shortest way to a shared schema leads through an array, which an object never is."""
    shared = {"Tagged": {"type": "object", "properties": {"tag": TEXT}}}
    shorter = {"Tagged": {"type": "object", "properties": {"tag": {**TEXT, "maxLength": 3}}}}
    ref = {"$ref": "#/components/schemas/Tagged"}
    list_or_object = {"anyOf": [{"type": "boolean"}, {"anyOf": [ref, {"type": "number"}]}]}
    schema = {"type": "object", "oneOf": [{"type": "array", "items": ref}, {"oneOf": [TEXT, list_or_object]}]}

    bodies = breaking_bodies(schema, schema, SENT, shared, shorter)

    assert len(bodies["schema.max-length.lowered"]["tag"]) > 3


def test_a_witness_has_no_property_of_the_other_direction() -> None:
    """A request with a `readOnly` property shows nothing: servers may drop it, refuse it or take it."""
    account = {
        "type": "object",
        "properties": {"name": TEXT, "id": {**TEXT, "readOnly": True}},
        "required": ["id", "name"],
        "additionalProperties": {"type": "integer"},
    }
    fewer = {**account, "maxProperties": 2}

    bodies = breaking_bodies(account, fewer, SENT)

    assert list(bodies) == ["schema.max-properties.lowered"]
    assert len(bodies["schema.max-properties.lowered"]) == 3
    assert "id" not in bodies["schema.max-properties.lowered"]


def test_an_overlap_in_a_component_is_one_change() -> None:
    """A reference to it and an `allOf` around the reference lead to the same branches."""

    def shared_node(*more: Any) -> Any:
        short = {"type": "object", "properties": {"id": {**TEXT, "maxLength": 3}}}
        by_id = {"type": "object", "properties": {"id": {**TEXT, "minLength": 6}}, "required": ["id"]}
        branch = {"anyOf": [short, *more]} if more else short
        return {"Node": {"properties": {"next": ref}, "oneOf": [branch, by_id]}}

    ref = {"$ref": "#/components/schemas/Node"}
    longer = {"type": "object", "properties": {"id": {**TEXT, "minLength": 5}}, "required": ["id"]}

    changes = compare(
        contract_with(ref, SENT, shared_node()), contract_with({"allOf": [ref]}, SENT, shared_node(longer))
    ).changes

    assert [change.rule for change in changes].count("schema.branch.changed") == 1


def test_only_a_witness_shows_that_a_new_branch_makes_values_ambiguous() -> None:
    """A branch of `oneOf` that overlaps another one is breaking with such a value, and risky without one."""
    numbers = {"oneOf": [{"type": "integer"}, {"type": "boolean"}]}
    more = {"oneOf": [*numbers["oneOf"], {"type": "number"}]}
    twice = {"oneOf": [numbers, numbers]}

    shown = breaking_bodies(numbers, more, SENT)
    not_shown = breaking_bodies(twice, {"oneOf": [more, more]}, SENT)

    assert list(shown) == ["schema.one-of.added"]
    assert isinstance(shown["schema.one-of.added"], int)
    assert not_shown == {}


def test_a_question_within_a_question_reads_references_in_the_right_contract() -> None:
    """Whether the new union is within the old one depends on the new component, two unions further down."""
    shared = {"Cat": {"type": "object", "properties": {"note": {"type": "integer", "maximum": 9}}}}
    higher = {"Cat": {"type": "object", "properties": {"note": {"type": "integer", "maximum": 11}}}}
    inner = {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"type": "boolean"}]}
    owner = {
        "type": "object",
        "properties": {"pet": inner},
        "required": ["pet"],
        "additionalProperties": False,
    }

    def shop(name: Any) -> Any:
        return {"type": "object", "properties": {"name": name, "size": TEXT}, "required": ["name", "size"]}

    schema = {"oneOf": [owner, shop(TEXT)]}
    wrapped = {"oneOf": [owner, shop({"allOf": [TEXT], "maxLength": 9})]}

    bodies = breaking_bodies(schema, wrapped, BACK, shared, higher)

    assert bodies["schema.maximum.raised"] == {"pet": {"note": 10}}


@pytest.mark.parametrize(
    ("without", "allowing"),
    [
        ({"anyOf": [TEXT, {**NULL, "const": "a"}]}, {"anyOf": [TEXT, NULL]}),
        ({"oneOf": [TEXT, {**NULL, "enum": ["a"]}]}, {"oneOf": [TEXT, NULL]}),
    ],
)
def test_a_branch_of_null_with_other_values_does_not_allow_null(without: Any, allowing: Any) -> None:
    """Listed values exclude null, whatever the type beside them is."""
    old, new = ({"type": "object", "properties": {"note": item}} for item in (allowing, without))

    for bodies in (breaking_bodies(old, new, SENT), breaking_bodies(new, old, BACK)):
        assert list(bodies.values()) == [{"note": None}]
