"""What is shown for an address that is not there, as a host shows `404.html`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from .serving import serving
from .test_accessibility import violations
from .views import PHONE, WIDE, Scheme
from .watching import open_and_settle

pytestmark = pytest.mark.browser

GONE = "reference/mesages/send-mesage/"


@pytest.fixture(scope="module")
def at_root(sites: Path) -> Iterator[str]:
    """Return the address of the portal as it is published, at the root of its host."""
    with serving(sites / "portal") as address:
        yield address


def ask(page: Page, at_root: str, sites: Path, path: str) -> None:
    """Open an address that is not there, and wait until its scripts have run."""
    body = (sites / "portal" / "404.html").read_text(encoding="utf-8")
    page.route(
        f"{at_root}/{path}", lambda route: route.fulfill(status=404, body=body, content_type="text/html")
    )
    open_and_settle(page, f"{at_root}/{path}")


def test_a_mistyped_address_leads_to_what_was_meant(browser: Browser, at_root: str, sites: Path) -> None:
    """The words of the address are searched for, with their slips."""
    with browser.new_context(viewport=WIDE) as context:
        page = context.new_page()
        ask(page, at_root, sites, GONE)

        page.get_by_role("link", name="Send a message").first.click()

        page.wait_for_url(f"{at_root}/reference/messages/send-message/")


def test_an_address_of_nothing_claims_nothing(browser: Browser, at_root: str, sites: Path) -> None:
    """Where no page is like it, where it cannot even be decoded, and where a short word is near another by chance."""
    for path in ("qqqqzzzz/", "%E0%A4%A/", "nope/"):
        with browser.new_context(viewport=WIDE) as context:
            page = context.new_page()
            ask(page, at_root, sites, path)

            expect(page.locator(".dp-missing")).to_be_hidden()
            expect(page.locator(".dp-groups a", has_text="API reference")).to_be_visible()


def test_the_address_of_a_removed_part_says_so(browser: Browser, at_root: str, sites: Path) -> None:
    """With links to what is left; an anchor of the table is not taken for a page."""
    table = {
        "reference/old name/": [["Gone in 2.0.0. See ", ""], ["Messages", "reference/messages/"]],
        "x/#y": "z/",
    }
    with browser.new_context(viewport=WIDE) as context:
        page = context.new_page()
        page.route("**/redirects.json", lambda route: route.fulfill(json=table))
        ask(page, at_root, sites, "reference/old%20name/")

        expect(page.locator("#dp-removed")).to_have_text("Gone in 2.0.0. See Messages")
        page.locator("#dp-removed a").click()

        page.wait_for_url(f"{at_root}/reference/messages/")


def test_each_page_is_suggested_once(browser: Browser, at_root: str, sites: Path) -> None:
    """Also if many of its fields are called like the address."""
    with browser.new_context(viewport=WIDE) as context:
        page = context.new_page()
        ask(page, at_root, sites, "pricing/")

        suggested = page.locator(".dp-missing__list li").all_text_contents()

        assert suggested
        assert len(suggested) == len(set(suggested))


def test_without_scripts_the_areas_are_there(browser: Browser, at_root: str, sites: Path) -> None:
    """Each area of the site is one link away."""
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        ask(page, at_root, sites, GONE)

        page.locator(".dp-groups a", has_text="Changelog").click()

        page.wait_for_url(f"{at_root}/changelog/")


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [
        (PHONE, "dark"),
        pytest.param(PHONE, "light", marks=pytest.mark.deep),
        pytest.param(WIDE, "light", marks=pytest.mark.deep),
        pytest.param(WIDE, "dark", marks=pytest.mark.deep),
    ],
)
def test_it_has_no_barrier(
    viewport: ViewportSize, scheme: Scheme, browser: Browser, at_root: str, sites: Path
) -> None:
    """On a phone as well as on a wide screen."""
    with browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        ask(page, at_root, sites, GONE)
        expect(page.locator(".dp-missing")).to_be_visible()

        assert violations(page) == []
