"""Published prices as figures on hand-written pages."""

from decimal import Decimal
from typing import Any

from devportal.markup.page import InsertProblem
from devportal.site.hand_written.inserts import InsertResult, Inserts
from tests.catalog.build import COVERAGE, RATE
from tests.catalog.own_book import replace
from tests.catalog.publishing import ANY_NETWORK, VOICE, public, small_catalog
from tests.reference.reading import api_from

from .test_inserts import CONTRACT


def insert_figures(shown: Any, *products: str) -> InsertResult | InsertProblem:
    inserts = Inserts(api_from(CONTRACT), public=shown)
    return inserts.make_insert(("published-prices", *products), source="guides/a.md", anchor="x")


def test_each_product_has_its_lowest_price() -> None:
    """With its unit and a link to its page; the last figure counts the countries."""
    result = insert_figures(small_catalog())

    assert isinstance(result, InsertResult)
    assert result.markdown.splitlines() == [
        "- SMS from: [0.10 EUR](../rates/sms/index.md) per segment",
        "- Voice from: [0.0000001 EUR](../rates/voice/index.md) per minute",
        "- Countries: [2](../coverage/index.md) with published records",
    ]
    assert '<dt dir="auto">SMS from</dt><dd><a href="../../rates/sms/">0.10 EUR</a>' in result.html


def test_a_price_of_another_kind_is_not_the_lowest() -> None:
    """What costs next to nothing, as receiving does, would make a product look cheap."""
    cheap = replace(ANY_NETWORK, price=Decimal("0.0001"))

    result = insert_figures(public((RATE, cheap), (COVERAGE,)), "sms")

    assert isinstance(result, InsertResult)
    assert "0.0001" not in result.markdown


def test_a_price_is_in_the_currency_that_most_have() -> None:
    """So that figures of several products can be compared."""
    others = [
        replace(VOICE, id=f"v-{number}", country=code, currency="USD", price=Decimal(5))
        for number, code in enumerate(("NO", "DK", "FI"))
    ]

    result = insert_figures(public((VOICE, *others)), "voice")

    assert isinstance(result, InsertResult)
    assert "5.0000000 USD" in result.markdown


def test_a_product_without_a_price_is_an_error() -> None:
    """The message lists those that have one; without any there is nothing to list."""
    unknown, none, without = (
        insert_figures(small_catalog(), "smss"),
        insert_figures(public(())),
        insert_figures(None),
    )

    assert isinstance(unknown, InsertProblem)
    assert unknown.message == "there is no product with a published price 'smss'"
    assert unknown.help == "did you mean 'sms'?"
    for problem in (none, without):
        assert isinstance(problem, InsertProblem)
        assert problem.message == "there is no published price"
