"""Addresses of pages: unique, also where file systems do not tell cases apart, and stable."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.project.settings import Settings
from devportal.reference.addresses import Anchors, slug
from devportal.reference.pages.pages import operation_uris

from .laws import breaches
from .reading import api_from, pages_of

RESPONSES: dict[str, Any] = {"200": {"description": "x"}}


def operations(*ids: str, tag: str = "t") -> dict[str, Any]:
    """Return the paths of a contract with these operationIds."""
    return {
        f"/p{number}": {"get": {"operationId": name, "tags": [tag], "responses": RESPONSES}}
        for number, name in enumerate(ids)
    }


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("sendMessage", "send-message"),
        ("issues/lock", "issues-lock"),
        ("HTTPServer", "http-server"),
        ("v1OAuth2Token", "v1-oauth2-token"),
        ("listIDs", "list-ids"),
        ("GET /a", "get-a"),
        ("小包を送る", "小包を送る"),
        ("  a  b__c ", "a-b-c"),
        ("..", "x"),
        ("!?", "x"),
        ("", "x"),
        ("Ünï", "ünï"),
        ("U\u0308", "ü"),
        ("पार्सल भेजें", "पार्सल-भेजें"),
        ("İstanbul", "istanbul"),
        ("می\u200cشود", "می-شود"),
        ("a\u202eb", "a-b"),
        ("📦", "package"),
        ("☀️", "black-sun-with-rays"),
        ("AUX", "x-aux"),
        ("con.", "x-con"),
        ("LPT1", "x-lpt1"),
        ("console", "console"),
        ("com10", "com10"),
    ],
)
def test_slug_of_a_name(text: str, part: str) -> None:
    """Words in lower case with dashes; letters of every script; never empty, never a step up."""
    assert slug(text) == part


@given(st.text(max_size=300))
def test_slug_is_a_file_name_everywhere(text: str) -> None:
    """Short enough in bytes, and without separators, dots or white space."""
    part = slug(text)

    assert 0 < len(part.encode()) <= 160
    assert not set(part) & set('./\\:*?"<>| \n\t%#&')
    assert slug(part) == part


@pytest.mark.parametrize(
    "ids",
    [
        ("Charge", "charge", "CHARGE", "cHARGE"),
        ("a.b", "a-b", "a/b", "a b", "a_b"),
        ("x" * 300, "x" * 301, "x" * 302),
        ("𠀀" * 100, "𠀀" * 101),
        ("index", "Index", "..", ".", "/"),
        ("responses", "servers", "authorization", "body", "lang-1", "query-parameters"),
    ],
)
def test_operation_ids_that_are_alike_have_pages_of_their_own(ids: tuple[str, ...]) -> None:
    """Equal up to case or punctuation, very long, or called as pages and sections of ours are."""
    pages = pages_of(api_from({"paths": operations(*ids)}))

    assert breaches(pages) == []
    assert len({uri.casefold() for uri in pages}) == len(pages) == 3 + len(ids)


@pytest.mark.parametrize("name", ["lang-1-1", "__tab.lang-1-1", "__tab.lang-1"])
def test_operation_called_as_a_tab(name: str) -> None:
    """Its anchor is not the id of a tab on its page."""
    pages = pages_of(api_from({"paths": operations(name)}))

    assert breaches(pages) == []
    assert any('id="__tab.lang-1-1"' in page.body for page in pages.values())


@pytest.mark.parametrize("tag", ["schemas", "errors", "events", "index", "..", "", "日本", "a/b", "assets"])
@pytest.mark.parametrize("overview", ["reference/index.md", "index.md"])
def test_tag_called_as_a_folder_of_ours(tag: str, overview: str) -> None:
    """Its page does not take the place of ours, nor leave the folder."""
    document = {
        "paths": operations("op", tag=tag),
        "webhooks": {tag or "w": {"post": {"responses": RESPONSES}}},
        "x-problem-types": [{"type": f"https://x.example/{tag}", "title": "T", "status": 400}],
        "components": {"schemas": {tag or "s": {"type": "object", "properties": {"a": {"type": "string"}}}}},
    }

    pages = pages_of(api_from(document), Settings(overview=overview))

    assert breaches(pages) == []
    assert {"reference/schemas/index.md", "reference/errors/index.md", overview} <= set(pages)
    assert all(uri.startswith("reference/") and ".." not in uri for uri in pages if uri != overview)


@pytest.mark.parametrize(
    ("tags", "folder"),
    [((), "events"), (("Events",), "webhooks"), (("Events", "Webhooks"), "event-notifications")],
)
def test_events_make_room_for_a_tag_of_their_name(tags: tuple[str, ...], folder: str) -> None:
    """The tag keeps the address that its name makes, and shares it with no event."""
    paths = {f"/{tag}": {"get": {"tags": [tag], "responses": {}}} for tag in tags}
    webhooks: dict[str, Any] = {"moved": {"post": {"responses": {}}}}

    pages = pages_of(api_from({"openapi": "3.1.0", "paths": paths, "webhooks": webhooks}))

    assert f"reference/{folder}/moved.md" in pages
    assert all(f"reference/{tag.lower()}/index.md" in pages for tag in tags)


def test_a_tag_called_events_has_that_address_where_there_are_no_events() -> None:
    """Nothing is kept free for pages that do not exist."""
    pages = pages_of(api_from({"paths": {"/a": {"get": {"tags": ["Events"], "responses": {}}}}}))

    assert "reference/events/index.md" in pages


def test_tag_and_path_group_of_one_name_have_one_page() -> None:
    """Operations without tags are grouped by path: they join the tag that is called the same."""
    paths = {
        "/users": {"get": {"operationId": "tagged", "tags": ["users"], "responses": RESPONSES}},
        "/users/{id}": {"get": {"operationId": "untagged", "responses": RESPONSES}},
    }

    pages = pages_of(api_from({"paths": paths}))

    assert breaches(pages) == []
    assert {"reference/users/tagged.md", "reference/users/untagged.md"} <= set(pages)
    assert "reference/users-2/index.md" not in pages


def test_problem_type_written_twice_has_one_page() -> None:
    """A registry with a repeated URI makes no two pages of one address."""
    problem = {"type": "about:blank", "title": "Nothing", "status": 400}
    pages = pages_of(api_from({"paths": operations("a"), "x-problem-types": [problem, problem]}))

    assert [uri for uri in pages if "/errors/" in uri] == [
        "reference/errors/index.md",
        "reference/errors/about-blank.md",
    ]


def test_addresses_do_not_depend_on_what_comes_later() -> None:
    """An operation that is added at the end does not move the others."""
    before = pages_of(api_from({"paths": operations("Charge", "charge")}))
    after = pages_of(api_from({"paths": operations("Charge", "charge", "CHARGE")}))

    assert set(before) < set(after)


def test_operation_uris_are_by_method_and_path() -> None:
    """What the changelog links operations by."""
    api = api_from({"paths": operations("sendMessage")})

    assert operation_uris(api) == {"GET /p0": "reference/t/send-message.md"}


@given(st.lists(st.text(max_size=4), max_size=12))
def test_anchors_are_unique_and_can_be_linked(wanted: list[str]) -> None:
    """Whatever is asked for, no two are the same and none holds white space."""
    anchors = Anchors("servers")

    made = [anchors.take(text) for text in ("servers", *wanted)]

    assert len({*made, "servers"}) == len(made) + 1
    assert all(text and not any(letter.isspace() for letter in text) for text in made)
