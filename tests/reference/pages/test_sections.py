"""Sections above groups: in the left column, on the overview, in its table of contents."""

from typing import Any

import pytest

from devportal.reference.pages.sidebar import events_title, sections_of
from tests.reference.laws import breaches
from tests.reference.reading import api_from, pages_of, parse_html

RESPONSES: dict[str, Any] = {"200": {"description": "x"}}


def contract(*tags: str, groups: dict[str, list[str]] | None = None, **more: Any) -> dict[str, Any]:
    """Return a contract with an operation for each tag; the tag `` is none."""
    paths = {
        f"/{tag or 'free'}": {
            "get": {"operationId": f"get{tag}", "responses": RESPONSES, "tags": [tag] if tag else []}
        }
        for tag in tags
    }
    listed = [{"name": name, "tags": members} for name, members in (groups or {}).items()]
    return {"paths": paths, **({"x-tagGroups": listed} if groups else {}), **more}


def section_titles(document: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Return the titles of sections and of their groups."""
    return [
        (section.title, [group.title for group in section.groups])
        for section in sections_of(api_from(document))
    ]


def test_sections_are_as_the_contract_has_them() -> None:
    """In its order, the groups in theirs; what is in none comes last."""
    document = contract("a", "b", "c", "", groups={"Two": ["c"], "One": ["b"]})

    assert section_titles(document) == [("Two", ["c"]), ("One", ["b"]), ("Other", ["a", "Free"])]


def test_without_sections_there_is_one_without_title() -> None:
    """Most contracts have groups only."""
    assert section_titles(contract("a", "b")) == [("", ["a", "b"])]


def test_tags_below_a_tag_are_its_section() -> None:
    """A parent of OAS 3.2 is a section, with its own operations first; a badge is no group."""
    tags = [
        {"name": "flights", "summary": "Flights"},
        {"name": "far", "parent": "flights"},
        {"name": "late", "kind": "badge"},
    ]
    document = contract("flights", "far", "late", openapi="3.2.0", tags=tags)

    assert section_titles(document) == [("Flights", ["Flights", "far"]), ("Other", ["Late"])]


def test_tags_beside_parents_are_sections_of_their_own() -> None:
    """A tag at the top is not one of the others because nothing is below it; it stays in its place."""
    tags = [{"name": "ships"}, {"name": "flights"}, {"name": "far", "parent": "flights"}, {"name": "trains"}]
    document = contract("ships", "flights", "far", "trains", openapi="3.2.0", tags=tags)

    assert section_titles(document) == [
        ("ships", ["ships"]),
        ("flights", ["flights", "far"]),
        ("trains", ["trains"]),
    ]


@pytest.mark.parametrize("count", [1, pytest.param(40, marks=pytest.mark.deep)])
def test_sections_stand_in_column_and_overview(count: int) -> None:
    """Above their groups, as headings that skip no level, in small contracts and large ones."""
    tags = [f"t{number}" for number in range(count * 2)]
    document = contract(*tags, groups={"First <b>": tags[::2], "Second": tags[1::2]})
    pages = pages_of(api_from(document))
    overview = pages["reference/index.md"]

    column = [element.text for element in parse_html(overview.sidebar).find(cls="dp-side__section")]
    titles = [
        element.text.removesuffix(" #")
        for element in parse_html(overview.body).all()
        if element.tag in {"h2", "h3"}
    ]
    assert breaches(pages) == []
    assert column == ["First <b>", "Second"]
    assert [title for title in titles if title in column] == column
    assert [heading.title for heading in overview.headings if heading.title in column] == column


@pytest.mark.parametrize("count", [1, pytest.param(70, marks=pytest.mark.deep)])
def test_a_title_that_section_and_group_share_is_there_once(count: int) -> None:
    """The operations of a parent of OAS 3.2 stand below the heading of its section, in every list."""
    children = [f"t{number}" for number in range(count)]
    tags = [
        {"name": "flights", "summary": "Flights", "description": "What flies."},
        *({"name": name, "parent": "flights"} for name in children),
    ]
    pages = pages_of(api_from(contract("flights", *children, openapi="3.2.0", tags=tags)))
    page = pages["reference/index.md"]

    column, body = parse_html(page.sidebar), parse_html(page.body)
    assert breaches(pages) == []
    assert column.find(cls="dp-side__section") == []
    assert sum("Flights" in element.text for element in (*column.find("summary"), *column.find("a"))) == 1
    assert all("Flights" not in element.text for element in column.find(cls="dp-side__inside"))
    assert column.find(cls="dp-side__inside")
    assert [element.text for element in body.all() if element.tag in {"h2", "h3"}].count("Flights #") == 1
    assert [heading.title for heading in page.headings].count("Flights") == 1
    assert sum(line.endswith("# Flights") for line in page.markdown.splitlines()) == 1
    assert len([element for element in body.all() if element.attributes.get("id") == "group.flights"]) == 1
    assert "What flies." in body.text
    assert "](flights/" in page.markdown


def test_part_of_a_long_column_names_its_section() -> None:
    """Where not all groups are listed, those that are still say where they belong."""
    tags = [f"t{number}" for number in range(100)]
    pages = pages_of(api_from(contract(*tags, groups={"All": tags})))

    column = parse_html(pages["reference/t99/index.md"].sidebar)
    assert [element.text for element in column.find(cls="dp-side__section")] == ["All"]


@pytest.mark.parametrize(
    ("tags", "title"),
    [(("a",), "Events"), (("events",), "Webhooks"), (("Events", "webhooks"), "Webhook events")],
)
def test_events_are_not_called_as_a_group_is(tags: tuple[str, ...], title: str) -> None:
    """A tag of that name is about something else; no title stands twice in the column or on the overview."""
    api = api_from(contract(*tags, webhooks={"e": {"post": {"responses": RESPONSES}}}))
    page = pages_of(api)["reference/index.md"]

    summaries = [element.text for element in parse_html(page.sidebar).find("summary")]
    headings = [element.text.removesuffix(" #") for element in parse_html(page.body).find("h2")]
    assert events_title(api) == title
    assert summaries.count(title) == headings.count(title) == 1


@pytest.mark.parametrize("count", [1, pytest.param(70, marks=pytest.mark.deep)])
def test_what_is_said_of_a_parent_stands_below_the_heading_of_its_section(count: int) -> None:
    """Once, on the page and in the twin: it is no topic besides."""
    tags = [
        {"name": "shop", "summary": "Shop", "description": "All of the *shop*."},
        {"name": "cart", "parent": "shop"},
        {"name": "rules", "description": "Chapters are topics."},
    ]
    paths = {f"/{number}": {"get": {"tags": ["cart"], "responses": {}}} for number in range(count)}

    page = pages_of(api_from({"openapi": "3.2.0", "tags": tags, "paths": paths}))["reference/index.md"]

    assert page.body.count("All of the <em>shop</em>.") == page.markdown.count("All of the *shop*.") == 1
    assert [
        element.text for element in parse_html(page.body).find("section") if "Topics" in element.text
    ] == ["Topics # rulesChapters are topics."]


def test_contract_without_a_version_has_no_empty_badge() -> None:
    """Neither on the page nor in the twin."""
    page = pages_of(api_from({"info": {"title": "T"}, "paths": {}}))["reference/index.md"]

    assert [element.text for element in parse_html(page.body).find(cls="dp-badge")] == ["OpenAPI 3.1.0"]
    assert "Version" not in page.markdown


def test_operations_of_one_title_have_their_paths_in_the_column() -> None:
    """Their paths and long names break between words; other operations have their titles only."""
    get = {"summary": "Get things", "tags": ["accountThingsOfToday"], "responses": RESPONSES}
    paths = {"/accounts/{id}/things": {"get": get}, "/things": {"get": get, "put": get}}
    paths["/others"] = {"get": {**get, "tags": ["other"]}}

    column = next(page.sidebar for uri, page in pages_of(api_from({"paths": paths})).items() if "get-" in uri)

    assert [name.text for name in parse_html(column).find("code")] == ["/accounts/{id}/things", "/things"]
    assert "/accounts/<wbr>{id}/<wbr>things</code>" in column
    assert "account<wbr>Things<wbr>Of<wbr>Today</summary>" in column


def test_names_of_groups_break_between_words_in_every_list() -> None:
    """In the column, in the lists of the overview, and in its headings: never within a word."""
    name = "admin.inviteRequests.approved_ones"
    broken = "admin.<wbr>invite<wbr>Requests.<wbr>approved_<wbr>ones"
    few = pages_of(api_from(contract(name, "b")))
    many = pages_of(api_from(contract(name, *(f"group {number}" for number in range(80)))))

    assert f"{broken} <a" in few["reference/index.md"].body
    assert f">{broken}</a>" in many["reference/index.md"].body
    assert f">{broken} <span" in many["reference/index.md"].sidebar


def test_long_paths_of_lists_break_between_segments() -> None:
    """Only those that are longer than a line on a phone, and no line begins or ends with a few letters."""
    get = {"get": {"tags": ["a"], "responses": RESPONSES}}
    paths = {"/corporations/{corporation_id}/orders/history/": get, "/a/{corporation_id}/orders": get}

    body = pages_of(api_from({"paths": paths}))["reference/a/index.md"].body

    assert "/corporations/<wbr>{corporation_id}/<wbr>orders/<wbr>history/</code>" in body
    assert "/a/{corporation_id}/orders</code>" in body


def test_a_deprecated_scheme_is_marked_on_the_overview() -> None:
    """Not only on the page that explains it."""
    schemes = {
        "old": {"type": "http", "scheme": "basic", "deprecated": True},
        "new": {"type": "http", "scheme": "bearer"},
    }
    document = {**contract("a"), "openapi": "3.2.0", "components": {"securitySchemes": schemes}}

    (listed,) = parse_html(pages_of(api_from(document))["reference/index.md"].body).find(cls="dp-schemes")

    assert [item.text for item in listed.find("li")] == ["old HTTP basic deprecated", "new HTTP bearer"]
