"""Every kind of page passes every gate. A page is opened once, and all gates look at what is there then."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .measuring import resources_of, shift_of
from .serving import serving
from .test_accessibility import barriers
from .test_layout import layout_problems, wrong_colours
from .test_motion import moving_parts
from .test_shift import too_much_shift
from .test_weight import budget_problems
from .views import ALL_OTHERS, EACH_KIND, PHONE, Look, View
from .watching import open_and_settle, watch

pytestmark = pytest.mark.browser

GATES: dict[str, Callable[[View], list[str]]] = {
    "policy": lambda view: list(view.complaints),
    "weight": budget_problems,
    "shift": too_much_shift,
    "motion": lambda view: moving_parts(view.page),
    "colours": wrong_colours,
    "accessibility": barriers,
    "layout": layout_problems,
}
"""What each gate finds wrong with a page, as sentences. Each leaves the page in the look in which it came.

The layout is last, since a page follows a new width a frame later."""
FEW = 8
"""So many problems of a gate are reported: one pale colour may be a hundred of them."""


@contextmanager
def open_view(look: Look, browser: Browser, origin: str) -> Iterator[View]:
    """Open a page in one look, with an empty cache, and yield it once its scripts have run."""
    with browser.new_context(
        viewport=look.viewport,
        color_scheme=look.scheme,
        reduced_motion="reduce",  # nothing is seen halfway through a transition
    ) as context:
        page = context.new_page()
        watched = watch(page, origin)
        open_and_settle(page, f"{origin}/{look.path}")
        yield View(
            look=look,
            page=page,
            complaints=tuple(watched.complaints),
            resources=resources_of(page),
            shift=shift_of(page),
        )


def problems_of(view: View) -> dict[str, list[str]]:
    """Return what is wrong with a page, by the name of the gate that finds it; the first few of each."""
    return {name: found[:FEW] for name, gate in GATES.items() if (found := gate(view))}


@pytest.mark.parametrize(
    "look", [*EACH_KIND, *(pytest.param(look, marks=pytest.mark.deep) for look in ALL_OTHERS)], ids=str
)
def test_a_page_passes_every_gate(look: Look, browser: Browser, origin: str) -> None:
    """No complaint of the browser, light, still, in the colours of the system, never too wide, no barrier."""
    with open_view(look, browser, origin) as view:
        problems = problems_of(view)

    assert problems == {}


BAD_SHEET = """
body { background: white; color: black }
@media (prefers-color-scheme: light) { p { color: #ddd } }
.wide { width: 3000px; transition: width 1s }
td { width: 1em; word-break: break-all }
"""
BAD_SCRIPT = """
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.body.dataset.mdColorScheme = dark.matches ? "slate" : "default";
dark.addEventListener("change", follow);
follow();
requestAnimationFrame(() => requestAnimationFrame(() => {
  const banner = document.createElement("h1");
  banner.textContent = "Late";
  document.body.prepend(banner);
}));
"""


def test_a_page_that_is_bad_in_every_way_passes_no_gate(browser: Browser, tmp_path: Path) -> None:
    """Each gate names what it finds, also text that is pale only in the scheme of which the page is not."""
    noise = " ".join(map(str, range(20_000)))
    (tmp_path / "bad.css").write_text(BAD_SHEET)
    (tmp_path / "bad.js").write_text(f"{BAD_SCRIPT} // {noise}")
    (tmp_path / "index.html").write_text(
        '<!doctype html><html lang="en"><title>Bad</title><link rel="stylesheet" href="bad.css"><body>'
        '<p>Text</p><div class="wide">Wide</div><img src="missing.png"><script src="bad.js"></script>'
        "<table><td><code>messages:write</code></table>"
    )
    look = Look(path="", scheme="dark", viewport=PHONE)

    with serving(tmp_path) as origin, open_view(look, browser, origin) as view:
        problems = problems_of(view)

    assert problems.keys() == GATES.keys()
    assert any(text.startswith("image-alt") for text in problems["accessibility"])
    assert any(text.startswith("in light: color-contrast") for text in problems["accessibility"])
    assert len(problems["layout"]) == 5
