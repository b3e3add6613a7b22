"""No page of a reference is too large for a browser, whatever is large in its contract."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from devportal.reference.pages.part_pages import MAX_NODES
from tests.site.building import Tags, built_from

_INFO = {"title": "Large", "version": "1"}
_OK = {"200": {"description": "OK"}}


def _operation(body: Mapping[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": body}}
    return {
        "/responses": {
            "post": {
                "tags": ["Responses"],
                "requestBody": {"required": True, "content": content},
                "responses": {"200": {"description": "OK", "content": content}},
            }
        }
    }


def _object(name: str, fields: int, **more: Any) -> dict[str, Any]:
    texts = (
        {"type": "string", "maxLength": 9, "description": f"Text {at} of {name}."} for at in range(fields)
    )
    return {"type": "object", "properties": {f"{name}_{at}": text for at, text in enumerate(texts)} | more}


def _union(depth: int) -> dict[str, Any]:
    branches = [
        _object(f"b{depth}{at}", 8, **({"next": _union(depth - 1)} if depth else {})) for at in range(4)
    ]
    return {"oneOf": branches}


_SHAPES: dict[str, dict[str, Any]] = {
    "one tag of many operations": {
        f"/parcels/{at}": {"get": {"tags": ["Parcels"], "summary": f"Parcel {at}", "responses": _OK}}
        for at in range(300)
    },
    "many tags": {
        f"/r{at}/{{id}}": {"get": {"tags": [f"Tag {at % 150}"], "summary": f"Read {at}", "responses": _OK}}
        for at in range(300)
    },
    "many paths without tags": {
        f"/r{at % 200}/x{at}": {"get": {"description": "Text.", "responses": _OK}} for at in range(250)
    },
    "hundreds of fields": _operation(_object("field", 700)),
    "nested unions": _operation(
        _object("field", 100, input=_union(3), tools={"type": "array", "items": _union(2)})
    ),
    "hundreds of enum values": _operation(
        {
            "type": "object",
            "properties": {
                f"field_{at}": {"type": "string", "enum": [f"value.{at}.{each}" for each in range(80)]}
                for at in range(90)
            },
        }
    ),
    "described enum values": _operation(
        {
            "type": "string",
            "enum": [f"value.{at}" for at in range(900)],
            "x-enumDescriptions": {f"value.{at}": f"What value {at} means." for at in range(900)},
        }
    ),
    "hundreds of parameters": {
        "/search": {
            "get": {
                "tags": ["Search"],
                "parameters": [
                    {
                        "name": f"filter[{at}]",
                        "in": "query",
                        "description": "A filter.",
                        "schema": {"type": "string"},
                    }
                    for at in range(500)
                ],
                "responses": _OK,
            }
        }
    },
    "many responses": {
        "/all": {
            "get": {
                "tags": ["All"],
                "responses": {
                    str(status): {
                        "description": f"Status {status}.",
                        "content": {"application/json": {"schema": _object(f"s{status}", 30)}},
                    }
                    for status in range(400, 420)
                },
            }
        }
    },
}


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(shape, marks=[] if shape == "one tag of many operations" else [pytest.mark.deep])
        for shape in _SHAPES
    ],
)
def test_no_page_of_a_large_contract_is_heavy(shape: str, tmp_path: Path) -> None:
    """No page has more than 1,500 elements."""
    document = {"openapi": "3.1.0", "info": _INFO, "paths": _SHAPES[shape]}

    site = built_from(document, tmp_path / "project").site_dir

    counts = {
        page.relative_to(site).as_posix(): len(Tags(page.read_text(encoding="utf-8")).tags)
        for page in site.rglob("*.html")
    }
    assert {name: count for name, count in counts.items() if count > MAX_NODES} == {}
