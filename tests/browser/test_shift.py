"""Nothing moves while a page is loaded: what a reader is about to click stays where it is."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from .measuring import shift_of
from .serving import serving
from .views import PHONE, WIDE, View
from .watching import open_and_settle

pytestmark = pytest.mark.browser

MOST = 0.01
"""A tenth of what is called good (web.dev: 0.1)."""


def too_much_shift(view: View) -> list[str]:
    """Return by how much a page moved while it was loaded, fonts and scripts included, if that is much."""
    return [] if view.shift < MOST else [f"shifted by {view.shift}, {MOST} is the most"]


def test_movement_is_seen(browser: Browser, tmp_path: Path) -> None:
    """A script that puts a banner above the text late is found."""
    (tmp_path / "index.html").write_text(
        '<!doctype html><title>Moves</title><p>Text</p><script src="a.js"></script>', encoding="utf-8"
    )
    (tmp_path / "a.js").write_text(
        "requestAnimationFrame(() => requestAnimationFrame(() => {"
        " const banner = document.createElement('div'); banner.style.height = '300px';"
        " document.body.prepend(banner); }));"
    )
    with serving(tmp_path) as address, browser.new_context() as context:
        page = context.new_page()
        open_and_settle(page, address)

        assert shift_of(page) > MOST


@pytest.mark.parametrize(
    ("path", "viewport"),
    [
        ("products/", WIDE),
        ("rates/sms/", WIDE),
        ("reference/errors/", WIDE),
        ("reference/messages/", PHONE),
        ("changelog/compare/3.4.0...3.5.0/", PHONE),
    ],
)
def test_a_page_that_comes_slowly_is_drawn_as_a_whole(
    browser: Browser, sites: Path, path: str, viewport: ViewportSize
) -> None:
    """Cards, columns of tables and the header keep their places while the rest of the page is still to come."""
    with (
        serving(sites / "portal", pause_s=0.06) as address,
        browser.new_context(viewport=viewport) as context,
    ):
        page = context.new_page()
        open_and_settle(page, f"{address}/{path}")

        assert shift_of(page) < MOST
