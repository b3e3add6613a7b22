"""The page of what says how stable it is."""

from collections.abc import Callable
from typing import Any

from devportal.markup import Page
from devportal.reference.pages.part_pages import FRAME_NODES, MAX_NODES
from devportal.reference.pages.stability import GroundsPages
from devportal.reference.pages.stability_page import MAX_PARTS
from tests.reference.reading import api_from, api_of, pages_of, parse_html

URI = "reference/stability.md"
GROUNDS = GroundsPages(
    sources={"Almanac 8": "about/almanac.md#almanac-8"}, decisions={"0031": "decisions/0031-trees.md"}
)
BETA = {"x-stability-level": "beta"}


def pages_with(count: int) -> dict[str, Page]:
    """Return the stability pages of a contract with so many marked schemas, and one operation."""
    schemas: dict[str, Any] = {f"S{number:03}": {"type": "object", **BETA} for number in range(count)}
    operation = {"summary": "Read", "responses": {"200": {"description": "Good"}}, **BETA}
    api = api_from({"paths": {"/a": {"get": operation}}, "components": {"schemas": schemas}})
    return {uri: page for uri, page in pages_of(api).items() if "stability" in uri}


def test_page_is_as_agreed(golden: Callable[[str, str], None]) -> None:
    """A count by area and level, then a table for each area, with links to what marks rest on."""
    page = pages_of(api_of("complete-3.0.yaml"), grounds=GROUNDS)[URI]

    golden("reference/complete-3.0/stability.html", page.body)
    golden("reference/complete-3.0/stability.md", page.markdown)


def test_page_is_where_one_looks_for_it() -> None:
    """Below the other lists in the left column, among the contents, and in search."""
    page = pages_of(api_of("complete-3.0.yaml"))[URI]

    links = parse_html(page.sidebar).find("a")
    assert [(link.text, link.attributes.get("aria-current")) for link in links][-1] == ("Stability", "page")
    assert [heading.title for heading in page.headings][:2] == ["Operations", "Parameters and headers"]
    assert [(search_entry.title, search_entry.text) for search_entry in page.search] == [
        ("Stability", "How far each part can be relied on: alpha draft beta sources decisions")
    ]


def test_contract_without_marks_has_no_page() -> None:
    """Nor a link to one."""
    pages = pages_of(api_from({"paths": {"/a": {"get": {"responses": {"200": {"description": "Good"}}}}}}))

    assert URI not in pages
    assert "tability" not in "".join(page.body + page.sidebar for page in pages.values())


def test_group_of_that_name_has_another_address() -> None:
    """The page of the marks keeps its own."""
    operation = {"tags": ["Stability"], "responses": {"200": {"description": "Good"}}, **BETA}
    pages = pages_of(api_from({"paths": {"/a": {"get": operation}}}))

    assert {URI, "reference/stability-2/index.md"} <= pages.keys()


def test_long_list_goes_on_below() -> None:
    """The count and the first parts stand on the page itself, about as many on each page."""
    pages = pages_with(MAX_PARTS * 2)
    first, second, third = (parse_html(page.body) for page in pages.values())

    assert list(pages) == [URI, "reference/stability/2.md", "reference/stability/3.md"]
    assert [len(page.find("table")) for page in (first, second, third)] == [3, 1, 1]
    assert [int(element.text) for element in first.find("td")[:3]] == [1, MAX_PARTS * 2, MAX_PARTS * 2 + 1]
    rows = [len(page.find("table")[-1].find("tr")) - 1 for page in (first, second, third)]
    assert sum(rows) == MAX_PARTS * 2
    assert max(rows) - min(rows) <= 2


def test_proposals_with_a_source_are_counted_by_themselves() -> None:
    """That they exist is documented, how they look is not; what is stable has a source anyway."""
    named = {"type": "object", **BETA, "x-source": "Almanac 8", "x-decision": "0031"}
    settled = {"type": "object", "x-stability-level": "stable", "x-source": "Almanac 8"}
    schemas = {"Bark": {"type": "object", **BETA}, "Leaf": named, "Root": named, "Tree": settled}
    page = pages_of(api_from({"paths": {}, "components": {"schemas": schemas}}), grounds=GROUNDS)[URI]

    table = parse_html(page.body).find("table")[0]
    heads = [element.text for element in table.find("tr")[0].find("th")]
    assert heads == ["Parts", "stable", "beta with a source", "beta"]
    assert [element.text for element in table.find("td")[:3]] == ["1", "2", "1"]
    assert (
        "| Parts | stable | beta with a source | beta |\n| --- | --- | --- | --- |\n| Schemas and fields | 1 | 2 | 1 |"
        in page.markdown
    )
    assert "the source documents that it exists" in page.body


def test_pages_are_light() -> None:
    """However much is said of the parts."""
    grounds = {"x-source": ["A", "B"], "x-decision": "0001"}
    values = {"type": "string", "enum": [*range(900)], "x-beta-values": [*range(900)], **grounds}
    api = api_from(
        {"paths": {}, "components": {"schemas": {f"S{number}": values for number in range(MAX_PARTS)}}}
    )
    pages = [page for uri, page in pages_of(api).items() if "stability" in uri]

    assert max(map(weight, pages)) <= MAX_NODES


def weight(page: Page) -> int:
    """Return how many elements a page has."""
    return FRAME_NODES + sum(text.count("<") - text.count("</") for text in (page.body, page.sidebar))
