"""What the few lines of script add, and that everything is there without them."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .searching import search
from .views import PHONE, SMALL, WIDE
from .watching import open_and_settle, watch

pytestmark = pytest.mark.browser

OPERATION = "portal/reference/messages/send-message/"
UNION = "parcels/reference/parcels/create-parcel/"


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture
def plain(browser: Browser) -> Iterator[Page]:
    """Return a page of a browser whose scripts are turned off."""
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        yield context.new_page()


def sample(page: Page, language: str, number: int = 0) -> str:
    """Return the text of the visible request sample, which must be in a language."""
    tabs = page.locator(".dp-tabs--language").nth(number)
    expect(tabs.locator(f"[value='{language}']:is(:checked, [aria-selected=true])")).to_have_count(1)
    return tabs.locator(".dp-tabs__panel:visible").inner_text()


def choose(page: Page, label: str) -> None:
    """Click the visible tab with a label."""
    page.locator(".dp-tabs :is(label, [role=tab]):visible", has_text=label).first.click()


def test_fields_and_samples_are_read_without_scripts(plain: Page, origin: str) -> None:
    """The table of fields, the first sample and the first answer stand in the page."""
    plain.goto(f"{origin}/{OPERATION}")

    expect(plain.locator(".dp-field__name", has_text="body").first).to_be_visible()
    assert sample(plain, "curl").startswith("curl")
    expect(plain.locator(".dp-op__samples", has_text="queued")).to_be_visible()


def test_tabs_work_without_scripts(plain: Page, origin: str) -> None:
    """Another language is one click away, and hides the first."""
    plain.goto(f"{origin}/{OPERATION}")

    choose(plain, "Python")

    assert "import requests" in sample(plain, "python")
    expect(plain.locator(".dp-tabs--language").first.locator("pre:visible")).to_have_count(1)


def test_languages_are_tabs_for_the_keyboard(page: Page, origin: str) -> None:
    """An arrow key shows the next one and goes round; the whole list is one stop, and the next is the sample."""
    page.goto(f"{origin}/{OPERATION}")
    tabs = page.get_by_role("tablist", name="Language").first.get_by_role("tab")

    tabs.first.focus()
    page.keyboard.press("ArrowRight")

    assert "import requests" in sample(page, "python")
    expect(tabs.nth(1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(tabs.last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Tab")
    expect(page.get_by_role("tabpanel", name="Go").first.locator("pre")).to_be_focused()


def test_languages_are_one_row_that_shows_the_chosen_one(page: Page, origin: str) -> None:
    """On the smallest phone too, on the page where it is chosen and on the next one."""
    page.set_viewport_size(SMALL)
    open_and_settle(page, f"{origin}/portal/reference/messages/send-message/")
    page.get_by_role("tab", name="Go").first.click()

    for _ in range(2):
        chosen = page.get_by_role("tab", name="Go", selected=True).first
        expect(chosen).to_be_in_viewport(ratio=0.9)
        assert chosen.evaluate("(one) => one.parentElement.clientHeight < 2 * one.clientHeight")
        page.goto(f"{origin}/portal/reference/messages/list-messages/")
        page.locator(".dp-panel").first.scroll_into_view_if_needed()


def test_the_language_is_remembered_on_the_next_page(page: Page, origin: str) -> None:
    """Who reads Python once reads Python everywhere."""
    page.goto(f"{origin}/{OPERATION}")
    choose(page, "Python")

    page.goto(f"{origin}/{UNION}")

    assert "import requests" in sample(page, "python")


def test_only_choices_are_stored(context: BrowserContext, page: Page, origin: str) -> None:
    """After reading, choosing and searching, the browser keeps the language, and no cookie."""
    page.goto(f"{origin}/{OPERATION}")
    choose(page, "Python")
    search(page, "idempotency")

    assert context.cookies() == []
    assert page.evaluate("Object.keys(localStorage).sort()") == ["devportal.language"]
    assert page.evaluate("localStorage['devportal.language']") == "python"
    assert page.evaluate("sessionStorage.length") == 0


def test_an_example_chosen_for_the_request_shows_its_answer(page: Page, origin: str) -> None:
    """One choice drives both panels; another response stays until the next choice of an example."""
    page.goto(f"{origin}/{OPERATION}")
    request, response = page.get_by_label("Example"), page.get_by_label("Response", exact=True)
    shown = page.locator(".dp-example[open]")

    request.select_option(index=1)
    expect(shown.and_(page.locator("[data-example=emoji]"))).to_have_count(2)

    response.select_option(label="429 Too Many Requests")
    expect(shown.and_(page.locator("[data-example=rateLimitExceeded]"))).to_have_count(1)
    expect(shown.and_(page.locator("[data-example=emoji]"))).to_have_count(1)

    request.select_option(index=2)
    expect(shown.and_(page.locator("[data-example=long]"))).to_have_count(2)
    expect(response).to_have_value("202 Accepted")


def test_examples_are_opened_by_name_without_scripts(plain: Page, origin: str) -> None:
    """The first is open, and each other is one click away; a select would do nothing."""
    plain.goto(f"{origin}/{OPERATION}")
    others = plain.locator(".dp-panel").first.locator(".dp-example:not([open])")
    expect(plain.locator(".dp-pick select").first).to_be_hidden()

    others.first.locator("summary").click()

    expect(plain.locator(".dp-example[open] pre:visible", has_text="🎉")).to_have_count(1)


def test_the_way_to_try_it_is_at_the_edge_of_a_phone(browser: Browser, origin: str) -> None:
    """In sight wherever one reads; at the end of the page it is below what there is to read."""
    with browser.new_context(viewport=PHONE, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{origin}/{OPERATION}")
        button = page.locator(".dp-op__bar").get_by_role("button", name="Try it")
        expect(button).to_be_in_viewport()

        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        last = page.locator(".dp-op__samples .dp-panel").last.bounding_box()
        bar = page.locator(".dp-op__bar").bounding_box()
        assert last is not None
        assert bar is not None
        assert last["y"] + last["height"] <= bar["y"]

        button.click()
        expect(page.get_by_role("dialog")).to_be_visible()


def test_a_link_to_a_field_opens_what_hides_it(page: Page, origin: str) -> None:
    """The address of a field inside closed details shows the field, however deep."""
    page.goto(f"{origin}/{UNION}")
    hidden = page.evaluate(
        "[...document.querySelectorAll('.dp-field')].filter((one) => !one.checkVisibility()).at(-1).id"
    )
    field = page.locator(f"[id='{hidden}']")
    expect(field).to_be_hidden()

    page.goto(f"{origin}/{UNION}#{hidden}")

    expect(field).to_be_visible()
    expect(field).to_be_in_viewport()


def test_a_broken_anchor_does_no_harm(page: Page, origin: str) -> None:
    """An anchor that is nowhere, or no proper address, leaves the page as it is."""
    watched = watch(page, origin)

    for anchor in ("nowhere", "%E0%A4%A", "%"):
        page.goto(f"{origin}/portal/#{anchor}")
        page.goto(f"{origin}/{OPERATION}#{anchor}")

    assert [
        complaint for complaint in watched.complaints if complaint.startswith(("uncaught", "console"))
    ] == []


def test_anchors_of_a_divided_page_lead_on(page: Page, origin: str) -> None:
    """A row of its own goes before one for all anchors that begin alike."""
    for old, new in (
        ("toolkit/commands/#rates-approve", "toolkit/commands/records/#rates-approve"),
        ("toolkit/commands/#what-is-written", "toolkit/commands/records/#what-is-written"),
        ("guides/sandbox/#host-it-for-others", "guides/sandbox-hosting/"),
    ):
        page.goto(f"{origin}/portal/{old}")

        page.wait_for_url(f"{origin}/portal/{new}")


def test_the_colours_that_are_chosen_stay(page: Page, origin: str) -> None:
    """The button in the header turns the page dark, and the next page is dark from the start."""
    page.goto(f"{origin}/portal/")

    page.locator("label[title='Switch to dark mode']").click()
    page.goto(f"{origin}/{OPERATION}")

    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


def test_a_wide_table_of_a_guide_is_reached_with_the_keyboard(browser: Browser, origin: str) -> None:
    """On a phone the table scrolls, has a name and takes the focus."""
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{origin}/portal/toolkit/commands/")

        table = page.locator(".md-typeset__scrollwrap").first
        table.focus()

        expect(table).to_be_focused()
        expect(table).to_have_accessible_name(re.compile("^Table: [a-z]+", re.IGNORECASE))


def test_the_areas_of_the_site_are_in_the_drawer_of_a_phone(browser: Browser, origin: str) -> None:
    """Where there are no tabs, the drawer leads to every area."""
    with browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{origin}/{OPERATION}")

        page.get_by_role("button", name="Menu").click()
        page.locator(".dp-areas a", has_text="Changelog").click()

        page.wait_for_url(f"{origin}/portal/changelog/")


def test_code_can_be_copied(context: BrowserContext, page: Page, origin: str) -> None:
    """The button on a sample puts the whole sample into the clipboard."""
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    page.goto(f"{origin}/{OPERATION}")

    page.locator(".dp-op__samples pre:visible").first.hover()
    page.locator(".dp-op__samples .md-code__button:visible").first.click()
    expect(page.locator("[role=status]", has_text="Copied to clipboard")).to_be_visible()

    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == sample(page, "curl").strip()


GUIDE = "portal/guides/get-started/"


@pytest.mark.parametrize("path", [OPERATION, GUIDE, "parcels/"])
def test_a_page_can_be_copied_as_markdown(
    path: str, context: BrowserContext, page: Page, origin: str
) -> None:
    """The button puts the page's twin into the clipboard, and says so, also to those who do not see it."""
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    page.goto(f"{origin}/{path}")
    page.get_by_text("Copy page").click()

    page.get_by_role("button", name="Copy as Markdown").click()

    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    twin = page.get_by_role("link", name="View as Markdown").get_attribute("href")
    text = page.evaluate("async (twin) => (await fetch(twin)).text()", twin)
    assert text.startswith("# ")
    assert page.evaluate("navigator.clipboard.readText()") == text


def test_a_copy_that_fails_is_told(page: Page, origin: str) -> None:
    """Where the twin cannot be had, the button says what to do instead."""
    page.route("**/*.md", lambda route: route.abort())
    page.goto(f"{origin}/{OPERATION}")
    page.get_by_text("Copy page").click()

    page.get_by_role("button", name="Copy as Markdown").click()

    expect(page.locator(".dp-copy__said")).to_contain_text("Could not copy")


def test_markdown_is_one_link_away_without_scripts(plain: Page, origin: str) -> None:
    """A button that could do nothing is not shown; the link leads to the twin."""
    plain.goto(f"{origin}/{GUIDE}")

    plain.get_by_text("Copy page").click()

    expect(plain.locator(".dp-copy")).to_be_hidden()
    link = plain.get_by_role("link", name="View as Markdown")
    assert link.get_attribute("href") == "../get-started.md"


def test_the_menu_of_a_page_closes_by_itself(page: Page, origin: str) -> None:
    """With Escape, which gives the focus back, and with a click beside it."""
    page.goto(f"{origin}/{GUIDE}")
    title, button = page.get_by_text("Copy page"), page.get_by_role("button", name="Copy as Markdown")

    title.click()
    page.keyboard.press("Escape")
    expect(button).to_be_hidden()
    expect(page.locator(".dp-page-actions summary")).to_be_focused()
    title.click()
    expect(button).to_be_visible()
    page.locator("h1").click()

    expect(button).to_be_hidden()
