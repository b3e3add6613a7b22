"""The guide to segments, opened with its calculator."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.views import WIDE

from .calculator import GUIDE, text_of


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a window without animations."""
    with browser.new_context(viewport=WIDE, reduced_motion="reduce") as opened:
        yield opened


@pytest.fixture
def page(context: BrowserContext, origin: str) -> Page:
    """Return the guide, with the calculator in it."""
    opened = context.new_page()
    opened.goto(f"{origin}/{GUIDE}")
    expect(text_of(opened)).to_be_visible()
    return opened
