"""Sites around the pages of rates: few rates that stand on their page, and many that a file holds."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from pathlib import Path

from devportal.catalog.pages import Options, catalog_pages
from devportal.catalog.records.rate import RateTerms
from devportal.markup import Page
from tests.catalog.build import RATE
from tests.catalog.own_book import UNCOUNTED, Direction, NumberType, Product, Unit, net, replace, steps
from tests.catalog.publishing import public
from tests.site.generated import site_of

FJORD = net(name="Fjord <b>", mcc="242", mnc="010")
FEW = (
    replace(RATE, network=FJORD, number_type=NumberType.MOBILE, price=Decimal("0.10")),
    replace(RATE, id="no-sms-in", network=FJORD, direction=Direction.INBOUND, price=Decimal("0.02")),
    replace(RATE, id="no-sms-any", network=None, price=Decimal("0.11"), currency="USD"),
    replace(RATE, id="se-sms", network=None, country="SE", price=Decimal("0.9")),
    replace(
        RATE, id="dk-sms", network=None, country="DK", price=Decimal("0.058"), number_type=NumberType.LOCAL
    ),
    replace(
        RATE,
        id="dk-sms-in",
        network=None,
        country="DK",
        direction=Direction.INBOUND,
        price=Decimal("0.06"),
        sample=True,
    ),
)
WIDE_ROWS = (
    replace(
        RATE,
        product=Product.NUMBER,
        network=None,
        number_type=NumberType.TOLL_FREE,
        price=Decimal("12345678.00750010"),
        unit=Unit.MONTH,
        effective_to=date(2026, 12, 31),
        sample=True,
    ),
    replace(
        RATE,
        id="ba-voice",
        product=Product.VOICE,
        country="BA",
        network=None,
        prefixes=("3876", "38761234567"),
        number_type=NumberType.MOBILE,
        price=Decimal("0.00750010"),
        unit=Unit.MINUTE,
        billing_increment=steps(initial_s=60, subsequent_s=60),
        effective_to=date(2026, 12, 31),
        sample=True,
    ),
)
"""Rows as wide as rows get."""
MANY = 900
"""So many rates has the site on which a file holds them: of Norway, Sweden and Denmark in turn."""


def _many_rates() -> Iterable[RateTerms]:
    for number in range(MANY):
        country = ("NO", "SE", "DK")[number % 3]
        yield replace(
            RATE,
            id=f"{country.lower()}-sms-{number:03}",
            country=country,
            network=net(name=f"Net {number:03}", mcc="242", mnc=f"{number:03}"),
            direction=Direction.INBOUND if number % 5 == 0 else Direction.OUTBOUND,
            price=Decimal(number + 1) / 1000,
        )


def make_rates_site(folder: Path, *, is_long: bool) -> Path:
    """Build the site of few rates or of many into a folder below `folder`, and return that."""
    return make_site_of(tuple(_many_rates()) if is_long else FEW, folder)


def make_site_of(rates: tuple[RateTerms, ...], folder: Path) -> Path:
    """Build the site of some rates into a folder below `folder`, and return that."""
    made = catalog_pages(replace(public(rates), book=UNCOUNTED), Options())
    shown = [page for page in made if not page.uri.endswith(".png")]
    pages = [replace(page, preview="") if isinstance(page, Page) else page for page in shown]
    nav = [{"Welcome": "index.md"}, {"Rates": "rates/index.md"}, {"Coverage": "coverage/index.md"}]
    site_of(*pages, folder=folder, nav=nav)
    return folder / "site"
