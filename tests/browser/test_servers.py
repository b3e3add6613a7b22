"""The choice of a server: in every sample, on the next page, in what is copied; and old addresses."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from .views import WIDE
from .watching import watch

pytestmark = pytest.mark.browser

OPERATION = "portal/reference/messages/send-message/"
PARCELS = "parcels/reference/parcels/list-parcels/"


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def base_addresses(page: Page) -> set[str]:
    """Return the base addresses in all samples of a page, shown or not."""
    return set(page.locator(".dp-base").all_text_contents())


def test_chosen_server_stands_in_all_samples(page: Page, origin: str) -> None:
    """In every language and every example, its variables with what is typed."""
    page.goto(f"{origin}/{OPERATION}")
    before = base_addresses(page)

    page.get_by_label("Server").select_option("https://{host}")
    chosen = base_addresses(page)
    page.get_by_label("host", exact=True).fill("eu.example.com")

    assert before == {"http://127.0.0.1:8080"}
    assert chosen == {"https://api.example.com"}
    assert base_addresses(page) == {"https://eu.example.com"}


def test_variables_are_shown_for_the_chosen_server_only(page: Page, origin: str) -> None:
    """A server without variables asks for none."""
    page.goto(f"{origin}/{OPERATION}")
    host = page.get_by_label("host", exact=True)

    expect(host).to_be_hidden()
    page.get_by_label("Server").select_option("https://{host}")
    expect(host).to_be_visible()


def test_chosen_server_is_remembered_on_the_next_page(page: Page, origin: str) -> None:
    """With its variables; another contract's page has its own servers and is left alone."""
    page.goto(f"{origin}/{PARCELS}")
    page.locator("select[name=region]").select_option("us")

    page.goto(f"{origin}/parcels/reference/parcels/create-parcel/")
    there = base_addresses(page)
    page.goto(f"{origin}/{OPERATION}")

    assert there == {"https://us.parcels.example/v2"}
    assert base_addresses(page) == {"http://127.0.0.1:8080"}


def test_no_choice_is_made_before_it_counts(page: Page, origin: str) -> None:
    """However late the script of the picker comes, a page that is loaded listens."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/immutable/portal.*.js", hold)
    with page.expect_request("**/immutable/portal.*.js"):
        page.goto(f"{origin}/{PARCELS}", wait_until="commit")
    region = page.locator("select[name=region]")
    expect(region).to_be_attached()

    held[0].continue_()
    page.wait_for_load_state()
    region.select_option("us")

    assert base_addresses(page) == {"https://us.parcels.example/v2"}


def test_what_is_typed_cannot_leave_the_address(page: Page, origin: str) -> None:
    """Quotes, spaces and what a shell would run are encoded in samples."""
    page.goto(f"{origin}/{OPERATION}")
    page.get_by_label("Server").select_option("https://{host}")

    page.get_by_label("host", exact=True).fill("x'; rm -rf ~ #`$(a)\"\\")

    (base,) = base_addresses(page)
    assert re.fullmatch(r"https://[\w.~%-]+", base), base
    page.get_by_label("host", exact=True).fill("")
    assert base_addresses(page) == {"https://api.example.com"}, "an emptied field has the default"


def test_copied_sample_has_the_chosen_server(context: BrowserContext, page: Page, origin: str) -> None:
    """What is pasted is what was seen."""
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    page.goto(f"{origin}/{OPERATION}")
    page.get_by_label("Server").select_option("https://{host}")

    page.locator(".dp-op__samples pre:visible").first.hover()
    page.locator(".dp-op__samples .md-code__button:visible").first.click()

    expect(page.locator("[role=status]", has_text="Copied to clipboard")).to_be_visible()
    assert "https://api.example.com/v1/messages" in page.evaluate("navigator.clipboard.readText()")


def test_without_scripts_there_is_no_picker(browser: Browser, origin: str) -> None:
    """A choice that does nothing is not offered; the samples have the first server."""
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{origin}/{OPERATION}")

        expect(page.locator(".dp-server")).to_be_hidden()
        expect(page.locator(".dp-base").first).to_have_text("http://127.0.0.1:8080")


def test_broken_memory_does_no_harm(page: Page, origin: str) -> None:
    """What another program left in the storage is not trusted."""
    watched = watch(page, origin)
    page.goto(f"{origin}/{OPERATION}")

    for stored in ("{", "null", "[]", '{"url": "https://{host}", "values": {"host": 5}}', '"x"'):
        page.evaluate("(text) => localStorage.setItem('devportal.server', text)", stored)
        page.reload()

    assert [
        complaint for complaint in watched.complaints if complaint.startswith(("uncaught", "console"))
    ] == []
    assert base_addresses(page) == {"http://127.0.0.1:8080"}


def test_old_address_leads_on_with_its_anchor(page: Page, origin: str) -> None:
    """A folder that has no page of its own leads home, and what stands behind `#` comes along."""
    page.goto(f"{origin}/parcels/reference/#servers")

    page.wait_for_url(f"{origin}/parcels/#servers")


def test_old_address_leads_on_without_scripts(browser: Browser, origin: str) -> None:
    """The page refreshes itself."""
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{origin}/portal/reference/events/")

        page.wait_for_url(f"{origin}/portal/reference/#events")


def test_anchor_that_has_moved_leads_on(page: Page, origin: str) -> None:
    """The page is still there, the part of it is now on another."""
    page.goto(f"{origin}/portal/reference/#security.bearerToken")

    page.wait_for_url(f"{origin}/portal/reference/authentication/#security.bearerToken")
