"""Lists of what belongs to a resource, if its items have a path of their own."""

import pytest

from tests.contract.inline import api
from tests.mock.contracts import Client

SHOP = """\
paths:
  /customers:
    post:
      responses: {'201': {description: New, content: {application/json: {schema: {$ref: '#/components/schemas/C'}}}}}
  /customers/{customer_id}:
    parameters: [{name: customer_id, in: path, required: true, schema: {type: string}, example: c1}]
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/C'}}}}
        '404': {description: None}
  /customers/{id}/orders:
    get:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: size, in: query, schema: {type: string}}
      responses:
        '200': {description: All, content: {application/json: {schema: {
          type: array, items: {$ref: '#/components/schemas/Order'}}}}}
        '404': {description: None}
  /orders/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
        '404': {description: None}
CREATION
components:
  schemas:
    C: {type: object, required: [id], properties: {id: {type: string, readOnly: true}}}
    Order:
      type: object
      required: [id, size]
      properties: {id: {type: string, readOnly: true}, size: {type: string}, MEMBER: {type: string}}
"""
CREATION = """\
  /orders:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
      responses: {'201': {description: New, content: {application/json: {schema: {
        $ref: '#/components/schemas/Order'}}}}}
"""


def shop(member: str = "customerId", creation: str = CREATION) -> Client:
    """Return a client of a shop whose orders have a member for the customer."""
    return Client(api(SHOP.replace("CREATION\n", creation).replace("MEMBER", member)))


def test_a_name_that_any_type_may_have_refers_to_none() -> None:
    """`/customers/{name}` is named by `name`, and so is an order."""
    text = SHOP.replace("customer_id", "name").replace("{id}/orders", "{name}/orders")
    text = (
        text.replace("CREATION\n", CREATION)
        .replace("size", "name")
        .replace("name: id, in", "name: name, in", 1)
    )
    client = Client(api(text.replace("MEMBER", "customerName")))
    customer = client.json("POST", "/customers")["id"]
    client.json("POST", "/orders", {"name": "S", "customerName": customer})

    assert [order["name"] for order in client.json("GET", f"/customers/{customer}/orders")] == ["S"]


@pytest.mark.parametrize("member", ["customerId", "customer_id", "customer"])
def test_the_list_of_one_has_what_refers_to_it(member: str) -> None:
    """Filtered as any other list; a new one has nothing, and one that does not exist has no list."""
    client = shop(member)
    first, other, idle = (client.json("POST", "/customers")["id"] for _ in range(3))
    for size, owner in (("S", first), ("M", first), ("S", other)):
        client.json("POST", "/orders", {"size": size, member: owner})

    def sizes(path: str) -> list[str]:
        return [order["size"] for order in client.json("GET", path)]

    assert sizes(f"/customers/{first}/orders") == ["S", "M"]
    assert sizes(f"/customers/{first}/orders?size=M") == ["M"]
    assert sizes(f"/customers/{other}/orders") == ["S"]
    assert sizes(f"/customers/{idle}/orders") == []
    assert client.call("GET", "/customers/nobody/orders").status == 404


def test_a_new_mock_has_one_order_of_its_customer() -> None:
    """The sample of the member names no customer; what exists does."""
    client = shop()
    (order,) = client.json("GET", "/customers/c1/orders")

    assert client.json("GET", f"/orders/{order['id']}") == order


def test_what_nobody_creates_is_in_the_list_of_any() -> None:
    """With a member that refers to nobody."""
    client = shop(member="note", creation="")
    customer = client.json("POST", "/customers")["id"]

    assert len(client.json("GET", f"/customers/{customer}/orders")) == 3
