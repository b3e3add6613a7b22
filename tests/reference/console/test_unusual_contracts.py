"""Lawful contracts of odd shapes, each of which broke a peer: all is shown, and every page keeps the laws."""

import json
from copy import deepcopy
from typing import Any

import pytest

from devportal.markup import Page, SearchKind, url_of
from devportal.reference.console import console_files
from tests.growth import LINEAR, growth
from tests.reference.coverage import missing
from tests.reference.laws import breaches
from tests.reference.raw import Raw
from tests.reference.reading import api_from, pages_of

OK = {"200": {"description": "Fine."}}
LONG = "list" + "VeryMany" * 40 + "Things"
NAMES = (
    *(
        "schemas",
        "errors",
        "events",
        "authentication",
        "index",
        "..",
        ".",
        "/",
        "#",
        "a#b",
        "a?b",
        "50%",
        "a%2Fb",
    ),
    *("A b", "Ünïcode", "日本", "\U0001f980", "x" * 300, "con", "-", "a/b", 'a"b', "<b>", "&amp;", "{a}"),
)


def with_head(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document with the head of a contract."""
    return {"openapi": "3.1.0", "info": {"title": "Odd", "version": "1"}, **document}


def checked_pages(document: dict[str, Any]) -> dict[str, Page]:
    """Return the pages of a contract after checking that none is missing, wrong, or at the address of another."""
    pages = pages_of(api_from(with_head(document)))

    assert missing(Raw(with_head(document)), pages) == []
    assert breaches(pages) == []
    assert len({url_of(uri).casefold() for uri in pages}) == len(pages)
    return pages


def paths(*operations: dict[str, Any]) -> dict[str, Any]:
    """Return paths with one operation each."""
    return {
        f"/p{number}": {"get": {"responses": OK, **operation}} for number, operation in enumerate(operations)
    }


def test_operations_without_tags_are_grouped_by_path() -> None:
    """By the first part of their paths, whatever stands there."""
    pages = checked_pages(
        {
            "paths": {
                path: {"get": {"responses": OK}}
                for path in ("/", "/a/b", "/a/c", "/{id}", "/{id}/d", "//", "/v1/a")
            }
        }
    )

    assert "reference/a/index.md" in pages


@pytest.mark.parametrize("summary", [{}, {"summary": ""}, {"summary": "  "}, {"summary": None}])
def test_operation_without_a_summary_has_a_title(summary: dict[str, Any]) -> None:
    """From its id, or from method and path where it has none."""
    document = with_head({"paths": paths({"operationId": "listAllThings", **summary}, summary)})

    pages = pages_of(api_from(document))

    assert {"List all things", "Retrieve the p1"} <= {page.title for page in pages.values()}
    assert breaches(pages) == []


def test_extensions_are_no_methods_and_no_paths() -> None:
    """Keys with `x-` stand on path items, among paths, responses and callbacks."""
    item = {"get": {"responses": {**OK, "x-note": {"description": "no status"}}}, "x-twilio": {"get": 1}}
    pages = checked_pages({"paths": {"/a": item, "x-paths": {"get": {"responses": OK}}}})

    assert not any("x-" in page.markdown for page in pages.values())


@pytest.mark.parametrize(
    "ids",
    [
        ("issues/lock", "issues/unlock", "issues-lock"),
        ("send it", "send  it", "send\tit"),
        ("日本", "ünïcode", "\U0001f980", "—", "?"),
        (LONG, f"{LONG}2", f"{LONG}3"),
        ("same", "same", "same"),
        ("Send", "send", "SEND", "sEnd"),
        ("..", ".", "", "index", "#a?b%2F"),
    ],
)
def test_operation_ids_of_any_text(ids: tuple[str, ...]) -> None:
    """Each operation has a page of its own, on file systems that know no case too."""
    document = {
        "paths": paths(*({"operationId": id_, "summary": f"Number {n}"} for n, id_ in enumerate(ids)))
    }

    pages = checked_pages(document) if len(set(ids)) == len(ids) else pages_of(api_from(with_head(document)))

    assert sum(page.title.startswith("Number") for page in pages.values()) == len(ids)
    assert breaches(pages) == []


def test_paths_that_are_nearly_the_same() -> None:
    """They differ by a trailing slash, by case, by the name of a parameter, or by a query."""
    checked_pages(
        {
            "paths": {
                path: {"get": {"responses": OK, "summary": f"Path {path}"}}
                for path in ("/a", "/a/", "/A", "/A/", "/a/b", "/a/B", "/a?b=1", "/a#b", "/a b", "a", "/ä")
            }
        }
    )


SHARED_ITEM = {"get": {"summary": "List them", "tags": ["Pets"], "responses": OK}}
TO_SHARED = {"$ref": "#/components/pathItems/P"}


@pytest.mark.parametrize("operation_id", ["", "listThem"])
@pytest.mark.parametrize(
    "document",
    [
        {
            "paths": {"/pets": TO_SHARED, "/animals": TO_SHARED},
            "components": {"pathItems": {"P": SHARED_ITEM}},
        },
        {"openapi": "3.0.3", "paths": {"/pets": SHARED_ITEM, "/animals": {"$ref": "#/paths/~1pets"}}},
        {
            "paths": {"/pets": TO_SHARED, "/animals": {"$ref": "#/paths/~1pets"}},
            "components": {"pathItems": {"P": SHARED_ITEM}},
        },
    ],
    ids=["component", "path", "chain"],
)
def test_paths_that_share_a_path_item(document: dict[str, Any], operation_id: str) -> None:
    """Each has a page, an entry of the search, a twin and a file of the console of its own."""
    document = deepcopy(document)  # all cases are made of the same parts
    if operation_id:
        _shared_operation(document)["operationId"] = operation_id
    api = api_from(with_head(document))

    pages = checked_pages(document)
    found = _operations(pages)

    assert sorted(page.search[0].tags[0] for page in found) == ["GET /animals", "GET /pets"]
    assert all(page.search[0].tags[0] in page.markdown for page in found)
    consoles = [
        console_file.uri for console_file in console_files(api) if console_file.uri.endswith("/console.json")
    ]
    assert sorted(consoles) == sorted(page.uri.replace(".md", "/console.json") for page in found)
    tried = [page for page in pages_of(api, has_console=True).values() if "dp-try" in page.body]
    assert {page.uri for page in tried} == {item.uri for item in found}


def _operations(pages: dict[str, Page]) -> list[Page]:
    """Return the pages of operations."""
    return [page for page in pages.values() if page.search and page.search[0].kind is SearchKind.OPERATION]


def _shared_operation(document: dict[str, Any]) -> dict[str, Any]:
    components = document.get("components", {}).get("pathItems", {})
    operation: dict[str, Any] = components["P"]["get"] if components else document["paths"]["/pets"]["get"]
    return operation


def test_events_that_share_a_path_item() -> None:
    """Each has a page of its own, also where a path has the same item."""
    request = {"post": {"summary": "Tell it", "responses": OK}}

    pages = checked_pages(
        {
            "paths": {"/things": TO_SHARED},
            "webhooks": {"made": TO_SHARED, "gone": TO_SHARED},
            "components": {"pathItems": {"P": request}},
        }
    )

    assert {"reference/events/made.md", "reference/events/gone.md"} <= set(pages)
    assert [page.uri for page in _operations(pages)] == ["reference/things/post-things.md"]


def test_callbacks_that_share_a_path_item() -> None:
    """Each is told on the page of its operation, whether they are called back by one or by two."""
    callbacks = {"made": {"{$request.query.a}": TO_SHARED}, "gone": {"{$request.query.b}": TO_SHARED}}
    operation = {"responses": OK, "callbacks": callbacks}
    item = {"post": {"summary": "Tell it", "responses": OK}}

    pages = checked_pages(
        {
            "paths": {"/a": {"get": operation}, "/b": {"get": operation}},
            "components": {"pathItems": {"P": item}},
        }
    )

    told = _operations(pages)
    assert len(told) == 2
    assert all("made" in page.markdown and "gone" in page.markdown for page in told)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_any_text(name: str) -> None:
    """A tag, a schema, a property, a header, an event and a security scheme may be called anything."""
    schema = {"type": "object", "properties": {name: {"type": "string", "description": "A member."}}}
    reference = {"$ref": "#/components/schemas/" + _escape_pointer(name)}
    content = {"application/json": {"schema": reference}}
    answer = {
        "200": {
            "description": "Fine.",
            "content": content,
            "headers": {name: {"schema": {"type": "string"}}},
        }
    }
    request = {"post": {"responses": OK, "requestBody": {"content": content}}}

    pages = checked_pages(
        {
            "tags": [{"name": name, "description": "A tag."}],
            "security": [{name: []}],
            "paths": {"/a": {"get": {"tags": [name], "operationId": name, "responses": answer}}},
            "webhooks": {name: request},
            "components": {
                "schemas": {name: schema},
                "securitySchemes": {name: {"type": "http", "scheme": "basic"}},
            },
        }
    )

    assert sum("A member." in page.body for page in pages.values()) >= 1


@pytest.mark.parametrize("status", ["a b", "a\nb", "", "2xx", "-1", "<b>", "\u202e"])
def test_statuses_of_any_text(status: str) -> None:
    """A status that is none is shown as it is written, with all its bodies."""
    examples = {"one": {"value": 1}, "two": {"value": 2}}
    answer = {"description": "Odd.", "content": {"application/json": {"examples": examples}}}

    checked_pages({"paths": {"/a": {"get": {"responses": {**OK, status: answer}}}}})


def _escape_pointer(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1").replace("%", "%25")


def test_schemas_of_nothing() -> None:
    """Empty objects, empty schemas, `true`, and unions and enums without a branch."""
    empty: dict[str, Any] = {
        "Empty": {},
        "Object": {"type": "object"},
        "NoMembers": {"type": "object", "properties": {}},
        "NoBranch": {"oneOf": []},
        "NoValue": {"enum": []},
        "NullOnly": {"type": "null"},
        "Anything": True,
        "Nothing": False,
    }
    uses = {name: {"$ref": f"#/components/schemas/{name}"} for name in empty}
    content = {"application/json": {"schema": {"type": "object", "properties": uses}}}

    checked_pages(
        {
            "paths": {"/a": {"get": {"responses": {"200": {"description": "Fine.", "content": content}}}}},
            "components": {"schemas": empty},
        }
    )


def test_contract_without_components() -> None:
    """Nothing is shared, and nothing is missed."""
    pages = checked_pages({"paths": paths({})})

    assert not any("/schemas/" in uri for uri in pages)


def test_contract_without_operations() -> None:
    """A library of schemas, or of events, is a contract too (OAS 3.1.0 §4.8.1)."""
    pages = checked_pages(
        {"components": {"schemas": {"Thing": {"type": "object", "properties": {"a": {"type": "string"}}}}}}
    )

    assert "reference/schemas/thing.md" in pages


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
@pytest.mark.parametrize("media_type", ["multipart/form-data", "application/x-www-form-urlencoded"])
def test_body_that_is_made_of_itself_ends(keyword: str, media_type: str) -> None:
    """At once or through another schema; its files are found behind that, by samples and consoles alike."""
    file = {"type": "object", "properties": {"f": {"type": "string", "format": "binary"}}}
    schemas = {
        "R": {keyword: [{"$ref": "#/components/schemas/R"}, {"$ref": "#/components/schemas/S"}]},
        "S": {keyword: [{"$ref": "#/components/schemas/R"}, {"properties": {"t": {}}}, file]},
    }
    schema = {"$ref": "#/components/schemas/R"}
    body = {"content": {media_type: {"schema": schema, "example": {"f": "x", "t": "y"}}}}
    document = {
        "openapi": "3.0.3",
        "paths": {"/a": {"post": {"requestBody": body, "responses": OK}}},
        "components": {"schemas": schemas},
    }

    checked_pages(document)
    (console,) = (
        console_file
        for console_file in console_files(api_from(with_head(document)))
        if console_file.uri.endswith("/console.json")
    )

    files = json.loads(console.content)["bodies"][0].get("files", [])
    assert files == (["f"] if media_type.startswith("multipart/") else [])


def test_recursion_through_two_parts_ends() -> None:
    """Two parts of an `allOf` speak of the same property, which leads back to both, beside a large one."""
    large = {"type": "object", "properties": {f"member_{number}": {"type": "string"} for number in range(20)}}
    parent = {"$ref": "#/components/schemas/Node"}
    node = {
        "allOf": [
            {"$ref": "#/components/schemas/Large"},
            {"type": "object", "properties": {"parent": parent}},
            {"type": "object", "properties": {"parent": {**parent, "description": "Where it hangs."}}},
        ]
    }
    content = {"application/json": {"schema": {"allOf": [parent, {"properties": {"parent": parent}}]}}}

    pages = checked_pages(
        {
            "paths": {"/a": {"get": {"responses": {"200": {"description": "Fine.", "content": content}}}}},
            "components": {"schemas": {"Large": large, "Node": node}},
        }
    )

    assert all(len(page.body) < 60_000 for page in pages.values())


@pytest.mark.parametrize("where", [pytest.param("shared", marks=pytest.mark.deep), "inline"])
def test_object_of_many_properties(where: str) -> None:
    """All of them are shown, and each costs as much as it would among few."""

    def document(properties: int) -> dict[str, Any]:
        members = {
            f"member_{number}": {"type": "string", "maxLength": number} for number in range(properties)
        }
        large = {"type": "object", "properties": members}
        schema = large if where == "inline" else {"$ref": "#/components/schemas/Large"}
        content = {"application/json": {"schema": schema}}
        return {
            "paths": {"/a": {"post": {"requestBody": {"content": content}, "responses": OK}}},
            "components": {"schemas": {} if where == "inline" else {"Large": large}},
        }

    pages = checked_pages(document(600))

    assert len(pages) > 3
    assert growth(lambda properties: pages_of(api_from(with_head(document(properties)))), 600) < LINEAR


def test_html_in_texts_is_shown_or_dropped_but_never_live() -> None:
    """Authors write HTML into descriptions; what is harmless works, what is not is gone."""
    text = "<p>One<br>two <b>three</b> <ul><li>four</ul> <script>five()</script> </div></div> & <x-tag>six"
    pages = checked_pages(
        {
            "info": {"title": "<i>Odd</i>", "version": "<1>", "description": text},
            "tags": [{"name": "t", "description": text}],
            "paths": paths({"tags": ["t"], "summary": "<b>x</b>", "description": text}),
        }
    )

    assert all("five()" not in page.body for page in pages.values())
