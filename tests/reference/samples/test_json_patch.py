"""Samples of JSON Patch change something that the resource has."""

from typing import Any

import pytest

from devportal.contract import Api
from devportal.reference.samples.request import JsonBody
from devportal.reference.samples.sample_requests import sample_bodies
from tests.contract.inline import api

CONTRACT = """\
paths:
  /books/{id}:
    patch:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json-patch+json: {schema: {$ref: '#/components/schemas/Patch'}}}}
      responses:
        '200': {description: Changed, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
components:
  schemas:
    Patch:
      type: array
      items:
        type: object
        required: [op, path]
        properties: {op: {enum: [OPS]}, path: {type: string}, from: {type: string}, value: {}}
    Book:
      type: object
      properties:
        id: {type: string}
        created_at: {type: string, readOnly: true}
        tags: {type: array, items: {type: string}}
        a/b: {type: string, examples: [x]}
"""


def sent_bodies(found: Api) -> list[Any]:
    """Return the bodies of the only operation's samples."""
    bodies = [named.body for named in sample_bodies(found, found.operations[0])]
    return [body.value for body in bodies if isinstance(body, JsonBody)]


@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        ("add, remove, replace", [{"op": "replace", "path": "/a~1b", "value": "x"}]),
        ("remove", [{"op": "remove", "path": "/path"}]),
    ],
)
def test_a_patch_replaces_a_member_that_clients_may_change(operations: str, expected: list[Any]) -> None:
    """Not an identifier, and nothing that only responses have; a patch that cannot replace is as its schema says."""
    assert sent_bodies(api(CONTRACT.replace("OPS", operations)))[0] == expected
