"""Members that representations have in another one: the mock keeps them as it keeps those beside it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import Api
from devportal.mock.resources.nested_members import lift_members, lifted_path, nest_members
from tests.contract.inline import api
from tests.mock.contracts import Client

CONTRACT = """\
paths:
  /articles:
    get:
      parameters: [{name: sort, in: query, schema: {type: string}}]
      responses:
        '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Articles'}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewArticle'}}}}
      responses:
        '201': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/OneArticle'}}}}
        '422': {description: Invalid}
  /articles/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/OneArticle'}}}}
        '404': {description: Unknown}
    patch:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewArticle'}}}}
      responses:
        '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/OneArticle'}}}}
        '404': {description: Unknown}
  /articles/{id}/publish:
    post:
      description: Publishes a draft.
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/OneArticle'}}}}
        '404': {description: Unknown}
  /articles/{id}/comments:
    post:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}
      responses:
        '201':
          description: OK
          content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}
        '404': {description: Unknown}
  /articles/{id}/comments/{comment_id}:
    get:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: comment_id, in: path, required: true, schema: {type: string}}
      responses:
        '200':
          description: OK
          content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}
        '404': {description: Unknown}
  /deployments:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Deployment'}}}}
      responses:
        '201': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Deployment'}}}}
        '409': {description: Exists}
  /deployments/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Deployment'}}}}
        '404': {description: Unknown}
    put:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Deployment'}}}}
      responses:
        '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Deployment'}}}}
        '404': {description: Unknown}
components:
  schemas:
    NewArticle:
      type: object
      required: [data]
      properties:
        data:
          type: object
          required: [type]
          properties:
            type: {const: articles}
            attributes:
              type: object
              properties: {title: {type: string}, words: {type: integer, default: 3}, options: {type: object}}
    OneArticle: {type: object, required: [data], properties: {data: {$ref: '#/components/schemas/Article'}}}
    Articles:
      type: object
      required: [data]
      properties: {data: {type: array, items: {$ref: '#/components/schemas/Article'}}}
    Article:
      type: object
      required: [type, id, attributes]
      properties:
        type: {const: articles}
        id: {type: string}
        attributes:
          type: object
          required: [title, created_at, updated_at, status, version, comment_count, published_at]
          properties:
            title: {type: string}
            words: {type: integer}
            options: {type: object}
            status: {type: string, enum: [published, draft]}
            version: {type: integer, readOnly: true}
            comment_count: {type: integer, readOnly: true}
            created_at: {type: string, format: date-time, readOnly: true}
            updated_at: {type: string, format: date-time, readOnly: true}
            published_at: {type: [string, 'null'], format: date-time}
    Deployment:
      type: object
      required: [metadata]
      properties:
        metadata:
          type: object
          required: [name]
          properties:
            name: {type: string}
            labels: {type: object, additionalProperties: {type: string}}
            creationTimestamp: {type: string, format: date-time, readOnly: true}
        spec: {type: object, properties: {replicas: {type: integer}}}
"""


@pytest.fixture(name="contract", scope="module")
def _contract() -> Api:
    return api(CONTRACT)


def article(**attributes: Any) -> dict[str, Any]:
    """Return the body of a request about an article."""
    return {"data": {"type": "articles", "attributes": attributes}}


def test_what_the_server_sets_in_attributes_is_set(contract: Api) -> None:
    """Times, state, version, counts and defaults of a new resource of JSON:API are its own, not those of a sample."""
    client = Client(contract)
    created = client.json("POST", "/articles", article(title="Tea"))["data"]["attributes"]
    times = {created.pop("created_at"), created.pop("updated_at")}

    assert created == {
        "title": "Tea",
        "words": 3,
        "status": "draft",
        "version": 1,
        "comment_count": 0,
        "published_at": None,
    }
    assert len(times) == 1
    assert times.pop().startswith("2026-11-27T09:00:00")


def test_changes_and_actions_reach_attributes(contract: Api) -> None:
    """A change keeps what it does not name, raises the version and the time; an action sets a state."""
    client = Client(contract)
    created = client.json("POST", "/articles", article(title="Tea", words=9, options={"a": 1}))["data"]
    path, before = f"/articles/{created['id']}", created["attributes"]
    changed = client.json("PATCH", path, article(title="Coffee", options={"b": 2}))["data"]["attributes"]
    client.json("POST", f"{path}/comments", {"text": "Good"})
    published = client.json("POST", f"{path}/publish")["data"]["attributes"]

    assert changed["updated_at"] > before["updated_at"]
    assert changed | {"updated_at": ""} == before | {
        "title": "Coffee",
        "options": {"a": 1, "b": 2},
        "version": 2,
        "updated_at": "",
    }
    assert (published["status"], published["version"], published["comment_count"]) == ("published", 3, 1)
    assert published["published_at"] == published["updated_at"] > changed["updated_at"]
    assert client.json("GET", path)["data"]["attributes"] == published


def test_metadata_has_the_name_and_the_time_of_a_resource(contract: Api) -> None:
    """Kubernetes has both in `metadata`: a resource is found by its name, and keeps its time when it is replaced."""
    client = Client(contract)
    body = {"metadata": {"name": "web", "labels": {"a": "b"}}, "spec": {"replicas": 2}}
    created = client.json("POST", "/deployments", body)
    replaced = client.json("PUT", "/deployments/web", {"metadata": {"name": "web"}, "spec": {"replicas": 3}})

    assert created["metadata"].pop("creationTimestamp").startswith("2026-11-27T09:00:00")
    assert created == body
    assert client.json("GET", "/deployments/web") == replaced
    assert replaced["metadata"]["creationTimestamp"].startswith("2026-11-27T09:00:00")
    assert "labels" not in replaced["metadata"]
    assert client.call("POST", "/deployments", body).status == 409
    assert client.call("GET", "/deployments/other").status == 404


NESTED = {"title": ("attributes", "title"), "words": ("attributes", "words"), "created": ("meta", "created")}
NAMES = st.sampled_from(["id", "title", "words", "created", "other"])
REPRESENTATIONS = st.builds(
    lambda outer, attributes, meta: {**outer, "attributes": attributes, "meta": meta},
    st.dictionaries(st.sampled_from(["id", "other"]), st.integers()),
    st.dictionaries(NAMES, st.integers(), min_size=1),
    st.dictionaries(NAMES, st.integers(), min_size=1),
)


@given(REPRESENTATIONS)
def test_nesting_undoes_lifting(value: dict[str, Any]) -> None:
    """Nothing gets lost on the way into a record and back, whatever names two members share."""
    assert nest_members(lift_members(value, NESTED), NESTED) == value


def test_paths_to_nested_members_are_shorter_in_records() -> None:
    """Links and identifiers say where a representation has a member."""
    assert lifted_path(("attributes", "title"), NESTED) == ("title",)
    assert lifted_path(("attributes", "other"), NESTED) == ("attributes", "other")
    assert lifted_path(("title",), NESTED) == ("title",)
