"""Common mistakes of hand-written and generated contracts: the help says what to write instead."""

import pytest

from devportal.contract import check_contract
from tests.contract.inline import contract

RESPONSES = "responses: {'200': {description: OK}}"


def helps(text: str, *, version: str) -> list[str]:
    """Return the help of each error, and of each warning about an unknown field."""
    found = check_contract(contract(text, version=version))
    return [item.help for item in found if item.level == "error" or item.rule == "contract-unknown"]


def of_operation(text: str) -> str:
    """Return a contract with one operation."""
    return f"paths: {{/a: {{get: {{{text}}}}}}}\n"


def of_schema(text: str) -> str:
    """Return a contract with one schema."""
    return f"components: {{schemas: {{S: {text}}}}}\n"


def of_parameter(text: str) -> str:
    """Return a contract with one parameter of an operation."""
    return of_operation(f"{RESPONSES}, parameters: [{{name: p, {text}}}]")


@pytest.mark.parametrize(
    ("text", "help_text"),
    [
        (f"paths: {{}}\n/a: {{get: {{{RESPONSES}}}}}\n", "indent it, below 'paths'"),
        (f"paths: {{}}\nget: {{{RESPONSES}}}\n", "remove it, or give it a name with 'x-'"),
        ("paths: {get: {}}\n", "indent it, below its path"),
        (f"paths: {{orders: {{get: {{{RESPONSES}}}}}}}\n", "a path starts with '/': '/orders'"),
        ("paths: {}\nschemas: {S: {type: string}}\n", "move it below 'components'"),
        (
            f"paths: {{/a: {{operationId: a, get: {{{RESPONSES}}}}}}}\n",
            "move it below a method, such as 'get'",
        ),
        (of_operation(f"{RESPONSES}, '404': {{description: No}}"), "move it below 'responses'"),
        (of_operation("responses: {2xx: {description: OK}}"), "write '2XX'"),
        (
            of_operation("responses: {'200': {description: OK, schema: {type: string}}}"),
            "move it below a media type of 'content', such as 'application/json'",
        ),
        (
            of_operation("responses: {'200': {description: OK, application/json: {schema: {type: string}}}}"),
            "move it below 'content'",
        ),
        (of_parameter("in: query, schema: {}, enum: [a]"), "move it below 'schema'"),
        (of_parameter("in: place, schema: {}"), "'in' is one of path, query, header, cookie"),
        (
            of_parameter("in: body, schema: {}"),
            "describe it under 'requestBody' of the operation: it is not a parameter in OpenAPI 3",
        ),
        (
            "paths: {'/{p}': {get: {parameters: [{name: p, in: path, schema: {}}]}}}\n",
            "add 'required: true': no request can leave out a part of its path",
        ),
        (
            of_schema("{properties: {a: {required: true}}}"),
            "write 'required: [a]' next to the 'properties' around it",
        ),
        (of_schema("{properties: {a: {required: false}}}"), "remove it"),
        (of_schema("{required: true}"), "list the names of the properties that are required"),
        (of_schema("{properties: {a: {$ref: S}}}"), "did you mean '#/components/schemas/S'?"),
        (
            of_schema("{type: object, a: {type: string}}"),
            "if it is a property, move it below 'properties'; else remove it, or give it a name with 'x-'",
        ),
        (
            of_schema("{type: [string, 'null']}"),
            "write 'type: string' and 'nullable: true': lists of types came with OAS 3.1",
        ),
        (
            of_schema("{type: [string, integer]}"),
            "write an 'anyOf' of schemas with one type each: lists of types came with OAS 3.1",
        ),
        (of_schema("{type: file}"), "write 'type: string' and 'format: binary'"),
        (of_schema("{type: Date}"), "write 'type: string' and 'format: date'"),
        (of_schema("{type: long}"), "write 'type: integer' and 'format: int64'"),
        (of_schema("{type: bool}"), "write 'type: boolean'"),
        (of_schema("{type: any}"), "remove it: without a type, any value is allowed"),
        (of_schema("{type: Strnig}"), "did you mean 'string'?"),
        (of_schema("{type: colour}"), "one of array, boolean, integer, number, object, string"),
        ("paths: {/a: }\n", "write a mapping; if it is the next lines, indent them"),
    ],
)
def test_the_help_says_what_was_meant(text: str, help_text: str) -> None:
    """Fields in the wrong object, words of other languages and of Swagger 2.0 are what authors write most."""
    assert help_text in helps(text, version="3.0.3")


def test_a_bound_is_exclusive_by_its_value_from_3_1_on() -> None:
    """`true` was the form of 3.0."""
    found = helps(of_schema("{type: integer, minimum: 1, exclusiveMinimum: true}"), version="3.1.0")

    assert found == ["write its bound here, in place of 'minimum': 'exclusiveMinimum: 10'"]


def test_a_path_outside_paths_is_one_finding() -> None:
    """Its operations are not read, so a build must not succeed."""
    read = contract(f"paths: {{}}\n/a: {{get: {{{RESPONSES}}}}}\n", version="3.0.3")

    assert [(found.rule, found.place.line) for found in read.findings if found.level == "error"] == [
        ("contract-shape", 4)
    ]
    assert [found.rule for found in check_contract(read) if found.place.line == 4] == ["contract-shape"]
