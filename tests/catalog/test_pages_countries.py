"""The page of a country: coverage and rates together, and honest words where one is missing."""

from datetime import date

from devportal.catalog import Published
from tests.catalog.own_book import Channel, Product, Unit, replace

from .build import COVERAGE, RATE, TODAY
from .publishing import LIMITED, VOICE, pages_of, public, read, small_catalog


def page_of(shown: Published, code: str = "no") -> str:
    """Return the body of a country's page."""
    return pages_of(shown)[f"coverage/{code}/index.md"].body


def test_coverage_and_rates_stand_on_one_page() -> None:
    """What works and what it costs, with the row ids that links keep."""
    found = read(page_of(small_catalog()))

    assert {"coverage-no-sms-1", "rate-no-sms-1", "rates-sms", "coverage", "rates"} <= set(found.ids)


def test_a_country_without_coverage_says_so() -> None:
    """Rates alone do not promise that anything works."""
    page = pages_of(public((RATE,)))["coverage/no/index.md"]

    assert "No coverage record is published for Norway" in page.body
    assert "No coverage record is published for Norway" in page.markdown
    assert "no coverage record" in page.description


def test_a_country_without_rates_says_so() -> None:
    """Coverage alone names no price."""
    page = pages_of(public((), (COVERAGE,)))["coverage/no/index.md"]

    assert "No rate is published for Norway." in page.body
    assert "No rate is published for Norway." in page.markdown
    assert page.description.startswith("No rate for Norway; covered: SMS")


def test_what_is_missing_of_a_channel_is_told() -> None:
    """A channel without rate, and a product without coverage, are named as such."""
    mms = replace(COVERAGE, id="no-mms", channel=Channel.MMS)
    voice = replace(VOICE, id="no-voice", country="NO", sample=False)
    number = replace(
        RATE, id="no-number", product=Product.NUMBER, unit=Unit.MONTH, network=None, currency="USD"
    )

    body = page_of(public((RATE, voice, number), (COVERAGE, mms)))

    assert "No rate is published for MMS in Norway." in body
    assert "No coverage record is published for voice; the rates are below." in body


def test_the_description_tells_what_it_costs_and_what_works() -> None:
    """A link preview says it all in one sentence."""
    page = pages_of(small_catalog())["coverage/no/index.md"]

    assert page.title == "Norway: coverage and rates"
    assert page.description == (
        f"Prices for Norway: SMS outbound from 0.10 EUR per segment; covered: SMS; in force on {TODAY}."
    )


def test_countries_lead_on_to_their_neighbours() -> None:
    """By name: the first leads on, the last leads back, and all lead to the list."""
    shown = public((RATE, replace(RATE, id="dk", country="DK")), (LIMITED,))

    links = {code: read(page_of(shown, code)).links for code in ("dk", "no", "se")}

    assert "../no/" in links["dk"]
    assert {"../dk/", "../se/", "../"} <= set(links["no"])
    assert "../no/" in links["se"]


def test_a_record_shows_what_must_be_known() -> None:
    """Registration with its days, restrictions, kinds of numbers, and what is not stated."""
    body = page_of(small_catalog(), "se")

    for words in (
        "Sender ID, usually 1 day",
        "No links.",
        "Mobile, short code",
        "Two-way: yes",
        "Not stated",
    ):
        assert words in body


def test_an_end_of_coverage_is_shown() -> None:
    """A reader sees on which day the record no longer holds."""
    body = page_of(public((), (replace(COVERAGE, effective_to=date(2026, 12, 31)),)))

    assert ">2026-12-31</time>" in body


def test_an_accent_sends_no_country_to_the_end() -> None:
    """Åland stands among the names in A, on the overview and in the way from page to page."""
    shown = public(tuple(replace(RATE, id=code.lower(), country=code) for code in ("ZW", "AX", "AL", "NO")))

    overview = read(pages_of(shown)["rates/index.md"].body).ids
    assert [text for text in overview if text.startswith("country-")] == [
        f"country-{code}" for code in ("ax", "al", "no", "zw")
    ]
    assert {"../ax/", "../no/"} <= set(read(page_of(shown, "al")).links)
    rows = list(read(pages_of(shown)["rates/sms/index.md"].body).rows.values())
    assert [row["country"] for row in rows] == ["AX", "AL", "NO", "ZW"]
