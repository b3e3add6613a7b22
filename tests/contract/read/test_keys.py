"""Keys and references that are found however they are spelt, and the look-ahead that depends on them."""

import json
from pathlib import Path

import pytest

from devportal.contract import load_contract
from devportal.contract.read.raw_keys import external_references, may_have_key
from devportal.documents import parse_document

ROOT = {
    "openapi": "3.1.0",
    "info": {"title": "T", "version": "1"},
    "paths": {"/a": {"$ref": "FILE#/a"}},
    "components": {"schemas": {"Secret": {"properties": {"x": {"type": "string"}}}}},
}
FINE = {"responses": {"200": {"description": "Fine."}}}
HUSH = {
    "x-internal": True,
    "responses": {
        "200": {
            "description": "Fine.",
            "content": {"a/b": {"schema": {"$ref": "../api.json#/components/schemas/Secret"}}},
        }
    },
}


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("x-internal: true", True),
        ('"x\\x2dinternal": true', True),
        ('"x\\u002Dinternal": true', True),
        ('"x\\U0000002dinternal": true', True),
        ('{"a": [{"x-\\u0069nternal": true}]}', True),
        ('x: &a {b: 1}\ny: *a\nc: "\\x2d"', False),
        ('{"a": "x\\u002dinternal"}', False),
        ("x-other: true", False),
    ],
)
def test_keys_are_found_however_they_are_spelt(text: str, *, has: bool) -> None:
    """By the words where they stand in the text, and by the keys where it has escapes."""
    assert may_have_key(parse_document(text, name="a.yaml"), "x-internal") is has


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a: {$ref: b.yaml}", ["b.yaml"]),
        ('{"a": {"$ref": "sub\\/b.json#/c"}}', ["sub/b.json#/c"]),
        ("a: {$ref: 'my parts/b.yaml'}", ["my parts/b.yaml"]),
        ("a:\n  $ref: >-\n    b.yaml", ["b.yaml"]),
        ('a: {"$r\\x65f": "b.yaml"}', ["b.yaml"]),
        ("a: {discriminator: {mapping: {c: ./c.yaml, d: D}}}", ["./c.yaml"]),
        ('{"discriminator": {"mapping": {"c": "#/C", "d": "d.json"}}}', ["d.json"]),
        ('{"discriminator": {"mapping": {"c": "#/C"}, "defaultMapping": "e.json"}}', ["e.json"]),
        ('{"discriminator": {"mapping": {"c": "#/C", "d": "#/D"}, "defaultMapping": "#/E"}}', []),
        ("a: {operationRef: 'b.yaml#/paths/~1a/get'}", ["b.yaml#/paths/~1a/get"]),
        ("a: {$ref: '#/b'}\nb: {$ref: 5}", []),
        ("a: &x {$ref: b.yaml}\nb: *x", ["b.yaml"]),
    ],
)
def test_references_to_other_files_are_found(text: str, found: list[str]) -> None:
    """In every form in which a text can say them; each once."""
    assert list(external_references(parse_document(text, name="a.yaml"))) == found


@pytest.mark.parametrize(
    ("file", "written"),
    [("sub/a.json", "sub/a.json"), ("sub/a.json", "sub\\/a.json"), ("my parts/a.json", "my parts/a.json")],
)
def test_marks_count_from_the_start_however_their_file_is_named(
    tmp_path: Path, file: str, written: str
) -> None:
    """What only an internal operation of another file uses is not published."""
    (tmp_path / "api.json").write_text(json.dumps(ROOT).replace("FILE", written), encoding="utf-8")
    (tmp_path / file).parent.mkdir()
    (tmp_path / file).write_text(json.dumps({"a": {"get": FINE, "post": HUSH}}), encoding="utf-8")

    contract = load_contract(tmp_path / "api.json")

    assert [operation.method for operation in contract.api.operations] == ["GET"]
    assert not contract.api.schemas
