"""Filters of OData, as texts and in a list."""

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.mock.lists.odata_filters import read_filter
from tests.contract.inline import api
from tests.mock.contracts import Client

ANN: dict[str, Any] = {
    "Name": "Ann O'Neill",
    "Age": 30,
    "City": {"Name": "Oslo"},
    "IsVip": True,
    "Since": "2026-03-01T00:00:00Z",
    "Left": None,
    "Kind": "Private",
    "Key": "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
}


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Age gt 29", True),
        ("Age gt 30", False),
        ("Age ge 30 and Age le 30.0", True),
        ("Age lt 30 or Name eq 'Ann O''Neill'", True),
        ("not (Age eq 30)", False),
        ("not contains(Name,'Bob') and Age ne 31", True),
        ("Age eq 1 or Age eq 30 and IsVip", True),
        ("(Age eq 1 or Age eq 30) and IsVip eq false", False),
        ("startswith(Name,'Ann') and endswith(tolower(Name), 'ILL') eq true", False),
        ("contains(Name,'Bob') eq false", True),
        ("contains(Name,'Bob') eq 1", None),
        ("Key eq 3f2504e0-4f89-11d3-9a0c-0305e82c3301", True),
        ("Age eq " + "1" * 5000, None),
        ("tolower(" * 5000 + "Name" + ")" * 5000 + " eq 'x'", None),
        ("startswith(tolower(Name),'ann') and length(Name) gt 10", True),
        ("substringof('Neill', Name)", True),
        ("City/Name eq 'Oslo'", True),
        ("city/name in ('Rome', 'Oslo')", True),
        ("Since ge 2026-03-01 and Since lt 2026-03-01T00:00:01Z", True),
        ("Since gt datetime'2026-03-02T00:00:00'", False),
        ("Left eq null and Age ne null", True),
        ("Left lt 5", False),
        ("Kind eq Trips.Kind'Private'", True),
        ("Age", False),
        ("Age gt", None),
        ("Age plus 3", None),
        ("Friends/any(f:f/Age gt 3)", None),
        ("Name eq 'open", None),
        ("(" * 90 + "Age eq 30" + ")" * 90, None),
        ("", None),
    ],
)
def test_what_filters_let_through(text: str, fits: object) -> None:
    """By the precedence of OData 4.01 URL Conventions §5.1.1.14; None for what is not read."""
    test = read_filter(text)

    assert (test(ANN) if test is not None else None) is fits


@given(st.text(alphabet="aA1'() ,/eqandornot.-$", max_size=60))
def test_any_text_is_read_or_not(text: str) -> None:
    """Nothing raises."""
    test = read_filter(text)

    assert test is None or test(ANN) in (True, False)


PEOPLE = """\
paths:
  /People:
    get:
      parameters:
        - {name: $filter, in: query, schema: {type: string}}
        - {name: $search, in: query, schema: {type: string}}
      responses: {'200': {description: All, content: {application/json: {schema: {
        type: object, properties: {value: {type: array, items: {$ref: '#/components/schemas/Person'}}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}
      responses: {'201': {description: New, content: {application/json: {schema: {
        $ref: '#/components/schemas/Person'}}}}}
  /People({Id}):
    get:
      parameters: [{name: Id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: One, content: {application/json: {schema: {
        $ref: '#/components/schemas/Person'}}}}}
components:
  schemas:
    Person: {type: object, properties: {Id: {type: integer, readOnly: true}, Age: {type: integer}}}
"""


def test_a_list_is_filtered_by_its_filter() -> None:
    """One that is not read filters nothing."""
    people = Client(api(PEOPLE))
    for age in (70, 80, 90):
        people.json("POST", "/People", {"Age": age})
    everybody = people.json("GET", "/People")["value"]

    found = people.json("GET", f"/People?$filter={quote('Age gt 70 and Age lt 90')}")["value"]
    assert [person["Age"] for person in found] == [80]
    assert people.json("GET", "/People?$filter=Age%20plus%203")["value"] == everybody
    assert people.json("GET", "/People?$search=nobody")["value"] == []
