"""How much work a validator is given: what would take it for ever is not begun."""

from itertools import pairwise
from textwrap import indent
from typing import Any

import pytest

from devportal.contract import check_contract
from devportal.contract.validate.json_schema import (
    Direction,
    is_cheap_to_explain,
    is_cheap_to_validate,
)
from devportal.contract.validate.validator import Validator
from tests.contract.inline import api, contract


def levels(count: int, level: str, last: str = "{type: object}") -> str:
    """Return schemas of which each names the next one."""
    names = [f"S{number}" for number in range(count + 1)]
    rows = [
        f"{name}: {level.replace('R', '{$ref: ' + repr('#/components/schemas/' + below) + '}')}"
        for name, below in pairwise(names)
    ]
    return "components:\n  schemas:\n" + indent("\n".join([*rows, f"{names[-1]}: {last}"]), "    ") + "\n"


def is_validated(text: str, value: Any) -> bool:
    """Say whether a value can be validated against the first schema."""
    found = api(text)
    return is_cheap_to_validate(found, next(iter(found.schemas.values())), value)


@pytest.mark.parametrize(
    "level",
    ["{allOf: [R, R]}", "{anyOf: [R, R]}", "{oneOf: [R, R]}", "{allOf: [R], not: R}", "{if: R, then: R}"],
)
def test_a_diamond_on_each_level_is_too_much(level: str) -> None:
    """Ten levels are a thousand looks, forty are a thousand billions."""
    assert is_validated(levels(10, level), {})
    assert not is_validated(levels(40, level), {})


@pytest.mark.parametrize(
    ("level", "value"),
    [
        ("{properties: {a: {allOf: [R, R]}}}", {"a": {}}),
        ("{additionalProperties: {allOf: [R, R]}}", {"a": {}}),
        ("{patternProperties: {a: {allOf: [R, R]}}}", {"a": {}}),
        ("{items: {allOf: [R, R]}}", [{}]),
        ("{prefixItems: [{allOf: [R, R]}]}", [{}]),
    ],
)
def test_what_is_not_in_the_value_costs_nothing(level: str, value: Any) -> None:
    """The schemas of members multiply only as deep as the value goes."""
    deep = value
    for _ in range(40):
        deep = {"a": deep} if isinstance(value, dict) else [deep]

    assert is_validated(levels(45, level), value)
    assert not is_validated(levels(45, level), deep)


def test_long_chains_and_recursion_are_bearable() -> None:
    """A hundred parts once each are little, and a list of itself is as long as the value."""
    assert is_validated(levels(100, "{allOf: [R]}"), {})
    assert is_validated(
        "components: {schemas: {S: {items: {$ref: '#/components/schemas/S'}}}}", [[[], []], []]
    )


def test_what_is_too_deep_is_not_begun() -> None:
    """Chains around each of many levels would exhaust any stack."""
    value: Any = {}
    for _ in range(140):
        value = {"a": value}
    text = levels(90, "{allOf: [R]}", "{properties: {a: {$ref: '#/components/schemas/S0'}}}")

    assert not is_validated(text, value)


def test_what_cannot_be_validated_is_said_so_at_once() -> None:
    """There is a warning at each example, wherever it stands; the OAS has no rule that would take long."""
    text = levels(60, "{allOf: [R, R]}").replace("S0: {", "S0: {example: {}, ")
    header = "{schema: {$ref: '#/components/schemas/S0'}, example: {}}"
    paths = (
        f"paths: {{/a: {{get: {{responses: {{'200': {{description: OK, headers: {{H: {header}}}}}}}}}}}}}\n"
    )

    found = check_contract(contract(paths + text))

    assert [(finding.rule, finding.level) for finding in found] == [
        ("contract-example-unchecked", "warning"),
        ("contract-example-unchecked", "warning"),
    ]


KINDS = """\
components:
  schemas:
    A: {type: object, required: [kind, part], properties: {kind: {const: A}, part: {$ref: '#/components/schemas/Any'}}}
    B: {type: object, required: [kind, part], properties: {kind: {const: B}, part: {$ref: '#/components/schemas/Any'}}}
    C: {type: object, required: [kind, part], properties: {kind: {const: C}, part: {$ref: '#/components/schemas/Any'}}}
    Any:
      oneOf:
        - {$ref: '#/components/schemas/A'}
        - {$ref: '#/components/schemas/B'}
        - {$ref: '#/components/schemas/C'}
        - {type: integer}
    List: {type: array, items: {$ref: '#/components/schemas/C'}}
"""


def parts_of_parts(levels: int, last: object) -> object:
    """Return a value with a part, which has a part, and so on to the last one."""
    value = last
    for _ in range(levels):
        value = {"kind": "C", "part": value}
    return value


def test_errors_of_unions_in_unions_are_not_collected() -> None:
    """A value nine unions deep is refused without the list of all that is wrong in each branch of each."""
    found = api(KINDS)
    schema = next(schema for schema in found.schemas.values() if schema.name == "Any")
    validator = Validator(found)

    assert is_cheap_to_explain(found, schema, parts_of_parts(3, "x"))
    assert not is_cheap_to_explain(found, schema, parts_of_parts(9, "x"))
    assert [
        issue.message for issue in validator.violations(schema, parts_of_parts(9, "x"), Direction.REQUEST)
    ] == ["the value does not match its schema, in which unions contain each other too often to say why"]
    assert [*validator.violations(schema, parts_of_parts(9, 1), Direction.REQUEST)] == []


def test_a_long_list_is_explained() -> None:
    """What is long, and not nested, has a place for each error."""
    found = api(KINDS)
    schema = next(schema for schema in found.schemas.values() if schema.name == "List")
    value = [{"kind": "C", "part": number} for number in range(10_000)] + [{"kind": "C", "part": "x"}]
    (issue,) = Validator(found).violations(schema, value, Direction.REQUEST)

    assert issue.pointer == ("10000", "part")
