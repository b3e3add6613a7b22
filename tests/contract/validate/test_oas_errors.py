"""What breaks the OAS, in sentences: one for each node at fault, whatever the schemas make of it."""

from textwrap import dedent

import pytest

from devportal.contract.validate.oas_errors import OasError, explain_oas_errors
from devportal.contract.validate.oas_schemas import oas_validator
from devportal.documents import parse_document
from tests.growth import LINEAR, growth

ALL = ("3.0.3", "3.1.0", "3.2.0")


def errors_of(text: str, *, version: str) -> list[tuple[str, str]]:
    """Return place and message of each error in a document, given what follows its first two lines."""
    head = f"openapi: {version}\ninfo: {{title: Test, version: '1'}}\n"
    document = parse_document(head + text, name="api.yaml")
    errors = oas_validator("document", version).iter_errors(document.data)
    places = [
        (document.place(explain_oas_error.pointer), explain_oas_error.message)
        for explain_oas_error in explain_oas_errors(list(errors), "document", version)
    ]
    return [(f"{place.line}:{place.column}", message) for place, message in places]


def of_operation(text: str, *, version: str) -> list[tuple[int, str]]:
    """Return column and message of each fault in the only operation of a document."""
    rows = errors_of(f"paths:\n  /a:\n    get:\n      {text}\n", version=version)
    return [(int(where.removeprefix("6:")) - 6, message) for where, message in rows]


def of_schema(text: str, *, version: str) -> list[tuple[int, str]]:
    """Return column and message of each fault in the only schema of a document."""
    rows = errors_of(f"paths: {{}}\ncomponents:\n  schemas:\n    S:\n      {text}\n", version=version)
    return [(int(where.removeprefix("7:")) - 6, message) for where, message in rows]


@pytest.mark.parametrize("version", ALL)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "{unknown: 1, responses: {4XX: {$ref: a}}}",
            (2, "'unknown' is not a field of this operation"),
        ),
        ("{tags: one, responses: {4XX: {$ref: a}}}", (2, "'tags' must be a list, found 'one'")),
        ("{responses: {}}", (2, "this operation has no response")),
        (
            "{responses: {'20': {description: OK}}}",
            (14, "'20' is not a status"),
        ),
        ("{responses: {'200': {description: [1]}}}", (22, "'description' must be text, found a list")),
        (
            "{responses: {'200': {description: OK, content: x}}}",
            (39, "'content' must be a mapping, found 'x'"),
        ),
        (
            "{parameters: [{name: a, in: query}], responses: {4XX: {$ref: a}}}",
            (15, "this parameter has no 'schema' or 'content'"),
        ),
        (
            "{parameters: [{in: query, schema: {}, content: {a: {}}, name: a}], responses: {4XX: {$ref: a}}}",
            (39, "'schema' and 'content' exclude each other"),
        ),
        (
            "{parameters: [{name: a, in: path, schema: {}}], responses: {4XX: {$ref: a}}}",
            (15, "this parameter has no 'required'"),
        ),
        (
            "{parameters: [{name: a, in: query, content: {a: {}, c: {}}}], responses: {4XX: {$ref: a}}}",
            (36, "expected one member, found 2"),
        ),
        (
            "{requestBody: {}, responses: {4XX: {$ref: a}}}",
            (2, "this request body has no 'content'"),
        ),
        (
            "{externalDocs: {}, responses: {4XX: {$ref: a}}}",
            (2, "this external documentation has no 'url'"),
        ),
    ],
)
def test_a_fault_of_an_operation_is_one_sentence(text: str, expected: tuple[int, str], version: str) -> None:
    """It stands at the node at fault, and says the same in each version."""
    assert of_operation(text, version=version) == [expected]


@pytest.mark.parametrize("version", ALL)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "{properties: {a: {properties: {b: {minLength: x}}}}}",
            (36, "'minLength' must be a whole number, found 'x'"),
        ),
        ("{items: [1]}", (2, "'items' must be a schema, found a list")),
        ("{required: [a, a]}", (2, "this list holds something twice")),
        ("{allOf: {}}", (2, "'allOf' must be a list, found an empty mapping")),
        ("{discriminator: {}}", (2, "this discriminator has no 'propertyName'")),
        ("{discriminator: kind}", (2, "'discriminator' must be a mapping, found 'kind'")),
        ("{additionalProperties: {type: t}}", (25, "'t' is")),
    ],
)
def test_a_fault_of_a_schema_is_one_sentence(text: str, expected: tuple[int, str], version: str) -> None:
    """It is told at any depth, although schemas may be references everywhere."""
    (row,) = of_schema(text, version=version)

    assert (row[0], row[1].partition(" none of")[0]) == expected


@pytest.mark.parametrize("version", ALL)
def test_a_schema_of_a_security_scheme_is_that_of_its_type(version: str) -> None:
    """Of its forms the one that is meant is told; without a type only that it has none."""
    text = """\
        paths: {}
        components:
          securitySchemes:
            odd: {type: apikey}
            none: {}
            key: {type: apiKey, in: header}
            http: {type: http}
            oauth: {type: oauth2, flows: {implicit: {authorizationUrl: a}}}
        """
    rows = errors_of(dedent(text), version=version)

    assert [(where, message.partition(" none of")[0]) for where, message in rows] == [
        ("6:11", "'apikey' is"),
        ("7:5", "this security scheme has no 'type'"),
        ("8:5", "this security scheme has no 'name'"),
        ("9:5", "this security scheme has no 'scheme'"),
        ("10:35", "this flow has no 'scopes'"),
    ]


@pytest.mark.parametrize("version", ALL)
def test_a_value_is_quoted_and_cut(version: str) -> None:
    """Of what is large only the kind is told, and no message has a second line."""
    text = "x" * 100
    rows = errors_of(
        f"servers: [{text}]\npaths: {{/a: {text}, {text}: 1}}\ntags: {{a: [1]}}\n", version=version
    )

    assert len(rows) == 4
    assert all(len(message) < 100 and "\n" not in message for _, message in rows)


@pytest.mark.parametrize("version", ALL)
def test_what_follows_from_another_fault_is_not_told(version: str) -> None:
    """A field whose value is wrong is known all the same, and what is no mapping lacks nothing."""
    text = (
        "paths: {/a: {get: {responses: {'200': {description: 1}}, parameters: [x, {in: query, name: []}]}}}\n"
    )

    assert [message for _, message in sorted(errors_of(text, version=version))] == [
        "'description' must be text, found 1",
        "expected a mapping, found 'x'",
        "this parameter has no 'schema' or 'content'",
        "'name' must be text, found an empty list",
    ]


def test_an_extension_beside_a_reference_needs_no_other_name() -> None:
    """A Reference Object cannot be extended (OAS 3.1.0 §4.8.23)."""
    rows = of_operation("{parameters: [{$ref: a, x-odd: 1}], responses: {4XX: {$ref: a}}}", version="3.1.0")

    assert [message for _, message in rows] == [
        "'x-odd' is not allowed next to the '$ref' of this parameter, where OAS ignores it"
    ]


def test_what_stands_beside_a_reference_is_named_with_it() -> None:
    """The reference is why the field is not allowed."""
    rows = of_operation(
        "{parameters: [{$ref: a, required: true}], responses: {4XX: {$ref: a}}}", version="3.1.0"
    )

    assert rows == [
        (25, "'required' is not allowed next to the '$ref' of this parameter, where OAS ignores it")
    ]


@pytest.mark.parametrize("version", ["3.1.0", "3.2.0"])
def test_a_path_item_may_have_fields_beside_its_reference(version: str) -> None:
    """OAS lets them stand together (OAS 3.1.1 §4.8.9), but knows no others than elsewhere."""
    rows = errors_of("paths: {/a: {$ref: b, summary: A, servers: [], odd: 1}}\n", version=version)

    assert [message for _, message in rows] == ["'odd' is not a field of this path item"]


@pytest.mark.parametrize("version", ALL)
def test_a_parameter_of_a_link_may_have_any_constant(version: str) -> None:
    """`Map[string, Any | {expression}]` (OAS 3.0.3 §4.7.20, 3.1.1 §4.8.20); the parameters are a mapping."""
    link = "{responses: {'200': {description: A, links: {l: {operationId: a, parameters: %s}}}}}"

    assert (
        of_operation(link % "{page: 1, all: true, tags: [a], id: $response.body#/id}", version=version) == []
    )
    assert of_operation(link % "[page]", version=version) != []


def test_a_field_of_another_version_is_told_as_such() -> None:
    """Its author knows that it exists."""
    rows = of_schema("{const: 1}", version="3.0.3")

    assert rows == [(2, "'const' of this schema was added in OAS 3.1 and has no effect in OAS 3.0")]


def test_many_faults_cost_no_more_than_each_of_them() -> None:
    """A mistake that is repeated in each schema of a large contract is told at each."""

    def errors_of_schemas(schemas: int) -> list[OasError]:
        wrong = {f"S{number}": {"type": 1, "unknown": 1} for number in range(schemas)}
        data = {"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {}}
        errors = oas_validator("document", "3.0.3").iter_errors({**data, "components": {"schemas": wrong}})
        return list(explain_oas_errors(list(errors), "document", "3.0.3"))

    assert len({error.pointer for error in errors_of_schemas(200)}) >= 200
    assert growth(errors_of_schemas, 200) < LINEAR
