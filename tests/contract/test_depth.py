"""Chains of references: long ones are reported and cut, so that nothing that walks them falls."""

import json
from typing import Any

import pytest

from devportal.contract import Contract, check_contract, read_contract
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.contract.values.conjunction import MAX_REFERENCE_CHAIN
from devportal.contract.values.synthesis import synthesise
from devportal.documents import parse_document
from devportal.reference.pages.pages import reference_pages
from tests.growth import LINEAR, growth


def chain(kind: str, length: int, *, is_marked: bool = False) -> Contract:
    """Return a contract with so many schemas, each leading to the next one in the same way; the last may be
    marked as internal.
    """
    schemas: dict[str, Any] = {}
    for number in range(length):
        ref = {"$ref": f"#/components/schemas/S{number + 1}"}
        schemas[f"S{number}"] = {
            "$ref": ref,
            "beside": {**ref, "maxLength": 9},
            "allOf": {"allOf": [ref]},
            "oneOf": {"oneOf": [ref]},
            "inner": {"anyOf": [{"allOf": [ref]}, {"type": "integer"}]},
            "properties": {"required": ["a"], "properties": {"a": ref}},
            "items": {"type": "array", "items": ref},
        }[kind]
    schemas[f"S{length}"] = {"type": "string", **({"x-internal": True} if is_marked else {})}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}
    paths = {"/a": {"get": {"responses": {"200": {"description": "OK", "content": content}}}}}
    head = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}}
    text = json.dumps({**head, "paths": paths, "components": {"schemas": schemas}}, indent=1)
    return read_contract(parse_document(text, name="api.json"))


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["inner", "$ref", "beside", "allOf", "oneOf"])
def test_a_chain_that_is_too_long_is_reported_and_cut(kind: str) -> None:
    """The finding stands where the chain becomes too long; all that is done with a contract still works."""
    read = chain(kind, 250)
    validator = Validator(read.api)

    for schema in read.api.schemas.values():
        for direction in Direction:
            validator.is_valid(schema, synthesise(read.api, schema, direction), direction)
    assert {finding.rule for finding in read.findings} == {"contract-depth"}
    assert len(read.findings) == 250 // (MAX_REFERENCE_CHAIN + 1)
    assert set(read.findings) <= set(check_contract(read))
    assert [*reference_pages(read.api)]


@pytest.mark.parametrize("kind", ["$ref", "beside", "allOf", "oneOf", "inner"])
def test_a_chain_that_is_just_short_enough_is_left_alone(kind: str) -> None:
    """One reference more is one too many."""
    assert chain(kind, MAX_REFERENCE_CHAIN).findings == ()
    assert chain(kind, MAX_REFERENCE_CHAIN + 1).findings[0].rule == "contract-depth"


@pytest.mark.parametrize("is_marked", [False, True])
def test_a_long_chain_is_walked_once(*, is_marked: bool) -> None:
    """And not anew from each of its links, whatever is asked about them."""
    read = chain("$ref", 6000, is_marked=is_marked)

    assert (not read.api.schemas) is is_marked
    assert growth(lambda length: chain("$ref", length, is_marked=is_marked), 200) < LINEAR


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["properties", "items"])
def test_values_within_values_are_no_chain(kind: str) -> None:
    """However many schemas stand in each other's properties, examples and pages end by themselves."""
    read = chain(kind, 600)

    assert read.findings == ()
    assert [synthesise(read.api, schema, Direction.REQUEST) for schema in read.api.schemas.values()]
    assert [*reference_pages(read.api)]


def test_a_circle_is_no_chain() -> None:
    """A schema that is made of itself has no length."""
    schemas = {"A": {"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "string"}]}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": {"/a": {"get": {"responses": {"200": {"description": "OK"}}}}},
        "components": {"schemas": schemas},
    }

    assert read_contract(parse_document(json.dumps(document), name="api.json")).findings == ()
