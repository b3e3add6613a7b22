"""Prices as pages show them: the prices of a product on one page have the same number of decimal places."""

from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from devportal.catalog.publication import PublishedRate
from devportal.catalog.records.billing import currency_places
from devportal.catalog.records.rate import RateTerms

_currency_places = lru_cache(maxsize=256)(currency_places)


def price_places(rates: Iterable[PublishedRate]) -> int:
    """Return the number of decimal places that some prices need: zeros at the end do not count."""
    return max([_places_of(rate.terms) for rate in rates], default=0)


def _places_of(terms: RateTerms) -> int:
    try:
        return terms.kept_places
    except AttributeError:
        _, fraction = _whole_and_fraction(terms.price)
        places = max(_currency_places(terms.currency), len(fraction))
        object.__setattr__(terms, "kept_places", places)
        return places


def price_text(price: Decimal, places: int) -> str:
    """Return a price with at least this many decimal places. No digit of it is rounded away."""
    whole, fraction = _whole_and_fraction(price)
    decimals = fraction.ljust(places, "0")
    return f"{whole}.{decimals}" if decimals else whole


@lru_cache(maxsize=4096)
def _whole_and_fraction(price: Decimal) -> tuple[str, str]:
    whole, _, fraction = f"{price:f}".partition(".")
    return whole, fraction.rstrip("0")
