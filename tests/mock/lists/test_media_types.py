"""A list is the same in each media type that the contract documents for it, in the shape that it has there."""

import json

import pytest

from tests.contract.inline import api
from tests.mock.contracts import Client

BOOKS = """\
paths:
  /books:
    get:
      parameters:
        - {name: page, in: query, schema: {type: integer, default: 1}}
        - {name: itemsPerPage, in: query, schema: {type: integer, default: 30}}
        - {name: title, in: query, schema: {type: string}}
        - {name: 'title[]', in: query, schema: {type: array, items: {type: string}}}
        - {name: 'order[title]', in: query, schema: {type: string, enum: [asc, desc]}}
      responses:
        '200':
          description: Books
          content:
            application/ld+json:
              schema:
                type: object
                required: ['hydra:member']
                properties:
                  hydra:member: {type: array, items: {$ref: '#/components/schemas/Book'}}
                  hydra:totalItems: {type: integer}
                  hydra:view:
                    type: object
                    properties:
                      '@id': {type: string, format: iri-reference}
                      hydra:first: {type: string, format: iri-reference}
                      hydra:next: {type: string, format: iri-reference}
            application/hal+json:
              schema:
                type: object
                required: [_links, _embedded]
                properties:
                  _embedded:
                    type: object
                    properties: {item: {type: array, items: {$ref: '#/components/schemas/Book'}}}
                  totalItems: {type: integer}
                  _links:
                    type: object
                    properties:
                      self: {$ref: '#/components/schemas/Address'}
                      next: {$ref: '#/components/schemas/Address'}
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Book'}}}
            application/x-ndjson: {schema: {type: array, items: {$ref: '#/components/schemas/Book'}}}
            text/csv: {schema: {type: array, items: {$ref: '#/components/schemas/Book'}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
      responses:
        '201': {description: Created, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
  /books/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200': {description: A book, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
        '404': {description: None}
components:
  schemas:
    Book: {type: object, required: [title], properties: {id: {type: integer, readOnly: true}, title: {type: string}}}
    Address: {type: object, properties: {href: {type: string, format: uri-reference}}}
"""


@pytest.fixture(name="books")
def _books() -> Client:
    client = Client(api(BOOKS))
    for title in ("Emma", "Dune"):
        client.json("POST", "/books", {"title": title})
    return client


def test_a_list_has_what_was_created_in_each_media_type(books: Client) -> None:
    """Around the items are the members of that media type."""
    plain = books.json("GET", "/books", accept="application/json")
    linked = books.json("GET", "/books", accept="application/ld+json")
    embedded = books.json("GET", "/books", accept="application/hal+json")

    assert len(plain) == 3
    assert linked["hydra:member"] == embedded["_embedded"]["item"] == plain
    assert linked["hydra:totalItems"] == embedded["totalItems"] == 3


def test_each_media_type_leads_to_the_next_page(books: Client) -> None:
    """By its links; the last page has none."""
    first = books.json("GET", "/books?itemsPerPage=2", accept="application/ld+json")["hydra:view"]
    last = books.json("GET", "/books?itemsPerPage=2&page=2", accept="application/ld+json")["hydra:view"]
    links = books.json("GET", "/books?itemsPerPage=2", accept="application/hal+json")["_links"]

    assert first == {
        "@id": "http://127.0.0.1:8080/books?itemsPerPage=2",
        "hydra:first": "http://127.0.0.1:8080/books?itemsPerPage=2",
        "hydra:next": "http://127.0.0.1:8080/books?itemsPerPage=2&page=2",
    }
    assert "hydra:next" not in last
    assert links["next"]["href"] == first["hydra:next"]


def test_tables_and_lines_have_an_item_each(books: Client) -> None:
    """A table has the names in its first row."""
    table = books.call("GET", "/books?title=Dune", accept="text/csv").body.decode()
    lines = books.call("GET", "/books", accept="application/x-ndjson").body.splitlines()

    assert [row.split(",")[-1] for row in table.splitlines()] == ["title", "Dune"]
    assert [json.loads(line)["title"] for line in lines][1:] == ["Emma", "Dune"]


def test_names_with_brackets_are_parameters_of_their_own(books: Client) -> None:
    """`title[]` beside `title`, and `order[title]`."""
    chosen = books.json("GET", "/books?title%5B%5D=Dune&title%5B%5D=Emma", accept="application/json")
    titles = [
        book["title"] for book in books.json("GET", "/books?order%5Btitle%5D=desc", accept="application/json")
    ]

    assert [book["title"] for book in chosen] == ["Emma", "Dune"]
    assert titles == sorted(titles, reverse=True)


STREAM = """\
paths:
  /events:
    get:
      responses:
        '200':
          description: Events
          content:
            text/event-stream:
              schema:
                type: array
                minItems: 2
                items:
                  type: object
                  required: [data, event]
                  properties: {event: {const: tick}, data: {type: object, properties: {n: {type: integer}}}}
"""


def test_a_stream_that_is_described_as_an_array_has_an_event_for_each_item() -> None:
    """The array is the stream, not the data of one event (OAS 3.2.0 §4.14.4)."""
    sent = Client(api(STREAM, version="3.1.0")).call("GET", "/events").body.decode()

    events = [block.splitlines() for block in sent.strip().split("\n\n")]
    assert len(events) == 2
    assert all(lines[0] == "event: tick" and lines[1].startswith('data: {"n":') for lines in events)


WIDGETS = """\
paths:
  /widgets:
    get:
      parameters:
        - {name: top, in: query, schema: {type: integer}}
        - {name: skip, in: query, schema: {type: integer, minimum: 0, default: 0}}
      responses:
        '200':
          description: Widgets
          content:
            application/json:
              schema:
                type: object
                required: [value]
                properties:
                  value: {type: array, items: {$ref: '#/components/schemas/Widget'}}
                  nextLink: {type: string, format: uri}
  /widgets/{widgetName}:
    parameters: [{name: widgetName, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200': {description: A widget, content: {application/json: {schema: {$ref: '#/components/schemas/Widget'}}}}
        default: {description: An error}
    patch:
      requestBody: {content: {application/merge-patch+json: {schema: {$ref: '#/components/schemas/Widget'}}}}
      responses:
        '200': {description: Changed, content: {application/json: {schema: {$ref: '#/components/schemas/Widget'}}}}
        '201': {description: Created, content: {application/json: {schema: {$ref: '#/components/schemas/Widget'}}}}
        default: {description: An error}
components:
  schemas:
    Widget:
      type: object
      required: [name]
      properties:
        name: {type: string, readOnly: true}
        maker: {type: string}
        tags: {type: object, additionalProperties: {type: string, nullable: true}}
"""


def test_a_merge_patch_creates_what_documents_a_creation() -> None:
    """At its address, without the members that it removes (RFC 5789 §2); a second one changes it."""
    client = Client(api(WIDGETS, version="3.0.3"))
    patch = {"maker": "m", "tags": {"a": "b", "c": None}}
    first, second = (
        client.call("PATCH", "/widgets/new", body, content_type="application/merge-patch+json")
        for body in (patch, {"maker": "n"})
    )

    assert (first.status, second.status) == (201, 200)
    assert json.loads(first.body) == {"name": "new", "maker": "m", "tags": {"a": "b"}}
    assert client.json("GET", "/widgets/new")["maker"] == "n"


SKIP = "        - {name: skip, in: query, schema: {type: integer, minimum: 0, default: 0}}\n"


@pytest.mark.parametrize("without", ["", SKIP])
def test_next_link_leads_to_the_next_page_until_the_last(without: str) -> None:
    """As of Azure and others, whose lists have no cursor; some have no other parameter than the size of a page."""
    client = Client(api(WIDGETS.replace(without, ""), version="3.0.3"))
    count = len(client.json("GET", "/widgets")["value"])
    pages, path = 0, "/widgets?top=1"
    while path:
        page = client.json("GET", path)
        pages, path = pages + 1, page.get("nextLink", "").removeprefix("http://127.0.0.1:8080")

    assert pages == count > 1


SPARSE = """\
paths:
  /notes:
    get:
      parameters: [{name: select, in: query, schema: {type: array, items: {type: string}}}]
      responses:
        '200':
          description: Notes
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}}
  /notes/{id}:
    get:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: fields, in: query, schema: {type: string}}
      responses:
        '200': {description: A note, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
components:
  schemas:
    Note:
      type: object
      required: [owner]
      properties:
        '@id': {type: string}
        id: {type: string}
        owner: {type: string}
        text: {type: string}
        title: {type: string}
"""


def test_a_request_chooses_members_that_may_be_left_out() -> None:
    """What is required and the identifier stay, and all that the request does not name as members."""
    notes = Client(api(SPARSE))
    first = notes.json("GET", "/notes")[0]
    path = f"/notes/{first['id']}"

    assert first.keys() == {"@id", "id", "owner", "text", "title"}
    assert first["@id"] == path
    assert notes.json("GET", "/notes?select=text")[0].keys() == {"id", "owner", "text"}
    assert notes.json("GET", f"{path}?fields=title,text").keys() == {"id", "owner", "title", "text"}
    assert notes.json("GET", f"{path}?fields=*").keys() == first.keys()


def test_a_choice_holds_for_items_that_lack_a_chosen_member() -> None:
    """All items of a list have the same choice, with what each has of it."""
    created = """\
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
      responses:
        '201': {description: A note, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
"""
    notes = Client(api(SPARSE.replace("  /notes/{id}:\n", f"{created}  /notes/{{id}}:\n", 1)))
    notes.json("POST", "/notes", {"owner": "ann", "text": "a"})
    notes.json("POST", "/notes", {"owner": "bob", "title": "b"})

    found = [note.keys() for note in notes.json("GET", "/notes?select=title")[-2:]]

    assert found == [{"id", "owner"}, {"id", "owner", "title"}]
