"""The list of shared schemas, and their pages."""

from typing import Any

from devportal.reference.pages.list_pages import MAX_SCHEMAS
from tests.reference.laws import breaches
from tests.reference.reading import api_from, pages_of, parse_html

INDEX = "reference/schemas/index.md"


def api_with(**schemas: Any) -> Any:
    """Return a contract with shared schemas, and an operation, which every contract has."""
    return api_from({"paths": {"/a": {"get": {"responses": {}}}}, "components": {"schemas": schemas}})


def test_list_says_what_the_names_do_not() -> None:
    """A title that repeats the name gives way to the description."""
    properties = {"properties": {"a": {"type": "string"}}}
    pages = pages_of(
        api_with(
            pay_in={**properties, "title": "PayIn", "description": "Money that *comes*."},
            PayOut={**properties, "title": "A withdrawal"},
        )
    )

    items = parse_html(pages[INDEX].body).find("ul", cls="dp-index")[0].find("li")
    assert [element.text for element in items] == ["pay_in Money that comes.", "PayOut A withdrawal"]


def test_list_of_one_has_no_plural() -> None:
    """The lead counts what follows."""
    one, two = (
        pages_of(api_with(**{name: {"enum": [name]} for name in names}))[INDEX].markdown
        for names in ("A", "AB")
    )

    assert "The 1 shared schema of this API." in one
    assert "The 2 shared schemas of this API." in two


def test_long_list_has_several_pages() -> None:
    """Each leads to the others, and every schema is on one of them."""
    count = MAX_SCHEMAS * 2 + 1
    schemas = {f"S{number:04}": {"enum": [number], "description": "One."} for number in range(count)}
    pages = pages_of(api_with(**schemas))
    lists = [INDEX, "reference/schemas/index/2.md", "reference/schemas/index/3.md"]

    listed = [
        element.text
        for uri in lists
        for element in parse_html(pages[uri].body).find("ul", cls="dp-index")[0].find("a")
    ]
    ways = [
        [element.text for element in parse_html(pages[uri].body).find("nav")[1].find("a")] for uri in lists
    ]

    assert listed == sorted(schemas)
    assert ways[0] == ["S0300 to S0599", "S0600"]
    assert ways[2] == ["S0000 to S0299", "S0300 to S0599"]
    assert "[Schemas S0600](index/3.md)" in pages[INDEX].markdown
    assert breaches(pages, every=50) == []


def test_contract_without_shared_schemas_has_no_list() -> None:
    """Nothing to list, no page."""
    assert INDEX not in pages_of(api_with())


def test_component_that_adds_rules_to_another_has_its_page() -> None:
    """It combines the other one, and is called by its own name where it is used."""
    vip = {
        "$ref": "#/components/schemas/Customer",
        "required": ["vip"],
        "properties": {"vip": {"type": "string"}},
    }
    customer = {"type": "object", "properties": {"name": {"type": "string"}}}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Vip"}}}
    get = {"responses": {"200": {"description": "x", "content": content}}}
    schemas = {"Customer": customer, "Vip": vip}
    pages = pages_of(api_from({"paths": {"/a": {"get": get}}, "components": {"schemas": schemas}}))

    page = parse_html(pages["reference/schemas/vip.md"].body)
    assert [element.text for element in page.find(cls="dp-field__name")] == ["name", "vip"]
    assert [element.text for element in page.find(cls="dp-values")] == ["Combines Customer"]
    assert 'href="../../schemas/vip/">Vip</a>' in pages["reference/a/get-a.md"].body


def test_title_in_other_letters_than_the_name_stands_on_the_page() -> None:
    """`Simple User` of `simple-user`, once, on the page and in the twin; not where it is the name itself."""
    schemas = {
        "simple-user": {"title": "Simple User", "properties": {"a": {}}},
        "full-user": {"title": "Full User", "description": "Full user.", "properties": {"a": {}}},
        "Same": {"title": "Same", "properties": {"a": {}}},
    }
    pages = pages_of(api_from({"components": {"schemas": schemas}}))

    page = pages["reference/schemas/simple-user.md"]
    assert [element.text for element in parse_html(page.body).find(cls="dp-lead")] == ["Simple User"]
    assert page.markdown.startswith("# simple-user\n\nSimple User\n")
    assert parse_html(pages["reference/schemas/same.md"].body).find(cls="dp-lead") == []
    assert pages["reference/schemas/full-user.md"].markdown.count("Full") == 1


def test_examples_of_a_schema_are_in_the_panel_only() -> None:
    """The text beside it does not repeat them, on the page and in its twin."""
    schema = {"properties": {"a": {"type": "string"}}, "example": {"a": "Ada"}}

    page = pages_of(api_with(A=schema))["reference/schemas/a.md"]

    assert [panel.text.count("Ada") for panel in parse_html(page.body).find(cls="dp-panel")] == [1]
    assert page.body.count("Ada") == 1
    assert page.markdown.count("Ada") == 1
