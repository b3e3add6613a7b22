"""Which constraints of an operation a run exercised."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.results.constraint_coverage import operation_constraints
from devportal.conformance.results.result import CoveredConstraint
from devportal.contract.validate.validator import Validator
from tests.contract.inline import contract

BASE = "http://127.0.0.1:1/api"
SHELVES = """\
paths:
  /shelves/{shelfId}/books:
    post:
      operationId: addBook
      parameters:
        - {name: shelfId, in: path, required: true, schema: {type: integer, minimum: 1}}
        - {name: copies, in: query, required: true, schema: {type: integer, exclusiveMaximum: 10}}
        - {name: tag, in: query, schema: {type: array, maxItems: 2, items: {type: string, enum: [old, new]}}}
        - {name: X-Reader, in: header, schema: {type: [string, 'null'], pattern: '^r[0-9]+$'}}
        - {name: filter, in: query, schema: {type: object}}
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/Book'}}
          application/*+json: {schema: {$ref: '#/components/schemas/Book'}}
          text/plain: {schema: {type: string, maxLength: 3}}
      responses:
        '201':
          description: Added
          content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}
        '400': {description: Refused}
components:
  schemas:
    Book:
      type: object
      required: [title]
      additionalProperties: false
      properties:
        id: {type: string, readOnly: true}
        title: {type: string, minLength: 1, maxLength: 5}
        binding: {type: [string, 'null'], enum: [hard, soft, null]}
        parts: {type: array, uniqueItems: true, items: {$ref: '#/components/schemas/Book'}}
        price: {oneOf: [{type: integer, multipleOf: 5}, {type: object, required: [amount]}]}
"""


def subject() -> Subject:
    read = contract(SHELVES)
    return Subject(
        contract=read, operations=read.api.operations, base_url=BASE, validator=Validator(read.api)
    )


def exchange(
    body: Any,
    status: int = 201,
    *,
    url: str = "/shelves/1/books?copies=9",
    response: Any = None,
    **headers: str,
) -> Exchange:
    """Return an exchange of `addBook`."""
    return Exchange(
        operation="POST /shelves/{shelfId}/books",
        request=Request(
            method="POST",
            url=BASE + url,
            headers=(
                ("Content-Type", "application/json"),
                *((name.replace("_", "-"), value) for name, value in headers.items()),
            ),
            body=json.dumps(body).encode(),
        ),
        answer=HttpResponse(
            status=status,
            headers=(("Content-Type", "application/json"),),
            body=json.dumps(response).encode(),
        ),
    )


def constraint_counts(*exchanges: Exchange) -> dict[tuple[str, str, str], tuple[int | None, int | None]]:
    """Return how often each constraint was obeyed and broken."""
    found = operation_constraints(subject(), subject().operations[0], exchanges)
    return {
        (covered_constraint.where, covered_constraint.keyword, covered_constraint.value): (
            covered_constraint.obeyed,
            covered_constraint.broken,
        )
        for covered_constraint in found
    }


@pytest.mark.parametrize(
    ("body", "constraint"),
    [
        ({"title": "a"}, ("body /title", "minLength", "1")),
        ({"title": "abcde"}, ("body /title", "maxLength", "5")),
        ({"title": "abc"}, ("body /title", "type", "string")),
        ({"title": "abc"}, ("body", "required", "title")),
        ({"title": "abc", "binding": "soft"}, ("body /binding", "enum", '"soft"')),
        ({"title": "abc", "binding": None}, ("body /binding", "nullable", "")),
        ({"title": "abc", "binding": None}, ("body", "property", "binding")),
        ({"title": "a", "parts": [{"title": "x"}, {"title": "y"}]}, ("body /parts", "uniqueItems", "")),
        ({"title": "a", "parts": [{"title": "xxxxx"}]}, ("body /parts/*/title", "maxLength", "5")),
        ({"title": "a", "price": 10}, ("body /price", "branch 1", "integer")),
        ({"title": "a", "price": 10}, ("body /price", "multipleOf", "5")),
        ({"title": "a", "price": {"amount": 1}}, ("body /price", "branch 2", "object")),
        ({"title": "a", "price": {"amount": 1}}, ("body /price", "required", "amount")),
    ],
)
def test_an_accepted_value_obeys_a_constraint(body: Any, constraint: tuple[str, str, str]) -> None:
    """Only if the request succeeds: what is always rejected does not count as tested."""
    assert constraint_counts(exchange(body))[constraint][0] == 1
    assert not constraint_counts(exchange(body, 400))[constraint][0]
    assert not constraint_counts()[constraint][0]


@pytest.mark.parametrize(
    ("body", "constraint"),
    [
        ({"title": ""}, ("body /title", "minLength", "1")),
        ({"title": "abcdef"}, ("body /title", "maxLength", "5")),
        ({"title": 7}, ("body /title", "type", "string")),
        ({"title": None}, ("body /title", "type", "string")),
        ({}, ("body", "required", "title")),
        ({"title": "a", "colour": 1}, ("body", "additionalProperties", "")),
        ({"title": "a", "binding": "loose"}, ("body /binding", "enum", "another value")),
        ({"title": "a", "parts": [{"title": "x"}, {"title": "x"}]}, ("body /parts", "uniqueItems", "")),
        ({"title": "a", "price": 7}, ("body /price", "multipleOf", "5")),
        ({"title": "a", "price": {}}, ("body /price", "required", "amount")),
        ([], ("body", "type", "object")),
    ],
)
def test_a_sent_value_breaks_a_constraint(body: Any, constraint: tuple[str, str, str]) -> None:
    """Whether it is rejected or not: other checks report what should have been."""
    assert constraint_counts(exchange(body, 400))[constraint][1] == 1
    assert constraint_counts(exchange(body))[constraint][1] == 1


@pytest.mark.parametrize(
    ("url", "constraint", "obeyed", "broken"),
    [
        ("/shelves/1/books?copies=9", ("path shelfId", "minimum", "1"), 1, 0),
        ("/shelves/0/books?copies=9", ("path shelfId", "minimum", "1"), 0, 1),
        ("/shelves/x/books?copies=9", ("path shelfId", "type", "integer"), 0, 1),
        ("/shelves/1/books?copies=9", ("query copies", "exclusiveMaximum", "10"), 1, 0),
        ("/shelves/1/books?copies=10", ("query copies", "exclusiveMaximum", "10"), 0, 1),
        ("/shelves/1/books?copies=1_0", ("query copies", "type", "integer"), 0, 1),
        ("/shelves/1/books", ("query copies", "required", ""), 0, 1),
        ("/shelves/1/books?copies=1&tag=old&tag=new", ("query tag", "maxItems", "2"), 1, 0),
        ("/shelves/1/books?copies=1&tag=old&tag=a&tag=b", ("query tag", "maxItems", "2"), 0, 1),
        ("/shelves/1/books?copies=1&tag=old", ("query tag /*", "enum", '"old"'), 1, None),
    ],
)
def test_parameters_are_read_from_the_request(
    url: str, constraint: tuple[str, str, str], obeyed: int, broken: int | None
) -> None:
    """Their texts stand for numbers and lists."""
    assert constraint_counts(exchange({"title": "a"}, url=url))[constraint] == (obeyed, broken)


def test_what_no_value_can_do_is_not_demanded() -> None:
    """A text parameter has no other type and no null; a response breaks nothing; objects are not read."""
    found = constraint_counts(exchange({"title": "a"}, X_Reader="r1"))

    assert found["header X-Reader", "pattern", "^r[0-9]+$"] == (1, 0)
    assert ("header X-Reader", "nullable", "") not in found
    assert ("header X-Reader", "type", "string") not in found
    assert not any(where.startswith("query filter") for where, _, _ in found)
    assert ("body", "property", "id") not in found
    listed = operation_constraints(subject(), subject().operations[0], ())
    assert {
        covered_constraint.in_response
        for covered_constraint in listed
        if covered_constraint.where.startswith("201")
    } == {True}
    assert {
        covered_constraint.in_response
        for covered_constraint in listed
        if not covered_constraint.where.startswith("201")
    } == {False}
    assert {broken for (where, _, _), (_, broken) in found.items() if where.startswith("201")} == {None}


def test_responses_exercise_values_members_and_branches() -> None:
    """An enum value that never came, and a member that was never there, are not exercised."""
    found = constraint_counts(
        exchange({"title": "a"}, response={"id": "1", "binding": "hard", "price": {"amount": 1}})
    )

    assert found["201 body /binding", "enum", '"hard"'] == (1, None)
    assert found["201 body /binding", "enum", '"soft"'] == (0, None)
    assert found["201 body", "property", "id"] == (1, None)
    assert found["201 body", "property", "parts"] == (0, None)
    assert found["201 body /price", "branch 2", "object"] == (1, None)


def test_media_types_with_one_schema_are_one_body() -> None:
    """Their constraints are listed once, and bodies that are no JSON are not listed."""
    places = {where for where, _, _ in constraint_counts()}

    assert not any("(" in where for where in places)
    assert "body" in places


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda v: st.lists(v) | st.dictionaries(st.sampled_from(["title", "parts", "price", "id"]), v),
    )
)
def test_any_body_can_be_compared(body: Any) -> None:
    """Whatever generators send; the list of constraints stays the same."""
    found = operation_constraints(subject(), subject().operations[0], [exchange(body, response=body)])

    assert [
        (covered_constraint.where, covered_constraint.keyword, covered_constraint.value)
        for covered_constraint in found
    ] == list(constraint_counts())
    assert all(isinstance(covered_constraint, CoveredConstraint) for covered_constraint in found)
