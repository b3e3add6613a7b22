"""The segment calculator in a browser: where it is, and how a test reads it."""

from playwright.sync_api import Locator, Page

GUIDE = "portal/guides/segments/"


def text_of(page: Page) -> Locator:
    return page.get_by_label("Your text")


def number(page: Page, name: str) -> str:
    """Return one of the numbers, by the word above it."""
    return page.locator(".segments__numbers > div", has_text=name).locator("strong").inner_text()


def blocks(page: Page) -> list[str]:
    """Return the texts of the segments as they are shown."""
    return page.locator(".segments__words").all_text_contents()


def choose(page: Page, preset: str) -> None:
    page.get_by_role("group", name="Example texts").get_by_role("button", name=preset).click()
