"""Credentials, idempotency keys, versions of resources, and states."""

import json
from pathlib import Path

import pytest

from devportal.contract import load_contract
from devportal.mock.http.credentials import Grant
from devportal.reference.samples.parameter_values import parameter_value
from tests.contract.inline import api
from tests.mock.contracts import TOKEN, Client, client_of

TEA = {"product": "Tea", "quantity": 2}


@pytest.fixture(name="orders")
def _orders() -> Client:
    return client_of("orders")


@pytest.mark.parametrize("token", [None, "", "other", TOKEN[:-1], TOKEN + "x"])
def test_a_wrong_credential_is_401(orders: Client, token: str | None) -> None:
    """Before anything else is looked at, with the scheme that is asked for."""
    refused = orders.call("GET", "/v1/orders?limit=0", token=token)

    assert refused.status == 401
    assert (refused.header("WWW-Authenticate") or "").startswith("Bearer")
    assert orders.call("GET", "/v1/status", token=token).status == 200


def test_a_key_is_taken_from_its_header() -> None:
    """`apiKey` in a header."""
    shop = client_of("shop")

    assert shop.call("GET", "/api/customers", token=None, X_Api_Key=TOKEN).status == 200
    assert shop.call("GET", "/api/customers", X_Api_Key="wrong").status == 401


SCOPED = """
openapi: 3.0.3
info: {title: Scopes, version: '1'}
paths:
  /a:
    get:
      security: [{o: [read]}]
      responses: &all {'200': {description: A}, '401': {description: B}, '403': {description: C}}
  /b:
    get: {security: [{o: [write]}], responses: *all}
  /c:
    get: {security: [{basic: []}, {q: [], k: []}], responses: *all}
components:
  securitySchemes:
    o: {type: oauth2, flows: {clientCredentials: {tokenUrl: https://a.example/t, scopes: {read: r, write: w}}}}
    basic: {type: http, scheme: basic}
    q: {type: apiKey, in: query, name: key}
    k: {type: apiKey, in: cookie, name: session}
"""


def test_scopes_and_combined_schemes(tmp_path: Path) -> None:
    """A token without the scope is 403; schemes that stand together are needed together."""
    file = tmp_path / "scoped.yaml"
    file.write_text(SCOPED, encoding="utf-8")
    grants = (Grant(token=TOKEN), Grant(token="few", scopes=frozenset({"read"})))
    client = Client(load_contract(file).api, grants=grants)

    assert [client.call("GET", path, token="few").status for path in ("/a", "/b")] == [200, 403]
    assert client.call("GET", "/b").status == 200
    assert client.call("GET", f"/c?key={TOKEN}", token=None).status == 401
    assert client.call("GET", f"/c?key={TOKEN}", token=None, Cookie=f"session={TOKEN}").status == 200
    assert client.call("GET", "/c", token=None, Authorization="Basic bW9jazptb2NrX3Rva2Vu").status == 200
    assert client.call("GET", "/c", token=None, Authorization="Basic !!!").status == 401


def test_a_key_makes_a_request_happen_once(orders: Client) -> None:
    """The same body gets the same response, another is refused; the order of members does not matter."""
    first = orders.call("POST", "/v1/orders", TEA, Idempotency_Key="k1")
    again = orders.call("POST", "/v1/orders", {"quantity": 2, "product": "Tea"}, Idempotency_Key="k1")
    other = orders.call("POST", "/v1/orders", TEA | {"quantity": 3}, Idempotency_Key="k1")

    assert again == first
    assert other.status == 409
    assert orders.json("GET", "/v1/orders")["total_count"] == 2


def test_a_refused_request_does_not_use_up_its_key(orders: Client) -> None:
    """Its next request may be right."""
    assert orders.call("POST", "/v1/orders", {}, Idempotency_Key="k2").status == 422
    assert orders.call("POST", "/v1/orders", TEA, Idempotency_Key="k2").status == 201


def test_tags_name_versions(orders: Client) -> None:
    """An unchanged resource is 304, a change of another version 412 (RFC 9110 §13.1)."""
    created = orders.call("POST", "/v1/orders", TEA)
    path, tag = f"/v1/orders/{json.loads(created.body)['id']}", created.header("ETag") or ""

    assert orders.call("GET", path, If_None_Match=tag).status == 304
    assert orders.call("PUT", path, TEA | {"quantity": 4}, If_Match='"other"').status == 412
    assert orders.call("PUT", path, TEA | {"quantity": 4}, If_Match=tag).status == 200
    assert orders.call("GET", path, If_None_Match=tag).status == 200
    assert orders.call("PUT", path, TEA, If_Match=tag).status == 412


def test_states_follow_their_machine(orders: Client) -> None:
    """Something new begins in the initial state, and an action is refused where no step leads from."""
    order = orders.json("POST", "/v1/orders", TEA)
    place = f"/v1/orders/{order['id']}/place"

    assert order["status"] == "draft"
    assert orders.json("POST", place)["status"] == "placed"
    assert orders.call("POST", place).status == 409


DEFAULT_ONLY = """
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes:
    post:
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string}}}}}
      responses:
        default:
          description: The note, or what is wrong.
          content:
            application/json:
              schema: {oneOf: [{$ref: '#/components/schemas/Note'}, {$ref: '#/components/schemas/Error'}]}
components:
  schemas:
    Note:
      type: object
      additionalProperties: false
      required: [id, text]
      properties: {id: {type: string}, text: {type: string}}
    Error:
      type: object
      additionalProperties: false
      required: [reason]
      properties: {reason: {type: string}}
"""


def test_an_error_has_the_shape_of_default(tmp_path: Path) -> None:
    """Of its alternatives, the one that says what is wrong."""
    (tmp_path / "openapi.yaml").write_text(DEFAULT_ONLY, encoding="utf-8")
    notes = Client(load_contract(tmp_path / "openapi.yaml").api)

    refused = notes.call("POST", "/notes", {"text": 5})

    assert notes.json("POST", "/notes", {"text": "Tea"})["text"] == "Tea"
    assert refused.status == 422
    assert [*json.loads(refused.body)] == ["reason"]


STOCK = """\
paths:
  /products:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewProduct'}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Product'}}}}
  /products/{productId}:
    parameters: [{name: productId, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200':
          description: ok
          headers: {ETag: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Product'}}}
        '404': {description: No such product}
    put:
      parameters: [{name: If-Match, in: header, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewProduct'}}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Product'}}}}
        '412': {description: Another version}
        '428': {description: WORDS}
  /movements:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewMovement'}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/NewMovement'}}}}
        '404': {description: The product does not exist.}
components:
  schemas:
    NewProduct: {type: object, required: [name], properties: {name: {type: string}}}
    Product: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string}}}
    NewMovement: {type: object, required: [productId], properties: {productId: {type: string}, id: {type: string}}}
"""


@pytest.mark.parametrize(
    ("words", "status"), [("If-Match is missing.", 428), ("Only for archived ones.", 200)]
)
def test_a_change_needs_a_tag_if_428_says_so(words: str, status: int) -> None:
    """The header is optional in the contract, so that a request without it gets 428 rather than 400."""
    client = Client(api(STOCK.replace("WORDS", words)))
    product = client.json("POST", "/products", {"name": "Bolt"})
    path = f"/products/{product['id']}"
    tag = client.call("GET", path).header("etag") or ""

    assert client.call("PUT", path, {"name": "Nut"}).status == status
    assert client.call("PUT", path, {"name": "Nut"}, if_match='"other"').status == 412
    assert status == 200 or client.call("PUT", path, {"name": "Nut"}, if_match=tag).status == 200


def test_a_reference_must_lead_somewhere_if_the_contract_says_so() -> None:
    """The words are those of the status for it."""
    client = Client(api(STOCK))
    product = client.json("POST", "/products", {"name": "Bolt"})

    assert client.call("POST", "/movements", {"productId": product["id"]}).status == 201
    assert client.call("POST", "/movements", {"productId": "nothing"}).status == 404


VERSIONED = """\
paths:
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200':
          description: A note
          headers: {ETag: {schema: {type: string}}}
          content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}
        '404': {description: None}
    patch:
      parameters: [{name: If-Match, in: header, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}
      responses:
        '200': {description: Changed, content: {application/json: {schema: {type: object}}}}
        '404': {description: None}
        '412': {description: It has changed}
"""


def test_the_version_that_a_sample_shows_stands_for_that_of_the_resource() -> None:
    """A sample succeeds as it is pasted; a version that the resource does not have is refused."""
    client = Client(api(VERSIONED))
    operation = next(operation for operation in client.api.operations if operation.method == "PATCH")
    (tag,) = (
        parameter_value(client.api, parameter)
        for parameter in operation.parameters
        if parameter.name == "If-Match"
    )

    assert client.call("PATCH", "/notes/ID", {"text": "a"}, If_Match=tag).status == 200
    assert client.call("PATCH", "/notes/ID", {"text": "a"}, If_Match='"other"').status == 412


def test_a_change_with_if_match_has_a_version_to_name() -> None:
    """Also if the contract describes no ETag in responses."""
    client = Client(api(VERSIONED.replace("          headers: {ETag: {schema: {type: string}}}\n", "")))

    first = client.call("GET", "/notes/ID").header("etag") or ""
    changed = client.call("PATCH", "/notes/ID", {"text": "a"}, If_Match=first)

    assert (changed.status, changed.header("etag")) == (200, client.call("GET", "/notes/ID").header("etag"))
    assert client.call("PATCH", "/notes/ID", {"text": "b"}, If_Match=first).status == 412


JOBS = """\
paths:
  /widgets:
    get:
      responses:
        '200':
          description: Widgets
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Widget'}}}}
  /widgets/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200': {description: A widget, content: {application/json: {schema: {$ref: '#/components/schemas/Widget'}}}}
  /widgets/{name}:repair:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    post:
      responses:
        '202': {description: Started, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
  /widgets/{name}/jobs/{id}:
    parameters:
      - {name: name, in: path, required: true, schema: {type: string}}
      - {name: id, in: path, required: true, schema: {type: string}}
    get:
      responses:
        '200': {description: A job, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
components:
  schemas:
    Widget: {type: object, required: [name], properties: {name: {type: string}}}
    Job:
      type: object
      required: [id, status]
      properties: {id: {type: string}, status: {type: string, enum: [queued, running, done]}}
"""


def test_an_action_starts_what_its_response_shows() -> None:
    """Each time another one, which can be read where the contract has it."""
    client = Client(api(JOBS))
    path = f"/widgets/{client.json('GET', '/widgets')[0]['name']}"
    first, second = (client.json("POST", f"{path}:repair") for _ in range(2))

    assert first["id"] != second["id"]
    assert (
        client.json("GET", f"{path}/jobs/{second['id']}")
        == second
        == {"id": second["id"], "status": "queued"}
    )
