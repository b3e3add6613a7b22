"""What the calculator says a text costs: the public rates times the segments, as Python computes it."""

import random
from decimal import Decimal
from typing import Any

import pytest
from tests.catalog.own_book import Unit

from devportal.catalog.records.billing import cost, currency_places

from .calling import Calls, calls_of

FUZZED = 400
CURRENCIES = ("EUR", "USD", "GBP", "JPY", "KWD", "CLP", "INR", "TND")


calls = calls_of("segments")


def rate(**changed: Any) -> dict[str, Any]:
    """Return a row of the public file of rates, as far as the calculator reads it."""
    row = {
        "country": "NO", "country_name": "Norway", "direction": "outbound", "unit": "segment",
        "network": "Fjord", "mcc": "242", "mnc": "010", "number_type": "mobile",
        "price": "0.0790", "currency": "EUR", "sample": False,
    }  # fmt: skip
    return {**row, **changed}


def country_row(country: str, name: str) -> dict[str, str]:
    return {"country": country, "country_name": name}


def test_markets_are_those_with_a_rate_or_coverage(calls: Calls) -> None:
    """By name; only prices of outbound segments count, and a market without any stays in the list."""
    rates = [
        rate(),
        rate(direction="inbound", price="0.01"),
        rate(unit="message", price="0.02"),
        rate(country="AT", country_name="Austria", direction="inbound"),
    ]
    coverage = [
        country_row("NO", "Norway"),
        country_row("AX", "Åland Islands"),
        country_row("ZA", "South Africa"),
    ]

    (answer,) = calls(["rates", "marketsOf", rates, coverage])

    assert [(item["name"], [found["price"] for found in item["rates"]]) for item in answer["value"]] == [
        ("Åland Islands", []),
        ("Austria", []),
        ("Norway", ["0.0790"]),
        ("South Africa", []),
    ]


@pytest.mark.parametrize(
    ("changed", "others", "name"),
    [
        ({}, [], "Fjord (242-010)"),
        ({"network": None, "mcc": None, "mnc": None}, [], "All networks"),
        ({"number_type": "toll_free"}, [rate()], "Fjord (242-010), toll-free numbers"),
        ({}, [rate(network="Skjær")], "Fjord (242-010)"),
    ],
)
def test_rates_are_told_from_each_other(
    changed: dict[str, Any], others: list[dict[str, Any]], name: str, calls: Calls
) -> None:
    """By the network, and by the kind of number where a market has several."""
    row = rate(**changed)

    assert calls(["rates", "rateName", row, {"rates": [row, *others]}]) == [{"value": name}]


def test_random_costs_are_those_of_python(calls: Calls) -> None:
    """Digit for digit, in the places of each currency."""
    source = random.Random(33)  # noqa: S311 - the same uses in each run
    uses = [
        {
            "price": f"{Decimal(source.randrange(1, 10**6)).scaleb(-source.randrange(7)):f}",
            "currency": source.choice(CURRENCIES),
            "segments": source.randint(1, 10),
            "recipients": source.choice((1, 7, 1000, source.randrange(10**9))),
        }
        for _ in range(FUZZED)
    ]
    recipients = calls(*(["cost", "recipientsOf", str(use["recipients"])] for use in uses))
    market = {"rates": [rate()]}

    found = calls(
        *(
            ["cost", "costAt", rate_row(use), market, use["segments"], times["value"]]
            for use, times in zip(uses, recipients, strict=True)
        )
    )  # fmt: skip

    assert [answer["value"]["total"] for answer in found] == [
        f"{total(use):,f} {use['currency']}" for use in uses
    ]


def rate_row(use: dict[str, Any]) -> dict[str, Any]:
    return rate(price=use["price"], currency=use["currency"])


def total(use: dict[str, Any]) -> Decimal:
    return cost(
        Decimal(use["price"]), Unit.SEGMENT, use["segments"],
        times=use["recipients"], least_places=currency_places(use["currency"]),
    )  # fmt: skip


def test_sum_is_written_out_and_samples_are_marked(calls: Calls) -> None:
    """As the estimator of the pages of rates writes it."""
    row = rate(sample=True)

    (answer,) = calls(["cost", "costAt", row, {"rates": [row]}, 3, {"integer": "1000"}])

    assert answer["value"] == {
        "name": "Fjord (242-010)",
        "price": "0.0790 EUR",
        "total": "237.00 EUR",
        "sum": "1,000 messages × 3 segments × 0.0790 EUR = 237.00 EUR",
        "isSample": True,
    }


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1", 1), (" 1000 ", 1000), ("1,000", 1000), ("12 345 678", 12345678), ("0", 0),
        ("0999999999", 999999999),
        ("1,00", "such as 1000."), ("1.5", "such as 1000."), ("-1", "such as 1000."), ("", "such as 1000."),
        ("1000000000", "at most 999,999,999."),
    ],
)  # fmt: skip
def test_recipients_are_whole_numbers(text: str, found: int | str, calls: Calls) -> None:
    """In groups or not; what is none is told, with an example."""
    (answer,) = calls(["cost", "recipientsOf", text])

    if isinstance(found, int):
        assert answer == {"value": {"integer": str(found)}}
    else:
        assert answer["error"].startswith("RangeError: Recipients: ")
        assert answer["error"].endswith(found)
