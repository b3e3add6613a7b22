"""WCAG 2.2, levels A and AA, as far as a program can tell."""

from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect

from .views import SCHEMES, Scheme, View
from .watching import let_work

pytestmark = pytest.mark.browser

_RUN = """() => {
  // What has scrolled halfway under the title of a column is no small target.
  for (const column of document.querySelectorAll('.md-sidebar__scrollwrap')) column.scrollTop = 0;
  return axe.run({
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    rules: Object.fromEntries(
      ['target-size', 'heading-order', 'page-has-heading-one', 'landmark-one-main', 'tabindex']
        .map((rule) => [rule, {enabled: true}])),
    resultTypes: ['violations'],
  });
}"""
"""The rules of the levels, and those good practices that every page can keep."""
_CONTRAST = """() => axe.run({
  runOnly: { type: 'rule', values: ['color-contrast'] },
  resultTypes: ['violations'],
})"""


def violations(page: Page, run: str = _RUN) -> list[str]:
    """Return what axe finds on a page with all its style sheets, one sentence for each rule and element."""
    page.wait_for_load_state()
    page.evaluate(AXE_SCRIPT)
    result: dict[str, Any] = page.evaluate(run)
    return [
        f"{found['id']}: {found['help']}: {node['html'][:200]} {node.get('failureSummary', '')}"
        for found in result["violations"]
        for node in found["nodes"]
    ]


def barriers(view: View) -> list[str]:
    """Return what axe finds on a page; in the other scheme, where only colours differ, pale text alone."""
    page, own = view.page, view.look.scheme
    let_work(page)  # what scrolls is made focusable by an observer, a frame after its size is known
    other: Scheme = "light" if own == "dark" else "dark"
    found = violations(page)
    in_scheme(page, other)
    pale = violations(page, _CONTRAST)
    in_scheme(page, own)
    return [*found, *(f"in {other}: {text}" for text in pale)]


def in_scheme(page: Page, scheme: Scheme) -> None:
    """Let the system change its colours, and wait until the page has followed."""
    page.emulate_media(color_scheme=scheme)
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", SCHEMES[scheme])


def test_barriers_are_seen(browser: Browser) -> None:
    """A picture without words, pale text, a heading out of order and a missing language would be found."""
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content(
            "<!doctype html><title>Barriers</title><main><h1>One</h1><h3>Three</h3>"
            '<img src="data:,"><p style="color: #ccc; background: #fff">Pale</p></main>'
        )

        found = violations(page)

        rules = {text.partition(":")[0] for text in found}
        assert rules >= {"image-alt", "color-contrast", "heading-order", "html-has-lang"}
