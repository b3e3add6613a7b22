"""Tokens that a mock issues are accepted by it."""

import base64
import json
from typing import Any

import pytest

from devportal.mock.http.credentials import Grant
from tests.contract.inline import api
from tests.mock.contracts import TOKEN, Client

CONTRACT = """
paths:
  /oauth/token:
    post:
      security: [{client: []}, {}]
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [grant_type]
              properties:
                grant_type: {type: string, enum: [client_credentials]}
                scope: {type: string}
      responses:
        '200':
          description: A token
          content:
            application/json:
              schema:
                type: object
                required: [access_token, token_type]
                properties: {access_token: {type: string}, token_type: {type: string}, scope: {type: string}}
  /login:
    post:
      security: []
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses:
        '200':
          description: A session
          content:
            application/json:
              schema:
                type: object
                properties: {data: {type: object, properties: {token: {type: string}}}}
  /things:
    get: {security: [{oauth: [read]}], responses: &responses {'200': {description: Things}, '401': {description: No}}}
    post: {security: [{oauth: [write]}], responses: *responses}
  /resets:
    post:
      security: [{oauth: []}]
      responses:
        '200':
          description: A token that is no credential
          content: {application/json: {schema: {type: object, properties: {token: {type: string}}}}}
components:
  securitySchemes:
    client: {type: http, scheme: basic}
    oauth:
      type: oauth2
      flows: {clientCredentials: {tokenUrl: /oauth/token, scopes: {read: Read, write: Write}}}
""".lstrip()


def _post(client: Client, path: str, **options: Any) -> Any:
    return json.loads(client.call("POST", path, token=None, **options).body)


def _statuses(client: Client, token: str) -> list[int]:
    return [client.call(method, "/things", token=token).status for method in ("GET", "POST")]


@pytest.mark.parametrize(
    ("form", "statuses"),
    [("", [200, 200]), ("&scope=read", [200, 401]), ("&scope=read+write", [200, 200])],
)
def test_token_of_an_oauth_endpoint_has_the_scopes_that_it_was_requested_for(
    form: str, statuses: list[int]
) -> None:
    """Without any it may do everything; a 403 that the contract lacks is a 401."""
    client = Client(api(CONTRACT))

    issued = _post(
        client,
        "/oauth/token",
        raw=f"grant_type=client_credentials{form}".encode(),
        content_type="application/x-www-form-urlencoded",
    )

    assert _statuses(client, issued["access_token"]) == statuses


def test_token_of_a_login_is_accepted() -> None:
    """It may be in an object. A token that an operation for clients with a token returns is something else."""
    client = Client(api(CONTRACT))

    session = _post(client, "/login", body={"name": "Ada"})

    assert _statuses(client, session["data"]["token"]) == [200, 200]
    assert client.json("POST", "/resets")["token"] != session["data"]["token"]


def test_tokens_that_clients_set_stay() -> None:
    """The token of a device, say, is none of the mock."""
    device = "{type: object, required: [token], properties: {id: {type: string}, token: {type: string}}}"
    content = f"content: {{application/json: {{schema: {device}}}}}"
    text = CONTRACT.replace(
        "  /things:",
        f"""  /devices:
    post:
      security: []
      requestBody: {{{content.replace("id: {type: string}", "id: {type: string, readOnly: true}")}}}
      responses: {{'201': {{description: A device, {content}}}}}
  /devices/{{id}}:
    parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
    get: {{responses: {{'200': {{description: A device, {content}}}}}}}
  /things:""",
    )

    assert _post(Client(api(text)), "/devices", body={"token": "abc"})["token"] == "abc"


@pytest.mark.parametrize("token", ["t1.", "t1.x", "t1.\u00e4", "t2.cmVhZA", ".cmVhZA", "t1.cmVhZA.cmVhZA"])
def test_other_tokens_with_scopes_are_rejected(token: str) -> None:
    """They need the token of the mock before the scopes, and scopes that can be read."""
    client = Client(api(CONTRACT), grants=(Grant(token="t1"),))

    assert _statuses(client, token) == [401, 401]


def test_basic_credentials_that_are_no_text_are_rejected() -> None:
    """Those that begin with the token of the mock and end in other bytes are as wrong as others."""
    client = Client(
        api(CONTRACT.replace("get: {security: [{oauth: [read]}]", "get: {security: [{client: []}]"))
    )

    given = base64.b64encode(f"{TOKEN}.".encode() + b"\xff").decode()

    assert client.call("GET", "/things", token=None, authorization=f"Basic {given}").status == 401


def test_scopes_of_a_limited_token_are_not_exceeded() -> None:
    """The scopes that a token names are only those that its grant has."""
    client = Client(api(CONTRACT), grants=(Grant(token="t1", scopes=frozenset({"read"})),))

    issued = _post(
        client,
        "/oauth/token",
        raw=b"grant_type=client_credentials&scope=write",
        content_type="application/x-www-form-urlencoded",
    )

    assert _statuses(client, issued["access_token"]) == [401, 401]


COOKIES = """\
paths:
  /login:
    post:
      security: []
      responses: {'204': {description: A session, headers: {Set-Cookie: {schema: {type: string}}}}}
  /things:
    get: {responses: {'200': {description: Things}, '401': {description: No}}}
  /renewals:
    post: {responses: {'204': {description: A, headers: {Set-Cookie: {schema: {type: string}}}}}}
security: [{session: []}]
components:
  securitySchemes:
    session: {type: apiKey, in: cookie, name: SESSION}
"""


def test_a_login_sets_the_cookie_of_its_session() -> None:
    """Later requests may have it. What needs a session sets no other one."""
    client = Client(api(COOKIES))
    cookie = str(client.call("POST", "/login", token=None).header("Set-Cookie"))
    sent = cookie.partition(";")[0]

    assert cookie == f"SESSION={TOKEN}; Path=/; HttpOnly"
    assert client.call("GET", "/things", token=None).status == 401
    assert client.call("GET", "/things", token=None, cookie=sent).status == 200
    assert client.call("POST", "/renewals", token=None, cookie=sent).header("Set-Cookie") is None


def test_the_name_of_a_cookie_adds_no_header() -> None:
    """It is untrusted, and a line break would end the header."""
    client = Client(api(COOKIES.replace("name: SESSION", r'name: "S\r\nX-Evil: 1"')))

    assert str(client.call("POST", "/login", token=None).header("Set-Cookie")).startswith(
        "S%0D%0AX-Evil%3A%201="
    )
