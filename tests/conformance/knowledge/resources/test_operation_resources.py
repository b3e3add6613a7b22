"""Requests that change a created resource."""

from devportal.conformance.deployment.exchange import Exchange, Request, parse_json_or_none
from devportal.conformance.knowledge.resources.created_resources import CreatedResource
from devportal.conformance.knowledge.resources.operation_resources import change_request
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

CUSTOMERS = """\
paths:
  /customers:
    post:
      description: The email must be unique.
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}}
      responses: {'201': {description: Created.}, '409': {description: Exists.}}
  /customers/{id}:
    patch:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}}
      responses: {'200': {description: Changed.}}
components:
  schemas:
    Customer:
      type: object
      properties:
        name: {type: string, examples: [Ada]}
        email: {type: string, examples: [ada@example.com]}
"""


def test_a_change_keeps_a_unique_value() -> None:
    """Another resource may have the value of the example by an earlier change."""
    subject = subject_of_contract(contract(CUSTOMERS))
    (resource,) = subject.resources
    sent = {"name": "Grace", "email": "grace@example.com"}
    created = CreatedResource(
        resource=resource,
        id="7",
        sent_json=sent,
        exchange=Exchange(request=Request(method="POST", url=""), answer=None),
    )

    request = change_request(subject, created, resource.changes[0])

    assert request is not None
    assert parse_json_or_none(request.body or b"") == {"name": "Ada", "email": "grace@example.com"}
