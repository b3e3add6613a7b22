"""Pages fit every width, keep short names whole, and follow the colour scheme of the system."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from .conftest import build
from .serving import serving
from .views import PHONE, SCHEMES, SMALL, TABLET, WIDE, View

pytestmark = pytest.mark.browser

_TOO_WIDE = """() => [...document.querySelectorAll('body *')]
  .map((one) => [one.getBoundingClientRect().right, `${one.tagName.toLowerCase()}.${one.className}`])
  .filter(([right]) => right > document.documentElement.clientWidth + 1).slice(0, 5)"""

_SPLIT_NAMES = """() => [...document.querySelectorAll(':is(td, th) code')]
  .filter((name) => name.checkVisibility() && /^[^\\s/-]{1,24}$/.test(name.textContent))
  .filter((name) => new Set([...name.getClientRects()].map(({top}) => Math.round(top))).size > 1)
  .map((name) => `${name.textContent} is split in a table`)"""


def overflow(page: Page, viewport: ViewportSize) -> str:
    """Return by how much a page is wider than a viewport and what is, or nothing."""
    page.set_viewport_size(viewport)
    excess = page.evaluate("document.scrollingElement.scrollWidth - document.documentElement.clientWidth")
    return f"{excess} px too wide at {viewport['width']}: {page.evaluate(_TOO_WIDE)}" if excess > 0 else ""


def layout_problems(view: View) -> list[str]:
    """Return where a page is wider than its window: what is wide scrolls inside a region of its own. And which short
    names in tables take more than one line although there is room.
    """
    found = [overflow(view.page, viewport) for viewport in (TABLET, PHONE, SMALL, WIDE)]
    split = view.page.evaluate(_SPLIT_NAMES)
    view.page.set_viewport_size(view.look.viewport)
    return [*filter(None, found), *split]


def wrong_colours(view: View) -> list[str]:
    """Return what does not follow the system before anything is clicked: the scheme's name, or the paint."""
    scheme = view.page.locator("body").get_attribute("data-md-color-scheme")
    red = view.page.evaluate("parseInt(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
    ground = "dark" if red < 128 else "light"
    is_right = (scheme, ground) == (SCHEMES[view.look.scheme], view.look.scheme)
    return [] if is_right else [f"the scheme is {scheme!r}, on a {ground} ground"]


def test_overflow_is_seen(browser: Browser) -> None:
    """A block that is wider than its page is found and named."""
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content('<!doctype html><title>Wide</title><div class="wide" style="width: 3000px">x</div>')

        found = overflow(page, PHONE)

        assert found.startswith("2618 px too wide at 390")
        assert "div.wide" in found


def test_paper_is_white(browser: Browser, origin: str) -> None:
    """Whoever reads in the dark prints dark text on light ground all the same."""
    with browser.new_context(color_scheme="dark") as context:
        page = context.new_page()
        page.goto(f"{origin}/portal/")
        page.emulate_media(media="print")

        ground, words = page.evaluate(
            "['backgroundColor', 'color'].map((name) => getComputedStyle(document.querySelector("
            "name === 'color' ? '.md-typeset' : 'body'))[name].match(/\\d+/g).slice(0, 3).map(Number))"
        )
        assert min(ground) > 240
        assert max(words) < 80


CLOSED_BODY = """openapi: 3.1.0
info: {title: Depots, version: '1'}
paths:
  /depots:
    put:
      operationId: put
      tags: [t]
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/DepotDefinition'}}}
      responses: {'204': {description: Done}}
components:
  schemas:
    DepotDefinition: {type: object, additionalProperties: false, properties: {name: {type: string}}}
"""
_UNDER_DETAILS = """() => {
  const box = (element) => element.getBoundingClientRect();
  const details = box(document.querySelector('.dp-media > .dp-details > summary'));
  return [...document.querySelectorAll('.dp-media__name *, .dp-body-type *')].filter((element) => {
    const {left, right, top, bottom} = box(element);
    return right > details.left && left < details.right && bottom > details.top && top < details.bottom;
  }).map((element) => element.textContent);
}"""


@pytest.mark.parametrize("viewport", [PHONE, SMALL, WIDE], ids=lambda viewport: str(viewport["width"]))
def test_details_do_not_lie_over_the_schema_of_a_body(
    browser: Browser, tmp_path: Path, viewport: ViewportSize
) -> None:
    """A long name beside the media type leaves room for them."""
    contract = tmp_path / "depots.yaml"
    contract.write_text(CLOSED_BODY, encoding="utf-8")
    build("--contract", str(contract), "--site-dir", str(tmp_path / "site"))

    with serving(tmp_path / "site") as origin, browser.new_context(viewport=viewport) as context:
        page = context.new_page()
        page.goto(f"{origin}/reference/t/put/")

        assert page.evaluate(_UNDER_DETAILS) == []
