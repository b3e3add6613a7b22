"""The map of the world and the table below it, in a browser."""

import re
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.serving import serving
from tests.browser.test_accessibility import violations
from tests.browser.views import PHONE, WIDE, Scheme, schemes_in_turn
from tests.browser.watching import expect_filtered, open_and_settle, watch

from .world_site import FULL, LIMITED, make_world_site

pytestmark = pytest.mark.browser

ALL = len(FULL) + len(LIMITED)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of the page of coverage."""
    with serving(make_world_site(tmp_path_factory.mktemp("world"))) as origin:
        yield f"{origin}/coverage/"


@pytest.fixture
def page(context: BrowserContext, world: str) -> Page:
    """Return the page of coverage, with its script at work."""
    opened = context.new_page()
    opened.goto(world)
    expect(filter_of(opened, "region").locator("option[value=europe]")).to_have_text(re.compile(r"\(\d+\)"))
    return opened


def filter_of(page: Page, name: str) -> Locator:
    """Return the control of a filter, by its name in addresses."""
    return page.locator(f"select[name={name}]")


def shown_rows(page: Page) -> list[str]:
    """Return the codes of the countries that the table shows."""
    rows = page.locator("tr[data-records]")
    return [row.get_attribute("data-country") or "" for row in rows.all() if row.is_visible()]


def expect_status(page: Page, words: str) -> None:
    """Wait until the page says so of its countries: the table and the map are right by then."""
    expect(page.locator("[data-markets-status]")).to_have_text(words)
    expect_filtered(page)


def coloured_countries(page: Page) -> set[str]:
    """Return the codes of the countries that the map shows in colour."""
    links = page.locator(".dp-world__map a:not(.dp-world__other)")
    return {link.get_attribute("data-country") or "" for link in links.all()}


def fill_of(page: Page, code: str) -> str:
    """Return what a country on the map is filled with."""
    shape = page.locator(f".dp-world__map a[data-country={code}] > *")
    return str(shape.evaluate("shape => getComputedStyle(shape).fill"))


def test_the_keyboard_reaches_every_country_and_shows_where_it_is(page: Page) -> None:
    """Each link of the map is a stop, in order, with a ring around it and its name beside the map."""
    page.locator(".dp-world__skip").focus()
    seen = []
    for _ in range(ALL):
        page.keyboard.press("Tab")
        focus = page.locator(":focus")
        seen.append(focus.get_attribute("data-country"))
        ring = focus.evaluate(
            "link => { const s = getComputedStyle(link); return [s.outlineStyle, s.outlineWidth]; }"
        )
        assert ring == ["solid", "2px"]
        name = (focus.get_attribute("aria-label") or "-").partition(":")[0]
        expect(page.locator("[data-markets-panel] strong")).to_have_text(name)
    page.keyboard.press("Tab")

    assert sorted(map(str, seen)) == sorted((*FULL, *LIMITED))
    expect(page.locator("[data-markets-panel] a")).to_be_focused()


def test_enter_follows_a_country(page: Page, world: str) -> None:
    """A link of the map is followed as any other."""
    page.locator(".dp-world__map a[data-country=NO]").focus()
    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{world}no/")


def test_the_map_can_be_skipped(page: Page) -> None:
    """The first stop before the map is seen once it has the focus, and leads past it."""
    skip = page.get_by_role("link", name="Skip the map")
    assert (skip.bounding_box() or {"width": 0})["width"] <= 1
    skip.focus()
    assert (skip.bounding_box() or {"width": 0})["width"] > 100
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#by-country$"))
    page.keyboard.press("Tab")

    assert page.locator(":focus").evaluate("one => one.closest('.dp-world')") is None


def test_a_click_shows_a_country_and_an_island(page: Page, world: str) -> None:
    """A panel beside the map has the support in words, and a link to the page of the country."""
    panel = page.locator("[data-markets-panel]")
    expect(panel).to_be_hidden()
    for code, name, support in (("RU", "Russia", "SMS: Full"), ("MT", "Malta", "SMS: Limited")):
        page.goto(world)
        page.locator(f".dp-world__map a[data-country={code}] > *").click()
        expect(panel.locator("strong")).to_have_text(name)
        expect(panel).to_contain_text(support)
        panel.get_by_role("link", name=f"Open {name}").click()
        expect(page).to_have_url(f"{world}{code.lower()}/")


def test_a_country_is_found_by_name_or_code(page: Page, world: str) -> None:
    """In the table, on the map and in the address; one without a record is named."""
    search = page.get_by_label("Country", exact=True)

    search.fill("norw")
    expect_status(page, f"Norway: 1 of {ALL} countries.")
    assert shown_rows(page) == ["NO"]
    assert coloured_countries(page) == {"NO"}
    expect(page).to_have_url(f"{world}?country=NO")
    search.fill("Iceland")
    expect_status(page, "No coverage record is published for Iceland.")
    search.fill("xyz")
    expect_status(page, "No country matches “xyz”.")


@pytest.mark.parametrize(("text", "market"), [("China", "CN"), ("hong", "HK"), ("chin", "HK")])
def test_a_whole_name_is_that_country_alone(text: str, market: str, page: Page, world: str) -> None:
    """It is not another one that has the name among its words."""
    script = urljoin(world, "../assets/devportal/market-names.js")

    found = page.evaluate(
        """async ([script, text]) => {
          const { MarketNames } = await import(script);
          return new MarketNames([["HK", "Hong Kong SAR China"]], { areCountries: true }).typed(text);
        }""",
        [script, text],
    )

    assert found == {"market": market, "find": ""}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_support_differs_by_more_than_colour(browser: Browser, world: str, scheme: str) -> None:
    """Full is a colour, limited is a pattern, and land without a record is another colour."""
    with browser.new_context(color_scheme="dark" if scheme == "dark" else "light") as context:
        page = context.new_page()
        page.goto(world)

        assert fill_of(page, "NO").startswith("rgb")
        assert "dp-world-stripes" in fill_of(page, "AU")
        land = page.locator("path.dp-world__land").evaluate("land => getComputedStyle(land).fill")
        assert land != fill_of(page, "NO")


@pytest.mark.parametrize(("path", "scheme"), schemes_in_turn("", "sms/"))
def test_there_is_no_barrier(path: str, scheme: Scheme, browser: Browser, world: str) -> None:
    """The rules of axe-core find nothing, on the page of all and on that of a channel."""
    viewport = WIDE if scheme == "light" else PHONE
    with browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        open_and_settle(page, f"{world}{path}")

        assert violations(page) == []


def test_nothing_is_refused_or_fetched_from_elsewhere(context: BrowserContext, world: str) -> None:
    """Under a strict content policy the page makes no complaint."""
    page = context.new_page()
    watched = watch(page, world.removesuffix("/coverage/"))
    open_and_settle(page, world)

    assert watched.complaints == []


def test_a_phone_shows_the_whole_map(browser: Browser, world: str) -> None:
    """At 390 pixels nothing is wider than the screen, dots can still be seen, and rows are cards."""
    with browser.new_context(viewport=PHONE) as context:
        page = context.new_page()
        page.goto(world)

        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        map_box = page.locator(".dp-world__map").bounding_box()
        assert map_box is not None
        assert map_box["width"] > 300
        dot = page.locator(".dp-world__map a[data-country=MT] circle").bounding_box()
        assert dot is not None
        assert dot["width"] >= 3.5
        link = page.locator("#country-mt a").bounding_box()
        assert link is not None
        assert link["x"] < 60


def test_without_scripts_all_is_there(browser: Browser, world: str) -> None:
    """The map has its links and the table its rows; a channel is a page, and no form is shown."""
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(world)

        assert page.locator(".dp-world__map a").count() == ALL
        assert len(shown_rows(page)) == ALL
        expect(page.locator("form[data-markets]")).to_be_hidden()
        page.get_by_label("Channels").get_by_role("link", name="Voice").click()
        expect(page).to_have_url(f"{world}voice/")
        assert sorted(shown_rows(page)) == sorted(FULL[:4])
        page.locator(".dp-world__map a[data-country=BR] path").click()
        expect(page).to_have_url(f"{world}br/")


def test_a_filter_leaves_out_rows_and_countries(page: Page, world: str) -> None:
    """What is chosen shows in the table, on the map, in the status and in the address."""
    filter_of(page, "region").select_option("europe")
    filter_of(page, "support").select_option("limited")

    expect_status(page, f"Europe, Limited: 3 of {ALL} countries.")
    assert sorted(shown_rows(page)) == ["DE", "FR", "MT"]
    assert coloured_countries(page) == {"DE", "FR", "MT"}
    expect(page).to_have_url(f"{world}?region=europe&support=limited")
    expect(page.locator("#region-asia")).to_be_hidden()
    expect(page.locator("#region-europe [data-markets-count]")).to_have_text("3")
    expect(page.locator(".dp-world__map a[data-country=US]")).to_have_attribute("tabindex", "-1")
    assert "dp-world-stripes" not in fill_of(page, "AU")


def test_channels_are_pages_and_no_filter(page: Page) -> None:
    """A channel is chosen once, above the filters."""
    assert filter_of(page, "channel").count() == 0
    page.get_by_label("Channels").get_by_role("link", name="Voice").click()
    expect_status(page, "4 countries.")

    assert sorted(shown_rows(page)) == sorted(FULL[:4])


def test_the_way_back_is_kept(page: Page, world: str) -> None:
    """Going back takes the last choice back, and a clear takes all."""
    filter_of(page, "region").select_option("asia")
    filter_of(page, "support").select_option("full")
    expect_status(page, f"Asia, Full: 1 of {ALL} countries.")
    assert shown_rows(page) == ["IN"]
    page.go_back()

    expect_status(page, f"Asia: 3 of {ALL} countries.")
    assert sorted(shown_rows(page)) == ["IN", "JP", "SG"]
    assert filter_of(page, "support").input_value() == ""
    page.get_by_role("button", name="Clear").click()
    expect_status(page, f"{ALL} countries.")
    assert len(shown_rows(page)) == ALL
    expect(page).to_have_url(world)


def test_an_address_is_a_choice(page: Page, world: str) -> None:
    """A shared address shows what was chosen; what no filter knows is left out, and told as text."""
    page.goto(f"{world}?region=africa&support=<img src=x>")

    expect_status(page, f"Africa: 2 of {ALL} countries. Not found and ignored: support ‘<img src=x>’.")
    assert sorted(shown_rows(page)) == ["EG", "ZA"]


def test_codes_ignore_case_and_one_control_is_one_step(page: Page, world: str) -> None:
    """An address is typed by hand as well, and the keyboard does not fill the history."""
    page.goto(f"{world}?region=AFRICA&region=asia")
    region = page.locator("form[data-markets] select[name=region]")
    expect(region).to_have_value("africa")
    expect(page.locator("[data-markets-status]")).to_contain_text(
        "Given more than once, the first is used: region."
    )
    steps = page.evaluate("history.length")

    region.focus()
    page.keyboard.press("ArrowUp")
    expect(region).not_to_have_value("africa")
    page.keyboard.press("ArrowDown")
    expect(region).to_have_value("africa")

    assert page.evaluate("history.length") == steps + 1
