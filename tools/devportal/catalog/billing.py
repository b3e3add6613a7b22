"""Billing: how many seconds of a call are billed under an increment, and what a use of a price comes to.

`assets/devportal/estimate-cost.js` computes the same in a browser; both are held to the same examples.
"""

from decimal import Decimal
from fractions import Fraction

from babel.numbers import get_currency_precision

from devportal.catalog.rate import Increment, Unit

PER_SECOND = Increment(initial_s=1, subsequent_s=1)
"""1/1 per-second billing (service.md, What the service does 7)."""

_SECONDS = 60
_PLACES = 6
"""To how many places the cost of a call is rounded, at least."""
_MORE_PLACES = 2
"""A billed second is more than a hundredth of a minute: with two places more than the price has, no call that
costs anything is shown as free."""


def billed_seconds(duration_s: int, increment: Increment = PER_SECOND) -> int:
    """Return the seconds billed for whole seconds of talk: none for none, then `initial_s`, then each started
    `subsequent_s`."""
    if duration_s <= 0:
        return 0
    beyond = max(duration_s - increment.initial_s, 0)
    started = -(-beyond // increment.subsequent_s)
    return increment.initial_s + started * increment.subsequent_s


def exact_cost(
    price: Decimal, unit: Unit, amount: int, *, increment: Increment = PER_SECOND, times: int = 1
) -> Fraction:
    """Return what a use comes to, in the currency of the price.

    `amount` is what one message, call or number has: segments, messages, months, or whole seconds of talk
    where the price is per minute. `times` is how many of them there are.
    """
    if unit is Unit.MINUTE:
        return Fraction(price) * billed_seconds(amount, increment) * times / _SECONDS
    return Fraction(price) * amount * times


def cost(
    price: Decimal,
    unit: Unit,
    amount: int,
    *,
    increment: Increment = PER_SECOND,
    times: int = 1,
    least_places: int = 2,
) -> Decimal:
    """Return `exact_cost` as a decimal number, rounded once and half up (decision 0033).

    Zeros at its end are left out, down to `least_places` after the point.
    """
    exact = exact_cost(price, unit, amount, increment=increment, times=times)
    places = max(_PLACES, price_places(price) + _MORE_PLACES)
    digits = int(exact * 10**places + Fraction(1, 2))
    while places > least_places and digits % 10 == 0:
        digits, places = digits // 10, places - 1
    return Decimal((0, tuple(map(int, str(digits))), -places))


def currency_places(currency: str) -> int:
    """Return how many places amounts in a currency (ISO 4217) are written with: 2 for EUR, none for JPY."""
    return get_currency_precision(currency)


def price_places(price: Decimal) -> int:
    """Return how many digits a price has after its point."""
    exponent = price.as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0
