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
from tests.browser.watching import note_requests, open_and_settle, watch
from tests.catalog.billing_examples import BILLED_SECONDS, COSTS
from tests.catalog.own_book import Unit

from .priced_site import HOSTILE, make_priced_site
from .rates_site import MANY, make_rates_site

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
def site_url(folder: Path) -> Iterator[str]:
    """Yield the address of the site."""
    with serving(folder) as origin:
        yield f"{origin}/"


@pytest.fixture
def page(context: BrowserContext, site_url: str) -> Page:
    """Return the page of Norway, with the estimator at work."""
    return open_estimate(context, site_url + NORWAY)


def open_estimate(context: BrowserContext, address: str) -> Page:
    """Return a page with one use, in place of the thousand that the form starts with."""
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_label("Rate", exact=True)).to_be_visible()
    page.locator("#estimate-times").fill("1")
    return page


def choose(page: Page, words: str) -> None:
    """Choose the rate whose option has these words, after its group."""
    group, rate = page.locator("#estimate-group"), page.locator("#estimate-rate")
    for name in group.locator("option").all_inner_texts():
        group.select_option(label=name)
        option = rate.locator("option", has_text=words)
        if option.count():
            rate.select_option(value=option.get_attribute("value"))
            return
    raise AssertionError(f"no rate has the words {words!r}")


def write(page: Page, text: str) -> None:
    """Have the segments of a text counted."""
    if not page.get_by_label("Message text").is_visible():
        page.get_by_text("Count segments in a text").click()
    page.get_by_label("Message text").fill(text)


def sum_of(page: Page) -> Locator:
    return page.locator("[data-part=sum]")


def number(page: Page, name: str) -> Locator:
    """Return one of the numbers, by the word above it."""
    return page.locator(".dp-estimate__numbers > div", has_text=name).locator("dd")


def test_browser_and_build_compute_alike(page: Page, site_url: str) -> None:
    """The examples that the rules in Python are held to, digit for digit."""
    module = f"{site_url}assets/devportal/estimate-cost.js"

    billed = page.evaluate(_COMPUTE, [module, UNIT_DATA, BILLED_SECONDS])
    costs = page.evaluate(_COMPUTE, [module, UNIT_DATA, COSTS])

    assert billed == [billed_second["billed_s"] for billed_second in BILLED_SECONDS]
    assert costs == [[item["cost"], item["exact"], item["sum"]] for item in COSTS]


def test_browser_and_build_compute_any_use_alike(page: Page, site_url: str) -> None:
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

    found = page.evaluate(_COMPUTE, [f"{site_url}assets/devportal/estimate-cost.js", UNIT_DATA, uses])

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
    write(page, "a" * 161)

    expect(number(page, "Encoding")).to_have_text("GSM-7")
    expect(number(page, "Segments")).to_have_text("2")
    expect(number(page, "otal")).to_have_text("0.16 EUR")
    expect(sum_of(page)).to_have_text("2 segments × 0.08 EUR = 0.16 EUR")
    expect(page.locator("[data-part=sample]")).to_be_visible()

    write(page, "я" * 135)
    page.get_by_label("Messages per month").fill("1000")

    expect(number(page, "Encoding")).to_have_text("UCS-2")
    expect(sum_of(page)).to_have_text("1,000 messages × 3 segments × 0.08 EUR = 240.00 EUR")


def test_a_call_is_billed_by_its_increment(page: Page) -> None:
    """Seconds in place of a text, and a rounded sum says that it is one; no sample, no mark."""
    choose(page, "0.0210 USD")
    page.get_by_label("Seconds of talk in each call").fill("61")

    expect(page.get_by_label("Message text")).to_be_hidden()
    expect(number(page, "Billed")).to_have_text("61 seconds (1/1)")
    expect(sum_of(page)).to_have_text("61 s × 0.0210 USD ÷ 60 = 0.02135 USD")
    expect(page.locator("[data-part=sample]")).to_be_hidden()

    page.get_by_label("Seconds of talk in each call").fill("1")
    page.get_by_label("Calls per month").fill("7")
    expect(sum_of(page)).to_have_text("7 calls × 1 s × 0.0210 USD ÷ 60 = 0.00245 USD")

    page.get_by_label("Seconds of talk in each call").fill("0")
    expect(number(page, "otal")).to_have_text("0.00 USD")


def test_messages_and_months_have_no_segments(page: Page) -> None:
    """An RCS message is one message; a number costs months."""
    choose(page, "0.03 EUR")
    page.get_by_label("Messages per month").fill("3")
    expect(page.get_by_label("Message text")).to_be_hidden()
    expect(sum_of(page)).to_have_text("3 messages × 0.03 EUR = 0.09 EUR")

    choose(page, "1.50 EUR")
    expect(sum_of(page)).to_have_text("3 numbers × 12 months × 1.50 EUR = 54.00 EUR")


def test_what_is_no_number_is_told(page: Page) -> None:
    """In words beside the field, with nothing computed; corrected, all is as before."""
    times, told = page.get_by_label("Messages per month"), page.locator(".dp-estimate__wrong")
    for wrong in ("", "-1", "1.5", "1e3", "many", "1,00", "1,000 000", ",000", "1.000"):
        times.fill(wrong)

        expect(told, wrong).to_have_text("Messages per month: enter a whole number, such as 10.")
        expect(times, wrong).to_have_attribute("aria-invalid", "true")
        expect(times, wrong).to_have_attribute("aria-describedby", "estimate-wrong")
        expect(sum_of(page), wrong).to_have_text("")
        expect(number(page, "otal"), wrong).to_have_count(0)

        times.fill("2")
        expect(told, wrong).to_be_hidden()
        expect(times, wrong).to_have_attribute("aria-invalid", "false")
        expect(sum_of(page), wrong).to_have_text("2 messages × 1 segment × 0.08 EUR = 0.16 EUR")


def test_a_number_too_large_is_told(page: Page) -> None:
    """None of its digits is cut off: nothing is priced that was not asked for."""
    choose(page, "0.08 EUR")
    write(page, "a")
    for number_of in ("1000000000", "1,000,000,000"):
        page.get_by_label("Messages per month").fill(number_of)

        expect(page.locator(".dp-estimate__wrong")).to_have_text(
            "Messages per month: enter at most 999,999,999."
        )
        expect(sum_of(page)).to_have_text("")

    page.get_by_label("Messages per month").fill("999999999")
    expect(sum_of(page)).to_have_text("999,999,999 messages × 1 segment × 0.08 EUR = 79,999,999.92 EUR")

    choose(page, "0.0210 USD")
    page.get_by_label("Seconds of talk in each call").fill("6000000000")
    expect(page.locator(".dp-estimate__wrong")).to_have_text(
        "Seconds of talk in each call: enter at most 999,999,999."
    )


def test_a_number_in_groups_is_taken(page: Page) -> None:
    """As the page itself writes it, and as other languages do."""
    write(page, "a")
    times = page.get_by_label("Messages per month")
    for written in ("1,234,567", "1 234 567", "1\u202f234\u202f567", " 1234567 "):
        times.fill("1")
        expect(number(page, "otal")).to_have_text("0.08 EUR")

        times.fill(written)

        expect(sum_of(page), written).to_have_text(
            "1,234,567 messages × 1 segment × 0.08 EUR = 98,765.36 EUR"
        )
        expect(number(page, "otal"), written).to_have_text("98,765.36 EUR")


def test_a_text_that_the_api_refuses_has_no_price(page: Page) -> None:
    """Of more segments than the module says are taken; one character less is priced."""
    write(page, "a" * 1531)

    expect(page.locator(".dp-estimate__wrong")).to_have_text(
        "The API rejects this text: it takes 11 segments, and the limit is 10."
    )
    expect(sum_of(page)).to_have_text("")

    write(page, "a" * 1530)
    expect(sum_of(page)).to_have_text("10 segments × 0.08 EUR = 0.80 EUR")


def test_an_emptied_text_leaves_the_amount(page: Page) -> None:
    """Only its facts go: the reader may go on with the number."""
    write(page, "a" * 161)
    write(page, "")

    expect(number(page, "Encoding")).to_have_count(0)
    expect(page.get_by_label("Segments in each message")).to_have_value("2")
    expect(sum_of(page)).to_have_text("2 segments × 0.08 EUR = 0.16 EUR")


def test_a_group_comes_first_and_offers_its_rates_alone(
    context: BrowserContext, page: Page, site_url: str
) -> None:
    """On the page of a country that is the product, on that of a product the country; codes are no names."""
    groups = page.get_by_label("Product", exact=True).locator("option")
    assert groups.all_inner_texts() == [
        "SMS rates for Norway",
        "RCS rates for Norway",
        "Voice rates for Norway",
        "Phone number rates for Norway",
    ]
    choose(page, "0.03 EUR")
    expect(page.locator("#estimate-rate option")).to_have_count(1)

    product = open_estimate(context, site_url + SMS + OPENED)
    country, rates = product.locator("#estimate-group"), product.locator("#estimate-rate option")
    expect(country).to_have_accessible_name("Country")
    assert country.locator("option").all_inner_texts() == ["Norway", "Sweden"]
    assert rates.all_inner_texts() == ["Fjord (242-010), Outbound: 0.08 EUR per segment"]
    country.select_option("Sweden")
    assert rates.all_inner_texts() == [
        "All networks, Outbound: 0.0790 USD per segment",
        "All networks, Inbound: 0.10 EUR per segment",
    ]


@pytest.mark.parametrize("viewport", [WIDE, PHONE])
def test_above_a_long_table_it_is_a_line_that_opens(
    viewport: ViewportSize, browser: Browser, site_url: str
) -> None:
    """A reader of prices sees it before the table, which it does not push away; a key or a click opens it."""
    with browser.new_context(viewport=viewport) as context:
        page = context.new_page()
        open_and_settle(page, site_url + SMS)
        line, rates = page.locator(".dp-estimate"), page.locator(".dp-catalog").first
        closed, table = line.bounding_box(), rates.bounding_box()
        assert closed is not None
        assert table is not None
        assert closed["height"] < MOST_OF_A_LINE
        assert closed["y"] + closed["height"] < table["y"]
        expect(page.get_by_label("Rate", exact=True)).to_be_hidden()

        line.locator("summary").first.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_label("Rate", exact=True)).to_be_visible()
        expect(sum_of(page)).to_contain_text("0.08 EUR")
        assert violations(page) == []
        line.get_by_role("heading", name="Estimate a cost").click()
        expect(page.get_by_label("Rate", exact=True)).to_be_hidden()


def test_an_address_holds_an_estimate(context: BrowserContext, page: Page) -> None:
    """Rate, number and amount, not the text: whoever opens the link sees the same total."""
    choose(page, "0.08 EUR")
    write(page, "a secret of more than one segment" * 5)
    page.get_by_label("Messages per month").fill("25,000")
    total = number(page, "Monthly total").inner_text()
    address = page.url

    assert "secret" not in address
    shared = context.new_page()
    shared.goto(address)
    expect(number(shared, "Monthly total")).to_have_text(total)
    expect(shared.get_by_label("Segments in each message")).to_have_value("2")


def test_an_address_with_an_estimate_opens_it(context: BrowserContext, site_url: str) -> None:
    """The price may be of a later version; a rate that is gone leaves the form as it starts."""
    page = context.new_page()
    page.goto(f"{site_url}{SMS}?rate=se-sms&times=200000&amount=2")

    expect(page.get_by_label("Rate", exact=True)).to_be_visible()
    expect(page.locator("#estimate-group")).to_have_value("Sweden")
    expect(sum_of(page)).to_have_text("200,000 messages × 2 segments × 0.0790 USD = 31,600.00 USD")
    page.goto(f"{site_url}{NORWAY}?rate=gone")
    expect(sum_of(page)).to_contain_text("0.08 EUR")


@pytest.mark.parametrize("viewport", [WIDE, PHONE])
def test_the_result_is_seen_beside_the_form(viewport: ViewportSize, browser: Browser, site_url: str) -> None:
    """Once the estimator is opened, nobody has to scroll for the total."""
    with browser.new_context(viewport=viewport) as context:
        page = context.new_page()
        page.goto(site_url + SMS)
        page.get_by_role("heading", name="Estimate a cost").click()

        expect(page.locator(".dp-estimate__numbers")).to_be_in_viewport(ratio=1)
        expect(page.locator("#estimate-group")).to_be_in_viewport(ratio=1)


def test_many_rates_are_read_from_their_file(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A page that has too many for a row each loads them once the estimator is opened."""
    folder = make_rates_site(tmp_path_factory.mktemp("many"), is_long=True)
    with serving(folder) as origin, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{origin}/{SMS}")
        page.get_by_role("heading", name="Estimate a cost").click()

        expect(page.locator("#estimate-group option")).to_have_count(3)
        page.locator("#estimate-group").select_option("Norway")
        expect(page.locator("#estimate-rate option")).to_have_count(MANY // 3)
        page.locator("#estimate-rate").select_option("no-sms-003")
        expect(page.locator("#estimate-rate option:checked")).to_have_text(
            "Net 003 (242-003), Outbound: 0.004 EUR per segment"
        )
        page.locator("#estimate-times").fill("3")
        expect(sum_of(page)).to_have_text("3 messages × 1 segment × 0.004 EUR = 0.012 EUR")


def test_the_first_worked_example_is_what_the_form_computes(page: Page) -> None:
    """The build's sum and the browser's are the same text."""
    examples = page.locator(".dp-estimate__examples li")
    first = examples.first.locator("span").last.inner_text()

    write(page, "a")

    assert first == sum_of(page).inner_text() == "1 segment × 0.08 EUR = 0.08 EUR"


def test_result_is_read_aloud_once_typing_rests(context: BrowserContext, site_url: str) -> None:
    """Not with each key, and not when the page opens."""
    page = context.new_page()
    page.clock.install()
    page.goto(site_url + NORWAY)
    expect(page.get_by_label("Rate", exact=True)).to_be_visible()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))  # typing takes as long as the machine does
    told = page.locator(".dp-estimate output")
    at_first = told.text_content()
    page.evaluate(
        """() => {
          window.heard = [];
          const told = document.querySelector('.dp-estimate output');
          new MutationObserver(() => window.heard.push(told.textContent)).observe(told, { childList: true });
        }"""
    )

    page.locator("#estimate-times").fill("1")
    write(page, "")
    page.get_by_label("Message text").press_sequentially("It’s 5")
    page.clock.run_for(RESTED_MS)
    expect(told).to_contain_text("UCS-2")

    assert at_first == ""
    assert page.evaluate("window.heard") == [
        "Monthly total 0.08 EUR. Encoding UCS-2. Segments 1. Sample data"
    ]
    expect(told).to_have_attribute("aria-live", "polite")


def test_a_name_is_text(page: Page) -> None:
    """HTML in the name of a network is shown as it is written, in the choice and in the examples."""
    choose(page, "0.03 EUR")
    expect(page.locator("#estimate-rate option", has_text=HOSTILE)).to_have_count(1)
    expect(page.locator(".dp-estimate__examples", has_text=HOSTILE)).to_have_count(1)
    assert page.locator(".dp-estimate img").count() == 0


def test_nothing_is_kept_and_nothing_sent(context: BrowserContext, site_url: str) -> None:
    """Typing and Enter leave storage and cookies alone, ask no server, and put no text into the address."""
    page = context.new_page()
    watched = watch(page, site_url.rstrip("/"))
    open_and_settle(page, site_url + NORWAY)
    stored = page.evaluate("JSON.stringify([localStorage, sessionStorage])")
    asked = note_requests(page)

    write(page, "a secret")
    page.get_by_label("Messages per month").fill("5")
    page.get_by_label("Messages per month").press("Enter")
    expect(sum_of(page)).to_contain_text("5 messages")

    assert asked == []
    assert page.url == f"{site_url}{NORWAY}?rate=no-sms&times=5&amount=1"
    assert page.evaluate("JSON.stringify([localStorage, sessionStorage])") == stored
    assert context.cookies() == []
    assert watched.complaints == []


def test_every_field_is_reached_with_the_keyboard(page: Page) -> None:
    """Group, rate, number, amount, text: in the order of the page."""
    page.locator("#estimate-group").focus()
    seen = []
    for _ in range(4):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.localName"))

    assert seen == ["estimate-rate", "estimate-times", "estimate-amount-segment", "summary"]


@pytest.mark.parametrize(("path", "scheme"), schemes_in_turn(NORWAY, SMS, "coverage/no/history/"))
def test_pages_have_no_barrier_on_a_phone(path: str, scheme: Scheme, browser: Browser, site_url: str) -> None:
    """axe-core finds nothing, and nothing is wider than the screen."""
    with browser.new_context(viewport=PHONE, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        open_and_settle(page, site_url + path)

        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_javascript_there_are_worked_examples(browser: Browser, site_url: str) -> None:
    """And no form that would do nothing."""
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(site_url + NORWAY)

        expect(page.locator(".dp-estimate form")).to_be_hidden()
        expect(page.locator(".dp-estimate__examples")).to_contain_text("3 segments × 0.08 EUR = 0.24 EUR")
        expect(page.locator(".dp-estimate__examples")).to_contain_text("61 s × 0.0210 USD ÷ 60")


def test_without_a_counter_segments_are_typed(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A project that names no module has a number field in place of the text."""
    folder = make_priced_site(tmp_path_factory.mktemp("uncounted"), has_counter=False)
    with serving(folder) as origin, browser.new_context() as context:
        page = open_estimate(context, f"{origin}/{NORWAY}")
        page.get_by_label("Segments in each message").fill("3")

        expect(page.get_by_label("Message text")).to_have_count(0)
        expect(sum_of(page)).to_have_text("3 segments × 0.08 EUR = 0.24 EUR")


def test_where_the_counter_does_not_load_segments_are_typed(context: BrowserContext, site_url: str) -> None:
    """A module that is missing or broken takes the text away, not the estimator."""
    context.route("**/assets/segments/**", lambda route: route.abort())
    page = open_estimate(context, site_url + NORWAY)
    page.get_by_label("Segments in each message").fill("3")

    expect(page.get_by_label("Message text")).to_have_count(0)
    expect(sum_of(page)).to_have_text("3 segments × 0.08 EUR = 0.24 EUR")
