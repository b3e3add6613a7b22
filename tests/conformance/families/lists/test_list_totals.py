"""Numbers of a response that count its items, and those that are something else."""

import pytest

from devportal.conformance.families.lists import list_totals
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

BASKETS = """\
paths:
  /baskets:
    post:
      responses:
        "201":
          description: Woven.
          content: &basket {application/json: {schema: {$ref: '#/components/schemas/Basket'}}}
    get:
      responses:
        "200":
          description: All baskets.
          content:
            application/json:
              schema:
                type: object
                properties:
                  items: {type: array, items: {$ref: '#/components/schemas/Basket'}}
                  LISTED
  /baskets/{basketId}:
    get:
      parameters: [{name: basketId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: A basket., content: *basket}, "404": {description: None.}}
components:
  schemas:
    Basket:
      type: object
      properties:
        id: {type: string}
        items: {type: array, items: {type: object, properties: {id: {type: string}, price: {type: integer}}}}
        fee: {type: integer}
        READ
"""
COUNTED = "total: {type: integer}"
BOTH = {"GET /baskets", "GET /baskets/{basketId}"}


@pytest.mark.parametrize(
    ("listed", "read", "expected"),
    [
        (COUNTED, "total: {type: integer}", {"GET /baskets"}),
        (
            COUNTED,
            "total: {type: integer, description: The sum of `price` of all `items`.}",
            {"GET /baskets"},
        ),
        (COUNTED, "total: {type: integer, description: The number of eggs.}", {"GET /baskets"}),
        (COUNTED, "total_count: {type: integer}", BOTH),
        ("total: {type: integer, description: The sum of `fee` of all `items`.}", COUNTED, set()),
    ],
)
def test_a_price_is_not_a_number_of_items(listed: str, read: str, expected: set[str]) -> None:
    """A resource that has items has a total of its own kind, unless it is called a count."""
    subject = subject_of_contract(contract(BASKETS.replace("LISTED", listed).replace("READ", read)))

    assert {probe.operation for probe in list_totals.probes(subject)} == expected
