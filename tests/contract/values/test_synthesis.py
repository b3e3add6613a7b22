"""Examples made from schemas: they keep the schema, whatever it asks."""

import json
import sys
from collections.abc import Callable
from itertools import pairwise
from textwrap import indent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import Api
from devportal.contract.schemas import ABSENT
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.contract.values.build_plan import MAX_VALUES
from devportal.contract.values.scalars import MAX_LENGTH
from devportal.contract.values.synthesis import Selection, sample_value, synthesise
from tests.contract.inline import api


def validated_example(text: str, direction: Direction = Direction.RESPONSE, *, version: str = "3.1.0") -> Any:
    """Return the example for the schema `S` among those that are written, after validating it."""
    found = api(
        "components:\n  schemas:\n" + "".join(f"    {line}\n" for line in text.split("\n")), version=version
    )
    schema = next(schema for schema in found.schemas.values() if schema.name == "S")
    value = synthesise(found, schema, direction)
    assert [*Validator(found).violations(schema, value, direction)] == []
    return value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("S: {type: string, const: a}", "a"),
        ("S: {type: string, examples: [a], default: b, enum: [a, b]}", "a"),
        ("S: {type: string, default: b, enum: [a, b]}", "b"),
        ("S: {enum: [null, a]}", "a"),
        ("S: {enum: [null]}", None),
        ("S: {type: 'null'}", None),
        ("S: {type: string}", "string"),
        ("S: {type: boolean}", True),
        ("S: {type: integer}", 1),
        ("S: {type: number}", 1),
        ("S: {}", {}),
        ("S: true", {}),
        ("S: {type: string, format: date}", "2026-01-31"),
        ("S: {type: string, minLength: 8}", "stringst"),
        ("S: {type: string, maxLength: 3}", "str"),
        ("S: {type: string, pattern: '^msg_[a-z0-9]{3}$'}", "msg_1a1"[:4] + "111"),
        ("S: {type: array, items: {type: integer}}", [1]),
        ("S: {type: array, items: {type: integer}, maxItems: 0}", []),
        ("S: {type: array, items: {type: integer}, minItems: 3}", [1, 1, 1]),
        ("S: {type: array, items: {type: integer}, minItems: 3, uniqueItems: true}", [1, 2, 3]),
        ("S: {type: array, items: {enum: [x, y]}, minItems: 2, uniqueItems: true}", ["x", "y"]),
        ("S: {type: array, items: {type: string}, minItems: 2, uniqueItems: true}", ["string", "string2"]),
        ("S: {type: array, items: {type: boolean}, uniqueItems: true}", [True]),
        ("S: {type: array, minItems: 2}", ["string", "string"]),
        ("S: {type: array, prefixItems: [{type: integer}, {type: string}]}", [1, "string"]),
        ("S: {type: object, additionalProperties: {type: integer}}", {"key": 1}),
        ("S: {type: object, additionalProperties: {type: integer}, minProperties: 2}", {"key": 1, "key2": 1}),
        ("S: {type: object, additionalProperties: {type: integer}, maxProperties: 0}", {}),
        ("S: {type: object, required: [a, b], properties: {a: {type: integer}}}", {"a": 1, "b": "string"}),
        ("S: {type: object, maxProperties: 1, properties: {a: {type: integer}, b: true}}", {"a": 1}),
        ("S: {type: object, properties: {a: {type: integer}, b: {deprecated: true}}}", {"a": 1}),
        ("S: {allOf: [{properties: {a: {const: 1}}}, {properties: {b: {const: 2}}}]}", {"a": 1, "b": 2}),
        ("S: {allOf: [{}], type: string}", "string"),
        ("S: {type: string, allOf: [{minLength: 9}, {maxLength: 12}]}", "stringstr"),
        ("S: {allOf: [{type: number, minimum: 9}, {type: integer, maximum: 12}]}", 9),
        ("S: {allOf: [{enum: [a, b]}, {enum: [b, c]}]}", "b"),
        ("S: {allOf: [{minLength: 3}, {type: string, pattern: '^z'}]}", "zaa"),
        ("S: {type: array, allOf: [{items: {minimum: 5}}, {items: {type: integer}, minItems: 2}]}", [5, 5]),
        ("S: {required: [c], allOf: [{properties: {c: {const: 1}}}]}", {"c": 1}),
        ("S: {properties: {a: {const: 1}}, oneOf: [{required: [b]}, false]}", {"a": 1, "b": "string"}),
        ("S: {type: string, anyOf: [{type: integer}, {maxLength: 2}]}", "st"),
        ("S: {allOf: [{example: {a: 1}, properties: {a: {}, b: {const: 2}}}, {properties: {c: {const: 3}}}]}",
            {"a": 1, "b": 2, "c": 3}),
        ("S: {allOf: [{properties: {o: {required: [p]}}}, {properties: {o: {properties: {p: {const: 1}}}}}]}",
            {"o": {"p": 1}}),
        ("S: {type: string, enum: [a, b], default: c}", "a"),
        ("S: {allOf: [{type: string, default: a}, {default: b}]}", "b"),
        ("S: {allOf: [{type: string, default: a}, {default: b}], default: c}", "c"),
        ("S: {allOf: [{type: string, example: a}, {default: b}]}", "a"),
        ("S: {allOf: [{type: string, enum: [a, b]}, {default: b}]}", "b"),
        ("S: {allOf: [{properties: {o: {default: a}}}, {properties: {o: {type: string, default: b}}}]}",
            {"o": "b"}),
        ("S: {allOf: [{items: {properties: {a: {const: 1}}}}, {type: array, items: {properties: {b: {const: 2}}}}]}",
            [{"a": 1, "b": 2}]),
        ("S: {oneOf: [{type: integer}, {type: string}]}", 1),
        ("S: {anyOf: [{type: 'null'}, {type: string}]}", "string"),
        ("S: {$ref: '#/components/schemas/T'}\nT: {type: integer}", 1),
        ("S: {$ref: '#/components/schemas/T', example: 2}\nT: {type: integer}", 2),
        (
            "S: {$ref: '#/components/schemas/T', properties: {b: {const: 1}}}\nT: {required: [a]}",
            {"a": "string", "b": 1},
        ),
    ],
)  # fmt: skip
def test_a_schema_makes_a_short_valid_value(text: str, value: Any) -> None:
    """What the schema gives itself comes first, then the shortest telling value of its type."""
    assert validated_example(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("minimum: 5", 5),
        ("maximum: -5", -5),
        ("exclusiveMinimum: 1", 2),
        ("exclusiveMaximum: 1", 0),
        ("minimum: 1.5", 2),
        ("minimum: 7, maximum: 9, multipleOf: 4", 8),
        ("exclusiveMinimum: 8, multipleOf: 4", 12),
        ("multipleOf: 0.5", 1),
        ("multipleOf: 2.5", 5),
    ],
)
def test_whole_numbers_keep_their_bounds(text: str, value: int) -> None:
    """The bounds may be broken numbers, the value is not."""
    assert validated_example(f"S: {{type: integer, {text}}}") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("exclusiveMinimum: 0, exclusiveMaximum: 0.5", 0.25),
        ("minimum: 0.1, maximum: 0.3, multipleOf: 0.1", 0.1),
        ("exclusiveMinimum: 0.1, maximum: 0.35, multipleOf: 0.1", 0.3),
        ("maximum: 0.01", 0.01),
        ("multipleOf: 0.01", 1),
    ],
)
def test_broken_numbers_keep_their_bounds(text: str, value: float) -> None:
    """Tenths are tenths, however floats write them."""
    assert validated_example(f"S: {{type: number, {text}}}") == value


def test_directions_leave_out_what_does_not_travel() -> None:
    """A request has no `readOnly` member, a response no `writeOnly` one, also where the mark is shared."""
    text = (
        "S: {type: object, required: [r, w], properties: {r: {$ref: '#/components/schemas/R'}, "
        "w: {type: integer, writeOnly: true}}}\n"
        "R: {type: integer, readOnly: true}"
    )

    assert validated_example(text, Direction.REQUEST) == {"w": 1}
    assert validated_example(text, Direction.RESPONSE) == {"r": 1}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("S: {properties: {next: {$ref: '#/components/schemas/S'}, a: {type: integer}}}", {"a": 1}),
        ("S: {type: array, items: {$ref: '#/components/schemas/S'}}", []),
        ("S: {anyOf: [{$ref: '#/components/schemas/S'}, {type: integer}]}", 1),
        (
            "S: {$anchor: S, required: [a], properties: {a: {nullable: true, allOf: [{$ref: '#S'}]}}}",
            {"a": None},
        ),
    ],
)
def test_recursion_ends(text: str, value: Any) -> None:
    """A schema that holds itself is written as far as it must be."""
    assert validated_example(text, version="3.0.3" if "nullable" in text else "3.1.0") == value


def _levels(count: int, level: str, last: str) -> str:
    """Return the schemas `S`, `S1`, … of which each names the next one, as `R` in `level`."""
    names = ["S", *(f"S{number}" for number in range(1, count + 1))]
    rows = [
        f"{name}: {level.replace('R', '{$ref: ' + repr('#/components/schemas/' + below) + '}')}"
        for name, below in pairwise(names)
    ]
    return "\n".join([*rows, f"{names[-1]}: {last}"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("S: {properties: {a: false, b: {const: 1}}}", {"b": 1}),
        ("S: {anyOf: [false, {const: 1}]}", 1),
        ("S: {allOf: [{properties: {a: false}}, {properties: {a: {const: 1}, b: {const: 2}}}]}", {"b": 2}),
    ],
)
def test_what_allows_no_value_has_none(text: str, value: Any) -> None:
    """A property whose schema is `false` is left out, also where another part gives it a value."""
    assert validated_example(text) == value


def test_the_longest_chain_is_gone_through() -> None:
    """As many parts as the reader lets follow each other are put together."""
    levels = _levels(100, "{allOf: [R], properties: {p: {const: 2}}}", "{properties: {a: {const: 1}}}")

    assert validated_example(levels) == {"a": 1, "p": 2}


def test_parts_that_are_named_twice_on_each_level_end() -> None:
    """Forty levels of a diamond are made once each."""
    levels = _levels(40, "{allOf: [R, R]}", "{properties: {a: {const: 1}}}")
    found = api("components:\n  schemas:\n" + indent(levels, "    "))
    schema = next(iter(found.schemas.values()))

    assert synthesise(found, schema, Direction.RESPONSE) == {"a": 1}


@pytest.mark.parametrize(
    "level",
    [
        "{type: object, required: [a, b], properties: {a: R, b: R}}",
        f"{{type: object, required: [{', '.join('abcdefghijkl')}], properties: {{"
        + ", ".join(f"{name}: R" for name in "abcdefghijkl")
        + "}}",
        "{type: array, minItems: 100, items: R}",
        "{type: array, prefixItems: [R, R, R, R, R, R, R, R, R, R, R, R]}",
        "{type: object, properties: {a: R, b: R, c: R, d: R, e: R, f: R, g: R, h: R}}",
    ],
)
def test_an_example_is_made_of_a_bounded_number_of_values(level: str) -> None:
    """What grows with each level stops growing, the same way each time."""
    text = "components:\n  schemas:\n" + indent(_levels(6, level, "{type: integer}"), "    ")
    found = api(text)
    schema = next(iter(found.schemas.values()))
    value = json.dumps(synthesise(found, schema, Direction.RESPONSE), default=str)

    assert value.count(":") + value.count(",") + value.count("[") <= 3 * MAX_VALUES
    assert value == json.dumps(synthesise(found, schema, Direction.RESPONSE), default=str)


def test_a_text_that_would_have_to_be_huge_is_cut() -> None:
    """A contract cannot make us build gigabytes."""
    for rule in ("minLength: 3000000000", "minLength: 3000000000, pattern: '^a+$'"):
        found = api(f"components: {{schemas: {{S: {{type: string, {rule}}}}}}}")
        (schema,) = found.schemas.values()

        assert len(synthesise(found, schema, Direction.REQUEST)) == MAX_LENGTH


_NUMBERS = st.fixed_dictionaries(
    {"type": st.sampled_from(["integer", "number"])},
    optional={
        "minimum": st.integers(-20, 20),
        "multipleOf": st.sampled_from([1, 2, 3, 0.5, 0.1, 10]),
        "exclusiveMinimum": st.integers(-20, 20),
    },
)
_STRINGS = st.fixed_dictionaries(
    {"type": st.just("string")},
    optional={
        "minLength": st.integers(0, 9),
        "maxLength": st.integers(9, 20),
        "nullable": st.booleans(),
    },
)
_PLAIN = st.one_of(
    st.sampled_from(
        [
            {"type": ["integer", "null"], "maximum": -3},
            {"type": ["null", "string"], "minLength": 1, "format": "email"},
            {"const": {"a": [1]}},
            {"type": "string", "format": "date-time", "maxLength": 40},
            {"type": "integer", "enum": [3, 5]},
            {"type": "string", "minLength": 3, "maxLength": 3, "pattern": "^[a-z]+$"},
            {"type": "array", "items": {"enum": [1, 2, 3]}, "uniqueItems": True, "minItems": 3},
            {"type": "object", "dependentRequired": {"a": ["b"]}, "properties": {"a": {"type": "integer"}}},
            {"type": "object", "required": ["x"], "patternProperties": {"^x": {"type": "boolean"}}},
            {"type": "object", "propertyNames": {"pattern": "^k"}, "minProperties": 2},
            {
                "type": "object",
                "properties": {"email": {"type": "string"}},
                "patternProperties": {"^e": {"maxLength": 7}},
            },
            {"type": "array", "contains": {"const": 7}, "items": {"type": "integer"}},
            {
                "type": "object",
                "patternProperties": {"^x-": {"type": "integer"}},
                "additionalProperties": False,
            },
            {"type": "object", "propertyNames": {"pattern": "^[0-9]+$"}, "minProperties": 3},
            {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True, "minItems": 2},
            {},
            True,
        ]
    ),
    _NUMBERS,
    _STRINGS,
    st.sampled_from([{"type": "boolean"}, {"type": "string", "format": "uuid"}, {"enum": ["a", 1]}]),
    st.sampled_from(["^[A-Z]{2}$", r"^\+[1-9]\d{1,14}$", "^(a|b)+c?$", r"^\d{4}-\d{2}$", "[^a]"]).map(
        lambda pattern: {"type": "string", "pattern": pattern}
    ),
)


_NAMES = st.sampled_from(["a", "b", "email", "homeUrl"])
"""Two that say something of their texts, and two that do not."""


def _larger(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    members = st.dictionaries(_NAMES, inner, max_size=3)
    objects = st.tuples(members, st.lists(_NAMES, unique=True, max_size=2)).map(
        lambda both: {"type": "object", "properties": both[0], "required": both[1]}
    )
    arrays = st.tuples(inner, st.integers(0, 3)).map(
        lambda both: {"type": "array", "items": both[0], "minItems": both[1]}
    )
    unions = st.lists(inner, min_size=1, max_size=2).map(lambda branches: {"anyOf": branches})
    nullable = inner.map(
        lambda item: {"oneOf": [{"type": "null"}, {"type": "object", "properties": {"e": item}}]}
    )
    maps = st.tuples(inner, st.integers(0, 3)).map(
        lambda both: {"type": "object", "additionalProperties": both[0], "minProperties": both[1]}
    )
    closed = st.tuples(members, _NAMES).map(
        lambda both: {
            "type": "object",
            "properties": both[0] | {both[1]: False},
            "additionalProperties": False,
        }
    )
    tuples = st.lists(inner, min_size=1, max_size=3).map(
        lambda items: {"type": "array", "prefixItems": items, "minItems": len(items), "items": False}
    )
    parts = st.tuples(objects, inner, inner).map(
        lambda three: {
            "allOf": [three[0], {"type": "object", "properties": {"f": three[1], "g": {"readOnly": True}}}],
            "required": ["f", "g"],
            "properties": {"country": three[2]},
        }
    )
    return st.one_of(objects, arrays, unions, nullable, maps, closed, tuples, parts)


def _api_with(schema: dict[str, Any]) -> Api:
    return api("components:\n  schemas:\n    S: " + json.dumps(schema))


@given(st.recursive(_PLAIN, _larger, max_leaves=6), st.sampled_from(Direction))
def test_a_made_value_keeps_its_schema(schema: dict[str, Any], direction: Direction) -> None:
    """For plain schemas the example always validates, and is the same each time."""
    found = _api_with(schema)
    (root,) = found.schemas.values()
    value = synthesise(found, root, direction)

    assert [*Validator(found).violations(root, value, direction)] == []
    assert synthesise(_api_with(schema), root, direction) == value


def test_requests_show_what_has_to_be_sent_and_a_little_more() -> None:
    """What is required is always there; the deeper, the less that is optional. An answer shows more."""
    inner = ", ".join(f"o{number}: {{type: integer}}" for number in range(20))
    text = f"S: {{required: [o19, a], properties: {{a: {{properties: {{{inner}}}}}, {inner}}}}}"

    request, answer = validated_example(text, Direction.REQUEST), validated_example(text)

    assert list(request) == ["a", *(f"o{number}" for number in range(6)), "o19"]
    assert list(request["a"]) == ["o0", "o1", "o2"]
    assert [len(answer), len(answer["a"])] == [14, 6]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("email: {type: string}", "name@example.com"),
        ("billing_email: {type: [string, 'null'], minLength: 3}", "name@example.com"),
        ("homeURL: {type: string}", "https://example.com/"),
        ("email: {$ref: '#/components/schemas/Text'}", "name@example.com"),
        ("emails: {type: string}", "Example emails"),
        ("email: {type: string, maxLength: 9}", "Example"),
        ("country: {type: string, minLength: 3}", "Example country"),
        ("email: {type: string, enum: [string]}", "string"),
        ("email: {type: string, default: string}", "string"),
        ("email: {type: string, example: string}", "string"),
        ("email: {type: string, const: string}", "string"),
        ("email: {type: string, pattern: ^string$}", "string"),
        ("email: {type: string, format: mine}", "name@example.com"),
        ("email: {type: string, not: {pattern: '@'}}", "string"),
        ("email: {allOf: [{type: string}]}", "name@example.com"),
        ("email: {allOf: [{type: string, example: string}]}", "string"),
        ("email: {anyOf: [{enum: ['']}, {type: string}]}", "name@example.com"),
        ("emails: {type: array, items: {type: string}}", ["name@example.com"]),
        ("emails: {anyOf: [{type: array, items: {type: string}}, {enum: ['']}]}", ["name@example.com"]),
        ("email: {type: integer, minimum: 3}", 3),
    ],
)
def test_a_text_is_what_its_name_tells_where_nothing_else_is_said(member: str, value: Any) -> None:
    """By the last word of the name, and only where any text of that length would do."""
    text = f"S: {{properties: {{{member}}}}}\nText: {{type: string}}"

    assert list(validated_example(text).values()) == [value]


def test_other_rules_of_an_object_may_concern_its_texts() -> None:
    """So its texts stay as they are."""
    email = "properties: {email: {type: string}}"

    assert validated_example(f"S: {{{email}, patternProperties: {{^e: {{maxLength: 6}}}}}}") == {
        "email": "string"
    }
    assert validated_example(f"S: {{{email}, dependentSchemas: {{email: {{required: [email]}}}}}}") == {
        "email": "string"
    }


CARS = """\
S: {anyOf: [{$ref: '#/components/schemas/Car'}, {$ref: '#/components/schemas/Van'}], discriminator: %s}
Car: {type: object, required: [kind], properties: {kind: {type: string%s}, doors: {type: integer}}}
Van: {type: object, required: [kind], properties: {kind: {type: string}}}"""
KIND = "{propertyName: kind, mapping: {car: '#/components/schemas/Car'}}"


@pytest.mark.parametrize(
    ("discriminator", "rules", "kind"),
    [
        (KIND, "", "car"),
        ("{propertyName: kind}", "", "Car"),
        ("{propertyName: kind}", ", enum: [a, b]", "a"),
        ("{propertyName: kind}", ", const: c", "c"),
        (KIND, ", enum: [van, car]", "car"),
        (KIND, ", example: sedan", "car"),
    ],
)
def test_a_branch_says_which_one_it_is(discriminator: str, rules: str, kind: str) -> None:
    """The discriminator's property has the value that leads to the branch, unless the branch forbids it."""
    assert validated_example(CARS % (discriminator, rules)) == {"kind": kind, "doors": 1}


def test_an_example_of_a_branch_stays_what_it_is() -> None:
    """An author's own example of a branch is neither changed nor extended."""
    text = CARS.replace("Car: {", "Car: {example: {kind: sedan}, ") % (KIND, "")

    assert validated_example(text) == {"kind": "sedan"}


def test_a_schema_that_a_discriminator_leads_to_says_so_by_itself() -> None:
    """Where one union maps to a schema, its own example has the value, too; not where two say two things."""
    union = (
        "Car: {oneOf: [{$ref: '#/components/schemas/S'}], discriminator: "
        "{propertyName: kind, mapping: {%s: '#/components/schemas/S'}}}"
    )
    rest = "\nS: {type: object, properties: {kind: {type: string}}}"

    assert validated_example(union % "car" + rest) == {"kind": "car"}
    assert validated_example(union % "car" + "\n" + (union % "auto").replace("Car:", "Auto:") + rest) == {
        "kind": "standard"
    }


@pytest.mark.parametrize("kind", ["string", "string, enum: [cat, dog]"])
def test_an_heir_says_which_one_it_is(kind: str) -> None:
    """A schema that extends one with a discriminator has the value that leads to it."""
    parent = f"""\
Pet:
  type: object
  required: [kind]
  properties: {{kind: {{type: {kind}}}}}
  discriminator:
    propertyName: kind
    mapping: {{cat: '#/components/schemas/Cat', dog: '#/components/schemas/S'}}
Cat: {{allOf: [{{$ref: '#/components/schemas/Pet'}}]}}
S:
  allOf: [{{$ref: '#/components/schemas/Pet'}}, {{properties: {{barks: {{type: boolean}}}}}}]"""

    assert validated_example(parent) == {"kind": "dog", "barks": True}


def test_an_heir_of_a_parent_with_a_union_is_its_own_branch() -> None:
    """Where parent and heirs refer to each other, the example of an heir is that of its own branch."""
    parent = """\
Pet:
  type: object
  required: [kind]
  properties: {kind: {type: string}}
  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/S'}]
  discriminator: {propertyName: kind}
Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {meows: {type: boolean}}}]}
S: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {barks: {type: boolean}}}]}"""
    found = api("components:\n  schemas:\n" + indent(parent, "    "))
    heir = next(schema for schema in found.schemas.values() if schema.name == "S")

    assert synthesise(found, heir, Direction.RESPONSE) == {"kind": "S", "barks": True}


CONDITIONAL = [
    "S: {type: object, properties: {a: {type: string}, b: {type: string}}, not: {required: [a]}}",
    (
        "S: {type: object, required: [kind], properties: {kind: {type: string}, n: {type: integer}}, "
        "if: {properties: {kind: {const: string}}}, then: {required: [m], properties: {m: {type: integer}}}}"
    ),
    (
        "S: {type: object, properties: {kind: {enum: [x, y]}}, "
        "if: {properties: {kind: {const: x}}}, then: {required: [m]}, else: {required: [o]}}"
    ),
    (
        "S: {type: object, properties: {card: {type: integer}}, "
        "dependentSchemas: {card: {required: [address], properties: {address: {type: boolean}}}}}"
    ),
    "S: {type: object, properties: {card: {type: integer}}, dependentRequired: {card: [address]}}",
    (
        "S: {allOf: [{type: object, properties: {a: {type: integer}}}, "
        "{if: {required: [a]}, then: {properties: {b: {type: boolean}}, required: [b]}}]}"
    ),
]


@pytest.mark.parametrize("text", CONDITIONAL)
@pytest.mark.parametrize("direction", list(Direction))
def test_conditions_are_kept(text: str, direction: Direction) -> None:
    """With or without what is optional, by one branch or the other: an example is a valid one."""
    assert isinstance(validated_example(text, direction), dict)


@pytest.mark.parametrize(
    "text",
    [
        "S: {type: object, required: [me], properties: {me: {$ref: '#/components/schemas/S'}}}",
        "S: {required: [s], properties: {s: {$ref: '#/components/schemas/S'}}}",
        "S: {type: object, not: {type: object}}",
        "S: false",
    ],
)
def test_where_no_value_is_found_there_is_none(text: str) -> None:
    """Nothing is better than what is wrong."""
    found = api(f"components:\n  schemas:\n    {text}\n")
    (schema,) = found.schemas.values()

    assert synthesise(found, schema, Direction.RESPONSE) is ABSENT


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("S: {properties: {a: {const: 1}, b: {const: 1}}, oneOf: [{required: [a]}, {required: [b]}]}", {"a": 1}),
        ("S: {properties: {a: {type: integer}, b: {type: integer}}, not: {required: [a, b]}}", {}),
        ("S: {oneOf: [{type: integer}, {type: number}]}", 1.5),
        ("S: {type: string, enum: [a, B1], pattern: '^[A-Z]'}", "B1"),
        ("S: {type: string, not: {enum: [string]}}", "example"),
        ("S: {type: integer, not: {minimum: 0}}", -1),
        ("S: {type: string, contentMediaType: application/json, contentSchema: {const: {q: 1}}}", '{"q": 1}'),
        ("S: {type: array, minItems: 2, uniqueItems: true, items: {type: string, pattern: '^[1-9]$'}}", ["1", "2"]),
    ],
)  # fmt: skip
def test_values_are_tried_until_one_is_valid(text: str, value: Any) -> None:
    """Rules that exclude the first value lead to another one."""
    assert validated_example(text) == value


@pytest.mark.parametrize(
    ("text", "value", "pointer"),
    [
        ("S: {type: object, required: [n], properties: {n: {type: integer, minimum: 5, maximum: 3}}}",
            {"n": "<n>"}, ("n",)),
        ("S: {type: object, required: [s], properties: {s: {$ref: '#/components/schemas/S'}}}",
            {"s": "<s>"}, ("s",)),
        ("S: false", "<value>", ()),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_made_is_a_gap_of_the_sample(text: str, value: Any, pointer: Any) -> None:
    """The rest of the sample stays."""
    found = api(f"components:\n  schemas:\n    {text}\n")
    (schema,) = found.schemas.values()

    sample = sample_value(found, schema, Direction.REQUEST)

    assert sample.value == value
    assert [gap.pointer for gap in sample.gaps] == [pointer]
    assert sample.issues == ()


def test_what_others_rules_forbid_is_shown_beside_conditions() -> None:
    """Closed parts that exclude each other are a mistake often made, and the example shows what was meant."""
    found = api("""\
components:
  schemas:
    S:
      allOf:
        - {type: object, additionalProperties: false, properties: {a: {type: integer}}, not: {required: [z]}}
        - {type: object, properties: {b: {type: integer}}, required: [b]}
""")
    (schema,) = found.schemas.values()

    assert synthesise(found, schema, Direction.RESPONSE) == {"a": 1, "b": 1}


def test_a_sample_is_made_once_for_all_that_show_it() -> None:
    """Pages, consoles and exports share the sample of a schema, however they refer to it."""
    found = api(
        "components:\n  schemas:\n    S: {type: string}\n"
        "    L: {type: array, items: {$ref: '#/components/schemas/S'}}\n"
    )
    schemas = {schema.name: schema for schema in found.schemas.values()}
    items = schemas["L"].items
    assert items is not None

    assert sample_value(found, items, Direction.REQUEST) is sample_value(
        found, schemas["S"], Direction.REQUEST
    )


def test_an_example_is_the_value_of_the_sample() -> None:
    """The page of a schema and the operations that send it show a value that is built and validated once."""
    found = api("components:\n  schemas:\n    S: {type: object, properties: {id: {type: string}}}\n")
    schema = next(iter(found.schemas.values()))

    example = synthesise(found, schema, Direction.RESPONSE)

    assert set(example) == {"id"}
    assert sample_value(found, schema, Direction.RESPONSE).value is example


INHERITED = """\
Pet: {type: object, required: [type], properties: {type: {type: string}}, discriminator: {propertyName: type%s}}
S: {type: array, items: {$ref: '#/components/schemas/Pet'}}
Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [lives], properties: {lives: {const: 9}}}]}
Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [bark], properties: {bark: {const: no}}}]}"""


@pytest.mark.parametrize(
    ("mapping", "value"),
    [
        ("", {"type": "Cat", "lives": 9}),
        (", mapping: {dog: '#/components/schemas/Dog'}", {"type": "dog", "bark": "no"}),
    ],
)
def test_a_sample_of_a_supertype_is_whole(mapping: str, value: Any) -> None:
    """What a discriminator says a value is, it is: with all that the subtype requires."""
    assert validated_example(INHERITED % mapping) == [value]


@pytest.mark.parametrize(
    "rest", ["", ", additionalProperties: false", ", additionalProperties: {type: integer}"]
)
def test_a_member_of_a_pattern_is_shown(rest: str) -> None:
    """An object of which nothing is named is not empty."""
    (value,) = validated_example(
        f"S: {{type: object, patternProperties: {{'^x-': {{const: 5}}}}{rest}}}"
    ).values()

    assert value in (5, 1)


def count_calls(act: Callable[[], object]) -> int:
    """Return how many Python functions a call runs through: work that takes as long on any machine."""
    count = 0

    def on_event(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    profile = sys.getprofile()
    sys.setprofile(on_event)
    try:
        act()
    finally:
        sys.setprofile(profile)
    return count


def each_part_of_all_others(count: int, *more: str) -> Api:
    """Return a contract in which each schema requires a part that is one of all others."""
    names = [f"S{number}" for number in range(count)]
    rows = []
    for name in names:
        others = ", ".join(
            f"{{$ref: '#/components/schemas/{other}'}}" for other in (*names, *more) if other != name
        )
        members = f"{{kind: {{const: {name}}}, part: {{oneOf: [{others}]}}}}"
        rows.append(f"{name}: {{type: object, required: [kind, part], properties: {members}}}")
    rows += [
        f"{name}: {{type: object, required: [end], properties: {{end: {{const: true}}}}}}" for name in more
    ]
    return api("components:\n  schemas:\n" + indent("\n".join(rows), "    ") + "\n")


@pytest.mark.parametrize("count", [6, 7, 40])
def test_unions_of_each_other_do_not_multiply(count: int) -> None:
    """Six levels of forty branches are four billion ways to be wrong, of which few are tried and none is listed."""
    found = each_part_of_all_others(count)
    schema = next(iter(found.schemas.values()))

    calls = count_calls(lambda: sample_value(found, schema, Direction.RESPONSE))

    assert calls < 1_500_000


def test_a_union_of_each_other_with_an_end_has_a_valid_sample() -> None:
    """One branch that requires no other makes the sample finite, though it is the last of forty."""
    found = each_part_of_all_others(40, "End")
    schema = next(iter(found.schemas.values()))
    sample = sample_value(found, schema, Direction.RESPONSE)

    assert sample.is_valid
    assert "'end': True" in str(sample.value)


def test_an_example_of_a_part_that_breaks_its_rules_is_replaced() -> None:
    """Links whose example is no URI get URIs; the other members need not be left out for it."""
    found = api("""\
components:
  schemas:
    S:
      type: object
      properties:
        name: {type: string, example: Tea}
        links:
          type: object
          example: {self: /things/1}
          properties: {self: {type: string, format: uri}}
""")
    sample = sample_value(found, next(iter(found.schemas.values())), Direction.RESPONSE)

    assert sample.is_valid
    assert sample.value == {"name": "Tea", "links": {"self": "https://example.com/"}}


@pytest.mark.parametrize("direction", Direction)
def test_members_of_an_example_agree_as_descriptions_say(direction: Direction) -> None:
    """Those out of order are moved, also within others; an example of the whole stays as its author wrote it."""
    booking = """\
S:
  type: object
  required: [inner, seats]
  properties:
    inner: {$ref: '#/components/schemas/Period'}
    seats: {type: array, items: {type: string}, minItems: 2}
    seat_count: {type: integer, description: The number of `seats`., example: 7}
Period:
  type: object
  required: [ends_at, starts_at]
  properties:
    ends_at: {type: string, format: date-time, description: It must be after `starts_at`.}
    starts_at: {type: string, format: date-time}"""
    period = "{ends_at: '2026-01-01T00:00:00Z', starts_at: '2026-01-02T00:00:00Z'}"
    written = f"\n  examples: [{{inner: {period}, seats: [a, b]}}]"

    made = validated_example(booking, direction)
    given_ = validated_example(booking.replace("\nPeriod", f"{written}\nPeriod"), direction)

    assert made["inner"]["ends_at"] > made["inner"]["starts_at"]
    assert made["seat_count"] == len(made["seats"])
    assert given_["inner"]["ends_at"] < given_["inner"]["starts_at"]
    assert "seat_count" not in given_


DEEP = """\
S: {properties: {data: {properties: {list: {type: array, items: {$ref: '#/components/schemas/T'}}}}}}
T:
  type: object
  properties:
    tags: {type: array, items: {type: string}}
    id: {type: integer}
    old: {type: string, deprecated: true}
    name: {type: string}
    owner: {type: object, properties: {id: {type: integer}}}
    size: {type: integer}
    color: {type: string}"""


def test_deep_objects_are_not_empty() -> None:
    """The items of a list in an envelope in an envelope have some plain members, though no more than that."""
    value = validated_example(DEEP)

    assert value == {"data": {"list": [{"id": 123, "name": "Example", "size": 10}]}}


def test_deep_objects_have_what_they_require_and_no_more() -> None:
    """They are short, and few members are allowed in some."""
    required = DEEP.replace("T:\n  type: object", "T:\n  type: object\n  required: [color]")
    limited = DEEP.replace("T:\n  type: object", "T:\n  type: object\n  maxProperties: 1")

    assert validated_example(required) == {"data": {"list": [{"color": "#336699"}]}}
    assert validated_example(limited) == {"data": {"list": [{"id": 123}]}}


@pytest.mark.parametrize(
    ("properties", "names"),
    [
        ("{id: {type: integer}, name: {type: string}, note: {type: string}}", ["name", "note"]),
        ("{id: {type: integer}, name: {type: string}}", ["id", "name"]),
        ("{owner: {type: object, properties: {id: {type: integer}, name: {type: string}}}}", ["owner"]),
    ],
)
def test_a_typical_request_leaves_the_identifier_to_the_server(properties: str, names: list[str]) -> None:
    """If nothing is required, and other properties can be sent; in a nested object it names something else."""
    found = api(f"components:\n  schemas:\n    S: {{type: object, properties: {properties}}}\n")
    (schema,) = found.schemas.values()

    value = sample_value(found, schema, Direction.REQUEST, Selection.TYPICAL).value

    assert [*value] == names
    assert value.get("owner", {"id": 0}).keys() == {"id"} or names != ["owner"]
