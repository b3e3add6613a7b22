"""Relative links in descriptions are found wherever a description can be, and nowhere else."""

import json
from pathlib import Path
from typing import Any

import pytest

from devportal.contract.load import load_contract
from devportal.contract.validate.relative_links import relative_links
from devportal.documents import format_pointer

SCHEMA = "/components/schemas/Parcel"
OPERATION = "/paths/~1parcels/get"


def links_with(tmp_path: Path, pointer: str, text: str) -> list[tuple[str, str]]:
    """Return the links of a contract that has this text at a pointer, each with the pointer of its description."""
    document: dict[str, Any] = {
        "openapi": "3.0.3",
        "info": {"title": "Parcels", "version": "1"},
        "tags": [{"name": "parcels"}],
        "paths": {
            "/parcels": {
                "get": {
                    "tags": ["parcels"],
                    "parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}],
                    "responses": {"200": {"description": "All of them."}},
                }
            },
            "/other": {"get": {"responses": {"200": {"description": "See [a](https://a.example)."}}}},
        },
        "components": {
            "schemas": {
                "Parcel": {"type": "object", "properties": {"description": {"type": "string"}}},
                "Other": {"type": "string", "description": "See [section](#a)."},
            }
        },
    }
    *above, last = pointer.removeprefix("/").split("/")
    part: Any = document
    for token in above:
        key = token.replace("~1", "/")
        part = part[int(key)] if isinstance(part, list) else part.setdefault(key, {})
    part[last] = text
    file = tmp_path / "openapi.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return [
        (format_pointer(location.pointer), target) for location, target in relative_links(load_contract(file))
    ]


@pytest.mark.parametrize(
    "pointer",
    [
        "/info/description",
        "/tags/0/description",
        "/paths/~1parcels/description",
        f"{OPERATION}/description",
        f"{OPERATION}/parameters/0/description",
        f"{OPERATION}/parameters/0/schema/description",
        f"{OPERATION}/responses/200/description",
        f"{SCHEMA}/description",
        f"{SCHEMA}/properties/description/description",
    ],
)
@pytest.mark.parametrize(
    "text", ["See [a](/b).", "See [a].\n\n[a]: /b", 'See <a href="/b">a</a>.', "See <A HREF = '/b'>a</A>."]
)
def test_links_are_found_at_their_places(tmp_path: Path, pointer: str, text: str) -> None:
    """In each notation."""
    assert links_with(tmp_path, pointer, text) == [(pointer, "/b")]


@pytest.mark.parametrize(
    "text",
    ["See [a](https://a.example/b).", "See [a](#b).", "See `[a](/b)`.", "A = B, [c] and (d).", "Nothing."],
)
def test_other_texts_have_no_relative_links(tmp_path: Path, text: str) -> None:
    """Whole addresses, links within a page, and code."""
    assert links_with(tmp_path, f"{OPERATION}/description", text) == []


def test_an_example_has_no_descriptions(tmp_path: Path) -> None:
    """What it has under that name is a value."""
    assert links_with(tmp_path, f"{SCHEMA}/example/description", "See [a](/b).") == []
