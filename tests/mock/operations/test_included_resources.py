"""Compound documents and sparse fieldsets of JSON:API."""

from typing import Any

import pytest

from tests.contract.inline import api
from tests.mock.contracts import Client

BLOG = """
paths:
  /articles:
    get:
      parameters:
        - {name: include, in: query, schema: {type: string}}
        - {name: 'fields[articles]', in: query, schema: {type: string}}
      responses:
        '200': {description: Articles, content: {application/vnd.api+json: {schema: {type: object, properties: {
          data: {type: array, items: &article {$ref: '#/components/schemas/Article'}}, included: &included {
            type: array, items: {$ref: '#/components/schemas/Person'}}}}}}}
    post: &create
      requestBody: {content: {application/vnd.api+json: {schema: {type: object, properties: {data: *article}}}}}
      responses:
        '201': {description: Created, content: {application/vnd.api+json: {schema: {
          type: object, properties: {data: *article, included: *included}}}}}
  /articles/{id}:
    get:
      parameters: &id
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: include, in: query, schema: {type: string}}
      responses: &one
        '200': {description: An article, content: {application/vnd.api+json: {schema: {
          type: object, properties: {data: *article, included: *included}}}}}
  /people:
    post:
      requestBody: {content: {application/vnd.api+json: {schema: {type: object, properties: {data: &person {
        $ref: '#/components/schemas/Person'}}}}}}
      responses:
        '201': {description: Created, content: {application/vnd.api+json: {schema: {
          type: object, properties: {data: *person}}}}}
  /people/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: A person, content: {application/vnd.api+json: {schema: {
          type: object, properties: {data: *person}}}}}
components:
  schemas:
    Article: {type: object, required: [type, id], properties: {
      type: {const: articles}, id: {type: string, readOnly: true},
      attributes: {type: object, properties: {title: {type: string}, words: {type: integer}}},
      relationships: {type: object, properties: {author: {$ref: '#/components/schemas/Link'}}}}}
    Person: {type: object, required: [type, id], properties: {
      type: {const: people}, id: {type: string, readOnly: true},
      attributes: {type: object, properties: {name: {type: string}}},
      relationships: {type: object, properties: {boss: {$ref: '#/components/schemas/Link'}}}}}
    Link: {type: object, properties: {data: {
      type: [object, 'null'], properties: {type: {type: string}, id: {type: string}}}}}
""".lstrip()
MEDIA_TYPE = "application/vnd.api+json"


@pytest.fixture(name="blog")
def _blog() -> Client:
    client = Client(api(BLOG))
    client.application.state.clear()
    return client


def _create(blog: Client, kind: str, attributes: Any, **links: str) -> str:
    data = {
        "type": kind,
        "attributes": attributes,
        "relationships": {name: {"data": {"type": "people", "id": key}} for name, key in links.items()},
    }
    created = blog.json("POST", f"/{kind}", {"data": data}, content_type=MEDIA_TYPE)
    return str(created["data"]["id"])


def _included_names(document: Any) -> list[str]:
    return [resource["attributes"]["name"] for resource in document.get("included", [])]


def test_documents_include_what_relationships_lead_to(blog: Client) -> None:
    """Each resource once, through several relationships too, and nothing without `include`."""
    boss = _create(blog, "people", {"name": "Bob"})
    author = _create(blog, "people", {"name": "Ann"}, boss=boss)
    article = _create(blog, "articles", {"title": "One"}, author=author)
    _create(blog, "articles", {"title": "Two"}, author=author)

    found = {
        path: _included_names(blog.json("GET", path))
        for path in (
            f"/articles/{article}",
            f"/articles/{article}?include=author",
            "/articles?include=author.boss",
            "/articles?include=publisher",
        )
    }

    assert [*found.values()] == [[], ["Ann"], ["Ann", "Bob"], []]


def test_sparse_fieldsets_choose_attributes(blog: Client) -> None:
    """Of the type in the brackets (JSON:API §7.7)."""
    _create(blog, "articles", {"title": "One", "words": 3})

    (shown,) = blog.json("GET", "/articles?fields[articles]=title")["data"]

    assert shown["attributes"] == {"title": "One"}
    assert "relationships" not in shown
