"""The description of a contract as a guide: chapters with anchors."""

import pytest

from devportal.markup import Heading, render_markdown
from devportal.reference.pages.introduction import add_chapter_anchors, brief_text, chapters_of, lead_text
from tests.reference.reading import api_from, pages_of, parse_html

GUIDE = "# Errors\n\nText.\n\n## Retries & *limits*\n\n# 1. Errors\n\n## Retries & limits\n\n# Errors\n\n# \n"


def test_chapters_have_the_anchors_of_redoc() -> None:
    """Those below others name the way there, a second one of a name has a number, one without words none."""
    found = [(chapter.level, chapter.title, chapter.anchor) for chapter in chapters_of(GUIDE)]

    assert found == [
        (2, "Errors", "section/Errors"),
        (3, "Retries & limits", "section/Errors/Retries-limits"),
        (2, "1. Errors", "section/1.-Errors"),
        (3, "Retries & limits", "section/1.-Errors/Retries-limits"),
        (2, "Errors", "section/Errors-2"),
    ]


def test_chapters_have_the_text_up_to_the_next_heading() -> None:
    """Blocks stay apart; what stands before the first heading is the lead."""
    guide = "Before.\n\n# One\n\n- a\n- `b`\n\nText *here*.\n\n## Two\n\n# Three\n\nEnd.\n"

    assert [(chapter.title, chapter.text) for chapter in chapters_of(guide)] == [
        ("One", "a b Text here."),
        ("Two", ""),
        ("Three", "End."),
    ]
    assert (lead_text(guide), lead_text("Only *this*."), lead_text("# One")) == ("Before.", "Only this.", "")


def test_headings_get_anchors_and_permalinks() -> None:
    """The words of a heading stay as they are."""
    made = parse_html(add_chapter_anchors(render_markdown(GUIDE, first_heading=2), chapters_of(GUIDE)))
    first, second, *_ = made.find("h2"), made.find("h3")

    assert [element.attributes.get("id") for element in first] == [
        "section/Errors",
        "section/1.-Errors",
        "section/Errors-2",
    ]
    assert second[0].text == "Retries & limits #"
    assert second[0].find("em")[0].text == "limits"
    assert second[0].find("a")[0].attributes["href"] == "#section/Errors/Retries-limits"


def test_overview_lists_and_finds_its_chapters() -> None:
    """They are in the table of contents and in the search, and links of descriptions lead to them."""
    info = {"title": "T", "version": "1", "description": GUIDE}
    get = {
        "operationId": "a",
        "description": "See [errors](#section/Errors/Retries-limits).",
        "responses": {},
    }
    pages = pages_of(api_from({"info": info, "paths": {"/a": {"get": get}}}))
    overview, operation = pages["reference/index.md"], pages["reference/a/a.md"]

    assert overview.headings[0] == Heading(level=2, anchor="section/Errors", title="Errors")
    assert "section/1.-Errors/Retries-limits" in [search_entry.anchor for search_entry in overview.search]
    assert {entry.anchor: entry.text for entry in overview.search}["section/Errors"] == "Text."
    assert parse_html(overview.body).find("h2")[0].attributes["id"] == "section/Errors"
    assert 'href="../../#section/Errors/Retries-limits"' in operation.body


@pytest.mark.parametrize(
    ("description", "brief"),
    [
        ("Lend specimens.\n\n## Errors\n\nRetry 429.", "Lend specimens."),
        ("Lend `specimens`.\n\nErrors\n------\n\nRetry 429.", "Lend specimens."),
        ("Lend specimens between herbaria.\n\n## Errors", "Lend specimens…"),
        ("## Errors\n\nRetry 429.", "Errors Retry 429."),
        ("Issue #1 - open", "Issue #1 - open"),
        ("", ""),
    ],
)
def test_a_brief_text_ends_before_the_first_heading(description: str, brief: str) -> None:
    """Search engines and lists for agents show it on one line, on which a heading would be part of a sentence."""
    assert brief_text(description, 20) == brief
