"""No page of rates or coverage has too many elements, however many records there are."""

from datetime import date
from decimal import Decimal
from html.parser import HTMLParser

import pytest

from devportal.catalog import Published
from devportal.catalog.pages import Options, catalog_pages
from devportal.catalog.pages.countries_sections import MAX_ROWS
from devportal.catalog.records.codes import country_names
from devportal.markup import Page
from tests.catalog.build import COVERAGE, RATE
from tests.catalog.own_book import Channel, Product, net, replace
from tests.catalog.publishing import public, read
from tests.contracts import own_published

MOST = 1350
"""So many elements the body of a page may have: the frame around it takes up to 150 more."""


class _Counter(HTMLParser):
    """Counts the elements of a body, without those that a template keeps for a script."""

    def __init__(self) -> None:
        super().__init__()
        self.count = self.depth = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - the signature of the base
        self.depth += tag == "template"
        self.count += not self.depth

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "template"


def sizes(shown: Published) -> dict[str, int]:
    """Return the number of elements of each page, by uri."""
    found = {}
    for page in catalog_pages(shown, Options()):
        if isinstance(page, Page):
            counter = _Counter()
            counter.feed(page.body)
            found[page.uri] = counter.count
    return found


def too_large(shown: Published) -> dict[str, int]:
    return {uri: size for uri, size in sizes(shown).items() if size > MOST}


def test_no_page_of_this_portal_is_too_large() -> None:
    """Neither the longest list of prices nor the table of all countries."""
    assert too_large(own_published(date(2026, 11, 26))) == {}


def test_a_country_with_as_many_rates_as_a_page_holds_is_not_too_large() -> None:
    """On its own page, on that of the product and on that of a filter."""
    rates = tuple(
        replace(RATE, id=f"no-{n}", price=Decimal(n + 1), network=net(name="N", mcc="242", mnc=f"{n:03}"))
        for n in range(MAX_ROWS)
    )
    coverage = tuple(replace(COVERAGE, id=f"no-{channel}", channel=channel) for channel in Channel)

    assert too_large(public(rates, coverage)) == {}


@pytest.mark.deep
@pytest.mark.parametrize("channels", [1, len(Channel)])
def test_all_countries_of_the_world_are_not_too_large(channels: int) -> None:
    """Coverage and rates of every country: tables become lists, and no page lacks a country."""
    codes = sorted(country_names())
    rates = tuple(
        replace(
            RATE,
            id=f"{code.lower()}-{product}",
            country=code,
            product=product,
            network=None,
            unit=product.unit,
        )
        for code in codes
        for product in (Product.SMS, Product.MMS)
    )
    coverage = tuple(
        replace(COVERAGE, id=f"{code.lower()}-{channel}", country=code, channel=channel)
        for code in codes
        for channel in [*Channel][:channels]
    )

    shown = public(rates, coverage)
    pages = {page.uri: page.body for page in catalog_pages(shown, Options()) if isinstance(page, Page)}

    assert too_large(shown) == {}
    for uri in ("coverage/index.md", "coverage/sms/index.md", "rates/sms/index.md", "rates/index.md"):
        linked = {link.partition("#")[0].rstrip("/").rpartition("/")[2] for link in read(pages[uri]).links}
        assert {code.lower() for code in codes} <= linked, uri
