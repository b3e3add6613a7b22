"""Country and currency codes, and the words for closed sets."""

import pytest

from devportal.catalog.pages.names import label
from devportal.catalog.records.codes import country_names, currency_codes
from devportal.catalog.records.coverage import Availability, Support
from devportal.catalog.records.version_ref import RecordRef
from tests.catalog.own_book import Channel, Product, Scheme, Unit


def test_the_countries_are_those_of_iso_3166() -> None:
    """249 codes and Kosovo; groupings and pseudo-regions of the CLDR are none."""
    names = country_names()

    assert len(names) == 250
    assert names["NO"] == "Norway"
    assert {"EU", "UN", "ZZ", "UK"}.isdisjoint(names)


def test_the_currencies_are_current() -> None:
    """What was replaced is no currency to price in."""
    assert {"EUR", "USD", "NOK", "INR"} <= currency_codes()
    assert {"DEM", "XXX", "USN"}.isdisjoint(currency_codes())


def test_every_member_of_every_set_has_a_word() -> None:
    """No page can meet a value without a label."""
    sets = (Availability, Channel, Product, Scheme, Support, Unit)

    assert all(label(member) for each in sets for member in each)


@pytest.mark.parametrize(
    "text", ["", "rates/x", "rates/@1", "prices/x@1", "rates/x@", "rates/x@-1", "rates/x@١"]
)
def test_what_names_no_version_is_refused(text: str) -> None:
    """Only `kind/id@version` names a version."""
    with pytest.raises(ValueError, match=r"."):
        RecordRef.parse(text)
