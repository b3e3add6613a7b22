"""Orders that the description of a list names."""

import pytest

from devportal.conformance.families.lists import sorting
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

PRODUCTS = """\
paths:
  /products:
    post:
      requestBody: {content: &product {application/json: {schema: {$ref: '#/components/schemas/Product'}}}}
      responses: {"201": {description: Added., content: *product}}
    get:
      description: DESCRIPTION
      responses:
        "200":
          description: All products.
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Product'}}}}
components:
  schemas:
    Product:
      type: object
      properties: {id: {type: string, readOnly: true}, price: {type: integer}, weight: {type: integer}}
"""


@pytest.mark.parametrize(
    ("description", "is_checked"),
    [
        ("Sorted by `price`, cheapest first.", True),
        ("Sorted by price, most expensive first.", True),
        ("Ordered by `weight`, heaviest first.", True),
        ("Ordered by `weight`.", True),
        ("Sorted by `price`, favourites first.", False),
        ("Can be sorted by `price`, cheapest first.", False),
    ],
)
def test_an_order_in_words(description: str, *, is_checked: bool) -> None:
    """The words for its direction are those of sizes; anything else may come first for other reasons."""
    subject = subject_of_contract(contract(PRODUCTS.replace("DESCRIPTION", f"'{description}'")))

    assert any(True for _ in sorting.probes(subject)) is is_checked
