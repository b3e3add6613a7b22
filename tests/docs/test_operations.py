"""What one must know to call an operation, from the contract."""

import pytest

from devportal.contract import Api
from devportal.docs.operations import describe_operation, operations_of, require_name
from devportal.docs.output import credentials_line
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
