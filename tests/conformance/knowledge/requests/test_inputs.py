"""The places of a request, and values at their bounds."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from devportal.conformance.knowledge.requests.boundaries import boundaries
from devportal.conformance.knowledge.requests.inputs import (
    inputs,
    is_forbidden,
    valid_request_values,
    violations,
)
from devportal.conformance.knowledge.requests.valid_request import example_request_values, request_from_values
from devportal.contract import ABSENT, ParameterLocation
from tests.conformance.families.servers import boxes, crates
from tests.conformance.running import subject_of

SUBJECT = subject_of(crates.CONTRACT)
PACK, LISTED, READ = SUBJECT.operations
PLACES = inputs(SUBJECT, valid_request_values(SUBJECT, PACK))


def test_each_parameter_and_member_is_a_place() -> None:
    """Nested members and the items of lists too."""
    assert {place.name for place in PLACES} >= {"'/name'", "'/tags'", "'/tags/0'", "'/origin/country'"}
    assert [input_.name for input_ in inputs(SUBJECT, valid_request_values(SUBJECT, LISTED))] == [
        "query 'limit'",
        "query 'fragile'",
        "query 'colour'",
        "query 'code'",
    ]


def test_members_that_an_example_leaves_out_are_places_of_another_valid_request() -> None:
    """What an example lacks is tested too, below the root as well."""
    example, whole = valid_request_values(SUBJECT, PACK)

    assert set(whole.body) - set(example.body) == {"packed", "labels", "pin"}
    assert {place.name: place.is_present for place in PLACES}["'/packed'"]
    assert not violations(SUBJECT, whole)


def test_a_value_that_fits_no_branch_of_a_union_is_forbidden() -> None:
    """Every validator reads it alike if each branch is ruled out by a keyword that has one reading."""
    note = next(place for place in PLACES if place.name == "'/note'")

    assert is_forbidden(SUBJECT, note.request_values_with({"a": 1}))
    assert is_forbidden(SUBJECT, note.request_values_with(12))
    assert not is_forbidden(SUBJECT, note.request_values_with(None))


def test_a_place_is_filled_or_left_out() -> None:
    """Nothing else of the request changes."""
    country = next(place for place in PLACES if place.name == "'/origin/country'")
    body = dict(country.request_values.body)

    assert country.request_values_with("FR").body == {**body, "origin": {"country": "FR"}}
    assert country.request_values_with(ABSENT).body == {**body, "origin": {}}
    assert country.request_values.body == body


def test_bounds_are_valid_and_what_is_beyond_them_is_not() -> None:
    """The contract's own schemas say so of every place."""
    tried = [(place, bound) for place in PLACES for bound in boundaries(place.meaning, place.value)]

    assert {bound.title for _, bound in tried} >= {"the longest text", "the least number", "the most items"}
    for input_, bound in tried:
        for value in (bound.value, bound.inner, *bound.near):
            assert value is ABSENT or not violations(SUBJECT, input_.request_values_with(value)), (
                input_.name,
                bound,
            )
        keywords = frozenset({"format"}) if bound.is_format else frozenset[str]()
        outside = ABSENT if bound.outside is ABSENT else input_.request_values_with(bound.outside)
        assert outside is ABSENT or is_forbidden(SUBJECT, outside, keywords), (
            input_.name,
            bound,
        )


def test_a_request_says_what_its_filling_says() -> None:
    """Path, query and body are written as the contract says."""
    pack = request_from_values(valid_request_values(SUBJECT, PACK)[0], "http://x")
    fragile = inputs(SUBJECT, valid_request_values(SUBJECT, LISTED))[1]

    assert json.loads(pack.body or b"")["code"] == "C1234"
    assert (
        request_from_values(fragile.request_values_with(value=False), "http://x").url
        == "http://x/v1/crates?fragile=false"
    )
    assert (
        request_from_values(valid_request_values(SUBJECT, READ)[0], "http://x").url
        == "http://x/v1/crates/crt_1"
    )


def test_a_key_that_makes_requests_repeatable_is_new_each_time() -> None:
    """Two requests of a run are not taken for one."""
    api = subject_of(boxes.CONTRACT).api
    make = replace(api.operations[0], parameters=(replace(api.operations[0].parameters[0], required=True),))
    keys = {
        example_request_value.value_of(make.parameters[0])
        for _ in range(3)
        for example_request_value in example_request_values(api, make, unique_names=("Idempotency-Key",))
    }

    assert len(keys) == 3


def test_branches_of_unions_that_no_example_has(tmp_path: Path) -> None:
    """A request with the values of each is valid too, and keeps what the branches have in common."""
    branches = [
        {
            "type": "object",
            "required": ["kind", "box", name],
            "properties": {"kind": {"const": kind}, "box": {"type": "integer"}, name: {"type": "string"}},
        }
        for kind, name in (("walk", "route"), ("vet", "reason"))
    ]
    schema = {"type": "object", "required": ["visit"], "properties": {"visit": {"oneOf": branches}}}
    example = {"visit": {"kind": "walk", "box": 7, "route": "park"}}
    media_type = {"application/json": {"schema": schema, "example": example}}
    operation = {"requestBody": {"content": media_type}, "responses": {"204": {"description": "Done"}}}
    file = tmp_path / "openapi.json"
    info = {"title": "Visits", "version": "1"}
    file.write_text(json.dumps({"openapi": "3.1.0", "info": info, "paths": {"/visits": {"post": operation}}}))
    subject = subject_of(file)
    valid = valid_request_values(subject, subject.operations[0])

    assert [request_values.body["visit"]["kind"] for request_values in valid] == ["walk", "vet"]
    assert valid[1].body["visit"]["box"] == 7
    assert "'/visit/reason'" in {input_.name for input_ in inputs(subject, valid)}


def test_bounds_start_from_a_text_where_the_example_is_null() -> None:
    """Null says nothing about the lengths of the texts beside it."""
    base = valid_request_values(SUBJECT, PACK)[0]
    with_null = base.with_body({**base.body, "note": None})
    note = next(input_ for input_ in inputs(SUBJECT, (with_null,)) if input_.name == "'/note'")

    assert note.is_present
    assert "the longest text" in {bound.title for bound in boundaries(note.meaning, note.value)}


@pytest.mark.parametrize(("name", "is_certain"), [("Accept-Language", False), ("X-Colour", True)])
def test_headers_that_a_server_may_ignore_make_no_request_invalid(name: str, *, is_certain: bool) -> None:
    """A language that a server does not have gets another one (RFC 9110 §12.5.4), whatever a contract lists."""
    colour = next(
        place
        for place in inputs(SUBJECT, valid_request_values(SUBJECT, LISTED))
        if place.name == "query 'colour'"
    )
    assert colour.parameter is not None
    header = replace(colour.parameter, name=name, location_in=ParameterLocation.HEADER)

    assert is_forbidden(SUBJECT, colour.request_values.with_parameter(header, "plaid")) is is_certain


def test_texts_of_lists_in_parameters_are_lists_and_invalid_examples_are_not_used(tmp_path: Path) -> None:
    """An example that its own schema forbids would make each request look invalid, whatever it changes."""
    contract = tmp_path / "reports.yaml"
    contract.write_text(
        """\
openapi: 3.0.3
info: {title: Reports, version: '1'}
paths:
  /reports:
    get:
      parameters:
        - {name: to, in: query, example: 'ada,ben', schema: {type: array, items: {type: string}}}
        - {name: ids, in: query, example: '7, 8', schema: {type: array, items: {type: integer}}}
        - {name: tags, in: query, example: '["x, y"]', schema: {type: array, items: {type: string}}}
        - {name: pages, in: query, style: pipeDelimited, example: 'a,b|c', schema: {type: array, items: {type: string}}}
        - {name: size, in: query, example: many, schema: {type: integer, minimum: 1}}
      responses: {'200': {description: Done}}
""",
        encoding="utf-8",
    )
    subject = subject_of(contract)

    values = [each.value for each in inputs(subject, valid_request_values(subject, subject.operations[0]))]

    assert values[:4] == [["ada", "ben"], [7, 8], ["x, y"], ["a,b", "c"]]
    assert "many" not in values
