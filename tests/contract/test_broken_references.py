"""Parts behind references that cannot be followed stay in the model, with what is known of them."""

import pytest

from devportal.contract import Api, Operation, ParameterLocation, Schema
from devportal.contract.read.references import name_from_reference
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.synthesis import synthesise
from tests.contract.inline import contract

OK = "responses: {'200': {description: OK}}"
NOTE = "The contract describes this elsewhere, but its reference `{}` cannot be followed."


def operation(text: str, *, path: str = "/a", version: str = "3.1.0") -> Operation:
    """Return the operation with these members, of a contract in which something is wrong."""
    read = contract(f"paths: {{'{path}': {{get: {{{text}}}}}}}\n", version=version)
    assert read.findings
    return read.api.operations[0]


def api_and_schema(text: str, *, version: str = "3.1.0") -> tuple[Api, Schema]:
    """Return the model with this schema `S`, and the schema."""
    read = contract(f"components: {{schemas: {{S: {text}}}}}\n", version=version).api
    return read, next(schema for schema in read.schemas.values() if schema.name == "S")


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_a_response_keeps_its_status(version: str) -> None:
    """A page tells each status, and why it tells no more of one."""
    found = operation(
        "responses: {'200': {description: OK}, '404': {$ref: '#/nothing'}, 5XX: {$ref: 'https://a/b'}}",
        version=version,
    ).responses

    assert [(response.status, response.broken, response.description) for response in found] == [
        ("200", "", "OK"),
        ("404", "#/nothing", NOTE.format("#/nothing")),
        ("5XX", "https://a/b", NOTE.format("https://a/b")),
    ]


def test_what_is_no_mapping_keeps_its_name() -> None:
    """`'204':` with nothing behind it is a response, a header and a media type all the same."""
    found = operation(
        "responses: {'204': , '200': {description: OK, headers: {X-A: }, content: {text/csv: }}}"
    ).responses

    assert [(response.status, response.broken) for response in found] == [("200", ""), ("204", "")]
    assert [header.name for header in found[0].headers] == ["X-A"]
    assert [(media_type.name, media_type.schema) for media_type in found[0].content] == [("text/csv", None)]


def test_a_header_keeps_its_name() -> None:
    """It is there, with a note in place of its description."""
    response = "{description: OK, headers: {X-A: {$ref: '#/nothing'}}}"
    (found,) = operation(f"responses: {{'200': {response}}}").responses[0].headers

    assert (found.name, found.broken, found.description) == ("X-A", "#/nothing", NOTE.format("#/nothing"))


def test_a_request_body_is_not_lost() -> None:
    """An operation whose body cannot be read still has one."""
    found = operation(f"requestBody: {{$ref: 'bodies.yaml'}}, {OK}").request_body

    assert found is not None
    assert (found.broken, found.description, found.content) == (
        "bodies.yaml",
        NOTE.format("bodies.yaml"),
        (),
    )


def test_a_media_type_has_the_schema_that_was_meant() -> None:
    """From OAS 3.2 on a media type may be a reference."""
    media = "{a/json: {$ref: '#/components/mediaTypes/Pet'}}"
    (found,) = (
        operation(f"responses: {{'200': {{description: OK, content: {media}}}}}", version="3.2.0")
        .responses[0]
        .content
    )

    assert found.schema is not None
    assert (found.name, found.schema.name, found.schema.broken) == (
        "a/json",
        "Pet",
        "#/components/mediaTypes/Pet",
    )


def test_a_parameter_has_the_name_of_its_component() -> None:
    """Nothing says where it travels, and its description says just that."""
    (found,) = operation(f"parameters: [{{$ref: '#/components/parameters/Limit'}}], {OK}").parameters

    assert (found.name, found.broken) == ("Limit", "#/components/parameters/Limit")
    assert found.description.endswith("It may as well travel in a header or a cookie.")
    assert not found.required


def test_a_parameter_that_the_path_names_is_that_one() -> None:
    """A path tells the name that only its spelling in the components differs from."""
    text = "parameters: [{$ref: '#/components/parameters/UserId'}, {$ref: '#/a/id'}, {name: id, in: path}]"
    found = operation(f"{text}, {OK}", path="/users/{user_id}/{id}").parameters

    assert [(parameter.name, parameter.location_in, bool(parameter.broken)) for parameter in found] == [
        ("user_id", ParameterLocation.PATH, True),
        ("id", ParameterLocation.QUERY, True),
        ("id", ParameterLocation.PATH, False),
    ]
    assert found[0].required
    assert found[0].description == NOTE.format("#/components/parameters/UserId")


def test_operations_beside_a_broken_reference_are_read() -> None:
    """A path item loses only what it refers to; so does an event."""
    read = contract(f"""\
        paths: {{/a: {{$ref: a.yaml, get: {{{OK}}}}}}}
        webhooks: {{w: {{$ref: w.yaml, post: {{{OK}}}}}}}
        """).api

    assert [item.method for item in read.operations] == ["GET"]
    assert [webhook.name for webhook in read.webhooks] == ["w"]


def test_a_security_scheme_is_still_declared() -> None:
    """An operation that asks for it is no error of its own."""
    (found,) = contract("components: {securitySchemes: {key: {$ref: '#/nothing'}}}\n").api.security_schemes

    assert (found.name, found.kind, found.description) == ("key", "", NOTE.format("#/nothing"))


def test_what_is_internal_does_not_stay() -> None:
    """A mark beside the reference, or on the way, counts whatever the end is."""
    read = contract(
        """\
        paths:
          /a:
            get:
              responses:
                '200': {description: OK}
                '400': {x-internal: true, $ref: '#/nothing'}
                '500': {$ref: '#/components/responses/Hidden'}
        components: {responses: {Hidden: {x-internal: true, $ref: '#/nothing'}}}
        """
    )

    assert [response.status for response in read.api.operations[0].responses] == ["200"]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_a_schema_has_the_name_that_was_meant(version: str) -> None:
    """A field of a missing type is called so; a component keeps its own name."""
    read, schema = api_and_schema("{properties: {pet: {$ref: '#/components/schemas/Pet'}}}", version=version)
    field = schema.properties[0].schema
    _, component = api_and_schema("{$ref: 'pet.yaml#/Pet'}", version=version)

    assert (field.name, field.broken, field.ref) == ("Pet", "#/components/schemas/Pet", None)
    assert (component.name, component.broken) == ("S", "pet.yaml#/Pet")
    assert read.resolve(field) == field


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("{required: [pet, id], properties: {pet: {$ref: '#/no'}, id: {type: integer}}}", {"id": 123}),
        ("{properties: {pet: {$ref: '#/no', examples: [{id: 1}]}}}", {"pet": {"id": 1}}),
        ("{type: array, items: {$ref: '#/no'}}", []),
        ("{oneOf: [{$ref: '#/no'}, {type: string}]}", "string"),
        ("{allOf: [{$ref: '#/no'}, {properties: {id: {type: integer}}}]}", {"id": 123}),
        ("{additionalProperties: {$ref: '#/no'}}", {}),
    ],
)
def test_an_example_tells_nothing_of_what_is_unknown(text: str, example: object) -> None:
    """It is left out, even where it is required: any value would be made up."""
    read, schema = api_and_schema(text)

    assert synthesise(read, schema, Direction.RESPONSE) == example


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("#/components/schemas/Pet", "Pet"),
        ("#/components/schemas/a~1b%20c", "a/b c"),
        ("schemas/Pet.yaml", "Pet"),
        ("schemas/Pet.v1.json#", "Pet"),
        ("common.yaml#/Pet", "Pet"),
        ("#Pet", "Pet"),
        ("common.yaml#/", "common"),
        ("https://example.com/Pet", "Pet"),
        ("http://[", "["),
        (" ", "unknown"),
    ],
)
def test_a_reference_tells_what_it_means(reference: str, name: str) -> None:
    """The last word of a reference is the name, whatever its form; there always is one."""
    assert name_from_reference(reference) == name
