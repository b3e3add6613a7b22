"""What schemas may not tell of what is internal elsewhere: left out so that the rest means what it meant."""

from typing import Any

import pytest

from devportal.contract.published.bundle import bundle
from devportal.contract.schemas import Location

from .inline import contract

BASE = "B: {type: object, properties: {a: {}, h: {x-internal: true}}}"


def bundled_schema(keywords: str) -> dict[str, Any]:
    """Return the bundled schema without its reference to one that keeps `h` internal."""
    made = contract(
        f"components: {{schemas: {{A: {{allOf: [{{$ref: '#/components/schemas/B'}}], {keywords}}}, {BASE}}}}}"
    )
    found: dict[str, Any] = bundle(made)["components"]["schemas"]["A"]
    assert found.pop("allOf") == [{"$ref": "#/components/schemas/B"}]
    return found


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        ("required: [a, h]", {"required": ["a"]}),
        ("required: [h]", {}),
        ("dependentRequired: {a: [h, b], h: [a]}", {"dependentRequired": {"a": ["b"]}}),
        ("oneOf: [{required: [a]}, {type: object, required: [h]}]", {"oneOf": [{"required": ["a"]}]}),
        ("anyOf: [{required: [h]}]", {}),
        ("anyOf: [{allOf: [{required: [h]}]}, {minProperties: 1}]", {"anyOf": [{"minProperties": 1}]}),
        ("not: {required: [a, h]}", {}),
        ("not: {anyOf: [{required: [a]}, {required: [h]}]}", {}),
        ("not: {required: [a]}", {"not": {"required": ["a"]}}),
        ("if: {properties: {h: {const: 1}}}, then: {required: [a]}, else: {required: [b]}", {}),
        (
            "if: {required: [a]}, then: {properties: {h: {const: 1}}, required: [b]}",
            {"if": {"required": ["a"]}, "then": {"properties": {}, "required": ["b"]}},
        ),
        ("dependentSchemas: {h: {required: [a]}, a: {minProperties: 1}}",
         {"dependentSchemas": {"a": {"minProperties": 1}}}),
        ("propertyNames: {enum: [a, h]}", {"propertyNames": {"enum": ["a"]}}),
        ("properties: {h: {type: string}}, required: [h]",
         {"properties": {"h": {"type": "string"}}, "required": ["h"]}),
    ],
)  # fmt: skip
def test_a_schema_without_the_names_says_nothing_else(keywords: str, expected: dict[str, Any]) -> None:
    """A rule that cannot be told without them goes as a whole; a property that is made public here stays."""
    assert bundled_schema(keywords) == expected


def test_schemas_that_share_a_part_keep_their_own_names() -> None:
    """What one of them keeps internal is no secret of the other."""
    made = contract(
        """\
        components:
          schemas:
            Base: {type: object, required: [h]}
            Cat: {allOf: [{$ref: '#/components/schemas/Base'}], properties: {h: {x-internal: true}}}
            Dog: {allOf: [{$ref: '#/components/schemas/Base'}], properties: {h: {}}, required: [h]}
        """
    )

    schemas = bundle(made)["components"]["schemas"]

    assert schemas["Base"] == {"type": "object"}
    assert schemas["Dog"]["required"] == ["h"]


def test_values_that_lead_to_an_internal_schema_go_with_what_is_said_of_them() -> None:
    """Of the enum of the discriminator's property, in whichever part it stands."""
    made = contract(
        """\
        components:
          schemas:
            A:
              oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}]
              discriminator: {propertyName: kind}
              allOf: [{properties: {kind: {$ref: '#/components/schemas/Kind'}}}]
            B: {type: object}
            C: {type: object, x-internal: true}
            Kind:
              {type: string, enum: [B, C], x-extensible-enum: [B, C], x-enum-varnames: [FIRST, SECOND],
               x-enumDescriptions: {C: Hid},
               x-beta-values: [B, C]}
        """
    )

    assert bundle(made)["components"]["schemas"]["Kind"] == {
        "type": "string",
        "enum": ["B"],
        "x-extensible-enum": ["B"],
        "x-enum-varnames": ["FIRST"],
        "x-enumDescriptions": {},
        "x-beta-values": ["B"],
    }
    kind = next(schema for schema in made.api.schemas.values() if schema.name == "Kind")
    assert (kind.enum_names, kind.beta_values) == ((("B", "FIRST"),), ("B",))


def test_names_of_properties_that_a_shared_enum_lists_are_not_told() -> None:
    """Neither on a page nor in the bundle, where the enum stands for names of such properties."""
    made = contract(
        """\
        components:
          schemas:
            A:
              properties: {h: {x-internal: true}, a: {}}
              propertyNames: {$ref: '#/components/schemas/Names'}
            Names: {type: string, enum: [a, h]}
        """
    )

    names = made.api.schemas[Location("", ("components", "schemas", "Names"))]
    assert names.enum == ("a",)
    assert bundle(made)["components"]["schemas"]["Names"]["enum"] == ["a"]
