"""What preview images say."""

import inspect
from datetime import date
from decimal import Decimal
from typing import get_type_hints

import pytest

from devportal.catalog import Published, published
from devportal.catalog.audit.lifecycle import Action, State
from devportal.catalog.book.book import Book
from devportal.catalog.book.book import Product as DeclaredProduct
from devportal.catalog.pages import Options, catalog_pages
from devportal.catalog.pages.addresses import country_uri, history_uri, preview_uri, product_uri
from devportal.catalog.preview import Card, PreviewImages, cards
from devportal.catalog.preview.cards import Fact, country_card, coverage_card, product_card, rates_card
from devportal.catalog.publication import PublishedCoverage, PublishedRate
from devportal.catalog.records.coverage import CoverageTerms, Support
from devportal.catalog.records.rate import RateTerms
from devportal.markup import Artefact, Page
from tests.catalog.build import COVERAGE, RATE, TODAY, coverage, log_of, rate, records
from tests.catalog.own_book import BOOK, Channel, Direction, Product, Unit, replace

OPTIONS = Options(site_url="https://portal.example/docs/", title="Parcel Texts")
CHEAP = replace(RATE, id="no-sms-cheap", network=None, price=Decimal("0.0800"))
DOLLARS = replace(RATE, id="no-sms-usd", network=None, price=Decimal("0.05"), currency="USD")
INBOUND = replace(RATE, id="no-sms-in", network=None, direction=Direction.INBOUND, price=Decimal("0.01"))
VOICE = replace(RATE, id="no-voice", product=Product.VOICE, unit=Unit.MINUTE, price=Decimal("0.012"))
SWEDISH = replace(RATE, id="se-sms", country="SE", network=None, sample=True)
LIMITED = replace(COVERAGE, id="no-rcs", channel=Channel.RCS, support=Support.LIMITED)


def public(*terms: RateTerms | CoverageTerms) -> Published:
    """Return what is public when these terms are active."""
    versions = (rate(term) if isinstance(term, RateTerms) else coverage(term) for term in terms)
    return published(records(*versions), log_of(*terms), TODAY)


def card_of(uri: str, *terms: RateTerms | CoverageTerms, options: Options = OPTIONS) -> Card:
    """Return the card of a page when these terms are active."""
    return dict(cards(public(*terms), options))[uri]


def test_a_country_is_shown_with_its_channels_and_lowest_prices() -> None:
    """Per product, for what leaves the platform, in the currency that has most rates, with all digits."""
    card = card_of(country_uri("NO"), RATE, CHEAP, DOLLARS, INBOUND, VOICE, SWEDISH, COVERAGE, LIMITED)

    assert card == Card(
        service="Parcel Texts",
        title="Norway",
        subtitle="Coverage and rates",
        facts=(
            Fact(label="SMS out from", value="0.0800 EUR", note="per segment"),
            Fact(label="Voice", value="0.012 EUR", note="per minute"),
        ),
        chips=("SMS: full", "RCS: limited"),
        on=TODAY,
        address="portal.example/docs/coverage/no/",
        is_sample=False,
    )


@pytest.mark.parametrize(
    ("terms", "subtitle"),
    [((COVERAGE,), "Coverage"), ((RATE,), "Rates"), ((RATE, COVERAGE), "Coverage and rates")],
)
def test_a_country_says_what_there_is(terms: tuple[RateTerms | CoverageTerms, ...], subtitle: str) -> None:
    """Coverage, rates, or both."""
    assert card_of(country_uri("NO"), *terms).subtitle == subtitle


def test_prices_for_what_comes_in_stand_where_there_are_no_others() -> None:
    """They are not mixed: a low one would say that sending is cheap. What is meant is said."""
    inbound, both = card_of(country_uri("NO"), INBOUND), card_of(country_uri("NO"), INBOUND, RATE)

    assert [(fact.label, fact.value) for fact in inbound.facts] == [("SMS", "0.01 EUR")]
    assert [(fact.label, fact.value) for fact in both.facts] == [("SMS out", "0.10 EUR")]
    assert card_of(product_uri(Product.SMS), INBOUND).subtitle == "1 country"
    assert card_of(product_uri(Product.SMS), INBOUND, RATE).subtitle == "1 country, outbound"


def test_a_product_is_shown_with_its_lowest_price_in_each_currency() -> None:
    """The currency with most rates comes first; one price alone is no lowest one."""
    card = card_of(product_uri(Product.SMS), RATE, CHEAP, DOLLARS, SWEDISH, VOICE)

    assert (card.title, card.subtitle, card.is_sample) == ("SMS rates", "2 countries", True)
    assert card.facts == (
        Fact(label="In EUR from", value="0.0800 EUR", note="per segment"),
        Fact(label="In USD", value="0.05 USD", note="per segment"),
    )


def test_areas_are_shown_with_how_far_they_reach() -> None:
    """Rates with a price per product, coverage with the countries per channel."""
    terms = (RATE, VOICE, COVERAGE, LIMITED)

    rates, reached = card_of("rates/index.md", *terms), card_of("coverage/index.md", *terms)
    assert [fact.value for fact in rates.facts] == ["0.10 EUR", "0.012 EUR"]
    assert [(fact.label, fact.value, fact.note) for fact in reached.facts] == [
        ("SMS", "1 country", "all in full"),
        ("RCS", "1 country", "1 limited"),
    ]
    assert (rates.subtitle, reached.subtitle) == ("1 country", "1 country")


def test_where_nothing_is_public_the_image_says_so() -> None:
    """The areas are shared all the same; no product and no country is drawn."""
    made = dict(cards(Published(on=TODAY), OPTIONS))

    assert set(made) == {"rates/index.md", "coverage/index.md"}
    assert {card.subtitle for card in made.values()} == {"Nothing is published yet"}


@pytest.mark.parametrize(
    ("uri", "terms"),
    [(country_uri("SE"), SWEDISH), (product_uri(Product.SMS), SWEDISH), ("rates/index.md", SWEDISH)]
    + [(uri, replace(COVERAGE, sample=True)) for uri in (country_uri("NO"), "coverage/index.md")],
)
def test_samples_are_marked(uri: str, terms: RateTerms | CoverageTerms) -> None:
    """One sample row among others is enough."""
    assert card_of(uri, terms, RATE, LIMITED).warnings == ("SAMPLE DATA",)
    assert card_of(uri, replace(terms, sample=False), RATE, LIMITED).warnings == ()


def test_without_site_url_no_address_is_made_up() -> None:
    """The rest stays the same."""
    card = card_of(country_uri("NO"), RATE, options=replace(OPTIONS, site_url=""))

    assert card == replace(card_of(country_uri("NO"), RATE), address="")


def test_the_day_reads_as_people_write_it() -> None:
    """Without the month as a number, which some take for the day."""
    assert card_of(country_uri("NO"), RATE).day == "In force on 1 March 2026"


def test_no_image_says_anything_of_what_is_not_public() -> None:
    """Records in every other state, and a withdrawn one, each with texts of its own."""
    hidden = [
        (
            state,
            replace(
                VOICE, id=f"hidden-{number}", country="DK", price=Decimal(f"7.{number}9"), currency="DKK"
            ),
        )
        for number, state in enumerate(State)
        if state is not State.ACTIVE
    ]
    log = log_of(RATE)
    log = log_of(*(terms for _, terms in hidden), steps=(Action.CREATE,), log=log)
    versions = [rate(terms, status=state) for state, terms in hidden]
    shut = replace(COVERAGE, id="fi-sms", country="FI", support=Support.UNAVAILABLE)
    seen = published(records(rate(RATE), *versions, coverage(shut)), log_of(shut, log=log), TODAY)
    made = dict(cards(seen, OPTIONS))

    texts = " ".join(text for card in made.values() for text in card.texts())
    assert "0.10 EUR" in texts
    assert not [word for word in ("7.", "DKK", "Denmark", "Finland", "hidden", "minute") if word in texts]
    assert not {country_uri("DK"), country_uri("FI")} & set(made)


def test_cards_are_made_of_public_records_only() -> None:
    """By their types: a record that the gate has not seen does not fit."""
    taken = {
        hint
        for maker in (rates_card, product_card, coverage_card, country_card)
        for name, hint in get_type_hints(maker).items()
        if name in inspect.signature(maker).parameters
    }

    names = {str(hint).replace("collections.abc.", "") for hint in taken - {str, date, Book, DeclaredProduct}}
    assert names == {
        str(Published),
        f"Sequence[{PublishedRate.__module__}.PublishedRate]",
        f"Sequence[{PublishedCoverage.__module__}.PublishedCoverage]",
    }


@pytest.mark.parametrize(
    ("page", "image"),
    [
        ("rates/index.md", "rates/preview.png"),
        ("rates/sms/index.md", "rates/sms/preview.png"),
        ("rates/sms/inbound/index.md", "rates/sms/preview.png"),
        ("rates/networks/index.md", "rates/preview.png"),
        ("coverage/index.md", "coverage/preview.png"),
        ("coverage/sms/index.md", "coverage/preview.png"),
        (country_uri("NO"), "coverage/no/preview.png"),
        (history_uri("NO"), "coverage/no/preview.png"),
    ],
)
def test_every_page_has_an_image(page: str, image: str) -> None:
    """Filters share that of their product, history that of its country; all of them are drawn."""
    drawn = PreviewImages.of(public(RATE, COVERAGE), OPTIONS).card_by_uri

    assert preview_uri(page, BOOK) == image
    assert image in drawn


def test_nothing_is_drawn_twice() -> None:
    """Each image has an address of its own."""
    sources = PreviewImages.of(public(RATE, SWEDISH, COVERAGE), OPTIONS).sources()
    uris = [
        artefact.uri for source in sources for artefact in source.make() if isinstance(artefact, Artefact)
    ]

    assert len(uris) == len(set(uris)) == 2 + 1 + 2


def test_every_public_page_names_an_image_that_is_there() -> None:
    """All pages of rates and coverage, whoever makes them; the image is made once."""
    made = tuple(catalog_pages(public(RATE, CHEAP, DOLLARS, VOICE, SWEDISH, COVERAGE, LIMITED), OPTIONS))

    pages = [page for page in made if isinstance(page, Page)]
    files = [page.uri for page in made if isinstance(page, Artefact)]
    assert {"rates/index.md", "rates/sms/index.md", "coverage/no/index.md"} <= {page.uri for page in pages}
    assert [page.uri for page in pages if files.count(page.preview) != 1] == []


def test_an_image_is_described_by_what_it_shows() -> None:
    """Not by the title of the page: filters and histories share the image of another page."""
    made = tuple(catalog_pages(public(RATE, INBOUND, SWEDISH, COVERAGE), OPTIONS))
    alts = {page.uri: page.preview_alt for page in made if isinstance(page, Page)}

    assert alts["rates/sms/outbound/index.md"] == alts["rates/sms/index.md"]
    assert alts["rates/sms/index.md"] == "SMS rates: 2 countries, outbound"
    assert alts["coverage/no/index.md"] == "Norway: Coverage and rates"
    assert alts["coverage/index.md"] == "Coverage: 1 country"


def test_prices_for_sending_stand_for_no_page_of_receiving() -> None:
    """It has no image where that of its product is of the other direction."""
    seen = {}
    for name, terms in {"both": (RATE, INBOUND), "inbound": (INBOUND,)}.items():
        made = tuple(catalog_pages(public(*terms), OPTIONS))
        seen[name] = {page.uri: page.preview for page in made if isinstance(page, Page)}

    assert seen["both"]["rates/sms/inbound/index.md"] == ""
    assert seen["both"]["rates/sms/outbound/index.md"] == "rates/sms/preview.png"
    assert seen["inbound"]["rates/sms/inbound/index.md"] == "rates/sms/preview.png"


def test_a_page_that_has_no_image_names_none() -> None:
    """A country of which nothing is public: a link to nothing would be shared."""
    page = Page(uri=country_uri("DK"), title="Denmark", description="", body="", markdown="")
    made = PreviewImages.of(public(RATE), OPTIONS).add_to([page])

    assert [page for page in made if isinstance(page, Page)] == [page]
