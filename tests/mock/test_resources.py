"""What a client creates can be read, listed, changed and deleted."""

import json
import re
from datetime import datetime

import pytest

from devportal.contract import load_contract
from tests.conformance.families.servers.festivals import CONTRACT as FESTIVALS
from tests.conformance.families.servers.gardens import CONTRACT as GARDENS
from tests.contract.inline import api, contract
from tests.mock.contracts import START, Client, client_of

TEA = {"product": "Tea", "quantity": 2}


@pytest.fixture(name="orders")
def _orders() -> Client:
    return client_of("orders")


def test_a_created_resource_is_read_with_what_was_sent(orders: Client) -> None:
    """The response has an identifier in the form of the contract, and the address of the resource."""
    created = orders.call("POST", "/v1/orders", TEA)
    order = json.loads(created.body)

    assert created.status == 201
    assert re.fullmatch("ord_[a-z0-9]{8}", order["id"])
    assert created.header("Location") == f"http://127.0.0.1:8080/v1/orders/{order['id']}"
    assert orders.json("GET", f"/v1/orders/{order['id']}") == order
    assert order | TEA == order


def test_what_a_client_leaves_out_is_absent_or_has_its_default(orders: Client) -> None:
    """A sample value would be something that nobody sent."""
    order = orders.json("POST", "/v1/orders", TEA)

    assert order["gift"] is False
    assert order.get("note") is None


def test_identifiers_differ_and_repeat_with_the_seed() -> None:
    """A test that notes an identifier finds it again."""
    first, second = (
        [client_of("orders").json("POST", "/v1/orders", TEA)["id"] for _ in range(2)] for _ in range(2)
    )
    several = [
        client.json("POST", "/v1/orders", TEA)["id"] for client in [client_of("orders")] for _ in range(20)
    ]

    assert first == second
    assert len(set(several)) == 20


def test_put_replaces_and_patch_merges(orders: Client) -> None:
    """PUT drops what it does not name; PATCH keeps it, and null removes it (RFC 7396)."""
    order = orders.json("POST", "/v1/orders", TEA | {"note": "Strong"})
    path = f"/v1/orders/{order['id']}"

    patched = orders.call("PATCH", path, {"quantity": 5}, content_type="application/merge-patch+json")
    assert json.loads(patched.body) | {"quantity": 5, "note": "Strong"} == json.loads(patched.body)
    without_note = orders.call("PATCH", path, {"note": None}, content_type="application/merge-patch+json")
    assert json.loads(without_note.body).get("note") is None
    replaced = orders.json("PUT", path, {"product": "Coffee", "quantity": 1})
    assert (replaced["product"], replaced["id"], replaced["created_at"]) == (
        "Coffee",
        order["id"],
        order["created_at"],
    )
    assert replaced["updated_at"] > order["updated_at"]


NULLABLE_CHANGES = """\
paths:
  /teams:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Team'}}}}
      responses: {'201': &team {description: The team, content: {application/json: {schema: {$ref:
        '#/components/schemas/Team'}}}}}
  /teams/{id}:
    patch:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {
        name: {type: [string, 'null']}, motto: {type: [string, 'null']}}}}}}
      responses: {'200': *team}
components:
  schemas:
    Team:
      type: object
      required: [id, name]
      properties: {id: {type: string, readOnly: true}, name: {type: string}, motto: {type: string}}
"""


def test_null_keeps_a_member_that_the_representation_requires() -> None:
    """As FastAPI describes changes: each member may be null in the request, and a team has a name."""
    client = Client(api(NULLABLE_CHANGES))
    team = client.json("POST", "/teams", {"name": "Otters", "motto": "Swim"})

    changed = client.json("PATCH", f"/teams/{team['id']}", {"name": None, "motto": None})

    assert changed == {"id": team["id"], "name": "Otters"}


def test_json_patch_changes_or_is_refused_as_a_whole(orders: Client) -> None:
    """A patch whose test fails changes nothing (RFC 6902 §5)."""
    order = orders.json("POST", "/v1/orders", TEA)
    path = f"/v1/orders/{order['id']}"
    patch = [
        {"op": "replace", "path": "/quantity", "value": 9},
        {"op": "test", "path": "/product", "value": "Milk"},
    ]

    refused = orders.call("PATCH", path, patch, content_type="application/json-patch+json")
    changed = orders.call("PATCH", path, patch[:1], content_type="application/json-patch+json")

    assert refused.status == 422
    assert json.loads(changed.body)["quantity"] == 9


def test_a_deleted_resource_is_gone_with_what_is_below_it(orders: Client) -> None:
    """It is neither read nor listed, and deleting it again finds nothing."""
    order = orders.json("POST", "/v1/orders", TEA)
    path = f"/v1/orders/{order['id']}"
    line = orders.json("POST", f"{path}/lines", {"text": "First"})

    assert orders.call("DELETE", path).status == 204
    assert [orders.call(method, path).status for method in ("GET", "DELETE")] == [404, 404]
    assert orders.call("GET", f"{path}/lines/{line['id']}").status == 404
    assert order["id"] not in [item["id"] for item in orders.json("GET", "/v1/orders?limit=50")["data"]]


def test_a_nested_resource_is_found_below_its_parent_only(orders: Client) -> None:
    """Identifiers below another parent find nothing."""
    one, other = (orders.json("POST", "/v1/orders", TEA)["id"] for _ in range(2))
    line = orders.json("POST", f"/v1/orders/{one}/lines", {"text": "First"})

    assert isinstance(line["id"], int)
    assert orders.json("GET", f"/v1/orders/{one}/lines") == [line]
    assert orders.json("GET", f"/v1/orders/{other}/lines") == []
    assert orders.call("GET", f"/v1/orders/{other}/lines/{line['id']}").status == 404
    assert orders.call("POST", "/v1/orders/ord_zzzzzzzz/lines", {"text": "None"}).status == 404


def test_members_only_responses_carry_are_ignored_and_others_hidden() -> None:
    """`readOnly` is not taken from a request, `writeOnly` never shown (OAS 3.0.3 §4.7.24.2)."""
    orders = client_of("orders")
    order = orders.json("POST", "/v1/orders", TEA | {"notify_url": "http://127.0.0.1:9/hook"})

    assert "notify_url" not in order
    assert "notify_url" not in orders.json("GET", f"/v1/orders/{order['id']}")


def test_a_put_creates_at_an_address_that_the_client_chooses() -> None:
    """201 for a new one, 200 for one that exists (RFC 9110 §9.3.4)."""
    journal = client_of("journal")

    statuses = [journal.call("PUT", "/entries/my-day", {"text": text}, token=None).status for text in "ab"]

    assert statuses == [201, 200]
    assert journal.json("GET", "/entries/my-day")["text"] == "b"


SHELF = """\
paths:
  /books:
    get: {responses: {'200': {description: A, content: {application/json: {schema: {type: array, items: BOOK}}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: BOOK}}}
      responses: {'201': {description: A, content: {application/json: {schema: BOOK}}}}
  /books/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: A, content: {application/json: {schema: BOOK}}}, '404': {description: No}}}
    put:
      requestBody: {required: true, content: {application/json: {schema: BOOK}}}
      responses:
        '200': {description: A, content: {application/json: {schema: BOOK}}}
        '201': {description: A, content: {application/json: {schema: BOOK}}}
"""
BOOK = "{type: object, required: [title], properties: {id: {type: string, readOnly: true}, title: {type: string}}}"


def test_a_put_that_documents_a_creation_creates_beside_a_post() -> None:
    """A PUT that documents 404 does not, whatever else it documents."""
    creating = Client(api(SHELF.replace("BOOK", BOOK)))
    refused = f"{SHELF}        '404': {{description: No}}\n"
    refusing = Client(api(refused.replace("BOOK", BOOK)))

    put = [creating.call("PUT", "/books/b7", {"title": title}).status for title in "ab"]

    assert put == [201, 200]
    assert creating.json("GET", "/books/b7") == {"id": "b7", "title": "b"}
    assert refusing.call("PUT", "/books/b7", {"title": "a"}).status == 404


def test_what_there_is_one_of_is_changed_in_place(orders: Client) -> None:
    """It exists from the start, and keeps what was put."""
    assert orders.json("GET", "/v1/settings")["language"] in ("en", "de", "ja")
    orders.json("PUT", "/v1/settings", {"language": "ja"})
    assert orders.json("GET", "/v1/settings") == {"language": "ja"}


def test_examples_of_the_contract_find_something(orders: Client) -> None:
    """A sample of the reference can be sent as it is."""
    assert orders.call("GET", "/v1/orders/ord_a1b2c3d4").status == 200


def test_integer_identifiers_count_and_other_contracts_get_theirs() -> None:
    """FastAPI's are numbers, those of a UUID are UUIDs."""
    fastapi, shop = client_of("fastapi"), client_of("shop")
    items = [fastapi.json("POST", "/items/", {"title": "A", "price": 1.5})["id"] for _ in range(2)]
    customer = shop.json("POST", "/api/customers", {"fullName": "Ada"}, X_Api_Key="mock_token")

    assert items[1] > items[0]
    assert re.fullmatch(r"[0-9a-f-]{36}", customer["customerId"])
    assert customer["nickname"] is None


def test_paths_are_served_with_and_without_the_base_path(orders: Client) -> None:
    """The server's address may have a path, and a client may leave it out."""
    assert [orders.call("GET", path).status for path in ("/v1/orders", "/orders")] == [200, 200]


def test_the_sample_of_a_creation_finds_its_identifier_free() -> None:
    """Clients choose the serial number: what a new mock has must not have that of the sample."""
    devices = Client(
        api("""\
        paths:
          /devices:
            post:
              requestBody:
                content:
                  application/json:
                    schema: &device
                      type: object
                      required: [serial]
                      properties: {serial: &serial {type: string, pattern: '^[A-Z]{2}[0-9]{4}$'}}
              responses:
                '201': {description: Created, content: {application/json: {schema: *device}}}
                '409': {description: Exists}
          /devices/{serial}:
            get:
              parameters: [{name: serial, in: path, required: true, schema: *serial}]
              responses: {'200': {description: A device, content: {application/json: {schema: *device}}}}
        """)
    )
    statuses = [devices.call("POST", "/devices", {"serial": "AA1111"}).status for _ in range(2)]

    assert statuses == [201, 409]


BOOKS = """\
servers: [{url: 'https://api.example.com/öffentlich'}]
paths:
  /bücher:
    post:
      requestBody:
        content: &book
          application/json: {schema: {type: object, properties: {id: {type: string}, titel: {type: string}}}}
      responses:
        '201': {description: Added, headers: {Location: {schema: {type: string}}}, content: *book}
  /bücher/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: The book, content: *book}}
"""


def test_paths_beyond_ascii_are_served_as_they_are_requested() -> None:
    """Those of servers, of collections and of their resources; the address of what is created is a URL."""
    client = Client(contract(BOOKS, paths="").api)

    created = client.call("POST", "/%C3%B6ffentlich/b%C3%BCcher", {"titel": "Faust"})
    address = (created.header("Location") or "").removeprefix("http://127.0.0.1:8080")

    assert address.startswith("/%C3%B6ffentlich/b%C3%BCcher/")
    assert json.loads(client.call("GET", address).body)["titel"] == "Faust"


TEAMS = """\
paths:
  /teams:
    post:
      requestBody:
        content: &team
          application/json:
            schema:
              type: object
              properties:
                id: {type: string, readOnly: true}
                name: {type: string, description: Unique within the organization.}
                motto: {type: string}
      responses:
        '201': {description: Added, content: *team}
        '409': {description: A team with this motto exists.}
  /teams/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: The team, content: *team}}}
    patch:
      requestBody: {content: *team}
      responses: {'200': {description: Changed, content: *team}, '409': {description: The name is taken.}}
"""


def test_what_only_one_may_have_is_refused_to_a_second() -> None:
    """By the words of the contract: the name always, the motto when a team is created. A team keeps its own."""
    client = Client(contract(TEAMS, paths="").api)

    first = json.loads(client.call("POST", "/teams", {"name": "Red", "motto": "Up"}).body)["id"]
    second = json.loads(client.call("POST", "/teams", {"name": "Blue", "motto": "On"}).body)["id"]

    assert client.call("POST", "/teams", {"name": "Red", "motto": "Off"}).status == 409
    assert client.call("POST", "/teams", {"name": "Green", "motto": "Up"}).status == 409
    assert client.call("PATCH", f"/teams/{second}", {"name": "Red"}).status == 409
    assert client.call("PATCH", f"/teams/{second}", {"motto": "Up"}).status == 200
    assert client.call("PATCH", f"/teams/{first}", {"name": "Red"}).status == 200
    assert client.call("POST", "/teams", {}).status == client.call("POST", "/teams", {}).status == 201


FILES = """\
paths:
  /files:
    get:
      parameters: [{name: q, in: query, schema: {type: string}}]
      responses:
        '200':
          description: Done
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/File'}}}}
    post:
      requestBody:
        required: true
        content:
          application/octet-stream: {schema: {type: string, format: binary}}
          multipart/form-data:
            schema:
              type: object
              properties: {file: {type: string, format: binary}, cover: {type: string, format: binary}}
      responses:
        '201': &file {description: Done, content: {application/json: {schema: {$ref: '#/components/schemas/File'}}}}
  /files/{id}:
    parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': *file}}
    delete: {responses: {'204': {description: Deleted}}}
  /files/{id}/content:
    parameters: *id
    get: {responses: &bytes {'200': {description: Done, content: {application/octet-stream: {example: Sample}}}}}
  /files/{id}/preview:
    parameters: *id
    get: {responses: *bytes}
components:
  schemas:
    File: {type: object, required: [id], properties: {id: {type: string}}}
"""
OCTETS = bytes(range(256))


def _form(*names: str) -> bytes:
    parts = (
        f'--b\r\nContent-Disposition: form-data; name="{name}"; filename="f"\r\n\r\n'.encode()
        + OCTETS
        + b"\r\n"
        for name in names
    )
    return b"".join(parts) + b"--b--\r\n"


@pytest.mark.parametrize(
    ("content_type", "body", "content"),
    [
        ("application/octet-stream", OCTETS, OCTETS),
        ("multipart/form-data; boundary=b", _form("file"), OCTETS),
        ("multipart/form-data; boundary=b", _form("file", "cover"), b"Sample"),
    ],
    ids=["file", "form", "form with two files"],
)
def test_an_uploaded_file_is_downloaded_below_its_resource(
    content_type: str, body: bytes, content: bytes
) -> None:
    """Its content is, if there is one, but not its preview; nothing of it is in lists, and it is deleted with it."""
    client = Client(contract(FILES, paths="").api)

    response = client.call("POST", "/files", raw=body, content_type=content_type)
    path = f"/files/{json.loads(response.body)['id']}"
    contents = [client.call("GET", f"{path}/{name}").body for name in ("content", "preview")]
    found = client.json("GET", "/files?q=AAEC")
    client.call("DELETE", path)

    assert contents == [content, b"Sample"]
    assert found == []
    assert client.call("GET", f"{path}/content").status == 404


BOATS = """\
paths:
  /boats:
    get:
      responses: {'200': {description: OK, content: {application/json: {schema: {
        type: array, items: {$ref: '#/components/schemas/Boat'}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
      responses: {'201': {description: Registered, content: {application/json: {schema: {
        $ref: '#/components/schemas/Boat'}}}}}
  /boats/{boat_id}:
    parameters: [{name: boat_id, in: path, required: true, schema: {type: string, format: uuid}}]
    get:
      responses: {'200': {description: OK, content: {application/json: {schema: {
        $ref: '#/components/schemas/Boat'}}}}}
  /boats/{boat_id}/archive:
    parameters: [{name: boat_id, in: path, required: true, schema: {type: string, format: uuid}}]
    post:
      responses: {'200': {description: Archived, content: {application/json: {schema: {
        $ref: '#/components/schemas/Boat'}}}}}
components:
  schemas:
    Boat:
      oneOf: [{$ref: '#/components/schemas/Sail'}, {$ref: '#/components/schemas/Motor'}]
      discriminator: {propertyName: kind}
      examples: [{kind: Sail, name: Tern}]
    Base:
      type: object
      required: [kind, name]
      properties:
        id: {type: string, format: uuid, readOnly: true}
        kind: {type: string}
        name: {type: string}
        status:
          type: string
          enum: [archived, moored]
          readOnly: true
          x-state-machine: {initial: [moored], transitions: [{from: moored, to: archived, on: sale}]}
    Sail: {allOf: [{$ref: '#/components/schemas/Base'}], properties: {kind: {const: Sail}}}
    Motor: {allOf: [{$ref: '#/components/schemas/Base'}], properties: {kind: {const: Motor}}}
"""


def test_resources_of_a_union_are_told_apart() -> None:
    """Each kind has the identifier that all kinds share."""
    boats = Client(api(BOATS))

    created = [
        boats.json("POST", "/boats", {"kind": kind, "name": name})
        for kind, name in (("Sail", "Tern"), ("Motor", "Otter"), ("Sail", "Gull"))
    ]

    assert len({boat["id"] for boat in created}) == 3
    assert [boats.json("GET", f"/boats/{boat['id']}") for boat in created] == created


def test_a_new_resource_has_its_first_state_if_the_example_of_its_schema_has_none() -> None:
    """Examples of a schema that requests use too leave out what only the server sets."""
    boats = Client(api(BOATS))
    boat = boats.json("POST", "/boats", {"kind": "Sail", "name": "Tern"})
    others = boats.json("GET", "/boats")

    archived = boats.call("POST", f"/boats/{boat['id']}/archive")

    assert boat["status"] == "moored"
    assert [other["status"] for other in others] == ["moored"] * len(others)
    assert archived.status == 200
    assert json.loads(archived.body)["status"] == "archived"


KITES = """\
paths:
  /kites:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {
        $ref: '#/components/schemas/Kite'}}}}}
  /kites/{kite_id}:
    parameters: [{name: kite_id, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {'200': {description: OK, content: {application/json: {schema: {
        $ref: '#/components/schemas/Kite'}}}}}
  /kites/{kite_id}:lock:
    parameters: [{name: kite_id, in: path, required: true, schema: {type: integer}}]
    post:
      responses:
        '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Kite'}}}}
        '409': {description: The kite is already locked.}
  /kites/{kite_id}:unlock:
    parameters: [{name: kite_id, in: path, required: true, schema: {type: integer}}]
    post:
      responses:
        '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Kite'}}}}
components:
  schemas:
    Kite:
      type: object
      required: [id, name, isLocked, isSafe, lockedAt]
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string}
        isLocked: {type: boolean, readOnly: true}
        isSafe: {type: boolean, readOnly: true}
        lockedAt: {type: [string, 'null'], format: date-time, readOnly: true}
"""


def test_an_action_sets_the_boolean_and_the_time_of_its_name() -> None:
    """Both are unset before it, and after it is undone. A second time, it is rejected if the contract says so."""
    kites = Client(api(KITES))
    new = kites.json("POST", "/kites", {"name": "Red"})
    path = f"/kites/{new['id']}"

    locked = json.loads(kites.call("POST", f"{path}:lock").body)
    again = kites.call("POST", f"{path}:lock").status
    unlocked = json.loads(kites.call("POST", f"{path}:unlock").body)

    assert [(kite["isLocked"], kite["lockedAt"]) for kite in (new, unlocked)] == [(False, None)] * 2
    assert locked["isLocked"] is True
    assert datetime.fromisoformat(locked["lockedAt"]) > START
    assert new["isSafe"] == locked["isSafe"] == unlocked["isSafe"]
    assert again == 409


def test_a_new_resource_is_empty_until_something_belongs_to_it() -> None:
    """Members that nobody has set are, and a count is one when a creation has named it, even if nothing else does."""
    gardens = Client(load_contract(GARDENS).api)
    new = gardens.json("POST", "/gardens", {"name": "Roses"})

    gardens.call("POST", "/beds", {"gardenId": new["id"], "title": "Herbs"})

    assert (new["labels"], new["bedCount"]) == ({}, 0)
    assert gardens.json("GET", f"/gardens/{new['id']}")["bedCount"] == 1


def test_the_name_of_a_resource_is_the_end_of_its_address() -> None:
    """Its name leads to it (AIP-122), below another resource too, and in lists."""
    client = Client(load_contract(FESTIVALS).api)
    festival = client.json("POST", "/v1/festivals", {"title": "open air", "capacity": 500})
    sold = client.json("POST", f"/v1/{festival['name']}/passes", {"holder": "Ada", "days": 3})

    assert re.fullmatch(r"festivals/[^/]+", festival["name"])
    assert re.fullmatch(rf"{festival['name']}/passes/[^/]+", sold["name"])
    assert client.json("GET", f"/v1/{sold['name']}") == sold
    names = [item["name"] for item in client.json("GET", "/v1/festivals")["festivals"]]
    assert festival["name"] in names
    assert len({*names}) == len(names)


def test_a_request_id_in_the_query_is_an_idempotency_key() -> None:
    """The description of the parameter says so (AIP-155)."""
    client = Client(load_contract(FESTIVALS).api)
    path = "/v1/festivals?requestId=5d5f2f1e-2b6e-4c8e-9b0e-52a1c0ffee00"
    first, again = (client.json("POST", path, {"title": "open air", "capacity": 500}) for _ in range(2))

    assert first == again
