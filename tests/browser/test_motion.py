"""Who asks for reduced motion sees none: no animation, no transition, no scrolling by itself."""

import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

_MOVES = """() => {
  const FRAME_S = 0.0167;
  const seconds = (time) => parseFloat(time) * (time.includes("ms") ? 0.001 : 1);
  const longest = (times) => Math.max(...times.split(",").map(seconds));
  const found = new Set();
  for (const element of document.querySelectorAll("*")) {
    for (const part of [null, "::before", "::after"]) {
      const style = getComputedStyle(element, part);
      const isMoving = (style.animationName !== "none" && longest(style.animationDuration) > FRAME_S)
        || (style.transitionProperty !== "none" && longest(style.transitionDuration) > FRAME_S)
        || style.scrollBehavior === "smooth";
      if (isMoving) found.add(`${element.localName}.${element.getAttribute("class") ?? ""}${part ?? ""}`);
    }
  }
  for (const one of document.getAnimations()) found.add(`running: ${one.constructor.name}`);
  return [...found].sort();
}"""


def moving_parts(page: Page) -> list[str]:
    """Return the parts of a page that move for longer than a frame, or would."""
    found: list[str] = page.evaluate(_MOVES)
    return found


def test_motion_is_seen(browser: Browser) -> None:
    """A transition, an animation, one of a part that style sheets make, and smooth scrolling are found."""
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.set_content(
            "<!doctype html><style>a { transition: color 0.2s } b { animation: x 90ms infinite }"
            " i::before { content: ''; transition: all 1s } p { scroll-behavior: smooth }"
            " u { transition: color 10ms } @keyframes x { to { opacity: 0 } }</style>"
            "<a>a</a><b>b</b><i>i</i><p>p</p><u>u</u>"
        )

        assert moving_parts(page) == ["a.", "b.", "i.::before", "p.", "running: CSSAnimation"]
