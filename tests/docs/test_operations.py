"""What one must know to call an operation, from the contract."""

import pytest

from devportal.contract import Api
from devportal.docs.operation_output import credentials_line, operation_text
from devportal.docs.operations import describe_operation, operations_of, require_name
from devportal.docs.records import SiteRecords
from devportal.errors import InvalidSettings, UnreadableInput
from tests.contract.inline import api as inline_api
from tests.contracts import own_contract


@pytest.fixture(scope="module")
def api() -> Api:
    """Return this project's contract."""
    return own_contract().api


def test_an_operation_has_all_that_a_call_needs(api: Api) -> None:
    """Credential and scope, headers, the fields of bodies with their rules, errors, and a sample."""
    found = describe_operation(api, "POST /v1/messages")

    ((credential,),) = found.credentials
    assert (credential.kind, found.scopes) == ("HTTP bearer", ("messages:write",))
    assert [(parameter.name, parameter.location) for parameter in found.parameters] == [
        ("Idempotency-Key", "header")
    ]
    (body,) = found.bodies
    fields = {field.name: field for field in body.fields}
    assert found.body_is_required
    assert fields["channel"].values == ('"sms"', '"mms"', '"rcs"')
    assert fields["to"].required
    assert fields["media.url"].type == "string"
    assert fields["rcs"].page == "reference/schemas/rcs-content.md"
    assert {"202", "429"} <= {response.status for response in found.responses}
    assert {response.status for response in found.responses if not response.is_error} == {"202"}
    assert found.sample.startswith("curl ")


def test_credentials_say_where_tokens_come_from() -> None:
    """Who writes a client for OAuth 2 or OpenID Connect asks there first."""
    flow = "{tokenUrl: https://login.example/token, scopes: {}}"
    described = inline_api(
        "paths: {/parcels: {get: {responses: {'200': {description: All}}}}}\n"
        "security: [{oauth: [], oidc: [], key: []}]\n"
        "components:\n"
        "  securitySchemes:\n"
        f"    oauth: {{type: oauth2, flows: {{clientCredentials: {flow}, deviceAuthorization: {flow}}}}}\n"
        "    oidc: {type: openIdConnect, openIdConnectUrl: https://login.example/.well-known/openid-configuration}\n"
        "    key: {type: apiKey, in: header, name: X-Key}\n"
    )

    (credentials,) = describe_operation(described, "GET /parcels").credentials

    assert [credential.token_urls for credential in credentials] == [
        ("https://login.example/token",),
        ("https://login.example/.well-known/openid-configuration",),
        (),
    ]
    assert "oauth (OAuth 2, token from https://login.example/token)" in credentials_line([credentials], ())


def test_an_event_has_its_payload(api: Api) -> None:
    """Its headers are parameters, and what the receiver responds is there too."""
    found = describe_operation(api, "message.status_changed")

    assert "type" in {field.name for field in found.bodies[0].fields}
    assert found.servers == ()
    assert found.sample.startswith("{")


WASHES = """\
paths:
  /washes:
    get:
      summary: List washes
      description: |-
        The newest first.

        Send `all` to see every one:

        - open ones
        - ended ones
      parameters:
        - name: filter
          in: query
          style: deepObject
          schema: {type: object, properties: {machine: {type: string, description: Its number}}}
      responses:
        '200': {description: Washes, headers: {Link: {description: The next page, schema: {type: string}}}}
    post:
      summary: Start a wash
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: {type: object, required: [photo], properties: {photo: {}, notify: {type: string}}}
            encoding: {photo: {contentType: image/png}}
      responses:
        '201': {description: Started}
        '429':
          description: Too many
          headers: {Retry-After: {required: true, description: Seconds, schema: {type: integer, minimum: 1}}}
      callbacks:
        ended:
          '{$request.body#/notify}':
            post:
              summary: The wash ended
              parameters: [{name: X-Signature, in: header, required: true, schema: {type: string}}]
              requestBody:
                required: true
                content: {application/json: {schema: {type: object, properties: {wash: {type: string}}}}}
              responses: {'204': {description: Received}}
servers:
  - url: https://{region}.wash.example/v1
    description: Production
    variables: {region: {default: eu, enum: [eu, us], description: Where your data is}}
"""


def washes_text(name: str) -> str:
    """Return an operation of the washes for people."""
    description = describe_operation(inline_api(WASHES), name)
    (operation,) = [each for each in operations_of(inline_api(WASHES)) if each.name == name]
    return operation_text(SiteRecords(), operation, description)


def test_members_of_a_parameter_are_listed() -> None:
    """What a filter takes is in its schema; the location says that they are no body."""
    found = describe_operation(inline_api(WASHES), "GET /washes")

    assert [(item.name, item.location, item.description) for item in found.parameters] == [
        ("filter", "query", ""),
        ("filter.machine", "query", "Its number"),
    ]


def test_headers_of_responses_say_what_they_are() -> None:
    """A client that waits needs to know that `Retry-After` counts seconds."""
    text = washes_text("POST /washes")

    assert "header Retry-After: integer, required\n           Seconds\n           ≥ 1\n" in text
    assert "header Link: string\n      The next page\n" in washes_text("GET /washes")


def test_servers_say_which_values_their_variables_have() -> None:
    """The default is in the address, and the others are listed."""
    assert (
        "Server: https://eu.wash.example/v1 (Production)\n"
        "  from https://{region}.wash.example/v1\n"
        "    {region}: eu (default), us. Where your data is\n"
    ) in washes_text("POST /washes")


def test_callbacks_are_described() -> None:
    """Their headers and payloads are what a receiver verifies and reads."""
    (callback,) = describe_operation(inline_api(WASHES), "POST /washes").callbacks

    assert (callback.name, callback.method, callback.expression) == (
        "ended",
        "POST",
        "{$request.body#/notify}",
    )
    assert [parameter.name for parameter in callback.parameters] == ["X-Signature"]
    assert "Callback ended: The wash ended\n" in washes_text("POST /washes")


def test_parts_of_a_form_say_how_they_are_sent() -> None:
    """The media type of a part is beside its schema, in its encoding."""
    (body,) = describe_operation(inline_api(WASHES), "POST /washes").bodies

    assert {item.name: item.rules for item in body.fields} == {"photo": ("sent as image/png",), "notify": ()}


def test_all_paragraphs_of_a_description_are_shown() -> None:
    """They are Markdown, as the contract writes them: code keeps its marks, and lists their lines."""
    assert (
        "The newest first.\n\nSend `all` to see every one:\n\n- open ones\n- ended ones\n"
    ) in washes_text("GET /washes")


def test_a_long_description_ends_with_a_paragraph() -> None:
    """What is left out is on the page, and the text says it."""
    long = WASHES.replace("        - open ones", "        - " + "open " * 400)
    contract = inline_api(long)
    description = describe_operation(contract, "GET /washes")
    (operation, _) = operations_of(contract)

    text = operation_text(SiteRecords(), operation, description)

    assert "see every one:\n\n… the rest of the description is on its page\n" in text
    assert "open open" not in text


def test_required_inputs_say_where_their_values_come_from(api: Api) -> None:
    """The operation, and the member of its response."""
    found = describe_operation(api, "GET /v1/campaigns/{campaign_id}")

    assert [
        (value_origin.input, value_origin.location, value_origin.operation, value_origin.member)
        for value_origin in found.value_origins
    ] == [("campaign_id", "path", "POST /v1/campaigns", "id")]
    created = describe_operation(api, "POST /v1/campaigns").value_origins
    assert [
        (value_origin.input, value_origin.location, value_origin.operation) for value_origin in created
    ] == [("brand_id", "body", "POST /v1/brands")]


@pytest.mark.parametrize("name", [operation.name for operation in operations_of(own_contract().api)])
def test_every_operation_can_be_described(name: str, api: Api) -> None:
    """None has an error."""
    assert describe_operation(api, name).name == name


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("sendMessage", "POST /v1/messages"),
        ("sendmessage", "POST /v1/messages"),
        ("post   /v1/messages", "POST /v1/messages"),
        ("GET /v1/calls/call_42?x=1", "GET /v1/calls/{call_id}"),
        ("GET /v1/calls", "GET /v1/calls"),
        ("call.status_changed", "call.status_changed"),
    ],
)
def test_operations_are_found_by_name(asked: str, name: str, api: Api) -> None:
    """By id, method and path, with values, in other letters."""
    assert require_name(operations_of(api), asked).name == name


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("sendMesage", "sendMessage"),
        ("GET /v1/call", "GET /v1/calls"),
        ("???", "METHOD PATH"),
        ("", "METHOD PATH"),
    ],
)
def test_an_unknown_operation_is_an_error(asked: str, hint: str, api: Api) -> None:
    """With similar names."""
    with pytest.raises(InvalidSettings) as raised:
        require_name(operations_of(api), asked)

    assert hint in raised.value.help


def test_records_and_contract_that_disagree_are_an_error(api: Api) -> None:
    """The site names an operation that its contract does not have."""
    with pytest.raises(UnreadableInput, match="has no operation 'GET /gone'"):
        describe_operation(api, "GET /gone")


FEED = """
paths:
  /feed:
    get:
      responses:
        '200':
          description: Events
          content:
            application/json:
              schema:
                type: object
                properties:
                  data:
                    type: string
                    contentMediaType: application/json
                    contentSchema: {type: object, properties: {at: {type: string}}}
                  labels: {not: {type: object, properties: {color: {type: string}}}}
""".lstrip()


def test_fields_without_a_name_say_what_they_are_in_brackets() -> None:
    """A path with words in it reads as a name otherwise."""
    found = describe_operation(inline_api(FEED), "GET /feed")

    assert [
        item.name for response in found.responses for body in response.bodies for item in body.fields
    ] == [
        "data",
        "data (content)",
        "data (content).at",
        "labels",
        "labels (must not match)",
        "labels (must not match).color",
    ]


@pytest.mark.parametrize(("count", "deepest"), [(1, 6), (60, 4)])
def test_small_bodies_have_all_their_fields(count: int, deepest: int) -> None:
    """A first request cannot be written without the members of a nested object; a large body has its own page."""
    nested = "{type: object, properties: {a: " * 5 + "{type: string}" + "}}" * 5
    others = "".join(f"f{number}: {{type: string}}, " for number in range(count))
    body = f"{{type: object, properties: {{{others}a: {nested}}}}}"
    content = f"{{content: {{application/json: {{schema: {body}}}}}}}"
    text = f"paths: {{/things: {{post: {{requestBody: {content}, responses: {{'204': {{description: Done}}}}}}}}}}\n"

    (described,) = describe_operation(inline_api(text), "POST /things").bodies

    assert max(item.name.count(".") for item in described.fields) + 1 == deepest


PAYMENTS = """\
paths:
  /payments:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {method: {
        oneOf: [{$ref: '#/components/schemas/Card'}, {$ref: '#/components/schemas/Iban'}],
        discriminator: {propertyName: type, mapping: {card: Card}}}}}}}}
      responses: {}
components:
  schemas:
    Card: {type: object, properties: {type: {type: string}}}
    Iban: {type: object, properties: {type: {type: string}}}
"""


def test_values_of_discriminators_are_named() -> None:
    """A client that sends a card must know which type says so; without a mapping it is the name of the schema."""
    (body,) = describe_operation(inline_api(PAYMENTS), "POST /payments").bodies

    assert body.fields[0].rules == ("selected by type", '"card" selects Card', '"Iban" selects Iban')
