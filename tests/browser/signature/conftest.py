"""The page of the signature playground, opened."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .playground import GUIDE, verdict


@pytest.fixture
def page(context: BrowserContext, origin: str) -> Page:
    """Return the page, with a genuine delivery in it."""
    opened = context.new_page()
    opened.goto(f"{origin}/{GUIDE}")
    expect(verdict(opened)).to_have_text("Genuine")
    return opened
