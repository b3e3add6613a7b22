"""What the calculator says a text costs: read from the public files of the site, and from nowhere else."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.browser.test_accessibility import violations
from tests.browser.views import PHONE
from tests.browser.watching import note_requests, watch

from .calculator import GUIDE, choose, text_of

pytestmark = pytest.mark.browser

RATES = "**/rates/sms/rates-sms.json"


def rate(**changed: Any) -> dict[str, Any]:
    """Return a public rate of Norway, as the file has it."""
    row = {
        "country": "NO", "country_name": "Norway", "direction": "outbound", "unit": "segment",
        "network": "Fjord", "mcc": "242", "mnc": "010", "number_type": "mobile",
        "price": "0.0790", "currency": "EUR", "sample": False,
    }  # fmt: skip
    return {**row, **changed}


def answering(rows: list[dict[str, Any]]) -> Callable[[Route], None]:
    return lambda route: route.fulfill(
        status=200, content_type="application/json", body=json.dumps({"rates": rows})
    )


def ask(page: Page) -> None:
    """Unfold the cost, and wait until its files were read."""
    page.get_by_text("What it costs").click()
    expect(page.get_by_label("Market")).not_to_have_text("Select a market")


@pytest.fixture
def priced_guide(context: BrowserContext, origin: str) -> Page:
    """Return the guide of a site with two rates for Norway and none for other markets."""
    page = context.new_page()
    rows = [rate(), rate(network="<b>Skjær", mnc="02", price="0.1", currency="USD", sample=True)]
    page.route(RATES, answering(rows))
    page.goto(f"{origin}/{GUIDE}")
    ask(page)
    return page


def costs(page: Page) -> list[str]:
    """Return the rows of the table as they are read."""
    return [
        " ".join(inner_text.split())
        for inner_text in page.locator(".segments__prices tbody tr").all_inner_texts()
    ]


def note(page: Page) -> Locator:
    return page.locator("#segments-cost")


def test_text_is_priced_in_a_market(priced_guide: Page) -> None:
    """Segments, times recipients, times each rate of the market; samples are marked, names are no HTML."""
    choose(priced_guide, "Curly quotes")
    priced_guide.get_by_label("Market").select_option(label="Norway")
    priced_guide.get_by_label("Recipients").fill("1,000")

    assert costs(priced_guide) == [
        "Fjord (242-010) 0.0790 EUR 158.00 EUR",
        "<b>Skjær (242-02) Sample 0.1 USD 200.00 USD",
    ]
    expect(note(priced_guide)).to_contain_text("1,000 messages × 2 segments × 0.0790 EUR = 158.00 EUR")

    priced_guide.get_by_role("button", name="Replace all").click()

    assert costs(priced_guide)[0] == "Fjord (242-010) 0.0790 EUR 79.00 EUR"
    expect(priced_guide.locator(".segments output")).to_contain_text(
        "1,000 messages × 1 segment × 0.0790 EUR"
    )


def test_rates_are_loaded_on_demand_only(page: Page) -> None:
    """Who counts a text reads neither prices nor the code for them."""
    asked = note_requests(page)
    choose(page, "Emoji")
    before = list(asked)
    ask(page)

    assert before == []
    names = sorted(url.rpartition("/")[2] for url in asked)
    assert names == ["cost.js", "estimate-cost.js", "rates-sms.json", "rates.js", "sms.json"]


def test_market_without_a_public_rate_is_told(priced_guide: Page) -> None:
    """It is covered, so it can be chosen; nothing is made up."""
    priced_guide.get_by_label("Market").select_option(label="France")

    expect(note(priced_guide)).to_have_text("France: no published rate.")
    expect(priced_guide.locator(".segments__prices")).to_be_hidden()


@pytest.mark.parametrize("recipients", ["", "many", "1.5", "1000000000"])
def test_recipients_that_are_no_number_are_told(recipients: str, priced_guide: Page) -> None:
    """At the field, and no cost is shown; a number corrects it."""
    priced_guide.get_by_label("Market").select_option(label="Norway")
    field = priced_guide.get_by_label("Recipients")
    field.fill(recipients)

    expect(note(priced_guide)).to_contain_text("Recipients: ")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(priced_guide.locator(".segments__prices")).to_be_hidden()
    field.fill("2")
    expect(priced_guide.locator(".segments__prices")).to_be_visible()
    assert field.get_attribute("aria-invalid") is None


def test_refused_text_has_no_price(priced_guide: Page) -> None:
    """The API refuses it, so there is nothing to pay."""
    priced_guide.get_by_label("Market").select_option(label="Norway")
    text_of(priced_guide).fill("я" * 671)

    expect(note(priced_guide)).to_have_text("The API rejects this text, so it costs nothing.")
    expect(priced_guide.locator(".segments__prices")).to_be_hidden()


def test_missing_rates_leave_the_rest_alone(context: BrowserContext, origin: str) -> None:
    """Where the file does not come, that is said, and texts are counted as before."""
    page = context.new_page()
    page.route(RATES, lambda route: route.abort())
    page.goto(f"{origin}/{GUIDE}")
    ask(page)
    choose(page, "Emoji")

    expect(note(page)).to_contain_text("The rates could not be loaded.")
    expect(page.locator(".segments__segment")).to_have_count(2)


def test_rates_of_the_site_are_read(context: BrowserContext, origin: str) -> None:
    """The published file of this portal: its samples say that they are samples; a phone has room for them."""
    page = context.new_page()
    watched = watch(page, origin)
    page.set_viewport_size(PHONE)
    page.goto(f"{origin}/{GUIDE}")
    ask(page)
    page.get_by_label("Market").select_option(label="France")

    assert len(costs(page)) == 4
    assert all(" Sample " in cost for cost in costs(page))
    assert violations(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth") == PHONE["width"]
    assert watched.complaints == []
