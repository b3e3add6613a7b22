"""Schemas: what the OAS versions spell differently becomes one form."""

from pathlib import Path
from typing import Any

import pytest

from devportal.contract import ABSENT, Grounds, Schema, Stability
from tests.contract.inline import HEAD, PATHS, api, contract, reading_findings, schema, schemas, write


def constraints(text: str, *, version: str = "3.1.0") -> dict[str, Any]:
    """Return the constraints of a schema by keyword."""
    return {constraint.keyword: constraint.value for constraint in schema(text, version=version).constraints}


def names(branches: tuple[Schema, ...]) -> list[tuple[str, ...]]:
    """Return the types of each branch."""
    return [branch.types for branch in branches]


@pytest.mark.parametrize(
    ("version", "text", "types"),
    [
        ("3.0.3", "type: string\nnullable: true", ("string",)),
        ("3.0.3", "type: string\nnullable: true\nenum: [a]", ("string",)),
        ("3.0.3", "nullable: true\nallOf: [{$ref: '#/components/schemas/S'}]", ()),
        ("3.1.0", "type: [string, 'null']", ("string",)),
        ("3.1.0", "type: ['null', string, integer]", ("string", "integer")),
        ("3.1.0", "enum: [a, null]", ()),
        ("3.1.0", "type: 'null'", ()),
        ("3.1.0", "type: ['null']", ()),
        ("3.1.0", "anyOf: [{type: string}, {type: 'null'}]", ()),
        ("3.1.0", "oneOf: [{type: string}, {const: null}]", ()),
        ("3.1.0", "oneOf: [{type: string}, {enum: [null]}]", ()),
        ("3.1.0", "oneOf: [{type: string}, {type: ['null']}]", ()),
    ],
)
def test_nullable_in_each_spelling(version: str, text: str, types: tuple[str, ...]) -> None:
    """However null is allowed, it is `nullable` and no type and no branch."""
    found = schema(text, version=version)

    assert found.nullable
    assert found.types == types
    assert len(found.one_of + found.any_of) <= 1


@pytest.mark.parametrize(
    ("text", "is_nullable"),
    [
        ("type: [string, 'null']\noneOf: [{type: string}, {type: 'null'}]", True),
        ("type: string\noneOf: [{type: string}, {type: 'null'}]", False),
        ("type: 'null'\noneOf: [{type: string}, {type: 'null'}]", False),
        ("enum: [a, null]\noneOf: [{type: string}, {type: 'null'}]", True),
        ("oneOf: [{type: string}, {type: 'null'}]\nanyOf: [{maxLength: 3}]", False),
        ("oneOf: [{type: string}, {type: 'null', description: None.}]", False),
    ],
)
def test_null_branch_stays_if_it_does_not_decide_alone(text: str, is_nullable: bool) -> None:  # noqa: FBT001
    """Beside types, an enum or another union, and with a text, a branch that is null remains a branch."""
    found = schema(text)

    assert len(found.one_of) == 2
    assert found.nullable is is_nullable


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ("3.1.0", "type: string\nnullable: true"),
        ("3.0.3", "type: string\nnullable: false"),
        ("3.0.3", "type: string"),
        ("3.1.0", "type: string\nenum: [a, null]"),
        ("3.1.0", "type: [string, 'null']\nenum: [a]"),
        ("3.1.0", "type: [string, 'null']\nconst: a"),
    ],
)
def test_what_does_not_allow_null_is_not_nullable(version: str, text: str) -> None:
    """`nullable` means nothing after 3.0, and null has to fit type, enum and const alike."""
    assert not schema(text, version=version).nullable


@pytest.mark.parametrize(
    ("version", "text", "is_idle"),
    [
        ("3.0.3", "nullable: true\nmaxLength: 3", True),
        ("3.0.3", "type: string\nnullable: true", False),
        ("3.0.3", "nullable: true\nenum: [a, null]", False),
        ("3.1.0", "type: string\nanyOf: [{minLength: 1}, {type: 'null'}]", False),
        ("3.1.0", "type: [string, 'null']\nanyOf: [{minLength: 1}, {type: 'null'}]", False),
        ("3.1.0", "anyOf: [{type: string}, {type: 'null'}]", False),
        ("3.1.0", "type: string", False),
    ],
)
def test_null_that_is_only_spoken_for_is_marked(version: str, text: str, is_idle: bool) -> None:  # noqa: FBT001
    """Without a type in 3.0, `nullable` allows nothing."""
    assert schema(text, version=version).has_idle_nullable is is_idle


def test_comment_and_dialect_are_kept() -> None:
    """What a schema notes for its authors, and whose keywords it has, can be compared."""
    found = schema("$comment: Why.\n$schema: https://json-schema.org/draft/2020-12/schema")

    assert found.comment == "Why."
    assert found.dialect == "https://json-schema.org/draft/2020-12/schema"


def test_a_schema_of_null_alone_is_a_constant() -> None:
    """`type: "null"` allows one value only, and says so."""
    assert schema("type: 'null'").const is None
    assert schema("type: [string, 'null']").const is ABSENT


def test_a_union_of_null_alone_keeps_its_branches() -> None:
    """Without its only branch the union would allow everything."""
    found = schema("oneOf: [{type: 'null'}]")

    assert [branch.const for branch in found.one_of] == [None]


@pytest.mark.parametrize(
    ("version", "text", "expected"),
    [
        ("3.0.3", "{minimum: 1, exclusiveMinimum: true}", {"exclusiveMinimum": 1}),
        ("3.0.3", "{minimum: 1, exclusiveMinimum: false}", {"minimum": 1}),
        ("3.0.3", "{maximum: 1.5, exclusiveMaximum: true}", {"exclusiveMaximum": 1.5}),
        ("3.0.3", "{exclusiveMaximum: true}", {}),
        (
            "3.1.0",
            "{exclusiveMinimum: 0, exclusiveMaximum: 9}",
            {"exclusiveMinimum": 0, "exclusiveMaximum": 9},
        ),
        ("3.1.0", "{minimum: 1, exclusiveMinimum: 0}", {"minimum": 1, "exclusiveMinimum": 0}),
        ("3.0.3", "{minimum: 0, maximum: 0}", {"minimum": 0, "maximum": 0}),
        ("3.1.0", "{minimum: 1, exclusiveMinimum: true}", {"minimum": 1}),
    ],
)
def test_exclusive_bounds_of_both_versions_are_numbers(
    version: str, text: str, expected: dict[str, Any]
) -> None:
    """The boolean of 3.0 moves its bound to the keyword of 3.1."""
    assert constraints(text, version=version) == expected


def test_each_constraint_is_kept() -> None:
    """Every validation keyword is in the model with its value."""
    written = {
        "multipleOf": 0.5, "minimum": -1, "maximum": 9, "minLength": 0, "maxLength": 3.0, "pattern": "^a",
        "minItems": 1, "maxItems": 2, "uniqueItems": True, "minContains": 1, "maxContains": 2,
        "minProperties": 1, "maxProperties": 2, "dependentRequired": {"a": ["b"]},
    }  # fmt: skip

    assert constraints("\n".join(f"{key}: {value}" for key, value in written.items())) == written


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("multipleOf", "0"),
        ("multipleOf", "-1"),
        ("minimum", "'1'"),
        ("minimum", "true"),
        ("maximum", ".inf"),
        ("maximum", ".nan"),
        ("exclusiveMinimum", "[]"),
        ("minLength", "-1"),
        ("maxLength", "1.5"),
        ("maxItems", "true"),
        ("pattern", "1"),
        ("uniqueItems", "1"),
        ("maxProperties", "{}"),
        ("dependentRequired", "[a]"),
        ("dependentRequired", "{a: b}"),
        ("dependentRequired", "{a: [1]}"),
    ],
)
def test_a_constraint_with_an_impossible_value_is_found_and_left_out(keyword: str, value: str) -> None:
    """A value that no validator accepts is reported at its keyword."""
    text = f"components: {{schemas: {{S: {{{keyword}: {value}}}}}}}"
    ((rule, where, message),) = reading_findings(text)

    assert (rule, where) == ("contract-shape", "9:28")
    assert message.startswith(f"{keyword!r} must be ")
    assert next(iter(contract(text).api.schemas.values())).constraints == ()


def test_an_object_is_kept_whole() -> None:
    """Properties in their order with need, pattern properties and the rest."""
    found = schema("""\
        type: object
        required: [b, ghost, b]
        properties: {b: {type: string, readOnly: true}, a: {type: string, writeOnly: true, deprecated: true}}
        patternProperties: {^x-: {type: integer}}
        additionalProperties: false
        propertyNames: {maxLength: 9}
        unevaluatedProperties: false
        dependentSchemas: {a: {required: [b]}}
        """)

    assert [(property_.name, property_.required) for property_ in found.properties] == [
        ("b", True),
        ("a", False),
    ]
    assert (found.properties[0].schema.read_only, found.properties[1].schema.write_only) == (True, True)
    assert found.properties[1].schema.deprecated
    assert found.required == ("b", "ghost")
    assert [pattern_property.name for pattern_property in found.pattern_properties] == ["^x-"]
    assert found.additional_properties is not None
    assert found.additional_properties.verdict is False
    assert [keyword for keyword, _ in found.others] == [
        "propertyNames",
        "unevaluatedProperties",
        "dependentSchemas a",
    ]


def test_arrays_and_combinations_are_kept_whole() -> None:
    """Items, tuples, all combinations and the conditional keywords."""
    found = schema("""\
        items: {type: string}
        prefixItems: [{type: integer}, true]
        contains: {const: 1}
        unevaluatedItems: false
        allOf: [{type: array}]
        anyOf: [{type: array}, {type: object}]
        oneOf: [{type: array}, {type: string}]
        not: {type: boolean}
        if: {type: array}
        then: {minItems: 1}
        else: false
        """)

    assert found.items is not None
    assert found.items.types == ("string",)
    assert [subschema.verdict for subschema in found.prefix_items] == [None, True]
    assert (names(found.all_of), names(found.any_of)) == ([("array",)], [("array",), ("object",)])
    assert names(found.one_of) == [("array",), ("string",)]
    assert found.negated is not None
    assert [keyword for keyword, _ in found.others] == ["if", "then", "else", "contains", "unevaluatedItems"]


def test_annotations_are_kept() -> None:
    """Texts, format, default, examples, links, stability and the allowed extensions."""
    found = schema("""\
        type: string
        format: date
        title: T
        description: D
        default: '2026-01-31'
        example: '2026-02-01'
        examples: ['2026-03-01', '2026-04-01']
        externalDocs: {url: https://example.com}
        contentMediaType: text/plain
        contentEncoding: base64
        x-stability-level: stable
        x-beta-keywords: [minLength, maxLength]
        x-beta-values: [1, a]
        x-unit: day
        x-source: [Endpoints, Errors 4]
        x-decision: '0007'
        x-other: dropped
        """)

    assert (found.types, found.format, found.title, found.description) == (("string",), "date", "T", "D")
    assert (found.default, found.examples) == ("2026-01-31", ("2026-02-01", "2026-03-01", "2026-04-01"))
    assert found.has_lone_example
    assert found.external_docs is not None
    assert found.content == (("contentMediaType", "text/plain"), ("contentEncoding", "base64"))
    assert (found.stability, found.beta_keywords) == (Stability.STABLE, ("minLength", "maxLength"))
    assert found.beta_values == (1, "a")
    assert dict(found.extensions) == {"x-unit": "day"}
    assert found.grounds == Grounds(sources=("Endpoints", "Errors 4"), decisions=("0007",))


def test_null_as_a_value_is_not_the_absence_of_one() -> None:
    """`default: null` and `const: null` are written, and differ from nothing."""
    assert schema("default: null").default is None
    assert schema("const: null").const is None
    assert schema("type: string").default is ABSENT
    assert schema("type: string").const is ABSENT
    assert schema("enum: [a, null, 1, true]").enum == ("a", None, 1, True)


@pytest.mark.parametrize(
    "written",
    [
        "x-enumDescriptions: {a: The a, b: The b}",
        "x-enum-descriptions: {a: The a, b: The b}",
        "x-enumDescriptions: [The a, The b]",
    ],
)
def test_descriptions_of_enum_values_are_read_in_each_spelling(written: str) -> None:
    """A mapping by value, or a list beside the values."""
    assert schema(f"enum: [a, b]\n{written}").enum_descriptions == (("a", "The a"), ("b", "The b"))


def test_values_without_text_and_texts_without_value_say_nothing() -> None:
    """Booleans are written as YAML and JSON write them; empty texts are left out."""
    found = schema("enum: [true, 1, null]\nx-enumDescriptions: {true: Yes it is, 1: '', other: Unknown}")

    assert found.enum_descriptions == (("True", "Yes it is"), ("other", "Unknown"))


@pytest.mark.parametrize("key", ["x-enum-varnames", "x-enumNames", "x-enum-names"])
def test_values_have_names_in_code(key: str) -> None:
    """The spellings of several generators, as a list beside the values."""
    assert schema(f"enum: [1, 2]\n{key}: [ONE, TWO]").enum_names == (("1", "ONE"), ("2", "TWO"))


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("attribute: true", "attribute"),
        ("nodeType: attribute", "attribute"),
        ("nodeType: cdata", "cdata"),
        ("nodeType: cdata, attribute: true", "cdata"),
        ("attribute: false", ""),
    ],
)
def test_xml_is_kept_whole(written: str, kind: str) -> None:
    """Names, wrapping and the type of the node, however the version spells it."""
    found = schema(
        f"xml: {{name: n, namespace: 'https://example.com/ns', prefix: p, wrapped: true, {written}}}"
    ).xml

    assert found is not None
    assert (found.name, found.namespace, found.prefix) == ("n", "https://example.com/ns", "p")
    assert (found.is_wrapped, found.node_type) == (True, kind)


def test_an_unknown_type_of_xml_node_is_found() -> None:
    """It is reported at its place, and read as the default."""
    text = "components: {schemas: {S: {xml: {nodeType: comment}}}}"

    assert [(rule, where) for rule, where, _ in reading_findings(text)] == [("contract-shape", "9:34")]


def test_a_discriminator_maps_values_to_schemas() -> None:
    """Targets are references or bare names of schemas (OAS 3.0.3 §4.7.25)."""
    found = schemas("""\
        Pet:
          oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
          discriminator: {propertyName: kind, mapping: {cat: Cat, dog: '#/components/schemas/Dog'},
            defaultMapping: Dog}
        Cat: {type: object}
        Dog: {type: object}
        """)
    discriminator = found["Pet"].discriminator

    assert discriminator is not None
    assert discriminator.property_name == "kind"
    assert discriminator.mapping == (("cat", found["Cat"].location), ("dog", found["Dog"].location))
    assert discriminator.default == found["Dog"].location


def test_what_only_a_mapping_names_is_read_too() -> None:
    """A schema outside `components` that only a discriminator leads to can be resolved."""
    found = api("""\
        x-pets: {Cat: {type: object, title: The cat}}
        components:
          schemas: {Pet: {discriminator: {propertyName: kind, mapping: {cat: '#/x-pets/Cat'}}}}
        """)

    assert "The cat" in [subschema.title for subschema in found.schemas.values()]


def test_boolean_schemas_are_verdicts() -> None:
    """`true` allows everything, `false` nothing."""
    found = schemas("T: true\nF: false")

    assert (found["T"].verdict, found["F"].verdict) == (True, False)


def test_internal_schemas_never_reach_the_model() -> None:
    """Internal schemas, properties and branches are left out, also where only a reference leads to them."""
    found = api("""\
        components:
          schemas:
            SECRET: {x-internal: true, type: string, title: SECRET}
            Alias: {$ref: '#/components/schemas/SECRET'}
            Open:
              required: [shown, SECRET, SECRET2]
              properties:
                shown: {type: string}
                SECRET: {x-internal: true}
                SECRET2: {$ref: '#/components/schemas/SECRET'}
              items: {$ref: '#/components/schemas/SECRET'}
              not: {$ref: '#/components/schemas/Alias'}
              allOf: [{$ref: '#/components/schemas/SECRET'}, {type: object}]
              oneOf: [{x-internal: true, title: SECRET}, {type: object}]
              anyOf: [{$ref: '#/components/schemas/SECRET'}, {type: object}]
              prefixItems: [{$ref: '#/components/schemas/SECRET'}, {type: string}]
              patternProperties: {SECRET: {x-internal: true}}
              dependentRequired: {SECRET: [shown], shown: [SECRET]}
              dependentSchemas: {SECRET: {type: object}, shown: {x-internal: true, title: SECRET}}
              discriminator: {propertyName: SECRET, defaultMapping: SECRET}
              externalDocs: {url: https://example.com/SECRET, x-internal: true}
        """)

    assert "SECRET" not in repr(found)
    (only,) = found.schemas.values()
    assert only.required == ("shown",)
    assert [subschema.verdict for subschema in only.prefix_items] == [True, None]
    assert (len(only.all_of), len(only.one_of), len(only.any_of)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("1", "9:24"),
        ("[]", "9:24"),
        ("null", "9:24"),
        ("{type: text}", "9:28"),
        ("{type: [string, 1]}", "9:28"),
        ("{properties: []}", "9:28"),
        ("{properties: {a: 1}}", "9:41"),
        ("{required: true}", "9:28"),
        ("{required: [1]}", "9:39"),
        ("{enum: a}", "9:28"),
        ("{items: [{type: string}]}", "9:28"),
        ("{additionalProperties: []}", "9:28"),
        ("{allOf: {}}", "9:28"),
        ("{oneOf: [1]}", "9:36"),
        ("{prefixItems: {}}", "9:28"),
        ("{not: text}", "9:28"),
        ("{nullable: 1}", "9:28"),
        ("{readOnly: 'true'}", "9:28"),
        ("{description: {}}", "9:28"),
        ("{discriminator: kind}", "9:28"),
        ("{discriminator: {propertyName: k, mapping: []}}", "9:61"),
        ("{examples: {}}", "9:28"),
        ("{x-beta-keywords: maxLength}", "9:28"),
        ("{x-beta-values: mms}", "9:28"),
        ("{patternProperties: 1}", "9:28"),
        ("{dependentSchemas: []}", "9:28"),
    ],
)
def test_each_malformed_keyword_is_a_finding_at_its_place(text: str, where: str) -> None:
    """A keyword of the wrong kind is reported where it stands, and read as if it were absent."""
    found = reading_findings(f"components: {{schemas: {{S: {text}}}}}", version="3.0.3")

    assert [(rule, place) for rule, place, _ in found] == [("contract-shape", where)]


def test_a_component_that_is_a_file_has_its_own_name(tmp_path: Path) -> None:
    """The file may be called anything, and may lead on; of two names the first one counts."""
    read = write(
        tmp_path,
        {
            "api.yaml": HEAD.format(version="3.1.0")
            + PATHS
            + """\
components:
  schemas:
    Pet: {$ref: pet_v1.yaml}
    Animal: {$ref: pet_v1.yaml}
    Error: {$ref: 'common.yaml#/problem'}
    Alias: {$ref: '#/components/schemas/Own'}
    Own: {properties: {tail: {$ref: 'common.yaml#/Tail'}}}
    Wide: {$ref: 'common.yaml#/Tail', title: Wide}
""",
            "pet_v1.yaml": "$ref: 'common.yaml#/animal'\n",
            "common.yaml": "animal: {title: A}\nproblem: {title: P}\nTail: {type: string}\n",
        },
    ).api
    found = {str(location): value.name for location, value in read.schemas.items()}

    assert found == {
        "#/components/schemas/Pet": "Pet",
        "#/components/schemas/Animal": "Animal",
        "#/components/schemas/Error": "Error",
        "#/components/schemas/Alias": "Alias",
        "#/components/schemas/Own": "Own",
        "#/components/schemas/Wide": "Wide",
        "pet_v1.yaml#": "Pet",
        "common.yaml#/animal": "Pet",
        "common.yaml#/problem": "Error",
        "common.yaml#/Tail": "Tail",
    }
