"""No page breaks a strict Content Security Policy, logs an error or asks anybody else for anything."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .serving import serving
from .watching import open_and_settle, watch

pytestmark = pytest.mark.browser


def test_the_watch_sees_what_is_wrong(browser: Browser, tmp_path: Path) -> None:
    """A page with an inline script, a stranger's image, a dead link and an exception is complained of."""
    (tmp_path / "throw.js").write_text("throw new Error('thrown on purpose')")
    (tmp_path / "index.html").write_text(
        '<!doctype html><html lang="en"><title>Wrong</title><script>document.title = "Ran"</script>'
        '<link rel="stylesheet" href="missing.css"><script src="throw.js"></script>'
        '<img src="http://localhost:9/tracker.png" alt="">'
    )
    with serving(tmp_path) as origin, browser.new_context() as context:
        page = context.new_page()
        watched = watch(page, origin)

        open_and_settle(page, origin)

        said = "\n".join(watched.complaints)
        assert page.title() == "Wrong"
        assert "inline script" in said
        assert f"404: {origin}/missing.css" in said
        assert "thrown on purpose" in said
        assert "tracker.png" in said
