"""Billing: what of an amount is billed in steps, and what a use of a price comes to.

`assets/devportal/estimate-cost.js` computes the same in a browser; both are held to the same examples.
"""

from decimal import Decimal
from fractions import Fraction

from babel.numbers import get_currency_precision

from devportal.catalog.book.book import Unit

SINGLY = "1/1"
"""Steps of one: what is used is billed."""

_PLACES = 6
"""To how many places the cost of an amount that is billed in steps is rounded, at least."""
_MORE_PLACES = 2
"""One of the amount may be more than a hundredth of what a price pays for, as a second is of a minute: with
two places more than the price has, nothing that costs anything is shown as free."""


def billed_amount(amount: int, steps: str = SINGLY) -> int:
    """Return what is billed of an amount: none for none, then the first step, then each further one started.

    `steps` are both, such as `60/30`.
    """
    if amount <= 0:
        return 0
    first, following = map(int, steps.split("/"))
    started = -(-max(amount - first, 0) // following)
    return first + started * following


def exact_cost(price: Decimal, unit: Unit, amount: int, *, steps: str = SINGLY, times: int = 1) -> Fraction:
    """Return what a use comes to, in the currency of the price.

    `amount` is what each has, as the unit counts it, and `times` is how many of them there are.
    """
    if unit.steps:
        return Fraction(price) * billed_amount(amount, steps) * times / unit.steps.per
    return Fraction(price) * amount * times


def cost(
    price: Decimal,
    unit: Unit,
    amount: int,
    *,
    steps: str = SINGLY,
    times: int = 1,
    least_places: int = 2,
) -> Decimal:
    """Return `exact_cost` as a decimal number, rounded once and half up (decision 0033).

    Zeros at its end are left out, down to `least_places` after the point.
    """
    exact = exact_cost(price, unit, amount, steps=steps, times=times)
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
