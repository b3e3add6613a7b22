"""One style sheet of custom properties gives a portal another look, and the fonts come from its own host."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from .views import WIDE
from .watching import open_and_settle

pytestmark = pytest.mark.browser

OPERATION = "portal/reference/messages/send-message/"
BRAND = """
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root { --dp-accent: light-dark(rgb(1, 2, 3), rgb(4, 5, 6));'
    + ' --dp-bg: rgb(250, 251, 252); --dp-text: rgb(7, 8, 9); --dp-blue: rgb(10, 11, 12);'
    + ' --dp-panel-scheme: light; --dp-font: serif;'
    + ' --dp-code-bg: light-dark(rgb(200, 201, 202), rgb(20, 21, 22)); }');
  document.adoptedStyleSheets = [sheet];
"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport=WIDE, color_scheme="light", reduced_motion="reduce") as context:
        yield context.new_page()


def style(page: Page, selector: str, name: str) -> str:
    """Return what a property of the first element comes to."""
    found: str = page.locator(selector).first.evaluate(f"(one) => getComputedStyle(one)['{name}']")
    return found


def test_a_few_properties_change_the_whole_page(page: Page, origin: str) -> None:
    """Tabs, links, text, badges, panels and fonts follow, where nothing but the properties is set."""
    page.goto(f"{origin}/{OPERATION}")

    page.evaluate(f"() => {{ {BRAND} }}")

    assert style(page, ".md-tabs__item--active .md-tabs__link", "color") == "rgb(1, 2, 3)"
    assert style(page, ".dp-auth a", "color") == "rgb(1, 2, 3)"
    assert style(page, "body", "backgroundColor") == "rgb(250, 251, 252)"
    assert style(page, "h1", "color") == "rgb(7, 8, 9)"
    assert style(page, ".dp-badge--post", "color") == "rgb(10, 11, 12)"
    assert style(page, ".dp-panel pre.dp-code", "backgroundColor") == "rgb(200, 201, 202)"
    assert style(page, "p", "fontFamily") == "serif"


def test_a_pair_of_colours_follows_the_scheme(page: Page, origin: str) -> None:
    """The button of the header chooses the other half of each pair."""
    page.goto(f"{origin}/{OPERATION}")
    page.evaluate(f"() => {{ {BRAND} }}")

    page.locator("label[title='Switch to dark mode']").click()

    assert style(page, ".dp-auth a", "color") == "rgb(4, 5, 6)"


def test_panels_are_dark_on_a_light_page(page: Page, origin: str) -> None:
    """Samples stand out from the text, as long as nobody wants it otherwise."""
    page.goto(f"{origin}/{OPERATION}")

    assert style(page, "body", "colorScheme") == "light"
    assert style(page, ".dp-panel", "colorScheme") == "dark"


def test_without_scripts_the_system_chooses(browser: Browser, origin: str) -> None:
    """Whoever reads in the dark does so without any script."""
    with browser.new_context(color_scheme="dark", java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{origin}/{OPERATION}")

        expect(page.locator("body")).to_have_css("background-color", "rgb(15, 20, 32)")
        expect(page.locator("h1")).to_have_css("color", "rgb(227, 232, 242)")


def test_fonts_come_from_the_own_host(page: Page, origin: str) -> None:
    """Text is set in Inter, code in JetBrains Mono, and no more files are loaded than the words need."""
    loaded: list[str] = []
    page.on("request", lambda item: loaded.append(item.url) if item.resource_type == "font" else None)
    open_and_settle(page, f"{origin}/{OPERATION}")

    ready: Any = page.evaluate(
        "document.fonts.check('16px Inter') && document.fonts.check('16px JetBrains Mono')"
    )

    assert ready is True
    folder = f"{origin}/portal/assets/devportal/immutable"
    names = [re.sub(r"\.[0-9a-f]{12}(?=\.woff2$)", "", text) for text in sorted(set(loaded))]
    assert names == [f"{folder}/inter.woff2", f"{folder}/jetbrains-mono.woff2"]
