"""A portal of several APIs: search names the API of a result and can be narrowed to one, without a mouse."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from .conftest import build
from .serving import serving
from .test_accessibility import violations
from .views import PHONE, SMALL, WIDE
from .watching import open_and_settle, watch

pytestmark = pytest.mark.browser

PROJECT = Path(__file__).parents[1] / "site" / "several_apis" / "mkdocs.yml"


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the site of the example project and return its address."""
    folder = tmp_path_factory.mktemp("several")
    build("-f", str(PROJECT), "--site-dir", str(folder / "portal"), "--no-cache", "--quiet")
    with serving(folder) as address:
        yield f"{address}/portal"


def open_search(page: Page, address: str, words: str) -> None:
    """Open the dialog with a key and type words."""
    open_and_settle(page, address)
    page.keyboard.press("/")
    page.keyboard.type(words)
    expect(page.locator(".dp-find__hit").first).to_be_visible()


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_search_is_narrowed_to_an_api_by_keyboard(browser: Browser, portal: str, size: ViewportSize) -> None:
    """Each result names its API; with a choice made, only results of that one are left."""
    with browser.new_context(viewport=size, reduced_motion="reduce") as context:
        page = context.new_page()
        open_search(page, f"{portal}/", "item")
        names = page.locator(".dp-find__hit .dp-find__api")
        expect(names.filter(has_text="Stock API").first).to_be_visible()
        expect(names.filter(has_text="Carrier callbacks").first).to_be_visible()

        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.type("Stock")

        expect(page.locator(".dp-find select")).to_have_value("Stock API")
        expect(names.filter(has_text="Carrier callbacks")).to_have_count(0)
        assert set(names.all_text_contents()) == {"Stock API"}
        assert not violations(page)


def test_a_shared_schema_is_found_in_each_of_its_apis(browser: Browser, portal: str) -> None:
    """Once, with the names of both."""
    with browser.new_context(viewport=WIDE, reduced_motion="reduce") as context:
        page = context.new_page()
        open_search(page, f"{portal}/", "Address")
        page.locator(".dp-find select").select_option("Stock API")

        found = page.locator(".dp-find__hit").filter(has_text="Orders API, Stock API")
        expect(found.first).to_be_visible()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "reference/",
        "reference/orders/orders/create/",
        "reference/schemas/address/",
        "changelog/",
        "changelog/api/orders/releases/",
    ],
)
def test_pages_fit_and_have_no_barriers(browser: Browser, portal: str, address: str) -> None:
    """On a small screen nothing is wider than the page, nothing is blocked by the policy, and axe finds nothing."""
    with browser.new_context(viewport=SMALL, reduced_motion="reduce") as context:
        page = context.new_page()
        seen = watch(page, portal.removesuffix("/portal"))
        open_and_settle(page, f"{portal}/{address}")

        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
        assert not violations(page)
        assert seen.complaints == []
