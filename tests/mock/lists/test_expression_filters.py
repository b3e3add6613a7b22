"""Filters of SCIM and AIP-160, as texts and in a list."""

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.mock.lists.expression_filters import read_expression
from tests.contract.inline import api
from tests.mock.contracts import Client

ANN: dict[str, Any] = {
    "userName": "ann",
    "age": 30,
    "active": True,
    "name": {"familyName": "O'Neill"},
    "emails": [{"type": "work", "value": "ann@example.com"}, {"type": "home", "value": "a@example.org"}],
    "meta": {"lastModified": "2026-03-01T00:00:00Z"},
    "nick": None,
    "state": "ACTIVE",
}


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ('userName eq "ann"', True),
        ('userName Eq "bob"', False),
        ('userName eq "ANN"', True),
        ('userName ne "ANN"', False),
        ('userName = "ANN"', False),
        ('urn:ietf:params:scim:schemas:core:2.0:User:userName sw "AN"', True),
        ('name.familyName co "\'neill" and active eq true', True),
        ('age gt 30 or age le "30"', True),
        ('not (userName ew "n")', False),
        ('emails.value co "example.org"', True),
        ('emails co "example.org"', True),
        ('emails[type eq "work" and value co "example.org"]', False),
        ('emails[type eq "home" and value co "example.org"]', True),
        ("nick pr", False),
        ("name pr and nick eq null", True),
        ('meta.lastModified ge "2026-03-01T00:00:00Z"', True),
        ('userName = "ann" AND age >= 30', True),
        ("state=ACTIVE AND NOT age<30", True),
        ("state != ACTIVE", False),
        ("userName = 'ann'", True),
        ('age eq 1 or age eq 30 and userName eq "bob"', False),
        ("age = 1 AND age = 2 OR age = 30", False),
        ("(age = 1 AND age = 2) OR age = 30", True),
        ('missing eq "x"', False),
        ('missing ne "x"', True),
        ("ann", None),
        ('userName is "ann"', None),
        ('userName eq "ann', None),
        ('userName eq "\\x"', None),
        ('emails[type eq "work"', None),
        ("(" * 90 + "age eq 30" + ")" * 90, None),
        ("", None),
    ],
)
def test_what_filters_let_through(text: str, fits: object) -> None:
    """By the precedence of RFC 7644 §3.4.2.2, or of AIP-160, where OR comes first; None for what is not read."""
    test = read_expression(text)

    assert (test(ANN) if test is not None else None) is fits


@given(st.text(alphabet="aA1\"'() []=!<>,.eqandornotpr-$\\", max_size=60))
def test_any_text_is_read_or_not(text: str) -> None:
    """Nothing raises."""
    test = read_expression(text)

    assert test is None or test(ANN) in (True, False)


LIST = """
paths:
  /things:
    get:
      parameters: [{name: filter, in: query, schema: {type: string}}]
      responses:
        '200':
          description: Things
          content: {application/json: {schema: {type: array, items: &thing {
            type: object, required: [id], properties: {id: {type: string}, color: {type: string}}}}}}
    post:
      requestBody: {content: {application/json: {schema: *thing}}}
      responses: {'201': {description: Created, content: {application/json: {schema: *thing}}}}
  /things/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A thing, content: {application/json: {schema: *thing}}}}
""".lstrip()


def test_a_list_is_filtered_by_an_expression() -> None:
    """A text that is none is left to what else the parameter may mean."""
    client = Client(api(LIST))
    for color in ("red", "blue"):
        client.json("POST", "/things", {"id": color, "color": color})

    text = quote('color eq "red"')
    found = client.json("GET", f"/things?filter={text}")
    others = client.json("GET", "/things?filter=recent")

    assert [thing["id"] for thing in found] == ["red"]
    assert {"red", "blue"} <= {thing["id"] for thing in others}
