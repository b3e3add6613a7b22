"""The changelog in a browser: filters at once and in the address, and two releases to choose."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from .views import WIDE

pytestmark = pytest.mark.browser

LIST = "portal/changelog/"
COMPARISON = "portal/changelog/compare/3.4.0...3.5.0/"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Return a page of a browser that has seen nothing yet."""
    with browser.new_context(viewport=WIDE, reduced_motion="reduce") as context:
        yield context.new_page()


def cards(page: Page) -> Locator:
    """Return the entries that are shown."""
    return page.locator(".dp-changelog-card:visible")


def days_without_entries(page: Page) -> list[str]:
    """Return the dates that take room on the screen though nothing of their day does."""
    days = page.locator(".dp-changelog-day").filter(has_not=page.locator(".dp-changelog-card:visible")).all()
    return [day.inner_text() for day in days if day.bounding_box() is not None]


def choose(page: Page, group: str, name: str) -> None:
    """Choose with a click on the words, as a reader does."""
    page.get_by_role("group", name=group).locator("label").filter(has_text=name).click()


def test_a_choice_filters_at_once_and_is_in_the_address(page: Page, origin: str) -> None:
    """The count is told, what does not fit is hidden, and the way back gives everything again."""
    page.goto(f"{origin}/{LIST}")
    everything = cards(page).count()

    choose(page, "Impact", "Deprecation")

    expect(page).to_have_url(f"{origin}/{LIST}?impact=deprecation")
    kept = cards(page).count()
    assert 0 < kept < everything
    expect(page.get_by_role("status").first).to_have_text(f"{kept} of {everything} entries.")
    assert page.locator(".dp-changelog-card:visible[data-impact=deprecation]").count() == kept
    assert days_without_entries(page) == []

    page.go_back()

    expect(page.get_by_role("status").first).to_have_text(f"{everything} entries.")
    assert cards(page).count() == everything


def test_filters_are_combined_and_cleared(page: Page, origin: str) -> None:
    """An impact and what is to do hold together, and one button lets go of both."""
    page.goto(f"{origin}/{LIST}")

    choose(page, "Impact", "Breaking")
    choose(page, "To do", "Action required")

    expect(page).to_have_url(f"{origin}/{LIST}?impact=breaking&action=required")
    page.get_by_role("button", name="Clear filters").click()
    expect(page).to_have_url(f"{origin}/{LIST}")
    expect(page.get_by_role("radio", name="Breaking")).not_to_be_checked()


def test_the_rows_are_the_same_with_and_without_a_script(page: Page, origin: str) -> None:
    """What is chosen from is called alike, and nothing is offered twice."""
    page.goto(f"{origin}/{LIST}")

    rows = page.locator("form[data-changelog] legend").all_inner_texts()

    assert rows == page.locator("nav.dp-changelog-filters .dp-changelog-group").all_text_contents()
    assert len(rows) == len(set(rows)) == 3


def test_an_address_is_taken_as_far_as_it_is_known(page: Page, origin: str) -> None:
    """What is no value is told and left out; the other filter holds."""
    page.goto(f"{origin}/{LIST}?impact=breaking&api=nonsense")

    expect(page.get_by_role("status").first).to_contain_text("left out: api ‘nonsense’")
    assert cards(page).count() == page.locator(".dp-changelog-card[data-impact=breaking]").count()


def test_the_keyboard_reaches_every_choice(page: Page, origin: str) -> None:
    """Radio buttons are one stop, with arrows between them."""
    page.goto(f"{origin}/{LIST}")
    page.get_by_role("radio", name="All").first.focus()

    page.keyboard.press("ArrowRight")

    expect(page).to_have_url(f"{origin}/{LIST}?api=calls")


def test_paper_has_every_entry(page: Page, origin: str) -> None:
    """A filter on the screen does not make the changelog shorter."""
    page.goto(f"{origin}/{LIST}?impact=breaking")
    kept = cards(page).count()

    page.emulate_media(media="print")

    assert cards(page).count() > kept


def test_without_a_script_there_are_links(browser: Browser, origin: str) -> None:
    """Each choice is a page of its own, and the controls are not there."""
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{origin}/{LIST}")

        assert page.locator("form[data-changelog]").is_hidden()
        page.get_by_role("navigation", name="Filter the changelog").get_by_role(
            "link", name="Breaking"
        ).click()

        assert page.url == f"{origin}/{LIST}impact/breaking/"
        assert set(page.locator(".dp-changelog-card .dp-badge--breaking").all_inner_texts()) == {"Breaking"}


def test_two_releases_are_chosen(page: Page, origin: str) -> None:
    """Only pairs that have a page can be chosen, and the pair at hand leads nowhere."""
    page.goto(f"{origin}/{COMPARISON}")
    button = page.get_by_role("button", name="Compare")
    expect(button).to_be_disabled()

    page.get_by_label("From").select_option("1.2.0")

    expect(button).to_be_enabled()
    offered = page.locator("#compare-new option:not(:disabled)").all_inner_texts()
    assert offered == ["3.5.0", "1.3.0"]
    button.click()
    expect(page).to_have_url(f"{origin}/portal/changelog/compare/1.2.0...3.5.0/")
    expect(page.locator("h1")).to_have_text("From 1.2.0 to 3.5.0")


def test_a_mark_of_the_reference_leads_to_what_it_tells(page: Page, origin: str) -> None:
    """From the details of an operation to the entry that describes the change."""
    page.goto(f"{origin}/portal/reference/messages/send-message/")

    details = page.locator(".dp-op__main > .dp-details")
    details.locator("summary").click()
    details.locator("a", has_text="since").click()

    expect(page).to_have_url(f"{origin}/portal/changelog/2026-06-15-messages-v1-opened/")
