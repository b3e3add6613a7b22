"""What tells a change of descriptions from a change of anything else, and says where it is."""

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract.schemas import Location
from devportal.contract.texts import (
    ContractUnits,
    changed_descriptions,
    changed_parts,
    contract_units,
    unit_of,
)

DOCUMENT = {
    "info": {"title": "T", "description": 'Says "so".'},
    "paths": {
        "/a": {"get": {"summary": "A", "description": "Second line\nand more."}, "parameters": [1]},
        "/z": {"put": {}},
    },
    "components": {"schemas": {"A/B": {"properties": {"b": {"description": "A b."}}}, "Z": {}}},
    "x-order": [1, 2],
}


def texts(document: Any) -> ContractUnits:
    """Return the texts of one document."""
    return contract_units([("", document)])


def with_member_at(path: list[str], value: Any) -> Any:
    """Return the document with another value at a path."""
    copy = json.loads(json.dumps(DOCUMENT))
    here = copy
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return copy


def changed_texts(before: Any, after: Any) -> list[tuple[str, str]] | None:
    """Return unit and former text of each changed description; None where more has changed."""
    found = changed_descriptions(texts(before), texts(after))
    return (
        None
        if found is None
        else [(changed_description.unit, changed_description.text) for changed_description in found]
    )


def test_descriptions_that_changed_are_told_as_they_were() -> None:
    """Each as plain text, however JSON writes it, with the operation or schema that it is of."""
    here = with_member_at(["paths", "/a", "get", "description"], "Other.")
    there = with_member_at(["components", "schemas", "A/B", "properties", "b", "description"], "Other.")
    elsewhere = with_member_at(["info", "description"], "Other.")

    assert changed_texts(DOCUMENT, here) == [("/paths/~1a/get", "Second line\nand more.")]
    assert changed_texts(DOCUMENT, there) == [("/components/schemas/A~1B", "A b.")]
    assert changed_texts(DOCUMENT, elsewhere) == [("", 'Says "so".')]
    assert changed_texts(DOCUMENT, DOCUMENT) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["info", "title"], "U"),
        (["info", "description"], ""),
        (["info", "summary"], "new"),
        (["paths", "/a", "get", "summary"], "B"),
        (["paths", "/a", "parameters"], []),
        (["paths", "/b"], {}),
        (["paths", "/a"], "no item"),
        (["components", "schemas", "A/B", "type"], "object"),
        (["components", "schemas", "C"], {}),
        (["x-order"], [2, 1]),
    ],
)
def test_every_other_change_is_one_of_the_structure(path: list[str], value: Any) -> None:
    """Also that a description is not there any more."""
    assert changed_texts(DOCUMENT, with_member_at(path, value)) is None
    assert changed_texts(with_member_at(path, value), DOCUMENT) is None


@pytest.mark.parametrize("key", ["", "paths", "components"])
def test_order_is_part_of_the_structure(key: str) -> None:
    """Pages show what stands first first."""
    turned: Any = dict(DOCUMENT)
    if key == "":
        turned = dict(reversed(DOCUMENT.items()))
    elif key == "paths":
        turned["paths"] = dict(reversed(turned["paths"].items()))
    else:
        turned["components"] = {"schemas": dict(reversed(turned["components"]["schemas"].items()))}

    assert changed_texts(DOCUMENT, turned) is None


@pytest.mark.parametrize(
    ("path", "value", "changed"),
    [
        (["paths", "/a", "get", "summary"], "B", {"/paths/~1a/get"}),
        (["paths", "/a", "get", "description"], "B", set()),
        (["paths", "/a", "parameters"], [], {"/paths/~1a/get"}),
        (["paths", "/b"], {"put": {}}, {"/paths/~1b/put"}),
        (["paths", "/b"], {}, None),
        (["components", "schemas", "A/B", "type"], "object", {"/components/schemas/A~1B"}),
        (["components", "schemas", "C"], {}, {"/components/schemas/C"}),
        (["info", "title"], "U", None),
    ],
)
def test_operations_and_schemas_that_changed_are_named(
    path: list[str], value: Any, changed: set[str] | None
) -> None:
    """Those that are new and gone too, not those of which only a description did; none if anything else changed."""
    assert changed_parts(texts(with_member_at(path, value)), texts(DOCUMENT)) == changed
    assert changed_parts(texts(DOCUMENT), texts(with_member_at(path, value))) == changed


@pytest.mark.parametrize(
    ("value", "is_data"),
    [
        ({"example": {"description": "…"}}, True),
        ({"schema": {"default": [{"description": "…"}]}}, True),
        ({"examples": [{"description": "…"}]}, True),
        ({"examples": {"one": {"value": {"description": "…"}}}}, True),
        ({"examples": {"one": {"description": "…", "value": {}}}}, False),
        ({"example": {"a": 1}, "description": "…"}, False),
        ({"example": {"a": 1}, "x-date": {"description": date(2026, 1, 2)}, "description": "…"}, True),
    ],
)
def test_descriptions_within_values_are_data(*, value: Any, is_data: bool) -> None:
    """A change of one is a change of its unit; so is one in a unit of which that is not clear."""
    before, after = (
        {
            "paths": {
                "/a": {
                    "get": json.loads(json.dumps(value, default=str, ensure_ascii=False).replace("…", text))
                }
            }
        }
        for text in ("One.", "Two.")
    )
    if "x-date" in value:
        after["paths"]["/a"]["get"]["x-date"] = value["x-date"]

    changed = changed_parts(texts(before), texts(after), [("", after)])

    assert changed == frozenset({"/paths/~1a/get"} if is_data else ())


@pytest.mark.parametrize(
    ("part", "changed"),
    [
        ({"$ref": "#/components/parameters/A"}, {"/paths/~1a/get"}),
        ({"$ref": "common.yaml#/A"}, {"/paths/~1a/get"}),
        ({"$ref": "common.yaml"}, {"/paths/~1a/get"}),
        ({"$ref": "#/paths/~1a/get/parameters/0"}, None),
        ({"$ref": "openapi.yaml#/paths/~1a/get"}, None),
        ({"$ref": "#/p%61ths/~1a/get"}, None),
        ({"$ref": "#anchor"}, None),
        ({"$anchor": "anchor"}, None),
        ({"$id": "https://a.example"}, None),
    ],
)
def test_operations_are_apart_unless_a_reference_may_lead_into_one(
    part: Any, changed: set[str] | None
) -> None:
    """By its place in a path, or by a name that something in it has."""
    before = {**DOCUMENT, "x-part": part}
    after = {**with_member_at(["paths", "/a", "get", "summary"], "B"), "x-part": part}

    assert changed_parts(texts(before), texts(after)) == changed


@pytest.mark.parametrize("key", ["mapping", "parameters"])
@pytest.mark.parametrize("other", ["a", "x}", "{", '"', "\\", '}"description": "'])
def test_a_mapped_value_called_description_is_no_description(key: str, other: str) -> None:
    """A discriminator may have a value of that name, and a link a parameter; the text beside it is data."""
    before = {key: {other: "#/A", "description": "#/B"}, "description": "x"}
    after = {key: {other: "#/A", "description": "#/C"}, "description": "x"}

    assert changed_texts(before, after) is None
    assert changed_texts(before, before) == []


def test_a_unit_with_examples_may_be_shown_by_any_page() -> None:
    """An example of a schema is part of the examples of all that hold it."""
    before = {"components": {"schemas": {"A": {"example": {"b": 1}, "description": "An a."}}}}
    after = {"components": {"schemas": {"A": {"example": {"b": 1}, "description": "One a."}}}}

    assert changed_texts(before, after) == [("", "An a.")]


def test_a_default_response_is_no_example() -> None:
    """Most operations have one, and most of the others hold none."""
    before = {"paths": {"/a": {"get": {"responses": {"default": {"description": "An error."}}}}}}
    after = {"paths": {"/a": {"get": {"responses": {"default": {"description": "A fault."}}}}}}

    assert changed_texts(before, after) == [("/paths/~1a/get", "An error.")]


def test_units_of_locations_are_those_of_the_text() -> None:
    """A location inside an operation or schema of the root file is of its unit, any other of the rest."""
    found = {
        name: unit_of(Location(file, tuple(pointer.split("/")[1:])))
        for name, file, pointer in [
            ("operation", "", "/paths/a/get/responses/200"),
            ("path", "", "/paths/a/parameters"),
            ("schema", "", "/components/schemas/A/properties/b"),
            ("response", "", "/components/responses/R"),
            ("other file", "b.yaml", "/components/schemas/A"),
            ("whole", "", ""),
        ]
    }

    assert found == {
        "operation": "/paths/a/get",
        "path": "/paths/a/parameters",
        "schema": "/components/schemas/A",
        "response": "",
        "other file": "",
        "whole": "",
    }
    names = {unit.name for unit in texts(DOCUMENT)}
    assert names == {
        "/paths/~1a/get",
        "/paths/~1z/put",
        "/components/schemas/A~1B",
        "/components/schemas/Z",
        "",
    }


@given(st.text(alphabet='a"\\\n: ').filter(bool))
def test_a_description_is_one_text_whatever_it_holds(description: str) -> None:
    """Quotation marks and backslashes within it do not end it; an empty one is part of the structure."""
    unit, empty = contract_units(("", {"description": text, "title": "T"}) for text in (description, ""))

    assert [json.loads(f'"{text}"') for text in unit.descriptions] == [description]
    assert empty.descriptions == ()
