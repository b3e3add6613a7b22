"""Drawings of state machines with the fonts that a reader has."""

from typing import Literal

import pytest
from playwright.sync_api import Browser

from .views import PHONE, WIDE

pytestmark = pytest.mark.browser

PATHS = (
    "parcels/reference/schemas/status/",
    "portal/reference/schemas/message-status/",
    "portal/reference/schemas/call-status/",
    "portal/reference/schemas/delivery-state/",
    "portal/toolkit/inserts/",
)
_OVERLAPS = """() => [...document.querySelectorAll('.dp-states__drawing')].flatMap((drawing) => {
  const parts = [...drawing.querySelectorAll('.dp-states__state, .dp-states__label')]
    .map((one) => ({ words: one.textContent, box: one.getBoundingClientRect() }));
  const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return parts.flatMap((a, number) => parts.slice(number + 1)
    .filter((b) => over(a.box, b.box)).map((b) => `${a.words} over ${b.words}`));
})"""
_OUTSIDE = """() => [...document.querySelectorAll('.dp-states__name')].filter((name) => {
  const inner = name.getBoundingClientRect();
  const outer = name.parentNode.querySelector('rect').getBoundingClientRect();
  return inner.left < outer.left + 4 || inner.right > outer.right - 4;
}).map((name) => name.textContent)"""
_SIZES = """() => [...document.querySelectorAll('.dp-states__drawing')].map((one) => [
  one.getBoundingClientRect().width, Number(one.getAttribute('width')), getComputedStyle(
    one.querySelector('.dp-states__name')).fontSize])"""


@pytest.mark.parametrize("path", PATHS)
def test_no_label_lies_over_anything(path: str, browser: Browser, origin: str) -> None:
    """The widths of text that the layout reckons with are those of real fonts, or more."""
    with browser.new_context(viewport=WIDE) as context:
        page = context.new_page()
        page.goto(f"{origin}/{path}")

        assert page.locator(".dp-states__drawing").count() == 1
        assert page.evaluate(_OVERLAPS) == []
        assert page.evaluate(_OUTSIDE) == []


@pytest.mark.parametrize("path", PATHS)
def test_a_drawing_keeps_its_size_on_a_telephone(path: str, browser: Browser, origin: str) -> None:
    """What is too wide scrolls inside its figure, so that the text can be read."""
    with browser.new_context(viewport=PHONE) as context:
        page = context.new_page()
        page.goto(f"{origin}/{path}")

        ((width, written, size),) = page.evaluate(_SIZES)
        assert (width, size) == (written, "14px")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize("colours", ["none", "active"])
def test_states_and_arrows_differ_from_their_ground(
    colours: Literal["none", "active"], browser: Browser, origin: str
) -> None:
    """In the colours of the theme, and in those that a reader forces on all pages."""
    with browser.new_context(forced_colors=colours) as context:
        page = context.new_page()
        page.goto(f"{origin}/{PATHS[1]}")

        def colour(part: str, name: str) -> str:
            first = page.locator(f".dp-states__{part}").first
            return str(first.evaluate(f"one => getComputedStyle(one).{name}"))

        ground = page.locator(".dp-states").evaluate("one => getComputedStyle(one).backgroundColor")
        assert ground not in {colour("line", "stroke"), colour("label", "fill"), colour("head", "fill")}
        assert colour("name", "fill") != colour("state rect", "fill")
        assert colour("state rect", "stroke") != ground
