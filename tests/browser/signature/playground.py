"""The signature playground in a browser: where it is, and how a test reads it."""

from playwright.sync_api import Locator, Page, expect

GUIDE = "portal/guides/signature-playground/"


def field(page: Page, label: str) -> Locator:
    return page.locator(".signature").get_by_label(label)


def choose(page: Page, preset: str) -> None:
    """Choose a preset by its key, and wait until it is judged."""
    verdict = page.locator(".signature__verdict")
    verdict.evaluate("(one) => one.replaceChildren()")
    field(page, "Try a case").select_option(preset)
    expect(verdict).not_to_be_empty()


def verdict(page: Page) -> Locator:
    return page.locator(".signature__verdict")


def causes(page: Page) -> Locator:
    """Return the sentences that tell what was found."""
    return page.locator(".signature__found")
