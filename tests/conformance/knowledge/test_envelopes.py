"""Representations inside the envelope of a response."""

import json
from pathlib import Path
from typing import Any

import pytest

from devportal.contract.resources import Resource
from tests.conformance.running import subject_of

OBJECT = {"type": "object"}
THING: dict[str, Any] = {**OBJECT, "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
META: dict[str, Any] = {**OBJECT, "properties": {"took_ms": {"type": "integer"}}}


def resource_of(folder: Path, **members: Any) -> Resource:
    """Return the resource type of a contract whose responses have these members."""
    content = {"application/json": {"schema": {**OBJECT, "properties": members}}}
    contract = {
        "openapi": "3.0.3",
        "info": {"title": "Things", "version": "1"},
        "paths": {
            "/things/{thing_id}": {
                "get": {
                    "parameters": [
                        {"name": "thing_id", "in": "path", "required": True, "schema": {"type": "string"}}
                    ],
                    "responses": {"200": {"description": "A thing.", "content": content}},
                }
            }
        },
    }
    file = folder / "things.yaml"
    file.write_text(json.dumps(contract))
    return subject_of(file).resources[0]


@pytest.mark.parametrize(
    ("members", "envelope", "key"),
    [
        (THING["properties"], "", ("id",)),
        ({"data": THING}, "data", ("id",)),
        ({"data": THING, "meta": META}, "data", ("id",)),
        ({"thing": THING}, "thing", ("id",)),
        ({"thing": THING, "meta": META}, "", ()),
        ({"id": {"type": "string"}, "data": THING}, "", ("id",)),
        ({"data": THING, "owner": THING}, "", ()),
        ({"total": {"type": "integer"}, "customer": THING}, "", ()),
    ],
)
def test_an_envelope_is_a_usual_member_or_the_only_one(
    members: Any, envelope: str, key: tuple[str, ...], tmp_path: Path
) -> None:
    """It holds the only identifier of the response; an object beside other members may be a part of it."""
    found = resource_of(tmp_path, **members)

    assert (found.envelope, found.key) == (envelope, key)
