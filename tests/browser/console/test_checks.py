"""What is typed is checked beside its field, whatever was typed before."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import Opened

pytestmark = pytest.mark.browser

ENDLESS = "a" * 40 + "!"
"""A value that the pattern of the contract never gets to the end of."""


def test_value_of_another_format_is_told(opened: Opened) -> None:
    """Formats are judged by a module that the checker loads."""
    dialog = opened("guess")

    dialog.get_by_label("key", exact=True).fill("x")

    expect(dialog.locator(".dpc-error:visible")).to_have_text('"x" is no uuid')


def test_check_without_an_end_leaves_others_alone(opened: Opened, page: Page) -> None:
    """It is given up, those behind it are done, and none removes what a newer one found."""
    dialog = opened("guess")
    word = dialog.get_by_label("word", exact=True)
    told = dialog.locator(".dpc-error:visible")

    word.fill(ENDLESS)
    page.wait_for_timeout(2000)
    word.fill("aa")
    page.wait_for_timeout(5500)
    word.fill("b")

    expect(told).to_have_text('"b" does not match ^(a+)+$')
    page.wait_for_timeout(3000)  # longer than any of those before it may take
    expect(told).to_have_count(1)
