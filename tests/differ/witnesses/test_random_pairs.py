"""Laws of witnesses on random pairs of schemas, checked by validators of the schemas as they are written."""

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings

from devportal.contract import Api, read_contract
from devportal.differ import compare
from devportal.differ.rule import Direction
from devportal.documents import parse_document
from tests.differ.oracle import written_schema
from tests.differ.strategies import Pair, fixed_examples, pairs

both_directions = pytest.mark.parametrize("direction", Direction)


def contract_with(schema: Any, shared: Any, direction: Direction) -> Api:
    """Return a contract of one operation that sends or receives values of a schema."""
    content = {"content": {"application/json": {"schema": schema}}}
    is_sent = direction is Direction.TO_PROVIDER
    operation = {
        "responses": {"200": {"description": "OK", **({} if is_sent else content)}},
        **({"requestBody": {"required": True, **content}} if is_sent else {}),
    }
    written = {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": {"/things": {"post": operation}},
        "components": {"schemas": dict(shared)},
    }
    return read_contract(parse_document(json.dumps(written), name="api.json")).api


@both_directions
@fixed_examples(settings().max_examples)
@given(pair=pairs(2))
def test_each_witness_is_allowed_by_one_contract_and_refused_by_the_other(
    direction: Direction, pair: Pair
) -> None:
    """A validator made of the written schemas, which no part of the differ has read, says the same."""
    old = contract_with(pair.old, pair.old_shared, direction)
    new = contract_with(pair.new, pair.new_shared, direction)
    written = written_schema(pair.old, pair.old_shared), written_schema(pair.new, pair.new_shared)
    narrow, wide = written if direction is Direction.TO_PROVIDER else written[::-1]
    allowing, refusing = (
        jsonschema_rs.Draft202012Validator(item, validate_formats=True) for item in (narrow, wide)
    )

    searches = [
        change.witness_search for change in compare(old, new).changes if change.rule.startswith("schema.")
    ]

    for witness in [
        search.witness for search in searches if search is not None and search.witness is not None
    ]:
        assert allowing.is_valid(witness.body), (witness, pair)
        assert not refusing.is_valid(witness.body), (witness, pair)
