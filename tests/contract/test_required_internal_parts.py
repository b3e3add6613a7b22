"""What is required of callers and internal is told: they cannot know it, and no comparison shows it."""

import pytest

from devportal.contract.internal.required_parts import (
    check_internal_bodies,
    check_required_internal_parts,
)
from devportal.contract.validate.check import check_contract
from devportal.findings import Level
from tests.contract.inline import contract

OK = "responses: {'200': {description: OK}}"
SECRET = "type: object, required: [name, key], properties: {name: {type: string}, key: {x-internal: true}}"


def messages_of(text: str) -> list[str]:
    """Return the messages about a contract."""
    return [internal_part.message for internal_part in check_required_internal_parts(contract(text))]


def of_schema(schema: str) -> list[str]:
    """Return the messages about an operation that is sent a schema."""
    body = f"requestBody: {{content: {{application/json: {{schema: {{{schema}}}}}}}}}"
    return messages_of(f"paths: {{/a: {{post: {{{body}, {OK}}}}}}}\n")


def test_required_property() -> None:
    """It is told where it is required, as a warning among all findings of a contract."""
    read = contract(f"""\
        paths:
          /a:
            post:
              requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/New'}}}}}}}}
              {OK}
        components:
          schemas:
            New:
              type: object
              required: [name, key]
              properties: {{name: {{type: string}}, key: {{type: string, x-internal: true}}}}
        """)

    (found,) = check_required_internal_parts(read)

    assert found.message == "the property 'key' is required, and internal: callers cannot know it"
    assert (found.level, str(found.place)) == (Level.WARNING, "api.yaml:12:24")
    assert found in check_contract(read)


@pytest.mark.parametrize(
    "schema",
    [
        SECRET,
        f"type: array, items: {{{SECRET}}}",
        f"type: object, properties: {{deep: {{{SECRET}}}}}",
        f"oneOf: [{{type: string}}, {{{SECRET}}}]",
        "allOf: [{required: [key]}, {type: object, properties: {key: {x-internal: true}}}]",
    ],
)
def test_required_property_of_a_part(schema: str) -> None:
    """Wherever it stands in what is sent, and whichever part requires it."""
    assert of_schema(schema) == ["the property 'key' is required, and internal: callers cannot know it"]


@pytest.mark.parametrize(
    "schema",
    [
        SECRET.replace("name, key", "name"),
        SECRET.replace("x-internal: true", "x-internal: false"),
        SECRET.replace("x-internal: true", "x-internal: true, readOnly: true"),
        f"not: {{{SECRET}}}",
        f"type: object, properties: {{deep: {{x-internal: true, {SECRET}}}}}",
    ],
)
def test_what_callers_need_not_know(schema: str) -> None:
    """What is optional, public, only read, or within what is internal itself asks nothing of them."""
    assert of_schema(schema) == []


@pytest.mark.parametrize(
    ("parameter", "is_told"),
    [
        ("{name: key, in: query, required: true, x-internal: true, schema: {}}", True),
        ("{$ref: '#/components/parameters/Key'}", True),
        ("{name: key, in: query, x-internal: true, schema: {}}", False),
        ("{name: key, in: query, required: true, schema: {}}", False),
        ("{$ref: '#/components/parameters/Nowhere'}", False),
    ],
)
@pytest.mark.parametrize(
    "place", ["{{parameters: [{0}], get: {{{1}}}}}", "{{get: {{parameters: [{0}], {1}}}}}"]
)
def test_required_parameter(parameter: str, place: str, *, is_told: bool) -> None:
    """Of an operation or of all under a path, written there or among the components."""
    item = place.format(parameter, OK)
    key = "{name: key, in: header, required: true, x-internal: true, schema: {}}"
    components = f"components: {{parameters: {{Key: {key}}}}}\n"

    found = messages_of(f"paths: {{/a: {item}}}\n{components}")

    said = "the parameter 'key' is required, and internal: callers cannot know it"
    assert found == ([said] if is_told else [])


def test_parameter_of_the_path_is_told_otherwise() -> None:
    """That the path names what is not declared is an error of its own."""
    text = (
        "paths: {'/a/{key}': {get: {parameters: [{name: key, in: path, required: true, x-internal: true, "
        f"schema: {{}}}}], {OK}}}}}}}\n"
    )

    assert messages_of(text) == []
    assert "contract-path-parameter" in [finding.rule for finding in check_contract(contract(text))]


def test_what_is_answered_or_sent_to_callers_asks_nothing() -> None:
    """Nobody has to send the parts of a response, of an event, or of an operation that is internal."""
    content = f"content: {{application/json: {{schema: {{{SECRET}}}}}}}"
    text = f"""\
paths:
  /a: {{get: {{responses: {{'200': {{description: OK, {content}}}}}}}}}
  /b: {{post: {{x-internal: true, requestBody: {{{content}}}, {OK}}}}}
webhooks:
  sent: {{post: {{requestBody: {{{content}}}, {OK}}}}}
"""

    assert messages_of(text) == []


BODIES = """\
    paths:
      /a:
        post:
          requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Shown'}}}}
          responses:
            '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Hidden'}}}}
            '404': {$ref: '#/components/responses/Missing'}
      /b:
        x-internal: true
        get:
          responses:
            '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Hidden'}}}}
    components:
      responses:
        Missing: {description: No, content: {application/json: {schema: {x-internal: true, type: object}}}}
        Unused: {description: No, content: {application/json: {schema: {$ref: '#/components/schemas/Hidden'}}}}
      schemas:
        Shown: {type: object, properties: {hidden: {$ref: '#/components/schemas/Hidden'}}}
        Hidden: {x-internal: true, type: object, properties: {name: {type: string}}}
    """


def test_bodies_of_which_readers_see_nothing() -> None:
    """A whole body that is internal is reported where a public operation refers to it, a hidden property is not."""
    read = contract(BODIES)

    found = [*check_internal_bodies(read)]

    assert [str(item.place) for item in found] == ["api.yaml:8:63", "api.yaml:17:61"]
    assert {item.message for item in found} == {
        "the schema of this body is internal: readers see none of its fields"
    }
    assert {*found} <= {*check_contract(read)}


def test_bodies_of_a_contract_without_internal_parts() -> None:
    assert [*check_internal_bodies(contract(BODIES.replace("x-internal: true", "deprecated: false")))] == []
