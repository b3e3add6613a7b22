"""A page with the keyboard alone: each stop is in sight and marked, and the order has no loop and no trap."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from .views import PHONE, WIDE
from .watching import open_and_settle

pytestmark = pytest.mark.browser

MOST = 600
"""More stops than any page has."""
_STOP = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const next = one.nextElementSibling;
  const tabs = one.closest(".tabbed-set")?.querySelector(".tabbed-labels");
  const looks = () => [one, one.parentElement, one.labels?.[0], next, tabs].filter(Boolean).map((part) => {
    const look = getComputedStyle(part);
    const hasOutline = look.outlineStyle !== "none" && look.outlineWidth !== "0px";
    return [hasOutline && look.outlineColor, look.boxShadow, look.borderColor, look.backgroundColor].join();
  }).join("|");
  const focused = looks();
  one.blur();
  const isMarked = focused !== looks();
  one.focus({ preventScroll: true });
  const shown = one.offsetWidth ? one : next?.localName === "label" ? next : one.labels?.[0] ?? one;
  const { top, bottom, left, right } = shown.getBoundingClientRect();
  const isInSight = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  window.stops ??= new Map();
  if (!window.stops.has(one)) window.stops.set(one, window.stops.size);
  const words = (one.getAttribute("aria-label") ?? one.textContent).trim().slice(0, 40);
  const ring = getComputedStyle(one), width = parseFloat(ring.outlineWidth) + parseFloat(ring.outlineOffset) - 0.5;
  const isCut = (part) => {
    const { overflowX, overflowY } = getComputedStyle(part), box = part.getBoundingClientRect();
    return (overflowX !== "visible" && (left - width < box.left || right + width > box.right))
      || (overflowY !== "visible" && (top - width < box.top || bottom + width > box.bottom));
  };
  const around = [];
  for (let part = one.parentElement; part !== document.body; part = part.parentElement) around.push(part);
  const isWhole = shown !== one || width <= 0 || ring.outlineStyle === "none" || !around.some(isCut);
  const middle = (start, end, size) => Math.min(Math.max((start + end) / 2, 1), size - 1);
  const above = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
  const isOnTop = !isInSight || !above || shown.contains(above) || above.contains(shown);
  const faults = [isWhole || "has a ring that is cut off", isMarked || "is not marked", isInSight || "is out of sight",
    isOnTop || "is below something else"].filter((fault) => fault !== true);
  return { number: window.stops.get(one), name: `${one.localName}.${one.className} ${words}`, faults };
}"""


def walk(page: Page, key: str = "Tab") -> tuple[int, list[str]]:
    """Press a key until the page has no further stop; return how many it has, and what is wrong with any."""
    faults: list[str] = []
    before = -1
    for count in range(MOST):
        page.keyboard.press(key)
        stop = page.evaluate(_STOP)
        if stop is None or (stop["number"] == 0 and count):
            return count, faults
        if stop["number"] <= before and key == "Tab":
            return count, [*faults, f"{stop['name']}: the order goes back to it"]
        before = stop["number"]
        faults += [f"{stop['name']}: {fault}" for fault in stop["faults"]]
    return MOST, [*faults, "the walk does not end"]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport=WIDE, reduced_motion="reduce") as context:
        yield context.new_page()


@pytest.mark.parametrize(
    "path",
    [
        "portal/",
        "portal/guides/webhooks/",
        "portal/reference/messages/send-message/",
        "portal/changelog/",
        *(
            pytest.param(path, marks=pytest.mark.deep)
            for path in (
                "portal/reference/schemas/new-message/",
                "portal/rates/",
                "big/reference/meta/meta-set-thing-1169/",
            )
        ),
    ],
)
def test_each_stop_is_marked_and_in_sight(path: str, page: Page, origin: str) -> None:
    """From the first to the last, with all details opened."""
    open_and_settle(page, f"{origin}/{path}")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")

    count, faults = walk(page)

    assert faults == []
    assert count > 10


def test_try_it_is_a_few_stops_away(page: Page, origin: str) -> None:
    """A link past the header leads to the code sample, and the button is the next stop."""
    open_and_settle(page, f"{origin}/portal/reference/messages/send-message/")

    for key in ("Tab", "Tab", "Enter", "Tab"):
        page.keyboard.press(key)

    expect(page.get_by_role("button", name="Try it").first).to_be_focused()


@pytest.mark.parametrize("viewport", [WIDE, PHONE])
def test_landmarks_have_names_of_their_own(browser: Browser, viewport: ViewportSize, origin: str) -> None:
    """Who goes from one to the next hears what each is, and nothing twice."""
    with browser.new_context(viewport=viewport, reduced_motion="reduce") as context:
        page = context.new_page()
        open_and_settle(page, f"{origin}/portal/reference/messages/send-message/")

        names: list[str] = page.locator("nav, aside, [role=region], section[aria-label]").evaluate_all(
            "all => all.filter((one) => one.checkVisibility()).map((one) => one.ariaLabel ?? '')"
        )

        assert len(names) > 3
        assert len(set(names)) == len(names)
        assert "" not in names


@pytest.mark.parametrize("path", ["portal/guides/webhooks/", "portal/reference/messages/send-message/"])
def test_page_is_walked_on_a_phone(path: str, browser: Browser, origin: str) -> None:
    """Where the drawer is closed, code and tables scroll, and a bar stays at the lower edge."""
    with browser.new_context(viewport=PHONE, reduced_motion="reduce") as context:
        page = context.new_page()
        open_and_settle(page, f"{origin}/{path}")

        assert walk(page)[1] == []


def test_fields_are_opened_with_the_keyboard(page: Page, origin: str) -> None:
    """The tree of a schema: Enter opens a level, and the next stop is inside it."""
    page.goto(f"{origin}/big/reference/meta/meta-set-thing-1169/")
    page.locator("details.dp-nested:not([open]) > summary:visible").first.focus()

    page.keyboard.press("Enter")
    page.evaluate("window.opened = document.activeElement.parentElement")
    page.keyboard.press("Tab")

    assert page.evaluate("window.opened.open && window.opened.contains(document.activeElement)")


def test_search_needs_no_mouse(page: Page, origin: str) -> None:
    """A key opens it, arrows choose, Enter goes there; Escape leads back to where the reader was."""
    page.goto(f"{origin}/portal/guides/webhooks/")
    link = page.locator("article p a").first
    link.focus()

    page.keyboard.press("/")
    expect(page.locator(".dp-find input")).to_be_focused()
    page.keyboard.press("Escape")
    expect(link).to_be_focused()
    page.keyboard.press("Control+k")
    page.keyboard.type("send a message")
    expect(page.locator(".dp-find [role=option]").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    wanted = page.locator(".dp-find [aria-selected=true]").get_attribute("href")
    page.keyboard.press("Enter")

    assert wanted
    page.wait_for_url(wanted)


def test_entries_are_filtered_with_the_keyboard(page: Page, origin: str) -> None:
    """An arrow in the list of impacts leaves entries of one impact, and the address says so."""
    page.goto(f"{origin}/portal/changelog/")
    before = page.locator(".dp-changelog-card:visible").count()

    page.locator("form[data-changelog] select[name=impact]").focus()
    page.keyboard.press("ArrowDown")

    page.wait_for_url("**?impact=*")
    assert 0 < page.locator(".dp-changelog-card:visible").count() < before


def test_stops_without_a_mark_or_out_of_sight_are_seen(browser: Browser) -> None:
    """And an order that goes round in a circle."""
    with browser.new_context(viewport=WIDE) as context:
        page = context.new_page()
        page.set_content(
            "<!doctype html><style>.no { outline: none } .far { position: fixed; left: -999px }"
            ".under, .over { position: fixed; inset: auto 0 0; margin: 0 }</style>"
            '<a href="#">a</a><a href="#" class="no">b</a><a href="#" class="far">c</a>'
            '<button>d</button><button id=e>e</button><a href="#" class="under">f</a><p class="over">Over</p>'
        )
        assert walk(page) == (
            6,
            ["a.no b: is not marked", "a.far c: is out of sight", "a.under f: is below something else"],
        )

        page.evaluate("window.stops.clear()")
        page.locator("body").evaluate("one => one.focus()")
        page.evaluate(
            "document.querySelector('#e').addEventListener('keydown', (event) => {"
            " event.preventDefault(); document.querySelector('button').focus(); })"
        )
        page.locator("a").first.focus()
        assert walk(page)[1][-1:] == ["button. d: the order goes back to it"]
