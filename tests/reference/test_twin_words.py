"""Every word of a page is in its Markdown twin: both are made from the same HTML."""

import re
from collections import Counter
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from lxml import html  # type: ignore[import-untyped]

from devportal.markup import Page
from tests.contracts import ROOT, contract_at

from .reading import CONTRACTS, api_from, pages_of

COMPLETE = ("complete-3.0.yaml", "complete-3.1.yaml", "complete-3.2.yaml", "rich-3.0.yaml", "rich-3.1.yaml")
_WORD = re.compile(r"\w+")
_ENTITY = re.compile(r"&#?\w+;")
"""Without the semicolon, `&currency` in an address would be read as one."""
_NO_CONTENT = (
    "//button",
    "//form",
    "//label",
    "//legend",
    "//select",
    "//svg",
    "//nav[@class='dp-crumbs']",
    "//a[@class='dp-anchor']",
    "//p[@class='dp-op__bar' or @class='dp-more']",
    "//*[starts-with(@class, 'dp-pick')]",
    "//details[@class='dp-nested' or @class='dp-details' or @class='dp-example']/summary",
    "//p[@class='dp-panel__note'][.='No body.']",
    "//fieldset[contains(@class, 'dp-tabs--language')]/div[position() > 1]",
    "//details[@class='dp-example'][p[.='Generated from the schema.']]",
)
"""Controls, what opens and links what is elsewhere, samples in other languages, and bodies made for a panel."""


def lost_words(page: Page) -> Counter[str]:
    """Return the words that a page has more often than its twin."""
    shown = html.fragment_fromstring(page.body, create_parent="div")
    for item in shown.xpath("|".join(_NO_CONTENT)):
        item.drop_tree()
    for item in list(shown.iter("wbr")):  # it divides no word
        item.drop_tag()
    return _words(" ".join(shown.itertext())) - _words(
        _ENTITY.sub(lambda found: unescape(found[0]), page.markdown)
    )


def _words(text: str) -> Counter[str]:
    return Counter(item.casefold() for item in _WORD.findall(text))


@pytest.mark.parametrize("name", COMPLETE)
def test_no_word_of_a_page_is_lost(name: str) -> None:
    """Contracts with every keyword of a version, and with odd ones."""
    pages = pages_of(contract_at(CONTRACTS / name).api)

    assert {uri: lost for uri, page in pages.items() if (lost := lost_words(page))} == {}


def test_no_word_of_our_pages_is_lost() -> None:
    """The contract of this project, with its large pages and lists."""
    pages = pages_of(contract_at(ROOT / "openapi" / "openapi.yaml").api)

    assert {uri: lost for uri, page in pages.items() if (lost := lost_words(page))} == {}


@pytest.mark.parametrize("word", ["height", "2027", "sunset", "parcels", "matches"])
def test_a_lost_word_is_seen(word: str) -> None:
    """Wherever a page shows it, a word that its twin leaves out is named."""
    pages = pages_of(contract_at(CONTRACTS / "rich-3.1.yaml").api).values()
    shown = [page for page in pages if word in lost_words(replace(page, markdown=""))]

    assert shown
    for page in shown:
        without = re.sub(rf"\b{word}\b", "", page.markdown, flags=re.IGNORECASE)
        assert word in lost_words(replace(page, markdown=without))


def test_each_success_has_its_sample() -> None:
    """The page shows the body of every response; the twin that of every success."""
    responses = {
        status: {"description": "Done.", "content": {"application/json": {"schema": schema}}}
        for status, schema in (
            ("200", {"type": "object", "properties": {"now": {"type": "string", "const": "ready"}}}),
            ("202", {"type": "object", "properties": {"later": {"type": "string", "const": "queued"}}}),
        )
    }
    api = api_from({"paths": {"/a": {"get": {"operationId": "a", "responses": responses}}}})

    twin = pages_of(api)["reference/a/a.md"].markdown

    assert '```json\n{\n  "now": "ready"\n}\n```' in twin
    assert '```json\n{\n  "later": "queued"\n}\n```' in twin


def test_words_beside_links_do_not_run_together() -> None:
    """The name of a link, its target, its values and its description; a credential and its kind."""
    link = {"operationId": "b", "parameters": {"x_id": "$response.body#/id"}, "description": "When done."}
    api = api_from(
        {
            "paths": {
                "/a": {
                    "get": {
                        "operationId": "a",
                        "summary": "Get a",
                        "responses": {"200": {"description": "OK", "links": {"next": link}}},
                    }
                },
                "/b": {"get": {"operationId": "b", "summary": "Get b"}},
            },
            "security": [{"key": []}],
            "components": {"securitySchemes": {"key": {"type": "http", "scheme": "basic"}}},
        }
    )

    twin = pages_of(api)["reference/a/a.md"].markdown

    assert "- next: [Get b](../b/b.md) with `x_id` = `$response.body#/id`. When done." in twin
    assert "- [key](../authentication.md): HTTP basic" in twin


@pytest.mark.parametrize(("explode", "is_told"), [(False, True), (True, False)])
def test_a_cookie_says_if_its_list_is_one_value(explode: bool, is_told: bool) -> None:  # noqa: FBT001
    """`style: cookie` explodes by default (OAS 3.2.0 §4.12.2.2)."""
    cookie = {"name": "c", "in": "cookie", "style": "cookie", "explode": explode, "schema": {"type": "array"}}
    api = api_from(
        {"openapi": "3.2.0", "paths": {"/a": {"get": {"operationId": "a", "parameters": [cookie]}}}}
    )

    assert ("explode" in pages_of(api)["reference/a/a.md"].markdown) == is_told


@pytest.mark.parametrize(
    ("schema", "is_told"),
    [
        ({"type": "string"}, False),
        ({"type": ["integer", "null"]}, False),
        ({"type": "array"}, True),
        ({}, True),
    ],
)
def test_explode_is_left_out_if_it_has_no_effect(schema: dict[str, Any], is_told: bool) -> None:  # noqa: FBT001
    """On a single value it has none (OAS 3.0.3 §4.7.12.2); without a type a list may come."""
    query = {"name": "q", "in": "query", "explode": False, "schema": schema}
    api = api_from(
        {"openapi": "3.1.0", "paths": {"/a": {"get": {"operationId": "a", "parameters": [query]}}}}
    )

    assert ("explode" in pages_of(api)["reference/a/a.md"].markdown) == is_told


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ({"in": "query", "explode": False, "schema": {"type": "array"}}, "q=a,b"),
        (
            {"in": "query", "style": "spaceDelimited", "explode": False, "schema": {"type": "array"}},
            "q=a%20b",
        ),
        ({"in": "query", "style": "pipeDelimited", "explode": False, "schema": {"type": "array"}}, "q=a|b"),
        (
            {"in": "query", "style": "deepObject", "explode": True, "schema": {"type": "object"}},
            "q[key]=value",
        ),
        ({"in": "path", "style": "matrix", "required": True, "schema": {"type": "array"}}, ";q=a,b"),
        ({"in": "query", "schema": {"type": "array"}}, ""),
        ({"in": "query", "explode": False, "schema": {"type": ["array", "string"]}}, ""),
    ],
)
def test_an_unusual_form_is_shown(written: dict[str, Any], form: str) -> None:
    """Few readers know what `explode: false` and `deepObject` send."""
    path = "/a/{q}" if written["in"] == "path" else "/a"
    api = api_from(
        {
            "openapi": "3.1.0",
            "paths": {path: {"get": {"operationId": "a", "parameters": [{"name": "q", **written}]}}},
        }
    )
    twin = pages_of(api)["reference/a/a.md"].markdown

    assert f"sent as `{form}`" in twin if form else "sent as" not in twin


@pytest.mark.parametrize(("description", "is_told"), [("", True), ("The pets.", False)])
def test_the_text_about_each_item_stands_where_nothing_else_describes_a_list(
    description: str,
    is_told: bool,  # noqa: FBT001
) -> None:
    """A list of a shared schema without a description says what its items are."""
    pets = {"type": "array", "description": description, "items": {"$ref": "#/components/schemas/Pet"}}
    content = {"application/json": {"schema": pets}}
    api = api_from(
        {
            "paths": {
                "/a": {
                    "get": {
                        "operationId": "a",
                        "responses": {"200": {"description": "OK", "content": content}},
                    }
                }
            },
            "components": {
                "schemas": {
                    "Pet": {"type": "object", "description": "One of ours.", "properties": {"id": {}}}
                }
            },
        }
    )

    twin = pages_of(api)["reference/a/a.md"].markdown

    assert ("Each item: One of ours." in twin) == is_told
    assert (not description) or description in twin
