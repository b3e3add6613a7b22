"""What is typed is checked beside its field, whatever was typed before."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import PATIENCE_MS, WORKER, Opened, worker_at

pytestmark = pytest.mark.browser

CHECKED_AFTER_MS = 350
"""After so long a pause what is typed is checked."""
ENDLESS = "a" * 40 + "!"
"""A value that the pattern of the contract never gets to the end of."""


def test_value_of_another_format_is_told(open_console: Opened) -> None:
    """Formats are judged by a module that the checker loads."""
    dialog = open_console("guess")

    dialog.get_by_label("key", exact=True).fill("x")

    expect(dialog.locator(".dpc-error:visible")).to_have_text('"x" is not a valid uuid')


def test_check_without_an_end_leaves_others_alone(open_console: Opened, page: Page) -> None:
    """It is given up, those behind it are done, and none removes what a newer one found."""
    page.clock.install()
    page.add_init_script(WORKER)
    dialog = open_console("guess")
    word = dialog.get_by_label("word", exact=True)
    told = dialog.locator(".dpc-error:visible")

    word.fill(ENDLESS)
    page.clock.run_for(CHECKED_AFTER_MS)
    expect(worker_at(page, "work")).to_have_count(1)
    word.fill("aa")
    page.clock.run_for(CHECKED_AFTER_MS)
    page.clock.run_for(PATIENCE_MS)
    word.fill("b")
    page.clock.run_for(CHECKED_AFTER_MS)

    expect(told).to_have_text('"b" does not match ^(a+)+$')  # checks are made one after the other
    page.clock.run_for(60_000)
    expect(told).to_have_count(1)
