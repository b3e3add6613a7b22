"""Prices as pages show them: the prices of a product on one page have the same number of decimal places."""

from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from devportal.catalog.publication import PublishedRate
from devportal.catalog.records.billing import currency_places


def price_places(rates: Iterable[PublishedRate]) -> int:
    """Return the number of decimal places that some prices need: zeros at the end do not count."""
    rates = tuple(rates)
    currencies = {rate.terms.currency for rate in rates}
    prices = {rate.terms.price for rate in rates}
    return max((*map(currency_places, currencies), *map(_needed_places, prices)), default=0)


def price_text(price: Decimal, places: int) -> str:
    """Return a price with at least so many decimal places. No digit of it is rounded away."""
    whole, fraction = _whole_and_fraction(price)
    decimals = fraction.ljust(places, "0")
    return f"{whole}.{decimals}" if decimals else whole


@lru_cache(maxsize=4096)
def _whole_and_fraction(price: Decimal) -> tuple[str, str]:
    whole, _, fraction = f"{price:f}".partition(".")
    return whole, fraction.rstrip("0")


@lru_cache(maxsize=1 << 16)
def _needed_places(price: Decimal) -> int:
    return len(_whole_and_fraction(price)[1])
