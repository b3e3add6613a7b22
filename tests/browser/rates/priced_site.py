"""A site around the pages of a country with rates of every unit, and with a history."""

import shutil
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from devportal.catalog import Published, Records, published
from devportal.catalog.audit.lifecycle import State
from devportal.catalog.pages import Options, catalog_pages
from tests.browser.conftest import ROOT
from tests.catalog.build import RATE, TODAY, coverage, log_of, rate
from tests.catalog.own_book import BOOK, UNCOUNTED, Direction, Product, Unit, net, replace
from tests.catalog.past import CALL, CALL_NOW, FIRST, FULL, LIMITED, NUMBER, SECOND, THIRD
from tests.site.generated import site_of

if TYPE_CHECKING:
    from devportal.catalog.records.rate import RateTerms

HOSTILE = "<img src=x onerror=alert(1)>"
EVIL = replace(
    RATE,
    id="no-rcs",
    product=Product.RCS,
    network=net(name=HOSTILE, mcc="242", mnc="99"),
    unit=Unit.MESSAGE,
    price=Decimal("0.03"),
)
SWEDEN = replace(RATE, id="se-sms", country="SE", network=None, price=Decimal("0.0790"), currency="USD")
INBOUND = replace(RATE, id="se-sms-in", country="SE", network=None, direction=Direction.INBOUND)


def priced_records() -> Published:
    """Return the public rates and markets of the site."""
    rates: tuple[RateTerms, ...]
    rates = (FIRST, SECOND, THIRD, CALL, CALL_NOW, EVIL, NUMBER, SWEDEN, INBOUND)
    records = Records(
        book=BOOK,
        rates=tuple(rate(terms, State.ACTIVE) for terms in rates),
        coverage=(coverage(LIMITED), coverage(FULL)),
    )
    return published(records, log_of(*rates, LIMITED, FULL), TODAY)


def make_priced_site(folder: Path, *, has_counter: bool = True) -> Path:
    """Build the site into a folder below `folder`, and return that."""
    public = priced_records()
    if not has_counter:
        public = replace(public, book=UNCOUNTED)
    made = catalog_pages(public, Options())
    nav = [{"Welcome": "index.md"}, {"Rates": "rates/index.md"}, {"Coverage": "coverage/index.md"}]
    site_of(*made, folder=folder, nav=nav)
    shutil.copytree(ROOT / "docs" / "assets" / "segments", folder / "site" / "assets" / "segments")
    return folder / "site"
