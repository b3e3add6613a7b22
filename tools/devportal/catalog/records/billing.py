"""Billing: the billed amount of a use, in steps, and its cost.

`assets/devportal/estimate-cost.js` calculates the same in a browser. Both are tested with the same examples.
"""

from decimal import Decimal
from fractions import Fraction

from babel.numbers import get_currency_precision

from devportal.catalog.book.book import Unit

SINGLY = "1/1"
"""Steps of one: the amount used is billed."""

_PLACES = 6
"""The minimum number of decimal places of a cost in steps."""
_MORE_PLACES = 2
"""One unit of the amount may be more than a hundredth of what a price pays for, as a second is of a minute.
With two places more than the price has, no cost above zero is shown as free.
"""


def billed_amount(amount: int, steps: str = SINGLY) -> int:
    """Return the billed amount: zero for zero, then the first step, then each further step that is started.

    `steps` holds both, such as `60/30`.
    """
    if amount <= 0:
        return 0
    first, following = map(int, steps.split("/"))
    started = -(-max(amount - first, 0) // following)
    return first + started * following


def exact_cost(price: Decimal, unit: Unit, amount: int, *, steps: str = SINGLY, times: int = 1) -> Fraction:
    """Return the cost of a use, in the currency of the price.

    `amount` is what each use has, as the unit counts it, and `times` is the number of uses.
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

    Trailing zeros are removed, down to `least_places` decimal places.
    """
    exact = exact_cost(price, unit, amount, steps=steps, times=times)
    places = max(_PLACES, price_places(price) + _MORE_PLACES)
    digits = int(exact * 10**places + Fraction(1, 2))
    while places > least_places and digits % 10 == 0:
        digits, places = digits // 10, places - 1
    return Decimal((0, tuple(map(int, str(digits))), -places))


def currency_places(currency: str) -> int:
    """Return the decimal places of a currency (ISO 4217): 2 for EUR, none for JPY."""
    return get_currency_precision(currency)


def price_places(price: Decimal) -> int:
    """Return how many decimal places a price has."""
    exponent = price.as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0
