"""What is told about values that fit no branch of a choice."""

import json
from typing import Any

import pytest

from devportal.contract import Location
from devportal.contract.validate.json_schema import Direction, Reading, to_json_schema
from devportal.contract.validate.validator import ValidationIssue, Validator
from tests.contract.inline import api

CIRCLE = (
    "{type: object, required: [kind, r], properties: {kind: {enum: [circle]}, r: {type: number, minimum: 0}}}"
)
SQUARE = "{type: object, required: [kind, side], properties: {kind: {const: square}, side: {type: number}}}"
NAMED = "{type: object, required: [name], properties: {name: {enum: [a, b]}}}"


def violations_of(schema: str, value: Any) -> list[tuple[str, str]]:
    """Return place and keyword of each violation of a value."""
    return [("/".join(violation.pointer), violation.keyword) for violation in violations(schema, value)]


def messages(schema: str, value: Any) -> list[str]:
    """Return what is said of a value."""
    return [violation.message for violation in violations(schema, value)]


def violations(schema: str, value: Any) -> list[ValidationIssue]:
    """Return each violation of a value."""
    found = api(f"components: {{schemas: {{S: {schema}}}}}\n", version="3.1.0")
    (root,) = (subschema for subschema in found.schemas.values() if subschema.name == "S")
    return [*Validator(found).violations(root, value, Direction.REQUEST)]


@pytest.mark.parametrize("choice", ["oneOf", "anyOf"])
def test_branch_that_is_meant_is_told(choice: str) -> None:
    """A member with a fixed value says which one it is, however it is written."""
    shapes = f"{{{choice}: [{CIRCLE}, {SQUARE}]}}"

    assert violations_of(shapes, {"kind": "circle", "r": -1}) == [("r", "minimum")]
    assert violations_of(shapes, {"kind": "square", "side": "long"}) == [("side", "type")]
    assert violations_of(shapes, {"kind": "square"}) == [("", "required")]


def test_type_says_what_is_meant_too() -> None:
    """Of an object and a number, an object means the object."""
    assert violations_of(f"{{oneOf: [{CIRCLE}, {{type: number}}]}}", {"kind": "circle", "r": -1}) == [
        ("r", "minimum")
    ]
    assert violations_of(f"{{anyOf: [{SQUARE}, {{type: 'null'}}]}}", {"kind": "square"}) == [("", "required")]


def test_choices_in_choices_are_followed() -> None:
    """The innermost branch that is meant has the word."""
    inner = f"{{type: object, required: [shape], properties: {{shape: {{oneOf: [{CIRCLE}, {SQUARE}]}}}}}}"
    value = {"shape": {"kind": "circle", "r": -1}}

    assert violations_of(f"{{oneOf: [{inner}, {{type: 'null'}}]}}", value) == [("shape/r", "minimum")]


@pytest.mark.parametrize("choice", ["oneOf", "anyOf"])
def test_member_that_tells_branches_apart_is_named_with_its_values(choice: str) -> None:
    """An unknown kind is answered with all kinds there are, at the member that says which is meant."""
    shapes = f"{{{choice}: [{CIRCLE}, {SQUARE}]}}"

    assert violations_of(shapes, {"kind": "oval"}) == [("kind", "enum")]
    assert messages(shapes, {"kind": "oval"}) == [
        '"oval" is not one of "circle" or "square"; "kind" says which kind is meant'
    ]


def test_the_branch_that_a_discriminator_selects_is_told() -> None:
    """Its property is a plain text in both schemas; a value that fits another branch stays valid."""
    found = api(
        """\
        components:
          schemas:
            Card: {type: object, required: [type, number], properties: {type: {type: string}}}
            Iban: {type: object, required: [type, iban], properties: {type: {type: string}}}
            Method:
              oneOf: [{$ref: '#/components/schemas/Card'}, {$ref: '#/components/schemas/Iban'}]
              discriminator: {propertyName: type, mapping: {card: Card, iban: Iban}}
        """
    )
    method = next(schema for schema in found.schemas.values() if schema.name == "Method")

    def messages_of(value: Any) -> list[str]:
        return [issue.message for issue in Validator(found).violations(method, value, Direction.REQUEST)]

    assert messages_of({"type": "card"}) == ['"number" is missing']
    assert messages_of({"type": "iban"}) == ['"iban" is missing']
    assert messages_of({"type": "card", "iban": "DE89"}) == []


def test_what_is_wrong_in_every_branch_is_told() -> None:
    """A member that every branch requires is missing, whichever is meant; so is a type wrong."""
    shapes = f"{{oneOf: [{CIRCLE}, {SQUARE}]}}"

    assert messages(shapes, {}) == ['"kind" is missing']
    assert messages(shapes, 5) == ["5 must be an object"]


def test_closed_sets_are_named_whole_up_to_twenty_values() -> None:
    """Nine values are needed where one is wrong; of hundreds, twenty and a count."""
    nine = messages(f"{{enum: {[*range(9)]}}}", "q")
    many = messages(f"{{enum: {[*range(25)]}}}", "q")

    assert nine == ['"q" is not one of 0, 1, 2, 3, 4, 5, 6, 7 or 8']
    assert many == [f'"q" is not one of {", ".join(map(str, range(20)))} or 5 more']


def test_the_only_value_of_a_set_is_named_as_such() -> None:
    """One value is not a list of values."""
    assert messages("{enum: [a]}", "q") == ['"q" is not "a", the only value allowed']


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        (
            "{maxLength: 5}",
            "a" * 2000,
            f'"{"a" * 75}… (2,000 characters)" is longer than 5 characters',
        ),
        (
            "{maxItems: 2}",
            ["say"] * 300,
            "[" + '"say", ' * 11 + "… (300 items)] has more than 2 items",
        ),
        ("{maxItems: 1}", [["x" * 100], 1], "[[… (1 item)], 1, … (2 items)] has more than 1 item"),
        (
            "{type: string}",
            {"a": 1, "b": "b" * 2000},
            '{"a": 1, … (2 members)} must be a string',
        ),
    ],
    ids=["text", "list", "list in a list", "object"],
)
def test_long_value_is_cut_and_its_rule_is_told(schema: str, value: Any, message: str) -> None:
    """Whoever sends too much reads how much is allowed, and how much was sent; quotes and brackets are closed."""
    assert messages(schema, value) == [message]


def test_short_values_are_told_whole() -> None:
    """What fits is quoted, and so is what was expected."""
    assert messages("{type: string}", {"a": [1.5, "é"]}) == ['{"a": [1.5, "é"]} must be a string']
    assert messages("{const: q}", "x") == ['"x" must be "q"']


def test_broken_pattern_is_told_with_what_the_schema_says() -> None:
    """A regular expression alone helps few people: the description's first sentence follows, or the title."""
    described = "{type: string, pattern: '^[+]', title: Phone, description: Starts with a plus sign. Always.}"

    assert messages(described, "0612") == ['"0612" does not match "^[+]": Starts with a plus sign']
    assert messages("{pattern: '^[+]', title: Phone}", "0612") == ['"0612" does not match "^[+]": Phone']
    assert messages("{pattern: '^[+]'}", "0612") == ['"0612" does not match "^[+]"']


def test_words_of_a_shared_schema_are_found() -> None:
    """The words of a pattern are those of the schema that it stands in, behind whatever references."""
    found = api(
        """\
        components:
          schemas:
            Phone: {type: string, pattern: '^[+]', description: Starts with a plus sign.}
            Call: {properties: {to: {oneOf: [{$ref: '#/components/schemas/Phone'}, {type: 'null'}]}}}
        """
    )
    (call,) = (schema for schema in found.schemas.values() if schema.name == "Call")

    (broken,) = Validator(found).violations(call, {"to": "0612"}, Direction.REQUEST)

    assert broken.message == '"0612" does not match "^[+]": Starts with a plus sign'
    assert broken.pointer == ("to",)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (f"{{oneOf: [{NAMED}, {CIRCLE}]}}", {"name": "c"}),
        (f"{{oneOf: [{CIRCLE}, {CIRCLE}]}}", {"kind": "circle", "r": 1}),
    ],
)
def test_choice_that_nobody_can_make_is_told_as_a_whole(schema: str, value: Any) -> None:
    """Where no branch, or more than one, can be meant, none is picked."""
    assert violations_of(schema, value) == [("", "oneOf")], json.dumps(value)


def test_lone_surrogates_are_read_as_one_character() -> None:
    """No encoding can carry them, and a hostile client sends them all the same (RFC 8259 §8.2)."""
    assert (
        violations_of("{type: object, properties: {a: {type: string, maxLength: 1}}}", {"a": "\ud800"}) == []
    )
    assert violations_of("{type: object, properties: {a: {maxLength: 1}}}", {"a": "\ud800\udfff"}) == [
        ("a", "maxLength")
    ]
    assert violations_of("{type: object, additionalProperties: false}", {"\udc00": 1}) == [
        ("", "additionalProperties")
    ]


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        ("{required: [a, b]}", {"b": 1}, '"a" is missing'),
        ("{type: [string, 'null']}", 1, "1 must be a string or null"),
        ("{properties: {c: {}}, additionalProperties: false}", {"a": 1}, '"a" is not allowed in this object'),
        ("{type: object, additionalProperties: false}", {"a": 1}, '"a" is not allowed in this object'),
        (
            "{properties: {c: {}}, additionalProperties: false}",
            {"a": 1, "b": 1},
            '"a" and "b" are not allowed in this object',
        ),
        (
            "{contains: {type: string}}",
            [1],
            "[1] has too few or too many of the items that its schema asks for",
        ),
        ("{properties: {a: false}}", {"a": 1}, "1 is not allowed here"),
        ("{minItems: 2}", [], "the array is empty, it must have at least 2 items"),
        ("{minProperties: 1}", {}, "the object is empty, it must have at least 1 property"),
        ("{minProperties: 2}", {}, "the object is empty, it must have at least 2 properties"),
        ("{uniqueItems: true}", [1, 1], "[1, 1] has the same item twice"),
    ],
)
def test_messages_are_sentences(schema: str, value: Any, message: str) -> None:
    """Nobody needs to know JSON Schema to read what is wrong."""
    assert messages(schema, value) == [message]


@pytest.mark.parametrize(
    ("schema", "value", "is_valid"),
    [
        ("{type: string, description: A name., example: a}", "b", True),
        ("{type: string}", 1, False),
        ("{type: integer}", 1, True),
        ("{type: integer}", True, False),
        ("{type: boolean}", True, True),
        ("{type: boolean}", 1, False),
        ("{type: number}", 1, True),
        ("{type: [string, integer]}", 1, True),
        ("{type: string, maxLength: 1}", "ab", False),
        ("{type: string, format: date}", "ab", False),
        ("{type: string, pattern: a}", "b", False),
        ("{type: string, enum: [a]}", "b", False),
        ("{type: string, not: {const: a}}", "a", False),
        ("{type: string, allOf: [{maxLength: 1}]}", "ab", False),
        ("{type: string, $ref: '#/components/schemas/T'}", "ab", False),
        ("{type: integer, if: {minimum: 2}, then: false}", 3, False),
    ],
)
def test_a_type_alone_decides_only_if_nothing_else_does(schema: str, value: Any, *, is_valid: bool) -> None:
    """Without any other keyword no validator is asked; with one it is."""
    found = api(f"components: {{schemas: {{S: {schema}, T: {{maxLength: 1}}}}}}\n", version="3.1.0")
    (root,) = (subschema for subschema in found.schemas.values() if subschema.name == "S")

    assert Validator(found).is_valid(root, value, Direction.REQUEST) is is_valid


def test_values_with_further_members_are_checked_in_those_too() -> None:
    """A validator of the members of one value alone is made again for a value with others."""
    schema = "{properties: {a: {type: string}, b: {type: string}, c: {type: string}}}"
    found = api(f"components: {{schemas: {{S: {schema}}}}}\n", version="3.1.0")
    (root,) = found.schemas.values()
    validator = Validator(found, is_sliced=True)
    values = [{"a": "x"}, {"b": 1}, {"a": 1}, {"c": "x", "b": "x"}, {"a": "x", "b": "x", "c": 1}]

    valid = [validator.is_valid(root, value, Direction.REQUEST) for value in values]

    assert valid == [True, False, False, True, False]


@pytest.mark.parametrize(
    "below",
    [
        "properties: {a: {$ref: '#/components/schemas/S'}}",
        "additionalProperties: {$ref: '#/components/schemas/S'}",
        "patternProperties: {a: {$ref: '#/components/schemas/S'}}",
        "unevaluatedProperties: {$ref: '#/components/schemas/S'}",
        "allOf: [{properties: {a: {$ref: '#/components/schemas/S'}}}]",
    ],
)
def test_slice_is_as_deep_as_the_values(below: str) -> None:
    """A schema that refers to itself is compiled for more levels when a value has them."""
    found = api(
        f"components: {{schemas: {{S: {{type: [object, string], maxLength: 1, {below}}}}}}}\n",
        version="3.1.0",
    )
    (root, *_) = found.schemas.values()
    validator, whole = Validator(found, is_sliced=True), Validator(found)
    values: list[Any] = [
        "x",
        "xx",
        {"a": "x"},
        {"a": "xx"},
        {"a": {"a": {"a": "xx"}}},
        {"a": {"a": {"a": {}}}},
        {},
    ]

    valid = [validator.is_valid(root, value, Direction.REQUEST) for value in values]

    assert valid == [True, False, True, False, False, True, True]
    assert valid == [whole.is_valid(root, value, Direction.REQUEST) for value in values]


@pytest.mark.parametrize("below", ["items: %s", "prefixItems: [%s]", "contains: %s", "unevaluatedItems: %s"])
def test_slice_is_as_deep_as_lists(below: str) -> None:
    """Their items are a level, as the members of objects are."""
    part = below % "{$ref: '#/components/schemas/S'}"
    found = api(
        f"components: {{schemas: {{S: {{type: [array, string], maxLength: 1, {part}}}}}}}\n", version="3.1.0"
    )
    (root, *_) = found.schemas.values()
    validator = Validator(found, is_sliced=True)
    values: list[Any] = [["x"], ["xx"], [["x"]], [[["xx"]]], [[["x"]]]]

    valid = [validator.is_valid(root, value, Direction.REQUEST) for value in values]

    assert valid == [True, False, True, False, True]


def test_slice_has_only_what_values_reach() -> None:
    """Schemas that all lead to the next are many; a value of one level needs two of them."""
    chain = {
        f"S{number}": {"properties": {"a": {"$ref": f"#/components/schemas/S{number + 1}"}}}
        for number in range(50)
    }
    found = api(
        json.dumps({"components": {"schemas": {**chain, "S50": {"type": "string"}}}})[1:-1], version="3.1.0"
    )
    root = found.schemas[Location("", ("components", "schemas", "S0"))]

    exported = to_json_schema(found, root, Direction.REQUEST, reading=Reading(depth=1))

    assert isinstance(exported, dict)
    assert [*exported["$defs"]] == ["0-S1"]
