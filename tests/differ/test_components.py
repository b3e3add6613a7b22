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


def test_a_keyword_beside_a_reference_belongs_to_the_schema_with_the_reference() -> None:
    """In OpenAPI 3.0 it has no effect; it is no change of the target, even if that changes too."""

    def schemas(**deprecated: bool) -> dict[str, Any]:
        reference = {"$ref": "#/components/schemas/Part", **deprecated}
        return {
            "Whole": {"type": "object", "properties": {"part": reference}},
            "Part": {"type": "object", **deprecated},
        }

    paths = _answering({"$ref": "#/components/schemas/Whole"})
    old = api_with({}, schemas(), paths=paths, version="3.0.3")
    new = api_with({}, schemas(deprecated=True), paths=paths, version="3.0.3")

    assert [(change.rule, str(change.subject), change.field) for change in compare(old, new).changes] == [
        ("deprecated.set", "schema Part", ""),
        ("schema.without-effect.changed", "schema Whole", "part"),
    ]
