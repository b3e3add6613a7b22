"""Lists that belong to no resource: their example is the only page."""

import pytest

from tests.contract.inline import api
from tests.mock.contracts import Client

CONTRACT = """\
paths:
  /media:
    get:
      responses: {'200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Media'}}}}}
  /media/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}, example: a}]
      responses: {'200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}}
  /media/{id}/related:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}, example: a}, %s]
      responses:
        '200':
          description: OK
          content:
            application/json:
              schema: {type: object, properties: {rows: {$ref: '#/components/schemas/Media'}}}
              example: {rows: [{id: b}, {id: c}]}
components:
  schemas:
    Media: {type: array, items: {$ref: '#/components/schemas/Item'}}
    Item: {type: object, required: [id], properties: {id: {type: string}}}
"""
OFFSET = "{name: offset, in: query, schema: {type: integer, minimum: 0, default: 0}}"
PAGE = "{name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}"


@pytest.mark.parametrize(
    ("parameter", "query", "identifiers"),
    [
        (OFFSET, "", ["b", "c"]),
        (OFFSET, "?offset=1", ["c"]),
        (OFFSET, "?offset=2", []),
        (PAGE, "?page=1", ["b", "c"]),
        (PAGE, "?page=2", []),
    ],
)
def test_the_pages_of_an_example_end(parameter: str, query: str, identifiers: list[str]) -> None:
    """Who asks for what comes after the example gets nothing, and need not ask for ever."""
    shown = Client(api(CONTRACT % parameter)).json("GET", f"/media/a/related{query}")

    assert [row["id"] for row in shown["rows"]] == identifiers
