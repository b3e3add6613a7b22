"""Filters of PostgREST, as texts and in a list."""

import pytest

from devportal.mock.lists.postgrest_filters import read_operator
from tests.contract.inline import api
from tests.mock.contracts import Client


@pytest.mark.parametrize(
    ("text", "shown", "fits"),
    [
        ("eq.9", 9, True),
        ("eq.9", 90, False),
        ("neq.9", 9, False),
        ("gte.2000", 2000, True),
        ("gt.2000", 2000, False),
        ("lt.10", 9.5, True),
        ("lte.2026-01-01", "2025-12-31", True),
        ("gt.5", None, False),
        ("like.*He*", "She Heard", True),
        ("like.he%", "Heat", False),
        ("ilike.h_at", "HEAT", True),
        ("like.[x]*", "x", False),
        ('in.(1,"a,b")', "a,b", True),
        ("in.(1,2)", 3, False),
        ("in.(1\r\n,2)", 2, True),
        ("is.null", None, True),
        ("is.true", False, False),
        ("not.eq.9", 8, True),
        ("not.in.(8)", 8, False),
    ],
)
def test_what_operators_let_through(text: str, shown: object, fits: object) -> None:
    """By the documentation of PostgREST 12, Tables and Views, Operators."""
    test = read_operator(text)

    assert test is not None
    assert test(shown) is fits


@pytest.mark.parametrize("text", ["9", "eq", "in.9", "is.odd", "fts.cat", "v1.2", ""])
def test_other_texts_are_values(text: str) -> None:
    """They are compared as they are."""
    assert read_operator(text) is None


FILMS = """\
paths:
  /films:
    get:
      parameters:
        - {name: year, in: query, schema: {type: string}}
        - {name: select, in: query, schema: {type: string}}
        - {name: ORDER, in: query, schema: {type: string}}
        - {name: Range-Unit, in: header, schema: {type: string}}
        - {name: Prefer, in: header, schema: {type: string}}
      responses: {'200': {description: All, content: {application/json: {schema: {
        type: array, items: {$ref: '#/components/schemas/Film'}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Film'}}}}
      responses: {'201': {description: Created}}
components:
  schemas:
    Film: {type: object, required: [id], properties: {id: {type: integer}, year: {type: integer}}}
"""


def test_a_list_has_operators_in_contracts_of_postgrest() -> None:
    """Elsewhere a value is a value, whatever it begins with."""
    for order, query in (("order", "?year=in.(1995,2013)&order=year.desc"), ("sort", "?year=in.(1995,2013)")):
        films = Client(api(FILMS.replace("ORDER", order)))
        for number, year in enumerate((1979, 1995, 2013), 11):
            films.call("POST", "/films", {"id": number, "year": year})
        years = [film["year"] for film in films.json("GET", f"/films{query}")]

        assert years == ([2013, 1995] if order == "order" else [])


CHANGED = FILMS.replace("ORDER", "order").replace(
    "    post:\n",
    """    patch:
      parameters: [{name: year, in: query, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Film'}}}}
      responses: {'204': {description: Changed}}
    delete:
      parameters: [{name: year, in: query, schema: {type: string}}]
      responses: {'204': {description: Deleted}}
    post:
""",
)


def test_all_that_fits_a_filter_is_changed_or_deleted() -> None:
    """A change may lack what a creation requires: both have the same schema."""
    films = Client(api(CHANGED))
    films.application.state.clear()
    for number, year in enumerate((1979, 1995, 2013), 11):
        films.call("POST", "/films", {"id": number, "year": year})

    changed = films.call("PATCH", "/films?year=gte.1995", {"year": 2000})
    deleted = films.call("DELETE", "/films?year=lt.1990")

    assert (changed.status, deleted.status) == (204, 204)
    assert films.json("GET", "/films") == [{"id": 12, "year": 2000}, {"id": 13, "year": 2000}]


def test_pages_have_a_limit_and_an_offset_that_are_texts() -> None:
    """So PostgREST describes them."""
    pages = "".join(
        f"        - {{name: {name}, in: query, schema: {{type: string}}}}\n" for name in ("limit", "offset")
    )
    text = FILMS.replace("ORDER", "order").replace("      parameters:\n", f"      parameters:\n{pages}", 1)
    films = Client(api(text))
    films.application.state.clear()
    for number in range(11, 15):
        films.call("POST", "/films", {"id": number})

    assert [film["id"] for film in films.json("GET", "/films?limit=2&offset=1&order=id.desc")] == [13, 12]
