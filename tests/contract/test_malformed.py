"""Contracts broken at random: what stops us is a PortalError, everything else is a finding with a place."""

import copy
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devportal.contract import Contract, check_contract, read_contract
from devportal.contract.schemas import walk_schema
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.contract.values.synthesis import synthesise
from devportal.documents import parse_document
from devportal.errors import PortalError

GOOD = {
    "openapi": "3.1.0",
    "info": {"title": "Things", "version": "1", "contact": {"name": "A"}, "license": {"name": "B"}},
    "servers": [{"url": "https://{h}", "variables": {"h": {"default": "a", "enum": ["a"]}}}],
    "tags": [{"name": "t", "externalDocs": {"url": "https://a"}}],
    "security": [{"key": []}],
    "x-problem-types": [{"type": "https://p", "title": "P", "status": 400}],
    "paths": {
        "/a/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "get": {
                "operationId": "get",
                "tags": ["t"],
                "security": [{"oauth": ["r"]}, {}],
                "x-codeSamples": [{"lang": "Go", "source": "a"}],
                "requestBody": {
                    "content": {
                        "multipart/form-data": {
                            "schema": {"$ref": "#/components/schemas/Thing"},
                            "encoding": {"id": {"headers": {"H": {"schema": {"type": "string"}}}}},
                            "examples": {"e": {"value": {"id": 1}}},
                        }
                    }
                },
                "responses": {
                    "200": {
                        "description": "OK",
                        "headers": {"H": {"schema": {"type": "string"}, "example": "a"}},
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}},
                        "links": {"l": {"operationId": "get", "parameters": {"id": "$request.body"}}},
                    }
                },
                "callbacks": {"c": {"{$url}": {"post": {"responses": {"200": {"description": "OK"}}}}}},
            },
            "post": {
                "x-internal": True,
                "operationId": "hidden",
                "tags": ["internal"],
                "security": [{"oauth": ["r"]}],
                "responses": {"200": {"$ref": "#/components/responses/Hidden"}},
            },
        }
    },
    "webhooks": {"w": {"post": {"responses": {"200": {"description": "OK"}}}}},
    "components": {
        "responses": {"Hidden": {"description": "For us"}},
        "parameters": {"Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}},
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "K"},
            "oauth": {
                "type": "oauth2",
                "flows": {"implicit": {"authorizationUrl": "u", "scopes": {"r": "R"}}},
            },
        },
        "schemas": {
            "Thing": {
                "type": ["object", "null"],
                "required": ["id"],
                "properties": {
                    "id": {"type": "integer", "minimum": 1, "example": 1, "readOnly": True},
                    "next": {"$ref": "#/components/schemas/Thing"},
                    "kind": {"enum": ["a", None], "x-enumDescriptions": {"a": "A"}},
                    "name": {"type": "string", "pattern": "^a", "maxLength": 3, "examples": ["a"]},
                },
                "oneOf": [{"type": "object"}, {"type": "null"}],
                "allOf": [{"$ref": "#/components/schemas/Base"}],
                "discriminator": {"propertyName": "kind", "mapping": {"a": "Base"}},
                "additionalProperties": {"items": {"type": "string"}, "prefixItems": [True]},
                "if": {"minProperties": 1},
                "dependentSchemas": {"a": {"not": {"type": "string"}}},
                "dependentRequired": {"a": ["b"]},
            },
            "Base": {"type": "object", "x-stability-level": "beta", "x-beta-keywords": ["type"]},
        },
    },
}
"""A contract with each kind of part once."""

_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.sampled_from(["string", "object", "null", "[", "3.0.3", "3.2.0", "2.0", "#", "../a.yaml", "query"]),
)
_ODD = st.sampled_from(
    [
        {"$ref": "#/components/schemas/Nothing"},
        {"$ref": "#/components/schemas/Thing"},
        {"$ref": "#/paths/~1a~1{id}"},
        {"$ref": "#/components/parameters/Id"},
        {"$ref": "#"},
        {"$ref": "https://example.com/a"},
        {"$ref": 1},
        {"type": "null"},
        {"x-internal": True},
    ]
)
_JSON = st.recursive(
    st.one_of(_SCALARS, _ODD),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=4,
)


def _slots(node: Any) -> list[tuple[Any, Any]]:
    """Return each container of a document with each of its keys or positions."""
    members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    found = []
    for key, member in [*members]:
        found += [(node, key), *_slots(member)]
    return found


@st.composite
def broken_contracts(draw: st.DrawFn) -> str:
    """Draw the contract with up to three nodes replaced, removed, or moved to where others stand."""
    document = copy.deepcopy(GOOD)
    for _ in range(draw(st.integers(1, 3))):
        container, key = draw(st.sampled_from(_slots(document)))
        match draw(st.sampled_from(["replace", "remove", "move"])):
            case "replace":
                container[key] = copy.deepcopy(draw(_JSON))  # what is sampled is shared
            case "remove":
                del container[key]
            case _:
                other, its = draw(st.sampled_from(_slots(document)))
                container[key] = copy.deepcopy(other[its])
    return json.dumps(document)


def use(contract: Contract) -> None:
    """Do with a contract what all that read it do: validate and synthesise each of its schemas."""
    validator = Validator(contract.api)
    for schema in contract.api.schemas.values():
        for part in walk_schema(schema):
            for direction in Direction:
                validator.is_valid(part, synthesise(contract.api, part, direction), direction)


def test_the_contract_that_is_broken_is_good() -> None:
    """Unbroken, it loads without a finding of the reader."""
    contract = read_contract(parse_document(json.dumps(GOOD), name="api.json"))

    use(contract)
    assert contract.findings == ()


@pytest.mark.parametrize("key", ["operationId", "tags", "security", "responses", "parameters"])
@pytest.mark.parametrize("value", [["b"], {"b": []}, [["b"]], [{"b": [["c"]]}], {"$ref": ["b"]}, 1, None])
def test_internal_operations_may_be_broken(key: str, value: Any) -> None:
    """Each of their fields may hold anything."""
    document = copy.deepcopy(GOOD)
    paths: Any = document["paths"]
    paths["/a/{id}"]["post"][key] = value
    contract = read_contract(parse_document(json.dumps(document), name="api.json"))

    use(contract)
    assert set(contract.findings) <= set(check_contract(contract))
    assert [operation.id for operation in contract.api.operations] == ["get"]


@given(broken_contracts())
@settings(
    max_examples=2 * settings().max_examples,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_a_broken_contract_gives_findings_never_a_failure(text: str) -> None:
    """Whatever is broken, it is refused with a message or read; each finding has a place and a help."""
    with suppress(PortalError):
        contract = read_contract(parse_document(text, name="api.json"))
        use(contract)
        assert all(finding.place.line == 1 and finding.help for finding in contract.findings)


@given(broken_contracts())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_broken_contract_can_be_checked(text: str) -> None:
    """The checks go through to their end on each contract that loads."""
    with suppress(PortalError):
        contract = read_contract(parse_document(text, name="api.json"))
        assert set(contract.findings) <= set(check_contract(contract))
