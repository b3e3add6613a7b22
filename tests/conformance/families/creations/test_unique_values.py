# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Values that only one resource may have, of resources with several of them."""

import json
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.creations import unique_values
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

CONTRACT = """
openapi: 3.1.0
info: {title: Staff, version: "1"}
paths:
  /employees:
    post:
      operationId: hire
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/New"}}}}
      responses:
        "201": {description: Hired., content: &one {application/json: {schema: {$ref: "#/components/schemas/Shown"}}}}
        "400": &refused {description: The body is invalid., content: &problem {application/problem+json: {}}}
        "409":
          description: Another employee has this `email` (upper and lower case do not matter) or `badge`.
          content: *problem
  /employees/{employeeId}:
    parameters: [{name: employeeId, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {"200": {description: Read., content: *one}, "404": *refused}
components:
  schemas:
    New:
      type: object
      required: [name, email, badge]
      additionalProperties: false
      properties:
        name: {type: string, maxLength: 40, example: Ada}
        email: {type: string, format: email, example: ada@example.com}
        badge: {type: string, pattern: "^P[0-9]{6}$", example: P111111}
    Shown:
      type: object
      required: [id, name, email, badge]
      properties: {id: {type: integer}, name: {type: string}, email: {type: string}, badge: {type: string}}
"""


class Staff(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self, contract: Path) -> None:
        self.employees: list[Thing] = []
        self.subject = subject_of(contract)
        self.schemas = request_schemas(self.subject)

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "employees":
                data = read_object(self.subject, self.schemas["hire"], body)
                if any(self.has_email(each, data) or self.has_badge(each, data) for each in self.employees):
                    raise Refusal(409)
                self.employees.append({"id": len(self.employees) + 1, **data})
                return Response(json.dumps(self.employees[-1]), 201, media_type="application/json")
            case "GET", "employees", key if key.isdigit() and 0 < int(key) <= len(self.employees):
                return Response(json.dumps(self.employees[int(key) - 1]), media_type="application/json")
            case _:
                raise Refusal(404)

    def has_email(self, employee: Thing, data: Thing) -> bool:
        return bool(employee["email"].casefold() == data["email"].casefold())

    def has_badge(self, employee: Thing, data: Thing) -> bool:
        return bool(employee["badge"] == data["badge"])


class SharesEmails(Staff):
    def has_email(self, employee: Thing, data: Thing) -> bool:
        return False


class SharesBadges(Staff):
    def has_badge(self, employee: Thing, data: Thing) -> bool:
        return False


class ComparesCase(Staff):
    def has_email(self, employee: Thing, data: Thing) -> bool:
        return bool(employee["email"] == data["email"])


@pytest.mark.parametrize(
    ("server", "titles"),
    [
        (Staff, set()),
        (SharesBadges, {"two resources have one 'badge'"}),
        (SharesEmails, {"two resources have one 'email'", "two resources have one 'email' in another case"}),
        (ComparesCase, {"two resources have one 'email' in another case"}),
    ],
)
def test_each_of_two_unique_members_is_tested(server: type[Staff], titles: set[str], tmp_path: Path) -> None:
    """The other one would be the reason why a second resource is rejected, so it gets another value."""
    contract = tmp_path / "staff.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")

    found = titles_for_contract(unique_values.FAMILY, server(contract), contract)

    assert {each.partition(": ")[2] for each in found} == titles
