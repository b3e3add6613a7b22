"""Creations by a POST to the address of the new resource."""

import json

from tests.contract.inline import api
from tests.mock.contracts import Client

BUCKETS = """\
paths:
  /buckets/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Bucket'}}}}
      responses:
        '201': {description: New, content: {application/json: {schema: {
          type: object, required: [token], properties: {token: {type: string}}}}}}
        '400': {description: Wrong}
        '409': {description: There is one}
    get:
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Bucket'}}}}
        '404': {description: None}
    delete: {responses: {'204': {description: Gone}, '404': {description: None}}}
components:
  schemas:
    Bucket: {type: object, properties: {size: {type: integer}}}
"""


def test_a_post_creates_at_its_address_once() -> None:
    """A second one is a conflict, until the first resource is deleted."""
    buckets = Client(api(BUCKETS))
    statuses = [buckets.call("GET", "/buckets/mine").status]
    created = buckets.call("POST", "/buckets/mine", {"size": 7})
    statuses += [buckets.call("POST", "/buckets/mine", {"size": 8}).status]
    shown = buckets.json("GET", "/buckets/mine")
    buckets.call("DELETE", "/buckets/mine")
    statuses += [buckets.call("POST", "/buckets/mine", {"size": 9}).status]

    assert statuses == [404, 409, 201]
    assert [*json.loads(created.body)] == ["token"]
    assert shown == {"size": 7}
    assert buckets.json("GET", "/buckets/mine") == {"size": 9}
