"""Resources of HAL as Spring Data REST has them: without their identifier, and with links of any name."""

from urllib.parse import urlsplit

from tests.contract.inline import api
from tests.mock.contracts import Client

CUSTOMERS = """
paths:
  /customers:
    get:
      parameters: [{name: page, in: query, schema: {type: integer, default: 0}},
        {name: size, in: query, schema: {type: integer, default: 20}}]
      responses:
        '200': {description: Customers, content: {application/hal+json: {schema: {type: object, properties: {
          _embedded: {type: object, properties: {customers: {type: array, items: &customer {type: object, properties: {
            name: {type: string}, _links: {$ref: '#/components/schemas/Links'}}}}}},
          _links: {$ref: '#/components/schemas/Links'}, page: {type: object, properties: {
            size: {type: integer}, totalElements: {type: integer}, number: {type: integer}}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'201': {description: Created, content: {application/hal+json: {schema: *customer}}}}
  /customers/{id}:
    get: &read
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A customer, content: {application/hal+json: {schema: *customer}}}}
    put:
      <<: *read
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
components:
  schemas:
    Links: {type: object, additionalProperties: {type: object, properties: {href: {type: string}}}}
""".lstrip()


def test_names_are_no_identifiers_of_resources_with_links() -> None:
    """Two may have the same name, and a name can be changed: the link of a resource to itself stays."""
    client = Client(api(CUSTOMERS))

    first, second = (client.json("POST", "/customers", {"name": "Ann"}) for _ in range(2))
    path = urlsplit(first["_links"]["self"]["href"]).path
    changed = client.json("PUT", path, {"name": "Eve"})

    assert first["_links"] != second["_links"]
    assert (changed["name"], client.json("GET", path)["_links"]) == ("Eve", first["_links"])


def test_links_of_any_name_lead_to_other_pages() -> None:
    """The last page has no next one."""
    client = Client(api(CUSTOMERS))
    client.application.state.clear()
    for name in ("Ann", "Bob", "Cy"):
        client.json("POST", "/customers", {"name": name})

    first = client.json("GET", "/customers?size=2")
    following = urlsplit(first["_links"]["next"]["href"])
    second = client.json("GET", f"{following.path}?{following.query}")

    assert [item["name"] for item in second["_embedded"]["customers"]] == ["Cy"]
    assert {*first["_links"]} == {"self", "next", "last"}
    assert {*second["_links"]} == {"self", "prev", "last"}
