"""A project that asks the theme for more gets the theme's own scripts, and its pages work as others do."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.building import built_project, write_project

from .serving import serving
from .test_accessibility import violations
from .views import PHONE
from .watching import open_and_settle, watch

pytestmark = pytest.mark.browser

TABLE = "\n".join(("| name | value |", "|---|---|", f"| one | {'long ' * 40} |"))


@pytest.fixture(scope="module")
def themed_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a site whose pages are replaced without a reload."""
    folder = tmp_path_factory.mktemp("themed")
    config = write_project(
        folder,
        theme={"name": "material", "features": ["navigation.instant"]},
        site_url="https://parcels.example/",
        markdown_extensions=["tables", "toc"],
    )
    index = folder / "docs" / "index.md"
    index.write_text(f"{index.read_text()}\n{TABLE}\n\n    code\n", encoding="utf-8")
    built_project(config, folder / "site")
    with serving(folder / "site") as address:
        sitemap = folder / "site" / "sitemap.xml"  # what is not in it is loaded as any other page
        sitemap.write_text(sitemap.read_text().replace("https://parcels.example", address), encoding="utf-8")
        yield address


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport=PHONE, reduced_motion="reduce") as context:
        yield context.new_page()


def test_page_works_with_the_scripts_of_the_theme(page: Page, themed_url: str) -> None:
    """No complaint, no barrier, a drawer, and a table that is in one region with a name."""
    watched = watch(page, themed_url)
    open_and_settle(page, f"{themed_url}/")

    assert page.evaluate("!!window.component$")
    assert watched.complaints == []
    assert violations(page) == []
    expect(page.locator(".md-typeset__scrollwrap")).to_have_count(1)
    expect(page.get_by_role("region", name="Table: name, value")).to_have_count(1)
    expect(page.get_by_role("button", name="Copy to clipboard")).to_have_count(1)
    page.locator(".md-header label[for=__drawer]").click()
    expect(page.locator(".md-sidebar--primary")).to_be_in_viewport()


def test_next_page_needs_no_reload(page: Page, themed_url: str) -> None:
    """That is what was asked for; our own scripts work on it too."""
    open_and_settle(page, f"{themed_url}/")
    page.evaluate("window.same = true")

    page.locator(".md-content a", has_text="Reference").click()
    page.wait_for_url(f"{themed_url}/reference/")
    page.locator(".md-content a", has_text="Find a parcel").first.click()
    page.wait_for_url(f"{themed_url}/reference/parcels/get-parcel/")

    expect(page.locator(".md-code__button:visible").first).to_be_visible()
    assert page.evaluate("window.same")
