"""The state that an action leads to, by its name."""

import json
from pathlib import Path

import pytest

from devportal.conformance.families.states import actions
from tests.conformance.running import subject_of


@pytest.mark.parametrize(
    ("verb", "states", "found"),
    [
        ("pay", ["open", "paid"], 1),
        ("cancel", ["open", "cancelled"], 1),
        ("apply", ["new", "applied"], 1),
        ("pay", ["open", "settled"], 0),
        ("pay", ["paid", "payable", "open"], 0),
    ],
)
def test_a_verb_leads_to_its_participle(tmp_path: Path, verb: str, states: list[str], found: int) -> None:
    """A verb that ends in y has its participle in ied or id; a verb that fits two states leads to neither."""
    state = {"type": "string", "enum": states, "readOnly": True}
    bill = {"type": "object", "properties": {"id": {"type": "string"}, "status": state}}
    response = {"description": "A bill.", "content": {"application/json": {"schema": bill}}}
    one = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    paths = {
        "/bills": {"post": {"responses": {"201": response}}},
        "/bills/{id}": {"parameters": one, "get": {"responses": {"200": response}}},
        f"/bills/{{id}}/{verb}": {"parameters": one, "post": {"responses": {"200": response}}},
    }
    contract = tmp_path / "bills.json"
    contract.write_text(
        json.dumps({"openapi": "3.1.0", "info": {"title": "Bills", "version": "1"}, "paths": paths})
    )

    # One probe is of the effects of the action, whose state does not matter.
    assert len(list(actions.probes(subject_of(contract)))) == found + 1
