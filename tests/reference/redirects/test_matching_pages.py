"""What a page of one release is in another: the same part, or what is nearest to it."""

from typing import Any

import pytest

from devportal.reference.redirects.matching_pages import (
    OVERVIEW,
    Counterparts,
    DocumentedPart,
    RenamedParts,
    parts_of,
    renamed_parts,
)
from tests.reference.reading import RICH, api_from, api_of, pages_of

Release = dict[str, Any]


def operation(operation_id: str = "", *tags: str, **more: Any) -> dict[str, Any]:
    """Return an operation; without an id it is known by method and path alone."""
    named = {"operationId": operation_id} if operation_id else {}
    return {**named, "tags": list(tags), "responses": {"200": {"description": "x"}}, **more}


def release(paths: dict[str, Any], known: RenamedParts | None = None, **more: Any) -> Counterparts:
    """Return what a release with these paths shows."""
    api = api_from({"paths": paths, **more})
    return Counterparts(parts_of(api, folder="reference", overview="reference/index.md"), known)


def uri_below_reference(part: DocumentedPart | None) -> str:
    """Return the uri of a part, below the folder of the reference."""
    return part.uri.removeprefix("reference/") if part else ""


OLD = {"/a/{id}": {"get": operation("getA", "A")}}


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ({"/a/{name}": {"get": operation("other", "A")}}, "a/other.md"),
        ({"/A/{id}/": {"get": operation("other", "A")}}, "a/other.md"),
        ({"/b": {"post": operation("getA", "B")}}, "b/get-a.md"),
        ({"/a/{id}": {"post": operation("other", "A")}}, ""),
        ({}, ""),
    ],
    ids=["placeholders", "spelling", "id", "another method", "gone"],
)
def test_an_operation_is_found_as_the_differ_finds_it(paths: Release, expected: str) -> None:
    """By method and path, by an address that is spelt otherwise, or else by its operationId."""
    part = release(OLD).shown_at("reference/a/get-a.md")

    assert uri_below_reference(release(paths).same(part)) == expected


def test_operations_of_a_shared_path_item_are_parts_of_their_own() -> None:
    """Each is near to the group that lists it, and found by its own path."""
    shared = {"$ref": "#/components/pathItems/P"}
    components = {"pathItems": {"P": {"get": operation()}}}
    old = release({"/a": shared, "/b": shared}, components=components)

    assert [old.shown_at(f"reference/{text}/get-{text}.md").near for text in "ab"] == [
        ("group /a",),
        ("group /b",),
    ]
    new = release({"/b": {"get": operation("getB", "B")}})
    assert uri_below_reference(new.same(old.shown_at("reference/b/get-b.md"))) == "b/get-b.md"


def test_a_made_up_id_is_no_name() -> None:
    """Two operations without an operationId are not the same for being named alike."""
    part = release({"/a": {"get": operation("", "A")}}).shown_at("reference/a/get-a.md")

    assert part.noun == "operation"
    assert uri_below_reference(release({"/b": {"get": operation("getA", "A")}}).same(part)) == ""


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ({"/n": {"get": operation("newA", "B")}, "/o": {"get": operation("o", "A")}}, "b/new-a.md"),
        ({"/o": {"get": operation("o", "A")}}, "a/index.md"),
        ({"/o": {"get": operation("o", "B")}}, "index.md"),
    ],
    ids=["successor", "group", "overview"],
)
def test_what_is_gone_leads_to_what_is_nearest(paths: Release, expected: str) -> None:
    """To what takes its place, else to its group, else to the overview."""
    old = release({"/a": {"get": operation("getA", "A", deprecated=True, **{"x-successor": "newA"})}})
    part = old.shown_at("reference/a/get-a.md")

    assert part.near, "the contract names a successor"
    assert release(paths).same(part) is None
    assert uri_below_reference(release(paths).nearest(part)) == expected


@pytest.mark.parametrize("old_name", ["getA", "get /a/{x}"])
def test_renames_lead_both_ways(old_name: str) -> None:
    """Whoever reads the new release finds the old page, and the other way round."""
    known = renamed_parts([(old_name, "findA"), ("findA", "seekA")], [("A", "B")])
    old, new = release(OLD, known), release({"/b": {"get": operation("seekA", "B")}}, known)

    assert uri_below_reference(new.same(old.shown_at("reference/a/get-a.md"))) == "b/seek-a.md"
    assert uri_below_reference(old.same(new.shown_at("reference/b/seek-a.md"))) == "a/get-a.md"
    assert uri_below_reference(new.same(old.shown_at("reference/a/index.md"))) == "b/index.md"


def test_events_schemas_and_errors_are_known_by_name() -> None:
    """And where one is not there, to the list of its kind; where there is none, to the overview."""
    whole: Release = {
        "webhooks": {"thing.made": {"post": operation("made")}, "thing.gone": {"post": operation("gone")}},
        "components": {"schemas": {"Thing": {"type": "object", "properties": {"a": {}}}}},
    }
    old, new = release({}, **whole), release({}, webhooks={"thing.made": {"post": operation("other")}})

    assert (
        uri_below_reference(new.same(old.shown_at("reference/events/thing-made.md")))
        == "events/thing-made.md"
    )
    gone = old.shown_at("reference/events/thing-gone.md")
    assert (new.same(gone), uri_below_reference(new.nearest(gone))) == (None, "index.md#events")
    schema = old.shown_at("reference/schemas/thing.md")
    assert (new.same(schema), uri_below_reference(new.nearest(schema))) == (None, "index.md")


def test_a_part_of_a_page_is_of_what_the_page_is() -> None:
    """Further responses of an operation, further operations of a group; the rest is of the overview."""
    old = release(OLD)

    assert old.shown_at("reference/a/get-a/responses/2.md").owner == "GET /a/{id}"
    assert old.shown_at("reference/a/2.md").noun == "group"
    assert old.shown_at("reference/unheard-of.md").keys == (OVERVIEW,)


@pytest.mark.parametrize("name", [*RICH, "complete-3.0.yaml", "complete-3.1.yaml", "complete-3.2.yaml"])
def test_every_page_of_a_reference_is_of_a_part(name: str) -> None:
    """What is worked out without rendering is what is rendered, and each part is found in itself."""
    api = api_of(name)
    parts = Counterparts(parts_of(api, folder="reference", overview="reference/index.md"))
    pages = pages_of(api)

    assert {part.uri.partition("#")[0] for part in parts.parts} <= pages.keys()
    for part in parts.parts:
        assert parts.same(part) == part
    assert all(parts.shown_at(uri).keys != (OVERVIEW,) for uri in pages if uri.count("/") > 1)
