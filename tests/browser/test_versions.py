"""The way from a page of the reference to another release: with mouse, keyboard, and without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from .test_accessibility import violations
from .test_layout import overflow
from .views import PHONE, SMALL, WIDE
from .watching import open_and_settle

pytestmark = pytest.mark.browser

PRESENT = "portal/reference/messages/send-message/"
EARLIER = "portal/reference/2.0.0/messages/send-message/"
GONE = "portal/reference/2.0.0/messages/list-usage/"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Return a page of a browser that has seen nothing yet."""
    with browser.new_context(viewport=WIDE, reduced_motion="reduce") as context:
        yield context.new_page()


def switcher(page: Page) -> Locator:
    """Return the way to other releases."""
    return page.get_by_role("navigation", name="Releases")


def test_the_keyboard_switches(page: Page, origin: str) -> None:
    """Open, go to a release, follow: three keys, and the same operation is there."""
    page.goto(f"{origin}/{PRESENT}")
    page.locator(".dp-versions summary").focus()

    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(switcher(page).get_by_role("link", name="3.5.0")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{origin}/{EARLIER}")
    expect(page.locator("h1")).to_have_text("Send a message")
    expect(page.locator(".dp-versions summary")).to_contain_text("2.0.0")


def test_what_is_gone_says_so_on_either_side(page: Page, origin: str) -> None:
    """In the notice on the page, and in the switcher before anybody follows it."""
    page.goto(f"{origin}/{GONE}")
    notice = page.get_by_role("complementary", name="Release")

    expect(notice).to_contain_text("This is release 2.0.0 of 14 September 2026.")
    expect(notice).to_contain_text("it was removed in 3.3.0")
    page.locator(".dp-versions summary").click()
    newest = switcher(page).get_by_role("link", name="3.5.0")
    expect(newest).to_contain_text("not there: leads to Messages")
    newest.click()
    expect(page).to_have_url(f"{origin}/portal/reference/messages/")
    expect(page.get_by_role("complementary", name="Release")).to_have_count(0)


@pytest.mark.parametrize("size", [WIDE, ViewportSize(width=700, height=900), PHONE])
@pytest.mark.parametrize("path", [EARLIER, "portal/reference/2.0.0/"])
def test_the_notice_does_not_stand_below_what_can_be_done_with_the_page(
    page: Page, origin: str, path: str, size: ViewportSize
) -> None:
    page.set_viewport_size(size)
    open_and_settle(page, f"{origin}/{path}")

    notice = page.get_by_role("complementary", name="Release").bounding_box()
    actions = page.locator(".dp-page-actions > summary").bounding_box()
    assert notice is not None
    assert actions is not None
    assert notice["y"] >= actions["y"] + actions["height"]


def test_an_earlier_release_cannot_be_tried(page: Page, origin: str) -> None:
    """Its samples stand there; what sends them to a server does not, nor what a run has shown of today."""
    open_and_settle(page, f"{origin}/{EARLIER}")

    expect(page.locator(".dp-panel").first).to_be_visible()
    expect(page.get_by_role("button", name="Try it")).to_have_count(0)
    expect(page.get_by_text("verified")).to_have_count(0)


@pytest.mark.parametrize("path", [pytest.param(PRESENT, marks=pytest.mark.deep), GONE])
def test_the_open_switcher_has_no_barrier(page: Page, origin: str, path: str) -> None:
    """Nothing for axe, and nothing wider than a page."""
    page.goto(f"{origin}/{path}")
    page.locator(".dp-versions summary").click()

    assert violations(page) == []
    assert overflow(page, SMALL) == ""


def test_it_stays_in_view_and_covers_nothing_in_focus(page: Page, origin: str) -> None:
    """The column scrolls below it (WCAG 2.2, criterion 2.4.11)."""
    page.set_viewport_size({"width": 1440, "height": 420})
    page.goto(f"{origin}/portal/reference/rates/list-rates/")
    bar = page.locator(".dp-versions summary")
    page.locator(".dp-side a").last.focus()
    page.locator(".dp-side a").first.focus()

    expect(bar).to_be_in_viewport()
    above, below = bar.bounding_box(), page.locator(".dp-side a").first.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]


def test_a_phone_has_it_in_the_drawer(browser: Browser, origin: str) -> None:
    """Beside the navigation of the reference."""
    with browser.new_context(viewport=PHONE, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{origin}/{PRESENT}")
        page.locator(".md-header button:visible").first.click()

        page.locator(".dp-versions summary").click()
        switcher(page).get_by_role("link", name="2.0.0").click()

        expect(page).to_have_url(f"{origin}/{EARLIER}")


def test_it_needs_no_script(browser: Browser, origin: str) -> None:
    """The menu and its links are plain HTML."""
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{origin}/{PRESENT}")
        page.locator(".dp-versions summary").click()
        switcher(page).get_by_role("link", name="1.5.0").click()

        assert page.url == f"{origin}/portal/reference/1.5.0/messages/send-message/"


def test_search_leads_to_what_is_now(page: Page, origin: str) -> None:
    """What an earlier release had is not among the results."""
    page.goto(f"{origin}/{GONE}")
    page.keyboard.press("/")
    page.locator(".dp-find__input").fill("send a message")
    expect(page.get_by_role("option").first).to_be_visible()

    found = page.get_by_role("option").evaluate_all("(all) => all.map((one) => one.outerHTML)")
    assert any("reference/messages/send-message" in item for item in found)
    assert not any("reference/2.0.0" in item or "reference/1.5.0" in item for item in found)


def test_a_contract_without_releases_has_no_switcher(page: Page, origin: str) -> None:
    """There is nothing to switch to."""
    page.goto(f"{origin}/parcels/reference/parcels/list-parcels/")

    expect(page.locator(".dp-versions")).to_have_count(0)
