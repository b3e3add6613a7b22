"""The changelog in a browser: filters at once and in the address, and two releases to choose."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from .views import PHONE, WIDE
from .watching import expect_filtered

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


def test_a_choice_filters_at_once_and_is_in_the_address(page: Page, origin: str) -> None:
    """The count is shown, other entries are hidden, and the way back gives everything again."""
    page.goto(f"{origin}/{LIST}")
    everything = cards(page).count()

    page.get_by_label("Impact").select_option("deprecation")

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
    """An impact and the need for action are combined, and one button clears both."""
    page.goto(f"{origin}/{LIST}")

    page.get_by_label("Impact").select_option("breaking")
    page.get_by_label("Action required").check()

    expect(page).to_have_url(f"{origin}/{LIST}?impact=breaking&action=required")
    page.get_by_role("button", name="Clear filters").click()
    expect(page).to_have_url(f"{origin}/{LIST}")
    expect(page.get_by_label("Impact")).to_have_value("")
    expect(page.get_by_label("Action required")).not_to_be_checked()


FILTERS = [
    ("", "feed.rss", "All changes"),
    ("?api=messages", "api/messages/feed.rss", "Messages: All changes"),
    ("?impact=breaking", "impact/breaking/feed.rss", "All APIs: Breaking"),
    ("?impact=breaking-beta", "impact/breaking-beta/feed.rss", "All APIs: Breaking: beta"),
    ("?impact=breaking-or-beta", "impact/breaking-or-beta/feed.rss", "All APIs: Breaking, beta included"),
    ("?action=required", "action-required/feed.rss", "All APIs: Action required"),
    ("?api=messages&impact=risky", "api/messages/risky/feed.rss", "Messages: Risky"),
    ("?api=numbers&impact=breaking", "api/numbers/breaking/feed.rss", "Numbers: Breaking"),
    ("?api=rates&action=required", "api/rates/action-required/feed.rss", "Rates: Action required"),
    ("?api=rates&impact=risky&action=required", "api/rates/risky/feed.rss", "Rates: Risky"),
]


@pytest.mark.parametrize(("query", "feed", "name"), FILTERS)
def test_subscribe_follows_the_filter(query: str, feed: str, name: str, page: Page, origin: str) -> None:
    """The feed is that of the filter or the closest one, exists, and is called by what it contains."""
    page.goto(f"{origin}/{LIST}{query}")
    menu = page.locator("[data-subscribe]")

    menu.locator("summary").click()

    expect(menu.locator("[data-feed-name]")).to_have_text(name)
    link = menu.get_by_role("link", name="RSS")
    expect(link).to_have_attribute("href", feed)
    assert page.request.get(f"{origin}/{LIST}{feed}").ok
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()


def test_the_first_entry_is_on_the_first_screen_of_a_phone(browser: Browser, origin: str) -> None:
    """Filters, feeds and the rule of beta operations leave room for it."""
    with browser.new_context(viewport=PHONE) as context:
        page = context.new_page()
        page.goto(f"{origin}/{LIST}")

        box = cards(page).first.locator("h2").bounding_box()

        assert box is not None
        assert box["y"] + box["height"] < PHONE["height"]


def test_the_choices_are_the_same_with_and_without_a_script(page: Page, origin: str) -> None:
    """Lists and links have the same choices with the same counts."""
    page.goto(f"{origin}/{LIST}")

    offered = page.locator("form[data-changelog] option").all_text_contents()

    links = page.locator("nav.dp-changelog-filters details:not(:last-child) li").all_text_contents()
    assert [" ".join(link.split()) for link in links] == [
        text.replace("(", "").replace(")", "") for text in offered
    ]
    assert len(offered) > 10


def test_what_breaks_code_can_include_beta(page: Page, origin: str) -> None:
    """One choice has what breaks stable parts and what breaks parts in beta; Risky keeps the latter."""
    page.goto(f"{origin}/{LIST}")
    impact = page.get_by_label("Impact")

    counts = {}
    for value in ("breaking", "breaking-beta", "breaking-or-beta", "risky"):
        impact.select_option(value)
        counts[value] = cards(page).count()
    badges = set(page.locator(".dp-changelog-card:visible .dp-badge").all_inner_texts())

    assert counts["breaking-or-beta"] == counts["breaking"] + counts["breaking-beta"] > counts["breaking"] > 0
    assert badges - {"Action required"} == {"Risky", "Breaking: beta"}


def test_an_address_is_taken_as_far_as_it_is_known(page: Page, origin: str) -> None:
    """An unknown value is reported and ignored; the other filter holds."""
    page.goto(f"{origin}/{LIST}?impact=breaking&api=nonsense")

    expect(page.get_by_role("status").first).to_contain_text("Unknown filter ignored: api ‘nonsense’")
    expect_filtered(page)
    assert cards(page).count() == page.locator(".dp-changelog-card[data-impact=breaking]").count()


def test_paper_has_every_entry(page: Page, origin: str) -> None:
    """A filter on the screen does not make the changelog shorter."""
    page.goto(f"{origin}/{LIST}?impact=breaking")
    expect_filtered(page)
    kept = cards(page).count()

    page.emulate_media(media="print")

    assert cards(page).count() > kept


def test_without_a_script_there_are_links(browser: Browser, origin: str) -> None:
    """Each choice is a page, and the controls are not there."""
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{origin}/{LIST}")

        assert page.locator("form[data-changelog]").is_hidden()
        filters = page.get_by_role("navigation", name="Filter the changelog")
        filters.locator("summary").filter(has_text="Impact").click()
        filters.get_by_role("link", name=re.compile(r"^Breaking \d")).click()

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


@pytest.mark.parametrize("is_scripted", [True, False])
def test_comparisons_have_a_page(browser: Browser, origin: str, *, is_scripted: bool) -> None:
    """Two lists with a script; without one, links to each pair."""
    with browser.new_context(viewport=WIDE, java_script_enabled=is_scripted) as context:
        page = context.new_page()
        page.goto(f"{origin}/portal/changelog/compare/")
        form = page.locator("form[data-compare]")

        if is_scripted:
            page.get_by_label("From").select_option("1.0.0")
            page.get_by_role("button", name="Compare").click()
        else:
            expect(form).to_be_hidden()
            page.locator("tr", has=page.locator("th", has_text="1.0.0")).get_by_role("link").first.click()

        expect(page).to_have_url(re.compile(r"/changelog/compare/1\.0\.0\.\.\.[0-9.]+/$"))


def test_a_mark_of_the_reference_leads_to_its_entry(page: Page, origin: str) -> None:
    """From the details of an operation to the entry that describes the change."""
    page.goto(f"{origin}/portal/reference/messages/send-message/")

    details = page.locator(".dp-op__main > .dp-details")
    details.locator("summary").click()
    details.locator("a", has_text="since").click()

    expect(page).to_have_url(f"{origin}/portal/changelog/2026-06-15-messages-v1-opened/")
