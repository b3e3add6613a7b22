"""What settings expect of responses: a right server passes, each wrong one fails for its own reason."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from devportal.conformance.families.responses.expected_responses import FAMILY, is_expected_value
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.settings import parse_settings
from devportal.documents import parse_document
from devportal.errors import InvalidSettings, UnreadableInput
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "prices.yaml"
CSV = "country,channel,amount\nNO,sms,0.0500\nSE,sms,0.07\nDK,sms,0.10\n"
LIST = """\
expected:
  - operation: listPrices
    values: {channel: sms}
    items: /data
    key: [country, channel]
    members: {country: /country, channel: /channel, amount: /price/amount}
    from: {file: prices.csv}
"""
EACH = """\
expected:
  - operation: GET /prices/{country}
    values: {country: '{country}'}
    members: {channel: /channel, amount: /price/amount}
    from: {file: prices.csv}
"""
PARTS = """\
expected:
  - operation: countParts
    body: {text: '{text}'}
    members: {parts: /parts}
    from: {file: parts.yaml}
"""


class Prices:
    """Serves prices; what `change` does to the list is wrong."""

    def __init__(self, change: Callable[[list[dict[str, Any]]], object] = lambda _: None) -> None:
        """Take what is wrong."""
        self.prices: list[dict[str, Any]] = [
            {"country": text, "channel": "sms", "price": {"amount": amount, "currency": "EUR"}}
            for text, amount in (("NO", 0.05), ("SE", 0.07), ("DK", 0.1))
        ]
        change(self.prices)

    def app(self) -> Starlette:
        """Return the ASGI application."""
        routes = [
            Route("/prices", self.list_prices),
            Route("/prices/{country}", self.show_price),
            Route("/parts", self.count_parts, methods=["POST"]),
        ]
        return Starlette(routes=routes)

    async def list_prices(self, request: Request) -> Response:
        """List two prices at a time."""
        start = int(request.query_params.get("cursor", "0"))
        end = start + 2
        following = str(end) if end < len(self.prices) else None
        return JSONResponse({"data": self.prices[start:end], "next_cursor": following})

    async def show_price(self, request: Request) -> Response:
        """Show the price of a country."""
        country = request.path_params["country"]
        found = next((price for price in self.prices if price["country"] == country), None)
        return JSONResponse(found) if found is not None else Response(status_code=404)

    async def count_parts(self, request: Request) -> Response:
        """Count parts of three letters."""
        text = (await request.json())["text"]
        return JSONResponse({"parts": max(1, (len(text) + 2) // 3)})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the expected rows."""
    (tmp_path / "prices.csv").write_text(CSV)
    (tmp_path / "parts.yaml").write_text("cases:\n- {text: abc, parts: 1}\n- {text: abcd, parts: 2}\n")
    return tmp_path


def subject_expecting(text: str, folder: Path) -> Subject:
    """Return a subject with the expectations of settings."""
    settings = parse_settings(parse_document(text, name="conformance.yaml"), folder=folder)
    return replace(subject_of(CONTRACT), expected=settings.expected)


def titles(text: str, folder: Path, server: Prices) -> list[tuple[str, str]]:
    """Return operations and titles of what is found."""
    log = run_family(FAMILY, server.app(), subject_expecting(text, folder))
    assert log.tallies
    return [(failure.operation, failure.title) for failure in log.failures if failure.fails]


@pytest.mark.parametrize("text", [LIST, EACH, PARTS])
def test_a_server_that_holds_what_is_expected_is_clean(text: str, folder: Path) -> None:
    """Lists in pages, single resources, and responses to bodies; `0.0500` is 0.05."""
    assert titles(text, folder, Prices()) == []


@pytest.mark.parametrize(
    ("change", "title"),
    [
        (lambda prices: prices.pop(), "an expected item is missing"),
        (lambda prices: prices[1]["price"].update(amount=0.08), "a value is not the expected one"),
        (lambda prices: prices.append({**prices[0], "country": "FI"}), "an item is not expected"),
        (lambda prices: prices.append(deepcopy(prices[0])), "an expected item comes twice"),
    ],
)
def test_each_difference_of_a_list_is_found(change: Any, title: str, folder: Path) -> None:
    """Missing, wrong, additional and repeated items are four failures."""
    assert titles(LIST, folder, Prices(change)) == [("GET /prices", title)]


def test_items_that_are_not_expected_can_be_allowed(folder: Path) -> None:
    """`whole: false` is for a sample of a larger list."""
    more = Prices(lambda prices: prices.append({**prices[0], "country": "FI"}))

    assert titles(f"{LIST}    whole: false\n", folder, more) == []


def test_single_resources_are_compared_one_by_one(folder: Path) -> None:
    """One is missing, and one has another price."""

    def change(prices: list[dict[str, Any]]) -> None:
        prices[0]["price"]["amount"] = 9
        prices.pop()

    assert sorted(titles(EACH, folder, Prices(change))) == [
        ("GET /prices/{country}", "a value is not the expected one"),
        ("GET /prices/{country}", "an expected response does not come"),
    ]


def test_responses_to_bodies_are_compared(folder: Path) -> None:
    """The number of parts of each text is in a file."""
    (folder / "parts.yaml").write_text("- {text: abcdefg, parts: 2}\n")

    assert titles(PARTS, folder, Prices()) == [("POST /parts", "a value is not the expected one")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LIST.replace("amount: /price", "ammount: /price"), "prices.csv has no column 'ammount'"),
        (LIST.replace("    key: [country, channel]\n", ""), "which columns identify an item"),
        (LIST.replace("prices.csv", "none.csv"), "none.csv: this file cannot be read"),
        (LIST.replace("prices.csv", "empty.csv"), "empty.csv has no rows"),
        (LIST.replace("prices.csv", "torn.csv"), "another number of cells"),
        (PARTS.replace("parts.yaml", "text.yaml"), "no list of objects"),
        (LIST.replace("whole", "hole").replace("    items", "    itms"), "did you mean `items`"),
    ],
)
def test_what_is_wrong_with_an_expectation_is_explained(text: str, message: str, folder: Path) -> None:
    """Before anything is sent, with the place."""
    (folder / "empty.csv").write_text("country,channel,amount\n")
    (folder / "torn.csv").write_text("country,channel,amount\nNO,sms\n")
    (folder / "text.yaml").write_text("just text\n")

    with pytest.raises((InvalidSettings, UnreadableInput), match=message):
        subject_expecting(text, folder)


@pytest.mark.parametrize(
    ("wanted", "value", "fits"),
    [
        ("", None, True),
        ("1.50", 1.5, True),
        ("1.5", "1.50", True),
        ("true", True, True),
        ("true", 1, False),
        ("a; b", ["a", "b"], True),
        (3, 3.0, True),
        ("x", None, False),
        ("x", {"y": 1}, False),
    ],
)
def test_cells_stand_for_values(wanted: Any, value: Any, *, fits: bool) -> None:
    """A cell of CSV has no type of its own."""
    assert is_expected_value(wanted, value) is fits, json.dumps([wanted, value])


RECORDS = """\
expected:
  - operation: listPrices
    items: /data
    key: [id]
    members: {id: /country}
    from: {records: data, kind: rates}
"""
ROOT = Path(__file__).parents[4]


def test_published_records_are_expected_and_unapproved_ones_are_not() -> None:
    """The list holds what the publication gate lets through; a draft in it is a failure of its own."""
    expected = subject_expecting(RECORDS, ROOT).expected[0].rows
    public = [{"country": row.values["id"], "channel": "", "price": {}} for row in expected.rows]
    draft = {"country": min(expected.unapproved), "channel": "", "price": {}}

    def prices_server(*prices: dict[str, Any]) -> Prices:
        def replace_all(listed: list[dict[str, Any]]) -> None:
            listed[:] = prices

        return Prices(replace_all)

    assert titles(RECORDS, ROOT, prices_server(*public)) == []
    assert titles(RECORDS, ROOT, prices_server(*public[1:], draft)) == [
        ("GET /prices", "an expected item is missing"),
        ("GET /prices", "an unapproved record is published"),
    ]
