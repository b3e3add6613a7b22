"""Schemas named by `$id`, `$anchor` and `$self` instead of by JSON pointers."""

from pathlib import Path

import pytest

from devportal.contract import Contract, Location
from tests.contract.inline import PATHS, contract, schemas, write

HEAD = f"openapi: 3.2.0\ninfo: {{title: Test, version: '1'}}\n{PATHS}"


def ref_of(text: str, name: str = "S", *, version: str = "3.1.0") -> str:
    """Return where the reference that is the schema `S` leads, among these schemas."""
    return str(schemas(text, version=version)[name].ref)


def reference_targets(read: Contract) -> list[str]:
    """Return where the references of the root's schemas lead, in a contract without findings."""
    assert read.findings == ()
    return [str(schema.ref) for schema in read.api.schemas.values() if schema.ref is not None]


@pytest.mark.parametrize(
    ("id_", "reference"),
    [
        ("https://example.com/tree", "https://example.com/tree"),
        ("https://example.com/tree#", "https://example.com/tree"),
        ("tree", "tree"),
        ("schemas/tree.json", "./schemas/tree.json"),
        ("urn:example:tree", "urn:example:tree"),
    ],
)
def test_a_reference_by_id_leads_to_its_schema(id_: str, reference: str) -> None:
    """Absolute, relative to the document, or of any other scheme; no file of that name is needed."""
    assert (
        ref_of(f"S: {{$ref: '{reference}'}}\nT: {{$id: '{id_}', type: object}}") == "#/components/schemas/T"
    )


def test_references_below_an_id_are_relative_to_it() -> None:
    """A fragment starts at the schema with the `$id`, a path at its URI (JSON Schema 2020-12 §8.2.1)."""
    found = schemas("""\
        Tree:
          $id: https://example.com/schemas/tree
          $defs: {leaf: {$anchor: leaf, type: string}}
          properties:
            by_pointer: {$ref: '#/$defs/leaf'}
            by_anchor: {$ref: '#leaf'}
            whole: {$ref: '#'}
            other: {$ref: 'flower#/$defs/leaf'}
        Flower: {$id: https://example.com/schemas/flower, $defs: {leaf: {type: integer}}}
        """)
    places = {property_.name: str(property_.schema.ref) for property_ in found["Tree"].properties}

    assert places == {
        "by_pointer": "#/components/schemas/Tree/$defs/leaf",
        "by_anchor": "#/components/schemas/Tree/$defs/leaf",
        "whole": "#/components/schemas/Tree",
        "other": "#/components/schemas/Flower/$defs/leaf",
    }


def test_ids_within_ids_are_relative_to_those_above() -> None:
    """Each `$id` is resolved against the nearest one above it."""
    text = (
        "S: {$ref: 'https://example.com/a/c'}\n"
        "T: {$id: 'https://example.com/a/b', $defs: {inner: {$id: c, type: string}}}"
    )

    assert ref_of(text) == "#/components/schemas/T/$defs/inner"


def test_a_pointer_from_the_root_is_understood_below_an_id_too() -> None:
    """Many authors write `$id` for show and pointers as if it were not there."""
    text = "S: {$id: 'https://example.com/s', items: {$ref: '#/components/schemas/T'}}\nT: {type: string}"
    items = schemas(text)["S"].items

    assert items is not None
    assert str(items.ref) == "#/components/schemas/T"


def test_the_same_text_leads_elsewhere_below_another_id() -> None:
    """What a reference means is not remembered for the whole file where it has ids."""
    text = (
        "A: {$id: 'https://example.com/a', $defs: {x: {type: string}}, items: {$ref: '#/$defs/x'}}\n"
        "B: {$id: 'https://example.com/b', $defs: {x: {type: string}}, items: {$ref: '#/$defs/x'}}"
    )
    found = schemas(text)

    assert [str(schema.items.ref) for schema in found.values() if schema.items] == [
        "#/components/schemas/A/$defs/x",
        "#/components/schemas/B/$defs/x",
    ]


def test_anchors_are_looked_for_in_their_resource_first() -> None:
    """Two resources may have an anchor of one name; a unique one is found from anywhere."""
    text = (
        "A: {$id: 'https://example.com/a', $defs: {x: {$anchor: n}}, items: {$ref: '#n'}}\n"
        "B: {$id: 'https://example.com/b', $defs: {x: {$anchor: n}}, items: {$ref: '#n'}}\n"
        "C: {$ref: '#n'}\nD: {$ref: 'https://example.com/b#n'}"
    )
    found = schemas(text)

    assert [str(schema.items.ref) for schema in found.values() if schema.items] == [
        "#/components/schemas/A/$defs/x",
        "#/components/schemas/B/$defs/x",
    ]
    assert str(found["C"].ref) == "#/components/schemas/A/$defs/x"
    assert str(found["D"].ref) == "#/components/schemas/B/$defs/x"


def test_properties_with_such_names_are_none_of_it() -> None:
    """A property that is called `$id` or `$anchor` names no schema."""
    found = schemas(
        "S: {properties: {$id: {type: string}, $anchor: {type: string}, a: {$ref: '#/components'}}}"
    )

    assert [property_.name for property_ in found["S"].properties] == ["$id", "$anchor", "a"]


@pytest.mark.parametrize(
    "reference",
    ["https://example.com/api#/components/schemas/T", "api#/components/schemas/T", "#/components/schemas/T"],
)
def test_a_document_is_known_by_its_self(reference: str) -> None:
    """`$self` is the URI of the document (OAS 3.2.0 §4.1.2)."""
    text = (
        f"$self: https://example.com/api\ncomponents: {{schemas: {{S: {{$ref: '{reference}'}}, T: {{}}}}}}\n"
    )

    assert reference_targets(contract(text, version="3.2.0")) == ["#/components/schemas/T"]


def test_files_are_found_from_a_document_with_a_self(tmp_path: Path) -> None:
    """A relative reference names a `$self` or an `$id` that was read, or else a file beside this one."""
    files = {
        "api.yaml": HEAD
        + "$self: https://example.com/api\n"
        + "components: {schemas: {A: {$ref: 'a.yaml#/A'}, B: {$ref: 'https://example.com/b#/B'}}}\n",
        "a.yaml": "$self: https://example.com/b\nA: {$ref: '#/B'}\nB: {type: string}\n",
    }

    assert reference_targets(write(tmp_path, files)) == ["a.yaml#/A", "a.yaml#/B", "a.yaml#/B"]


def test_each_definition_can_be_referred_to() -> None:
    """`$defs` are schemas like others, also with odd names."""
    found = schemas("S: {$ref: '#/components/schemas/T/$defs/a~1b%25'}\nT: {$defs: {'a/b%': {type: string}}}")

    assert found["S"].ref == Location("", ("components", "schemas", "T", "$defs", "a/b%"))


@pytest.mark.parametrize("broken", ["$id: 'http://['", "$id: 1", "$self: 1", "$anchor: [1]"])
def test_broken_names_are_no_failure(broken: str) -> None:
    """A name that is none is passed over; pointers work as ever."""
    text = f"S: {{{broken}, items: {{$ref: '#/components/schemas/T'}}}}\nT: {{type: string}}"

    assert schemas(text)["S"].items is not None
