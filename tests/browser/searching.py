"""Searching as a reader does it: open the dialog, type, read what is listed."""

import re

from playwright.sync_api import Page, expect


def search(page: Page, words: str) -> list[str]:
    """Return the addresses of what search lists, best first."""
    page.keyboard.press("/")
    page.locator(".dp-find input").fill(words)
    expect(page.locator(".dp-find [role=status]")).to_contain_text(re.compile("result|検索結果"))
    found = page.locator(".dp-find a[role=option]").all()
    return [address for locator in found if (address := locator.get_attribute("href"))]
