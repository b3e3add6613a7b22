"""Swagger 2.0 is read as OpenAPI 3.0.3, and findings stay where the file has what they are about."""

import json
from textwrap import dedent
from typing import Any

import yaml
from hypothesis import given, settings

from devportal.contract import Contract, read_contract
from devportal.contract.validate.check import check_contract
from devportal.documents import parse_document
from devportal.errors import PortalError
from tests.mutations import mutants

HEAD = """\
swagger: '2.0'
info: {title: Kennel, version: '1'}
"""


def read(text: str) -> Contract:
    """Return a contract: head and text."""
    return read_contract(parse_document(HEAD + dedent(text), name="api.yaml"))


def data(text: str) -> dict[str, Any]:
    """Return the converted document of a contract in which nothing is wrong."""
    contract = read(text)
    assert {finding.rule for finding in check_contract(contract)} <= {"contract-swagger", "contract-unused"}
    (document,) = contract.source.documents().values()
    return dict(document.data)


def problems(text: str) -> list[tuple[str, str]]:
    """Return place and message of what cannot be converted."""
    found = (finding for finding in read(text).findings if finding.rule == "contract-swagger")
    return [(str(finding.place), finding.message) for finding in found][1:]


def operation(text: str, more: str = "") -> dict[str, Any]:
    """Return the converted `POST /dogs`, given what stands under it, and on the top level."""
    lines = "".join(f"      {line}\n" for line in dedent(text).splitlines())
    found = data(
        f"{dedent(more)}paths:\n  /dogs:\n    post:\n{lines}      responses: {{'204': {{description: Done}}}}\n"
    )
    return dict(found["paths"]["/dogs"]["post"])


def test_a_note_says_how_it_is_read() -> None:
    """With the version, at the key."""
    (finding,) = read("paths: {/dogs: {get: {responses: {'204': {description: None}}}}}\n").findings

    assert (finding.rule, finding.level, str(finding.place)) == ("contract-swagger", "note", "api.yaml:1:1")
    assert read("paths: {/a: {get: {responses: {'204': {description: N}}}}}\n").api.openapi == "3.0.3"


def test_host_base_path_and_schemes_become_servers() -> None:
    """The encrypted one first; of an operation too. Without a host, the path is relative to the file."""
    whole = data(
        """\
        host: api.example.com
        basePath: /v1
        schemes: [http, https]
        paths:
          /dogs:
            get: {schemes: [wss], responses: {'204': {description: None}}}
        """
    )

    assert [server["url"] for server in whole["servers"]] == [
        "https://api.example.com/v1",
        "http://api.example.com/v1",
    ]
    assert whole["paths"]["/dogs"]["get"]["servers"] == [{"url": "wss://api.example.com/v1"}]
    paths = "paths: {/a: {get: {responses: {'204': {description: N}}}}}\n"
    assert data(f"basePath: /v1\n{paths}")["servers"] == [{"url": "/v1"}]
    assert data(f"host: h.example\nbasePath: /\n{paths}")["servers"] == [{"url": "https://h.example"}]
    assert "servers" not in data(paths)


def test_a_body_has_the_media_types_of_its_operation() -> None:
    """Else those of the API, else JSON; a form is no type of a body."""
    body = "parameters: [{in: body, name: dog, description: D, required: true, schema: {type: object}}]\n"

    assert operation(body)["requestBody"] == {
        "description": "D",
        "required": True,
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
    own = operation(f"consumes: [application/xml]\n{body}", "consumes: [application/json]\n")
    assert list(own["requestBody"]["content"]) == ["application/xml"]
    general = operation(body, "consumes: [application/json, multipart/form-data, text/json]\n")
    assert list(general["requestBody"]["content"]) == ["application/json", "text/json"]


def test_fields_of_a_form_become_one_object() -> None:
    """With files it is multipart; lists say how they are written."""
    form = """\
    consumes: [application/x-www-form-urlencoded, multipart/form-data]
    parameters:
      - {in: formData, name: name, type: string, required: true, description: The name}
      - {in: formData, name: tags, type: array, items: {type: string}, collectionFormat: multi}
    """
    body = operation(form)["requestBody"]

    assert list(body["content"]) == ["application/x-www-form-urlencoded", "multipart/form-data"]
    assert body["content"]["multipart/form-data"] == {
        "schema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "The name"},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["name"],
        },
        "encoding": {"tags": {"style": "form", "explode": True}},
    }
    photo = operation(f"{dedent(form)}  - {{in: formData, name: photo, type: file}}\n")["requestBody"][
        "content"
    ]
    assert list(photo) == ["multipart/form-data"]
    photo_schema = photo["multipart/form-data"]["schema"]["properties"]["photo"]
    assert photo_schema == {"type": "string", "format": "binary"}


def test_values_of_parameters_become_schemas() -> None:
    """What says how a list is written has other words."""
    found = operation(
        """\
        parameters:
          - {in: query, name: a, type: integer, minimum: 1, exclusiveMinimum: true, default: 2, allowEmptyValue: true}
          - {in: query, name: b, type: array, items: {type: string}}
          - {in: query, name: c, type: array, items: {type: string}, collectionFormat: ssv}
          - {in: query, name: d, type: array, items: {type: string}, collectionFormat: pipes}
          - {in: header, name: E, type: array, items: {type: string, enum: [x]}, x-nullable: true}
        """
    )["parameters"]

    assert found[0] == {
        "in": "query",
        "name": "a",
        "allowEmptyValue": True,
        "schema": {"type": "integer", "default": 2, "minimum": 1, "exclusiveMinimum": True},
    }
    assert [(item["style"], item.get("explode")) for item in found[1:]] == [
        ("form", False),
        ("spaceDelimited", False),
        ("pipeDelimited", False),
        ("simple", None),
    ]
    assert found[4]["schema"] == {
        "type": "array",
        "items": {"type": "string", "enum": ["x"]},
        "nullable": True,
    }


def test_names_of_enumerated_values_go_with_them() -> None:
    """Generators of contracts write them beside the `enum`, which a parameter itself has in 2.0."""
    (sort, marks) = operation(
        """\
        parameters:
          - {in: query, name: sort, type: integer, enum: [1, 2], x-enum-varnames: [UP, DOWN]}
          - {in: query, name: mark, type: array, items: {type: string, enum: [a], x-enumNames: [Low]}}
        """
    )["parameters"]

    assert sort["schema"] == {"type": "integer", "enum": [1, 2], "x-enum-varnames": ["UP", "DOWN"]}
    assert sort.keys() == {"in", "name", "schema"}
    assert marks["schema"]["items"] == {"type": "string", "enum": ["a"], "x-enumNames": ["Low"]}


def test_responses_have_media_types_headers_and_examples() -> None:
    """An example may be of a media type that nothing else names."""
    text = """\
    produces: [application/json]
    paths:
      /dogs:
        get:
          responses:
            '200':
              description: Dogs
              schema: {$ref: '#/definitions/Dog'}
              headers: {X-Total: {type: integer, description: All}}
              examples: {application/json: {kind: a}, application/xml: <dog/>}
            '404': {$ref: '#/responses/Missing'}
            default: {description: File, schema: {type: file}}
    responses:
      Missing: {description: Missing, schema: {type: string}}
    definitions:
      Dog:
        type: object
        discriminator: kind
        required: [kind]
        properties: {kind: {type: string}, name: {type: string, x-nullable: true, readOnly: true}}
    """
    whole = data(text)
    responses = whole["paths"]["/dogs"]["get"]["responses"]

    dog = {"$ref": "#/components/schemas/Dog"}
    assert responses["200"]["content"] == {
        "application/json": {"schema": dog, "example": {"kind": "a"}},
        "application/xml": {"schema": dog, "example": "<dog/>"},
    }
    assert responses["200"]["headers"] == {"X-Total": {"schema": {"type": "integer"}, "description": "All"}}
    assert responses["404"] == {"$ref": "#/components/responses/Missing"}
    assert responses["default"]["content"]["application/json"]["schema"] == {
        "type": "string",
        "format": "binary",
    }
    schema = whole["components"]["schemas"]["Dog"]
    assert schema["discriminator"] == {"propertyName": "kind"}
    assert schema["properties"]["name"] == {"type": "string", "readOnly": True, "nullable": True}


def test_shared_parameters_are_referred_to_or_written_out() -> None:
    """Bodies and fields of forms are no parameters any more; those of the path item hold for its operations."""
    whole = data(
        """\
        paths:
          /dogs/{id}:
            parameters: [{$ref: '#/parameters/id'}, {$ref: '#/parameters/dog'}]
            put: {responses: {'204': {description: Done}}}
            delete:
              parameters: [{in: body, name: other, schema: {type: integer}}]
              responses: {'204': {description: Done}}
        parameters:
          id: {in: path, name: id, required: true, type: string}
          dog: {in: body, name: dog, schema: {type: object}}
        """
    )
    item = whole["paths"]["/dogs/{id}"]

    assert item["parameters"] == [{"$ref": "#/components/parameters/id"}]
    assert list(whole["components"]["parameters"]) == ["id"]
    schemas = [
        item[value]["requestBody"]["content"]["application/json"]["schema"] for value in ("put", "delete")
    ]
    assert schemas == [{"type": "object"}, {"type": "integer"}]


def test_security_definitions_become_schemes() -> None:
    """The flows of OAuth have other names."""
    whole = data(
        """\
        paths: {/a: {get: {security: [{o: [read]}], responses: {'204': {description: N}}}}}
        securityDefinitions:
          b: {type: basic}
          k: {type: apiKey, in: header, name: X-Key}
          o:
            type: oauth2
            flow: accessCode
            authorizationUrl: https://a.example/
            tokenUrl: https://t.example/
            scopes: {read: Reading}
        """
    )

    schemes = whole["components"]["securitySchemes"]
    assert schemes["b"] == {"type": "http", "scheme": "basic"}
    assert schemes["k"] == {"type": "apiKey", "in": "header", "name": "X-Key"}
    assert schemes["o"]["flows"] == {
        "authorizationCode": {
            "authorizationUrl": "https://a.example/",
            "tokenUrl": "https://t.example/",
            "scopes": {"read": "Reading"},
        }
    }


def test_requirements_follow_the_names_of_their_schemes() -> None:
    """A blank in a name is allowed in Swagger, and not in OpenAPI."""
    whole = data(
        """\
        security: [{API Key: []}]
        paths: {/a: {get: {security: [{API Key: []}, {}], responses: {'204': {description: N}}}}}
        securityDefinitions: {API Key: {type: apiKey, in: header, name: X-Key}}
        """
    )

    assert whole["security"] == [{"API_Key": []}]
    assert whole["paths"]["/a"]["get"]["security"] == [{"API_Key": []}, {}]
    assert list(whole["components"]["securitySchemes"]) == ["API_Key"]


def test_a_collection_format_of_a_wrong_type_is_reported() -> None:
    """Not a crash."""
    parameter = "{in: query, name: a, type: array, items: {type: string}, collectionFormat: {a: 1}}"
    found = problems(f"paths: {{/a: {{get: {{parameters: [{parameter}], responses: {{}}}}}}}}\n")

    assert len(found) == 1


def test_names_that_openapi_forbids_are_changed_everywhere() -> None:
    """Generators write types such as `Page«Dog»`; two names never become one."""
    whole = data(
        """\
        paths:
          /dogs:
            get: {responses: {'200': {description: D, schema: {$ref: '#/definitions/Page«Dog»'}}}}
        definitions:
          Page«Dog»: {type: object, properties: {next: {$ref: '#/definitions/Page%7BDog%7D'}}}
          Page{Dog}: {type: string}
          Page_Dog_: {type: integer}
        """
    )

    schemas = whole["components"]["schemas"]
    assert list(schemas) == ["Page_Dog__2", "Page_Dog__3", "Page_Dog_"]
    content = whole["paths"]["/dogs"]["get"]["responses"]["200"]["content"]
    assert content["application/json"]["schema"] == {"$ref": "#/components/schemas/Page_Dog__2"}
    assert schemas["Page_Dog__2"]["properties"]["next"] == {"$ref": "#/components/schemas/Page_Dog__3"}


def test_a_discriminator_selects_by_the_names_of_the_file() -> None:
    """A name that OpenAPI forbids is a value all the same; an extension may give another value."""
    found = data(
        """\
        paths:
          /dogs:
            get: {responses: {'200': {description: OK, schema: {$ref: '#/definitions/Big Pet'}}}}
        definitions:
          Big Pet: {type: object, discriminator: kind, required: [kind], properties: {kind: {type: string}}}
          Sled Dog: {allOf: [{$ref: '#/definitions/Big Pet'}, {properties: {team: {type: string}}}]}
          Cat: {allOf: [{$ref: '#/definitions/Big Pet'}]}
          Wolf: {x-ms-discriminator-value: wild, allOf: [{$ref: '#/definitions/Big Pet'}]}
          Bird: {type: object}
        """
    )["components"]["schemas"]

    assert found["Big_Pet"]["discriminator"] == {
        "propertyName": "kind",
        "mapping": {
            "Big Pet": "#/components/schemas/Big_Pet",
            "Sled Dog": "#/components/schemas/Sled_Dog",
            "wild": "#/components/schemas/Wolf",
        },
    }
    assert "x-ms-discriminator-value" not in found["Wolf"]


def test_examples_of_parameters_are_read() -> None:
    """By convention they are in `x-example`; one of another type stays there."""
    contract = read(
        """\
        paths:
          /dogs:
            post:
              parameters:
                - {name: a, in: query, type: string, x-example: Rex}
                - {name: b, in: query, type: array, items: {type: string}, x-example: 'Rex,Ida'}
                - {name: c, in: query, type: integer, x-example: true}
                - {name: d, in: formData, type: number, x-example: 2}
              responses: {'204': {description: Done}}
        """
    )
    found = contract.source.root().value["paths"]["/dogs"]["post"]
    by_name = {parameter["name"]: parameter for parameter in found["parameters"]}
    (form,) = found["requestBody"]["content"].values()

    assert by_name["a"]["example"] == "Rex"
    assert "example" not in by_name["b"] | by_name["c"]
    assert form["schema"]["properties"]["d"]["example"] == 2


def test_findings_are_placed_in_the_file() -> None:
    """Where the value stands that they are about, whatever it became."""
    contract = read(
        """\
        paths:
          /dogs:
            post:
              parameters:
                - {in: query, name: q, type: integer, default: many}
                - in: body
                  name: dog
                  schema:
                    type: object
                    properties: {age: {type: integer, default: old}}
              responses:
                '200':
                  description: D
                  schema: {$ref: '#/definitions/Nobody'}
        definitions:
          Dog: {type: integer, default: x}
        """
    )

    found = [
        (finding.rule, (finding.place.line, finding.place.column)) for finding in check_contract(contract)
    ]
    assert [place for rule, place in found if rule == "contract-default"] == [(7, 47), (12, 47), (18, 24)]
    assert ("contract-ref-broken", (16, 11)) in found


def test_what_cannot_be_converted_is_reported_at_its_place() -> None:
    """Ways to write lists, and parameters in other files."""
    found = problems(
        """\
        paths:
          /dogs:
            $ref: dogs.yaml
          /cats:
            get:
              parameters:
                - {in: query, name: a, type: array, items: {type: string}, collectionFormat: tsv}
                - $ref: shared.yaml#/limit
              responses: {'204': {description: N}}
        securityDefinitions:
          o: {type: oauth2, flow: device, scopes: {}}
        """
    )

    assert [place for place, _ in found] == [
        "api.yaml:4:3",
        "api.yaml:9:68",
        "api.yaml:10:11",
        "api.yaml:13:3",
    ]
    assert found[1][1] == "the collectionFormat 'tsv' has no form in OpenAPI 3 here, so it is read as 'csv'"


RICH = """\
host: a.example
consumes: [application/json]
parameters: {p: {in: query, name: p, type: array, items: {type: string}}, b: {in: body, name: b, schema: {}}}
responses: {R: {description: R, schema: {$ref: '#/definitions/D'}, headers: {H: {type: string}}}}
securityDefinitions: {o: {type: oauth2, flow: implicit, authorizationUrl: 'https://a.example', scopes: {}}}
definitions: {D: {type: object, discriminator: k, required: [k], properties: {k: {type: string}}}}
paths:
  /a/{id}:
    parameters: [{$ref: '#/parameters/b'}, {in: path, name: id, required: true, type: string}]
    post:
      schemes: [http]
      parameters: [{in: formData, name: f, type: file}, {$ref: '#/parameters/p'}]
      responses: {'200': {$ref: '#/responses/R'}, default: {description: D, examples: {text/plain: a}}}
"""


@given(mutants(yaml.safe_load(HEAD + RICH)))
@settings(max_examples=150, deadline=None)
def test_a_broken_file_is_reported_and_never_a_crash(document: Any) -> None:
    """Whatever stands where something else should."""
    text = json.dumps(document)
    try:
        contract = read_contract(parse_document(text, name="api.json"))
    except PortalError:
        return
    assert all(finding.message and finding.place.line for finding in check_contract(contract))
