# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Lists of OData 4.01: `$top`, `$skip`, `$count` and `@odata.nextLink`."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.families.lists import list_totals
from devportal.conformance.families.paging import pagination
from devportal.conformance.family import Family
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

Thing = dict[str, Any]
CONTRACT = contract("""\
paths:
  /hosts:
    get:
      parameters:
        - {name: $top, in: query, schema: {type: integer, minimum: 1, maximum: 100, default: 25}}
        - {name: $skip, in: query, schema: {type: integer, minimum: 0, default: 0}}
        - {name: $count, in: query, schema: {type: boolean, default: false}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Hosts'}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewHost'}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Host'}}}}
  /hosts/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Host'}}}}
        '404': {description: No such host}
components:
  schemas:
    NewHost: {type: object, required: [name], properties: {name: {type: string, example: web}}}
    Host: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}
    Hosts:
      type: object
      required: [value]
      properties:
        '@odata.count': {type: integer}
        '@odata.nextLink': {type: string}
        value: {type: array, items: {$ref: '#/components/schemas/Host'}}
""")


class Hosts:
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.hosts: list[Thing] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        body = await request.body()
        response = self.respond(request, body)
        await response(scope, receive, send)

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "hosts":
                self.hosts.append({"id": len(self.hosts) + 1, "name": json.loads(body)["name"]})
                return JSONResponse(self.hosts[-1], 201)
            case "GET", "hosts":
                return JSONResponse(self.page(dict(request.query_params)))
            case "GET", "hosts", key if key.isdigit() and 0 < int(key) <= len(self.hosts):
                return JSONResponse(self.hosts[int(key) - 1])
        return Response(status_code=404)

    def page(self, query: dict[str, str]) -> Thing:
        top, skip = self.top(query), int(query.get("$skip", "0"))
        first = self.first(skip)
        page: Thing = {"value": self.hosts[first : first + top]}
        if query.get("$count") == "true":
            page["@odata.count"] = self.count(page["value"])
        if skip + top < len(self.hosts):
            others = {name: value for name, value in query.items() if name not in ("$top", "$skip")}
            page["@odata.nextLink"] = "/hosts?" + urlencode(
                {**others, "$top": top, "$skip": self.next(skip, top)}
            )
        return page

    def top(self, query: dict[str, str]) -> int:
        return int(query.get("$top", "25"))

    def first(self, skip: int) -> int:
        return skip

    def next(self, skip: int, top: int) -> int:
        return skip + top

    def count(self, shown: list[Thing]) -> int:  # noqa: ARG002
        return len(self.hosts)


class IgnoresTop(Hosts):
    def top(self, query: dict[str, str]) -> int:  # noqa: ARG002
        return 25


class RepeatsItems(Hosts):
    def first(self, skip: int) -> int:
        return max(skip - 1, 0)


class LeadsInCircles(Hosts):
    def next(self, skip: int, top: int) -> int:
        return skip or top


class CountsThePage(Hosts):
    def count(self, shown: list[Thing]) -> int:
        return len(shown)


@pytest.mark.parametrize(
    ("app", "family", "titles"),
    [
        (Hosts, pagination.FAMILY, set()),
        (Hosts, list_totals.FAMILY, set()),
        (IgnoresTop, pagination.FAMILY, {"a page holds more items than were asked for"}),
        (RepeatsItems, pagination.FAMILY, {"pages repeat items", "pages lose items"}),
        (LeadsInCircles, pagination.FAMILY, {"the pages lead in a circle"}),
        (CountsThePage, list_totals.FAMILY, {"'@odata.count' is not the number of items"}),
    ],
)
def test_lists_of_odata_are_walked_and_counted(app: type[Hosts], family: Family, titles: set[str]) -> None:
    """The names are those of OData 4.01, and the total is asked for."""
    log = run_family(family, app(), subject_of_contract(CONTRACT))

    assert {failure.title for failure in log.failures if failure.fails} == titles
    assert not log.untested_probes
