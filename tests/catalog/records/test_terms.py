"""What differs between two versions, field by field."""

from dataclasses import fields
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog.pages.compared_terms import coverage_fields, differences, price_change, rate_fields
from devportal.catalog.records.coverage import Availability, CoverageTerms, Registration, Support
from devportal.catalog.records.rate import RateTerms
from tests.catalog.build import COVERAGE, RATE
from tests.catalog.own_book import (
    BOOK,
    BillingTerm,
    Channel,
    Direction,
    NumberType,
    Product,
    Scheme,
    Unit,
    channel_features,
    net,
    replace,
    steps,
)

NOT_COMPARED = {"id", "version", "effective_from", "effective_to"}
"""What names a version and says when it holds."""
OTHER_RATE: dict[str, Any] = {
    "product": Product.VOICE,
    "direction": Direction.INBOUND,
    "country": "SE",
    "network": None,
    "number_type": NumberType.TOLL_FREE,
    "prefixes": ("4790",),
    "unit": Unit.MINUTE,
    "price": Decimal("0.11"),
    "currency": "USD",
    "billing_increment": steps(initial_s=30, subsequent_s=6),
    "billing_terms": (BillingTerm.BILLED,),
    "sample": True,
}
OTHER_COVERAGE: dict[str, Any] = {
    "country": "SE",
    "dialling_code": "46",
    "channel": Channel.RCS,
    "support": Support.LIMITED,
    "number_types": (NumberType.SHORT_CODE,),
    "features": channel_features(two_way=Availability.NO),
    "registration": Registration(scheme=Scheme.NONE, lead_time_days=3),
    "restrictions": ("No links.",),
    "reviewed_on": date(2026, 1, 3),
    "sample": True,
}
PRICES = st.decimals(min_value=0, max_value=1000, places=8) | st.decimals(min_value=0, max_value=10, places=2)


def test_every_field_has_another_value_here() -> None:
    """The two lists above name each term there is, so that no new one is forgotten in histories."""
    rates, coverage = (field.name for field in BOOK.fields), (field.name for field in BOOK.coverage.fields)
    fixed = {"market": "country", "market_kind": "country", "declared": "country"}
    terms = {fixed.get(field.name, field.name) for field in fields(RateTerms)}

    assert terms | {*rates} == {
        *OTHER_RATE,
        *NOT_COMPARED,
    }
    assert {fixed.get(field.name, field.name) for field in fields(CoverageTerms)} | {*coverage} == {
        *OTHER_COVERAGE,
        *NOT_COMPARED,
    }


@pytest.mark.parametrize("name", OTHER_RATE)
def test_a_change_of_any_term_of_a_rate_is_told(name: str) -> None:
    """Whatever changes has a row of its own, with words before and after."""
    found = differences(RATE, replace(RATE, **{name: OTHER_RATE[name]}), BOOK)

    assert found
    assert all(
        difference.before and difference.after and difference.before != difference.after
        for difference in found
    )


@pytest.mark.parametrize("name", OTHER_COVERAGE)
def test_a_change_of_any_term_of_a_market_is_told(name: str) -> None:
    """The same for coverage."""
    found = differences(COVERAGE, replace(COVERAGE, **{name: OTHER_COVERAGE[name]}), BOOK)

    assert found
    assert all(
        difference.before and difference.after and difference.before != difference.after
        for difference in found
    )


@given(st.sets(st.sampled_from(sorted(OTHER_RATE))))
def test_differences_mirror_each_other(names: set[str]) -> None:
    """Backwards, before and after change places; between a version and itself there is nothing."""
    other = replace(RATE, **{name: OTHER_RATE[name] for name in names})

    forth, back = differences(RATE, other, BOOK), differences(other, RATE, BOOK)

    assert [(difference.title, difference.before, difference.after) for difference in forth] == [
        (difference.title, difference.after, difference.before) for difference in back
    ]
    assert differences(other, other, BOOK) == ()


def test_each_field_has_a_name_and_a_title_of_its_own() -> None:
    """Columns of files and rows of pages cannot be mistaken for one another."""
    for named in (rate_fields(BOOK), coverage_fields(BOOK)):
        assert (
            len({terms_field.name for terms_field in named})
            == len({item.title for item in named})
            == len(named)
        )


def test_a_network_may_come_and_go() -> None:
    """Name and codes are told each, in words where there is none."""
    other = replace(RATE, network=net(name="Fjord", mcc="242", mnc="10"))

    assert [
        (difference.title, difference.before, difference.after)
        for difference in differences(RATE, other, BOOK)
    ] == [("Mobile network code", "010", "10")]
    assert [difference.after for difference in differences(RATE, replace(RATE, network=None), BOOK)] == [
        "all networks",
        "any",
        "any",
    ]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("0.10", "0.12", "up by 20%"),
        ("0.12", "0.10", "down by about 16.67%"),
        ("0.10", "0.1125", "up by 12.5%"),
        ("0.08", "0.0801", "up by about 0.13%"),
        ("0.10", "0.00", "down by 100%"),
        ("0.00", "0.10", "up from nothing"),
        ("0.10", "0.100", ""),
        ("900", "900.00000001", "up by about 0.000000001%"),
        ("0.01", "100", "up by 999900%"),
    ],
)
def test_a_change_of_price_is_told_in_words(before: str, after: str, words: str) -> None:
    """Up or down, exact where two places are enough, and never 0% for a change."""
    assert price_change(Decimal(before), Decimal(after)) == words


@given(PRICES, PRICES)
def test_the_change_of_a_price_points_the_right_way(before: Decimal, after: Decimal) -> None:
    """The words say up exactly if the price is higher, and `about` exactly if digits are missing."""
    words = price_change(before, after)
    if before == after:
        assert words == ""
        return
    assert words.startswith("up" if after > before else "down")
    if before:
        number = Fraction(words.split()[-1].removesuffix("%"))
        exact = abs(Fraction(after) - Fraction(before)) * 100 / Fraction(before)
        assert number > 0
        assert (number == exact) is ("about" not in words)
        assert abs(number - exact) <= Fraction(1, 200)


def test_a_price_in_another_currency_is_told_with_it() -> None:
    """Nobody is told that 0.10 EUR went up to 0.11 USD."""
    other = replace(RATE, price=Decimal("0.11"), currency="USD")

    price = differences(RATE, other, BOOK)[0]

    assert (price.before, price.after, price.note) == (
        "0.10 EUR per segment",
        "0.11 USD per segment",
        "",
    )


def test_records_of_two_kinds_cannot_be_compared() -> None:
    """A rate and a market have no terms in common."""
    with pytest.raises(TypeError, match="two kinds"):
        differences(RATE, COVERAGE, BOOK)
