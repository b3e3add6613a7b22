"""The console for everybody: by keyboard, in light and dark, on phones; and where there is none."""

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.test_accessibility import violations
from tests.browser.test_layout import overflow
from tests.browser.views import PHONE, SMALL, WIDE, Scheme
from tests.browser.watching import open_and_settle, watch

from .conftest import Opened, answer, send

pytestmark = pytest.mark.browser


def unfold(dialog: Locator) -> None:
    """Show the fields of the body that are behind a fold, and wait until they are made."""
    dialog.get_by_text("4 optional").click()
    expect(dialog.get_by_label("Variant of shape")).to_be_visible()


@pytest.mark.parametrize(
    "viewport", [pytest.param(WIDE, id="wide", marks=pytest.mark.deep), pytest.param(PHONE, id="phone")]
)
@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.deep), "dark"])
def test_open_console_has_no_barrier(
    scheme: Scheme, viewport: ViewportSize, browser: Browser, site: str
) -> None:
    """With every field open, what is wrong told, a warning, and an answer that differs."""
    with browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        watched = watch(page, site)
        page.goto(f"{site}/reference/t/put-thing/#try")
        dialog = page.get_by_role("dialog")
        unfold(dialog)
        dialog.get_by_label("name", exact=True).fill("x")
        send(dialog)
        expect(dialog.get_by_role("button", name="Send anyway")).to_be_visible()
        page.evaluate("scrollTo(0, 0)")  # the page below is inert: what its header covers is no target
        found = violations(page)
        page.goto(f"{site}/reference/t/wrong/")
        page.get_by_role("button", name="Try it").first.click()
        send(dialog)
        expect(answer(dialog).get_by_text("Does not conform to the contract")).to_be_visible()
        page.evaluate("scrollTo(0, 0)")

        assert found == []
        assert violations(page) == []
        assert [
            complaint for complaint in watched.complaints if not complaint.startswith("third party")
        ] == []


def test_console_never_scrolls_sideways(open_console: Opened, page: Page) -> None:
    """At any width, and nor do its panes."""
    dialog = open_console("put-thing")
    unfold(dialog)

    for viewport in (WIDE, PHONE, SMALL):
        assert overflow(page, viewport) == ""
        for part in (".dpc-dialog", ".dpc-panes", ".dpc-form", ".dpc-side"):
            excess = dialog.page.locator(part).evaluate("(one) => one.scrollWidth - one.clientWidth")
            assert excess <= 0, (part, viewport)


def test_everything_works_with_the_keyboard(page: Page, site: str) -> None:
    """Open, type, choose a language, send, close: the focus comes back to where it was."""
    page.goto(f"{site}/reference/t/kept/")
    page.get_by_role("button", name="Try it").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("API_KEY")).to_be_focused()

    page.keyboard.type("secret")
    page.keyboard.press("Tab")
    expect(dialog.get_by_text("Where do I get a token?")).to_be_focused()
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="Forget")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_label("Code of the request")).to_contain_text("import requests")
    page.keyboard.press("Control+Enter")
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    page.keyboard.press("Escape")

    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Try it")).to_be_focused()


def test_focus_stays_in_the_console(open_console: Opened, page: Page) -> None:
    """What is behind it cannot be reached, neither forwards nor backwards."""
    open_console("kept")

    for key in ("Tab", "Shift+Tab"):
        for _ in range(25):
            page.keyboard.press(key)
            assert page.evaluate(
                "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
            )


def test_without_scripts_there_is_no_button(browser: Browser, site: str) -> None:
    """What could not work is not offered."""
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{site}/reference/t/kept/")

        expect(page.locator(".dp-try:visible")).to_have_count(0)


def test_nothing_moves_when_the_button_comes(page: Page, browser: Browser, site: str) -> None:
    """The bar is as high without it."""
    page.goto(f"{site}/reference/t/kept/")
    expect(page.get_by_role("button", name="Try it")).to_be_visible()
    height = page.locator(".dp-panel__bar").first.bounding_box()
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        plain = context.new_page()
        plain.goto(f"{site}/reference/t/kept/")

        assert plain.locator(".dp-panel__bar").first.bounding_box() == height


def test_page_loads_nothing_of_the_console_before_it_is_asked_for(page: Page, site: str) -> None:
    """The script of its button is in the bundle of every page."""
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))

    open_and_settle(page, f"{site}/reference/t/kept/")

    assert [text.rsplit("/", 1)[-1] for text in loaded if "console" in text] == []


HOSTS = {
    "sandbox.example.com": True,
    "eu.test.example.com": True,
    "mock.example.co.uk": True,
    "api.test": True,
    "test": True,
    "api.localhost": True,
    "127.0.0.1": True,
    "test.com": False,
    "api.test.io": False,
    "www.sandbox.com.": False,
    "mock.co.uk": False,
    "api.test.com.au.": False,
    "speed-test.example.com": False,
    "example.sandbox": False,
}


def test_what_a_company_is_called_makes_no_sandbox(page: Page, site: str) -> None:
    """Only a label before a registered name speaks for its host: others are asked about."""
    page.goto(site)

    found = page.evaluate(
        """async ([module, hosts]) => {
          const { isSandbox } = await import(module);
          return hosts.map((host) => isSandbox({ server: { url: `https://${host}/v1` }, values: {} }));
        }""",
        [f"{site}/assets/devportal/console/servers.js", list(HOSTS)],
    )

    assert dict(zip(HOSTS, found, strict=True)) == HOSTS
