"""What the responses of an operation say more than once is told once."""

from typing import Any

import pytest

from devportal.markup import Page
from devportal.reference.pages.introduction import introduction_of

from .laws import breaches
from .reading import api_from, pages_of, parse_html

TRACE = {"X-Trace": {"description": "Names the request.", "schema": {"type": "string"}}}
OTHER = {"X-Trace": {"description": "Names the answer.", "schema": {"type": "string"}}}
PROBLEM = {
    "title": "Problem",
    "type": "object",
    "properties": {"type": {"type": "string"}, "status": {"type": "integer"}, "title": {"type": "string"}},
}
GONE = "https://api.example.com/problems/gone/"


def page(responses: dict[str, Any]) -> Page:
    """Return the page of an operation with these responses, of a contract that knows a problem."""
    operation = {"operationId": "a", "responses": responses}
    api = api_from(
        {
            "paths": {"/a": {"get": operation}},
            "components": {"schemas": {"Problem": PROBLEM}},
            "x-problem-types": [{"type": GONE, "title": "It is gone", "status": 410}],
        }
    )
    pages = pages_of(api)

    assert breaches(pages) == []
    return pages["reference/a/a.md"]


def answer(**values: Any) -> dict[str, Any]:
    return {"description": "An answer.", **values}


def problem_response(**members: Any) -> dict[str, Any]:
    """Return a response with a problem of which some members are narrowed."""
    own = {"type": "object", "properties": members}
    schema = {"allOf": [{"$ref": "#/components/schemas/Problem"}, own]}
    return answer(content={"application/problem+json": {"schema": schema}})


def test_a_header_is_told_where_it_stands_first() -> None:
    """Further down its name leads to that response, and keeps the anchor that it had."""
    made = page({"200": answer(headers=TRACE), "404": answer(headers=TRACE)})

    shown = parse_html(made.body)
    (row,) = shown.find("li", cls="dp-field")
    (again,) = shown.find("a", id="response.404.X-Trace")
    assert row.attributes["id"] == "response.200.X-Trace"
    assert again.attributes["href"] == "#response.200"
    assert made.body.count("Names the request.") == 1
    assert made.markdown.count("Names the request.") == 1
    assert "Headers:\n\nAs above: `X-Trace`" in made.markdown


def test_a_header_that_says_something_else_is_told_too() -> None:
    """The same name is not the same header, and neither is one that may be left out."""
    required = {"X-Trace": {**TRACE["X-Trace"], "required": True}}
    made = page({"200": answer(headers=TRACE), "404": answer(headers=OTHER), "410": answer(headers=required)})

    rows = [element.attributes["id"] for element in parse_html(made.body).find("li", cls="dp-field")]
    assert rows == ["response.200.X-Trace", "response.404.X-Trace", "response.410.X-Trace"]


def test_new_headers_stand_before_those_told_above() -> None:
    """Both kinds in one response."""
    more = {"Allow": {"description": "What works.", "schema": {"type": "string"}}}
    made = page({"200": answer(headers=TRACE), "405": answer(headers={**TRACE, **more})})

    (line,) = parse_html(made.body).find("p", cls="dp-repeated")
    assert line.text == "Also, as above: X-Trace"
    assert "Also, as above: `X-Trace`" in made.markdown
    assert "- `Allow`" in made.markdown


def test_status_and_type_of_a_problem_are_not_told_again() -> None:
    """The response says its status, and which problems it may be; what else a member says is shown."""
    made = page(
        {"410": problem_response(type={"enum": [GONE]}, status={"const": 410}, title={"const": "Gone"})}
    )

    shown = parse_html(made.body)
    (problems,) = shown.find("p", cls="dp-problems")
    assert problems.text == "Problem type: It is gone"
    assert [element.attributes["id"] for element in shown.find("li", cls="dp-field")] == [
        "response.410.title"
    ]


def test_other_values_of_status_and_type_are_shown() -> None:
    """A status that is not the response's, a type that no problem has, a member with words of its own."""
    made = page(
        {
            "410": problem_response(type={"enum": [GONE, "about:blank"]}, status={"const": 404}),
            "4XX": problem_response(status={"enum": [410], "description": "Always the same."}),
        }
    )

    rows = [element.attributes["id"] for element in parse_html(made.body).find("li", cls="dp-field")]
    assert rows == ["response.410.type", "response.410.status", "response.4XX.status"]


def test_a_description_that_is_the_title_stands_once() -> None:
    """Many authors write one sentence into both."""
    operation = {"operationId": "a", "summary": "Fetch a country", "description": "Fetch a *country*."}
    webhook = {"post": {"summary": "Order paid", "description": "Order paid."}}
    api = api_from({"paths": {"/a": {"get": operation}}, "webhooks": {"paid": webhook}})

    pages = pages_of(api)

    assert pages["reference/a/a.md"].markdown.startswith("# Fetch a country\n\n`GET /a`\n\nDetails: ")
    assert pages["reference/events/paid.md"].markdown.count("Order paid") == 1


@pytest.mark.parametrize(
    ("description", "shown"),
    [
        ("# Tea shop\n\nSells.\n\n## Rates", "Sells.\n\n## Rates"),
        ("\n# Tea Shop #\nSells.", "Sells."),
        ("Tea *shop*\n===\nSells.", "Sells."),
        ("Tea shop.", ""),
        ("# Teas\n\nSells.", "# Teas\n\nSells."),
        ("## Tea shop\n\nSells.", "## Tea shop\n\nSells."),
        (
            "# Tea shop\n\nSee [rates](#section/Tea shop/Rates).",
            "# Tea shop\n\nSee [rates](#section/Tea shop/Rates).",
        ),
        ("Tea shop\n\nSells.", "Tea shop\n\nSells."),
        ("#", "#"),
        ("", ""),
    ],
)
def test_a_heading_that_is_the_title_of_the_api_stands_once(description: str, shown: str) -> None:
    """Nor does a description that says nothing else stand below it. Links to chapters lead on."""
    api = api_from({"info": {"title": "Tea shop", "version": "1", "description": description}, "paths": {}})

    assert introduction_of(api) == shown


def test_chapters_below_the_title_are_those_of_the_page() -> None:
    """They are one level higher, and the text for search engines begins with the first sentence."""
    text = "# Tea shop\n\nSells tea.\n\n## Rates\n\nLow."
    pages = pages_of(
        api_from({"info": {"title": "Tea shop", "version": "1", "description": text}, "paths": {}})
    )

    overview = pages["reference/index.md"]
    assert "\n\nSells tea.\n\n## Rates\n\nLow." in overview.markdown
    assert overview.markdown.count("Tea shop") == 1
    assert overview.description.startswith("Sells tea.")


def test_titles_that_a_framework_makes_of_operations_are_left_out() -> None:
    """Of name, path and method, as FastAPI does; titles that people write stand above their fields."""

    def listing(title: str) -> dict[str, Any]:
        schema = {"type": "array", "items": {"type": "string"}, "title": title}
        return {"200": answer(content={"application/json": {"schema": schema}})}

    assert "Response Read" not in page(listing("Response Read Items Items Get")).markdown
    assert "Response of the year" in page(listing("Response of the year")).markdown
    assert "Response A Post" in page(listing("Response A Post")).markdown


def test_fields_that_two_media_types_write_the_same_stand_once() -> None:
    """Schemas that are written out count as those that are shared: what differs anywhere inside is shown."""
    one, other = (
        {"properties": {"only": {"type": "array", "items": {"properties": {"flag": {"default": default}}}}}}
        for default in (1, True)
    )
    content = {"application/json": one, "text/json": one, "application/xml": other}

    found = page({"200": answer(content={name: {"schema": schema} for name, schema in content.items()})})
    shown = parse_html(found.body)

    assert shown.text.count("Same fields as") == 1
    assert shown.text.count("only array of object") == 2


def test_the_licence_stands_once() -> None:
    """With its address and its identifier, where both are given."""
    licence = {"name": "Apache 2.0", "identifier": "Apache-2.0"}
    other = {"name": "My terms", "url": "https://a.example/terms"}

    first, second = (
        pages_of(api_from({"info": {"title": "T", "version": "1", "license": item}, "paths": {}}))
        for item in (licence, other)
    )

    assert first["reference/index.md"].markdown.count("Apache 2.0") == 1
    assert "- license: Apache 2.0 `Apache-2.0`" in first["reference/index.md"].markdown
    assert "- license: [My terms](https://a.example/terms)" in second["reference/index.md"].markdown


def test_names_required_in_several_layers_are_in_one_sentence() -> None:
    """Each once, whichever parts of an `allOf` require it."""
    base = {"type": "object", "required": ["z", "q"], "properties": {"a": {"type": "string"}}}
    both = {"allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["z", "w"]}], "required": ["q"]}
    api = api_from({"paths": {}, "components": {"schemas": {"Base": base, "Both": both}}})

    assert "Rules: requires `z`, `q`, `w`\n" in pages_of(api)["reference/schemas/both.md"].markdown
