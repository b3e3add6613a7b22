"""Examples as requests and responses carry them."""

import pytest

from devportal.contract import check_contract
from devportal.contract.validate.json_schema import Direction, may_hide_properties
from devportal.contract.values.synthesis import synthesise
from tests.contract.inline import contract

SCHEMAS = """\
components:
  schemas:
    Account:
      type: object
      properties:
        id: {type: string, readOnly: true}
        name: {type: string}
        password: {type: string, writeOnly: true}
        parts: {type: array, items: {type: object, properties: {made: {type: string, readOnly: true}}}}
"""
PATHS = """\
paths:
  /accounts:
    post:
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Account'}
            example: EXAMPLE
      responses:
        '200':
          description: OK
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Account'}
              example: EXAMPLE
"""


def carried_examples(example: str) -> list[object]:
    """Return the values of an example of a request and of a response."""
    operation = contract(PATHS.replace("EXAMPLE", example) + SCHEMAS).api.operations[0]
    assert operation.request_body is not None
    return [
        content[0].examples[0].value
        for content in (operation.request_body.content, operation.responses[0].content)
    ]


def findings_of(text: str) -> list[tuple[str, str]]:
    """Return rule and message of each problem that a check finds."""
    return [(finding.rule, finding.message) for finding in check_contract(contract(text))]


def test_examples_have_no_members_of_the_other_direction() -> None:
    """A request carries no `readOnly` member and a response no `writeOnly` one, at any depth."""
    request, response = carried_examples("{id: i, name: n, password: p, parts: [{made: m, size: 1}]}")

    assert request == {"name": "n", "password": "p", "parts": [{"size": 1}]}
    assert response == {"id": "i", "name": "n", "parts": [{"made": "m", "size": 1}]}


def test_examples_of_schemas_have_no_members_of_the_other_direction() -> None:
    """A value made from a schema's own example follows the same rule."""
    text = SCHEMAS + "      example: {id: i, name: n, password: p}\n"
    schema = next(schema for schema in contract(text).api.schemas.values() if schema.name == "Account")
    api = contract(text).api

    assert synthesise(api, schema, Direction.REQUEST) == {"name": "n", "password": "p"}
    assert synthesise(api, schema, Direction.RESPONSE) == {"id": "i", "name": "n"}


def test_a_member_that_one_alternative_shows_stays() -> None:
    """A property is left out if every branch of a union that has it hides it."""
    branches = "{oneOf: [{properties: {a: {readOnly: true}, b: {readOnly: true}}}, {properties: {a: {type: string}}}]}"
    text = PATHS.replace("{$ref: '#/components/schemas/Account'}", branches).replace(
        "EXAMPLE", "{a: x, b: y}"
    )
    body = contract(text).api.operations[0].request_body

    assert body is not None
    assert body.content[0].examples[0].value == {"a": "x"}


def test_members_that_are_left_out_are_noted() -> None:
    """A check names them once for requests and once for responses."""
    whole = "{id: i, password: p}"

    assert findings_of(PATHS.replace("EXAMPLE", whole) + SCHEMAS) == [
        (
            "contract-example-hidden",
            "this example has 'id', which is readOnly: it is shown without it in requests",
        ),
        (
            "contract-example-hidden",
            "this example has 'password', which is writeOnly: it is shown without it in responses",
        ),
    ]
    assert findings_of(PATHS.replace("EXAMPLE", "{name: n}") + SCHEMAS) == []


def test_json_in_a_text_is_read() -> None:
    """An example that is JSON as text, of a schema without text, is one problem and shown as JSON."""
    text = PATHS.replace("EXAMPLE", """'{"name": 1, "parts": 2}'""", 1).replace("EXAMPLE", "{name: n}")
    read = contract(text + SCHEMAS)
    body = read.api.operations[0].request_body

    assert body is not None
    assert body.content[0].examples[0].value == {"name": 1, "parts": 2}
    assert [finding.rule for finding in check_contract(read)] == ["contract-example"]


@pytest.mark.parametrize(
    ("marks", "has_read_only", "has_write_only"),
    [
        ("", False, False),
        ("readOnly: true", True, False),
        ("writeOnly: true", False, True),
        ('"write\\x4fnly": true', False, True),
    ],
)
def test_what_a_contract_may_hide_is_known(marks: str, has_read_only: bool, has_write_only: bool) -> None:  # noqa: FBT001
    """However its keys are written: what is in no contract is looked for in no example."""
    api = contract(f"components: {{schemas: {{S: {{properties: {{a: {{{marks}}}}}}}}}}}").api

    assert (api.has_read_only, api.has_write_only) == (has_read_only, has_write_only)
    assert may_hide_properties(api, Direction.REQUEST) is has_read_only
    assert may_hide_properties(api, Direction.RESPONSE) is has_write_only


def test_json_in_a_text_is_read_where_nothing_is_hidden() -> None:
    """At any depth of an example, in a contract without `readOnly` and `writeOnly`."""
    schema = "{type: array, items: {type: object, properties: {part: {type: object}}}}"
    text = PATHS.replace("{$ref: '#/components/schemas/Account'}", schema)
    body = contract(text.replace("EXAMPLE", """[{"part": ' {"size": 1}'}]""")).api.operations[0].request_body

    assert body is not None
    assert body.content[0].examples[0].value == [{"part": {"size": 1}}]
