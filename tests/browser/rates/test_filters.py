"""The filters of a product's rates: at once with a script, as pages without one."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.measuring import shift_of
from tests.browser.serving import serving
from tests.browser.test_accessibility import violations
from tests.browser.test_layout import overflow
from tests.browser.views import PHONE, SMALL, WIDE, Scheme, schemes_in_turn
from tests.browser.watching import let_work, open_and_settle, watch

from .rates_site import FEW, MANY, WIDE_ROWS, make_rates_site, make_site_of

pytestmark = pytest.mark.browser

EVERY = len(FEW)


@pytest.fixture(scope="module")
def short_page_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of the page of SMS rates that all stand on it."""
    with serving(make_rates_site(tmp_path_factory.mktemp("few"), is_long=False)) as origin:
        yield f"{origin}/rates/sms/"


@pytest.fixture(scope="module")
def long_page_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of the page of SMS rates that a file holds."""
    with serving(make_rates_site(tmp_path_factory.mktemp("many"), is_long=True)) as origin:
        yield f"{origin}/rates/sms/"


@pytest.fixture(scope="module")
def wide_site_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of the root of a site whose rows are as wide as rows get."""
    with serving(make_site_of(WIDE_ROWS, tmp_path_factory.mktemp("wide"))) as origin:
        yield f"{origin}/"


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """Return a page in it."""
    return context.new_page()


def control(page: Page, name: str) -> Locator:
    """Return the control of a filter, by its name in addresses."""
    return page.locator(f".dp-filter [name={name}]")


def visible_row_ids(page: Page) -> list[str]:
    """Return the ids of the rows that are shown, in order."""
    ids: list[str] = page.eval_on_selector_all(
        "tr[id^=rate-]", "(rows) => rows.filter((row) => row.checkVisibility()).map((row) => row.id)"
    )
    return ids


def expect_shown(page: Page, number: int) -> None:
    """Wait until so many rows are shown."""
    expect(page.locator("tr[id^=rate-]:visible")).to_have_count(number)


def open_filters(page: Page, address: str) -> None:
    """Open a page of few rates, and wait until its filters work."""
    page.goto(address)
    expect(control(page, "network").locator("option")).to_have_count(2)


def test_a_choice_leaves_the_rows_that_fit(page: Page, short_page_url: str) -> None:
    """Two filters together, the number of what is left, and all of it again."""
    open_filters(page, short_page_url)

    control(page, "country").fill("NO")
    control(page, "direction").select_option("outbound")

    expect_shown(page, 2)
    assert set(visible_row_ids(page)) == {"rate-no-sms-1", "rate-no-sms-any-1"}
    expect(page.locator("[data-filter-status]")).to_have_text(
        f"Norway, Outbound: 2 rates of {EVERY}, 0.100 EUR; 0.110 USD."
    )
    page.get_by_role("button", name="Clear").click()
    expect_shown(page, EVERY)
    expect(control(page, "country")).to_be_focused()
    expect(page).to_have_url(short_page_url)


def test_the_address_holds_what_is_chosen(page: Page, short_page_url: str) -> None:
    """It can be shared, reloaded, and left with the back button."""
    open_filters(page, short_page_url)

    control(page, "country").fill("NO")
    control(page, "type").select_option("mobile")
    expect(page).to_have_url(f"{short_page_url}?country=NO&type=mobile")
    page.reload()
    expect(control(page, "type")).to_have_value("mobile")
    expect_shown(page, 1)
    assert visible_row_ids(page) == ["rate-no-sms-1"]

    page.go_back()
    expect(control(page, "type")).to_have_value("")
    expect(control(page, "country")).to_have_value("Norway")
    expect_shown(page, 3)
    page.go_forward()
    expect(control(page, "type")).to_have_value("mobile")
    expect_shown(page, 1)
    assert visible_row_ids(page) == ["rate-no-sms-1"]


def test_wrong_values_in_an_address_are_left_out_with_a_word(page: Page, short_page_url: str) -> None:
    """What is no country is told as text; the filters that are right hold."""
    watched = watch(page, short_page_url.split("/rates", maxsplit=1)[0])

    open_filters(
        page, f"{short_page_url}?country=%3Cimg%20src%3Dx%3E&direction=inbound&order=sideways&extra=1"
    )

    expect_shown(page, 2)
    assert set(visible_row_ids(page)) == {"rate-no-sms-in-1", "rate-dk-sms-in-1"}
    expect(page.locator("[data-filter-status]")).to_have_text(
        f"Inbound: 2 rates of {EVERY}, 0.020 to 0.060 EUR."
        " Not found and ignored: country ‘<img src=x>’, order ‘sideways’."
    )
    assert watched.complaints == []


def test_a_country_without_a_rate_is_named_with_the_next_step(page: Page, short_page_url: str) -> None:
    """By its code or its name, also if the portal has no page for it; nothing of the table is shown."""
    page.goto(f"{short_page_url}?country=de")
    status, steps = page.locator("[data-filter-status]"), page.locator("[data-filter-next]")

    expect(status).to_have_text("No SMS rate is published for Germany.")
    expect_shown(page, 0)
    expect(page.locator("th:visible")).to_have_count(0)
    expect(steps.get_by_role("link")).to_have_text(["Coverage", "All SMS rates"])
    control(page, "country").fill("Iceland")
    expect(status).to_have_text("No SMS rate is published for Iceland.")
    expect(page).to_have_url(f"{short_page_url}?country=IS")

    steps.get_by_role("link", name="All SMS rates").click()
    expect(page).to_have_url(short_page_url)
    expect_shown(page, EVERY)


def test_a_filter_without_rates_leads_on(page: Page, short_page_url: str) -> None:
    """What is published for the country is one link away; a text that names none says so."""
    page.goto(f"{short_page_url}?country=SE&direction=inbound")
    status, steps = page.locator("[data-filter-status]"), page.locator("[data-filter-next]")

    expect(status).to_have_text("No SMS rate is published for Sweden, Inbound.")
    steps.get_by_role("link", name="All SMS rates for Sweden").click()
    expect_shown(page, 1)
    control(page, "country").fill("xyz")
    expect(status).to_have_text("No country matches “xyz”.")


def test_a_text_finds_several_countries(page: Page, short_page_url: str) -> None:
    """By the beginning of any word, whatever the case; the address keeps the text."""
    open_filters(page, short_page_url)

    control(page, "country").fill("d")
    expect_shown(page, 2)
    control(page, "country").fill("NORW")
    expect_shown(page, 3)
    expect(page).to_have_url(f"{short_page_url}?country=NO")


def test_a_link_to_what_is_filtered_is_shared(
    page: Page, context: BrowserContext, short_page_url: str
) -> None:
    """The button copies the address with the filter, and says so."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_filters(page, f"{short_page_url}?country=NO")

    page.get_by_role("button", name="Share").click()

    expect(page.locator("[data-shared]")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{short_page_url}?country=NO"


def test_print_prints_the_page(page: Page, short_page_url: str) -> None:
    """The button opens the browser's own dialog."""
    page.add_init_script("window.print = () => { window.printed = true; };")
    open_filters(page, short_page_url)

    page.get_by_role("button", name="Print").click()

    assert page.evaluate("window.printed") is True


def test_choices_count_what_they_would_leave(page: Page, short_page_url: str) -> None:
    """A choice that would leave nothing cannot be chosen, and names are text."""
    open_filters(page, short_page_url)

    expect(control(page, "network")).to_contain_text("Fjord <b> (242-010) (2)")
    control(page, "country").fill("SE")

    expect(control(page, "direction").locator("option[value=inbound]")).to_be_disabled()
    expect(control(page, "direction").locator("option[value=outbound]")).to_have_text("Outbound (1)")
    expect(control(page, "network").locator("option")).to_have_count(1)


def test_prices_are_sorted_as_numbers_within_a_currency(page: Page, short_page_url: str) -> None:
    """0.9 is more than 0.10, and euros are not compared with dollars; the order is in the address."""
    open_filters(page, short_page_url)

    control(page, "order").select_option("cheapest")

    expect(page.locator("th", has_text="Price")).to_have_attribute("aria-sort", "ascending")
    assert visible_row_ids(page) == [f"rate-{item}-1" for item in (
        "no-sms-in", "dk-sms", "dk-sms-in", "no-sms", "se-sms", "no-sms-any"
    )]  # fmt: skip
    expect(page).to_have_url(f"{short_page_url}?order=cheapest")
    control(page, "order").select_option("")
    expect(page.locator("th[aria-sort]")).to_have_count(0)
    assert visible_row_ids(page)[0] == "rate-dk-sms-1"


def test_filters_are_used_with_the_keyboard(page: Page, short_page_url: str) -> None:
    """A country is found as its name is typed, and the next key leads on."""
    open_filters(page, short_page_url)

    control(page, "country").focus()
    page.keyboard.type("swe")
    page.keyboard.press("Tab")

    expect_shown(page, 1)
    assert visible_row_ids(page) == ["rate-se-sms-1"]
    expect(control(page, "country")).to_have_value("Sweden")
    expect(control(page, "direction")).to_be_focused()


def test_rates_are_read_and_chosen_without_scripts(browser: Browser, short_page_url: str) -> None:
    """Each choice is a page; the controls that could do nothing are not shown."""
    with browser.new_context(viewport=PHONE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{short_page_url}?country=NO")

        expect(page.locator("form.dp-filter")).to_be_hidden()
        expect(page.get_by_role("button", name="Share")).to_be_hidden()
        expect(page.get_by_text("Each link opens a page")).to_be_visible()
        expect(page.locator("tr[id^=rate-]:visible")).to_have_count(EVERY)
        page.get_by_role("navigation", name="Filters as pages").get_by_role("link", name="Inbound").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Inbound SMS rates")
        expect(page.get_by_role("link", name="Filter further")).to_be_hidden()
        expect(page.locator("tr[id^=rate-]:visible")).to_have_count(2)
        page.get_by_role("link", name="Networks by country").click()
        page.get_by_role("link", name="Fjord <b>").click()
        expect(page).to_have_url(re.compile(r"/coverage/no/#rate-no-sms-1$"))
        expect(page.locator("#rate-no-sms-1")).to_be_in_viewport()


def test_nothing_jumps_when_the_script_comes(browser: Browser, short_page_url: str) -> None:
    """The controls are there before the first paint, and links to pages for choices are not."""
    with browser.new_context(viewport=PHONE) as context:
        page = context.new_page()
        open_and_settle(page, short_page_url)

        expect(page.get_by_role("navigation", name="Filters as pages")).to_be_hidden()
        assert shift_of(page) < 0.1


@pytest.mark.parametrize(
    ("path", "scheme"), schemes_in_turn("", "inbound/", "networks/", "../", "../../coverage/no/")
)
def test_pages_have_no_barrier_and_fit(
    path: str, scheme: Scheme, browser: Browser, short_page_url: str
) -> None:
    """The rules of axe-core find nothing, and nothing scrolls sideways, down to the smallest phone."""
    viewport = WIDE if scheme == "light" else PHONE
    with browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        watched = watch(page, short_page_url.split("/rates", maxsplit=1)[0])
        open_and_settle(page, f"{short_page_url}{path}")

        assert violations(page) == []
        assert watched.complaints == []
        assert [overflow(page, each) for each in (WIDE, PHONE, SMALL)] == ["", "", ""]


def test_many_rates_come_from_a_file_when_they_are_asked_for(page: Page, long_page_url: str) -> None:
    """Countries stand on the page; a choice shows rows of the file, some at a time."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_and_settle(page, long_page_url)
    assert not [text for text in asked if text.endswith("rows.json")]
    expect(page.locator("[data-filter-all] tbody tr:visible")).to_have_count(3)

    control(page, "country").fill("NO")

    status = page.locator("[data-filter-status]")
    expect(status).to_contain_text(f"Norway: {MANY // 3} rates of {MANY}, ")
    expect_shown(page, 50)
    expect(page.locator("[data-filter-all]")).to_be_hidden()
    page.get_by_role("button", name="Show 200 more of 250").click()
    expect_shown(page, 250)
    page.get_by_role("button", name="Show 50 more of 50").click()
    expect_shown(page, MANY // 3)
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("[data-filter-all]")).to_be_visible()
    assert visible_row_ids(page) == []


def test_a_row_of_the_file_reads_like_one_of_a_page(page: Page, long_page_url: str) -> None:
    """The same texts in the same cells, and a link to the country."""
    page.goto(f"{long_page_url}?network=242-003")
    row = page.locator("#rate-no-sms-003-1")
    expect(row).to_be_visible()
    made = [re.sub(r"\s+", " ", text) for text in row.locator("td").all_inner_texts()]

    row.get_by_role("link", name="Norway").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Norway: coverage and rates")
    page.get_by_role("link", name="page 1", exact=True).click()
    cells = page.locator("#rate-no-sms-003-1 td")
    expect(cells).not_to_have_count(0)
    there = [re.sub(r"\s+", " ", text) for text in cells.all_inner_texts()]

    assert made == ["Norway", *there[:-2]]
    assert "Net 003 MCC 242 MNC 003" in made


def test_networks_of_many_are_offered_by_country(page: Page, long_page_url: str) -> None:
    """A list of hundreds helps nobody: the country comes first."""
    open_and_settle(page, long_page_url)

    control(page, "direction").select_option("inbound")
    expect(control(page, "network")).to_be_disabled()
    expect(control(page, "network")).to_contain_text("Country first")
    control(page, "country").fill("SE")

    expect(control(page, "network")).to_be_enabled()
    expect(control(page, "network").locator("option")).to_have_count(MANY // 3 + 1)
    control(page, "network").select_option("242-010")
    expect_shown(page, 1)
    assert visible_row_ids(page) == ["rate-se-sms-010-1"]
    control(page, "country").fill("NO")
    expect(control(page, "network")).to_have_value("")


def test_a_file_that_cannot_be_had_is_told(page: Page, long_page_url: str) -> None:
    """The page says where the rates are instead."""
    page.route("**/rows.json", lambda route: route.abort())
    page.goto(long_page_url)

    control(page, "country").fill("NO")

    expect(page.locator("[data-filter-status]")).to_contain_text("could not be loaded")
    expect(page.locator("[data-filter-all]")).to_be_visible()


_HELD = """
  const fetched = window.fetch;
  window.fetch = (...asked) => new Promise((go) => { window.release = go; }).then(() => fetched(...asked));
"""


@pytest.mark.parametrize("outcome", ["requestfinished", "requestfailed"])
def test_what_is_cleared_while_the_file_loads_stays_cleared(
    page: Page, long_page_url: str, outcome: str
) -> None:
    """Neither the file nor the word that it cannot be had brings back a choice that was taken back."""
    if outcome == "requestfailed":
        page.route("**/rows.json", lambda route: route.abort())
    page.add_init_script(_HELD)
    page.goto(long_page_url)
    status = page.locator("[data-filter-status]")
    control(page, "country").fill("NO")
    expect(status).to_have_text("Loading the rates…")

    page.get_by_role("button", name="Clear").click()
    expect(control(page, "country")).to_have_value("")
    expect(status).not_to_have_text("Loading the rates…")
    before = status.inner_text()
    release(page, outcome)

    expect(control(page, "country")).to_have_value("")
    expect(status).to_have_text(before)
    expect(page.locator("[data-filter-all]")).to_be_visible()
    expect(page).to_have_url(long_page_url)


def release(page: Page, outcome: str = "requestfinished") -> None:
    """Let the file come, or fail, and let the page do with it what it ought not to do."""
    with page.expect_event(outcome):
        page.evaluate("release()")
    let_work(page)


def test_the_last_of_two_choices_holds(page: Page, long_page_url: str) -> None:
    """Also where both were made before there was anything to choose from."""
    page.add_init_script(_HELD)
    page.goto(long_page_url)
    control(page, "country").fill("NO")
    control(page, "country").fill("SE")

    release(page)

    expect(page).to_have_url(f"{long_page_url}?country=SE")
    expect(page.locator("[data-filter-status]")).to_contain_text(f"Sweden: {MANY // 3} rates of {MANY}, ")


def test_going_back_while_the_file_loads_takes_the_choice_back(page: Page, long_page_url: str) -> None:
    """The address of before asks for nothing, and so do the controls."""
    page.add_init_script(_HELD)
    page.goto(long_page_url)
    page.evaluate("location.hash = 'here'")
    control(page, "country").fill("NO")

    page.go_back()
    expect(control(page, "country")).to_have_value("")
    release(page)

    expect(page).to_have_url(long_page_url)
    expect(control(page, "country")).to_have_value("")
    expect(page.locator("[data-filter-status]")).not_to_contain_text("Loading")
    expect(page.locator("[data-filter-all]")).to_be_visible()


def test_many_rates_have_no_barrier(page: Page, long_page_url: str) -> None:
    """Neither has the table of countries, nor the rows of the file."""
    open_and_settle(page, f"{long_page_url}?direction=inbound")
    expect(page.locator("#rate-dk-sms-005-1")).to_be_visible()

    assert violations(page) == []
    assert overflow(page, PHONE) == ""


@pytest.mark.parametrize("path", ["rates/number/", "rates/voice/", "coverage/no/", "coverage/ba/"])
def test_wide_rows_fit_the_smallest_phone(page: Page, wide_site_url: str, path: str) -> None:
    """Long prices, prefixes and dates wrap: nothing scrolls sideways (WCAG 2.2, 1.4.10)."""
    page.goto(f"{wide_site_url}{path}")

    assert [overflow(page, each) for each in (WIDE, PHONE, SMALL)] == ["", "", ""]


_LINES = """(row) => {
  const lines = [];
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (const range = document.createRange(); texts.nextNode();) {
    range.selectNodeContents(texts.currentNode);
    for (const { top, bottom } of range.getClientRects()) {
      const middle = (top + bottom) / 2;
      if (!lines.some((one) => Math.abs(one - middle) < 6)) lines.push(middle);
    }
  }
  return lines.length;
}"""


@pytest.mark.parametrize("path", ["", "../../coverage/no/", "../../coverage/dk/"])
def test_a_rate_takes_four_lines_on_a_phone(page: Page, short_page_url: str, path: str) -> None:
    """All cells are there, beside each other: a list of prices is no endless scroll."""
    page.set_viewport_size(PHONE)
    page.goto(f"{short_page_url}{path}")
    rows = page.locator("tr[id^=rate-]")

    expect(rows).not_to_have_count(0)
    for row in rows.all():
        expect(row.locator("td:visible")).to_have_count(6 if path == "" else 7)
        assert row.evaluate(_LINES) <= 4


def test_a_row_of_the_file_is_as_short_on_a_phone(page: Page, long_page_url: str) -> None:
    """A row that the script makes looks like one that stands on a page."""
    page.set_viewport_size(PHONE)
    page.goto(f"{long_page_url}?country=NO")

    assert page.locator("#rate-no-sms-003-1").evaluate(_LINES) <= 4


def test_a_shared_filter_does_not_make_the_page_jump(browser: Browser, short_page_url: str) -> None:
    """What the filter leaves is the first that is seen of the table."""
    with browser.new_context(viewport={"width": 1440, "height": 1400}) as context:
        page = context.new_page()
        open_and_settle(page, f"{short_page_url}?country=SE")

        expect(page.locator("#rate-se-sms-1")).to_be_visible()
        assert shift_of(page) < 0.02


@pytest.mark.parametrize("failing", ["abort", "hang", "break"])
def test_a_table_is_shown_when_its_script_fails(page: Page, short_page_url: str, failing: str) -> None:
    """Not loaded, late or broken: the rows that were held back for the filter are there all the same."""
    match failing:
        case "abort":
            page.route("**/immutable/hand-out.*.js", lambda route: route.abort())
        case "break":
            page.route(
                "**/immutable/hand-out.*.js",
                lambda route: route.fulfill(body="throw new Error('no')", content_type="text/javascript"),
            )
        case _:
            page.route("**/immutable/hand-out.*.js", lambda _route: None)
    page.goto(f"{short_page_url}?country=NO", wait_until="commit")

    expect(page.locator("#rate-se-sms-1")).to_be_visible()


def test_one_control_makes_one_step_back(page: Page, short_page_url: str) -> None:
    """A reader does not have to go back through a name letter by letter."""
    open_filters(page, short_page_url)
    steps = page.evaluate("history.length")

    control(page, "country").focus()
    page.keyboard.type("sweden")
    expect(page).to_have_url(f"{short_page_url}?country=SE")
    assert page.evaluate("history.length") == steps + 1
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")

    expect(control(page, "direction")).not_to_have_value("")
    assert page.evaluate("history.length") == steps + 2
    page.go_back()
    expect(control(page, "country")).to_have_value("Sweden")
    page.go_back()
    expect(control(page, "country")).to_have_value("")


def test_codes_in_an_address_ignore_case(page: Page, short_page_url: str) -> None:
    """An address is typed by hand as well; what is given twice is told."""
    open_filters(page, f"{short_page_url}?country=no&direction=Outbound&country=SE&currency=eur")

    expect(control(page, "country")).to_have_value("Norway")
    expect(control(page, "currency")).to_have_value("EUR")
    expect_shown(page, 1)
    assert visible_row_ids(page) == ["rate-no-sms-1"]
    expect(page.locator("[data-filter-status]")).to_have_text(
        f"Norway, Outbound, EUR: 1 rate of {EVERY}, 0.100 EUR."
        " Given more than once, the first is used: country."
    )


def test_examples_of_other_rates_are_hidden_while_a_filter_is_set(page: Page, short_page_url: str) -> None:
    """Beside the rates of Sweden no sum of another country stands."""
    open_filters(page, short_page_url)
    page.locator(".dp-estimate summary").click()
    examples = page.get_by_role("heading", name="Worked examples")
    expect(examples).to_be_visible()

    control(page, "country").fill("SE")
    expect(examples).to_be_hidden()
    expect(page.locator(".dp-estimate__examples")).to_be_hidden()
    page.get_by_role("button", name="Clear").click()

    expect(examples).to_be_visible()
