"""Request bodies and responses on pages, and the same in twins."""

from typing import Any

from devportal.markup import Page

from .laws import breaches
from .reading import Element, api_from, pages_of, parse_html

LOST = "#/components/lost/One"


def page(operation: dict[str, Any]) -> Page:
    """Return the page of the only operation of a contract."""
    api = api_from({"paths": {"/a": {"post": {"operationId": "a", "responses": {}, **operation}}}})
    pages = pages_of(api)

    assert breaches(pages) == []
    return pages["reference/a/a.md"]


def unresolved_marks(shown: Element) -> list[tuple[str, str]]:
    """Return text and title of each mark on a broken reference."""
    marks = shown.find(cls="dp-badge--unresolved")
    return [(mark.text, mark.attributes["title"]) for mark in marks]


def test_a_response_behind_a_broken_reference_is_marked() -> None:
    """Its heading is its status in words; what cannot be followed is told once, and nothing is made up."""
    made = page({"responses": {"404": {"$ref": LOST}}})

    (shown,) = parse_html(made.body).find("details", cls="dp-response")
    (head,) = shown.find("summary")
    assert head.text == "404 Not Found unresolved"
    assert unresolved_marks(head) == [("unresolved", LOST)]
    assert shown.text.count(LOST) == 1
    assert "No body." not in shown.text
    assert "### 404 Not Found · unresolved" in made.markdown
    assert made.markdown.count(LOST) == 1


def test_a_request_body_behind_a_broken_reference_is_marked() -> None:
    """As a response is, with its samples sending nothing."""
    made = page({"requestBody": {"$ref": LOST}})

    assert unresolved_marks(parse_html(made.body)) == [("unresolved", LOST)]
    assert "## Request body\n\nunresolved\n" in made.markdown
    assert made.markdown.count(LOST) == 1


def test_a_body_of_a_broken_schema_has_no_example() -> None:
    """Nothing is known of its value, so none is made."""
    content = {"application/json": {"schema": {"$ref": LOST}}}
    made = page({"responses": {"200": {"description": "Fine.", "content": content}}})

    shown = parse_html(made.body)
    assert "One (unresolved)" in shown.text
    assert [element.text for element in shown.find("h2", cls="dp-panel__title")] == ["Request"]


def test_how_parts_are_written_has_a_heading() -> None:
    """The parts of a multipart body, the fields of a form; headers of a part are called so."""
    schema = {"type": "object", "properties": {"a": {"type": "array"}}}
    encoding = {
        "a": {"contentType": "text/csv", "style": "form", "headers": {"X-A": {}}},
        "b": {"style": "form"},
    }
    content = {
        "multipart/form-data": {"schema": schema, "encoding": encoding},
        "application/x-www-form-urlencoded": {"schema": schema, "encoding": {"a": {"explode": False}}},
    }
    made = page({"requestBody": {"content": content}})

    headings = [element.text for element in parse_html(made.body).find("h3", cls="dp-small-heading")]
    assert headings == ["How parts are written", "How fields are written"]
    assert (
        "\nHow parts are written:\n\n`a`\n\n- sent as `text/csv`\n- style `form`\n\nHeaders:\n\n- `X-A`"
        in (made.markdown)
    )
    assert "\nHow fields are written:\n\n`a`\n\n- explode `false`\n" in made.markdown


def test_headers_and_parameters_behind_broken_references_are_marked() -> None:
    """Where others have their type; the reference is told once."""
    headers = {"X-A": {"$ref": LOST}}
    made = page(
        {
            "parameters": [{"$ref": "#/components/parameters/Limit"}],
            "responses": {"200": {"description": "Fine.", "headers": headers}},
        }
    )

    assert "- `X-A` (unresolved): The contract describes this elsewhere" in made.markdown
    assert "- `Limit` (unresolved): The contract describes this elsewhere" in made.markdown
    shown = [element.text for element in parse_html(made.body).find("li", cls="dp-field")]
    assert [text.split(" The ")[0] for text in shown] == ["Limit unresolved", "X-A unresolved"]
    assert made.markdown.count(LOST) == 1


def test_an_example_without_a_value_is_its_text() -> None:
    """On the page and in the twin, of bodies and parameters; the sample is made from the schema."""
    examples = {"nothing": {"summary": "Nothing comes back", "description": "Nor *ever* will."}}
    content = {"application/json": {"schema": {"type": "object"}, "examples": examples}}
    operation = {
        "operationId": "drop",
        "parameters": [
            {"name": "p", "in": "query", "schema": {}, "examples": {"a": {"summary": "Any text"}}}
        ],
        "responses": {"200": {"description": "Gone", "content": content}},
    }

    page = pages_of(api_from({"paths": {"/a": {"delete": operation}}}))["reference/a/drop.md"]

    for text in ("Nothing comes back", "will.", "Any text"):
        assert page.body.count(text) == page.markdown.count(text) == 1, text
    assert "null" not in page.markdown


def test_a_lone_example_stays_beside_examples_that_are_only_texts() -> None:
    """It is the only value that there is."""
    content = {"application/json": {"example": {"a": 12}, "examples": {"b": {"summary": "Nothing else"}}}}
    response = {"200": {"description": "OK", "content": content}}

    page = pages_of(api_from({"paths": {"/a": {"get": {"operationId": "a", "responses": response}}}}))

    assert '"a": 12' in page["reference/a/a.md"].markdown
    assert "Nothing else" in page["reference/a/a.md"].markdown
