"""The segment calculator for every reader: by keyboard, heard, shared, without scripts, without reloads."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import ROOT, build
from tests.browser.measuring import shift_of
from tests.browser.serving import serving
from tests.browser.test_accessibility import violations
from tests.browser.views import PHONE, WIDE, Scheme, schemes_in_turn
from tests.browser.watching import open_and_settle, watch

from .calculator import GUIDE, choose, text_of

pytestmark = pytest.mark.browser

RESTED_MS = 1000
"""After so long a pause what is typed is read aloud."""


def test_result_is_read_aloud_once_typing_rests(page: Page) -> None:
    """Not with each key, and not when the page opens."""
    told = page.locator(".segments output")
    heard_at_first = told.text_content()
    page.evaluate(
        """() => {
          window.heard = [];
          const told = document.querySelector('.segments output');
          new MutationObserver(() => window.heard.push(told.textContent)).observe(told, { childList: true });
        }"""
    )

    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # typing takes as long as the machine does
    text_of(page).fill("")
    text_of(page).press_sequentially("It’s 5")
    page.clock.run_for(RESTED_MS)
    expect(told).to_contain_text("UCS-2")

    assert heard_at_first == ""
    assert page.evaluate("window.heard") == [
        "UCS-2, 1 segment, 6 UTF-16 units, 64 left in the last segment. 1 character needs UCS-2."
    ]
    expect(told).to_have_attribute("aria-live", "polite")


def test_link_with_the_text_is_made_on_demand_only(context: BrowserContext, page: Page, origin: str) -> None:
    """Typing leaves address, storage and cookies alone; the link that is copied opens with the text."""
    text = "50 % “off” + more & #1 ✓\n😀"
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    text_of(page).fill(text)
    typed = page.url, page.evaluate("localStorage.length + sessionStorage.length"), context.cookies()

    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied. It contains your text.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    other = context.new_page()
    watched = watch(other, origin)
    open_and_settle(other, link)

    assert typed[0] == page.url == f"{origin}/{GUIDE}"
    assert typed[2] == []
    assert not [item for item in page.evaluate("Object.keys(localStorage)") if "segment" in item]
    assert re.fullmatch(rf"{re.escape(origin)}/{GUIDE}#text=[\w.*+%-]+", link)
    expect(text_of(other)).to_have_value(text)
    assert watched.complaints == []


@pytest.mark.parametrize("fragment", ["#text=%", "#text", "#examples", "#%E0%A4%A"])
def test_odd_links_do_no_harm(fragment: str, context: BrowserContext, origin: str) -> None:
    """Whatever stands behind the hash, the calculator is there."""
    page = context.new_page()
    watched = watch(page, origin)
    open_and_settle(page, f"{origin}/{GUIDE}{fragment}")

    expect(text_of(page)).to_be_visible()
    assert watched.complaints == []


def test_everything_is_reached_with_the_keyboard(page: Page) -> None:
    """Presets, text, buttons, cost, the table and its rows, in this order, each with a visible focus."""
    choose(page, "Curly quotes")
    page.get_by_role("button", name="Short").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    reached = []
    for _ in range(14):
        reached.append(
            page.evaluate(
                """() => {
                  const one = document.activeElement;
                  const name = one.getAttribute("aria-label") ?? (one.id || one.textContent.trim());
                  return getComputedStyle(one).outlineStyle === "none" ? `${name} without focus` : name;
                }"""
            )
        )
        page.keyboard.press("Tab")

    assert reached[:7] == ["Short", "Euro sign", "Curly quotes", "Emoji", "Cyrillic", "Long", "segments-text"]
    assert reached[7:10] == ["Undo", "Copy link with this text", "Clear"]
    assert reached[10:12] == ["What it costs", "Replace all"]
    assert "U+2019" in reached[12]
    assert reached[13] == "Find right single quotation mark U+2019 in the text"
    assert not [item for item in reached if "without focus" in item]


@pytest.mark.parametrize(("preset", "scheme"), schemes_in_turn("Curly quotes", "Long"))
def test_calculator_has_no_barrier(preset: str, scheme: Scheme, browser: Browser, origin: str) -> None:
    """In each state with parts of its own: marks, table, refusal; on a phone, where it fits."""
    with browser.new_context(viewport=PHONE, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{origin}/{GUIDE}")
        choose(page, preset)
        text_of(page).fill(text_of(page).input_value() * 12)
        expect(page.locator(".segments__refusal")).to_be_visible()

        found = violations(page)

        assert found == []
        assert page.evaluate("document.scrollingElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_jumps_while_the_page_loads(viewport: Any, browser: Browser, origin: str) -> None:
    """The place of the calculator is kept free until its script has run, also above what was linked to."""
    with browser.new_context(viewport=viewport) as context:
        page = context.new_page()
        open_and_settle(page, f"{origin}/{GUIDE}#two-encodings")

        expect(text_of(page)).to_be_attached()
        assert shift_of(page) < 0.01


def test_without_scripts_the_guide_says_so(browser: Browser, origin: str) -> None:
    """The rules and the examples are there, and a sentence in the place of the calculator."""
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{origin}/{GUIDE}")

        expect(page.locator(".segments")).to_contain_text("The calculator needs JavaScript.")
        expect(page.locator("textarea")).to_have_count(0)
        expect(page.get_by_role("cell", name="3 (152 + 153 + 1)")).to_be_visible()


def test_calculator_comes_back_where_pages_are_replaced(browser: Browser, tmp_path: Path) -> None:
    """With the theme's instant navigation: there, away, and there again, without a reload."""
    site = tmp_path / "site"
    site.mkdir()
    with serving(site) as origin, browser.new_context(viewport=WIDE) as context:
        build("--config-file", str(instant_project(tmp_path, origin)), "--site-dir", str(site))
        page = context.new_page()
        watched = watch(page, origin)
        open_and_settle(page, f"{origin}/guides/get-started/")
        page.evaluate("window.isSamePage = true")
        for _ in range(2):
            page.get_by_role("link", name="Segments", exact=True).first.click()
            page.wait_for_url("**/guides/segments/")
            choose(page, "Cyrillic")
            expect(page.locator(".segments__segment")).to_have_count(2)
            expect(page.locator(".segments__text")).to_have_css("resize", "vertical")
            page.get_by_role("link", name="Get started", exact=True).first.click()
            # the address changes before the page does: until then the calculator that is left could be used
            expect(page.get_by_role("heading", name="Get started", level=1)).to_be_visible()
            expect(page.locator(".segments")).to_have_count(0)

        assert page.evaluate("window.isSamePage")
        assert [complaint for complaint in watched.complaints if complaint.startswith("uncaught")] == []


INSTANT = """\
site_name: Instant
site_url: SITE_URL/
theme: {name: material, features: [navigation.instant]}
markdown_extensions: [attr_list, md_in_html, tables]
plugins: [devportal: {contract: ""}]
nav: [{Get started: guides/get-started.md}, {Segments: guides/segments.md}]
"""


def instant_project(folder: Path, site_url: str) -> Path:
    """Write a project of two guides with instant navigation, which works at the address `site_url` alone."""
    guides = folder / "docs" / "guides"
    guides.mkdir(parents=True)
    (folder / "docs" / "assets").symlink_to(ROOT / "docs" / "assets")
    guide = (ROOT / "docs" / "guides" / "segments.md").read_text(encoding="utf-8")
    (guides / "segments.md").write_text(re.sub(r"\]\([^)]*\)", "]", guide), encoding="utf-8")
    (guides / "get-started.md").write_text("# Get started\n", encoding="utf-8")
    config = folder / "mkdocs.yml"
    config.write_text(INSTANT.replace("SITE_URL", site_url), encoding="utf-8")
    return config
