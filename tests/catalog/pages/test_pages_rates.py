"""The pages of prices: their rows, their filters, and how they are divided."""

import html
import json
from collections import Counter
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog.book.book import Product as DeclaredProduct
from devportal.catalog.pages import Contact, Options, catalog_pages
from devportal.catalog.pages.countries_sections import MAX_ROWS, sections_of
from devportal.catalog.pages.country import by_country
from devportal.catalog.pages.prices import price_text
from devportal.catalog.pages.rates_cells import TableColumn, cache_column_text
from devportal.catalog.pages.rates_filters import choice_uri, facets_of, rates_by_choice
from devportal.catalog.pages.rates_groups import lowest_price_words, price_ranges
from devportal.catalog.pages.rates_table import rows_file
from devportal.catalog.records.rate import RateTerms
from devportal.markup import Page
from devportal.project.settings import Settings
from tests.catalog.build import RATE, TODAY
from tests.catalog.own_book import BOOK, Direction, NumberType, Product, Unit, net, replace
from tests.catalog.publishing import (
    ANY_NETWORK,
    LIMITED,
    VOICE,
    files_of,
    pages_of,
    public,
    read,
    small_catalog,
)

FACET = {facet.name: facet for facet in facets_of(BOOK)}


def many_rates(count: int, **changes: object) -> tuple[RateTerms, ...]:
    """Return so many rates of Norway, each for a network of its own, at prices that all differ."""
    return tuple(
        replace(
            RATE,
            id=f"no-sms-{number}",
            network=net(name=f"Net {number}", mcc="242", mnc=f"{number % 1000:03}"),
            price=Decimal(number + 1) / 10000,
            **changes,
        )
        for number in range(count)
    )


def test_a_row_tells_programs_what_it_holds() -> None:
    """Filters and estimator read the values from the row, and nothing stands there that the rate has not."""
    pages = pages_of(small_catalog())
    sms, voice = read(pages["rates/sms/index.md"].body).rows, read(pages["coverage/se/index.md"].body).rows

    assert sms["rate-no-sms-1"] == {
        "country": "NO",
        "direction": "outbound",
        "network": "242-010",
        "currency": "EUR",
        "price": "0.10",
        "unit": "segment",
    }
    assert voice["rate-se-voice-1"] == {
        "country": "SE",
        "direction": "outbound",
        "type": "toll_free",
        "currency": "EUR",
        "price": "0.00000010",
        "unit": "minute",
        "increment": "1/1",
        "sample": "",
    }


def test_every_rate_stands_on_its_product_and_its_country() -> None:
    """No rate is left out, and none stands twice on a page."""
    shown = public((RATE, VOICE, ANY_NETWORK))
    pages = {uri: read(page.body) for uri, page in pages_of(shown).items()}

    for rate in shown.rates:
        terms = rate.terms
        anchor = f"rate-{terms.id}-{terms.version}"
        for uri in (f"rates/{terms.product}/index.md", f"coverage/{terms.market.lower()}/index.md"):
            assert pages[uri].ids.count(anchor) == 1, uri


def test_each_choice_of_a_filter_has_a_page_with_its_rates_alone() -> None:
    """Without a script a choice leads to the rows that have it: no others, and all of them."""
    rates = (
        RATE,
        ANY_NETWORK,
        replace(RATE, id="a", network=None, number_type=NumberType.TOLL_FREE, country="SE"),
        replace(RATE, id="b", network=None, currency="USD"),
    )
    shown = public(rates)
    pages = pages_of(shown)

    seen = 0
    for name in ("direction", "type", "currency"):
        facet = next(facet for facet in facets_of(BOOK) if facet.name == name)
        for choice in rates_by_choice(facet, shown.rates):
            rows = read(pages[choice_uri(Product.SMS, facet, choice)].body).rows
            wanted = {
                f"rate-{rate.terms.id}-1"
                for rate in shown.rates
                if (found := facet.value(rate.terms)) and found[0] == choice.value
            }
            assert set(rows) == wanted, choice
            assert choice.count == len(wanted)
            seen += 1
    assert seen == 5


def test_networks_lead_to_their_rows() -> None:
    """Each network is a link to the row of its price on the page of its country."""
    page = pages_of(small_catalog())["rates/sms/networks/index.md"]

    assert "../../../coverage/no/#rate-no-sms-1" in read(page.body).links
    assert "rates/voice/networks/index.md" not in pages_of(small_catalog())


def test_choices_name_a_network_by_its_first_name() -> None:
    """Two names of one network are one choice, whatever order the records have."""
    other = replace(RATE, id="x", network=net(name="Aurora", mcc="242", mnc="010"), currency="USD")

    (choice,) = rates_by_choice(FACET["network"], public((RATE, other)).rates)

    assert (choice.value, choice.words, choice.count) == ("242-010", "Aurora (242-010)", 2)


def test_up_to_the_limit_every_rate_is_a_row() -> None:
    """A page holds so many rows, and no file for the script."""
    shown = public(many_rates(MAX_ROWS))

    assert len(read(pages_of(shown)["rates/sms/index.md"].body).rows) == MAX_ROWS
    assert "rates/sms/rows.json" not in files_of(shown)


def test_beyond_the_limit_countries_stand_for_their_rates() -> None:
    """A row for each country leads to its page, and the script finds each rate in a file."""
    shown = public((*many_rates(MAX_ROWS + 1), replace(RATE, id="se", country="SE")))
    page = pages_of(shown)["rates/sms/index.md"]
    found = read(page.body)

    assert found.rows == {}
    assert "../../coverage/no/#rates-sms" in found.links
    assert "../../coverage/se/#rates-sms" in found.links
    assert "0.0001 to 0.0081 EUR" in page.body
    assert "0.0001 to 0.0081 EUR" in page.markdown
    file = json.loads(files_of(shown)["rates/sms/rows.json"])
    assert file["rows"] == MAX_ROWS + 2
    assert 'data-rows="rows.json"' in page.body
    assert "<template>" in page.body


def test_a_country_of_many_rates_is_divided() -> None:
    """Beyond the limit its rates stand on pages of their own, each once, and networks lead there."""
    shown = public((*many_rates(MAX_ROWS + 1), replace(VOICE, id="v", country="NO", sample=False)))
    pages = pages_of(shown)
    parts = ["coverage/no/sms/index.md", "coverage/no/sms/2/index.md", "coverage/no/voice/index.md"]
    rows = Counter(anchor for uri in parts for anchor in read(pages[uri].body).rows)

    assert len(rows) == MAX_ROWS + 2
    assert set(rows.values()) == {1}
    assert read(pages["coverage/no/index.md"].body).rows == {}
    assert {"sms/", "sms/2/", "voice/"} <= set(read(pages["coverage/no/index.md"].body).links)


def test_the_file_of_rows_holds_the_texts_of_the_table() -> None:
    """Written out again, the columns give what the page would show."""
    shown = public((RATE, ANY_NETWORK))
    file = json.loads(rows_file("rows.json", BOOK, shown.rates).content)
    rows = [
        {name: texts[places[row]] for name, (texts, places) in file["columns"].items()}
        for row in range(file["rows"])
    ]

    assert rows[0] == {
        "id": "no-sms",
        "version": "1",
        "country": ["NO", "Norway"],
        "network": ["242-010", "Fjord"],
        "network-code": "MCC 242 MNC 010",
        "type": ["", "any"],
        "direction": ["outbound", "Outbound"],
        "price": "0.10",
        "currency": ["EUR", "EUR"],
        "unit": "segment",
        "increment": "",
        "billing_increment": "not timed",
        "from": "2026-02-01",
        "until": "",
        "sample": "",
    }
    assert rows[1]["network"] == ["", "All networks"]


def test_ranges_keep_currencies_apart() -> None:
    """The least and the most are told for each currency, with the digits of the records."""
    dearer = replace(RATE, id="z", network=None, price=Decimal("0.100"))
    dollars = replace(RATE, id="b", currency="USD", price=Decimal("0.09"))

    shown = public((RATE, dearer, dollars)).rates
    found = price_ranges(shown)

    assert [str(price_range) for price_range in found] == ["0.10 EUR per segment", "0.09 USD per segment"]
    assert lowest_price_words(shown, BOOK) == "from 0.10 EUR or 0.09 USD per segment"


def test_a_lowest_price_is_that_of_what_leaves() -> None:
    """What comes in costs next to nothing. The direction is named unless all prices have it."""
    inbound = replace(RATE, id="in", direction=Direction.INBOUND, price=Decimal("0.0001"))
    month = replace(inbound, id="n", product=Product.NUMBER, unit=Unit.MONTH, network=None)

    assert lowest_price_words(public((RATE, inbound)).rates, BOOK) == "outbound from 0.10 EUR per segment"
    assert lowest_price_words(public((inbound,)).rates, BOOK) == "inbound from 0.0001 EUR per segment"
    assert lowest_price_words(public((month,)).rates, BOOK) == "from 0.0001 EUR per month"
    assert lowest_price_words((), BOOK) == ""


def test_pages_say_whom_to_ask_about_other_markets() -> None:
    """The contact of the contract, on the pages of rates, of coverage and of a market."""
    contact = Contact(name="Sales <b>", address="mailto:sales@example.com")
    made = catalog_pages(public((RATE,)), Options(contact=contact))

    pages = {page.uri: page.body for page in made if isinstance(page, Page)}
    link = 'contact <a href="mailto:sales@example.com">Sales &lt;b&gt;</a>.'
    assert all(link in pages[uri] for uri in ("rates/index.md", "rates/sms/index.md", "coverage/index.md"))


def test_pages_name_no_inbound_price_as_the_lowest() -> None:
    """Neither the product's page, nor the country's, nor the card of the overview."""
    pages = pages_of(
        public((RATE, replace(RATE, id="in", direction=Direction.INBOUND, price=Decimal("0.0001"))))
    )

    for uri in ("rates/sms/index.md", "coverage/no/index.md"):
        assert "outbound from 0.10 EUR per segment" in pages[uri].description
        assert "0.0001" not in pages[uri].description
    overview = pages["rates/index.md"]
    assert "Outbound 0.10 EUR" in overview.body
    assert "Outbound 0.10 EUR" in overview.markdown
    assert "0.0001" not in overview.body + overview.markdown
    assert "inbound from 0.0001 EUR" in pages["rates/sms/inbound/index.md"].description
    alone = pages_of(public((replace(RATE, direction=Direction.INBOUND),)))["rates/index.md"]
    assert "Inbound 0.10 EUR" in alone.body


PRICES = st.decimals(min_value=0, max_value=100, places=4)


@given(st.lists(PRICES, min_size=1, max_size=8))
def test_every_price_is_within_its_range(prices: list[Decimal]) -> None:
    """Nothing is cheaper than the least or dearer than the most."""
    rates = public(
        tuple(
            replace(RATE, id=f"r-{n}", price=price, network=net(name="N", mcc="242", mnc=f"{n:02}"))
            for n, price in enumerate(prices)
        )
    ).rates

    (found,) = price_ranges(rates)

    assert (found.low, found.high) == (min(prices), max(prices))


@given(st.integers(1, 3), st.lists(st.sampled_from(list(Product)), max_size=12))
def test_sections_hold_each_rate_once(countries: int, products: list[DeclaredProduct]) -> None:
    """Divided or not, the parts of all sections together are the rates of the country."""
    codes = ["NO", "SE", "DK"][:countries]
    rates = public(
        tuple(
            replace(
                RATE,
                id=f"r-{n}",
                product=product,
                country=codes[n % countries],
                network=net(name="N", mcc="242", mnc=f"{n:02}"),
                unit=Unit.SEGMENT,
            )
            for n, product in enumerate(products)
        )
    ).rates

    placed = [
        rate.terms.ref
        for country in by_country(rates, BOOK.markets)
        for section in sections_of(country, BOOK)
        for part in section.pages
        for rate in part.rates
    ]

    assert sorted(placed) == sorted(rate.terms.ref for rate in rates)


def test_descriptions_tell_the_price_and_the_day() -> None:
    """What a link preview shows is what sales would say."""
    pages = pages_of(small_catalog())

    assert pages["rates/sms/index.md"].description == (
        f"SMS rates for 1 country, outbound from 0.10 EUR per segment, in force on {TODAY}."
    )
    assert pages["rates/sms/inbound/index.md"].title == "Inbound SMS rates"
    assert pages["rates/voice/toll-free/index.md"].title == "Voice rates for toll-free numbers"
    assert pages["rates/voice/eur/index.md"].title == "Voice rates in EUR"


def test_the_end_of_a_window_is_shown() -> None:
    """A reader sees on which day the price no longer holds."""
    shown = public((replace(RATE, effective_to=date(2026, 12, 31), direction=Direction.INBOUND),))

    assert "from 2026-02-01 before 2026-12-31" in pages_of(shown)["rates/sms/index.md"].body
    assert "before 2026-12-31" in pages_of(shown)["coverage/no/index.md"].markdown


@pytest.mark.parametrize("uri", ["rates/voice/index.md", "coverage/se/index.md", "rates/index.md"])
def test_sample_data_says_so(uri: str) -> None:
    """A page with any sample row has the note."""
    page = pages_of(public((VOICE,)))[uri]

    assert "Sample data." in page.body
    assert "Sample data." in page.markdown
    assert "Sample data." not in pages_of(public((replace(VOICE, sample=False),)))[uri].body


def test_a_page_of_sample_data_alone_marks_no_row() -> None:
    """One note says it for all; a row is marked only beside rows of another kind."""
    alone, mixed = replace(RATE, sample=True), replace(RATE, id="se", country="SE")

    body = pages_of(public((alone,)))["rates/sms/index.md"].body
    assert "Networks and prices on this page are invented. They are not an offer." in body
    assert ">Sample</span>" not in body
    page = pages_of(public((alone, mixed)))["rates/sms/index.md"]
    assert "Networks and prices marked Sample are invented." in page.body
    assert page.body.count('from 2026-02-01 <span class="dp-muted">Sample</span>') == 1
    assert page.markdown.count("(sample)") == 1


def test_prices_of_a_page_have_the_same_decimal_places() -> None:
    """As many as one of them needs: zeros at the end of a record do not count, and no digit is lost."""
    prices = ("0.00790", "0.0182", "1")
    rates = tuple(
        replace(RATE, id=f"no-{n}", price=Decimal(price), network=net(name="N", mcc="242", mnc=f"{n:02}"))
        for n, price in enumerate(prices)
    )
    page = pages_of(public(rates))["rates/sms/index.md"]

    for price in ("0.0079", "0.0182", "1.0000"):
        assert f">{price} <span" in page.body
        assert f"| {price} EUR |" in page.markdown
    assert "from 0.0079 EUR" in page.description


@given(PRICES, st.integers(0, 10))
def test_a_price_keeps_its_value(price: Decimal, places: int) -> None:
    """Written with more places or fewer, it is the same number."""
    assert Decimal(price_text(price, places)) == price


def test_a_market_without_a_rate_is_named_with_what_else_there_is() -> None:
    """The page lists it with a link, and tells the script where to go on."""
    page = pages_of(public((RATE, VOICE), (LIMITED,)))["rates/sms/index.md"]

    assert 'No SMS rate is published for <a href="../../coverage/se/">Sweden</a>.' in page.body
    told = json.loads(html.unescape(page.body.partition('data-unpriced="')[2].partition('"')[0]))
    assert told == {
        "SE": {
            "name": "Sweden",
            "links": [
                ["What works in Sweden", "../../coverage/se/#coverage"],
                ["Voice rates for Sweden", "../../coverage/se/#rates-voice"],
            ],
        }
    }


def test_the_overview_leads_to_the_feed_of_changes() -> None:
    """Where there is a feed, and only there."""
    there = Options(site_url="https://rates.example.com/")
    without = replace(there, settings=Settings(feed=False))

    for options, count in ((there, 1), (without, 0), (Options(), 0)):
        made = tuple(catalog_pages(small_catalog(), options))
        (page,) = (page for page in made if isinstance(page, Page) and page.uri == "rates/index.md")
        assert page.body.count('href="feed.rss"') == count
        assert page.markdown.count("(feed.rss)") == count
        assert [page.uri for page in made].count("rates/feed.rss") == count


def test_files_say_that_they_hold_more_than_a_page_of_a_choice() -> None:
    """The rows of a filter are some of those in the files, and both kinds of pages say so."""
    pages = pages_of(small_catalog())

    for uri in ("rates/sms/index.md", "rates/sms/inbound/index.md"):
        assert "All 2 SMS rates, not only those shown, as CSV" in pages[uri].body
        assert "All 2 SMS rates, not only those shown," in pages[uri].markdown
        assert "The same rows" not in pages[uri].body
    assert "The same rows" in pages["coverage/no/index.md"].body


def test_networks_of_samples_say_so() -> None:
    """The page of networks has the note, and the way back to the product."""
    pages = pages_of(public((replace(RATE, sample=True),)))
    page = pages["rates/sms/networks/index.md"]

    assert "Sample data." in page.body
    assert "Sample data." in page.markdown
    assert "Networks and prices on this page are invented." in page.body
    assert read(page.body).links[:2] == ["../../", "../"]
    assert "Sample" not in pages_of(public((RATE,)))["rates/sms/networks/index.md"].body


def test_fields_that_share_a_column_show_the_value_of_each_rate() -> None:
    """A rate without the first field of a column shows its second one, whatever the rates before it show."""
    fields = {field.name: field for field in BOOK.fields}
    column = TableColumn(title="Kind", fields=(fields["number_type"], fields["direction"]))
    text_of = cache_column_text(column, column.text)
    local = replace(RATE, number_type=NumberType.LOCAL)

    assert text_of(replace(RATE, direction=Direction.OUTBOUND)) == "Outbound"
    assert text_of(replace(RATE, direction=Direction.INBOUND)) == "Inbound"
    assert text_of(replace(local, direction=Direction.INBOUND)) == column.text(local)


def test_a_rate_without_network_says_what_it_holds_for() -> None:
    """A call goes to destinations, and a number that is rented goes nowhere."""
    voice = replace(VOICE, prefixes=(), sample=False)
    number = replace(RATE, id="n", product=Product.NUMBER, unit=Unit.MONTH, network=None)
    pages = pages_of(public((ANY_NETWORK, voice, number)))

    assert "All networks" in pages["rates/sms/index.md"].body
    for uri, words, others in (
        ("rates/voice/index.md", ">All destinations</td>", "All networks"),
        ("rates/number/index.md", 'data-label="Network or prefix" class="dp-rates-name"></td>', "All "),
    ):
        row = pages[uri].body.partition("<tbody")[2].partition("</tbody>")[0]
        assert words in row
        assert others not in row
        assert others not in pages[uri].markdown.partition("| --- |")[2].partition("Downloads")[0]
    file = json.loads(rows_file("rows.json", BOOK, public((voice, number)).rates).content)
    assert sorted(text for _, text in file["columns"]["network"][0]) == ["", "All destinations"]


def test_products_lead_to_each_other_and_down_their_page() -> None:
    """A reader of prices compares products, and a long page says what stands at its end. The estimator stands
    before the table.
    """
    page = pages_of(small_catalog())["rates/sms/index.md"]
    links = read(page.body).links

    assert {"../voice/", "#downloads"} <= set(links)
    assert [heading.anchor for heading in page.headings] == ["estimate", "rates", "downloads"]
    order = [page.body.index(f'id="{item}"') for item in ("estimate", "rates", "rate-no-sms-1", "downloads")]
    assert order == sorted(order)
    assert 'aria-current="page">SMS</a>' in page.body
    choice = pages_of(small_catalog())["rates/sms/inbound/index.md"]
    assert {"../../voice/", "#downloads"} <= set(read(choice.body).links)
    assert "estimate" not in read(choice.body).ids
    assert 'aria-label="Products"' not in pages_of(public((RATE,)))["rates/sms/index.md"].body


def test_numbers_for_rent_are_called_phone_numbers() -> None:
    """By themselves and inside a sentence; before a noun they are of one: phone number rates."""
    number = replace(RATE, id="no-number", product=Product.NUMBER, unit=Unit.MONTH, network=None)
    pages = pages_of(public((RATE, number)))
    page, country = pages["rates/number/index.md"], pages["coverage/no/index.md"]

    assert page.title == "Phone number rates"
    assert 'aria-current="page">Phone numbers</a>' in page.body
    assert "The one phone number rate there is" in page.body
    assert [heading.title for heading in country.headings if heading.level == 3] == [
        "SMS rates",
        "Phone number rates",
    ]
    assert "phone numbers from 0.10 EUR per month" in country.description


def test_many_numbers_name_no_networks() -> None:
    """In the table of countries, too, a number that is rented has no networks, and a message has."""
    numbers = many_rates(MAX_ROWS + 1, product=Product.NUMBER, unit=Unit.MONTH)
    numbers = tuple(
        replace(number, network=None, currency="EUR", prefixes=(f"47{n}",))
        for n, number in enumerate(numbers)
    )
    shown = public(numbers)

    page = pages_of(shown)["rates/number/index.md"]
    assert page.body.count('<td role="cell" data-label="Networks" class="dp-muted"></td>') == 1
    assert "| all |" not in page.markdown
    messages = tuple(replace(number, product=Product.SMS, unit=Unit.SEGMENT) for number in numbers)
    assert "| all |" in pages_of(public(messages))["rates/sms/index.md"].markdown
