"""The estimator in a browser: what it computes, for whom, and that it keeps nothing."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from devportal.catalog.pages.estimate import unit_data
from devportal.catalog.records.billing import cost
from tests.browser.serving import serving
from tests.browser.test_accessibility import violations
from tests.browser.views import PHONE, WIDE, Scheme, schemes_in_turn
from tests.browser.watching import settle, watch
from tests.catalog.billing_examples import BILLED_SECONDS, COSTS
from tests.catalog.own_book import Unit

from .priced_site import HOSTILE, make_priced_site

pytestmark = pytest.mark.browser

NORWAY, SMS = "coverage/no/", "rates/sms/"
OPENED = "#estimate"
"""Behind the address of a product: it opens the estimator, which is one line there."""
MOST_OF_A_LINE = 120
"""Pixels, with the space around it; on a phone its words take a second line."""
UNIT_DATA = {unit.key: unit_data(unit) for unit in Unit}
"""What a page says of each unit, to the script."""
RESTED_MS = 1000
"""After so long a pause what is typed is read aloud."""
_COMPUTE = """async ([module, units, examples]) => {
  const { arithmetic, billedAmount, cost } = await import(module);
  const use = ({ increment, ...one }) => ({ currency: "EUR", ...one, steps: increment, unit: units[one.unit],
    amount: BigInt(one.amount), times: BigInt(one.times) });
  return examples.map((one) => "duration_s" in one
    ? Number(billedAmount(BigInt(one.duration_s), one.increment))
    : [cost(use(one)).text, cost(use(one)).isExact, arithmetic(use(one))]);
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site."""
    return make_priced_site(tmp_path_factory.mktemp("priced"))


@pytest.fixture(scope="module")
def priced(folder: Path) -> Iterator[str]:
    """Yield the address of the site."""
    with serving(folder) as origin:
        yield f"{origin}/"


@pytest.fixture
def page(context: BrowserContext, priced: str) -> Page:
    """Return the page of Norway, with the estimator at work."""
    return opened(context, priced + NORWAY)


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_label("Rate", exact=True)).to_be_visible()
    return page


def choose(page: Page, words: str) -> None:
    """Choose the rate whose option has these words."""
    option = page.locator("#estimate-rate option", has_text=words)
    page.get_by_label("Rate", exact=True).select_option(value=option.get_attribute("value"))


def sum_of(page: Page) -> Locator:
    return page.locator("[data-part=sum]")


def number(page: Page, name: str) -> Locator:
    """Return one of the numbers, by the word above it."""
    return page.locator(".dp-estimate__numbers > div", has_text=name).locator("dd")


def test_browser_and_build_compute_alike(page: Page, priced: str) -> None:
    """The examples that the rules in Python are held to, digit for digit."""
    module = f"{priced}assets/devportal/estimate-cost.js"

    billed = page.evaluate(_COMPUTE, [module, UNIT_DATA, BILLED_SECONDS])
    costs = page.evaluate(_COMPUTE, [module, UNIT_DATA, COSTS])

    assert billed == [one["billed_s"] for one in BILLED_SECONDS]
    assert costs == [[one["cost"], one["exact"], one["sum"]] for one in COSTS]


def test_browser_and_build_compute_any_use_alike(page: Page, priced: str) -> None:
    """A thousand uses, drawn the same each time, with prices of up to 8 places."""
    rng = Random(33)  # noqa: S311 - no secret, the same numbers each time
    uses: list[dict[str, Any]] = [
        {
            "price": f"{Decimal(rng.randrange(10**9)).scaleb(-rng.randrange(9)):f}",
            "unit": rng.choice([unit.key for unit in Unit]),
            "amount": rng.randrange(10**4),
            "times": rng.randrange(10**6),
            "increment": f"{rng.randrange(1, 61)}/{rng.randrange(1, 61)}",
        }
        for _ in range(1000)
    ]

    found = page.evaluate(_COMPUTE, [f"{priced}assets/devportal/estimate-cost.js", UNIT_DATA, uses])

    for use, (text, _is_exact, _sum) in zip(uses, found, strict=True):
        expected = cost(
            Decimal(str(use["price"])),
            Unit(str(use["unit"])),
            int(use["amount"]),
            steps=str(use["increment"]),
            times=int(use["times"]),
        )
        assert text == f"{expected:f}", use


def test_a_text_is_counted_and_priced(page: Page) -> None:
    """Each key changes encoding, segments and sum; a sample says that it is one."""
    choose(page, "0.08 EUR")
    page.get_by_label("Message text").fill("a" * 161)

    expect(number(page, "Encoding")).to_have_text("GSM-7")
    expect(number(page, "Segments")).to_have_text("2")
    expect(number(page, "Estimate")).to_have_text("0.16 EUR")
    expect(sum_of(page)).to_have_text("2 segments × 0.08 EUR = 0.16 EUR")
    expect(page.locator(".dp-estimate__sum")).to_contain_text("Sample")

    page.get_by_label("Message text").fill("я" * 135)
    page.get_by_label("Messages").fill("1000")

    expect(number(page, "Encoding")).to_have_text("UCS-2")
    expect(sum_of(page)).to_have_text("1,000 messages × 3 segments × 0.08 EUR = 240.00 EUR")


def test_a_call_is_billed_by_its_increment(page: Page) -> None:
    """Seconds in place of a text, and a rounded sum says that it is one; no sample, no mark."""
    choose(page, "0.0210 USD")
    page.get_by_label("Seconds of talk in each call").fill("61")

    expect(page.get_by_label("Message text")).to_be_hidden()
    expect(number(page, "Billed")).to_have_text("61 seconds (1/1)")
    expect(sum_of(page)).to_have_text("61 s × 0.0210 USD ÷ 60 = 0.02135 USD")
    expect(page.locator(".dp-estimate__sum .dp-badge")).to_be_hidden()

    page.get_by_label("Seconds of talk in each call").fill("1")
    page.get_by_label("Calls").fill("7")
    expect(sum_of(page)).to_have_text("7 calls × 1 s × 0.0210 USD ÷ 60 = 0.00245 USD")

    page.get_by_label("Seconds of talk in each call").fill("0")
    expect(number(page, "Estimate")).to_have_text("0.00 USD")


def test_messages_and_months_have_no_segments(page: Page) -> None:
    """An RCS message is one message; a number costs months."""
    choose(page, "0.03 EUR")
    page.get_by_label("Messages").fill("3")
    expect(page.get_by_label("Message text")).to_be_hidden()
    expect(sum_of(page)).to_have_text("3 messages × 0.03 EUR = 0.09 EUR")

    choose(page, "1.50 EUR")
    expect(sum_of(page)).to_have_text("3 numbers × 12 months × 1.50 EUR = 54.00 EUR")


@pytest.mark.parametrize("wrong", ["", "-1", "1.5", "1e3", "many", "1,00", "1,000 000", ",000", "1.000"])
def test_what_is_no_number_is_told(wrong: str, page: Page) -> None:
    """In words beside the field, with nothing computed; mended, all is as before."""
    times = page.get_by_label("Messages")
    times.fill(wrong)

    expect(page.locator(".dp-estimate__wrong")).to_have_text("Messages: write a whole number, such as 10.")
    expect(times).to_have_attribute("aria-invalid", "true")
    expect(times).to_have_attribute("aria-describedby", "estimate-wrong")
    expect(sum_of(page)).to_have_text("")
    expect(number(page, "Estimate")).to_have_count(0)

    times.fill("2")
    expect(page.locator(".dp-estimate__wrong")).to_be_hidden()
    expect(times).to_have_attribute("aria-invalid", "false")
    expect(sum_of(page)).to_have_text("2 messages × 1 segment × 0.08 EUR = 0.16 EUR")


def test_a_number_too_large_is_told(page: Page) -> None:
    """None of its digits is cut off: nothing is priced that was not asked for."""
    choose(page, "0.08 EUR")
    page.get_by_label("Message text").fill("a")
    for number_of in ("1000000000", "1,000,000,000"):
        page.get_by_label("Messages").fill(number_of)

        expect(page.locator(".dp-estimate__wrong")).to_have_text("Messages: at most 999,999,999.")
        expect(sum_of(page)).to_have_text("")

    page.get_by_label("Messages").fill("999999999")
    expect(sum_of(page)).to_have_text("999,999,999 messages × 1 segment × 0.08 EUR = 79,999,999.92 EUR")

    choose(page, "0.0210 USD")
    page.get_by_label("Seconds of talk in each call").fill("6000000000")
    expect(page.locator(".dp-estimate__wrong")).to_have_text(
        "Seconds of talk in each call: at most 999,999,999."
    )


@pytest.mark.parametrize("written", ["1,234,567", "1 234 567", "1\u202f234\u202f567", " 1234567 "])
def test_a_number_in_groups_is_taken(written: str, page: Page) -> None:
    """As the page itself writes it, and as other languages do."""
    page.get_by_label("Message text").fill("a")
    page.get_by_label("Messages").fill(written)

    expect(sum_of(page)).to_have_text("1,234,567 messages × 1 segment × 0.08 EUR = 98,765.36 EUR")
    expect(number(page, "Estimate")).to_have_text("98,765.36 EUR")


def test_a_text_that_the_api_refuses_has_no_price(page: Page) -> None:
    """Of more segments than the module says are taken; one character less is priced."""
    page.get_by_label("Message text").fill("a" * 1531)

    expect(page.locator(".dp-estimate__wrong")).to_have_text(
        "The API refuses this text: it takes 11 segments, and 10 is the most."
    )
    expect(sum_of(page)).to_have_text("")

    page.get_by_label("Message text").fill("a" * 1530)
    expect(sum_of(page)).to_have_text("10 segments × 0.08 EUR = 0.80 EUR")


def test_an_empty_text_costs_nothing_and_says_so(page: Page) -> None:
    """No message is empty, so no price is shown for one."""
    page.get_by_label("Message text").fill("")

    expect(page.locator(".dp-estimate__wrong")).to_have_text("Write a text, and its segments are counted.")
    expect(number(page, "Estimate")).to_have_count(0)


def test_rates_stand_below_their_tables_or_countries(
    context: BrowserContext, page: Page, priced: str
) -> None:
    """Each option has its rate in words; which group it is of is told beside the choice."""
    groups = page.locator("#estimate-rate optgroup")
    assert [one.get_attribute("label") for one in groups.all()] == [
        "SMS rates for Norway",
        "RCS rates for Norway",
        "Voice rates for Norway",
        "Phone number rates for Norway",
    ]
    choose(page, "0.03 EUR")
    expect(page.get_by_label("Rate", exact=True)).to_have_accessible_description("RCS rates for Norway")

    product = opened(context, priced + SMS + OPENED)
    groups = product.locator("#estimate-rate optgroup")
    assert [one.get_attribute("label") for one in groups.all()] == ["Norway", "Sweden"]
    assert product.locator("#estimate-rate option").all_inner_texts() == [
        "Fjord MCC 242 MNC 010, Outbound: 0.08 EUR per segment",
        "All networks, Outbound: 0.0790 USD per segment",
        "All networks, Inbound: 0.10 EUR per segment",
    ]


@pytest.mark.parametrize("viewport", [WIDE, PHONE])
def test_above_a_long_table_it_is_a_line_that_opens(
    viewport: ViewportSize, browser: Browser, priced: str
) -> None:
    """A reader of prices sees it before the table, which it does not push away; a key or a click opens it."""
    with browser.new_context(viewport=viewport) as context:
        page = context.new_page()
        settle(page, priced + SMS)
        line, rates = page.locator(".dp-estimate"), page.locator(".dp-catalog").first
        closed, table = line.bounding_box(), rates.bounding_box()
        assert closed is not None
        assert table is not None
        assert closed["height"] < MOST_OF_A_LINE
        assert closed["y"] + closed["height"] < table["y"]
        expect(page.get_by_label("Rate", exact=True)).to_be_hidden()

        line.locator("summary").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_label("Rate", exact=True)).to_be_visible()
        expect(sum_of(page)).to_contain_text("0.08 EUR")
        assert violations(page) == []
        line.get_by_role("heading", name="Estimate a cost").click()
        expect(page.get_by_label("Rate", exact=True)).to_be_hidden()


def test_only_rates_that_a_filter_leaves_can_be_chosen(context: BrowserContext, priced: str) -> None:
    """Rows that a filter hides are left out, and come back with it."""
    page = opened(context, priced + SMS + OPENED)
    options = page.locator("#estimate-rate option")
    choose(page, "Inbound")

    page.evaluate("for (const row of document.querySelectorAll('tr[data-country=NO]')) row.hidden = true")
    expect(options).to_have_count(2)
    expect(sum_of(page)).to_contain_text("0.10 EUR")

    page.evaluate("for (const row of document.querySelectorAll('tr[data-country]')) row.hidden = true")
    expect(options).to_have_count(0)
    expect(page.locator(".dp-estimate__wrong")).to_contain_text("No rate is shown")

    page.evaluate("for (const row of document.querySelectorAll('tr[data-country]')) row.hidden = false")
    expect(options).to_have_count(3)
    expect(sum_of(page)).to_contain_text("0.08 EUR")


def test_the_first_worked_example_is_what_the_form_computes(page: Page) -> None:
    """The build's sum and the browser's are the same text."""
    examples = page.locator(".dp-estimate__examples li")
    first = examples.first.locator("span").last.inner_text()

    page.get_by_label("Message text").fill("a")

    assert first == sum_of(page).inner_text() == "1 segment × 0.08 EUR = 0.08 EUR"


def test_result_is_read_aloud_once_typing_rests(page: Page) -> None:
    """Not with each key, and not when the page opens."""
    told = page.locator(".dp-estimate output")
    at_first = told.text_content()
    page.evaluate(
        """() => {
          window.heard = [];
          const told = document.querySelector('.dp-estimate output');
          new MutationObserver(() => window.heard.push(told.textContent)).observe(told, { childList: true });
        }"""
    )

    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # typing takes as long as the machine does
    page.get_by_label("Message text").fill("")
    page.get_by_label("Message text").press_sequentially("It’s 5")
    page.clock.run_for(RESTED_MS)
    expect(told).to_contain_text("UCS-2")

    assert at_first == ""
    assert page.evaluate("window.heard") == [
        "Encoding UCS-2. Segments 1. 1 segment × 0.08 EUR = 0.08 EUR. Sample data"
    ]
    expect(told).to_have_attribute("aria-live", "polite")


def test_a_name_is_text(page: Page) -> None:
    """HTML in the name of a network is shown as it is written, in the choice and in the examples."""
    expect(page.locator("#estimate-rate option", has_text=HOSTILE)).to_have_count(1)
    expect(page.locator(".dp-estimate__examples", has_text=HOSTILE)).to_have_count(1)
    assert page.locator(".dp-estimate img").count() == 0


def test_nothing_is_kept_and_nothing_sent(context: BrowserContext, priced: str) -> None:
    """Typing and Enter leave address, storage and cookies alone, and ask no server."""
    page = context.new_page()
    watched = watch(page, priced.rstrip("/"))
    settle(page, priced + NORWAY)
    stored = page.evaluate("JSON.stringify([localStorage, sessionStorage])")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.get_by_label("Message text").fill("a secret")
    page.get_by_label("Messages").fill("5")
    page.get_by_label("Messages").press("Enter")
    expect(sum_of(page)).to_contain_text("5 messages")

    assert asked == []
    assert page.url == priced + NORWAY
    assert page.evaluate("JSON.stringify([localStorage, sessionStorage])") == stored
    assert context.cookies() == []
    assert watched.complaints == []


def test_every_field_is_reached_with_the_keyboard(page: Page) -> None:
    """Rate, text, number: in the order of the page."""
    page.get_by_label("Rate", exact=True).focus()
    seen = []
    for _ in range(2):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id"))

    assert seen == ["estimate-text-segment", "estimate-times"]


@pytest.mark.parametrize(("path", "scheme"), schemes_in_turn(NORWAY, SMS, "coverage/no/history/"))
def test_pages_have_no_barrier_on_a_phone(path: str, scheme: Scheme, browser: Browser, priced: str) -> None:
    """axe-core finds nothing, and nothing is wider than the screen."""
    with browser.new_context(viewport=PHONE, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        settle(page, priced + path)

        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_javascript_there_are_worked_examples(browser: Browser, priced: str) -> None:
    """And no form that would do nothing."""
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(priced + NORWAY)

        expect(page.locator(".dp-estimate form")).to_be_hidden()
        expect(page.locator(".dp-estimate__examples")).to_contain_text("3 segments × 0.08 EUR = 0.24 EUR")
        expect(page.locator(".dp-estimate__examples")).to_contain_text("61 s × 0.0210 USD ÷ 60")


def test_without_a_counter_segments_are_typed(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A project that names no module has a number field in place of the text."""
    folder = make_priced_site(tmp_path_factory.mktemp("uncounted"), has_counter=False)
    with serving(folder) as origin, browser.new_context() as context:
        page = opened(context, f"{origin}/{NORWAY}")
        page.get_by_label("Segments in each message").fill("3")

        expect(page.get_by_label("Message text")).to_have_count(0)
        expect(sum_of(page)).to_have_text("3 segments × 0.08 EUR = 0.24 EUR")


def test_where_the_counter_does_not_load_segments_are_typed(context: BrowserContext, priced: str) -> None:
    """A module that is missing or broken takes the text away, not the estimator."""
    context.route("**/assets/segments/**", lambda route: route.abort())
    page = opened(context, priced + NORWAY)
    page.get_by_label("Segments in each message").fill("3")

    expect(page.get_by_label("Message text")).to_have_count(0)
    expect(sum_of(page)).to_have_text("3 segments × 0.08 EUR = 0.24 EUR")
