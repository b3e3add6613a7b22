"""Which entries of the navigation are tabs or in the footer, and what the left column of a page lists."""

import re
from pathlib import Path
from typing import Any

import pytest
from lxml.html import HtmlElement, document_fromstring  # type: ignore[import-untyped]

from devportal.errors import InvalidSettings
from devportal.markup import Page
from devportal.site.commands.build import build_project
from devportal.site.commands.check import check_project
from devportal.site.navigation import missing_token_page
from devportal.site.rendering.side_navigation import side_navigation_html, with_side_navigation
from devportal.site.sections.section import SideGroup, SideLink, SideNavigation

from .building import built_project, write_project

NAV = [
    {"Home": "index.md"},
    {"Guides": [{"Start": ["a.md", {"Second": "b.md"}]}]},
    {"API": "reference/index.md"},
    {
        "About": [
            {"Contact": "c.md"},
            {"Decisions": ["decisions/index.md", *(f"decisions/{n}.md" for n in range(13))]},
        ]
    },
]
RATES = SideNavigation(
    "Pricing", (SideGroup("", (SideLink("All", "rates/index.md"), SideLink("A & B", "rates/ab/index.md"))),)
)


def project(folder: Path, **plugin: Any) -> Path:
    config = write_project(folder, plugin=plugin, nav=NAV)
    pages = ("a", "b", "c", "decisions/index", *(f"decisions/{number}" for number in range(13)))
    (folder / "docs/decisions").mkdir()
    for name in pages:
        (folder / f"docs/{name}.md").write_text(f"# Page {name}\n\n## Part\n", encoding="utf-8")
    return config


def build_pages(folder: Path, **plugin: Any) -> dict[str, HtmlElement]:
    """Return each page of a site by its address."""
    site = built_project(project(folder, **plugin), folder / "site").site_dir
    files = {path: path.relative_to(site).as_posix() for path in site.rglob("index.html")}
    return {
        name.removesuffix("index.html"): document_fromstring(file.read_text(encoding="utf-8"))
        for file, name in files.items()
    }


def by_class(page: HtmlElement, name: str) -> list[HtmlElement]:
    """Return the elements of a class, in order."""
    found: list[HtmlElement] = page.find_class(name)
    return found


def links(page: HtmlElement, name: str) -> list[str]:
    """Return the words of the links in all elements of a class."""
    return [" ".join(item.text_content().split()) for each in by_class(page, name) for item in each.iter("a")]


def test_every_entry_but_home_is_a_tab(folder: Path) -> None:
    """The logo leads home, and without the settings there is neither a footer nor a button."""
    page = build_pages(folder)["a/"]

    assert links(page, "md-tabs") == ["Guides", "API", "About"]
    assert by_class(page, "dp-footer") == by_class(page, "dp-header__action") == []


def test_entries_in_the_footer_are_no_tabs(folder: Path) -> None:
    """They are columns there with what they contain, and stand beside the tabs on their own pages only."""
    pages = build_pages(folder, footer=["About"], call_to_action="b.md")

    assert links(pages["a/"], "md-tabs") == ["Guides", "API"]
    assert links(pages["a/"], "dp-footer") == ["About", "Contact", "Decisions"]
    assert links(pages["c/"], "md-tabs") == ["Guides", "API", "About"]
    assert links(pages["c/"], "md-tabs__item--active") == ["About"]
    assert links(pages["reference/"], "md-tabs__item--active") == ["API"]
    assert links(pages["c/"], "dp-areas") == ["Guides", "API", "About"]


def test_the_button_in_the_header_leads_to_a_page(folder: Path) -> None:
    """On every page, under the title that the navigation has for it."""
    pages = build_pages(folder, call_to_action="b.md")

    buttons = {name: by_class(page, "dp-header__action")[0] for name, page in pages.items()}
    assert {button.text_content() for button in buttons.values()} == {"Second"}
    assert buttons["decisions/1/"].get("href") == "../../b/"


def test_left_column_lists_the_pages_of_an_entry(folder: Path) -> None:
    """In groups, with the current one marked; it has a name, and home has none but that of the areas."""
    pages = build_pages(folder)

    (side,) = by_class(pages["b/"], "dp-side")
    assert side.get("aria-label") == "Guides"
    assert [item.text_content() for item in by_class(side, "dp-side__heading")] == ["Start"]
    assert [item.text_content() for item in side.xpath("//a[@aria-current='page']")] == ["Second"]
    assert by_class(pages[""], "dp-side") == []


def test_long_group_lists_its_index_and_the_page_that_is_read(folder: Path) -> None:
    """Dozens of records do not push the rest of the column out of sight."""
    pages = build_pages(folder)

    assert links(pages["c/"], "dp-side") == ["Contact", "Part", "Decisions 13"]
    assert links(pages["decisions/5/"], "dp-side") == [
        "Contact",
        "Decisions 13",
        "Page decisions/5",
        "Part",
    ]


@pytest.mark.parametrize(
    ("plugin", "quoted"),
    [
        ({"footer": ["Abuot"]}, "'footer' names 'Abuot'"),
        ({"footer": "Abuot"}, "'footer' names 'Abuot'"),
        ({"footer": [7]}, "[7] is not a list of titles"),
        ({"call_to_action": "nowhere.md"}, "'call_to_action' is 'nowhere.md'"),
        ({"call_to_action": "https://x.example/"}, "'https://x.example/' is not a page"),
    ],
)
def test_what_the_navigation_does_not_have_is_refused(
    folder: Path, plugin: dict[str, Any], quoted: str
) -> None:
    """A build and a check stop, and quote what is wrong."""
    config = project(folder, **plugin)

    for command in (check_project, build_project):
        with pytest.raises(InvalidSettings, match=re.escape(quoted)):
            command(config)


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("", ""),
        ("https://x.example/tokens", ""),
        ("a/", ""),
        ("a/#part", ""),
        ("get%20one/", ""),
        ("b/#part", "'token_page' leads to 'b/', but the site has no such page"),
        ("a/#prat", "'token_page' leads to '#prat', but 'a/' has no such heading"),
        ("a/#shown", "'token_page' leads to '#shown', but 'a/' has no such heading"),
    ],
)
def test_a_token_page_that_the_site_does_not_have_is_reported(
    tmp_path: Path, address: str, problem: str
) -> None:
    """The console links to it from a script, where no check of links sees it."""
    page = '<h2 id="part">Part</h2><code>&lt;h2 id="shown"&gt;</code>'
    for folder in ("a", "get one"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "index.html").write_text(page, encoding="utf-8")

    assert missing_token_page(tmp_path, address) == problem


def test_a_build_reports_a_token_page_that_is_missing(folder: Path) -> None:
    """As a warning, which fails a strict build."""
    made = built_project(project(folder, token_page="nowhere.md"), folder / "site")

    assert made.warnings == ("'token_page' leads to 'nowhere/', but the site has no such page",)


def test_navigation_of_a_section_marks_the_page_or_the_one_above_it() -> None:
    """A page below a listed one is in that; one below the area alone is in none."""
    page, below, beside = (
        side_navigation_html(RATES, uri) for uri in ("rates/ab/index.md", "rates/ab/usd.md", "rates/c.md")
    )

    assert page.startswith('<nav class="dp-side" aria-label="Pricing">')
    assert '<a href="./" aria-current="page"><span class="dp-side__title" dir="auto">A &amp; B</span>' in page
    assert 'aria-current="true"><span class="dp-side__title" dir="auto">A &amp; B' in below
    assert "aria-current" not in beside


def test_a_page_keeps_its_own_left_column() -> None:
    """Only one that brings none gets that of its area."""
    page = Page(uri="rates/x.md", title="X", description="", body="", markdown="", sidebar="own")

    assert with_side_navigation(page, RATES).sidebar == "own"
