"""Requests ask for ranges of days and times that are not empty."""

from typing import Any

import pytest

from devportal.conformance.knowledge.requests.valid_request import valid_request
from tests.reference.reading import api_from

DAY, TIME = {"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}


def query_of(parameters: dict[str, dict[str, Any]], known: dict[str, str] | None = None) -> dict[str, str]:
    """Return the query of a request that needs these parameters."""
    rules = [
        {"name": name, "in": "query", "required": True, "schema": schema}
        for name, schema in parameters.items()
    ]
    api = api_from({"openapi": "3.1.0", "paths": {"/free": {"get": {"parameters": rules, "responses": {}}}}})
    request = valid_request(api, api.operations[0], "https://api.example.com", known)
    assert request is not None
    pairs = (pair.partition("=") for pair in request.url.partition("?")[2].split("&"))
    return {name: value for name, _, value in pairs}


@pytest.mark.parametrize(
    "names", [("from", "to"), ("start_date", "endDate"), ("stayFrom", "stayTo"), ("check_in", "check_out")]
)
@pytest.mark.parametrize("schema", [DAY, TIME])
def test_an_upper_bound_is_later_than_the_lower_one(names: tuple[str, str], schema: dict[str, Any]) -> None:
    """A range without a day in it is one that many deployments reject."""
    lower, upper = names

    query = query_of({upper: schema, lower: schema})

    assert query[upper] > query[lower]


@pytest.mark.parametrize(
    ("parameters", "known"),
    [
        ({"from": {**DAY, "examples": ["2027-01-05"]}, "to": {**DAY, "examples": ["2027-01-05"]}}, {}),
        ({"from": DAY, "to": DAY}, {"from": "2027-01-05", "to": "2027-01-05"}),
        ({"from": DAY, "birthday": DAY}, {}),
    ],
)
def test_other_values_stay(parameters: dict[str, Any], known: dict[str, str]) -> None:
    """Examples and known values are those of the deployment, and a birthday is no bound."""
    first, second = query_of(parameters, known).values()

    assert first == second
