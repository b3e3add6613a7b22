"""Lists page, filter and sort by the parameters that the contract documents."""

import json
from datetime import timedelta
from urllib.parse import quote

import pytest

from tests.contract.inline import api
from tests.mock.contracts import Client, client_of


@pytest.fixture(name="orders")
def _orders() -> Client:
    client = client_of("orders")
    for number in range(6):
        client.json("POST", "/v1/orders", {"product": f"Tea {number}", "quantity": (number * 7) % 10 + 1})
    return client


def test_pages_have_each_item_once(orders: Client) -> None:
    """By the cursor of the response, in one order, until there is none."""
    shown, query = [], "limit=2"
    while query:
        page = orders.json("GET", f"/v1/orders?{query}")
        shown += [item["id"] for item in page["data"]]
        assert page["total_count"] == 7
        query = f"limit=2&cursor={page['next_cursor']}" if page["next_cursor"] else ""

    assert len(shown) == len(set(shown)) == 7


def test_a_cursor_goes_on_after_a_deletion(orders: Client) -> None:
    """Items that were not shown are not skipped."""
    first = orders.json("GET", "/v1/orders?limit=3")
    orders.call("DELETE", f"/v1/orders/{first['data'][0]['id']}")
    rest = orders.json("GET", f"/v1/orders?limit=50&cursor={first['next_cursor']}")

    assert len(rest["data"]) == 4


def test_a_cursor_of_nobody_is_refused(orders: Client) -> None:
    """It is no cursor of this list."""
    assert orders.call("GET", "/v1/orders?cursor=nonsense").status == 400


def test_the_default_of_the_contract_is_the_size_of_a_page(orders: Client) -> None:
    """Without a limit, and with one."""
    for _ in range(6):
        orders.json("POST", "/v1/orders", {"product": "Milk", "quantity": 1})

    assert len(orders.json("GET", "/v1/orders")["data"]) == 10
    assert len(orders.json("GET", "/v1/orders?limit=4")["data"]) == 4


def test_filters_choose_by_value_and_by_time(orders: Client) -> None:
    """A member of the name of the parameter, and a bound of a time."""
    placed = orders.json("GET", "/v1/orders?limit=50")["data"][3]["id"]
    orders.json("POST", f"/v1/orders/{placed}/place")
    late = orders.now + timedelta(hours=1)
    orders.now = late
    new = orders.json("POST", "/v1/orders", {"product": "Late", "quantity": 1})["id"]

    by_state = orders.json("GET", "/v1/orders?status=placed")
    by_time = orders.json("GET", f"/v1/orders?created_after={quote(late.isoformat())}")

    assert [item["id"] for item in by_state["data"]] == [placed]
    assert by_state["total_count"] == 1
    assert [item["id"] for item in by_time["data"]] == [new]


def test_orders_go_both_ways(orders: Client) -> None:
    """`quantity` and `-quantity`, across pages."""
    up, down = (
        [item["quantity"] for item in orders.json("GET", f"/v1/orders?limit=50&sort={order}")["data"]]
        for order in ("quantity", "-quantity")
    )

    assert up == sorted(up)
    assert down == sorted(down, reverse=True)
    assert len(set(up)) > 3


def test_numbered_pages_state_their_numbers() -> None:
    """The page, the total, and how many pages there are; names are compared without case and separators."""
    shop = client_of("shop")
    for name in ("Cy", "Al", "Bo", "Di", "Ed", "Fi"):
        shop.json("POST", "/api/customers", {"fullName": name}, X_Api_Key="mock_token")
    page = shop.json(
        "GET", "/api/customers?page=2&pageSize=3&sortBy=fullName&sortOrder=desc", X_Api_Key="mock_token"
    )

    assert (page["page"], page["totalCount"], page["totalPages"]) == (2, 7, 3)
    assert [item["fullName"] for item in page["items"]][1:] == sorted(
        [item["fullName"] for item in page["items"]][1:], reverse=True
    )


def test_identifiers_are_cursors_where_nothing_else_is() -> None:
    """`starting_after` takes the last identifier, `has_more` tells whether to go on; newest first, as described."""
    journal = client_of("journal")
    for slug in ("a", "b", "c", "d"):
        journal.call("PUT", f"/entries/{slug}", {"text": slug}, token=None)
    first = journal.json("GET", "/entries")
    second = journal.json("GET", f"/entries?starting_after={first['data'][-1]['slug']}")

    assert [item["slug"] for item in first["data"]] == ["d", "c", "b"]
    assert first["has_more"] is True
    assert next(item["slug"] for item in second["data"]) == "a"
    assert second["has_more"] is False


def test_offsets_skip() -> None:
    """FastAPI's `skip` and `limit`."""
    fastapi = client_of("fastapi")
    ids = [fastapi.json("POST", "/items/", {"title": "A", "price": 1})["id"] for _ in range(4)]

    assert [item["id"] for item in fastapi.json("GET", "/items/?skip=2&limit=2")] == ids[1:3]


def test_a_stream_has_items_on_lines() -> None:
    """`itemSchema` of OAS 3.2."""
    response = client_of("journal").call("GET", "/feed", token=None)

    assert response.header("Content-Type") == "application/jsonl"
    assert all("slug" in json.loads(line) for line in response.body.splitlines())


SCANS = """\
paths:
  /scans:
    get:
      responses:
        '200':
          description: All
          content:
            application/json:
              schema:
                type: array
                items: {type: object, required: [id], properties: {id: {type: integer, example: 123}}}
    post:
      responses:
        '201': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Scan'}}}}
  /scans/{docId}:
    parameters: [{name: docId, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        '200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Scan'}}}}
        '404': {description: There is none}
components:
  schemas:
    Scan: {type: object, required: [docId], properties: {docId: {type: integer}, task: {type: string}}}
"""


def test_items_name_their_identifier_as_their_schema_does() -> None:
    """A resource has `docId`, and its list `id`."""
    client = Client(api(SCANS))
    new = [client.json("POST", "/scans")["docId"] for _ in range(3)]

    assert [item["id"] for item in client.json("GET", "/scans")][-3:] == new


def test_a_number_in_a_path_can_be_a_text_in_representations() -> None:
    """Both have to allow each new identifier."""
    groups = SCANS.replace("properties: {docId: {type: integer}", "properties: {docId: {type: string}")
    client = Client(api(groups))
    new = [client.json("POST", "/scans")["docId"] for _ in range(3)]

    assert len({*new}) == 3
    assert all(isinstance(text, str) and text.isdigit() for text in new)
    assert client.json("GET", f"/scans/{new[1]}")["docId"] == new[1]


PAGES_IN_OBJECTS = """\
paths:
  /events:
    get:
      parameters:
        - {name: after, in: query, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1}}
      responses:
        '200':
          description: A page
          content:
            application/json:
              schema:
                type: object
                required: [results]
                properties:
                  results: {type: array, items: {$ref: '#/components/schemas/Event'}}
                  self: &link {type: string, format: uri}
                  paging:
                    type: object
                    properties:
                      next: {type: object, required: [after], properties: {after: {type: string}, link: *link}}
                      prev: {type: object, required: [before], properties: {before: {type: string}, link: *link}}
components:
  schemas:
    Event: {type: object, required: [id], properties: {id: {type: string}}}
"""


def test_cursors_and_links_in_objects() -> None:
    """`paging.next` has the cursor of the next page and its address; on the last page there is no such object."""
    client = Client(api(PAGES_IN_OBJECTS))

    first = client.json("GET", "/events?limit=2")
    after = first["paging"]["next"]["after"]
    last = client.json("GET", f"/events?limit=2&after={after}")

    assert first["paging"]["next"]["link"].endswith(f"after={after}")
    assert "prev" not in first["paging"]
    assert "next" not in last["paging"]
    assert len({event["id"] for event in (*first["results"], *last["results"])}) == 3


def linked_pages(way: str) -> Client:
    """Return a client of a mock whose lists have links to their pages, which are asked for in a way."""
    link = "{type: object, required: [href], properties: {href: {type: string}}}"
    links = ", ".join(f"{name}: {link}" for name in ("first", "last", "prev", "next", "self"))
    items = "{type: array, items: {type: object, properties: {id: {type: string}}}}"
    members = f"{{_links: {{type: object, properties: {{{links}}}}}, items: {items}}}"
    schema = f"{{type: object, required: [items], properties: {members}}}"
    limit = "{name: limit, in: query, schema: {type: integer, minimum: 1}}"
    content = f"{{application/json: {{schema: {schema}}}}}"
    answers = f"responses: {{'200': {{description: A page, content: {content}}}}}"
    return Client(api(f"paths: {{/a: {{get: {{parameters: [{way}, {limit}], {answers}}}}}}}\n"))


@pytest.mark.parametrize(
    ("way", "second", "last"),
    [
        ("{name: page, in: query, schema: {type: integer, minimum: 1}}", "page=2", "page=2"),
        ("{name: offset, in: query, schema: {type: integer, minimum: 0}}", "offset=2", "offset=2"),
    ],
)
def test_links_to_the_first_and_the_last_page(way: str, second: str, last: str) -> None:
    """They lead to pages, from whichever page."""
    client = linked_pages(way)

    links = client.json("GET", f"/a?limit=2&{second}")["_links"]
    first_page, last_page = (
        client.json("GET", links[name]["href"].removeprefix("http://127.0.0.1:8080"))
        for name in ("first", "last")
    )

    assert links["first"]["href"].endswith("/a?limit=2")
    assert links["last"]["href"].endswith(f"/a?limit=2&{last}")
    assert (len(first_page["items"]), len(last_page["items"])) == (2, 1)


def test_a_cursor_leads_to_the_first_page_without_it() -> None:
    client = linked_pages("{name: cursor, in: query, schema: {type: string}}")
    following = client.json("GET", "/a?limit=2")["_links"]["next"]["href"].removeprefix(
        "http://127.0.0.1:8080"
    )

    assert client.json("GET", following)["_links"]["first"]["href"].endswith("/a?limit=2")


@pytest.mark.parametrize(
    ("name", "first", "second"), [("page", "page=1", "page=2"), ("offset", "offset=0", "offset=2")]
)
def test_the_first_page_is_asked_for_by_a_required_parameter(name: str, first: str, second: str) -> None:
    """A link without it would be refused."""
    client = linked_pages(f"{{name: {name}, in: query, required: true, schema: {{type: integer}}}}")

    links = client.json("GET", f"/a?limit=2&{second}")["_links"]

    assert links["first"]["href"].endswith(f"/a?limit=2&{first}")


STREETS = """\
paths:
  /streets:
    get:
      parameters:
        - name: name
          in: query
          description: Only streets whose name starts with this text. Case does not matter.
          schema: {type: string}
        - {name: note, in: query, description: Only streets whose note contains this text., schema: {type: string}}
      responses:
        '200':
          description: A
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Street'}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Street'}}}}
      responses:
        '201': {description: A, content: &street {application/json: {schema: {$ref: '#/components/schemas/Street'}}}}
  /streets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: A, content: *street}, '404': {description: N}}}
components:
  schemas:
    Street:
      type: object
      properties: {id: {type: string, readOnly: true}, name: {type: string}, note: {type: string}}
"""


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("name=MAIN", {"Main Road", "Main Street"}),
        ("name=Street", set()),
        ("note=ee", {"Old Main Street"}),
        ("note=EE", set()),
    ],
)
def test_a_filter_compares_texts_as_its_description_says(query: str, names: set[str]) -> None:
    """By their beginning or a part of them, with or without case."""
    client = Client(api(STREETS))
    for name, note in (("Main Road", "long"), ("Main Street", "wide"), ("Old Main Street", "steep")):
        client.json("POST", "/streets", {"name": name, "note": note})

    assert {street["name"] for street in client.json("GET", f"/streets?{query}")} == names


@pytest.mark.parametrize(("is_asked", "first"), [(False, 0), (True, 1)])
def test_a_page_of_spring_data_counts_from_zero(is_asked: bool, first: int) -> None:  # noqa: FBT001 - a case
    """Unless requests ask for pages by numbers that begin with 1. Its flags say what is on it."""
    item = "{type: object, required: [id], properties: {id: {type: integer}}}"
    page = (
        f"{{type: object, properties: {{content: {{type: array, items: {item}}}, number: {{type: integer}}, "
        "totalElements: {type: integer}, totalPages: {type: integer}, first: {type: boolean}, "
        "last: {type: boolean}, empty: {type: boolean}}}"
    )
    asked = "{name: page, in: query, schema: {type: integer, default: 1}}, " * is_asked
    client = Client(
        api(f"""\
paths:
  /things:
    get:
      parameters: [{asked}{{name: size, in: query, schema: {{type: integer}}}}]
      responses: {{'200': {{description: Some, content: {{application/json: {{schema: {page}}}}}}}}}
    post:
      requestBody: {{content: {{application/json: {{schema: {{type: object}}}}}}}}
      responses: {{'201': {{description: One, content: {{application/json: {{schema: {item}}}}}}}}}
  /things/{{id}}:
    parameters: [{{name: id, in: path, required: true, schema: {{type: integer}}}}]
    get: {{responses: {{'200': {{description: One, content: {{application/json: {{schema: {item}}}}}}}}}}}
""")
    )
    client.json("POST", "/things", {})

    pages = [client.json("GET", f"/things?size=1&page={number}") for number in (1, 3)]

    assert pages[0]["number"] == first
    assert [page["empty"] for page in pages] == [False, is_asked]


def test_an_object_in_a_query_pages_and_sorts_by_its_members() -> None:
    """As springdoc describes `Pageable`: on the wire its members are parameters."""
    item = "{type: object, required: [id, rank], properties: {id: {type: integer}, rank: {type: integer}}}"
    sort = "{type: object, properties: {sorted: {type: boolean}, empty: {type: boolean}}}"
    page = (
        f"{{type: object, properties: {{content: {{type: array, items: {item}}}, number: {{type: integer}}, "
        f"totalElements: {{type: integer}}, sort: {sort}}}}}"
    )
    pageable = (
        "{type: object, properties: {page: {type: integer, minimum: 0}, size: {type: integer, minimum: 1}, "
        "sort: {type: array, items: {type: string}}}}"
    )
    client = Client(
        api(f"""\
paths:
  /things:
    get:
      parameters: [{{name: pageable, in: query, schema: {pageable}}}]
      responses: {{'200': {{description: Some, content: {{application/json: {{schema: {page}}}}}}}}}
    post:
      requestBody: {{content: {{application/json: {{schema: {item}}}}}}}
      responses: {{'201': {{description: One, content: {{application/json: {{schema: {item}}}}}}}}}
  /things/{{id}}:
    parameters: [{{name: id, in: path, required: true, schema: {{type: integer}}}}]
    get: {{responses: {{'200': {{description: One, content: {{application/json: {{schema: {item}}}}}}}}}}}
""")
    )
    for number in range(60, 65):
        client.json("POST", "/things", {"id": number, "rank": 1000 - number})

    first = client.json("GET", "/things?page=0&size=2&sort=rank,desc")
    second = client.json("GET", "/things?page=1&size=2&sort=rank,desc")
    whole = client.json("GET", "/things")

    assert client.json("GET", "/things?page=0&size=2&sort=rank,desc&sort=id") == first
    assert [thing["rank"] for thing in (*first["content"], *second["content"])] == [940, 939, 938, 937]
    assert (first["number"], second["number"], second["totalElements"]) == (0, 1, len(whole["content"]))
    assert (first["sort"], whole["sort"]) == (
        {"sorted": True, "empty": False},
        {"sorted": False, "empty": True},
    )
    assert client.call("GET", "/things?page=-1").status == 400


PETS = """
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - {name: kind, in: query, schema: {anyOf: [{enum: [cat, dog]}, {type: 'null'}]}}
        - {name: breed, in: query, schema: {type: string}}
        - {name: tag, in: query, schema: {type: string}}
        - {name: 'filter[owner]', in: query, schema: {type: string}}
      responses:
        '200':
          description: Pets
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}
    post:
      operationId: createPet
      requestBody:
        required: true
        content:
          application/json:
            schema:
              allOf: [{$ref: '#/components/schemas/Pet'}]
              properties: {owner: {type: string}}
      responses:
        '201': {description: Pet, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  /pets/{id}:
    get:
      operationId: readPet
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200': {description: Pet, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
components:
  schemas:
    Pet:
      oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
      discriminator: {propertyName: kind, mapping: {cat: Cat, dog: Dog}}
    Cat:
      type: object
      required: [kind]
      properties: {id: {type: integer, readOnly: true}, kind: {const: cat}, tags: {type: array, items: {type: string}}}
    Dog:
      type: object
      required: [kind]
      properties: {id: {type: integer, readOnly: true}, kind: {const: dog}, breed: {type: string}}
""".lstrip()


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("kind=dog", ["dog", "dog"]),
        ("breed=collie", ["dog"]),
        ("tag=old", ["cat"]),
        ("filter[owner]=ann", ["dog"]),
        ("filter[owner]=ann&kind=cat", []),
    ],
)
def test_filter_is_about_what_one_kind_of_item_or_only_a_request_has(query: str, kinds: list[str]) -> None:
    """The members of a branch of a union, one item of a list, and what a creation names but no response shows."""
    client = Client(api(PETS))
    pets = (
        {"kind": "cat", "tags": ["old", "black"]},
        {"kind": "dog", "breed": "collie", "owner": "ann"},
        {"kind": "dog", "breed": "poodle"},
    )
    created = {client.json("POST", "/pets", pet)["id"] for pet in pets}

    found = [pet["kind"] for pet in client.json("GET", f"/pets?{query}") if pet["id"] in created]

    assert found == kinds


PRICES = """\
paths:
  /offers:
    get:
      parameters:
        - {name: min_price, in: query, schema: {type: string}}
        - {name: sort, in: query, schema: {type: string}}
      responses: {'200': {description: A, content: {application/json: {schema:
        {type: array, items: {$ref: '#/components/schemas/Offer'}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Offer'}}}}
      responses: {'201': {description: A, content: {application/json: {schema:
        {$ref: '#/components/schemas/Offer'}}}}}
  /offers/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: A, content: {application/json: {schema:
        {$ref: '#/components/schemas/Offer'}}}}}
components:
  schemas:
    Offer: {type: object, properties: {id: {type: integer, readOnly: true}, price: PRICE}}
"""
TEXT = "{type: string, pattern: '^[0-9.]+$', example: '0.10'}"
MONEY = "{type: object, properties: {amount: TEXT, currency: {type: string, example: EUR}}}".replace(
    "TEXT", TEXT
)


@pytest.mark.parametrize("price", [TEXT, MONEY], ids=["text", "object"])
def test_amounts_in_texts_are_numbers(price: str) -> None:
    """In bounds and in orders, alone and with their currency."""
    client = Client(api(PRICES.replace("PRICE", price)))
    for amount in ("9.90", "120.00", "10.00"):
        money = {"amount": amount, "currency": "EUR"} if price is MONEY else amount
        client.json("POST", "/offers", {"price": money})

    def prices(query: str) -> list[str]:
        found = [item["price"] for item in client.json("GET", f"/offers?{query}")]
        return [item["amount"] if isinstance(item, dict) else item for item in found]

    assert prices("min_price=9.95") == ["120.00", "10.00"]
    assert prices("sort=-price")[:3] == ["120.00", "10.00", "9.90"]


SHEETS = """\
paths:
  /sheets:
    get:
      parameters:
        - {name: from, in: query, schema: WEEK}
        - {name: to, in: query, schema: WEEK}
      responses: {'200': {description: A, content: {application/json: {schema:
        {type: array, items: {$ref: '#/components/schemas/Sheet'}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Sheet'}}}}
      responses: {'201': {description: A, content: {application/json: {schema:
        {$ref: '#/components/schemas/Sheet'}}}}}
components:
  schemas:
    Week: {type: string, pattern: '^[0-9]{4}-W[0-9]{2}$'}
    Sheet: {type: object, properties: {id: {type: integer, readOnly: true}, hours: {type: number}, period: WEEK}}
"""


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ("{$ref: '#/components/schemas/Week'}", ("2025-W52", "2026-W05", "2026-W06")),
        ("{type: string, format: date}", ("2025-12-31", "2026-01-05", "2026-02-01")),
    ],
    ids=["weeks", "days"],
)
def test_bounds_without_a_name_are_of_the_member_like_them(schema: str, values: tuple[str, ...]) -> None:
    """It has their schema, or their format, and there is no other."""
    client = Client(api(SHEETS.replace("WEEK", schema)))
    for value in values:
        client.json("POST", "/sheets", {"period": value})

    def periods(query: str) -> list[str]:
        return [item["period"] for item in client.json("GET", f"/sheets?{query}") if item["period"] in values]

    assert periods(f"from={values[1]}") == [*values[1:]]
    assert periods(f"from={values[0]}&to={values[1]}") == [*values[:2]]
