"""Billed seconds, and what a use of a price comes to."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog.records.billing import (
    SINGLY,
    billed_amount,
    cost,
    currency_places,
    exact_cost,
    price_places,
)
from tests.catalog.billing_examples import BILLED_SECONDS, COSTS
from tests.catalog.own_book import Unit, steps

PRICES = st.decimals(min_value=0, max_value=10**6, places=8) | st.decimals(
    min_value=0, max_value=100, places=2
)


@pytest.mark.parametrize("example", BILLED_SECONDS, ids=str)
def test_seconds_are_billed_in_steps(example: dict[str, Any]) -> None:
    """First the initial seconds, then each started step; nothing for a call without talk."""
    billed_s = billed_amount(example["duration_s"], example["increment"])

    assert billed_s == example["billed_s"]


@given(st.integers(min_value=0, max_value=100_000))
def test_per_second_bills_each_second(duration_s: int) -> None:
    """1/1 is the documented granularity (service.md, What the service does 7)."""
    assert SINGLY == "1/1"
    assert billed_amount(duration_s) == duration_s


@given(st.integers(1, 10_000), st.integers(1, 120), st.integers(1, 120))
def test_billed_time_covers_the_talk(duration_s: int, initial_s: int, subsequent_s: int) -> None:
    """Never less than was talked or the initial seconds, and less than one step more."""
    billed_s = billed_amount(duration_s, steps(initial_s=initial_s, subsequent_s=subsequent_s))

    assert max(duration_s, initial_s) <= billed_s < max(duration_s, initial_s) + subsequent_s
    assert (billed_s - initial_s) % subsequent_s == 0


@pytest.mark.parametrize("example", COSTS, ids=str)
def test_costs_are_these(example: dict[str, Any]) -> None:
    """No zero stands at an end beyond two places, and rounding is told from an exact result."""
    price, unit = Decimal(example["price"]), Unit(example["unit"])
    increment = example.get("increment", "1/1")

    found = cost(price, unit, example["amount"], steps=increment, times=example["times"])
    exact = exact_cost(price, unit, example["amount"], steps=increment, times=example["times"])

    assert f"{found:f}" == example["cost"]
    assert (Fraction(found) == exact) is example["exact"]


@given(PRICES, st.integers(0, 10_000), st.integers(0, 10_000))
def test_messages_are_never_rounded(price: Decimal, amount: int, times: int) -> None:
    """A product of decimal numbers has an end, and as many places as it takes, but two."""
    found = cost(price, Unit.SEGMENT, amount, times=times)

    assert Fraction(found) == Fraction(price) * amount * times
    assert 2 <= price_places(found) <= max(price_places(price), 2)
    assert price_places(found) == 2 or found.as_tuple().digits[-1] != 0


@pytest.mark.parametrize(("currency", "shown"), [("JPY", "45"), ("EUR", "45.00"), ("KWD", "45.000")])
def test_a_sum_has_the_places_of_its_currency(currency: str, shown: str) -> None:
    """Yen have none, euros two, dinars of Kuwait three."""
    least_places = currency_places(currency)

    assert f"{cost(Decimal('1.5'), Unit.MESSAGE, 30, least_places=least_places):f}" == shown


@given(PRICES, st.integers(1, 10_000), st.integers(1, 60), st.integers(1, 60), st.integers(1, 100))
def test_a_call_is_rounded_once_and_is_never_free(
    price: Decimal, duration_s: int, initial_s: int, subsequent_s: int, times: int
) -> None:
    """At most half a unit of the last place is between the exact cost and the one shown."""
    increment = steps(initial_s=initial_s, subsequent_s=subsequent_s)

    found = cost(price, Unit.MINUTE, duration_s, steps=increment, times=times)
    exact = exact_cost(price, Unit.MINUTE, duration_s, steps=increment, times=times)

    assert abs(Fraction(found) - exact) <= Fraction(1, 2 * 10**6)
    assert (found > 0) is (price > 0)
