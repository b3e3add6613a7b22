"""Responses with one problem schema share a table; all others are shown one by one."""

from typing import Any

from devportal.markup import Page
from tests.reference.laws import breaches
from tests.reference.reading import api_from, pages_of, parse_html
from tests.reference.twin_laws import twin_breaches

PROBLEM = {"type": "object", "description": "What went wrong.", "properties": {"title": {"type": "string"}}}
SHARED = {"$ref": "#/components/schemas/Problem"}
RETRY = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}


def error(text: str, schema: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Return a response with a problem."""
    return {
        "description": text,
        "content": {"application/problem+json": {"schema": schema or SHARED}},
        **more,
    }


def page(**responses: Any) -> Page:
    """Return the page of an operation with these responses, by status with a letter before it."""
    named = {name.removeprefix("s"): response for name, response in responses.items()}
    api = api_from(
        {
            "paths": {"/a": {"get": {"operationId": "a", "responses": named}}},
            "components": {"schemas": {"Problem": PROBLEM}},
        }
    )
    pages = pages_of(api)

    assert breaches(pages) == []
    assert twin_breaches(pages) == []
    return pages["reference/a/a.md"]


def test_common_errors_come_first_and_the_body_is_described_once() -> None:
    """After the successes; each status has a row with the anchor that a response of its own would have."""
    made = page(
        s503=error("Busy.", headers=RETRY),
        s404=error("Gone.\n\n- for good"),
        s429=error("Too many.", headers=RETRY),
        s422=error("Not *valid*."),
        s200={"description": "Fine."},
    )

    shown = parse_html(made.body)
    rows = shown.find("table", cls="dp-errors")[0].find("tr")[1:]
    assert [row.attributes["id"] for row in rows] == [f"response.{item}" for item in (422, 429, 404, 503)]
    assert [row.text for row in rows[:2]] == ["422Not valid.", "429Too many."]
    assert [element.attributes["id"] for element in shown.find("details", cls="dp-response")] == [
        "response.200"
    ]
    assert made.body.index('id="response.200"') < made.body.index('id="response.422"')
    assert made.body.count("What went wrong.") == made.markdown.count("What went wrong.") == 1
    assert made.body.count("Seconds to wait.") == 1
    assert "Retry-After with 429, 503" in shown.text
    assert "| 422 | Not *valid*. |" in made.markdown


def test_a_twin_has_no_heading_for_samples_that_only_the_page_has() -> None:
    """Bodies of errors are in its table; a heading for samples needs a body of a success."""
    samples = "## Response\n"

    assert samples not in page(s200={"description": "Fine."}, default=error("Failed.")).markdown
    assert samples in page(s200=error("Fine."), default=error("Failed.")).markdown


def test_a_body_with_more_to_it_stands_alone() -> None:
    """A schema of its own, another media type, or a single problem: no table has them."""
    own = {"allOf": [SHARED, {"type": "object", "properties": {"line": {"type": "integer"}}}]}
    plain = {"description": "Odd.", "content": {"application/json": {"schema": SHARED}}}

    made = page(s400=error("Bad.", own), s404=error("Gone."), s500=plain)

    shown = parse_html(made.body)
    assert shown.find("table", cls="dp-errors") == []
    assert [element.attributes["id"] for element in shown.find("details", cls="dp-response")] == [
        "response.400",
        "response.404",
        "response.500",
    ]


def test_what_one_response_requires_is_in_its_row() -> None:
    """The body is described without it."""
    narrowed = {"allOf": [SHARED, {"type": "object", "required": ["errors"]}]}

    made = page(
        s422=error("Not valid.", narrowed), s404=error("Gone.", {"allOf": [SHARED]}), s500=error("Down.")
    )

    (row,) = parse_html(made.body).find("tr", id="response.422")
    assert row.text == "422Not valid.requires errors"
    assert made.body.count("requires") == 1
