"""Long lists are divided over pages, none of which is too heavy, and each of which leads to the others."""

from typing import Any

import pytest

from devportal.markup import Page
from devportal.project.settings import Settings
from devportal.reference.pages.list_pages import MAX_OPERATIONS, list_page_links, list_pages
from devportal.reference.pages.part_pages import FRAME_NODES, MAX_NODES
from devportal.reference.schema.rows_html import count_html_nodes
from tests.reference.laws import breaches
from tests.reference.reading import api_from, pages_of, parse_html

OK = {"200": {"description": "Fine."}}
GROUP = "reference/t/index.md"


def operations(count: int, *, tags: int = 1) -> dict[str, Any]:
    """Return paths with so many operations that carry all their marks, under so many tags."""
    return {
        f"/p{number}": {
            "get": {
                "operationId": f"op{number}",
                "tags": [f"T{number * tags // count}" if tags > 1 else "T"],
                "deprecated": True,
                "x-stability-level": "beta",
                "responses": OK,
            }
        }
        for number in range(count)
    }


def weights(pages: dict[str, Page]) -> dict[str, int]:
    """Return how many elements each page has with the frame of the theme."""
    return {
        uri: count_html_nodes(page.body) + count_html_nodes(page.sidebar) + FRAME_NODES
        for uri, page in pages.items()
    }


@pytest.mark.deep
def test_operations_of_a_large_group_have_several_pages() -> None:
    """Each operation is on one, and the description only on the first."""
    tags = [{"name": "T", "description": "Only here."}]
    pages = pages_of(api_from({"tags": tags, "paths": operations(1_200)}))
    lists = [GROUP, *(f"reference/t/index/{number}.md" for number in range(2, 13))]
    bodies = [parse_html(pages[uri].body) for uri in lists]

    listed = [element.text for body in bodies for element in body.find(cls="dp-ops__path")]
    assert listed == [f"/p{number}" for number in range(1_200)]
    assert [element.text for element in bodies[1].find("nav")[1].find("li")][:2] == ["1 to 100", "101 to 200"]
    assert [uri for uri in lists if "Only here." in pages[uri].markdown] == [GROUP]
    assert "- [Operations 101 to 200](index/2.md)" in pages[GROUP].markdown
    assert max(weights(pages).values()) <= MAX_NODES
    assert breaches(pages, every=60) == []


def test_a_title_that_is_the_path_is_listed_once() -> None:
    """Operations and events without words of their own are called by path or name, which is not repeated."""
    paths = {
        "/": {
            "get": {"tags": ["T"], "responses": OK},
            "put": {"summary": "Put it", "tags": ["T"], "responses": OK},
        }
    }
    hooks = {name: {"post": {"responses": OK}} for name in ("part.lost",)}
    pages = pages_of(api_from({"openapi": "3.1.0", "paths": paths, "webhooks": hooks}))

    bodies = [parse_html(pages[uri].body) for uri in ("reference/index.md", GROUP)]
    listed = [[element.text for element in body.find(cls="dp-ops__text")] for body in bodies]

    assert [[" ".join(text.split()) for text in texts] for texts in listed] == [
        ["GET /", "Put it /", "part.lost"],
        ["GET /", "Put it /"],
    ]


def test_group_that_fits_has_one_page() -> None:
    """Up to the very last operation."""
    pages = pages_of(api_from({"paths": operations(MAX_OPERATIONS)}))

    assert not any(uri.startswith("reference/t/index/") for uri in pages)
    assert len(parse_html(pages[GROUP].body).find("nav")) == 1


@pytest.mark.deep
@pytest.mark.parametrize("sections", [200, 0])
def test_groups_beyond_those_of_the_overview_are_on_pages_below(sections: int) -> None:
    """Each of 400 tags is on one of them, below the title of its section."""
    groups = [{"name": f"S{n}", "tags": [f"T{2 * n}", f"T{2 * n + 1}"]} for n in range(sections)]
    tags = [{"name": f"T{number}", "description": "*Words*."} for number in range(400)]
    document = {"paths": operations(1_200, tags=400), "tags": tags, "x-tagGroups": groups}
    pages = pages_of(api_from(document))
    lists = ["reference/index.md", *(f"reference/index/{number}.md" for number in (2, 3, 4))]
    bodies = [parse_html(pages[uri].body) for uri in lists]

    rows = [row for body in bodies for row in body.find("ul", cls="dp-groups")]
    assert [row.find("a")[0].text for element in rows for row in element.find("li")] == [
        f"T{n}" for n in range(400)
    ]
    assert len(bodies[3].find("h3")) == sections // 4
    assert " [T399](../t399/index.md) 3: Words." in pages[lists[3]].markdown
    assert "- [Groups 301 to 400](index/4.md)" in pages[lists[0]].markdown
    assert max(weights(pages).values()) <= MAX_NODES
    assert breaches(pages, every=100) == []


def test_events_beyond_those_of_the_overview_are_on_pages_below() -> None:
    """The overview leads to them, and each leads back."""
    webhooks = {f"e{number}": {"post": {"responses": OK}} for number in range(500)}
    pages = pages_of(api_from({"webhooks": webhooks}), Settings(overview="index.md"))
    lists = ["index.md", *(f"reference/events/index/{number}.md" for number in range(2, 10))]

    listed = [
        element.text for uri in lists for element in parse_html(pages[uri].body).find(cls="dp-ops__title")
    ]
    assert listed == list(webhooks)
    assert "- [Events 61 to 120](reference/events/index/2.md)" in pages["index.md"].markdown
    assert "- [Events 1 to 60](../../../index.md)" in pages[lists[1]].markdown
    assert max(weights(pages).values()) <= MAX_NODES
    assert breaches(pages, every=30) == []


def test_scopes_beyond_a_few_are_on_pages_below_authentication() -> None:
    """With the name of their scheme; the page of authentication still has all schemes."""
    scopes = {f"a:{number}": f"May do *{number}*." for number in range(400)}
    flows = {"clientCredentials": {"tokenUrl": "https://a.example/token", "scopes": scopes}}
    schemes = {"one": {"type": "oauth2", "flows": flows}, "two": {"type": "http", "scheme": "basic"}}
    pages = pages_of(api_from({"paths": operations(1), "components": {"securitySchemes": schemes}}))
    first = "reference/authentication.md"
    lists = [first, *(f"reference/authentication/{number}.md" for number in range(2, 8))]
    bodies = [parse_html(pages[uri].body) for uri in lists]

    listed = [row.find("code")[0].text for body in bodies for row in body.find("th") if row.find("code")]
    assert listed == list(scopes)
    assert [element.text for element in bodies[0].find("h2")][:2] == ["one #", "two #"]
    assert [element.text for element in bodies[1].find("h2")] == ["one"]
    assert [entry.title for entry in pages[lists[1]].search][:2] == ["Scopes 61 to 120", "Scope a:60"]
    assert "| `a:399` | May do *399*. |" in pages[lists[-1]].markdown
    assert "- [Scopes 61 to 120](authentication/2.md)" in pages[first].markdown
    assert max(weights(pages).values()) <= MAX_NODES
    assert breaches(pages) == []


def test_list_of_problem_types_has_several_pages() -> None:
    """Each type is on one of them."""
    types = [{"type": f"https://e.example/p{n}", "title": f"P{n}", "status": 400} for n in range(400)]
    pages = pages_of(api_from({"x-problem-types": types, "paths": operations(1)}))
    lists = ["reference/errors/index.md", *(f"reference/errors/index/{number}.md" for number in (2, 3))]

    listed = [
        element.text
        for uri in lists
        for element in parse_html(pages[uri].body).find("tbody")[0].find("th")
        if element.text
    ]
    assert listed == [f"P{number}" for number in range(400)]
    assert "- [Errors 151 to 300](index/2.md)" in pages[lists[0]].markdown
    assert max(weights(pages).values()) <= MAX_NODES
    assert breaches(pages, every=50) == []


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, []), (3, []), (4, ["1 to 3", "4"]), (7, ["1 to 3", "4 to 6", "7"])],
)
def test_parts_of_a_list_are_numbered(count: int, words: list[str]) -> None:
    """There is always a first part, and a way to others where there are any."""
    pages = list_pages("a/index.md", range(count), 3)

    assert pages[0].uri == "a/index.md"
    assert [item for page in pages for item in page.items] == [*range(count)]
    assert [text for text, _ in list_page_links(pages)] == words


def test_parts_of_a_list_in_order_are_named() -> None:
    """By what stands at their ends."""
    pages = list_pages("a.md", ["ant", "bee", "cat"], 2, str.upper)

    assert list_page_links(pages) == (("ANT to BEE", "a.md"), ("CAT", "a/2.md"))
