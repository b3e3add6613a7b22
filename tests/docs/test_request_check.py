"""Whether the contract allows a request: right ones, and wrong ones with the place."""

from typing import Any

import pytest

from devportal.contract import Api, read_contract
from devportal.docs.operations import find_operation, operations_of
from devportal.docs.request_check import RequestParts, check_request
from devportal.docs.request_target import read_target
from devportal.documents import parse_document, to_json
from devportal.errors import InvalidSettings

ITEM = {
    "type": "object",
    "required": ["sku", "price"],
    "properties": {"sku": {"type": "string"}, "price": {"type": "number", "minimum": 0}},
}
ORDER = {
    "type": "object",
    "required": ["items"],
    "properties": {
        "items": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/Item"}},
        "note": {"type": "string", "maxLength": 5},
        "count": {"type": "integer", "format": "int32"},
    },
}
TEXT, NUMBER, FLAG = {"type": "string"}, {"type": "integer", "minimum": 1, "maximum": 9}, {"type": "boolean"}
FORM = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": TEXT, "age": NUMBER, "tags": {"type": "array", "items": TEXT}},
}


def parameter(name: str, place: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a parameter."""
    return {"name": name, "in": place, "schema": schema, **more}


def body(schema: dict[str, Any], *kinds: str) -> dict[str, Any]:
    """Return a required body."""
    return {"required": True, "content": {kind: {"schema": schema} for kind in kinds}}


DONE = {"responses": {"204": {"description": "Done."}}}
CONTRACT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Orders", "version": "1"},
    "servers": [{"url": "https://api.example.com/base"}],
    "paths": {
        "/orders": {
            "post": {
                **DONE,
                "operationId": "createOrder",
                "parameters": [
                    parameter("Idempotency-Key", "header", {"type": "string", "minLength": 3}, required=True),
                    parameter("Authorization", "header", TEXT, required=True),
                ],
                "requestBody": body({"$ref": "#/components/schemas/Order"}, "application/json"),
            },
            "get": {
                **DONE,
                "parameters": [
                    parameter("limit", "query", NUMBER),
                    parameter("open", "query", FLAG),
                    parameter("id", "query", {"type": "array", "items": NUMBER}),
                    parameter("fields", "query", {"type": "array", "items": TEXT}, explode=False),
                    parameter(
                        "filter",
                        "query",
                        {"type": "object", "properties": {"size": NUMBER}, "additionalProperties": False},
                        style="deepObject",
                    ),
                ],
            },
        },
        "/orders/{id}": {
            "get": {
                **DONE,
                "operationId": "getOrder",
                "parameters": [parameter("id", "path", NUMBER, required=True)],
            },
        },
        "/forms": {
            "post": {
                **DONE,
                "requestBody": body(FORM, "application/x-www-form-urlencoded", "multipart/form-data"),
            }
        },
        "/files": {"put": {**DONE, "requestBody": body(TEXT, "text/plain")}},
        "/images": {"put": {**DONE, "requestBody": {"content": {"image/*": {}}}}},
        "/xml": {"put": {**DONE, "requestBody": body(FORM, "application/xml")}},
    },
    "webhooks": {"order.paid": {"post": {**DONE, "requestBody": body(ORDER, "application/json")}}},
    "components": {"schemas": {"Item": ITEM, "Order": ORDER}},
}
API: Api = read_contract(parse_document(to_json(CONTRACT), name="openapi.json")).api
CREATE, KEY = "POST /orders", {"idempotency-key": "abc"}
RIGHT = {"items": [{"sku": "a", "price": 1}]}


def check(name: str, **parts: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Return the problems and the warnings of a request by their places."""
    operation = find_operation(API, name)
    assert operation is not None
    result = check_request(API, operation, RequestParts(**parts))
    assert result.is_valid is not bool(result.problems)
    return (
        {problem.place: problem.message for problem in result.problems},
        {warning.place: warning.message for warning in result.warnings},
    )


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        (CREATE, {"headers": KEY, "body": RIGHT}),
        (CREATE, {"headers": KEY, "body": to_json(RIGHT)}),
        (CREATE, {"headers": KEY, "body": RIGHT, "content_type": "application/json; charset=utf-8"}),
        ("GET /orders", {}),
        (
            "GET /orders",
            {"query": {"limit": "5", "open": "true", "id": ["1", "2", "3", "4", "5", "6", "7", "8"]}},
        ),
        ("GET /orders", {"query": {"limit": 5, "open": True, "id": 1, "fields": "a,b"}}),
        ("GET /orders", {"query": {"filter": {"size": "3"}}}),
        ("GET /orders", {"query": {"filter[size]": "3"}}),
        ("GET /orders/{id}", {"path": {"id": "7"}}),
        ("POST /forms", {"body": {"name": 12, "age": "5", "tags": ["1", "2"]}}),
        ("POST /forms", {"body": "name=a&age=5&tags=x&tags=y"}),
        ("POST /forms", {"body": {"name": "a"}, "content_type": "multipart/form-data; boundary=x"}),
        ("PUT /files", {"body": "text"}),
        ("PUT /images", {"body": "…", "content_type": "image/png"}),
        ("PUT /images", {}),
    ],
)
def test_right_requests_are_valid(name: str, parts: dict[str, Any]) -> None:
    """Values and texts, objects and forms: without a problem, and without a warning."""
    assert check(name, **parts) == ({}, {})


@pytest.mark.parametrize(
    ("name", "parts", "problems"),
    [
        (CREATE, {"body": RIGHT}, {"header.Idempotency-Key": "this required parameter is missing"}),
        (CREATE, {"headers": KEY}, {"body": "this operation requires a body (application/json)"}),
        (
            CREATE,
            {"headers": KEY, "body": {"items": [{"sku": "a", "price": -1}, {"sku": 1}]}},
            {
                "body.items[0].price": "-1 is less than the minimum of 0",
                "body.items[1].sku": "1 must be a string",
                "body.items[1].price": "this required field is missing",
            },
        ),
        (CREATE, {"headers": KEY, "body": {}}, {"body.items": "this required field is missing"}),
        (CREATE, {"headers": KEY, "body": [1]}, {"body": "[1] must be an object"}),
        (CREATE, {"headers": KEY, "body": "{"}, {"body": '"{" must be an object'}),
        (
            CREATE,
            {"headers": {"Idempotency-Key": "ab"}, "body": RIGHT},
            {"header.Idempotency-Key": "shorter than 3"},
        ),
        (CREATE, {"headers": {**KEY, "X": "a\r\nb"}, "body": RIGHT}, {"header.X": "not a value of a header"}),
        (
            CREATE,
            {"headers": KEY, "body": {**RIGHT, "count": 2**31}},
            {"body.count": "maximum of 2147483647"},
        ),
        (
            CREATE,
            {"headers": KEY, "body": RIGHT, "content_type": "text/xml"},
            {"header.Content-Type": "this operation takes application/json, not 'text/xml'"},
        ),
        ("GET /orders", {"query": {"limit": "10"}}, {"query.limit": "10 is greater than the maximum of 9"}),
        (
            "GET /orders",
            {"query": {"limit": "x", "open": 1}},
            {"query.limit": "an integer", "query.open": "true or"},
        ),
        ("GET /orders", {"query": {"id": ["1", "0"]}}, {"query.id[1]": "0 is less than the minimum of 1"}),
        ("GET /orders", {"query": {"filter[size]": "0"}}, {"query.filter.size": "minimum of 1"}),
        ("GET /orders", {"body": {}}, {"body": "this operation takes no body"}),
        (
            "GET /orders",
            {"query": {"filter[colour]": "red", "fields": {"a": 1}}},
            {"query.filter": "colour", "query.fields[0]": "must be a"},
        ),
        ("GET /orders/{id}", {}, {"path.id": "this required parameter is missing"}),
        ("GET /orders/{id}", {"path": {"id": ""}}, {"path.id": "must not be empty"}),
        ("POST /forms", {"body": "age=10"}, {"body.name": "missing", "body.age": "maximum of 9"}),
    ],
)
def test_wrong_requests_have_their_places(name: str, parts: dict[str, Any], problems: dict[str, str]) -> None:
    """Each problem in words, and nothing else."""
    found, _ = check(name, **parts)

    assert {*found} == {*problems}
    assert {place: words for place, words in problems.items() if words not in found[place]} == {}


@pytest.mark.parametrize(
    ("name", "parts", "warnings"),
    [
        (
            CREATE,
            {"headers": KEY, "body": {**RIGHT, "notee": "x"}},
            {"body.notee": "the contract has no such field: did you mean 'note'?"},
        ),
        (
            CREATE,
            {"headers": KEY, "body": {"items": [{"sku": "a", "price": 1, "odd one": 1}]}},
            {'body.items[0]["odd one"]': "the contract has no such field"},
        ),
        (
            "GET /orders",
            {"query": {"limti": 1}},
            {"query.limti": "this operation has no such parameter: did you mean 'limit'?"},
        ),
        ("PUT /xml", {"body": "<a/>"}, {"body": "bodies of application/xml are not checked"}),
    ],
)
def test_what_the_contract_does_not_know_is_a_warning(
    name: str, parts: dict[str, Any], warnings: dict[str, str]
) -> None:
    """It is allowed, and likely misspelt."""
    assert check(name, **parts) == ({}, warnings)


def test_a_request_nested_without_end_is_refused() -> None:
    """It is not called valid."""
    node = {"$ref": "#/components/schemas/Node"}
    deep = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "components": {"schemas": {"Node": {"type": "object", "properties": {"next": node}}}},
        "paths": {"/a": {"post": {**DONE, "requestBody": body(node, "application/json")}}},
    }
    api = read_contract(parse_document(to_json(deep), name="openapi.json")).api
    value: dict[str, Any] = {}
    for _ in range(400):
        value = {"next": value}

    with pytest.raises(InvalidSettings, match="nested too deep"):
        check_request(api, api.operations[0], RequestParts(body=value))


def test_many_problems_are_cut() -> None:
    """With how many more there are."""
    found, _ = check(CREATE, headers=KEY, body={"items": [{"sku": "a", "price": -1}] * 60})

    assert (len(found), found["request"]) == (51, "10 more are not listed")


@pytest.mark.parametrize(
    ("asked", "name", "path", "query"),
    [
        ("createOrder", "POST /orders", {}, {}),
        ("post /orders", "POST /orders", {}, {}),
        ("GET /orders/42", "GET /orders/{id}", {"id": "42"}, {}),
        ("GET /orders/a%2Fb?x=1&x=2&y=", "GET /orders/{id}", {"id": "a/b"}, {"x": ["1", "2"], "y": ""}),
        ("GET /orders/{id}", "GET /orders/{id}", {}, {}),
        ("GET https://api.example.com/base/orders/42", "GET /orders/{id}", {"id": "42"}, {}),
        ("GET http://127.0.0.1:8080/base/orders", "GET /orders", {}, {}),
    ],
)
def test_a_target_has_its_values(asked: str, name: str, path: dict[str, str], query: dict[str, Any]) -> None:
    """In the path and the query, below a server or not."""
    target = read_target(API, operations_of(API), asked)

    assert (target.operation.name, target.path, target.query) == (name, path, query)


@pytest.mark.parametrize("asked", ["", "GET", "GET /nothing", "GET http://[", "getOrders"])
def test_an_unknown_target_is_an_error(asked: str) -> None:
    """Whatever it looks like."""
    with pytest.raises(InvalidSettings):
        read_target(API, operations_of(API), asked)
