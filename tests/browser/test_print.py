"""Pages of rates and coverage on paper: a hand-out on A4 or letter, whatever the screen was."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

WIDTHS = {"A4": 210 - 26, "Letter": 216 - 26}
"""Millimetres between the margins."""
PAGES = ("rates/", "rates/sms/", "coverage/", "coverage/no/")
TO_CLICK = (
    ".md-header, .md-tabs, .md-sidebar, .md-footer, .dp-areas, .dp-crumbs, .dp-page-actions, .dp-anchor,"
    " .dp-choices, .dp-world, .dp-hand-out, .dp-filter, button, input, textarea"
)
COLOURS = """() => [...document.querySelectorAll('.md-content *')]
    .filter((one) => one.checkVisibility() && one.textContent.trim())
    .map((one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor])
    .flat()"""

LINES = """(all) => all.flatMap((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size;
    return lines > one.textContent.trim().split(/\\s+/).length ? [one.textContent] : [];
})"""
"""The texts of elements that take more lines than they have words."""


@pytest.fixture(scope="module", params=[pytest.param("light", marks=pytest.mark.deep), "dark"])
def print_preview(request: pytest.FixtureRequest, browser: Browser, origin: str) -> Iterator[Page]:
    """Yield a page in print media, from a light or a dark screen."""
    with browser.new_context(color_scheme=request.param) as context:
        page = context.new_page()
        page.emulate_media(media="print")
        page.goto(origin)
        yield page


def lay_out(page: Page, address: str, *, paper: str = "A4") -> None:
    """Load a page of the portal and lay it out as wide as the paper is between its margins."""
    page.set_viewport_size({"width": round(WIDTHS[paper] / 25.4 * 96), "height": 1000})
    page.goto(f"{re.match('https?://[^/]+', page.url)[0]}/portal/{address}")  # type: ignore[index]


@pytest.mark.parametrize("address", PAGES)
def test_a_hand_out_is_all_that_is_printed(print_preview: Page, address: str) -> None:
    """Black on white, without anything to click; it says whose it is and where it is found."""
    lay_out(print_preview, address)

    assert print_preview.locator(TO_CLICK).locator("visible=true").count() == 0
    assert print_preview.locator("h1").is_visible()
    _is_black_on_white(print_preview)
    _says_whose_it_is(print_preview, address)


def _is_black_on_white(printed: Page) -> None:
    """Whatever the colours of the screen are: dark greys on nothing or white."""
    colours = {tuple(map(float, re.findall(r"[\d.]+", item))) for item in printed.evaluate(COLOURS)}
    inks = {colour for colour in colours if colour not in {(0, 0, 0, 0), (255, 255, 255)}}
    assert inks <= {(0, 0, 0), (51, 51, 51)}
    assert printed.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def _says_whose_it_is(printed: Page, address: str) -> None:
    """Service and address above the title, the day, that it is sample data; no checksum without its file."""
    head, body = printed.locator(".dp-print-head"), printed.locator("article").inner_text()
    assert head.inner_text().split("\n") == [
        "Programmable Messaging",
        f"https://devportal.example.com/{address}",
    ]
    assert head.bounding_box()["y"] < printed.locator("h1").bounding_box()["y"]  # type: ignore[index]
    assert "2026-12-01" in body
    assert "Sample data." in body
    assert not re.search(r"[0-9a-f]{64}", body)
    printed.emulate_media(media="screen")
    assert not head.is_visible()
    printed.emulate_media(media="print")


@pytest.mark.parametrize("paper", WIDTHS)
@pytest.mark.parametrize("address", ["rates/sms/", "rates/voice/", "coverage/", "coverage/no/"])
def test_tables_stay_tables(print_preview: Page, address: str, paper: str) -> None:
    """As wide as the paper at most, with a head that is repeated and rows that are not divided."""
    lay_out(print_preview, address, paper=paper)
    tables = print_preview.locator("table.dp-catalog-table").locator("visible=true")

    assert tables.count() > 0
    for table in tables.all():
        display = "one => getComputedStyle(one).display"
        assert table.evaluate(display) == "table"
        assert table.locator("thead").evaluate(display) == "table-header-group"
        rows = table.locator("tbody tr").locator("visible=true")
        assert (
            rows.evaluate_all("all => all.map(one => getComputedStyle(one).breakInside)")
            == ["avoid"] * rows.count()
        )
    assert print_preview.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tables.locator("th a").evaluate_all(LINES) == []


def test_what_opens_with_a_click_is_printed(print_preview: Page) -> None:
    """Each response and all nested fields of an operation, whatever is open on the screen."""
    lay_out(print_preview, "reference/messages/send-message/")
    folds = print_preview.locator("details:is(.dp-nested, .dp-response)")
    folds.evaluate_all("(all) => all.forEach((one) => { one.open = false; })")

    assert folds.count() > 1
    assert folds.evaluate_all("(all) => all.every((one) => one.lastElementChild.checkVisibility())")


def test_a_hand_out_repeats_the_filter(print_preview: Page) -> None:
    """In words, with the numbers of its rows and its address; the numbers of the whole page are left out."""
    lay_out(print_preview, "rates/sms/")
    expect(print_preview.locator(".dp-lead")).to_be_visible()

    print_preview.goto(f"{print_preview.url}?country=NO")

    expect(print_preview.locator("[data-filter-status]")).to_have_text(
        re.compile(r"Norway: \d+ rates? of \d+, 0\.1000 EUR\.")
    )
    expect(print_preview.locator(".dp-lead")).to_be_hidden()
    expect(print_preview.locator(".dp-print-head span")).to_have_text(
        "https://devportal.example.com/rates/sms/?country=NO"
    )


def test_it_prints(browser: Browser, origin: str) -> None:
    """A table longer than a page gives pages with numbers, and its head on each of them."""
    with browser.new_context(color_scheme="dark") as context:
        page = context.new_page()
        page.goto(f"{origin}/portal/rates/sms/")
        page.locator(".dp-catalog-table tbody").first.evaluate(
            "body => { for (let time = 0; time < 3; time += 1) body.append(body.cloneNode(true)); }"
        )
        file = page.pdf(format="A4")

    assert file.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", file)) > 3
