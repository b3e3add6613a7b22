"""Components as such: which of them are told to have come or gone."""

from typing import Any

from devportal.differ import compare
from tests.differ.building import api_with

PART = "#/components/schemas/Whole/properties/part"


def _answering(schema: dict[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    return {"/things": {"get": {"responses": {"200": {"description": "OK", "content": content}}}}}


def test_a_schema_of_which_only_a_part_is_used_is_unused_itself() -> None:
    """A reference into a shared schema makes use of what it leads to, which has no name of its own."""
    whole = {"Whole": {"properties": {"part": {"type": "string"}}}}
    old = api_with({}, paths=_answering({"type": "string"}))
    new = api_with({}, whole, paths=_answering({"$ref": PART}))

    found = compare(old, new).changes

    assert [(change.rule, change.new) for change in found] == [("component.unused.added", "Whole")]
