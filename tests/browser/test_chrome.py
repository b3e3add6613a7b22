"""What surrounds a page, by our script in place of the theme's: header, drawer, contents, copying, tabs."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .conftest import build
from .serving import serving
from .views import PHONE, WIDE
from .watching import let_work, open_and_settle

pytestmark = pytest.mark.browser

GUIDE = "portal/guides/get-started/"
TABBED = "portal/guides/webhooks/"
OPERATION = "portal/reference/messages/send-message/"
ODD_SITE = """\
site_name: Odd
theme: {name: material}
markdown_extensions: [attr_list, {toc: {permalink: true}}]
plugins: [devportal: {contract: ""}]
"""
ODD_PAGE = "# Home\n\n## Discount {#100%}\n\n    code\n\n## More\n\nText.\n"
FOCUSED = "document.activeElement"


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(viewport=WIDE, reduced_motion="reduce", color_scheme="light") as opened:
        yield opened


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport=PHONE, reduced_motion="reduce") as opened:
        yield opened.new_page()


def expect_scheme(page: Page, name: str) -> None:
    """Wait for colours: a browser tells a page of the system's with its next frame, which may be late."""
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", name)


def test_colours_follow_the_system_until_they_are_chosen(page: Page, origin: str) -> None:
    """At once, without a reload; who has chosen keeps what was chosen."""
    page.goto(f"{origin}/{GUIDE}")

    page.emulate_media(color_scheme="dark")
    expect_scheme(page, "slate")
    page.locator("label[title='Switch to light mode']").click()
    expect_scheme(page, "default")
    page.emulate_media(color_scheme="light")
    page.emulate_media(color_scheme="dark")
    let_work(page)

    expect_scheme(page, "default")


def test_colours_are_chosen_with_the_keyboard(page: Page, origin: str) -> None:
    """The switch takes the focus, shows it, and an arrow key turns the page dark."""
    page.goto(f"{origin}/{GUIDE}")

    page.locator("input[name=__palette]:checked").focus()
    page.keyboard.press("ArrowRight")

    expect_scheme(page, "slate")
    label = page.locator("label[title='Switch to light mode']")
    expect(label).to_have_css("outline-style", "solid")


def test_stored_nonsense_does_no_harm(page: Page, origin: str) -> None:
    """What another program left in the storage leads back to the colours of the system."""
    page.goto(f"{origin}/{GUIDE}")

    for stored in ("{", "null", '{"index": 17}', '{"index": "__proto__"}', "[]"):
        page.evaluate("(text) => localStorage.setItem('/portal/.__palette', text)", stored)
        page.reload()
        expect_scheme(page, "default")


def test_drawer_is_opened_and_closed_with_the_keyboard(phone: Page, origin: str) -> None:
    """A button opens it and says so; the focus goes in, and comes back with Escape."""
    phone.goto(f"{origin}/{OPERATION}")
    menu = phone.get_by_role("button", name="Menu")
    panel = phone.locator(".md-sidebar--primary")
    expect(panel).to_be_hidden()

    menu.focus()
    phone.keyboard.press("Enter")

    expect(panel).to_be_visible()
    expect(menu).to_have_attribute("aria-expanded", "true")
    assert menu.get_attribute("aria-controls") == panel.get_attribute("id")
    phone.keyboard.press("Tab")
    expect(panel.locator("a").first).to_be_focused()
    phone.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(menu).to_be_focused()
    expect(menu).to_have_attribute("aria-expanded", "false")


def test_drawer_does_not_hold_the_focus(phone: Page, origin: str) -> None:
    """Who leaves it at its end comes to the page, and the drawer is closed."""
    phone.goto(f"{origin}/{GUIDE}")
    phone.get_by_role("button", name="Menu").click()

    phone.locator(".md-sidebar--primary a:visible").last.focus()
    phone.keyboard.press("Tab")

    expect(phone.locator(".md-sidebar--primary")).to_be_hidden()
    assert phone.evaluate(f"!{FOCUSED}.closest('.md-sidebar--primary')")


def test_closed_drawer_is_not_in_the_way_of_the_keyboard(phone: Page, origin: str) -> None:
    """No stop of the first twenty lies outside the window."""
    phone.goto(f"{origin}/{GUIDE}")

    for _ in range(20):
        phone.keyboard.press("Tab")
        assert phone.evaluate(f"!{FOCUSED}.closest('.md-sidebar')")


def test_drawer_of_a_guide_lists_areas_and_its_own_pages(phone: Page, origin: str) -> None:
    """All at once, in one list to scroll; a tap beside it closes it, and the button knows."""
    phone.goto(f"{origin}/{GUIDE}")
    menu = phone.get_by_role("button", name="Menu")

    menu.click()

    panel = phone.locator(".md-sidebar--primary")
    words = [text.strip() for text in panel.locator("a:visible").all_inner_texts()]
    assert {"Guides", "API reference", "Toolkit", "Webhooks", "Going live"} <= {*words}
    assert words.count("Guides") == words.count("API reference") == words.count("Get started") == 1
    phone.mouse.click(360, 400)
    expect(panel).to_be_hidden()
    expect(menu).to_have_attribute("aria-expanded", "false")


def test_drawer_of_the_home_page_lists_the_areas_alone(phone: Page, origin: str) -> None:
    """The tabs, then what is in the footer; no headings of the page."""
    phone.goto(f"{origin}/portal/")

    phone.get_by_role("button", name="Menu").click()

    words = [text.strip() for text in phone.locator(".md-sidebar--primary a:visible").all_inner_texts()]
    assert words[:3] == ["Guides", "API reference", "Pricing"]
    assert words[-4:] == ["Products", "About", "Toolkit", "Contributing"]
    assert len(words) == 10


def test_drawer_opens_without_scripts(browser: Browser, origin: str) -> None:
    """With the keyboard too: the first stop is a checkbox with a name."""
    with browser.new_context(viewport=PHONE, java_script_enabled=False, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{origin}/{GUIDE}")
        expect(page.get_by_role("button", name="Menu")).to_be_hidden()

        page.keyboard.press("Tab")
        expect(page.get_by_role("checkbox", name="Menu")).to_be_focused()
        page.keyboard.press("Space")

        expect(page.locator(".md-sidebar--primary")).to_be_visible()


@pytest.mark.parametrize("path", [GUIDE, OPERATION])
def test_first_stop_leads_past_the_header(path: str, page: Page, origin: str) -> None:
    """Also on pages without a table of contents."""
    page.goto(f"{origin}/{path}")

    page.keyboard.press("Tab")
    expect(page.locator(".md-skip").first).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert page.evaluate(f"!!{FOCUSED}.closest('.md-content')")


def test_header_names_the_page_once_its_title_is_out_of_sight(page: Page, origin: str) -> None:
    """And has a line below it as long as the tabs are not there."""
    page.goto(f"{origin}/{GUIDE}")
    header, title = page.locator(".md-header"), page.locator(".md-header__title")
    expect(header).not_to_have_class(re.compile("md-header--shadow"))

    page.mouse.wheel(0, 900)

    expect(header).to_have_class(re.compile("md-header--shadow"))
    expect(title).to_have_class(re.compile("md-header__title--active"))
    page.mouse.wheel(0, -900)
    expect(title).not_to_have_class(re.compile("md-header__title--active"))
    expect(header).not_to_have_class(re.compile("md-header--shadow"))


def test_table_of_contents_follows_what_is_read(page: Page, origin: str) -> None:
    """One entry is the current one: the section that is in the upper part of the window."""
    page.goto(f"{origin}/{GUIDE}")
    current = page.locator(".md-sidebar--secondary a[aria-current=location]")

    page.locator("h2", has_text="Send a message").evaluate("one => one.scrollIntoView()")

    expect(current).to_have_text(re.compile("Send a message"))
    page.evaluate("scrollTo(0, 0)")
    expect(current).not_to_have_text(re.compile("Send a message"))


def test_headings_may_be_called_anything(page: Page, tmp_path: Path) -> None:
    """An anchor that no address can spell stops neither the contents nor what comes after them."""
    folder = tmp_path / "odd"
    (folder / "docs").mkdir(parents=True)
    (folder / "mkdocs.yml").write_text(ODD_SITE, encoding="utf-8")
    (folder / "docs" / "index.md").write_text(ODD_PAGE, encoding="utf-8")
    build("--config-file", str(folder / "mkdocs.yml"), "--site-dir", str(folder / "site"))
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))

    with serving(folder / "site") as address:
        page.goto(f"{address}/#100%")
        current = page.locator(".md-sidebar--secondary a[aria-current=location]")

        expect(page.get_by_role("button", name="Copy to clipboard")).to_be_visible()
        expect(current).to_have_text(re.compile("More"))
    assert failed == []


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_columns_end_with_the_window(scripts: bool, browser: Browser, origin: str) -> None:  # noqa: FBT001
    """A long navigation scrolls by itself, wherever the page is."""
    with browser.new_context(viewport=WIDE, java_script_enabled=scripts) as context:
        page = context.new_page()
        page.goto(f"{origin}/portal/guides/client-libraries/")
        columns = page.locator(".md-sidebar__scrollwrap:visible")

        page.evaluate("scrollTo(0, 2000)")
        ends = columns.evaluate_all("all => all.map((one) => one.getBoundingClientRect().bottom)")

        assert len(ends) == 2
        assert all(100 < end <= WIDE["height"] for end in ends)
        assert columns.first.evaluate("one => one.scrollHeight > one.clientHeight")


def test_copying_is_told_to_everybody(context: BrowserContext, page: Page, origin: str) -> None:
    """By a status that screen readers read, and that goes again."""
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    page.goto(f"{origin}/{GUIDE}")

    button = page.get_by_role("button", name="Copy to clipboard").nth(1)
    button.focus()
    page.keyboard.press("Enter")

    status = page.locator("[role=status]", has_text="Copied to clipboard")
    expect(status).to_be_visible()
    code = page.locator(".md-typeset pre > code").nth(1).inner_text()
    assert page.evaluate("navigator.clipboard.readText()") == code.rstrip()
    expect(status).to_have_count(0)


def test_copying_that_fails_is_told(page: Page, origin: str) -> None:
    """A browser that refuses the clipboard leaves nobody believing in a copy."""
    page.goto(f"{origin}/{GUIDE}")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }")

    page.get_by_role("button", name="Copy to clipboard").first.click()

    expect(page.locator("[role=status]", has_text="Could not copy")).to_be_visible()


def test_code_that_scrolls_takes_the_focus(browser: Browser, origin: str) -> None:
    """On a phone long lines are read with the arrow keys; code that fits is no stop."""
    with browser.new_context(viewport=PHONE) as context:
        page = context.new_page()
        page.goto(f"{origin}/{GUIDE}")
        expect(page.locator(".md-typeset pre > code[tabindex]").first).to_be_visible()

        stops = page.locator(".md-typeset pre > code").evaluate_all(
            "all => all.map((one) => [one.scrollWidth > one.clientWidth, one.tabIndex === 0])"
        )

    assert {(True, True), (False, False)} == {tuple(stop) for stop in stops}


def test_tables_scroll_without_scripts(browser: Browser, origin: str) -> None:
    """Their region is in the page: it has a name, and takes the focus."""
    with browser.new_context(viewport=PHONE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{origin}/portal/toolkit/commands/")
        region = page.get_by_role("region", name=re.compile("^Table: ")).first

        region.focus()

        expect(region).to_be_focused()


def test_tabs_of_a_guide_are_chosen_with_the_keyboard(page: Page, origin: str) -> None:
    """An arrow shows the next one, in all sets of the page; the next page and visit show it first."""
    open_and_settle(page, f"{origin}/{TABBED}")
    tabs = page.locator(".tabbed-set").first
    before = tabs.locator(".tabbed-block:visible").inner_text()

    tabs.locator("input:checked").focus()
    expect(tabs.locator(".tabbed-labels")).to_have_css("outline-style", "solid")
    page.keyboard.press("ArrowRight")

    after = tabs.locator(".tabbed-block:visible").inner_text()
    assert before != after
    page.reload()
    expect(tabs.locator(".tabbed-block:visible")).to_have_text(re.compile(re.escape(after.split("\n")[0])))


def test_chosen_tab_differs_by_more_than_colour(page: Page, origin: str) -> None:
    """A line below it, which the others do not have."""
    page.goto(f"{origin}/{TABBED}")
    labels = page.locator(".tabbed-set").first.locator(".tabbed-labels > label")

    lines = labels.evaluate_all("all => all.map((one) => getComputedStyle(one).borderBottomColor)")

    assert len(lines) > 1
    assert len({*lines[1:]}) == 1
    assert lines[0] != lines[1]


def test_the_path_of_an_operation_can_be_copied(page: Page, origin: str) -> None:
    """Without the method beside it, as readers write it into their code."""
    page.goto(f"{origin}/{OPERATION}")
    page.evaluate("() => { navigator.clipboard.writeText = (text) => { window.copied = text; }; }")

    page.locator(".dp-op__line").get_by_role("button", name="Copy").click()

    assert page.evaluate("window.copied") == page.locator(".dp-path").inner_text()


def test_code_behind_a_tab_gets_its_button_when_it_is_shown(page: Page, origin: str) -> None:
    """A page of many samples stays light, and each that one sees can be copied."""
    page.goto(f"{origin}/{OPERATION}")
    samples = page.locator(".dp-op__samples pre")
    buttons = page.locator(".dp-op__samples .md-code__button")

    expect(buttons.first).to_be_visible()
    assert buttons.count() < samples.count()
    page.get_by_role("tab", name="Python").first.click()
    shown = page.locator(".dp-op__samples pre:visible").first
    expect(shown.get_by_role("button", name="Copy to clipboard")).to_be_visible()


def test_what_is_current_is_seen_where_colors_are_forced(browser: Browser, origin: str) -> None:
    """High contrast draws neither backgrounds nor shadows: lines show the page, the tab and the result."""
    with browser.new_context(viewport=WIDE, forced_colors="active", reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{origin}/{OPERATION}")
        tab, here = (
            page.locator('.dp-tabs__list [aria-selected="true"]'),
            page.locator(".dp-side [aria-current=page]"),
        )
        copy, result = (
            page.locator(".dp-code .md-code__button"),
            page.locator('.dp-find__hit[aria-selected="true"]'),
        )

        expect(tab.first).to_have_css("text-decoration-line", "underline")
        expect(here).to_have_css("outline-style", "solid")
        ground = "one => getComputedStyle(one.closest('.dp-panel')).backgroundColor"
        sign = "one => getComputedStyle(one, '::after').backgroundColor"
        assert copy.first.evaluate(sign) != copy.first.evaluate(ground)
        page.keyboard.press("/")
        page.keyboard.type("message")
        expect(result).to_have_css("outline-style", "solid")
