# ruff: noqa: ARG002 - a sender of one response
"""Creations without the optional members that a deployment rejects."""

import json
from typing import Any

import pytest

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.knowledge.requests.request_variants import request_json
from devportal.conformance.knowledge.resources.dangling_references import without_rejected_members
from devportal.contract import Operation
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

CONTRACT = contract("""\
paths:
  /orders:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [product]
              properties:
                product: {type: string, example: Tea}
                voucher: {type: string, example: SPRING}
                note: {type: string, example: Please ring}
      responses: {'201': {description: ok}, '409': {description: taken}, '422': {description: invalid}}
  /orders/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: ok}}
""")


class Rejecting:
    """Sends requests to nobody: one with a voucher gets a status."""

    def __init__(self, status: int) -> None:
        self.status = status

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        """Return the exchange with the status."""
        body: Any = json.loads(request.body or b"{}")
        status = self.status if "voucher" in body else 201
        response = HttpResponse(status=status, headers=(), body=b"")
        return Exchange(operation="POST /orders", request=request, answer=response)

    def at_once(self, operation: Operation | None, requests: Any) -> tuple[Exchange, ...]:
        """Send requests one after another."""
        return tuple(self(operation, request) for request in requests)

    def wait(self, seconds: float) -> None:
        """Let no time pass."""


@pytest.mark.parametrize(("status", "is_omitted"), [(422, True), (409, False)])
def test_a_member_that_is_rejected_is_left_out(status: int, *, is_omitted: bool) -> None:
    """A conflict may be about a value that only one resource can have: that member is tested."""
    subject = subject_of_contract(CONTRACT)
    resource = next(each for each in subject.resources if each.create is not None)
    assert resource.create is not None

    changed = without_rejected_members(subject, resource, Rejecting(status))

    request = changed.valid(resource.create)
    assert request is not None
    expected = {"product": "Tea", "note": "Please ring"} | ({} if is_omitted else {"voucher": "SPRING"})
    assert request_json(request) == expected
