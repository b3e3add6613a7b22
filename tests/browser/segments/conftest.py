"""The guide to segments, opened with its calculator."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .calculator import GUIDE, text_of


@pytest.fixture
def page(context: BrowserContext, origin: str) -> Page:
    """Return the guide, with the calculator in it."""
    opened = context.new_page()
    opened.goto(f"{origin}/{GUIDE}")
    expect(text_of(opened)).to_be_visible()
    return opened
