"""What a PUT adds below a resource is in the list that the resource has of it."""

from tests.contract.inline import api
from tests.mock.contracts import Client

CONTRACT = """\
paths:
  /contacts:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Contact'}}}}
      responses: {'201': {description: A, content: {application/json: {schema:
        {$ref: '#/components/schemas/Contact'}}}}}
  /contacts/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: A, content: {application/json: {schema:
      {$ref: '#/components/schemas/Contact'}}}}, '404': {description: N}}}
  /contacts/{id}/tags/{tag}:
    parameters: [*id, {name: tag, in: path, required: true, schema: {type: string}}]
    put: {responses: {'204': {description: A}, '404': {description: The contact does not exist.}}}
    delete: {responses: {'204': {description: A}, '404': {description: N}}}
components:
  schemas:
    Contact:
      type: object
      properties: {id: {type: integer, readOnly: true}, tags: {type: array, items: {type: string}}}
"""


def test_what_is_put_is_listed() -> None:
    """Once, until it is deleted; the 404 of the PUT is about the resource above."""
    client = Client(api(CONTRACT))
    address = f"/contacts/{client.json('POST', '/contacts', {'tags': ['vip']})['id']}"

    def change(method: str, tag: str) -> tuple[int, list[str]]:
        status = client.call(method, f"{address}/tags/{tag}").status
        return status, client.json("GET", address)["tags"]

    assert change("PUT", "new") == (204, ["vip", "new"])
    assert change("PUT", "new") == (204, ["vip", "new"])
    assert change("DELETE", "vip") == (204, ["new"])
    assert change("DELETE", "vip") == (404, ["new"])
    assert client.call("PUT", "/contacts/999999/tags/new").status == 404


def test_a_list_of_objects_gets_no_text() -> None:
    """It is empty, so that its items cannot be seen: its schema has them."""
    contract = CONTRACT.replace(
        "tags: {type: array, items: {type: string}}", "tags: {type: array, items: {type: object}}"
    )
    client = Client(api(contract))
    address = f"/contacts/{client.json('POST', '/contacts', {'tags': []})['id']}"

    assert client.call("PUT", f"{address}/tags/new").status == 204
    assert client.json("GET", address)["tags"] == []


def test_an_update_below_a_resource_creates_nothing() -> None:
    """Its 404 is about what it updates."""
    client = Client(api(CONTRACT.replace("put: {", "put: {summary: Update a tag, ")))
    address = f"/contacts/{client.json('POST', '/contacts', {'tags': ['vip']})['id']}"

    assert client.call("PUT", f"{address}/tags/new").status == 404
