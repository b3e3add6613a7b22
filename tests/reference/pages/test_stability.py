"""Which parts of a contract say how stable they are, and that each is told once."""

from typing import Any

import pytest

from devportal.contract import Grounds, Stability
from devportal.reference.addresses import addresses_of
from devportal.reference.pages.stability import MarkedPart, PartArea, marked_parts
from tests.reference.reading import api_from

OK = {"200": {"description": "Good"}}
BETA = {"x-stability-level": "beta", "x-decision": "0001"}
STABLE = {"x-stability-level": "stable", "x-source": "Limits 4"}


def parts(document: dict[str, Any]) -> tuple[MarkedPart, ...]:
    """Return the marked parts of a contract."""
    api = api_from({"paths": {}, **document})
    return marked_parts(api, addresses_of(api))


def marks_of(document: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return area, words and level of each marked part."""
    return [
        (
            part.area,
            " ".join(filter(None, (part.title, part.code, part.about, *part.values))),
            part.level or "",
        )
        for part in parts(document)
    ]


def of_schema(schema: dict[str, Any]) -> list[tuple[str, str]]:
    """Return words and level of what is told of a schema called S."""
    found = marks_of({"components": {"schemas": {"S": schema}}})
    assert {area for area, _, _ in found} <= {PartArea.SCHEMAS}
    return [(words, level) for _, words, level in found]


def test_contract_without_marks_has_none() -> None:
    """Nothing is looked through for it either."""
    api = api_from({"paths": {"/a": {"get": {"operationId": "readA", "responses": OK}}}})

    assert (api.is_marked, marked_parts(api, addresses_of(api))) == (False, ())


def test_each_kind_of_part_is_told_in_its_area() -> None:
    """With its title or name, and what it belongs to."""
    string: dict[str, Any] = {"type": "string"}
    answer: dict[str, Any] = {
        "description": "Good",
        "headers": {"X-A": {"schema": string, **BETA}},
        "content": {"text/plain": {"schema": string, **BETA}},
        "links": {"next": {"operationId": "readA", "x-stability-level": "draft"}},
        "x-stability-level": "alpha",
    }
    operation: dict[str, Any] = {
        "operationId": "readA", "summary": "Read A", "tags": ["t"], **STABLE,
        "parameters": [{"name": "q", "in": "query", "schema": string, **BETA}],
        "requestBody": {"content": {"text/plain": {"schema": string}}, **BETA},
        "responses": {"200": answer},
    }  # fmt: skip
    found = marks_of(
        {
            "tags": [{"name": "t", **BETA}],
            "servers": [{"url": "https://a.example", **BETA}],
            "paths": {"/a": {"get": operation}},
            "webhooks": {"done": {"post": {"summary": "Done", "responses": OK, **BETA}}},
            "x-problem-types": [{"type": "urn:p", "title": "P", "status": 409, **BETA}],
            "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer", **STABLE}}},
        }
    )

    assert found == [
        ("Operations", "Read A GET /a", "stable"),
        ("Events", "Done done", "beta"),
        ("Parameters and headers", "q of Read A", "beta"),
        ("Parameters and headers", "X-A of Read A", "beta"),
        ("Bodies and responses", "Request body of Read A", "beta"),
        ("Bodies and responses", "Response 200 of Read A", "alpha"),
        ("Bodies and responses", "Response 200 text/plain of Read A", "beta"),
        ("Bodies and responses", "Link next of Read A", "draft"),
        ("Errors", "P 409", "beta"),
        ("Authentication", "key", "stable"),
        ("Groups and servers", "t", "beta"),
        ("Groups and servers", "https://a.example", "beta"),
    ]


@pytest.mark.parametrize(
    ("inner", "is_told"),
    [
        (BETA, False),
        ({}, False),
        ({"x-stability-level": "beta"}, False),
        ({**BETA, "x-decision": "0002"}, True),
        ({"x-decision": "0002"}, True),
        (STABLE, True),
    ],
)
def test_mark_that_says_nothing_new_is_not_told(inner: dict[str, str], is_told: bool) -> None:  # noqa: FBT001
    """A field has the stability of what holds it; another level, or other grounds, are news."""
    found = of_schema({"type": "object", "properties": {"a": {"type": "string", **inner}}, **BETA})

    assert [words for words, _ in found] == ["S", "S.a"][: 1 + is_told]


def test_mark_of_a_level_does_not_rest_on_what_is_above() -> None:
    """What is stable in a part that a decision proposes is not proposed by it."""
    inner = {"type": "object", "x-stability-level": "stable", "properties": {"b": {"type": "string", **BETA}}}
    found = of_schema({"type": "object", "properties": {"a": inner}, **BETA})

    assert found == [("S", "beta"), ("S.a", "stable"), ("S.a.b", "beta")]


@pytest.mark.parametrize(
    "inside",
    [
        lambda field: {"type": "array", "items": field},
        lambda field: {"allOf": [field]},
        lambda field: {"oneOf": [{"type": "null"}, field]},
        lambda field: {"additionalProperties": field},
        lambda field: {"patternProperties": {"^x": {"type": "string"}}, "not": field},
        lambda field: {"prefixItems": [field]},
        lambda field: {"if": field},
    ],
)
def test_fields_are_told_however_they_stand_in_a_schema(inside: Any) -> None:
    """Inside lists, combinations and rules."""
    field = {"type": "object", "properties": {"a": {"type": "string", **BETA}}}

    assert of_schema(inside(field)) == [("S.a", "beta")]


def test_keywords_and_values_that_are_beta_are_told_apart() -> None:
    """What is documented has the source, what is proposed the decision."""
    both: dict[str, Any] = {"x-source": "Limits 4", "x-decision": "0007"}
    schema = {"type": "string", "enum": ["a", "b"], "maxLength": 9, "x-stability-level": "stable", **both}
    limits = {"x-beta-keywords": ["maxLength"], "x-beta-values": ["b"]}
    found = parts({"components": {"schemas": {"S": {**schema, **limits}}}})

    assert [
        (marked_part.about, marked_part.values, marked_part.level, marked_part.grounds)
        for marked_part in found
    ] == [
        ("", (), Stability.STABLE, Grounds(sources=("Limits 4",))),
        ("keyword", ("maxLength",), Stability.BETA, Grounds(decisions=("0007",))),
        ("value", ('"b"',), Stability.BETA, Grounds(decisions=("0007",))),
    ]


def test_keywords_of_what_is_beta_are_not_told_again() -> None:
    """They cannot be less settled than that."""
    assert of_schema({"type": "string", "maxLength": 9, "x-beta-keywords": ["maxLength"], **BETA}) == [
        ("S", "beta")
    ]


def test_shared_part_is_told_once_with_how_often_it_is_there() -> None:
    """A header of three responses of two operations is in two places."""
    header = {"X-A": {"$ref": "#/components/headers/A"}}
    answers = {status: {"description": "Some", "headers": header} for status in ("200", "400")}
    found = marks_of(
        {
            "paths": {
                "/a": {
                    "get": {"operationId": "readA", "responses": answers},
                    "put": {"operationId": "writeA", "responses": {"200": answers["200"]}},
                }
            },
            "components": {"headers": {"A": {"schema": {"type": "string"}, **BETA}}},
        }
    )

    assert found == [("Parameters and headers", "X-A in 2 places", "beta")]


def test_operations_of_a_shared_path_item_are_told_each() -> None:
    """Whoever looks for one of the paths finds it."""
    shared = {"$ref": "#/components/pathItems/P"}
    item = {"get": {"summary": "Read", "responses": OK, **BETA}}
    found = marks_of({"paths": {"/a": shared, "/b": shared}, "components": {"pathItems": {"P": item}}})

    assert found == [("Operations", "Read GET /a", "beta"), ("Operations", "Read GET /b", "beta")]


def test_parts_of_callbacks_belong_to_what_is_sent() -> None:
    """They lead to the callback on the page of the operation."""
    sent = {"put": {"summary": "Frost", "responses": OK, **BETA}}
    operation = {"operationId": "readA", "responses": OK, "callbacks": {"frost": {"{$url}": sent}}}
    (found,) = parts({"paths": {"/a": {"get": operation}}})

    assert (found.area, found.title, found.uri) == (
        PartArea.EVENTS, "Frost", "reference/a/read-a.md#callback.frost",
    )  # fmt: skip
